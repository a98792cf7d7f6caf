// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* A view of bytes owned by someone else; may hold NULs and invalid UTF-8. {NULL, 0} is empty. */
struct view {
	const char *at;
	size_t size;
};

#define VIEW(literal) ((struct view){(literal), sizeof(literal) - 1})

struct view view_of(const char *text);   /* NULL gives the empty view */
struct view view_trim(struct view view); /* ASCII blanks, tabs, CR, LF, NUL at both ends */
bool view_is(struct view view, const char *text);
bool view_starts(struct view view, const char *prefix);
bool view_ends(struct view view, const char *suffix);
const char *view_find(struct view view, const char *needle); /* first occurrence or NULL */
/* Cut the next piece off *rest; false when nothing is left. view_line drops the LF and a CR before
 * it. */
bool view_line(struct view *rest, struct view *line);
bool view_split(struct view *rest, char separator, struct view *part);
bool view_word(struct view *rest, struct view *word); /* runs of blanks separate */
char *view_copy(struct arena *arena,
		struct view view); /* NUL-terminated; stops at the first NUL inside */

/* The one strict number parser: the whole view, digits of the base only (base 16 allows a leading
 * 0x), no sign (view_i64: one leading '-'), no blanks, no overflow. The output is written only on
 * success. */
bool view_u64(struct view view, int base, uint64_t *number);
bool view_i64(struct view view, int64_t *number);

/* A growing byte buffer in an arena, with a stated maximum; appends past it are dropped and set
 * `full`. */
struct buffer {
	struct arena *arena;
	char *at;
	size_t size, room, max;
	bool full;
};

struct buffer buffer_new(struct arena *arena, size_t max);
void buffer_add(struct buffer *buffer, const void *bytes, size_t size);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_char(struct buffer *buffer, char c);
void buffer_printf(struct buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
struct view buffer_view(const struct buffer *buffer);
const char *buffer_string(struct buffer *buffer); /* NUL-terminated */

/* Sorted, growing list of names in an arena. */
struct names {
	const char **items;
	size_t count, room;
};

void names_add(struct arena *arena, struct names *names, const char *name);
bool names_has(const struct names *names, const char *name);
/* Whether one of `globs` (fnmatch(3), no flags) fits the word. */
bool names_match(const struct names *globs, const char *word);
void names_sort(struct names *names); /* "cpu2" before "cpu10" (strverscmp) */
const char *names_join(struct arena *arena, const struct names *names, const char *separator);

/* The same bytes; NULL is NULL alone. */
bool text_same(const char *a, const char *b);
/* The entry of `known` closest to `word` (edit distance ≤ 1 + length / 3), or NULL. */
const char *text_nearest(const char *word, const char *const *known, size_t count);
/* Control characters and invalid UTF-8 as \xNN, so that firmware strings cannot drive a terminal.
 */
const char *text_printable(struct arena *arena, struct view raw);
/* "0-3,8" -> sorted CPU numbers; false on anything else, on a range that runs backwards and past
 * `max` entries. */
bool text_cpulist(struct arena *arena, struct view list, size_t max, uint32_t **cpus,
		  size_t *count);
/* The reverse: sorted numbers -> "0-3,8". */
const char *text_ranges(struct arena *arena, const uint32_t *numbers, size_t count);
