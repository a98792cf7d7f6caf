// SPDX-License-Identifier: BSD-2-Clause
#include "base/text.h"

#include "base/arena.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct view view_of(const char *text)
{
	return (struct view){text, text ? strlen(text) : 0};
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

struct view view_trim(struct view view)
{
	while (view.size && is_blank(view.at[0]))
		view.at++, view.size--;
	while (view.size && is_blank(view.at[view.size - 1]))
		view.size--;
	return view;
}

bool view_is(struct view view, const char *text)
{
	return view.size == strlen(text) && (!view.size || memcmp(view.at, text, view.size) == 0);
}

bool view_starts(struct view view, const char *prefix)
{
	size_t size = strlen(prefix);

	return view.size >= size && (!size || memcmp(view.at, prefix, size) == 0);
}

bool view_ends(struct view view, const char *suffix)
{
	size_t size = strlen(suffix);

	return view.size >= size &&
	       (!size || memcmp(view.at + view.size - size, suffix, size) == 0);
}

const char *view_find(struct view view, const char *needle)
{
	return view.size ? memmem(view.at, view.size, needle, strlen(needle)) : NULL;
}

bool view_split(struct view *rest, char separator, struct view *part)
{
	const char *end;

	if (!rest->at)
		return false;
	end = rest->size ? memchr(rest->at, separator, rest->size) : NULL;
	if (!end) {
		*part = *rest;
		*rest = (struct view){NULL, 0};
		return true;
	}
	*part = (struct view){rest->at, (size_t)(end - rest->at)};
	rest->size -= part->size + 1;
	rest->at = end + 1;
	return true;
}

bool view_line(struct view *rest, struct view *line)
{
	if (!rest->size)
		return false;
	view_split(rest, '\n', line);
	if (line->size && line->at[line->size - 1] == '\r')
		line->size--;
	return true;
}

bool view_word(struct view *rest, struct view *word)
{
	struct view left = view_trim(*rest);

	if (!left.size)
		return false;
	word->at = left.at;
	word->size = 0;
	while (word->size < left.size && !is_blank(left.at[word->size]))
		word->size++;
	rest->at = left.at + word->size;
	rest->size = left.size - word->size;
	return true;
}

char *view_copy(struct arena *arena, struct view view)
{
	const char *nul = view.size ? memchr(view.at, '\0', view.size) : NULL;

	return arena_copy(arena, view.at, nul ? (size_t)(nul - view.at) : view.size);
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

bool view_u64(struct view view, int base, uint64_t *number)
{
	uint64_t sum = 0;

	if (base == 16 && (view_starts(view, "0x") || view_starts(view, "0X")))
		view.at += 2, view.size -= 2;
	if (!view.size)
		return false;
	for (size_t i = 0; i < view.size; i++) {
		int value = digit(view.at[i]);

		if (value >= base || __builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)value, &sum))
			return false;
	}
	*number = sum;
	return true;
}

bool view_i64(struct view view, int64_t *number)
{
	bool negative = view_starts(view, "-");
	uint64_t size;

	if (negative)
		view.at++, view.size--;
	if (!view_u64(view, 10, &size) || size > (uint64_t)INT64_MAX)
		return false;
	*number = negative ? -(int64_t)size : (int64_t)size;
	return true;
}

void names_add(struct arena *arena, struct names *names, const char *name)
{
	if (names->count == names->room) {
		size_t room = names->room ? names->room * 2 : 8;
		const char **items = arena_array(arena, const char *, room);

		if (names->count)
			memcpy(items, names->items, names->count * sizeof(*items));
		names->items = items;
		names->room = room;
	}
	names->items[names->count++] = name;
}

bool names_has(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(names->items[i], name) == 0)
			return true;
	}
	return false;
}

bool names_match(const struct names *globs, const char *word)
{
	for (size_t i = 0; i < globs->count; i++) {
		if (fnmatch(globs->items[i], word, 0) == 0)
			return true;
	}
	return false;
}

static int names_order(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

void names_sort(struct names *names)
{
	if (names->count > 1)
		qsort(names->items, names->count, sizeof(*names->items), names_order);
}

const char *names_join(struct arena *arena, const struct names *names, const char *separator)
{
	struct buffer out = buffer_new(arena, (size_t)1 << 20);

	for (size_t i = 0; i < names->count; i++) {
		if (i)
			buffer_text(&out, separator);
		buffer_text(&out, names->items[i]);
	}
	return buffer_string(&out);
}
