// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/fields.h"

#include <inttypes.h>
#include <math.h>
#include <regex.h>
#include <string.h>

#define TEXT_MAX ((size_t)64 << 10)
#define PATTERN_TEXT_MAX 4096
#define INTEGER_MAX 9007199254740992.0

/* One run of fields_load(). */
struct loading {
	struct arena *arena;
	const struct json *json;
	struct error *err;
};

/* Expressions are compiled once for all that is loaded into an arena: that, and what the C library
 * learns of an expression while it matches, is most of what loading a format costs. */
struct expression {
	struct expression *next;
	const char *pattern;
	regex_t compiled;
};

struct expressions {
	struct expression *first;
};

static bool load_table(struct loading *loading, const cJSON *from, const struct field_table *table,
		       char *into);

static const char *kind_of(const cJSON *from)
{
	if (cJSON_IsString(from))
		return "text";
	if (cJSON_IsNumber(from))
		return "a number";
	if (cJSON_IsBool(from))
		return "true or false";
	if (cJSON_IsArray(from))
		return "an array";
	return cJSON_IsObject(from) ? "an object" : "null";
}

static bool wrong_kind(struct loading *loading, const cJSON *from, const char *wanted)
{
	return json_error(loading->json, from, loading->err, "must be %s, not %s", wanted,
			  kind_of(from));
}

static void free_expressions(void *kept)
{
	const struct expressions *all = kept;

	for (struct expression *one = all->first; one; one = one->next)
		regfree(&one->compiled);
}

static const regex_t *expression_of(struct arena *arena, const char *pattern)
{
	struct expressions *all = arena_keep(arena, sizeof(*all), free_expressions);
	struct expression *expression;

	for (expression = all->first; expression; expression = expression->next)
		if (strcmp(expression->pattern, pattern) == 0)
			return &expression->compiled;
	expression = arena_new(arena, struct expression);
	if (regcomp(&expression->compiled, pattern, REG_EXTENDED | REG_NOSUB))
		return NULL;
	expression->pattern = pattern;
	expression->next = all->first;
	all->first = expression;
	return &expression->compiled;
}

static bool check_text(struct loading *loading, const cJSON *from, const struct field *field)
{
	const regex_t *expression;

	if (!cJSON_IsString(from))
		return wrong_kind(loading, from, "text");
	if (strlen(from->valuestring) > TEXT_MAX)
		return json_error(loading->json, from, loading->err, "longer than %zu KiB",
				  TEXT_MAX >> 10);
	if (!field->pattern)
		return true;
	expression = expression_of(loading->arena, field->pattern);
	if (!expression)
		return json_error(loading->json, from, loading->err,
				  "the pattern %s of its format is wrong", field->pattern);
	if (strlen(from->valuestring) > PATTERN_TEXT_MAX ||
	    regexec(expression, from->valuestring, 0, NULL, 0) != 0)
		return json_error(loading->json, from, loading->err, "\"%.80s\" does not match %s",
				  from->valuestring, field->pattern);
	return true;
}

static bool load_text(struct loading *loading, const cJSON *from, const struct field *field,
		      void *member)
{
	if (!check_text(loading, from, field))
		return false;
	*(const char **)member = from->valuestring;
	return true;
}

static bool load_enum(struct loading *loading, const cJSON *from, const struct field *field,
		      void *member)
{
	struct names names = {0};
	const char *nearest;

	if (!cJSON_IsString(from))
		return wrong_kind(loading, from, "text");
	for (size_t i = 0; field->names[i]; i++) {
		if (strcmp(field->names[i], from->valuestring) == 0) {
			*(const char **)member = field->names[i];
			return true;
		}
		names_add(loading->arena, &names, field->names[i]);
	}
	nearest = text_nearest(from->valuestring, names.items, names.count);
	if (nearest)
		return json_error(loading->json, from, loading->err,
				  "\"%.80s\" is not known; did you mean \"%s\"?", from->valuestring,
				  nearest);
	return json_error(loading->json, from, loading->err, "\"%.80s\" is not one of %s",
			  from->valuestring, names_join(loading->arena, &names, ", "));
}

static bool load_bool(struct loading *loading, const cJSON *from, const struct field *field,
		      void *member)
{
	(void)field;
	if (!cJSON_IsBool(from))
		return wrong_kind(loading, from, "true or false");
	*(bool *)member = cJSON_IsTrue(from);
	return true;
}

static bool check_number(struct loading *loading, const cJSON *from, const struct field *field)
{
	double number = from->valuedouble;

	if (!cJSON_IsNumber(from))
		return wrong_kind(loading, from, "a number");
	if (number != trunc(number) || fabs(number) > INTEGER_MAX)
		return json_error(loading->json, from, loading->err, "must be a whole number");
	if (field->maximum > field->minimum &&
	    ((int64_t)number < field->minimum || (int64_t)number > field->maximum))
		return json_error(loading->json, from, loading->err,
				  "must be from %" PRId64 " to %" PRId64 ", not %" PRId64,
				  field->minimum, field->maximum, (int64_t)number);
	return true;
}

static bool load_number(struct loading *loading, const cJSON *from, const struct field *field,
			void *member)
{
	if (!check_number(loading, from, field))
		return false;
	*(int64_t *)member = (int64_t)from->valuedouble;
	return true;
}

static bool load_maybe(struct loading *loading, const cJSON *from, const struct field *field,
		       void *member)
{
	struct maybe_number maybe = {0};

	if (!cJSON_IsNull(from)) {
		if (!check_number(loading, from, field))
			return false;
		maybe = (struct maybe_number){.known = true, .number = (int64_t)from->valuedouble};
	}
	*(struct maybe_number *)member = maybe;
	return true;
}

