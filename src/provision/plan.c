// SPDX-License-Identifier: BSD-2-Clause
#include "provision/plan.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PLAN_BYTES_MAX ((size_t)1 << 20)

bool provision_plan_has(const struct provision_plan *plan, enum provision_stage stage)
{
	switch (stage) {
	case STAGE_SETUP:
		return plan->setup;
	case STAGE_AUDIT:
		return plan->audit;
	case STAGE_BENCH:
		return plan->bench;
	default:
		break;
	}
	for (size_t i = 0; i < plan->outputs.count; i++) {
		if (strcmp(plan->outputs.items[i].of, provision_stages[stage]) == 0)
			return true;
	}
	return false;
}

const cJSON *provision_plan_at(const struct json *json, const char *stage, const char *key,
			       size_t index)
{
	const cJSON *at = stage ? cJSON_GetObjectItemCaseSensitive(json->top, stage) : json->top;

	at = at ? cJSON_GetObjectItemCaseSensitive(at, key) : NULL;
	return cJSON_IsArray(at) ? cJSON_GetArrayItem(at, (int)index) : at;
}

/* Of a path in the plan: what stands beside the plan is found wherever the program is started. */
static const char *resolve(struct arena *arena, const char *directory, const char *path)
{
	return path && path[0] != '/' ? arena_printf(arena, "%s/%s", directory, path) : path;
}

static void resolve_all(struct arena *arena, const char *directory, struct names *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		if (!strstr(paths->items[i], "://"))
			paths->items[i] = resolve(arena, directory, paths->items[i]);
	}
}

/* A suite with a slash is a path, as for bench. */
static void resolve_suites(struct arena *arena, const char *directory, struct names *suites)
{
	for (size_t i = 0; i < suites->count; i++) {
		if (strchr(suites->items[i], '/'))
			suites->items[i] = resolve(arena, directory, suites->items[i]);
	}
}

static void resolve_paths(struct arena *arena, const char *directory, struct provision_plan *plan)
{
	plan->prefix = resolve(arena, directory, plan->prefix);
	plan->state = resolve(arena, directory, plan->state);
	if (plan->setup) {
		plan->setup->pack = resolve(arena, directory, plan->setup->pack);
		plan->setup->sysroot = resolve(arena, directory, plan->setup->sysroot);
		plan->setup->own_recipes = resolve(arena, directory, plan->setup->own_recipes);
		resolve_all(arena, directory, &plan->setup->mirrors);
	}
	if (plan->audit)
		plan->audit->waivers = resolve(arena, directory, plan->audit->waivers);
	if (plan->bench) {
		plan->bench->baseline = resolve(arena, directory, plan->bench->baseline);
		resolve_suites(arena, directory, &plan->bench->suites);
	}
	for (size_t i = 0; i < plan->outputs.count; i++)
		plan->outputs.items[i].path =
			resolve(arena, directory, plan->outputs.items[i].path);
}

/* What goes with a pack, which holds trees that are built. */
static bool check_pack(const struct provision_plan *plan, const struct json *json,
		       struct error *err)
{
	static const char *const others[] = {
		"recipes",        "versions",          "without",      "allow",
		"accept-digests", "mirrors",           "offline",      "jobs",
		"sysroot",        "recipes-directory", "build-as-root"};

	for (size_t i = 0;
	     plan->setup && plan->setup->pack && i < sizeof(others) / sizeof(others[0]); i++) {
		const cJSON *at = cJSON_GetObjectItemCaseSensitive(
			cJSON_GetObjectItemCaseSensitive(json->top, "setup"), others[i]);

		if (at)
			return json_error(json, at, err,
					  "does not go with \"pack\", whose trees are built");
	}
	return true;
}

/* Files that are read late would be missed late: after an hour of building. */
static bool check_file(const struct json *json, const char *stage, const char *key, size_t index,
		       const char *path, struct error *err)
{
	if (!path || strstr(path, "://") || file_exists(path))
		return true;
	return json_error(json, provision_plan_at(json, stage, key, index), err,
			  "%s is not there (paths are relative to the plan)", path);
}

static bool check_setup_files(const struct provision_setup *setup, const struct json *json,
			      struct error *err)
{
	for (size_t i = 0; i < setup->mirrors.count; i++) {
		if (!check_file(json, "setup", "mirrors", i, setup->mirrors.items[i], err))
			return false;
	}
	return check_file(json, "setup", "pack", 0, setup->pack, err) &&
	       check_file(json, "setup", "sysroot", 0, setup->sysroot, err) &&
	       check_file(json, "setup", "recipes-directory", 0, setup->own_recipes, err);
}

static bool check_bench_files(const struct provision_bench *bench, const struct json *json,
			      struct error *err)
{
	for (size_t i = 0; i < bench->suites.count; i++) {
		const char *suite = bench->suites.items[i];

		if (!check_file(json, "bench", "suites", i, strchr(suite, '/') ? suite : NULL, err))
			return false;
	}
	return check_file(json, "bench", "baseline", 0, bench->baseline, err);
}

