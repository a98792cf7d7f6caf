// SPDX-License-Identifier: BSD-2-Clause
#include "engine/lines.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

#define ESCAPE '\033'
#define BELL '\a'
#define PREFIXES_MAX 8
#define COLUMN_MAX 200 /* where a log's own columns may reach */

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

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
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
	if (at(text, 1) != ']')
		return 2;
	while (i < text.size && text.at[i] != BELL && text.at[i] != ESCAPE)
		i++;
	return at(text, i) == ESCAPE ? i + 2 : i + 1;
}

/* What stands for a blank or for nothing in pasted text. */
static const struct {
	const char *bytes, *means;
} odd[] = {{"\xc2\xa0", " "},    {"\xe2\x80\x89", " "}, {"\xe2\x80\xaf", " "}, {"\xef\xbb\xbf", ""},
	   {"\xe2\x80\x8b", ""}, {"\xe2\x94\x82", " "}, {"\xe2\x94\x83", " "}, {"&gt;", ">"},
	   {"&lt;", "<"},        {"&#39;", "'"},        {"&quot;", "\""},      {"&amp;", "&"}};

static size_t odd_at(struct view text, const char **means)
{
	if ((unsigned char)text.at[0] < 0x80 && text.at[0] != '&')
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

static size_t digits(struct view text, size_t from)
{
	size_t i = from;

	while (is_digit(at(text, i)))
		i++;
	return i - from;
}

/* "19:47:37", ".123456" or ",123" behind it, "Z" or "+01:00"; 0: no time of day. */
static size_t time_size(struct view text)
{
	size_t hours = digits(text, 0), i;

	if (hours < 1 || hours > 3 || at(text, hours) != ':' || digits(text, hours + 1) != 2 ||
	    at(text, hours + 3) != ':' || digits(text, hours + 4) != 2)
		return 0;
	i = hours + 6;
	if ((at(text, i) == '.' || at(text, i) == ',') && digits(text, i + 1))
		i += 1 + digits(text, i + 1);
	if (at(text, i) == 'Z')
		return i + 1;
	if ((at(text, i) == '+' || at(text, i) == '-') && digits(text, i + 1) >= 2) {
		i += 1 + digits(text, i + 1);
		if (at(text, i) == ':' && digits(text, i + 1) == 2)
			i += 3;
	}
	return i;
}

/* "2024-01-01T", "2024/01/01 ", "Jan  1 "; 0: no date. */
static size_t date_size(struct view text)
{
	static const char months[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ";
	char month[5] = {at(text, 0), at(text, 1), at(text, 2), at(text, 3)};
	size_t i = 4;

	if (digits(text, 0) == 4 && (at(text, 4) == '-' || at(text, 4) == '/') &&
	    digits(text, 5) == 2 && at(text, 7) == at(text, 4) && digits(text, 8) == 2)
		return at(text, 10) == 'T' || at(text, 10) == ' ' ? 11 : 10;
	if (month[3] != ' ' || !isalpha((unsigned char)month[0]) || !strstr(months, month))
		return 0;
	while (at(text, i) == ' ')
		i++;
	if (!digits(text, i) || digits(text, i) > 2 || at(text, i + digits(text, i)) != ' ')
		return 0;
	return i + digits(text, i) + 1;
}

static size_t stamp_size(struct view text)
{
	size_t date = date_size(text), time = time_size(skip(text, date));

	return time ? date + time : 0;
}

/* "[2024-01-01T00:00:00Z] ", "[   12.345678] " */
static size_t bracket_size(struct view text)
{
	struct view inside = view_trim(skip(text, 1));
	size_t size;

	if (at(text, 0) != '[')
		return 0;
	size = stamp_size(inside);
	if (!size && digits(inside, 0) && at(inside, digits(inside, 0)) == '.')
		size = digits(inside, 0) + 1 + digits(inside, digits(inside, 0) + 1);
	if (!size)
		return 0;
	while (at(inside, size) == ' ')
		size++;
	return at(inside, size) == ']' ? (size_t)(inside.at - text.at) + size + 1 : 0;
}

static size_t level_size(struct view text, bool stamped)
{
	static const char *const levels[] = {"INFO",  "DEBUG", "NOTICE", "WARNING", "WARN",
					     "ERROR", "TRACE", "stdout", "stderr"};
	bool bracket = at(text, 0) == '[';

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		size_t end = strlen(levels[i]) + bracket;

		if (!view_starts(skip(text, bracket), levels[i]))
			continue;
		if (bracket && at(text, end) == ']')
			return end + 1;
		/* "stdout F " and "stderr P " are of container logs (CRI) */
		if (!bracket && stamped && view_starts(text, "std") && at(text, end) == ' ' &&
		    (at(text, end + 1) == 'F' || at(text, end + 1) == 'P') &&
		    (at(text, end + 2) == ' ' || text.size == end + 2))
			return end + 2;
		if (!bracket && stamped && (at(text, end) == ' ' || at(text, end) == ':'))
			return end + 1;
	}
	return 0;
}

/* "00O " and "01E+" of GitLab; "host prog[12]: " of syslog, after their time stamps. */
static size_t after_stamp_size(struct view text)
{
	struct view rest = text, host, program;

	if (isxdigit((unsigned char)at(text, 0)) && isxdigit((unsigned char)at(text, 1)) &&
	    (at(text, 2) == 'O' || at(text, 2) == 'E') &&
	    (at(text, 3) == ' ' || at(text, 3) == '+' || text.size == 3))
		return 4;
	if (!view_word(&rest, &host) || !view_word(&rest, &program) || !view_ends(program, ":"))
		return 0;
	return memchr(program.at, '[', program.size) ? (size_t)(rest.at - text.at) : 0;
}

/* Columns in front: "job <tab> step <tab> 2024-…" (gh run view), "web-1  | " (docker compose),
 * "#12 3.456 " (buildkit). */
static size_t column_size(struct view text)
{
	size_t i = 0;

	for (size_t tab = 0; tab < text.size && tab < COLUMN_MAX; tab++) {
		if (text.at[tab] == '\t' && stamp_size(skip(text, tab + 1)))
			return tab + 1;
	}
	if (at(text, 0) == '#' && digits(text, 1)) {
		i = 1 + digits(text, 1);
		if (at(text, i) == ' ' && digits(text, i + 1) &&
		    at(text, i + 1 + digits(text, i + 1)) == '.')
			i += 2 + digits(text, i + 1) + digits(text, i + 2 + digits(text, i + 1));
		return i > 4 && at(text, i) == ' ' ? i : 0;
	}
	while (isalnum((unsigned char)at(text, i)) || at(text, i) == '-' || at(text, i) == '_')
		i++;
	if (!i)
		return 0;
	while (at(text, i) == ' ')
		i++;
	return at(text, i) == '|' && at(text, i + 1) == ' ' ? i + 2 : 0;
}

static size_t prefix_size(struct view text, bool *stamped)
{
	size_t size = stamp_size(text);

	if (!size)
		size = bracket_size(text);
	if (size) {
		*stamped = true;
		return size;
	}
	if (at(text, 0) == '>' && (at(text, 1) == ' ' || at(text, 1) == '>' || text.size == 1))
		return 1;
	size = level_size(text, *stamped);
	if (!size && *stamped)
		size = after_stamp_size(text);
	return size ? size : column_size(text);
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
		size_t size = prefix_size(text, &stamped);

		if (!size)
			break;
		text = view_trim(skip(text, size));
	}
	unbar(text);
	*line = view_trim(text);
	return true;
}