static bool load_real(struct loading *loading, const cJSON *from, const struct field *field,
		      void *member)
{
	double number = cJSON_IsNull(from) ? NAN : from->valuedouble;

	if (!cJSON_IsNumber(from) && !(cJSON_IsNull(from) && field->nullable))
		return wrong_kind(loading, from, "a number");
	if (field->maximum > field->minimum &&
	    (number < (double)field->minimum || number > (double)field->maximum))
		return json_error(loading->json, from, loading->err,
				  "must be from %" PRId64 " to %" PRId64, field->minimum,
				  field->maximum);
	*(double *)member = number;
	return true;
}

static bool load_numbers(struct loading *loading, const cJSON *from, const struct field *field,
			 void *member)
{
	struct numbers numbers = {0};

	if (!cJSON_IsArray(from))
		return wrong_kind(loading, from, "an array of whole numbers");
	numbers.items = arena_array(loading->arena, int64_t, (size_t)cJSON_GetArraySize(from));
	for (const cJSON *item = from->child; item; item = item->next) {
		if (!check_number(loading, item, field))
			return false;
		numbers.items[numbers.count++] = (int64_t)item->valuedouble;
	}
	*(struct numbers *)member = numbers;
	return true;
}

/* The order of the file is kept: it is the author's. */
static bool load_texts(struct loading *loading, const cJSON *from, const struct field *field,
		       void *member)
{
	struct names names = {0};

	if (!cJSON_IsArray(from))
		return wrong_kind(loading, from, "an array of text");
	for (const cJSON *item = from->child; item; item = item->next) {
		if (!check_text(loading, item, field))
			return false;
		names_add(loading->arena, &names, item->valuestring);
	}
	*(struct names *)member = names;
	return true;
}

static bool load_inside(struct loading *loading, const cJSON *from, const struct field *field,
			void *member)
{
	return load_table(loading, from, field->table, member);
}

static bool load_object(struct loading *loading, const cJSON *from, const struct field *field,
			void *member)
{
	char *object = arena_alloc(loading->arena, field->table->size);

	if (!load_table(loading, from, field->table, object))
		return false;
	*(void **)member = object;
	return true;
}

static bool load_array(struct loading *loading, const cJSON *from, const struct field *field,
		       void *member)
{
	size_t count = 0, size = field->table->size;
	char *items;

	if (!cJSON_IsArray(from))
		return wrong_kind(loading, from, "an array of objects");
	items = arena_alloc_array(loading->arena, (size_t)cJSON_GetArraySize(from), size);
	for (const cJSON *item = from->child; item; item = item->next, count++)
		if (!load_table(loading, item, field->table, items + count * size))
			return false;
	*(struct field_array *)member = (struct field_array){items, count};
	return true;
}

static bool load_custom(struct loading *loading, const cJSON *from, const struct field *field,
			void *member)
{
	return field->load(loading->arena, loading->json, from, member, loading->err);
}

static bool (*const loaders[])(struct loading *, const cJSON *, const struct field *, void *) = {
	[FIELD_TEXT] = load_text,       [FIELD_ENUM] = load_enum,   [FIELD_BOOL] = load_bool,
	[FIELD_NUMBER] = load_number,   [FIELD_MAYBE] = load_maybe, [FIELD_REAL] = load_real,
	[FIELD_NUMBERS] = load_numbers, [FIELD_TEXTS] = load_texts, [FIELD_OBJECT] = load_object,
	[FIELD_INSIDE] = load_inside,   [FIELD_ARRAY] = load_array, [FIELD_CUSTOM] = load_custom,
};
_Static_assert(sizeof(loaders) / sizeof(loaders[0]) == FIELD_CUSTOM + 1,
	       "one loader per kind of field");

static const struct field *find_field(const struct field_table *table, const char *key)
{
	for (size_t i = 0; i < table->count; i++)
		if (strcmp(table->fields[i].key, key) == 0)
			return &table->fields[i];
	return NULL;
}

static bool unknown_key(struct loading *loading, const cJSON *member,
			const struct field_table *table)
{
	struct names keys = {0};
	const char *nearest;

	for (size_t i = 0; i < table->count; i++)
		names_add(loading->arena, &keys, table->fields[i].key);
	nearest = text_nearest(member->string, keys.items, keys.count);
	if (nearest)
		return json_error(loading->json, member, loading->err,
				  "unknown key; did you mean \"%s\"?", nearest);
	return json_error(loading->json, member, loading->err, "unknown key; known here: %s",
			  names_join(loading->arena, &keys, ", "));
}

static bool load_table(struct loading *loading, const cJSON *from, const struct field_table *table,
		       char *into)
{
	if (!cJSON_IsObject(from))
		return wrong_kind(loading, from, "an object");
	for (const cJSON *member = from->child; member; member = member->next) {
		const struct field *field = find_field(table, member->string);

		if (!field)
			return unknown_key(loading, member, table);
		if (cJSON_IsNull(member) && field->nullable && field->kind != FIELD_REAL)
			continue;
		if (!loaders[field->kind](loading, member, field, into + field->offset))
			return false;
	}
	for (size_t i = 0; i < table->count; i++)
		if (table->fields[i].required &&
		    !cJSON_GetObjectItemCaseSensitive(from, table->fields[i].key))
			return json_error(loading->json, from, loading->err,
					  "required key \"%s\" is missing", table->fields[i].key);
	return true;
}

bool fields_load(struct arena *arena, const struct json *json, const cJSON *from,
		 const struct field_table *table, void *into, struct error *err)
{
	struct loading loading = {.arena = arena, .json = json, .err = err};
	char *loaded = arena_alloc(arena, table->size);
	bool done;

	memcpy(loaded, into, table->size);
	done = load_table(&loading, from, table, loaded);
	if (done)
		memcpy(into, loaded, table->size);
	return done;
}
