// SPDX-License-Identifier: BSD-2-Clause
#include "bench/import.h"

#include "base/arena.h"
#include "base/error.h"
#include "bench/result.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define RESULTS_MAX 20000
#define GROUP_MAX 1024
#define ROWS_LOOKED_AT 8192        /* rows of one size stand near each other */
#define IDS_ROOM ((size_t)1 << 16) /* of the table of ids: more than twice RESULTS_MAX */
#define DPDK "dpdk-crypto-perf"
#define UNVERIFIED "imported: not verified here"

struct importing {
	struct arena *arena;
	const char *name;
	struct bench_result *items;
	size_t count;
	const char **ids; /* a hash table, open addressing */
	struct names *notes;
};

/* Rows that are one measurement: the workers of DPDK at one size. */
struct group {
	const struct engine_row *rows[GROUP_MAX];
	size_t count;
};

static bool take_id(struct importing *importing, const char *id)
{
	uint64_t hash = 14695981039346656037U;

	for (const char *at = id; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211U;
	for (size_t i = hash % IDS_ROOM;; i = (i + 1) % IDS_ROOM) {
		if (!importing->ids[i]) {
			importing->ids[i] = id;
			return true;
		}
		if (strcmp(importing->ids[i], id) == 0)
			return false;
	}
}

static const char *unique_id(struct importing *importing, const char *id)
{
	const char *tried = id;

	for (unsigned n = 2; !take_id(importing, tried); n++)
		tried = arena_printf(importing->arena, "%s#%u", id, n);
	return tried;
}

static struct bench_result *add(struct importing *importing, const struct engine_run *run,
				const struct engine_row *row, int64_t cores)
{
	struct bench_result *result;
	const char *where;
	bool plain = !run->test || strcmp(run->test, "throughput") == 0;

	if (importing->count == RESULTS_MAX)
		return NULL;
	result = &importing->items[importing->count++];
	*result = (struct bench_result){
		.suite = "import",
		.name = bench_import_name(importing->arena, run, row),
		.engine = run->engine,
		.device = run->device,
		.size_bytes = row && row->size_bytes > 0 ? row->size_bytes : 0,
		.cores = cores,
		.library = {.version = run->library_version ? run->library_version : run->version,
			    .capability = run->capability},
		.outcome = "unknown",
		.unverified = UNVERIFIED,
		.rates = {NAN, NAN, NAN, NAN},
		.cycles_per_byte = NAN,
		.limit_share = NAN,
		.efficiency = NAN,
	};
	if (run->version && strcmp(run->engine, DPDK) == 0)
		result->library.version = arena_printf(importing->arena, "DPDK %s", run->version);
	where = run->device ? run->device : run->engine;
	result->id = arena_printf(importing->arena, "import/%s/%s%s%s/%" PRId64 "/%" PRId64,
				  result->name, where, plain ? "" : ":", plain ? "" : run->test,
				  result->size_bytes, cores);
	if (row && row->burst > 0 && row->burst != 32)
		result->id =
			arena_printf(importing->arena, "%s/burst-%" PRId64, result->id, row->burst);
	result->id = unique_id(importing, result->id);
	return result;
}

static double value_of(const struct engine_row *row, const char *unit)
{
	return strcmp(unit, "Gbps") == 0 ? row->bytes_per_s * 8 / 1e9 : row->ops_per_s / 1e6;
}

static const char *unit_of(const struct engine_row *row)
{
	return row->size_bytes > 0 || !isnan(row->bytes_per_s) ? "Gbps" : "MOps";
}

static void keep_raw(struct importing *importing, const struct engine_run *run,
		     struct bench_result *result, const struct group *group, const char *unit)
{
	struct bench_sample *samples =
		arena_array(importing->arena, struct bench_sample, group->count);

	for (size_t i = 0; i < group->count; i++) {
		const struct engine_row *row = group->rows[i];

		samples[i] = (struct bench_sample){.value = value_of(row, unit),
						   .seconds = run->elapsed ? row->seconds : NAN,
						   .cpu_seconds = run->elapsed ? NAN : row->seconds,
						   .switches = -1,
						   .dropped = row->void_reason};
	}
	result->raw = (struct field_array){samples, group->count};
}

/* Why the rows of a group must not be used; NULL: they may. */
static const char *why_void(struct importing *importing, const struct engine_run *run,
			    const struct group *group, bool *wrong)
{
	const char *why = NULL;

	for (size_t i = 0; i < group->count; i++) {
		*wrong |= group->rows[i]->failed_ops > 0;
		if (!why && group->rows[i]->void_reason)
			why = group->rows[i]->void_reason;
	}
	if (!why && strcmp(run->engine, DPDK) == 0 && (int64_t)group->count < run->jobs)
		why = arena_printf(importing->arena,
				   "only %zu of %" PRId64
				   " workers have a row of this size: the sum "
				   "is not known",
				   group->count, run->jobs);
	if (!why && run->emulated)
		why = "it was emulated: the number says nothing about any machine";
	if (!why && bench_import_says_emulated(importing->name))
		why = "the name of the file says QEMU, so it was emulated: the number says nothing "
		      "about any machine";
	return why;
}

/* Tests that measure no rate. */
static const char *what_else(struct importing *importing, const struct engine_run *run,
			     const struct engine_row *row)
{
	if (!run->test)
		return NULL;
	if (strcmp(run->test, "verify") == 0)
		return arena_printf(importing->arena,
				    "%" PRId64 " operations gave the right answer, there",
				    row->dequeued);
	if (strcmp(run->test, "latency") == 0)
		return arena_printf(importing->arena,
				    "a burst took %.3f us on average and %.3f us at most: no rate",
				    row->latency_us, row->latency_max_us);
	if (strcmp(run->test, "pmd-cyclecount") == 0)
		return arena_printf(
			importing->arena,
			"%.3f ticks of the timer to build an operation, %.3f to enqueue "
			"and %.3f to dequeue it: no rate",
			row->ticks_per_op, row->ticks_enqueue, row->ticks_dequeue);
	return NULL;
}

static const char *remark(const struct engine_run *run)
{
	if (run->debug_build)
		return "the library was built without optimisation";
	if (strcmp(run->engine, "openssl-speed") == 0 && !run->elapsed)
		return "no -elapsed is seen: a rate of CPU time, which wall-clock time may not "
		       "reach";
	return NULL;
}

static void estimate(struct importing *importing, struct bench_result *result,
		     const struct group *group, const char *unit)
{
	struct bench_estimate *made = arena_new(importing->arena, struct bench_estimate);
	double sum = 0;

	for (size_t i = 0; i < group->count; i++)
		sum += value_of(group->rows[i], unit);
	if (!isfinite(sum) || sum <= 0) {
		result->reason = "its output has no rate";
		return;
	}
	*made = (struct bench_estimate){
		.value = sum, .unit = unit, .low = NAN, .high = NAN, .samples = 1};
	result->estimate = made;
	result->rates = bench_rates_of(sum, unit, result->size_bytes);
	result->outcome = "pass";
}

static const char *workers(struct importing *importing, const struct group *group)
{
	uint32_t numbers[GROUP_MAX] = {0};
	size_t count = 0;

	for (size_t i = 0; i < group->count; i++) {
		size_t at = count;

		if (group->rows[i]->core < 0 || group->rows[i]->core > UINT32_MAX)
			return NULL;
		while (at && numbers[at - 1] > (uint32_t)group->rows[i]->core)
			numbers[at] = numbers[at - 1], at--;
		numbers[at] = (uint32_t)group->rows[i]->core;
		count++;
	}
	return arena_printf(importing->arena, count > 1 ? "workers %s" : "worker %s",
			    text_ranges(importing->arena, numbers, count));
}

static void import_group(struct importing *importing, const struct engine_run *run,
			 const struct group *group)
{
	const struct engine_row *row = group->rows[0];
	bool dpdk = strcmp(run->engine, DPDK) == 0, wrong = false;
	struct bench_result *result =
		add(importing, run, row, dpdk ? (int64_t)group->count : run->jobs);
	const char *unit = unit_of(row), *why = why_void(importing, run, group, &wrong);
	const char *other = what_else(importing, run, row);

	if (!result)
		return;
	if (dpdk)
		result->core_list = workers(importing, group);
	keep_raw(importing, run, result, group, unit);
	if (why) {
		result->outcome = wrong ? "fail" : "unknown";
		result->reason = why;
		return;
	}
	if (group->count == 1 && (!other || !strcmp(run->test, "pmd-cyclecount")))
		result->rates.ticks_per_op = row->ticks_per_op;
	if (other) {
		result->outcome = "pass";
		result->reason = other;
		return;
	}
	result->reason = remark(run);
	estimate(importing, result, group, unit);
	if (group->count == 1)
		result->rates.ticks_per_op = row->ticks_per_op;
}

static bool belongs(const struct group *group, const struct engine_row *row)
{
	const struct engine_row *first = group->rows[0];

	if (row->size_bytes != first->size_bytes || row->burst != first->burst ||
	    group->count == GROUP_MAX)
		return false;
	for (size_t i = 0; i < group->count; i++) {
		if (group->rows[i]->core == row->core)
			return false;
	}
	return true;
}

static void import_rows(struct importing *importing, const struct engine_run *run)
{
	bool *used = arena_array(importing->arena, bool, run->row_count);
	struct group *group = arena_new(importing->arena, struct group);

	for (size_t i = 0; i < run->row_count && importing->count < RESULTS_MAX; i++) {
		if (used[i])
			continue;
		group->count = 0;
		group->rows[group->count++] = &run->rows[i];
		for (size_t j = i + 1;
		     j - i < ROWS_LOOKED_AT && run->jobs > 1 && !strcmp(run->engine, DPDK) &&
		     j < run->row_count && group->count < (size_t)run->jobs;
		     j++) {
			if (used[j] || !belongs(group, &run->rows[j]))
				continue;
			used[j] = true;
			group->rows[group->count++] = &run->rows[j];
		}
		import_group(importing, run, group);
	}
}

static const struct {
	enum engine_end end;
	const char *outcome;
} outcomes[] = {
	{ENGINE_MISSING, "na"},     {ENGINE_UNABLE, "unknown"}, {ENGINE_MISUSED, "unknown"},
	{ENGINE_BROKEN, "unknown"}, {ENGINE_WRONG, "fail"},
};

static void import_run(struct importing *importing, const struct engine_run *run)
{
	const char *spread = bench_import_spread(importing->arena, run);

	if (spread)
		names_add(importing->arena, importing->notes,
			  arena_printf(importing->arena, "%s:%zu: %s", importing->name, run->line,
				       spread));
	for (size_t i = 0; i < run->notes.count; i++)
		names_add(importing->arena, importing->notes,
			  arena_printf(importing->arena, "%s:%zu: %s", importing->name, run->line,
				       run->notes.items[i]));
	/* Otherwise it stands in the results. */
	if (run->reason && (run->end == ENGINE_NOTHING || !run->engine))
		names_add(importing->arena, importing->notes,
			  arena_printf(importing->arena, "%s:%zu: %s", importing->name, run->line,
				       run->reason));
	if (!run->engine)
		return;
	if (run->row_count) {
		import_rows(importing, run);
		return;
	}
	for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++) {
		struct bench_result *result;

		if (outcomes[i].end != run->end)
			continue;
		result = add(importing, run, NULL, run->jobs);
		if (!result)
			return;
		result->outcome = outcomes[i].outcome;
		result->reason = run->reason;
	}
}

