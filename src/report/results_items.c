// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "report/results_private.h"

#include <math.h>
#include <string.h>

static double real_of(const cJSON *object, const char *key)
{
	const cJSON *member = results_get(object, key);

	return cJSON_IsNumber(member) ? member->valuedouble : NAN;
}

static int64_t whole_of(const cJSON *object, const char *key)
{
	double number = real_of(object, key);

	return number >= 0 && number <= 9e15 ? (int64_t)number : 0;
}

/* "PATH: RAW" of the first piece, and how many more there are. */
static const char *evidence_of(const struct results_reading *reading, const cJSON *from)
{
	const cJSON *first = cJSON_GetArrayItem(results_get(from, "evidence"), 0);
	const char *path = results_text(reading, first, "path");
	const char *raw = results_text(reading, first, "raw");

	if (!path || !raw || !*raw)
		return path;
	return pool_text(reading->pool, arena_printf(reading->scratch, "%s: %s", path, raw));
}

/* "3200 MT/s"; a yes or no of what does not apply says nothing. */
static const char *found_of(const struct results_reading *reading, const cJSON *from)
{
	const cJSON *found = results_get(from, "found");
	const char *unit = results_text(reading, from, "unit");
	const char *outcome = results_text(reading, from, "outcome");

	if (!found || cJSON_IsNull(found) ||
	    (cJSON_IsBool(found) && outcome && strcmp(outcome, "na") == 0))
		return NULL;
	if (!unit || !cJSON_IsNumber(found))
		return results_words(reading, found);
	return pool_text(reading->pool, arena_printf(reading->scratch, "%s %s",
						     results_words(reading, found), unit));
}

static bool read_finding(const struct results_reading *reading, const cJSON *from,
			 struct result_item *item)
{
	*item = (struct result_item){.id = results_text(reading, from, "id"),
				     .title = results_text(reading, from, "title"),
				     .outcome = results_text(reading, from, "outcome"),
				     .severity = results_text(reading, from, "severity"),
				     .found = found_of(reading, from),
				     .wanted = results_text(reading, from, "wanted"),
				     .reason = results_text(reading, from, "reason"),
				     .why = results_text(reading, from, "why"),
				     .fix = results_text(reading, from, "fix"),
				     .undo = results_text(reading, from, "undo"),
				     .evidence = evidence_of(reading, from)};
	return item->id;
}

static const struct result_number *number_of(const struct results_reading *reading,
					     const cJSON *from)
{
	struct result_number *number = arena_new(reading->pool->arena, struct result_number);
	const cJSON *estimate = results_get(from, "estimate");
	const cJSON *reference = results_get(from, "reference");
	const cJSON *library = results_get(from, "library");
	const char *device = results_text(reading, from, "device");

	*number = (struct result_number){
		.suite = results_text(reading, from, "suite"),
		.name = results_text(reading, from, "case"),
		.place = device ? device : results_text(reading, from, "engine"),
		.unit = results_text(reading, estimate, "unit"),
		.value = real_of(estimate, "value"),
		.low = real_of(estimate, "low"),
		.high = real_of(estimate, "high"),
		.reference = real_of(reference, "value"),
		.limit_share = real_of(from, "limit_share"),
		.efficiency = real_of(from, "efficiency"),
		.reference_source = results_text(reading, reference, "source"),
		.comparable = results_text(reading, reference, "comparable"),
		.size_bytes = whole_of(from, "size_bytes"),
		.cores = whole_of(from, "cores"),
		.suite_version = whole_of(from, "suite_version"),
		.library = results_text(reading, library, "path"),
		.library_version = results_text(reading, library, "version"),
		.capability = results_text(reading, library, "capability"),
		.core_list = results_text(reading, from, "core_list"),
		.explain = results_words(reading, results_get(from, "explain")),
		.emulated = cJSON_IsTrue(results_get(from, "emulated")),
		.verified = cJSON_IsTrue(results_get(from, "verified")),
	};
	return number;
}

static bool read_measurement(const struct results_reading *reading, const cJSON *from,
			     struct result_item *item)
{
	*item = (struct result_item){.id = results_text(reading, from, "id"),
				     .title = results_text(reading, from, "case"),
				     .outcome = results_text(reading, from, "outcome"),
				     .reason = results_text(reading, from, "reason")};
	item->number = number_of(reading, from);
	return item->id;
}

static bool read_compiler(const struct results_reading *reading, const cJSON *from,
			  struct result_item *item)
{
	const char *name = results_text(reading, from, "name");

	if (!name)
		return false;
	item->id = pool_text(reading->pool, arena_printf(reading->scratch, "compiler.%s", name));
	results_flatten(reading, &item->members, "", from);
	return true;
}

/* What keeps a tree from being the same; a key that is the same has the same steps. */
static bool read_tree(const struct results_reading *reading, const cJSON *from,
		      struct result_item *item)
{
	static const char *const keys[] = {"version", "key", "sources", "depends", "system"};
	const char *name = results_text(reading, from, "name");
	const char *state = results_text(reading, from, "state");

	if (!name)
		return false;
	item->id = pool_text(reading->pool, arena_printf(reading->scratch, "tree.%s", name));
	item->title = results_text(reading, from, "version");
	item->outcome = state && strcmp(state, "failed") == 0 ? "fail" : "pass";
	item->found = state && strcmp(state, "failed") == 0    ? "failed"
		      : state && strcmp(state, "planned") == 0 ? "planned"
							       : "built";
	item->why = results_text(reading, from, "why");
	item->evidence = results_text(reading, from, "log");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		results_add_member(reading, &item->members, keys[i], results_get(from, keys[i]));
	return true;
}

/* A setting that tune made, or would make. */
static bool read_setting(const struct results_reading *reading, const cJSON *from,
			 struct result_item *item)
{
	static const struct {
		const char *state, *outcome;
	} rows[] = {
		{"applied", "pass"},     {"restored", "pass"}, {"kept", "pass"},
		{"planned", "unknown"},  {"partly", "fail"},   {"refused", "fail"},
		{"rolled-back", "fail"}, {"foreign", "fail"},
	};
	const char *state = results_text(reading, from, "state");
	const cJSON *got = results_get(from, "got");

	item->id = results_text(reading, from, "id");
	item->title = results_text(reading, from, "check");
	item->wanted = results_text(reading, from, "wanted");
	item->reason = results_text(reading, from, "reason");
	item->evidence = results_text(reading, from, "path");
	item->outcome = state;
	for (size_t i = 0; state && i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].state, state) == 0)
			item->outcome = rows[i].outcome;
	}
	item->found = state;
	if (state && cJSON_IsString(got))
		item->found = pool_text(reading->pool, arena_printf(reading->scratch, "%s, %s",
								    state, got->valuestring));
	return item->id;
}

const struct results_kind results_kinds[] = {
	{"audit", read_finding}, {"bench", read_measurement}, {"detect", read_compiler},
	{"setup", read_tree},    {"tune", read_setting},
};

const size_t results_kind_count = sizeof(results_kinds) / sizeof(results_kinds[0]);
