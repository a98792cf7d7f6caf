// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench_cells.h"

#include "base/arena.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *bench_digits(struct arena *arena, double number)
{
	return number_digits(arena, number, 3);
}

static const char *outcome(struct arena *arena, const struct bench_group *group,
			   const struct bench_result *result)
{
	(void)arena;
	(void)group;
	return result->outcome;
}

/* Beside a pass: numbers that came without their answers. */
static const char *answers(struct arena *arena, const struct bench_group *group,
			   const struct bench_result *result)
{
	(void)arena;
	(void)group;
	return result->verified ? NULL : "not verified";
}

static const char *size(struct arena *arena, const struct bench_group *group,
			const struct bench_result *result)
{
	(void)group;
	return result->size_bytes ? arena_printf(arena, "%" PRId64, result->size_bytes) : NULL;
}

static const char *cores(struct arena *arena, const struct bench_group *group,
			 const struct bench_result *result)
{
	return group->cores ? arena_printf(arena, "%" PRId64, result->cores) : NULL;
}

static const char *rate(struct arena *arena, const struct bench_group *group,
			const struct bench_result *result)
{
	return bench_digits(arena, result->estimate->value * group->scale);
}

/* Half of the interval, relative to the median. */
static const char *interval(struct arena *arena, const struct bench_group *group,
			    const struct bench_result *result)
{
	const struct bench_estimate *estimate = result->estimate;

	(void)group;
	return number_digits(arena, 50 * (estimate->high - estimate->low) / estimate->value, 2);
}

static const char *reference(struct arena *arena, const struct bench_group *group,
			     const struct bench_result *result)
{
	if (!result->reference)
		return NULL;
	return bench_digits(arena, result->reference->value * group->scale);
}

static const char *band(struct arena *arena, const struct bench_group *group,
			const struct bench_result *result)
{
	const struct reference_match *match = result->reference;
	double value = result->estimate->value;

	if (!match)
		return NULL;
	if (strcmp(match->comparable, "no") == 0)
		return "no verdict";
	const char *about = strcmp(match->comparable, "estimate") == 0 ? "~" : "";

	if (value < match->low)
		return arena_printf(arena, "%sbelow %s", about,
				    bench_digits(arena, match->low * group->scale));
	if (value > match->high)
		return arena_printf(arena, "%sabove %s", about,
				    bench_digits(arena, match->high * group->scale));
	return *about ? "~in band" : "in band";
}

static const char *change(struct arena *arena, const struct bench_group *group,
			  const struct bench_result *result)
{
	(void)group;
	if (!result->change)
		return NULL;
	if (!isfinite(result->change->ratio))
		return result->change->verdict;
	return arena_printf(arena, "%+.1f %% %s", 100 * (result->change->ratio - 1),
			    result->change->verdict);
}

static const char *limit(struct arena *arena, const struct bench_group *group,
			 const struct bench_result *result)
{
	(void)group;
	return isfinite(result->limit_share)
		       ? arena_printf(arena, "%.0f", 100 * result->limit_share)
		       : NULL;
}

static const char *known_digits(struct arena *arena, double number)
{
	return isfinite(number) ? bench_digits(arena, number) : NULL;
}

static const char *time_per_op(struct arena *arena, const struct bench_group *group,
			       const struct bench_result *result)
{
	(void)group;
	return known_digits(arena, result->rates.ns_per_op);
}

static const char *cycles(struct arena *arena, const struct bench_group *group,
			  const struct bench_result *result)
{
	(void)group;
	return known_digits(arena, result->cycles_per_byte);
}

/* Ticks of imported output: never cycles. */
static const char *ticks(struct arena *arena, const struct bench_group *group,
			 const struct bench_result *result)
{
	(void)group;
	return known_digits(arena, result->rates.ticks_per_op);
}

static const char *bar(struct arena *arena, const struct bench_group *group,
		       const struct bench_result *result)
{
	double whole = group->compared ? result->reference->value : group->best;

	return section_share(arena, result->estimate->value / whole);
}

/* Those that matter most stand on the left: narrow terminals drop columns from the right. */
const struct bench_column bench_columns[] = {
	{"outcome", COLUMN_OUTCOME, outcome},  {"answers", COLUMN_TEXT, answers},
	{"size", COLUMN_NUMBER, size},         {"cores", COLUMN_NUMBER, cores},
	{NULL, COLUMN_NUMBER, rate},           {"+-%", COLUMN_NUMBER, interval},
	{"ref", COLUMN_NUMBER, reference},     {"band", COLUMN_TEXT, band},
	{"baseline", COLUMN_TEXT, change},     {"limit%", COLUMN_NUMBER, limit},
	{"ns/op", COLUMN_NUMBER, time_per_op}, {"cyc/B", COLUMN_NUMBER, cycles},
	{"ticks/op", COLUMN_NUMBER, ticks},    {"", COLUMN_BAR, bar},
};
const size_t bench_column_count = sizeof(bench_columns) / sizeof(bench_columns[0]);

bool bench_in_table(const struct bench_result *result)
{
	return result->estimate &&
	       (strcmp(result->outcome, "pass") == 0 || strcmp(result->outcome, "fail") == 0);
}

const char *bench_place(const struct bench_result *result)
{
	return result->device ? result->device : result->engine;
}
