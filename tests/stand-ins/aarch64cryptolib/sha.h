// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SHA_BLOCK 64
#define SHA_STATE_WORDS 8

/* FIPS 180-4: what SHA-1 and SHA-256 share is the block and the padding. */
struct sha_kind {
	size_t words; /* of the state and the digest */
	uint32_t start[SHA_STATE_WORDS];
	void (*block)(uint32_t *state, const uint8_t *block);
};

extern const struct sha_kind sha_1, sha_256;

/* The digest of `before` bytes (whole blocks) that made `state`, and of `size` bytes of data. */
void sha_finish(const struct sha_kind *kind, const uint32_t *state, uint64_t before,
		const uint8_t *data, uint64_t size, uint8_t *digest);
