// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/snow3g.h"

#include <string.h>

struct snow3g {
	uint32_t s[16], r1, r2, r3;
	uint8_t sr[256], sq[256];
};

static uint32_t load(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void store(unsigned char *at, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(word >> (24 - 8 * i));
}

/* Section 3.1.1. */
static uint8_t mulx(uint8_t value, uint8_t polynomial)
{
	return (uint8_t)(value << 1 ^ (value & 0x80 ? polynomial : 0));
}

/* Section 3.1.2. */
static uint8_t mulx_power(uint8_t value, unsigned times, uint8_t polynomial)
{
	while (times--)
		value = mulx(value, polynomial);
	return value;
}

static uint8_t multiply(uint8_t a, uint8_t b, uint8_t polynomial)
{
	uint8_t product = 0;

	for (; b; b >>= 1, a = mulx(a, polynomial))
		product ^= b & 1 ? a : 0;
	return product;
}

static uint8_t power(uint8_t base, unsigned exponent, uint8_t polynomial)
{
	uint8_t product = 1;

	while (exponent--)
		product = multiply(product, base, polynomial);
	return product;
}

/* S_R is that of AES (FIPS 197 section 5.1.1); S_Q a Dickson polynomial in the field of
 * x^8+x^6+x^5+x^3+1 (document 2, annex). */
static void make_boxes(struct snow3g *snow)
{
	static const uint8_t exponents[] = {1, 9, 13, 15, 33, 41, 45, 47, 49};

	for (unsigned x = 0; x < 256; x++) {
		uint8_t inverse = power((uint8_t)x, 254, 0x1b), q = 0x25, r = 0x63;

		for (unsigned i = 0; i < 5; i++)
			r ^= (uint8_t)(inverse << i | inverse >> (8 - i));
		for (size_t i = 0; i < sizeof(exponents); i++)
			q ^= power((uint8_t)x, exponents[i], 0x69);
		snow->sr[x] = r;
		snow->sq[x] = q;
	}
}

/* Sections 3.3.1 and 3.3.2: both are a box and the same matrix in different fields. */
static uint32_t substitute(const uint8_t box[256], uint8_t polynomial, uint32_t word)
{
	uint8_t b[4], x[4];
	uint32_t out = 0;

	for (int i = 0; i < 4; i++) {
		b[i] = box[word >> (24 - 8 * i) & 0xff];
		x[i] = mulx(b[i], polynomial);
	}
	for (int i = 0; i < 4; i++) {
		int one = (i + 1) % 4, two = (i + 2) % 4, three = (i + 3) % 4;
		uint8_t byte = (uint8_t)(x[i] ^ b[one] ^ b[two] ^ x[three] ^ b[three]);

		out |= (uint32_t)byte << (24 - 8 * i);
	}
	return out;
}

/* Sections 3.4.2 and 3.4.3: MULalpha and DIValpha. */
static uint32_t spread(uint8_t byte, const uint8_t times[4])
{
	uint32_t word = 0;

	for (int i = 0; i < 4; i++)
		word = word << 8 | mulx_power(byte, times[i], 0xa9);
	return word;
}

static void clock_register(struct snow3g *snow, uint32_t feedback)
{
	static const uint8_t multiplying[4] = {23, 245, 48, 239}, dividing[4] = {16, 39, 6, 64};
	uint32_t *s = snow->s;
	uint32_t v = s[0] << 8 ^ spread((uint8_t)(s[0] >> 24), multiplying) ^ s[2] ^ s[11] >> 8 ^
		     spread((uint8_t)s[11], dividing) ^ feedback;

	memmove(s, s + 1, 15 * sizeof(s[0]));
	s[15] = v;
}

static uint32_t clock_machine(struct snow3g *snow)
{
	uint32_t f = (snow->s[15] + snow->r1) ^ snow->r2;
	uint32_t r = snow->r2 + (snow->r3 ^ snow->s[5]);

	snow->r3 = substitute(snow->sq, 0x69, snow->r2);
	snow->r2 = substitute(snow->sr, 0x1b, snow->r1);
	snow->r1 = r;
	return f;
}

/* Section 4.1, and the first clock of 4.2, whose word is dropped. */
static void start(struct snow3g *snow, const unsigned char key[16], const unsigned char iv[16])
{
	*snow = (struct snow3g){0};
	make_boxes(snow);
	for (int i = 0; i < 16; i++) {
		uint32_t k = load(key + 4 * (3 - i % 4));

		snow->s[i] = (i / 4) % 2 ? k : ~k;
	}
	snow->s[15] ^= load(iv + 12);
	snow->s[12] ^= load(iv + 8);
	snow->s[10] ^= load(iv + 4);
	snow->s[9] ^= load(iv);
	for (int i = 0; i < 32; i++) {
		uint32_t f = clock_machine(snow);

		clock_register(snow, f);
	}
	clock_machine(snow);
	clock_register(snow, 0);
}

static uint32_t next_word(struct snow3g *snow)
{
	uint32_t z = clock_machine(snow) ^ snow->s[0];

	clock_register(snow, 0);
	return z;
}

void snow3g_encrypt(const unsigned char key[16], const unsigned char iv[16],
		    const unsigned char *in, unsigned char *out, size_t size)
{
	unsigned char stream[4] = {0};
	struct snow3g snow;

	start(&snow, key, iv);
	for (size_t i = 0; i < size; i++) {
		if (i % 4 == 0)
			store(stream, next_word(&snow));
		out[i] = in[i] ^ stream[i % 4];
	}
}

/* Document 1, section 4.3.2: in the field of x^64+x^4+x^3+x+1. */
static uint64_t multiply_64(uint64_t v, uint64_t p)
{
	uint64_t product = 0;

	for (; p; p >>= 1) {
		product ^= p & 1 ? v : 0;
		v = v << 1 ^ (v >> 63 ? 0x1b : 0);
	}
	return product;
}

void snow3g_mac(const unsigned char key[16], const unsigned char iv[16], const unsigned char *in,
		size_t size, unsigned char mac[4])
{
	uint64_t z[5], value = 0, p, q;
	struct snow3g snow;

	start(&snow, key, iv);
	for (int i = 0; i < 5; i++)
		z[i] = next_word(&snow);
	p = z[0] << 32 | z[1];
	q = z[2] << 32 | z[3];
	for (size_t at = 0; at < size; at += 8) {
		unsigned char block[8] = {0};

		memcpy(block, in + at, size - at < 8 ? size - at : 8);
		value = multiply_64(value ^ ((uint64_t)load(block) << 32 | load(block + 4)), p);
	}
	value = multiply_64(value ^ (uint64_t)size * 8, q);
	store(mac, (uint32_t)(value >> 32) ^ (uint32_t)z[4]);
}
