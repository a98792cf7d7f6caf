// SPDX-License-Identifier: BSD-2-Clause
#include "base/json.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/json_lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct json_places {
	struct view text;
	struct json_node *nodes;
	size_t count;
};

static int by_key_then_place(const void *a, const void *b)
{
	const cJSON *const *left = a, *const *right = b;
	int order = strcmp((*left)->string, (*right)->string);

	return order ? order : (*left > *right) - (*left < *right);
}

/* The first member of an object whose key stood there before, or NULL. */
static const cJSON *repeated_member(struct arena *arena, const cJSON *object)
{
	const cJSON **sorted, *found = NULL;
	size_t count = (size_t)cJSON_GetArraySize(object), i = 0;

	if (count < 2)
		return NULL;
	sorted = arena_array(arena, const cJSON *, count);
	for (const cJSON *child = object->child; child; child = child->next)
		sorted[i++] = child;
	qsort(sorted, count, sizeof(*sorted), by_key_then_place);
	for (i = 1; i < count; i++)
		if (strcmp(sorted[i - 1]->string, sorted[i]->string) == 0 &&
		    (!found || sorted[i] < found))
			found = sorted[i];
	return found;
}

static bool keys_unique(struct arena *arena, const struct json *json, struct error *err)
{
	for (size_t i = 0; i < json->places->count; i++) {
		const cJSON *item = &json->places->nodes[i].item;
		const cJSON *repeated = cJSON_IsObject(item) ? repeated_member(arena, item) : NULL;

		if (repeated)
			return json_error(json, repeated, err,
					  "the key stands twice in one object");
	}
	return true;
}

bool json_parse(struct arena *arena, const char *name, struct view text, struct json *json,
		struct error *err)
{
	struct json_marks marks;
	struct json_places *places;
	struct json parsed;

	if (!json_lex(arena, name, text, &marks, err))
		return false;
	places = arena_new(arena, struct json_places);
	places->text = text;
	places->count = marks.count;
	places->nodes = json_build(arena, text, &marks);
	parsed = (struct json){
		.name = arena_strdup(arena, name), .top = &places->nodes[0].item, .places = places};
	if (!keys_unique(arena, &parsed, err))
		return false;
	*json = parsed;
	return true;
}

/* "KEY: " of a member, "KEY[3]: " of an array's item, "" at the top. */
static void describe_place(const struct json_places *places, size_t index, char *out, size_t size)
{
	const struct json_node *node = &places->nodes[index];
	size_t steps = 0;
	char items[160] = "";

	/* from the innermost array outwards, until something has a key */
	while (!node->item.string && index != 0) {
		const cJSON *first = places->nodes[node->mark.parent].item.child;
		char inner[160];
		size_t position = 0;

		for (const cJSON *item = first; item != &node->item; item = item->next)
			position++;
		snprintf(inner, sizeof(inner), "[%zu]%.120s", position, items);
		memcpy(items, inner, sizeof(items));
		index = node->mark.parent;
		node = &places->nodes[index];
		steps++;
	}
	if (node->item.string)
		snprintf(out, size, "%.100s%s: ", node->item.string, items);
	else
		snprintf(out, size, "%s%s", items, steps ? ": " : "");
}

/* Keys come from files and messages go to terminals. */
static void hide_controls(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = '?';
}

bool json_error(const struct json *json, const cJSON *at, struct error *err, const char *format,
		...)
{
	const struct json_places *places = json->places;
	char place[300] = "", message[800];
	size_t index = 0, offset;
	va_list args;

	while (index < places->count && &places->nodes[index].item != at)
		index++;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	if (index == places->count)
		return error_set(err, "%s: %s", json->name, message);
	describe_place(places, index, place, sizeof(place));
	hide_controls(place);
	hide_controls(message);
	offset = places->nodes[index].mark.offset;
	return json_error_at(json->name, places->text, offset, err, "%s%s", place, message);
}
