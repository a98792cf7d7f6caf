// SPDX-License-Identifier: BSD-2-Clause
#include "setup/sha1.h"

#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word << bits | word >> (32 - bits);
}

/* The function and constant of round t, FIPS 180-4 sections 4.1.1 and 4.2.1. */
static uint32_t mixed(unsigned t, uint32_t b, uint32_t c, uint32_t d)
{
	if (t < 20)
		return ((b & c) ^ (~b & d)) + 0x5a827999;
	if (t < 40)
		return (b ^ c ^ d) + 0x6ed9eba1;
	if (t < 60)
		return ((b & c) ^ (b & d) ^ (c & d)) + 0x8f1bbcdc;
	return (b ^ c ^ d) + 0xca62c1d6;
}

static void add_block(struct sha1 *sha1)
{
	const unsigned char *at = sha1->block;
	uint32_t words[80], v[5];

	for (unsigned t = 0; t < 16; t++, at += 4)
		words[t] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
			   at[3];
	for (unsigned t = 16; t < 80; t++)
		words[t] = rotate(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1);
	memcpy(v, sha1->state, sizeof(v));
	for (unsigned t = 0; t < 80; t++) {
		uint32_t next = rotate(v[0], 5) + mixed(t, v[1], v[2], v[3]) + v[4] + words[t];

		v[4] = v[3];
		v[3] = v[2];
		v[2] = rotate(v[1], 30);
		v[1] = v[0];
		v[0] = next;
	}
	for (unsigned i = 0; i < 5; i++)
		sha1->state[i] += v[i];
}

void sha1_start(struct sha1 *sha1)
{
	*sha1 = (struct sha1){
		.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
}

void sha1_add(struct sha1 *sha1, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	while (size) {
		size_t used = sha1->size_bytes % 64, take = 64 - used < size ? 64 - used : size;

		memcpy(sha1->block + used, at, take);
		sha1->size_bytes += take;
		at += take;
		size -= take;
		if (used + take == 64)
			add_block(sha1);
	}
}

void sha1_end(struct sha1 *sha1, char hex[SHA1_HEX_SIZE])
{
	static const unsigned char zeros[64] = {0};
	uint64_t bits = sha1->size_bytes * 8;
	unsigned char length[8];

	for (unsigned i = 0; i < 8; i++)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	sha1_add(sha1, "\x80", 1);
	sha1_add(sha1, zeros, (64 + 56 - sha1->size_bytes % 64) % 64);
	sha1_add(sha1, length, sizeof(length));
	for (unsigned i = 0; i < 5; i++)
		snprintf(hex + i * 8, 9, "%08x", (unsigned)sha1->state[i]);
}
