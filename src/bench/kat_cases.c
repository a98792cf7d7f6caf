// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "base/error.h"
#include "engine/run.h"

#include <string.h>

#define TIMEOUT_MS 20000

/* False: the helper cannot tell. */
static bool ask_helper(const struct bench *bench, struct names *out)
{
	struct names argv = {0};
	struct engine_job job = {.argv = &argv, .cpu = -1, .timeout_ms = TIMEOUT_MS};
	struct engine_ran ran;
	struct view line;

	names_add(bench->arena, &argv, bench->helper);
	names_add(bench->arena, &argv, "cases");
	if (!engine_run_job(bench->arena, &job, &ran, NULL) || ran.status)
		return false;
	while (view_line(&ran.output, &line))
		names_add(bench->arena, out, view_copy(bench->arena, line));
	return out->count > 0;
}

/* The case of kat-bench that a case needs, or NULL. */
static const char *needed(const struct suite_case *one)
{
	return strcmp(one->engine, "kat") == 0 ? one->name : one->verify;
}

static bool check_suite(const struct bench *bench, const struct suite *suite, struct names *known,
			struct error *err)
{
	const struct suite_case *cases = suite->cases.items;

	for (size_t i = 0; i < suite->cases.count; i++) {
		const char *name = needed(&cases[i]), *nearest;

		if (!name)
			continue;
		/* A helper that does not answer says why when it is to measure. */
		if (!known->count && !ask_helper(bench, known))
			return true;
		if (names_has(known, name))
			continue;
		nearest = text_nearest(name, known->items, known->count);
		return error_set(
			err, "%s: case %s: %s: the engine kat has no case %s%s", suite->path,
			cases[i].name, name == cases[i].name ? "name" : "verify", name,
			nearest ? arena_printf(bench->arena, ", did you mean '%s'?", nearest)
				: arena_printf(bench->arena, "; `%s cases` lists them",
					       bench->helper));
	}
	return true;
}

/* The shipped suites are right: a plan of them starts no process. */
bool bench_kat_cases(const struct bench *bench, const struct bench_choice *choice,
		     struct error *err)
{
	struct names known = {0}, shipped;

	if (!suite_names(bench->arena, &shipped, err))
		return false;
	for (size_t i = 0; i < choice->suite_count; i++) {
		const struct suite *suite = choice->suites[i];

		if (!names_has(&shipped, suite->name) && !check_suite(bench, suite, &known, err))
			return false;
	}
	return true;
}
