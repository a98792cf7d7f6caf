// SPDX-License-Identifier: BSD-2-Clause
#include "base/base64.h"

#include "base/arena.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const char *base64_encode(struct arena *arena, struct view bytes)
{
	char *text = arena_alloc(arena, bytes.size / 3 * 4 + 5), *to = text;
	const unsigned char *from = (const unsigned char *)bytes.at;

	for (size_t left = bytes.size; left;) {
		size_t take = left < 3 ? left : 3;
		unsigned group = (unsigned)from[0] << 16;

		if (take > 1)
			group |= (unsigned)from[1] << 8;
		if (take > 2)
			group |= from[2];
		*to++ = alphabet[group >> 18 & 63];
		*to++ = alphabet[group >> 12 & 63];
		*to++ = take > 1 ? alphabet[group >> 6 & 63] : '=';
		*to++ = take > 2 ? alphabet[group & 63] : '=';
		from += take;
		left -= take;
	}
	return text;
}

static int sextet(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_decode(struct arena *arena, struct view text, struct view *out)
{
	unsigned char *bytes = arena_alloc(arena, text.size / 4 * 3 + 3);
	size_t used = 0, digits = 0, padding = 0;
	unsigned group = 0;

	for (size_t i = 0; i < text.size; i++) {
		char c = text.at[i];
		int value = sextet(c);

		if (c == '\n' || c == '\r' || c == ' ')
			continue;
		if (c == '=') {
			padding++;
			continue;
		}
		if (value < 0 || padding)
			return false;
		group = group << 6 | (unsigned)value;
		if (++digits % 4 == 0) {
			bytes[used++] = (unsigned char)(group >> 16);
			bytes[used++] = (unsigned char)(group >> 8);
			bytes[used++] = (unsigned char)group;
		}
	}
	if ((digits + padding) % 4 || padding > 2 || (padding && digits % 4 + padding != 4))
		return false;
	if (digits % 4 == 2) {
		bytes[used++] = (unsigned char)(group >> 4);
	} else if (digits % 4 == 3) {
		bytes[used++] = (unsigned char)(group >> 10);
		bytes[used++] = (unsigned char)(group >> 2);
	}
	*out = (struct view){(const char *)bytes, used};
	return true;
}
