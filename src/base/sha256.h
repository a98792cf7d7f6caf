// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/digest.h"

/* SHA-256 (FIPS 180-4) without libcrypto, as digest_view() gives it: opening that takes longer than
 * all else that a run with nothing to do does, and a libcrypto under test cannot judge itself. */
struct sha256 {
	uint32_t state[8];
	uint64_t size;
	unsigned char block[64]; /* size % 64 bytes that are not yet in the state */
};

void sha256_start(struct sha256 *digest);
void sha256_add(struct sha256 *digest, const void *bytes, size_t size);
void sha256_end(struct sha256 *digest, unsigned char bytes[32]);
void sha256_hex(struct sha256 *digest, char hex[DIGEST_HEX_SIZE]); /* ends it */
void sha256_text(struct view text, char hex[DIGEST_HEX_SIZE]);
