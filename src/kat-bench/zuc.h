// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stddef.h>

/* ZUC (ETSI/SAGE: Specification of the 3GPP algorithms 128-EEA3 and 128-EIA3, documents 1 and 2),
 * slow and plain: it makes expected answers. */

/* 128-EEA3: the key stream on top of `in`. */
void zuc_encrypt(const unsigned char key[16], const unsigned char iv[16], const unsigned char *in,
		 unsigned char *out, size_t size);
/* 128-EIA3 of whole bytes. */
void zuc_mac(const unsigned char key[16], const unsigned char iv[16], const unsigned char *in,
	     size_t size, unsigned char mac[4]);
