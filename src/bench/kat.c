// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "bench/stack.h"
#include "engine/run.h"

#include <inttypes.h>
#include <string.h>

/*
 * The in-process engine: kat-bench times the libcrypto of the stack. What it wrote while it was
 * timed is compared with what the same library gives with every capability masked, which is other
 * code, and both with published vectors.
 */
#define BATCH_US 10000
#define BATCHES_MIN 3
#define BATCHES_TOTAL 24 /* of all cases: the first ones of a process meet its own start */
#define TIMEOUT_BASE_MS 20000
#define CPU_TIME_LEAST 0.97

struct kat_state {
	struct kat_output expected;
	struct kat_case *cases; /* those that are still open */
	struct bench_series **series;
	size_t count;
};

static void list_cases(struct bench *bench, const struct bench_unit *unit, bool measuring,
		       struct kat_state *state)
{
	state->cases = arena_array(bench->arena, struct kat_case, unit->count + 1);
	state->series = arena_array(bench->arena, struct bench_series *, unit->count + 1);
	state->count = 0;
	for (size_t i = 0; i < unit->count; i++) {
		const struct bench_result *result = &unit->series[i]->result;

		if (unit->series[i]->over || (measuring && unit->series[i]->enough))
			continue;
		state->cases[state->count] = (struct kat_case){result->name, result->size_bytes};
		state->series[state->count++] = unit->series[i];
	}
}

static void lose_all(struct bench *bench, const struct kat_state *state, const char *outcome,
		     const char *reason)
{
	for (size_t i = 0; i < state->count; i++)
		bench_lose(bench, state->series[i], outcome, "%s", reason);
}

/* False: every open case is lost, with the reason, or *err is set. */
static bool run(struct bench *bench, const struct kat_state *state, const char *mode,
		const struct names *environment, struct kat_output *out, struct error *err)
{
	int64_t batches = state->count * BATCHES_MIN < BATCHES_TOTAL && state->count
				  ? BATCHES_TOTAL / (int64_t)state->count
				  : BATCHES_MIN;
	struct kat_request request = {.helper = bench->helper,
				      .mode = mode,
				      .library = bench->stack->libcrypto.path,
				      .cpu = bench->cpu,
				      .batch_us = BATCH_US,
				      .batches = batches,
				      .seed = random_next(&bench->random),
				      .cases = state->cases,
				      .case_count = state->count};
	struct names argv = {0};
	struct engine_job job = {.argv = &argv,
				 .environment = environment,
				 .cpu = bench->cpu,
				 .timeout_ms = TIMEOUT_BASE_MS + (unsigned)state->count *
									 (unsigned)(batches + 3) *
									 BATCH_US / 1000,
				 .tick = bench->tick,
				 .context = bench->context};
	struct engine_ran ran;
	struct error trouble = {0};

	*out = (struct kat_output){0};
	if (!state->count)
		return false;
	kat_argv(bench->arena, &request, &argv);
	if (!engine_run_job(bench->arena, &job, &ran, &trouble)) {
		lose_all(bench, state, "unknown", trouble.text);
		return false;
	}
	if (ran.interrupted)
		return bench_interrupt(bench, err);
	if (kat_parse(bench->arena, ran.output, out, &trouble) &&
	    (!ran.status || ran.status == EXIT_VERIFY))
		return true;
	lose_all(bench, state, "unknown",
		 ran.timed_out ? "kat-bench did not end in time"
		 : ran.cut     ? "kat-bench printed without end"
		 : out->error  ? out->error
		 : ran.status > 128
			 ? arena_printf(bench->arena, "kat-bench was ended by signal %d",
					ran.status - 128)
			 : arena_printf(bench->arena, "kat-bench ended with status %d: %s",
					ran.status, trouble.text));
	return false;
}

static const struct kat_verdict *wrong_vector(const struct kat_output *output, const char *name)
{
	for (size_t i = 0; i < output->verdict_count; i++) {
		if (!output->verdicts[i].right && strcmp(output->verdicts[i].name, name) == 0)
			return &output->verdicts[i];
	}
	return NULL;
}

static const char *absence(const struct kat_output *output, const struct kat_case *asked)
{
	for (size_t i = 0; i < output->absence_count; i++) {
		const struct kat_absence *one = &output->absences[i];

		if (strcmp(one->name, asked->name) == 0 &&
		    (!one->size_bytes || one->size_bytes == asked->size_bytes))
			return one->reason;
	}
	return NULL;
}

