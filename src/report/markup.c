// SPDX-License-Identifier: BSD-2-Clause
#include "report/markup.h"

#include "base/arena.h"
#include "base/utf8.h"

#include <stdarg.h>

static const char *const references[128] = {
	['&'] = "&amp;",  ['<'] = "&lt;",   ['>'] = "&gt;",
	['"'] = "&quot;", ['\''] = "&#39;", ['\n'] = "&#10;",
};

/* Production 2 of XML 1.0 leaves these out, whatever way they are written. */
static bool is_no_character(uint32_t code)
{
	return code == 0xfffe || code == 0xffff;
}

/* Most texts are ASCII that means nothing: how much of one goes out as it is. */
static size_t plain_size(struct view text)
{
	size_t size = 0;

	while (size < text.size) {
		const unsigned char c = (unsigned char)text.at[size];

		if (c < ' ' || c >= 0x7f || references[c])
			break;
		size++;
	}
	return size;
}

static void put_bytes(struct buffer *out, const char *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buffer_printf(out, "\\x%02x", (unsigned char)at[i]);
}

void markup_text(struct buffer *out, const char *text)
{
	struct view rest = view_of(text);

	while (rest.size) {
		size_t size = plain_size(rest);
		uint32_t code;

		buffer_add(out, rest.at, size);
		rest = (struct view){rest.at + size, rest.size - size};
		if (!rest.size)
			return;
		size = utf8_next(rest, &code);
		if (size && code < 128 && references[code])
			buffer_text(out, references[code]);
		else if (size && !utf8_is_control(code) && !is_no_character(code))
			buffer_add(out, rest.at, size);
		else
			put_bytes(out, rest.at, size ? size : 1);
		size = size ? size : 1;
		rest = (struct view){rest.at + size, rest.size - size};
	}
}

void markup_attribute(struct buffer *out, const char *name, const char *value)
{
	if (!value)
		return;
	buffer_printf(out, " %s=\"", name);
	markup_text(out, value);
	buffer_char(out, '"');
}

void markup_printf(struct buffer *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	markup_text(out, arena_vprintf(out->arena, format, args));
	va_end(args);
}