bool bench_import(struct arena *arena, const char *name, struct view text,
		  struct field_array *results, struct names *notes, struct error *err)
{
	struct importing importing = {.arena = arena, .name = name, .notes = notes};
	struct engine_runs runs;
	size_t room = results->count;

	if (text.size > ENGINE_OUTPUT_MAX_BYTES)
		return error_set(err, "%s is larger than %zu bytes: import a part of it", name,
				 ENGINE_OUTPUT_MAX_BYTES);
	engine_parse(arena, text, &runs);
	for (size_t i = 0; i < runs.count; i++)
		room += runs.items[i].row_count + 1;
	room = room < RESULTS_MAX ? room : RESULTS_MAX;
	importing.items = arena_array(arena, struct bench_result, room);
	importing.ids = arena_array(arena, const char *, IDS_ROOM);
	if (results->count)
		memcpy(importing.items, results->items,
		       results->count * sizeof(struct bench_result));
	importing.count = results->count;
	for (size_t i = 0; i < importing.count; i++)
		take_id(&importing, importing.items[i].id);
	for (size_t i = 0; i < runs.count; i++)
		import_run(&importing, &runs.items[i]);
	if (importing.count == RESULTS_MAX)
		names_add(arena, notes,
			  arena_printf(arena, "%s: only the first %d results are kept", name,
				       RESULTS_MAX));
	*results = (struct field_array){importing.items, importing.count};
	return true;
}
