// SPDX-License-Identifier: BSD-2-Clause
#include "base/json_lexer.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTEGER_MAX ((uint64_t)1 << 53)

struct lexer {
	struct arena *arena;
	const char *name;
	struct view text;
	size_t at;
	unsigned depth;
	struct json_marks *marks;
	struct error *err;
};

bool json_error_at(const char *name, struct view text, size_t offset, struct error *err,
		   const char *format, ...)
{
	char message[800];
	size_t line = 1, column = 1;
	va_list args;

	for (size_t i = 0; i < offset && i < text.size; i++) {
		if (text.at[i] == '\n') {
			line++;
			column = 1;
		} else if (((uint8_t)text.at[i] & 0xc0) != 0x80) {
			column++;
		}
	}
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(err, "%s:%zu:%zu: %s", name, line, column, message);
}

/* Ends a function: `return bad(lexer, offset, "…")`. */
#define bad(lexer, offset, ...)                                                                    \
	json_error_at((lexer)->name, (lexer)->text, (offset), (lexer)->err, __VA_ARGS__)

static int peek(const struct lexer *lexer)
{
	return lexer->at < lexer->text.size ? (uint8_t)lexer->text.at[lexer->at] : -1;
}

static struct view rest(const struct lexer *lexer)
{
	return (struct view){lexer->text.at + lexer->at, lexer->text.size - lexer->at};
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* What stands at the current place, for a message. */
static bool expected(struct lexer *lexer, const char *what)
{
	int c = peek(lexer);
	uint32_t code = 0;
	struct view word = rest(lexer);

	if (c < 0)
		return bad(lexer, lexer->at, "expected %s, found the end of the file", what);
	if (utf8_next(word, &code) == 0)
		return bad(lexer, lexer->at, "byte 0x%02x is not UTF-8", (unsigned)c);
	if (code < 0x20 || code >= 0x7f)
		return bad(lexer, lexer->at, "expected %s, found character U+%04X", what, code);
	word.size = 1;
	while (is_letter(c) && word.size < 16 && lexer->at + word.size < lexer->text.size &&
	       is_letter(word.at[word.size]))
		word.size++;
	return bad(lexer, lexer->at, "expected %s, found '%.*s'", what, (int)word.size, word.at);
}

static void skip_blanks(struct lexer *lexer)
{
	while (lexer->at < lexer->text.size && memchr(" \t\r\n", lexer->text.at[lexer->at], 4))
		lexer->at++;
}

static void skip_digits(struct lexer *lexer)
{
	while (is_digit(peek(lexer)))
		lexer->at++;
}

static bool lex_hex4(struct lexer *lexer, size_t start, unsigned *unit)
{
	struct view digits = rest(lexer);
	uint64_t number;

	digits.size = digits.size < 4 ? digits.size : 4;
	/* view_u64 would also take 0x before the digits */
	if (digits.size < 4 || digits.at[1] == 'x' || digits.at[1] == 'X' ||
	    !view_u64(digits, 16, &number))
		return bad(lexer, start, "\\u needs four hexadecimal digits");
	*unit = (unsigned)number;
	lexer->at += 4;
	return true;
}

static bool lex_escape(struct lexer *lexer)
{
	size_t start = lexer->at++;
	int c = peek(lexer);
	unsigned unit = 0, low = 0;

	if (c < 0)
		return bad(lexer, start, "the file ends inside a text");
	if (c != 'u') {
		if (!strchr("\"\\/bfnrt", c) || c == '\0')
			return bad(lexer, start, "unknown escape; write \\\\ for a backslash");
		lexer->at++;
		return true;
	}
	lexer->at++;
	if (!lex_hex4(lexer, start, &unit))
		return false;
	if (unit == 0)
		return bad(lexer, start, "\\u0000 is not allowed in a text");
	if (unit < 0xd800 || unit > 0xdfff)
		return true;
	if (unit < 0xdc00 && view_starts(rest(lexer), "\\u")) {
		lexer->at += 2;
		if (!lex_hex4(lexer, lexer->at - 2, &low))
			return false;
	}
	if (low < 0xdc00 || low > 0xdfff)
		return bad(lexer, start, "\\u%04x is half of a surrogate pair", unit);
	return true;
}

static bool bad_control(struct lexer *lexer, unsigned c)
{
	if (c == '\n' || c == '\r')
		return bad(lexer, lexer->at,
			   "a line ends inside a text; close the quotes or write \\n");
	if (c == '\t')
		return bad(lexer, lexer->at, "a tab inside a text; write \\t");
	return bad(lexer, lexer->at, "control character 0x%02x inside a text", c);
}

static bool lex_text(struct lexer *lexer)
{
	size_t start = lexer->at++;
	uint32_t code;

	for (int c = peek(lexer); c >= 0; c = peek(lexer)) {
		size_t size = 1;

		if (c == '"') {
			lexer->at++;
			return true;
		}
		if (c < 0x20)
			return bad_control(lexer, (unsigned)c);
		if (c == '\\') {
			if (!lex_escape(lexer))
				return false;
			continue;
		}
		if (c >= 0x80)
			size = utf8_next(rest(lexer), &code);
		if (size == 0)
			return bad(lexer, lexer->at, "byte 0x%02x is not UTF-8", (unsigned)c);
		lexer->at += size;
	}
	return bad(lexer, start, "the text that begins here is not closed");
}

/* Integers must survive the way through a double; everything else must at least be finite. */
static bool number_fits(struct lexer *lexer, size_t start, bool integer)
{
	char copy[JSON_NUMBER_MAX + 1];
	size_t size = lexer->at - start;
	bool minus = lexer->text.at[start] == '-';
	uint64_t magnitude;

	if (size > JSON_NUMBER_MAX)
		return bad(lexer, start, "a number longer than %d characters", JSON_NUMBER_MAX);
	memcpy(copy, lexer->text.at + start, size);
	copy[size] = '\0';
	if (!integer)
		return isfinite(strtod(copy, NULL)) ||
		       bad(lexer, start, "a number too large for a double");
	if (view_u64(view_of(copy + minus), 10, &magnitude) && magnitude <= INTEGER_MAX)
		return true;
	return bad(lexer, start,
		   "an integer beyond 2^53, which JSON readers round; write it as text");
}

static bool lex_number(struct lexer *lexer)
{
	size_t start = lexer->at;
	bool integer = true;

	if (peek(lexer) == '-')
		lexer->at++;
	if (!is_digit(peek(lexer)))
		return bad(lexer, lexer->at, "a digit must follow the minus sign");
	if (peek(lexer) == '0' && lexer->at + 1 < lexer->text.size &&
	    is_digit(lexer->text.at[lexer->at + 1]))
		return bad(lexer, start, "a number must not begin with 0");
	skip_digits(lexer);
	if (peek(lexer) == '.') {
		lexer->at++;
		integer = false;
		if (!is_digit(peek(lexer)))
			return bad(lexer, lexer->at, "a digit must follow the decimal point");
		skip_digits(lexer);
	}
	if (peek(lexer) == 'e' || peek(lexer) == 'E') {
		lexer->at++;
		integer = false;
		if (peek(lexer) == '+' || peek(lexer) == '-')
			lexer->at++;
		if (!is_digit(peek(lexer)))
			return bad(lexer, lexer->at, "a digit must follow the exponent sign");
		skip_digits(lexer);
	}
	return number_fits(lexer, start, integer);
}

static bool lex_word(struct lexer *lexer)
{
	static const char *const words[] = {"true", "false", "null"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t size = strlen(words[i]);
		struct view here = rest(lexer);

		if (view_starts(here, words[i]) &&
		    (here.size == size || !is_letter(here.at[size]))) {
			lexer->at += size;
			return true;
		}
	}
	return expected(lexer, "a value");
}

static size_t mark_add(struct lexer *lexer, size_t offset, size_t parent)
{
	struct json_marks *marks = lexer->marks;

	if (marks->count == marks->room) {
		size_t room = marks->room ? 2 * marks->room : 64;
		struct json_mark *items = arena_array(lexer->arena, struct json_mark, room);

		if (marks->count)
			memcpy(items, marks->items, marks->count * sizeof(*items));
		marks->items = items;
		marks->room = room;
	}
	marks->items[marks->count] = (struct json_mark){(uint32_t)offset, (uint32_t)parent};
	return marks->count++;
}

static bool lex_value(struct lexer *lexer, size_t offset, size_t parent);

static bool lex_member(struct lexer *lexer, size_t self)
{
	size_t key = lexer->at;

	if (peek(lexer) != '"')
		return expected(lexer, "a key in double quotes");
	if (!lex_text(lexer))
		return false;
	skip_blanks(lexer);
	if (peek(lexer) != ':')
		return expected(lexer, "':' after the key");
	lexer->at++;
	skip_blanks(lexer);
	return lex_value(lexer, key, self);
}

/* An array or object; at is on its bracket. */
static bool lex_children(struct lexer *lexer, size_t self, int closing)
{
	const char *after = closing == ']' ? "',' or ']'" : "',' or '}'";

	if (++lexer->depth > JSON_DEPTH_MAX)
		return bad(lexer, lexer->at, "more than %d levels deep", JSON_DEPTH_MAX);
	lexer->at++;
	skip_blanks(lexer);
	while (peek(lexer) != closing) {
		if (closing == ']' ? !lex_value(lexer, lexer->at, self) : !lex_member(lexer, self))
			return false;
		skip_blanks(lexer);
		if (peek(lexer) == closing)
			break;
		if (peek(lexer) != ',')
			return expected(lexer, after);
		lexer->at++;
		skip_blanks(lexer);
		if (peek(lexer) == closing)
			return bad(lexer, lexer->at, "a comma before '%c'", closing);
	}
	lexer->at++;
	lexer->depth--;
	return true;
}

/* A value at the current place; `offset` is where its key begins. */
static bool lex_value(struct lexer *lexer, size_t offset, size_t parent)
{
	size_t self = mark_add(lexer, offset, parent);
	int c = peek(lexer);

	if (self == JSON_VALUES_MAX)
		return bad(lexer, offset, "more than %d values", JSON_VALUES_MAX);
	if (c == '"')
		return lex_text(lexer);
	if (c == '-' || is_digit(c))
		return lex_number(lexer);
	if (c == '[')
		return lex_children(lexer, self, ']');
	if (c == '{')
		return lex_children(lexer, self, '}');
	return lex_word(lexer);
}

bool json_lex(struct arena *arena, const char *name, struct view text, struct json_marks *marks,
	      struct error *err)
{
	struct lexer lexer = {
		.arena = arena, .name = name, .text = text, .marks = marks, .err = err};

	*marks = (struct json_marks){0};
	if (text.size > JSON_BYTES_MAX)
		return error_set(err, "%s: larger than %zu MiB", name, JSON_BYTES_MAX >> 20);
	if (view_starts(text, "\xef\xbb\xbf"))
		return bad(&lexer, 0,
			   "begins with a byte order mark; save it as UTF-8 without one");
	skip_blanks(&lexer);
	if (!lex_value(&lexer, lexer.at, 0))
		return false;
	skip_blanks(&lexer);
	return lexer.at == text.size || expected(&lexer, "the end of the file");
}
