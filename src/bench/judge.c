// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "base/error.h"
#include "bench/statistics.h"
#include "catalog/identity.h"

#include <math.h>
#include <string.h>

/* The median of each invocation, of what was not dropped. */
static double *medians_of(struct bench *bench, const struct bench_series *series, size_t *count)
{
	struct statistics_sample *kept =
		arena_array(bench->arena, struct statistics_sample, series->count + 1);
	double *medians = arena_array(bench->arena, double, series->count + 1);
	size_t kept_count = 0;

	for (size_t i = 0; i < series->count; i++) {
		const struct bench_sample *sample = &series->samples[i];

		if (!sample->dropped)
			kept[kept_count++] =
				(struct statistics_sample){sample->invocation, sample->value};
	}
	*count = statistics_invocations(kept, kept_count, medians);
	return medians;
}

void bench_interval(struct bench *bench, const struct bench_series *series,
		    struct statistics_interval *out)
{
	size_t count;
	double *medians = medians_of(bench, series, &count);

	statistics_interval(medians, count, STATISTICS_CONFIDENCE, out);
}

static size_t dropped(const struct bench_series *series)
{
	size_t count = 0;

	for (size_t i = 0; i < series->count; i++)
		count += series->samples[i].dropped != NULL;
	return count;
}

static void derive(struct bench *bench, struct bench_series *series)
{
	struct bench_result *result = &series->result;
	double value = result->estimate->value, bytes_per_s;

	result->rates = bench_rates_of(value, result->estimate->unit, result->size_bytes);
	if (!result->size_bytes)
		return;
	bytes_per_s = result->rates.gbps * 1e9 / 8;
	if (result->emulated)
		return;
	if (result->cores == 1 && isfinite(bench->clock_hz))
		result->cycles_per_byte = bench->clock_hz / bytes_per_s;
	result->limit_share = bench_limit_share(
		bench, series->suite_case, bytes_per_s / (double)result->cores, &result->limit);
}

static bool estimate(struct bench *bench, struct bench_series *series)
{
	struct bench_estimate *out = arena_new(bench->arena, struct bench_estimate);
	size_t lost = dropped(series), kept = series->count - lost;
	struct statistics_interval interval;

	bench_interval(bench, series, &interval);
	if (!interval.count) {
		if (series->count)
			series->result.reason = arena_printf(
				bench->arena, "too noisy: %s dropped (%s)",
				series->count == 1
					? "its one sample was"
					: arena_printf(bench->arena, "all of %zu samples were",
						       series->count),
				series->samples[0].dropped);
		else
			series->result.reason = "no sample was taken in the time there was";
		return false;
	}
	*out = (struct bench_estimate){.value = interval.median,
				       .unit = series->suite_case->unit,
				       .low = interval.low,
				       .high = interval.high,
				       .samples = (int64_t)kept,
				       .dropped = (int64_t)lost};
	series->result.estimate = out;
	derive(bench, series);
	if (statistics_noisy(kept, lost)) {
		series->result.reason =
			arena_printf(bench->arena, "too noisy: %zu of %zu samples were dropped",
				     lost, series->count);
		return false;
	}
	return true;
}

void bench_compare(struct arena *arena, struct bench_result *result)
{
	const struct reference_match *match = result->reference;
	const struct bench_estimate *estimate = result->estimate;

	result->outcome = "pass";
	if (!match || strcmp(match->comparable, "no") == 0 || estimate->value >= match->low)
		return;
	result->outcome = "fail";
	result->reason =
		arena_printf(arena,
			     "%.4g %s is %.1f %% of the published %.4g %s, the band begins "
			     "at %.4g",
			     estimate->value, estimate->unit, 100 * estimate->value / match->value,
			     match->value, estimate->unit, match->low);
}

static void compare(struct bench *bench, struct bench_series *series)
{
	struct bench_result *result = &series->result;
	struct reference_circumstances circumstances = {.host = bench->identity,
							.emulated = result->emulated,
							.debug_build = series->debug_build,
							.measured_ghz = bench->clock_hz / 1e9};

	result->reference = reference_find(bench->arena, bench->references, result->name,
					   result->device, result->size_bytes, result->cores,
					   result->estimate->unit, &circumstances);
	bench_compare(bench->arena, result);
	if (strcmp(result->outcome, "fail") == 0 && isnan(result->estimate->low)) {
		result->outcome = "unknown";
		result->reason =
			arena_printf(bench->arena,
				     "%s; too few samples for a verdict, give it more time "
				     "(--seconds)",
				     result->reason);
	}
	if (result->emulated && !result->reason)
		result->reason = "emulated: the number says nothing about any machine";
}

static void judge(struct bench *bench, struct bench_series *series)
{
	struct bench_result *result = &series->result;

	result->raw = (struct field_array){series->samples, series->count};
	if (series->over) {
		result->raw.count = 0;
		return;
	}
	if (!result->verified) {
		result->raw.count = 0;
		result->reason = result->reason ? result->reason
						: arena_printf(bench->arena, "not verified: %s",
							       result->unverified);
		bench->broken = true;
		return;
	}
	if (!estimate(bench, series))
		return;
	compare(bench, series);
	if (strcmp(result->outcome, "fail") == 0)
		bench_explain(bench, series);
}

void bench_count(struct bench_summary *summary, const struct field_array *results)
{
	int64_t *const counts[] = {&summary->pass, &summary->fail, &summary->na, &summary->unknown};
	const struct bench_result *items = results->items;

	for (size_t i = 0; i < results->count; i++) {
		for (size_t o = 0; bench_outcomes[o]; o++)
			*counts[o] += strcmp(bench_outcomes[o], items[i].outcome) == 0;
	}
}

void bench_judge(struct bench *bench)
{
	for (size_t i = 0; i < bench->series_count; i++)
		judge(bench, bench->series[i]);
	bench_scale(bench);
}