static bool check_files(const struct provision_plan *plan, const struct json *json,
			struct error *err)
{
	return (!plan->setup || check_setup_files(plan->setup, json, err)) &&
	       (!plan->audit ||
		check_file(json, "audit", "waivers", 0, plan->audit->waivers, err)) &&
	       (!plan->bench || check_bench_files(plan->bench, json, err));
}

static enum provision_stage stage_named(const char *name)
{
	enum provision_stage stage = STAGE_SETUP;

	while (strcmp(provision_stages[stage], name) != 0)
		stage++;
	return stage;
}

/* A baseline is none: a run may set the one of the next. */
static bool is_input(const struct provision_plan *plan, const char *path)
{
	const char *const inputs[] = {plan->path, plan->setup ? plan->setup->pack : NULL,
				      plan->audit ? plan->audit->waivers : NULL};
	const struct names *suites = plan->bench ? &plan->bench->suites : NULL;
	bool found = false;

	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
		found |= inputs[i] && file_is_same(path, inputs[i]);
	for (size_t i = 0; suites && i < suites->count; i++)
		found |= strchr(suites->items[i], '/') && file_is_same(path, suites->items[i]);
	return found;
}

static bool check_outputs(const struct provision_plan *plan, const struct json *json,
			  struct error *err)
{
	const struct provision_output *items = plan->outputs.items;

	if (plan->outputs.count > PROVISION_OUTPUTS_MAX)
		return json_error(json, provision_plan_at(json, NULL, "outputs", 0), err,
				  "more than %d outputs", PROVISION_OUTPUTS_MAX);
	for (size_t i = 0; i < plan->outputs.count; i++) {
		const cJSON *at = provision_plan_at(json, NULL, "outputs", i);

		if (!provision_plan_has(plan, stage_named(items[i].of)))
			return json_error(json, cJSON_GetObjectItemCaseSensitive(at, "of"), err,
					  "the plan has no \"%s\" to make it of", items[i].of);
		if (is_input(plan, items[i].path))
			return json_error(json, cJSON_GetObjectItemCaseSensitive(at, "path"), err,
					  "%s is read by this plan, give the output a file of its "
					  "own",
					  items[i].path);
		for (size_t k = 0; k < i; k++) {
			if (!items[i].append && file_is_same(items[i].path, items[k].path))
				return json_error(json,
						  cJSON_GetObjectItemCaseSensitive(at, "path"), err,
						  "%s is named twice, give each output its own "
						  "file",
						  items[i].path);
		}
	}
	return true;
}

static bool check_stages(const struct provision_plan *plan, const struct json *json,
			 struct error *err)
{
	if (!plan->setup && !plan->audit && !plan->bench)
		return json_error(json, json->top, err,
				  "nothing to do: none of setup, audit and bench is there; {} "
				  "takes the defaults of one");
	for (size_t i = 0; i < plan->stop_on.count; i++) {
		if (!provision_plan_has(plan, stage_named(plan->stop_on.items[i])))
			return json_error(json, provision_plan_at(json, NULL, "stop-on", i), err,
					  "the plan has no \"%s\"", plan->stop_on.items[i]);
	}
	return true;
}

/* Of the plan's file: its directory, as an absolute path, and its name without ".json". */
static bool place(struct arena *arena, const char *path, const char **directory, const char **name,
		  struct error *err)
{
	char real[PATH_MAX];
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *above = slash ? arena_copy(arena, path, (size_t)(slash - path) + 1) : ".";
	struct view stem = view_of(base);

	if (!realpath(above, real))
		return error_set(err, "%s: its directory cannot be resolved", path);
	if (view_ends(stem, ".json") && stem.size > strlen(".json"))
		stem.size -= strlen(".json");
	/* It names the directory of the results. */
	if (view_is(stem, ".") || view_is(stem, ".."))
		return error_set(err, "%s: is no name for a plan, give it one with letters", path);
	*directory = arena_strdup(arena, strcmp(real, "/") == 0 ? "" : real);
	*name = view_copy(arena, stem);
	return true;
}

bool provision_plan_parse(struct arena *arena, const char *path, struct view text,
			  struct provision_plan *out, struct json *json, struct error *err)
{
	struct provision_plan plan = {.path = path,
				      .limits = {.stages = {[STAGE_SETUP] = 7200,
							    [STAGE_AUDIT] = 300,
							    [STAGE_BENCH] = 7200,
							    [STAGE_REPORT] = 300},
						 .all = 14400}};
	const char *directory;

	if (!json_parse(arena, path, text, json, err) ||
	    !fields_load(arena, json, json->top, &provision_plan_table, &plan, err) ||
	    !place(arena, path, &directory, &plan.name, err))
		return false;
	resolve_paths(arena, directory, &plan);
	if (!check_stages(&plan, json, err) || !check_pack(&plan, json, err) ||
	    !check_files(&plan, json, err) || !check_outputs(&plan, json, err))
		return false;
	*out = plan;
	return true;
}

bool provision_plan_load(struct arena *arena, const char *path, struct provision_plan *out,
			 struct json *json, struct error *err)
{
	struct view text;

	return file_read(arena, path, PLAN_BYTES_MAX, &text, err) &&
	       provision_plan_parse(arena, path, text, out, json, err);
}
