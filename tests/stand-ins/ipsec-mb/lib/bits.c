// SPDX-License-Identifier: BSD-2-Clause
#include "stand_in.h"

uint32_t load_word(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

void store_word(void *at, uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		((uint8_t *)at)[i] = (uint8_t)(word >> (24 - 8 * i));
}

unsigned get_bit(const void *data, uint64_t at)
{
	return ((const uint8_t *)data)[at / 8] >> (7 - at % 8) & 1;
}

void put_bit(void *data, uint64_t at, unsigned bit)
{
	uint8_t *byte = (uint8_t *)data + at / 8, mask = (uint8_t)(0x80 >> at % 8);

	*byte = (uint8_t)((*byte & ~mask) | (bit ? mask : 0));
}

void xor_stream(uint32_t (*keystream)(void *context), void *context, const void *in, void *out,
		uint32_t bytes)
{
	uint32_t word = 0;

	for (uint32_t i = 0; i < bytes; i++) {
		if (i % 4 == 0)
			word = keystream(context);
		((uint8_t *)out)[i] =
			((const uint8_t *)in)[i] ^ (uint8_t)(word >> (24 - i % 4 * 8));
	}
}
