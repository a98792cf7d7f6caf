// SPDX-License-Identifier: BSD-2-Clause
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

/* FIPS 180-4 sections 4.2.2 and 5.3.3. */
static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static const uint32_t beginning[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
				      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

static void add_block(uint32_t state[8], const unsigned char *at)
{
	uint32_t words[64], v[8];

	for (unsigned t = 0; t < 16; t++, at += 4)
		words[t] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
			   at[3];
	for (unsigned t = 16; t < 64; t++) {
		uint32_t a = words[t - 15], b = words[t - 2];

		words[t] = words[t - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + words[t - 7] +
			   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
	memcpy(v, state, sizeof(v));
	for (unsigned t = 0; t < 64; t++) {
		uint32_t one = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) +
			       ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[t] + words[t];
		uint32_t two = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) +
			       ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += one;
		v[0] = one + two;
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += v[i];
}

void sha256_start(struct sha256 *digest)
{
	*digest = (struct sha256){0};
	memcpy(digest->state, beginning, sizeof(beginning));
}

void sha256_add(struct sha256 *digest, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	size_t held = digest->size % 64;

	digest->size += size;
	if (held && held + size >= 64) {
		memcpy(digest->block + held, at, 64 - held);
		add_block(digest->state, digest->block);
		at += 64 - held;
		size -= 64 - held;
		held = 0;
	}
	if (!held)
		for (; size >= 64; at += 64, size -= 64)
			add_block(digest->state, at);
	if (size)
		memcpy(digest->block + held, at, size);
}

void sha256_end(struct sha256 *digest, unsigned char bytes[32])
{
	uint64_t bits = digest->size * 8;
	size_t held = digest->size % 64, padding = held < 56 ? 56 - held : 120 - held;
	unsigned char last[72] = {0x80};

	for (unsigned i = 0; i < 8; i++)
		last[padding + 7 - i] = (unsigned char)(bits >> 8 * i);
	sha256_add(digest, last, padding + 8);
	for (unsigned i = 0; i < 32; i++)
		bytes[i] = (unsigned char)(digest->state[i / 4] >> (24 - i % 4 * 8));
}

void sha256_hex(struct sha256 *digest, char hex[DIGEST_HEX_SIZE])
{
	unsigned char bytes[32];

	sha256_end(digest, bytes);
	for (unsigned i = 0; i < 32; i++)
		snprintf(hex + i * 2, 3, "%02x", bytes[i]);
}

void sha256_text(struct view text, char hex[DIGEST_HEX_SIZE])
{
	struct sha256 digest;

	sha256_start(&digest);
	sha256_add(&digest, text.at, text.size);
	sha256_hex(&digest, hex);
}
