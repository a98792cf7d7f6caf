// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "bench/stack.h"
#include "catalog/identity.h"
#include "engine/run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/*
 * What N cores give of N times one core. It passes or fails only on Ampere's own silicon without a
 * hypervisor, with the clock of every worker measured and equal: else a slow core, a shared one or
 * a sibling thread would be taken for the software.
 */
#define CLOCK_SPREAD_MOST 0.005
#define BATCH_US 1000
#define BATCHES 3
#define TIMEOUT_MS 10000

double scaling_spread(const double *clocks_hz, size_t count)
{
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < count; i++) {
		if (!(clocks_hz[i] > 0))
			return NAN;
		low = clocks_hz[i] < low ? clocks_hz[i] : low;
		high = clocks_hz[i] > high ? clocks_hz[i] : high;
	}
	return count ? (high - low) / low : NAN;
}

/* NaN: it could not be measured. */
static double clock_of(struct bench *bench, int64_t cpu)
{
	struct kat_request request = {.helper = bench->helper,
				      .mode = "limit",
				      .cpu = cpu,
				      .batch_us = BATCH_US,
				      .batches = BATCHES};
	struct names argv = {0};
	struct engine_job job = {.argv = &argv,
				 .cpu = cpu,
				 .timeout_ms = TIMEOUT_MS,
				 .tick = bench->tick,
				 .context = bench->context};
	struct engine_ran ran;
	struct kat_output output;

	kat_argv(bench->arena, &request, &argv);
	if (!engine_run_job(bench->arena, &job, &ran, NULL) ||
	    !kat_parse(bench->arena, ran.output, &output, NULL) || !output.clock_count)
		return NAN;
	return output.clock_hz[output.clock_count / 2];
}

static double spread_of(struct bench *bench, const struct eal_plan *plan)
{
	double *clocks_hz = arena_array(bench->arena, double, plan->cores + 1);
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++) {
		for (size_t w = 0; w < plan->processes[i].worker_count; w++)
			clocks_hz[count++] = clock_of(bench, plan->processes[i].workers[w]);
	}
	return scaling_spread(clocks_hz, count);
}

static const struct bench_result *single(const struct bench *bench,
					 const struct bench_result *result)
{
	for (size_t i = 0; i < bench->series_count; i++) {
		const struct bench_result *one = &bench->series[i]->result;

		if (one->cores == 1 && one->size_bytes == result->size_bytes && one->estimate &&
		    one->device && strcmp(one->device, result->device) == 0 &&
		    strcmp(one->name, result->name) == 0 && strcmp(one->suite, result->suite) == 0)
			return one;
	}
	return NULL;
}

static bool judgeable(const struct bench_result *result)
{
	return result->reference && strcmp(result->reference->comparable, "no") != 0;
}

void scaling_hold(struct arena *arena, double spread, struct bench_result *result)
{
	if (spread <= CLOCK_SPREAD_MOST)
		return;
	result->outcome = "unknown";
	result->reason =
		isnan(spread)
			? "no verdict: the clock of every worker could not be measured"
			: arena_printf(arena,
				       "no verdict: the clocks of the workers differ by %.1f %%, "
				       "more than %.1f %%",
				       100 * spread, 100 * CLOCK_SPREAD_MOST);
}

void bench_scale(struct bench *bench)
{
	for (size_t u = 0; u < bench->unit_count; u++) {
		const struct bench_unit *unit = &bench->units[u];

		for (size_t i = 0; i < unit->count; i++) {
			struct bench_result *result = &unit->series[i]->result;
			const struct bench_result *one = result->cores > 1 && result->estimate
								 ? single(bench, result)
								 : NULL;

			if (result->cores < 2 || !result->estimate)
				continue;
			if (one)
				result->efficiency = result->estimate->value /
						     ((double)result->cores * one->estimate->value);
			if (judgeable(result))
				scaling_hold(bench->arena, spread_of(bench, unit->cores), result);
		}
	}
}
