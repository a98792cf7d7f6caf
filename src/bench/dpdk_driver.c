// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "base/file.h"
#include "bench/dpdk.h"
#include "bench/stack.h"

#include <math.h>
#include <string.h>

/* One row lasts as long as this, so that starting and ending do not count. */
#define ROW_SECONDS 0.55

/* Rates of a worker so far, from which the operations of the next are drawn. */
struct dpdk_state {
	struct dpdk_work work;
	double *ops_per_s; /* one per series */
	bool made;         /* answers of the timed sizes could be made */
};

static struct dpdk_state *state_of(struct bench *bench, struct bench_unit *unit)
{
	struct dpdk_state *state = unit->state;

	if (state)
		return state;
	unit->state = state = arena_new(bench->arena, struct dpdk_state);
	state->made = true;
	state->ops_per_s = arena_array(bench->arena, double, unit->count + 1);
	state->work =
		(struct dpdk_work){.arena = bench->arena,
				   .stack = bench->stack,
				   .options = unit->suite_case->dpdk,
				   .name = unit->suite_case->name,
				   .device = unit->series[0]->result.device,
				   .cores = unit->cores,
				   .burst = unit->suite_case->burst,
				   .helper = bench->helper,
				   .vectors = file_data_path(bench->arena, "recipes/dpdk/vectors"),
				   .tick = bench->tick,
				   .context = bench->context};
	return state;
}

/* What came of a call for one series; false: it is over. */
static bool accept(struct bench *bench, struct bench_unit *unit, struct bench_series *series,
		   const struct dpdk_outcome *outcome)
{
	unit->hung |= outcome->hung;
	switch (outcome->end) {
	case DPDK_DONE:
		return true;
	case DPDK_MISSING:
		bench_lose(bench, series, "na", "%s", outcome->reason);
		return false;
	case DPDK_WRONG:
		bench_wrong(bench, series, "%s", outcome->reason);
		return false;
	case DPDK_FAILED:
	case DPDK_INTERRUPTED:
		bench_lose(bench, series, "unknown", "%s", outcome->reason);
		return false;
	}
	return false;
}

/* The libcrypto behind the OpenSSL driver; of the others the program, which holds them. */
static void name_library(const struct bench *bench, struct bench_series *series)
{
	const struct bench_piece *program = &bench->stack->dpdk;
	bool openssl = strcmp(series->result.device, "crypto_openssl") == 0;

	series->result.emulated = program->emulator.count > 0;
	series->result.library = openssl ? bench->libcrypto
					 : (struct bench_library){.path = program->path,
								  .version = program->version};
}

static bool not_here(struct bench *bench, struct bench_unit *unit)
{
	const struct bench_stack *stack = bench->stack;
	const char *device = unit->series[0]->result.device;
	const char *why = stack->dpdk.path ? NULL : stack->dpdk.why;

	if (!why && stack->devices_known && !names_has(&stack->devices, device))
		why = arena_printf(bench->arena, "%s was built without %s", stack->dpdk.path,
				   device);
	for (size_t i = 0; why && i < unit->count; i++) {
		if (!unit->series[i]->over)
			bench_lose(bench, unit->series[i], "na", "%s", why);
	}
	return why != NULL;
}

/* What is to be known of the numbers beside `note`. */
static const char *remark(struct bench *bench, const struct eal_plan *plan, const char *note)
{
	struct buffer text = buffer_new(bench->arena, 4096);
	const char *pages = NULL;
	bool shared = false;

	for (size_t i = 0; i < plan->count; i++) {
		shared |= plan->processes[i].shares_core;
		if (!plan->processes[i].huge && !pages)
			pages = plan->processes[i].why_no_huge;
	}
	if (note)
		buffer_text(&text, note);
	if (pages)
		buffer_printf(&text, "%smeasured without huge pages: %s", text.size ? "; " : "",
			      pages);
	if (shared)
		buffer_printf(&text, "%sthe main lcore spins on the core of a worker",
			      text.size ? "; " : "");
	return text.size ? buffer_string(&text) : NULL;
}

static bool verify_size(struct bench *bench, struct bench_unit *unit, struct bench_series *series,
			struct dpdk_state *state, bool last, struct error *err)
{
	const struct dpdk_work *work = &state->work;
	struct bench_result *result = &series->result;
	struct dpdk_outcome outcome;
	const char *note;

