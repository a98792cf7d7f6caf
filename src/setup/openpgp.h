// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>

struct arena;

/*
 * As much of OpenPGP (RFC 9580, RFC 4880) as it takes to tell keys and signatures from other files
 * and to give one key to gpgv, which alone decides. All bytes are hostile.
 */

/* The packets of an armored text (sections 6.2 and 6.1: all its blocks, one after another, their
 * CRC-24 checked where there is one), or the bytes as they are when they are not armored; false
 * when they are no packets. */
bool openpgp_read(struct arena *arena, struct view bytes, struct view *packets);
/* Whether all packets are signatures. */
bool openpgp_is_signature(struct view packets);
/* The primary key with this fingerprint (version 4: 40 hex digits, any case), with its names,
 * subkeys and their signatures. */
bool openpgp_find_key(struct view packets, const char *fingerprint, struct view *key);
