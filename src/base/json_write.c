// SPDX-License-Identifier: BSD-2-Clause
#include "base/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS                                                                                     \
	(sizeof(((struct json_writer *)0)->first) / sizeof(((struct json_writer *)0)->first[0]))

static const char *const short_escapes[0x80] = {
	['"'] = "\\\"", ['\\'] = "\\\\", ['\b'] = "\\b", ['\f'] = "\\f",
	['\n'] = "\\n", ['\r'] = "\\r",  ['\t'] = "\\t",
};

/* One character that cannot stand for itself: our reader refuses NUL, terminals obey controls. */
static void write_escaped(struct buffer *out, uint32_t code)
{
	if (code < 0x80 && short_escapes[code])
		buffer_text(out, short_escapes[code]);
	else if (code == 0)
		buffer_text(out, "\xef\xbf\xbd");
	else
		buffer_printf(out, "\\u%04x", code);
}

static void write_quoted(struct buffer *out, struct view text)
{
	const char *plain = text.at;

	buffer_char(out, '"');
	while (text.size) {
		uint32_t code = 0;
		size_t size = utf8_next(text, &code), step = size ? size : utf8_bad(text);

		if (size == 0 || utf8_is_control(code) || code == '"' || code == '\\') {
			buffer_add(out, plain, (size_t)(text.at - plain));
			write_escaped(out, code);
			plain = text.at + step;
		}
		text.at += step;
		text.size -= step;
	}
	buffer_add(out, plain, (size_t)(text.at - plain));
	buffer_char(out, '"');
}

static void write_line(struct json_writer *writer)
{
	buffer_char(writer->out, '\n');
	for (unsigned i = 0; i < writer->depth; i++)
		buffer_text(writer->out, "  ");
}

/* Everything that comes before a value: comma, line, key. */
static void begin_value(struct json_writer *writer, const char *key)
{
	unsigned depth = writer->depth;

	assert(depth > 0 ? writer->in_array[depth] == !key : !key && writer->first[0]);
	if (!writer->first[depth])
		buffer_char(writer->out, ',');
	writer->first[depth] = false;
	if (depth > 0)
		write_line(writer);
	if (key) {
		write_quoted(writer->out, view_of(key));
		buffer_text(writer->out, ": ");
	}
}

static void open_level(struct json_writer *writer, const char *key, bool in_array)
{
	begin_value(writer, key);
	buffer_char(writer->out, in_array ? '[' : '{');
	writer->depth++;
	assert(writer->depth < LEVELS);
	writer->first[writer->depth] = true;
	writer->in_array[writer->depth] = in_array;
}

void json_begin(struct json_writer *writer, struct buffer *out)
{
	*writer = (struct json_writer){.out = out, .first = {true}};
}

void json_object(struct json_writer *writer, const char *key)
{
	open_level(writer, key, false);
}

void json_array(struct json_writer *writer, const char *key)
{
	open_level(writer, key, true);
}

void json_close(struct json_writer *writer)
{
	bool empty = writer->first[writer->depth], in_array = writer->in_array[writer->depth];

	assert(writer->depth > 0);
	writer->depth--;
	if (!empty)
		write_line(writer);
	buffer_char(writer->out, in_array ? ']' : '}');
}

void json_view(struct json_writer *writer, const char *key, struct view text)
{
	begin_value(writer, key);
	write_quoted(writer->out, text);
}

void json_text(struct json_writer *writer, const char *key, const char *text)
{
	if (text)
		json_view(writer, key, view_of(text));
	else
		json_null(writer, key);
}

void json_number(struct json_writer *writer, const char *key, int64_t number)
{
	begin_value(writer, key);
	buffer_printf(writer->out, "%" PRId64, number);
}

/* The fewest digits that read back as the same number. */
void json_real(struct json_writer *writer, const char *key, double number)
{
	char text[40];

	if (!isfinite(number)) {
		json_null(writer, key);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	begin_value(writer, key);
	buffer_text(writer->out, text);
	/* 1e+17 has an exponent; 123 would read back as an integer, which is limited to 2^53 */
	if (fabs(number) > 9007199254740992.0 && !strpbrk(text, ".e"))
		buffer_text(writer->out, ".0");
}

void json_bool(struct json_writer *writer, const char *key, bool value)
{
	begin_value(writer, key);
	buffer_text(writer->out, value ? "true" : "false");
}

void json_null(struct json_writer *writer, const char *key)
{
	begin_value(writer, key);
	buffer_text(writer->out, "null");
}

/* A member keeps its own key unless another is given. */
void json_tree(struct json_writer *writer, const char *key, const cJSON *tree)
{
	if (cJSON_IsString(tree)) {
		json_text(writer, key, tree->valuestring);
	} else if (cJSON_IsNumber(tree)) {
		json_real(writer, key, tree->valuedouble);
	} else if (cJSON_IsBool(tree)) {
		json_bool(writer, key, cJSON_IsTrue(tree));
	} else if (cJSON_IsArray(tree) || cJSON_IsObject(tree)) {
		open_level(writer, key, cJSON_IsArray(tree));
		for (const cJSON *child = tree->child; child; child = child->next)
			json_tree(writer, child->string, child);
		json_close(writer);
	} else {
		json_null(writer, key);
	}
}

void json_end(struct json_writer *writer)
{
	while (writer->depth > 0)
		json_close(writer);
	if (writer->first[0])
		json_null(writer, NULL);
	buffer_char(writer->out, '\n');
}
