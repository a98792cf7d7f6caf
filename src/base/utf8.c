// SPDX-License-Identifier: BSD-2-Clause
#include "base/utf8.h"

/* Well-formed byte sequences by first byte: Unicode 15, table 3-7. Bytes after the second are
 * 80…BF. */
struct utf8_row {
	uint8_t first_low, first_high;
	uint8_t second_low, second_high;
	uint8_t length;
};

static const struct utf8_row rows[] = {
	{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
	{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static const struct utf8_row *row_of(uint8_t first)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (first >= rows[i].first_low && first <= rows[i].first_high)
			return &rows[i];
	return NULL;
}

/* How many bytes at the start fit `row`. */
static size_t fitting(const struct utf8_row *row, struct view text)
{
	size_t n = 1;
	uint8_t low = row->second_low, high = row->second_high;

	while (n < row->length && n < text.size) {
		uint8_t c = (uint8_t)text.at[n];

		if (c < low || c > high)
			break;
		low = 0x80;
		high = 0xbf;
		n++;
	}
	return n;
}

size_t utf8_next(struct view text, uint32_t *code)
{
	static const uint8_t first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	const struct utf8_row *row;
	uint32_t value;

	if (text.size == 0)
		return 0;
	value = (uint8_t)text.at[0];
	if (value < 0x80) {
		*code = value;
		return 1;
	}
	row = row_of((uint8_t)value);
	if (!row || fitting(row, text) != row->length)
		return 0;
	value &= first_bits[row->length];
	for (size_t i = 1; i < row->length; i++)
		value = value << 6 | ((uint8_t)text.at[i] & 0x3f);
	*code = value;
	return row->length;
}

size_t utf8_bad(struct view text)
{
	const struct utf8_row *row = text.size ? row_of((uint8_t)text.at[0]) : NULL;

	return row ? fitting(row, text) : 1;
}

bool utf8_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x200e || code == 0x200f ||
	       (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}
