// SPDX-License-Identifier: BSD-2-Clause
#include "sha.h"

#include <string.h>

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
	0xc67178f2};

static uint32_t left(uint32_t value, unsigned bits)
{
	return value << bits | value >> (32 - bits);
}

static uint32_t right(uint32_t value, unsigned bits)
{
	return left(value, 32 - bits);
}

static uint32_t load(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void store(uint8_t *at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t round_1(unsigned step, uint32_t b, uint32_t c, uint32_t d)
{
	if (step < 20)
		return ((b & c) | (~b & d)) + 0x5a827999;
	if (step < 40)
		return (b ^ c ^ d) + 0x6ed9eba1;
	if (step < 60)
		return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
	return (b ^ c ^ d) + 0xca62c1d6;
}

static void block_1(uint32_t *state, const uint8_t *block)
{
	uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

	for (unsigned i = 0; i < 80; i++)
		w[i] = i < 16 ? load(block + 4 * i)
			      : left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (unsigned i = 0; i < 80; i++) {
		uint32_t next = left(a, 5) + round_1(i, b, c, d) + e + w[i];

		e = d;
		d = c;
		c = left(b, 30);
		b = a;
		a = next;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
}

static void block_256(uint32_t *state, const uint8_t *block)
{
	uint32_t w[64], v[8];

	memcpy(v, state, sizeof(v));
	for (unsigned i = 0; i < 64; i++) {
		w[i] = i < 16 ? load(block + 4 * i)
			      : w[i - 16] + w[i - 7] +
					(right(w[i - 15], 7) ^ right(w[i - 15], 18) ^
					 w[i - 15] >> 3) +
					(right(w[i - 2], 17) ^ right(w[i - 2], 19) ^
					 w[i - 2] >> 10);
		uint32_t one = v[7] + (right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25)) +
			       ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + w[i];
		uint32_t two = (right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22)) +
			       ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += one;
		v[0] = one + two;
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += v[i];
}

const struct sha_kind sha_1 = {
	.words = 5,
	.start = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
	.block = block_1,
};

const struct sha_kind sha_256 = {
	.words = 8,
	.start = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
		  0x1f83d9ab, 0x5be0cd19},
	.block = block_256,
};

void sha_finish(const struct sha_kind *kind, const uint32_t *state, uint64_t before,
		const uint8_t *data, uint64_t size, uint8_t *digest)
{
	uint32_t current[SHA_STATE_WORDS];
	uint8_t last[2 * SHA_BLOCK] = {0};
	uint64_t bits = 8 * (before + size), rest = size % SHA_BLOCK;
	size_t blocks = rest + 9 > SHA_BLOCK ? 2 : 1;

	memcpy(current, state, sizeof(current[0]) * kind->words);
	for (uint64_t at = 0; at + SHA_BLOCK <= size; at += SHA_BLOCK)
		kind->block(current, data + at);
	memcpy(last, data + size - rest, rest);
	last[rest] = 0x80;
	store(last + blocks * SHA_BLOCK - 8, (uint32_t)(bits >> 32));
	store(last + blocks * SHA_BLOCK - 4, (uint32_t)bits);
	for (size_t i = 0; i < blocks; i++)
		kind->block(current, last + i * SHA_BLOCK);
	for (size_t i = 0; i < kind->words; i++)
		store(digest + 4 * i, current[i]);
}