/* One case of one process against what is expected of it. */
static void check(struct bench *bench, const struct kat_state *state, size_t which,
		  const struct kat_output *output)
{
	const struct kat_case *asked = &state->cases[which];
	struct bench_series *series = state->series[which];
	const struct kat_verdict *vector = wrong_vector(output, asked->name);
	const char *missing = absence(output, asked);
	const char *library = bench->stack->libcrypto.path;
	const char *difference;

	if (missing) {
		bench_lose(bench, series, "na", "%s", missing);
		return;
	}
	if (vector) {
		bench_wrong(bench, series, "%s: wrong answer: %s", library, vector->source);
		return;
	}
	difference = kat_compare(bench->arena, output, &state->expected, asked);
	if (difference) {
		bench_wrong(bench, series,
			    "%s: what it computes with this core's instructions is not what it "
			    "computes without them: %s",
			    library, difference);
		return;
	}
	series->result.verified = true;
	series->result.unverified = NULL;
}

static bool verify(struct bench *bench, struct bench_unit *unit, bool last, struct error *err)
{
	const struct bench_piece *library = &bench->stack->libcrypto;
	struct kat_state *state = unit->state;
	struct kat_output output;
	struct names masked = {0};

	if (!state)
		unit->state = state = arena_new(bench->arena, struct kat_state);
	list_cases(bench, unit, false, state);
	if (!library->path || library->emulator.count) {
		lose_all(bench, state, "na",
			 library->path ? arena_printf(bench->arena,
						      "%s is for %s: it cannot be opened here",
						      library->path, library->arch)
				       : library->why);
		return true;
	}
	for (size_t i = 0; i < sizeof(kat_masks) / sizeof(kat_masks[0]); i++)
		names_add(bench->arena, &masked, kat_masks[i]);
	if (!last && !run(bench, state, "answers", &masked, &state->expected, err))
		return !err->text[0];
	if (!run(bench, state, "answers", NULL, &output, err))
		return !err->text[0];
	for (size_t i = 0; i < state->count; i++)
		state->series[i]->result.library = bench->libcrypto;
	for (size_t i = 0; i < state->count; i++)
		check(bench, state, i, &output);
	return true;
}

static const char *drop_reason(struct bench *bench, const struct kat_batch *batch)
{
	if (batch->steal > 0)
		return "the host took the CPU away (steal)";
	if (batch->switches > 0)
		return "another process ran on the core";
	if ((double)batch->cpu_ns < CPU_TIME_LEAST * (double)batch->wall_ns)
		return arena_printf(bench->arena, "ran for %.0f %% of its time",
				    100 * (double)batch->cpu_ns / (double)batch->wall_ns);
	return NULL;
}

static void add_batch(struct bench *bench, struct bench_series *series, size_t invocation,
		      const struct kat_batch *batch)
{
	double ops_per_ns = batch->ops / (double)batch->wall_ns;
	struct bench_sample sample = {.invocation = (int64_t)invocation,
				      .value = batch->size_bytes
						       ? ops_per_ns * (double)batch->size_bytes * 8
						       : ops_per_ns * 1000,
				      .seconds = (double)batch->wall_ns / 1e9,
				      .cpu_seconds = (double)batch->cpu_ns / 1e9,
				      .switches = batch->switches,
				      .dropped = drop_reason(bench, batch)};

	bench_sample(bench, series, &sample);
}

static bool measure(struct bench *bench, struct bench_unit *unit, struct error *err)
{
	struct kat_state *state = unit->state;
	struct kat_output output;

	list_cases(bench, unit, true, state);
	if (!run(bench, state, "measure", NULL, &output, err))
		return !err->text[0];
	for (size_t i = 0; i < state->count; i++) {
		struct bench_series *series = state->series[i];

		check(bench, state, i, &output);
		for (size_t b = 0; b < output.batch_count && !series->over; b++) {
			const struct kat_batch *batch = &output.batches[b];

			if (batch->size_bytes == series->result.size_bytes && batch->wall_ns > 0 &&
			    strcmp(batch->name, series->result.name) == 0)
				add_batch(bench, series, unit->invocations, batch);
		}
	}
	return true;
}

bool bench_kat_check(struct bench *bench, struct bench_series *series, const char *name,
		     struct error *err)
{
	struct bench_series asked = *series;
	struct bench_series *only[] = {&asked};
	struct bench_unit unit = {.series = only, .count = 1};

	asked.result.name = name;
	if (!verify(bench, &unit, false, err))
		return false;
	series->over = asked.over;
	series->result.outcome = asked.result.outcome;
	series->result.reason = asked.result.reason;
	series->result.verified = asked.result.verified;
	series->result.unverified = asked.result.unverified;
	return true;
}

const struct bench_driver bench_kat_driver = {"kat", verify, measure};
