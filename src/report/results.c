// SPDX-License-Identifier: BSD-2-Clause
#include "report/results.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "report/results_private.h"

#include <inttypes.h>
#include <string.h>

#define WORDS_MAX_BYTES ((size_t)1 << 20)
#define MEMBERS_MAX 256
#define PATH_MAX_BYTES ((size_t)4096)

const cJSON *results_get(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *results_text(const struct results_reading *reading, const cJSON *object,
			 const char *key)
{
	const cJSON *member = results_get(object, key);

	return cJSON_IsString(member) ? pool_text(reading->pool, member->valuestring) : NULL;
}

static void add_words(struct buffer *out, const cJSON *value)
{
	const char *separator = "";

	if (cJSON_IsString(value))
		buffer_text(out, value->valuestring);
	else if (cJSON_IsNumber(value))
		buffer_printf(out, "%.15g", value->valuedouble);
	else if (cJSON_IsBool(value))
		buffer_text(out, cJSON_IsTrue(value) ? "yes" : "no");
	else if (!value || cJSON_IsNull(value))
		buffer_text(out, RESULTS_UNKNOWN);
	for (const cJSON *item = value ? value->child : NULL; item; item = item->next) {
		buffer_text(out, separator);
		if (item->string)
			buffer_printf(out, "%s ", item->string);
		add_words(out, item);
		separator = ", ";
	}
}

const char *results_words(const struct results_reading *reading, const cJSON *value)
{
	struct buffer out = buffer_new(reading->scratch, WORDS_MAX_BYTES);

	add_words(&out, value);
	return pool_text(reading->pool, buffer_string(&out));
}

void results_add_member(const struct results_reading *reading, struct result_members *members,
			const char *path, const cJSON *value)
{
	if (members->count == members->room) {
		size_t room = members->room ? members->room * 2 : 8;
		struct result_member *grown =
			arena_array(reading->pool->arena, struct result_member, room);

		if (members->count)
			memcpy(grown, members->items, members->count * sizeof(*grown));
		members->items = grown;
		members->room = room;
	}
	members->items[members->count++] = (struct result_member){pool_text(reading->pool, path),
								  results_words(reading, value)};
}

/* What this program writes has a few dozen members; a larger one is compared as a whole. */
void results_flatten(const struct results_reading *reading, struct result_members *members,
		     const char *path, const cJSON *value)
{
	if (!cJSON_IsObject(value) || !value->child || cJSON_GetArraySize(value) > MEMBERS_MAX ||
	    strlen(path) > PATH_MAX_BYTES) {
		results_add_member(reading, members, path, value);
		return;
	}
	for (const cJSON *member = value->child; member; member = member->next)
		results_flatten(
			reading, members,
			*path ? arena_printf(reading->scratch, "%s.%s", path, member->string)
			      : member->string,
			member);
}

const char *results_member(const struct result_members *members, const char *path)
{
	for (size_t i = 0; i < members->count; i++) {
		if (strcmp(members->items[i].path, path) == 0)
			return strcmp(members->items[i].words, RESULTS_UNKNOWN) == 0
				       ? NULL
				       : members->items[i].words;
	}
	return NULL;
}

const char *results_case(struct arena *arena, const struct result_number *number)
{
	const char *size = number->size_bytes > 0
				   ? arena_printf(arena, ", %" PRId64 " bytes", number->size_bytes)
				   : "";

	return arena_printf(arena, "%s, %s%s, %" PRId64 " %s", number->name ? number->name : "",
			    number->place ? number->place : "", size, number->cores,
			    number->cores == 1 ? "core" : "cores");
}

/* The role of an audit stands on its command line alone. */
static const char *role_of(const struct results_reading *reading, const cJSON *top)
{
	const cJSON *argv = results_get(top, "argv"), *word;

	cJSON_ArrayForEach (word, argv) {
		const char *text = cJSON_IsString(word) ? word->valuestring : "";

		if (strncmp(text, "--role=", 7) == 0)
			return pool_text(reading->pool, text + 7);
		if (strcmp(text, "--role") == 0 && cJSON_IsString(word->next))
			return pool_text(reading->pool, word->next->valuestring);
	}
	return NULL;
}

static const struct results_kind *kind_of(struct arena *arena, const char *schema)
{
	for (size_t i = 0; i < results_kind_count; i++) {
		if (view_starts(view_of(schema), arena_printf(arena, "ampere-crypto/%s 1.",
							      results_kinds[i].command)))
			return &results_kinds[i];
	}
	return NULL;
}

static bool find_kind(const struct json *json, struct arena *scratch,
		      const struct results_kind **out, struct error *err)
{
	const cJSON *schema = results_get(json->top, "schema");

	if (!cJSON_IsString(schema))
		return error_set(err,
				 "%s: has no \"schema\"; what audit, bench, detect, setup or tune "
				 "wrote with --json is wanted",
				 json->name);
	*out = kind_of(scratch, schema->valuestring);
	return *out ||
	       error_set(err,
			 "%s: is '%.80s'; a result of audit, bench, detect, setup or tune in "
			 "format 1 is wanted",
			 json->name, schema->valuestring);
}

/* Of setup: what the trees are built with. */
static void read_summary(const struct results_reading *reading, const cJSON *top,
			 struct results *out)
{
	static const char *const keys[] = {"kind", "version", "triplet", "flags", "wanted"};
	const cJSON *summary = results_get(top, "summary");

	for (size_t i = 0; strcmp(out->command, "setup") == 0 && cJSON_IsObject(summary) &&
			   i < sizeof(keys) / sizeof(keys[0]);
	     i++)
		results_add_member(reading, &out->also,
				   arena_printf(reading->scratch, "compiler.%s", keys[i]),
				   results_get(summary, keys[i]));
}

static void read_items(const struct results_reading *reading, const struct results_kind *kind,
		       const cJSON *from, struct results *out)
{
	const cJSON *result;

	out->items = arena_array(reading->pool->arena, struct result_item,
				 (size_t)cJSON_GetArraySize(from));
	cJSON_ArrayForEach (result, from) {
		struct result_item *item = &out->items[out->count];

		*item = (struct result_item){0};
		if (cJSON_IsObject(result) && kind->read(reading, result, item))
			out->count++;
	}
}

/* A run that could not do its work has no results: nothing that failed, and nothing that passed. */
static const char *trouble_of(const struct results_reading *reading, const cJSON *top,
			      const struct results *results)
{
	static const int64_t done[] = {EXIT_OK, EXIT_FINDINGS, EXIT_UNKNOWN_ONLY, EXIT_SKIPPED};
	const cJSON *message;

	if (results->count)
		return NULL;
	for (size_t i = 0; i < sizeof(done) / sizeof(done[0]); i++) {
		if (results->exit_code == done[i])
			return NULL;
	}
	cJSON_ArrayForEach (message, results_get(top, "messages")) {
		const char *level = results_text(reading, message, "level");

		if (level && strcmp(level, "error") == 0)
			return results_text(reading, message, "text");
	}
	return "no reason is given";
}

bool results_read(struct arena *scratch, struct pool *pool, const char *name, struct view text,
		  struct results *out, struct error *err)
{
	const struct results_reading reading = {scratch, pool};
	const struct results_kind *kind = NULL;
	const cJSON *list, *exit_code, *host;
	struct results results = {.name = pool_text(pool, name)};
	struct json json;

	if (!json_parse(scratch, name, text, &json, err) || !find_kind(&json, scratch, &kind, err))
		return false;
	list = results_get(json.top, "results");
	if (!cJSON_IsArray(list))
		return error_set(err, "%s: \"results\" is not a list", name);
	if (cJSON_GetArraySize(list) > RESULTS_MAX)
		return error_set(err, "%s: more than %d results", name, RESULTS_MAX);
	results.command = kind->command;
	results.schema = results_text(&reading, json.top, "schema");
	results.started = results_text(&reading, json.top, "started");
	results.role = role_of(&reading, json.top);
	exit_code = results_get(json.top, "exit_code");
	if (cJSON_IsNumber(exit_code) && exit_code->valuedouble >= 0 &&
	    exit_code->valuedouble <= 255)
		results.exit_code = (int64_t)exit_code->valuedouble;
	host = results_get(json.top, "host");
	if (cJSON_IsObject(host))
		results_flatten(&reading, &results.host, "", host);
	read_summary(&reading, json.top, &results);
	read_items(&reading, kind, list, &results);
	results.trouble = trouble_of(&reading, json.top, &results);
	if (pool->full)
		return error_set(err,
				 "%s: with it the results hold more than %zu MiB of text, give "
				 "fewer files",
				 name, pool->max_bytes >> 20);
	*out = results;
	return true;
}
