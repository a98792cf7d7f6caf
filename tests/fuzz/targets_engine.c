// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"

#include "base/arena.h"
#include "base/error.h"
#include "bench/import.h"
#include "bench/result.h"
#include "engine/engine.h"
#include "engine/kat.h"

#include <math.h>
#include <string.h>

static void check_row(const struct engine_row *row, size_t lines)
{
	const double numbers[] = {row->bytes_per_s, row->ops_per_s, row->ticks_per_op,
				  row->latency_us, row->seconds};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		PROMISE(isnan(numbers[i]) || (numbers[i] >= 0 && isfinite(numbers[i])));
	PROMISE(row->size_bytes >= -1 && row->core >= -1 && row->enqueued >= -1);
	PROMISE(row->line >= 1 && row->line <= lines);
	PROMISE(row->void_reason || row->ops_per_s != 0.0);
}

static void check_run(const struct engine_run *run, size_t lines)
{
	PROMISE(run->end == ENGINE_DONE || (run->reason && run->reason[0]));
	PROMISE(run->end != ENGINE_DONE || run->row_count);
	PROMISE(run->jobs >= 1);
	for (size_t i = 0; i < run->row_count; i++) {
		check_row(&run->rows[i], lines);
		/* After an error no row is good. */
		PROMISE(run->end == ENGINE_DONE || run->end == ENGINE_WRONG ||
			run->rows[i].void_reason);
	}
}

static void check_results(const struct field_array *results)
{
	const struct bench_result *items = results->items;

	for (size_t i = 0; i < results->count; i++) {
		bool pass = strcmp(items[i].outcome, "pass") == 0;

		PROMISE(items[i].id && items[i].name[0] && items[i].engine && !items[i].verified);
		PROMISE(pass || items[i].reason);
		PROMISE(!items[i].estimate || (pass && isfinite(items[i].estimate->value) &&
					       items[i].estimate->value > 0));
		for (size_t j = 0; j < i && i < 64; j++)
			PROMISE(strcmp(items[i].id, items[j].id) != 0);
	}
}

/* Any text has runs, every run says how it ended, and what is imported twice stays apart. */
static void parse_engine(struct arena *arena, struct view bytes)
{
	struct engine_runs runs;
	struct engine_run run;
	struct field_array results = {0};
	struct names notes = {0};
	struct error err = {0};
	struct view rest = bytes, line;
	size_t lines = 1, count;

	while (view_line(&rest, &line))
		lines++;
	engine_parse(arena, bytes, &runs);
	PROMISE(runs.count);
	for (size_t i = 0; i < runs.count; i++)
		check_run(&runs.items[i], lines);
	engine_parse_run(arena, "openssl-speed", bytes, 0, &run);
	check_run(&run, lines);
	engine_parse_run(arena, "dpdk-crypto-perf", bytes, 139, &run);
	PROMISE(run.end != ENGINE_DONE);
	check_run(&run, lines);
	PROMISE(bench_import(arena, "x", bytes, &results, &notes, &err));
	count = results.count;
	PROMISE(bench_import(arena, "y", bytes, &results, &notes, &err));
	PROMISE(results.count == 2 * count);
	check_results(&results);
}

/* What was taken is whole, and is no other answer than itself. */
static void parse_kat(struct arena *arena, struct view bytes)
{
	struct kat_output output;
	struct error err = {0};

	if (!kat_parse(arena, bytes, &output, &err)) {
		PROMISE(err.text[0]);
		return;
	}
	for (size_t i = 0; i < output.batch_count; i++)
		PROMISE(output.batches[i].name && output.batches[i].ops >= 1 &&
			output.batches[i].wall_ns >= 1);
	for (size_t i = 0; i < output.limit_count; i++)
		PROMISE(isfinite(output.limits[i].ops_per_s) && output.limits[i].ops_per_s > 0);
	for (size_t i = 0; i < output.answer_count && i < 64; i++) {
		const struct kat_answer *answer = &output.answers[i];
		struct kat_case only = {answer->name, answer->size_bytes};
		const char *said = kat_compare(arena, &output, &output, &only);
		bool wrong = false;

		for (size_t n = 0; n < output.verdict_count; n++)
			wrong |= !output.verdicts[n].right &&
				 !strcmp(output.verdicts[n].name, answer->name);
		PROMISE(!said == (!wrong && answer->first && answer->last &&
				  !strcmp(answer->first, answer->last)));
	}
}

const struct target engine_targets[] = {
	{.name = "engine", .parse = parse_engine},
	{.name = "kat", .parse = parse_kat},
	{.name = NULL}, /* the last */
};
