// SPDX-License-Identifier: BSD-2-Clause
#include "bench/baseline.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "catalog/identity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const cJSON *object, const char *key)
{
	const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(found) ? found->valuestring : NULL;
}

/* "ampere-crypto/bench 1.2.0" -> 1 and 2. */
static bool read_version(const char *schema, uint64_t *major, uint64_t *minor)
{
	const char *blank = strrchr(schema, ' '), *dot = blank ? strchr(blank, '.') : NULL;
	const char *last = dot ? strchr(dot + 1, '.') : NULL;

	return last && view_u64((struct view){blank + 1, (size_t)(dot - blank - 1)}, 10, major) &&
	       view_u64((struct view){dot + 1, (size_t)(last - dot - 1)}, 10, minor);
}

static bool check_schema(const struct json *json, const char *wanted, struct error *err)
{
	const cJSON *at = cJSON_GetObjectItemCaseSensitive(json->top, "schema");
	const char *schema = text_of(json->top, "schema"), *blank = strrchr(wanted, ' ');
	uint64_t major = 0, minor = 0, our_major = 0, our_minor = 0;

	if (!schema)
		return json_error(json, at ? at : json->top, err,
				  "no result of ampere-crypto bench; --save writes one");
	if (strncmp(schema, wanted, (size_t)(blank - wanted) + 1) != 0 ||
	    !read_version(schema, &major, &minor))
		return json_error(json, at, err,
				  "\"%.80s\" is another document; --save of bench writes %.*s",
				  schema, (int)(blank - wanted), wanted);
	read_version(wanted, &our_major, &our_minor);
	if (major != our_major || minor > our_minor)
		return json_error(json, at, err,
				  "written in %.80s, this program reads %s; save a new baseline",
				  schema, wanted);
	return true;
}

static bool load_host(struct arena *arena, const struct json *json, const struct identity **out,
		      struct error *err)
{
	const cJSON *host = cJSON_GetObjectItemCaseSensitive(json->top, "host"), *cpus;
	struct identity *identity = arena_new(arena, struct identity);

	if (!cJSON_IsObject(host))
		return json_error(json, host ? host : json->top, err,
				  "it does not say which machine it is from");
	identity->arch = text_of(host, "arch");
	identity->family = text_of(host, "family");
	identity->sku = text_of(host, "sku");
	identity->virtualization.vm =
		text_of(cJSON_GetObjectItemCaseSensitive(host, "virtualization"), "vm");
	cpus = cJSON_GetObjectItemCaseSensitive(host, "cpus");
	if (cJSON_IsNumber(cpus) && cpus->valuedouble >= 0 && cpus->valuedouble <= 1e9)
		identity->cpus = (struct maybe_number){true, (int64_t)cpus->valuedouble};
	*out = identity;
	return true;
}

static int by_id(const void *one, const void *other)
{
	const struct bench_result *a = one, *b = other;

	return strcmp(a->id, b->id);
}

static bool load_results(struct arena *arena, const struct json *json, struct baseline *out,
			 struct error *err)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(json->top, "results");
	struct bench_result *results;
	size_t count = 0;

	if (!cJSON_IsArray(array))
		return json_error(json, array ? array : json->top, err, "it has no results");
	if (cJSON_GetArraySize(array) > BASELINE_RESULTS_MAX)
		return json_error(json, array, err, "more than %d results", BASELINE_RESULTS_MAX);
	results = arena_array(arena, struct bench_result, (size_t)cJSON_GetArraySize(array) + 1);
	for (const cJSON *item = array->child; item; item = item->next) {
		if (!fields_load(arena, json, item, &bench_result_table, &results[count++], err))
			return false;
	}
	qsort(results, count, sizeof(*results), by_id);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(results[i - 1].id, results[i].id) == 0)
			return json_error(json, array, err, "%.200s stands twice", results[i].id);
	}
	out->results = results;
	out->count = count;
	return true;
}

bool baseline_read(struct arena *arena, const char *path, struct view text, const char *schema,
		   struct baseline *out, struct error *err)
{
	struct baseline baseline = {.path = path};
	struct json json;

	if (!json_parse(arena, path, text, &json, err))
		return false;
	if (!cJSON_IsObject(json.top))
		return json_error(&json, json.top, err,
				  "no result of ampere-crypto bench; --save writes one");
	if (!check_schema(&json, schema, err) || !load_host(arena, &json, &baseline.host, err) ||
	    !load_results(arena, &json, &baseline, err))
		return false;
	*out = baseline;
	return true;
}

bool baseline_load(struct arena *arena, const char *path, const char *schema, struct baseline *out,
		   struct error *err)
{
	struct view text;

	return file_read(arena, path, JSON_BYTES_MAX, &text, err) &&
	       baseline_read(arena, path, text, schema, out, err);
}
