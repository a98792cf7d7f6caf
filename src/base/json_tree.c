// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/json_lexer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The text passed the lexer, so nothing is checked again: every value ends, every escape is known,
 * and numbers have at most JSON_NUMBER_MAX characters. */
struct builder {
	struct arena *arena;
	const char *at, *end; /* of the text */
	const struct json_mark *marks;
	struct json_node *nodes;
	size_t next;
};

static void skip_blanks(struct builder *builder)
{
	while (*builder->at == ' ' || *builder->at == '\n' || *builder->at == '\t' ||
	       *builder->at == '\r')
		builder->at++;
}

static unsigned hex4(const char *digits)
{
	uint64_t unit = 0;

	view_u64((struct view){digits, 4}, 16, &unit);
	return (unsigned)unit;
}

/* UTF-8 (RFC 3629, section 3); how many bytes. */
static size_t encode(uint32_t code, char *out)
{
	static const struct {
		uint32_t below;
		unsigned char lead;
	} rows[] = {{0x80, 0}, {0x800, 0xc0}, {0x10000, 0xe0}, {0x110000, 0xf0}};
	size_t more = 0;

	while (code >= rows[more].below)
		more++;
	for (size_t i = more; i > 0; i--, code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)(rows[more].lead | code);
	return more + 1;
}

/* What stands behind a backslash; *at is moved to what follows. */
static size_t unescape(const char **at, char *out)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	unsigned unit, low;

	if (**at != 'u') {
		*out = meant[strchr(letters, *(*at)++) - letters];
		return 1;
	}
	unit = hex4(*at + 1);
	*at += 5;
	if (unit < 0xd800 || unit > 0xdfff)
		return encode(unit, out);
	low = hex4(*at + 2);
	*at += 6;
	return encode(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), out);
}

static char *build_text(struct builder *builder)
{
	const char *start = ++builder->at, *end = start;
	size_t size = 0;
	char *text;

	while (*end != '"')
		end += *end == '\\' ? 2 : 1;
	builder->at = end + 1;
	if (!memchr(start, '\\', (size_t)(end - start)))
		return arena_copy(builder->arena, start, (size_t)(end - start));
	/* No escape means more bytes than it has. */
	text = arena_alloc(builder->arena, (size_t)(end - start) + 1);
	while (start < end) {
		if (*start != '\\') {
			text[size++] = *start++;
			continue;
		}
		start++;
		size += unescape(&start, text + size);
	}
	return text;
}

/* As libcjson does it: the integer is cut to what an int holds. */
static void build_number(struct builder *builder, cJSON *item)
{
	char copy[JSON_NUMBER_MAX + 1];
	size_t size = 0;

	while (builder->at < builder->end && memchr("+-.0123456789eE", *builder->at, 15))
		copy[size++] = *builder->at++;
	copy[size] = '\0';
	item->type = cJSON_Number;
	item->valuedouble = strtod(copy, NULL);
	item->valueint = item->valuedouble >= INT_MAX   ? INT_MAX
			 : item->valuedouble <= INT_MIN ? INT_MIN
							: (int)item->valuedouble;
}

static cJSON *build_value(struct builder *builder);

/* In an object the key stands before each value. */
static void build_children(struct builder *builder, cJSON *item, char closing)
{
	cJSON *last = NULL;

	item->type = closing == ']' ? cJSON_Array : cJSON_Object;
	builder->at++;
	for (skip_blanks(builder); *builder->at != closing; skip_blanks(builder)) {
		char *key = NULL;
		cJSON *child;

		if (*builder->at == ',') {
			builder->at++;
			continue;
		}
		if (closing == '}') {
			key = build_text(builder);
			skip_blanks(builder);
			builder->at++;
			skip_blanks(builder);
		}
		child = build_value(builder);
		child->string = key;
		child->prev = last;
		if (last)
			last->next = child;
		else
			item->child = child;
		last = child;
	}
	builder->at++;
	/* The first knows the last, as in libcjson. */
	if (last)
		item->child->prev = last;
}

static void build_word(struct builder *builder, cJSON *item)
{
	item->type = *builder->at == 't'   ? cJSON_True
		     : *builder->at == 'f' ? cJSON_False
					   : cJSON_NULL;
	item->valueint = item->type == cJSON_True;
	builder->at += item->type == cJSON_False ? strlen("false") : strlen("true");
}

static cJSON *build_value(struct builder *builder)
{
	struct json_node *node = &builder->nodes[builder->next];
	cJSON *item = &node->item;

	node->mark = builder->marks[builder->next++];
	switch (*builder->at) {
	case '"':
		item->type = cJSON_String;
		item->valuestring = build_text(builder);
		break;
	case '[':
		build_children(builder, item, ']');
		break;
	case '{':
		build_children(builder, item, '}');
		break;
	case 't':
	case 'f':
	case 'n':
		build_word(builder, item);
		break;
	default:
		build_number(builder, item);
	}
	return item;
}

struct json_node *json_build(struct arena *arena, struct view text, const struct json_marks *marks)
{
	struct builder builder = {.arena = arena,
				  .at = text.at,
				  .end = text.at + text.size,
				  .marks = marks->items,
				  .nodes = arena_array(arena, struct json_node, marks->count)};

	skip_blanks(&builder);
	build_value(&builder);
	return builder.nodes;
}
