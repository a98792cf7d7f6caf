// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stddef.h>
#include <stdint.h>

/* SNOW 3G (ETSI/SAGE: Specification of the 3GPP algorithms UEA2 and UIA2, document 2), slow and
 * plain: it makes expected answers. The IV is IV3, IV2, IV1, IV0, as 3GPP writes them. */

/* UEA2, 128-EEA1: the key stream on top of `in`. */
void snow3g_encrypt(const unsigned char key[16], const unsigned char iv[16],
		    const unsigned char *in, unsigned char *out, size_t size);
/* UIA2, 128-EIA1 of whole bytes. */
void snow3g_mac(const unsigned char key[16], const unsigned char iv[16], const unsigned char *in,
		size_t size, unsigned char mac[4]);