	if (!dpdk_verify_size(work, result->size_bytes, &note, &outcome, err))
		return false;
	if (outcome.end == DPDK_INTERRUPTED)
		return bench_interrupt(bench, err);
	if (!accept(bench, unit, series, &outcome))
		return true;
	if (note && !work->options->published.count) {
		bench_lose(bench, series, "na",
			   "no known answer: %s has no published vector here, and none of its "
			   "size can be made",
			   result->name);
		return true;
	}
	if (note && last && state->made) {
		bench_lose(bench, series, "unknown", "it was not verified again: %s", note);
		return true;
	}
	state->made &= !note;
	result->verified = true;
	result->unverified = NULL;
	result->reason = remark(bench, work->cores, note);
	return true;
}

static bool verify_published(struct bench *bench, struct bench_unit *unit,
			     const struct dpdk_work *work, struct error *err)
{
	struct dpdk_outcome outcome;

	if (!dpdk_verify_published(work, &outcome, err))
		return false;
	if (outcome.end == DPDK_INTERRUPTED)
		return bench_interrupt(bench, err);
	for (size_t i = 0; i < unit->count; i++) {
		if (!unit->series[i]->over)
			accept(bench, unit, unit->series[i], &outcome);
	}
	return true;
}

static bool verify(struct bench *bench, struct bench_unit *unit, bool last, struct error *err)
{
	struct dpdk_state *state;

	if (not_here(bench, unit))
		return true;
	state = state_of(bench, unit);
	for (size_t i = 0; i < unit->count; i++)
		name_library(bench, unit->series[i]);
	/* What goes wrong on the way shows in answers of the timed size, where there are any. */
	if ((!last || !state->made) && !verify_published(bench, unit, &state->work, err))
		return false;
	for (size_t i = 0; i < unit->count; i++) {
		if (!unit->series[i]->over &&
		    !verify_size(bench, unit, unit->series[i], state, last, err))
			return false;
	}
	return true;
}

static bool run(struct bench *bench, struct bench_unit *unit, size_t which, int64_t operations,
		struct dpdk_measured *out, struct error *err)
{
	struct dpdk_state *state = unit->state;
	struct bench_series *series = unit->series[which];
	int64_t size_bytes = series->result.size_bytes;
	struct numbers sizes = {&size_bytes, 1};
	struct dpdk_outcome outcome = {0};

	if (!dpdk_measure(&state->work, &sizes, operations, out, &outcome, err))
		return false;
	if (outcome.end == DPDK_INTERRUPTED)
		return bench_interrupt(bench, err);
	if (accept(bench, unit, series, &outcome))
		state->ops_per_s[which] = out->rows[0].ops_per_s / (double)series->result.cores;
	return true;
}

static void add_row(struct bench *bench, struct bench_unit *unit, size_t which,
		    const struct dpdk_measured *measured)
{
	struct bench_series *series = unit->series[which];
	const struct dpdk_row *row = &measured->rows[0];
	struct bench_sample sample = {.invocation = (int64_t)unit->invocations,
				      .value = row->bytes_per_s * 8 / 1e9,
				      .seconds = row->seconds,
				      .cpu_seconds = row->seconds * measured->cpu_share,
				      .switches = measured->switches,
				      .dropped = row->dropped};

	series->debug_build |= measured->debug_build;
	bench_sample(bench, series, &sample);
}

/* A process for each size, so that every row lasts as long. The first is only to learn how many
 * operations that are. */
static bool measure(struct bench *bench, struct bench_unit *unit, struct error *err)
{
	struct dpdk_state *state = unit->state;

	for (size_t i = 0; i < unit->count; i++) {
		struct bench_series *series = unit->series[i];
		struct dpdk_measured measured;

		if (!state->ops_per_s[i] && !series->over &&
		    !run(bench, unit, i, cperf_operations(CPERF_THROUGHPUT, NAN, ROW_SECONDS),
			 &measured, err))
			return false;
		if (series->over || series->enough)
			continue;
		if (!run(bench, unit, i,
			 cperf_operations(CPERF_THROUGHPUT, state->ops_per_s[i], ROW_SECONDS),
			 &measured, err))
			return false;
		if (!series->over)
			add_row(bench, unit, i, &measured);
	}
	return true;
}

const struct bench_driver bench_dpdk_driver = {"dpdk-crypto-perf", verify, measure};
