// SPDX-License-Identifier: BSD-2-Clause
#include "engine/lines.h"

#include "base/arena.h"
#include "engine/lines_prefix.h"

#include <string.h>

#define ESCAPE '\033'
#define BELL '\a'
#define PREFIXES_MAX 8

void engine_lines_begin(struct arena *arena, struct view text, struct engine_lines *out)
{
	size_t size = text.size < ENGINE_LINE_MAX_BYTES ? text.size : ENGINE_LINE_MAX_BYTES;

	*out = (struct engine_lines){.rest = text, .scratch = arena_alloc(arena, size + 1)};
}

static struct view skip(struct view text, size_t size)
{
	size = size < text.size ? size : text.size;
	return (struct view){text.at + size, text.size - size};
}

static char at(struct view text, size_t i)
{
	return i < text.size ? text.at[i] : '\0';
}

/* Length of one terminal escape (ECMA-48). */
static size_t escape_size(struct view text)
{
	size_t i = 2;

	if (at(text, 1) == '[') {
		while (i < text.size && (unsigned char)text.at[i] < 0x40)
			i++;
		return i + 1;
	}
	/* "ESC ( B", which the terminal is reset with, has an intermediate byte. */
	while (at(text, i - 1) >= 0x20 && at(text, i - 1) <= 0x2f)
		i++;
	if (!at(text, 1) || !strchr("]P_^X", at(text, 1)))
		return i;
	while (i < text.size && text.at[i] != BELL && text.at[i] != ESCAPE)
		i++;
	return at(text, i) == ESCAPE ? i + 2 : i + 1;
}

/* What stands for a blank or for nothing in pasted text. */
static const struct {
	const char *bytes, *means;
} odd[] = {{"\xc2\xa0", " "},    {"\xe2\x80\x89", " "}, {"\xe2\x80\xaf", " "}, {"\xef\xbb\xbf", ""},
	   {"\xe2\x80\x8b", ""}, {"\xe2\x94\x82", " "}, {"\xe2\x94\x83", " "}, {"&gt;", ">"},
	   {"&lt;", "<"},        {"&#39;", "'"},        {"&quot;", "\""},      {"&amp;", "&"},
	   {"<pre>", ""},        {"</pre>", ""},        {"<code>", ""},        {"</code>", ""}};

static size_t odd_at(struct view text, const char **means)
{
	if ((unsigned char)text.at[0] < 0x80 && text.at[0] != '&' && text.at[0] != '<')
		return 0;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		if (view_starts(text, odd[i].bytes)) {
			*means = odd[i].means;
			return strlen(odd[i].bytes);
		}
	}
	return 0;
}

static struct view clean(struct engine_lines *lines, struct view raw)
{
	size_t size = 0;

	if (raw.size > ENGINE_LINE_MAX_BYTES) {
		lines->cut = true;
		raw.size = ENGINE_LINE_MAX_BYTES;
	}
	while (raw.size) {
		const char *means = "";
		size_t used = raw.at[0] == ESCAPE ? escape_size(raw) : odd_at(raw, &means);

		if (used) {
			if (*means)
				lines->scratch[size++] = *means;
		} else if (raw.at[0] == '\b') {
			used = 1;
			while (size && ((unsigned char)lines->scratch[size - 1] & 0xc0) == 0x80)
				size--;
			size -= size > 0;
		} else {
			unsigned char c = (unsigned char)raw.at[0];

			used = 1;
			if (c == '\t' || (c >= ' ' && c != 0x7f))
				lines->scratch[size++] = raw.at[0];
		}
		raw = skip(raw, used);
	}
	return (struct view){lines->scratch, size};
}

/* A row of a Markdown table is a row. */
static void unbar(struct view text)
{
	char *bytes = (char *)(uintptr_t)text.at;

	if (text.size < 3 || text.at[0] != '|' || text.at[text.size - 1] != '|')
		return;
	for (size_t i = 0; i < text.size; i++) {
		if (bytes[i] == '|')
			bytes[i] = ' ';
	}
}

bool engine_lines_next(struct engine_lines *lines, struct view *line)
{
	struct view raw, text;
	bool stamped = false;

	while (!lines->piece.at) {
		if (!view_line(&lines->rest, &lines->piece))
			return false;
		lines->number++;
	}
	view_split(&lines->piece, '\r', &raw);
	text = view_trim(clean(lines, raw));
	for (size_t i = 0; i < PREFIXES_MAX && text.size; i++) {
		size_t size = engine_prefix_size(text, &stamped);

		if (!size)
			break;
		text = view_trim(skip(text, size));
	}
	unbar(text);
	*line = view_trim(text);
	return true;
}
