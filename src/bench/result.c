// SPDX-License-Identifier: BSD-2-Clause
#include "bench/result.h"

#include <math.h>
#include <string.h>

/* One row of a table: key, kind, member, text, and what else there is to say. */
#define ROW(type, name, field_kind, member, text, ...)                                             \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct type, member),         \
		.doc = (text), ##__VA_ARGS__                                                       \
	}
/* Always written, null where it does not apply or is not known. */
#define NULLABLE .required = true, .nullable = true

const char *const bench_outcomes[] = {"pass", "fail", "na", "unknown", NULL};
static const char *const units[] = {"Gbps", "MOps", NULL};
static const char *const verdicts[] = {"slower",    "faster",       "same",
				       "undecided", "not-compared", NULL};

static const struct field sample_rows[] = {
	ROW(bench_sample, "invocation", FIELD_NUMBER, invocation,
	    "which process of this case gave it, from 0", .required = true, .minimum = 0,
	    .maximum = 1000000),
	ROW(bench_sample, "value", FIELD_REAL, value, "in the unit of the estimate", NULLABLE),
	ROW(bench_sample, "seconds", FIELD_REAL, seconds, "how long it was measured, by the wall",
	    NULLABLE),
	ROW(bench_sample, "cpu_seconds", FIELD_REAL, cpu_seconds,
	    "CPU time of the thread that worked", NULLABLE),
	ROW(bench_sample, "switches", FIELD_NUMBER, switches,
	    "how often that thread lost the CPU against its will; -1: not known", .required = true,
	    .minimum = -1, .maximum = INT64_C(9007199254740991)),
	ROW(bench_sample, "dropped", FIELD_TEXT, dropped, "why it does not count; null: it does",
	    NULLABLE),
};

static const struct field_table sample_table = FIELD_TABLE(
	"bench-sample", struct bench_sample, sample_rows, "One measurement, kept as it was taken.");

static const struct field estimate_rows[] = {
	ROW(bench_estimate, "value", FIELD_REAL, value, "the median of what counts",
	    .required = true),
	ROW(bench_estimate, "unit", FIELD_ENUM, unit,
	    "Gbps (10^9 bits of data a second) or MOps (10^6 operations a second)",
	    .required = true, .names = units),
	ROW(bench_estimate, "low", FIELD_REAL, low,
	    "lower end of the 95 % interval of the median, by order statistics; null: too few "
	    "samples",
	    NULLABLE),
	ROW(bench_estimate, "high", FIELD_REAL, high, "its upper end", NULLABLE),
	ROW(bench_estimate, "samples", FIELD_NUMBER, samples, "how many count", .required = true),
	ROW(bench_estimate, "dropped", FIELD_NUMBER, dropped,
	    "how many do not: the thread lost the CPU while they were taken", .required = true),
};

static const struct field_table estimate_table =
	FIELD_TABLE("bench-estimate", struct bench_estimate, estimate_rows,
		    "What was measured, in one number.");

static const struct field library_rows[] = {
	ROW(bench_library, "path", FIELD_TEXT, path,
	    "the library that was really loaded, from the process's own mappings", NULLABLE),
	ROW(bench_library, "version", FIELD_TEXT, version, "as it says itself", NULLABLE),
	ROW(bench_library, "capability", FIELD_TEXT, capability,
	    "the CPU features it found: \"OPENSSL_armcap=0xbd\"", NULLABLE),
};

static const struct field_table library_table = FIELD_TABLE(
	"bench-library", struct bench_library, library_rows, "The library that did the work.");

static const struct field rates_rows[] = {
	ROW(bench_rates, "gbps", FIELD_REAL, gbps, "10^9 bits of data a second", NULLABLE),
	ROW(bench_rates, "mops", FIELD_REAL, mops, "10^6 operations a second", NULLABLE),
	ROW(bench_rates, "ns_per_op", FIELD_REAL, ns_per_op,
	    "nanoseconds between operations, all cores together", NULLABLE),
	ROW(bench_rates, "ticks_per_op", FIELD_REAL, ticks_per_op,
	    "ticks of the timer, which are not cycles of the core; from imported output", NULLABLE),
};

static const struct field_table rates_table = FIELD_TABLE(
	"bench-rates", struct bench_rates, rates_rows, "One rate in the ways people read it.");

static const struct field change_rows[] = {
	ROW(bench_change, "ratio", FIELD_REAL, ratio, "now / before", NULLABLE),
	ROW(bench_change, "low", FIELD_REAL, low, "lower end of its interval; null: not known",
	    NULLABLE),
	ROW(bench_change, "high", FIELD_REAL, high, "its upper end", NULLABLE),
	ROW(bench_change, "verdict", FIELD_ENUM, verdict,
	    "slower or faster: 1 lies outside and the ratio is nearer to a change of the threshold "
	    "than to none; same: a change of the threshold lies outside; undecided; not-compared",
	    .required = true, .names = verdicts),
	ROW(bench_change, "why", FIELD_TEXT, why,
	    "why it is not compared, or what else changed: the library", NULLABLE),
};

static const struct field_table change_table = FIELD_TABLE(
	"bench-change", struct bench_change, change_rows, "A result against that of a baseline.");

static const struct field result_rows[] = {
	ROW(bench_result, "id", FIELD_TEXT, id,
	    "SUITE/CASE/DEVICE-OR-ENGINE/SIZE/CORES, the same in every run", .required = true),
	ROW(bench_result, "suite", FIELD_TEXT, suite,
	    "the suite; \"import\": read from the output of another run", NULLABLE),
	ROW(bench_result, "suite_version", FIELD_NUMBER, suite_version,
	    "results of another version of a suite are not compared; 0: imported", .required = true,
	    .minimum = 0, .maximum = 1000000),
	ROW(bench_result, "case", FIELD_TEXT, name, "as references name it", .required = true),
	ROW(bench_result, "engine", FIELD_TEXT, engine, "what measured it", .required = true),
	ROW(bench_result, "device", FIELD_TEXT, device, "the driver, of DPDK", NULLABLE),
	ROW(bench_result, "size_bytes", FIELD_NUMBER, size_bytes,
	    "of one operation; 0: it has no size", .required = true),
	ROW(bench_result, "cores", FIELD_NUMBER, cores, "that worked", .required = true),
	ROW(bench_result, "core_list", FIELD_TEXT, core_list, "which, \"main 0, workers 1-2\"",
	    NULLABLE),
	ROW(bench_result, "library", FIELD_INSIDE, library, "the library that did the work",
	    .required = true, .table = &library_table),
	ROW(bench_result, "outcome", FIELD_ENUM, outcome,
	    "pass; fail: wrong, below the band or slower than the baseline; na: not here; unknown",
	    .required = true, .names = bench_outcomes),
	ROW(bench_result, "emulated", FIELD_BOOL, emulated,
	    "under an emulator: the number says nothing about any machine", .required = true),
	ROW(bench_result, "verified", FIELD_BOOL, verified,
	    "known answers were right before and after, on the path that was timed",
	    .required = true),
	ROW(bench_result, "unverified", FIELD_TEXT, unverified, "why not; null: it is verified",
	    NULLABLE),
	ROW(bench_result, "estimate", FIELD_OBJECT, estimate, "null: there is no number", NULLABLE,
	    .table = &estimate_table),
	ROW(bench_result, "rates", FIELD_INSIDE, rates, "the estimate in other units",
	    .required = true, .table = &rates_table),
	ROW(bench_result, "cycles_per_byte", FIELD_REAL, cycles_per_byte,
	    "cycles of the core at its measured clock for each byte", NULLABLE),
	ROW(bench_result, "efficiency", FIELD_REAL, efficiency,
	    "on several cores: 1 is that many times one core", NULLABLE),
	ROW(bench_result, "limit_share", FIELD_REAL, limit_share,
	    "0 to 1: how much of what the core can do this is", NULLABLE),
	ROW(bench_result, "limit", FIELD_TEXT, limit, "which of the core's limits that is",
	    NULLABLE),
	ROW(bench_result, "reference", FIELD_OBJECT, reference,
	    "a published number; null: there is none", NULLABLE, .table = &reference_match_table),
	ROW(bench_result, "change", FIELD_OBJECT, change, "against --baseline; null: without one",
	    NULLABLE, .table = &change_table),
	ROW(bench_result, "reason", FIELD_TEXT, reason,
	    "of fail, na and unknown; what is to be known of a pass", NULLABLE),
	ROW(bench_result, "explain", FIELD_TEXTS, explain,
	    "what a shortfall may come from, and how to confirm it", .required = true),
	ROW(bench_result, "raw", FIELD_ARRAY, raw, "every sample", .required = true,
	    .table = &sample_table),
};

const struct field_table bench_result_table =
	FIELD_TABLE("bench-result", struct bench_result, result_rows,
		    "One case on one device, at one size, on one number of cores.");

static const struct field limit_rows[] = {
	ROW(bench_limit, "name", FIELD_TEXT, name, "as the cases of suites name it",
	    .required = true),
	ROW(bench_limit, "gbps", FIELD_REAL, gbps,
	    "10^9 bits a second, when the core does nothing but these instructions",
	    .required = true),
};

static const struct field_table limit_table =
	FIELD_TABLE("bench-limit", struct bench_limit, limit_rows,
		    "What the core's instructions could do at most.");

static const struct field summary_rows[] = {
	ROW(bench_summary, "pass", FIELD_NUMBER, pass, "results that pass", .required = true),
	ROW(bench_summary, "fail", FIELD_NUMBER, fail, "results that fail", .required = true),
	ROW(bench_summary, "na", FIELD_NUMBER, na, "results that do not apply here",
	    .required = true),
	ROW(bench_summary, "unknown", FIELD_NUMBER, unknown, "results without a verdict",
	    .required = true),
	ROW(bench_summary, "verification_ms", FIELD_NUMBER, verification_ms,
	    "milliseconds spent on known answers", .required = true),
	ROW(bench_summary, "measurement_ms", FIELD_NUMBER, measurement_ms,
	    "milliseconds spent on measuring", .required = true),
	ROW(bench_summary, "clock_ghz", FIELD_REAL, clock_ghz,
	    "of the core, measured; null: not known", NULLABLE),
	ROW(bench_summary, "seed", FIELD_TEXT, seed, "of the order of the cases; null: no order",
	    NULLABLE),
	ROW(bench_summary, "limits", FIELD_ARRAY, limits,
	    "of the core that was measured; empty: not known", .required = true,
	    .table = &limit_table),
};

const struct field_table bench_summary_table =
	FIELD_TABLE("bench-summary", struct bench_summary, summary_rows,
		    "The results counted, and what it took.");

struct bench_rates bench_rates_of(double value, const char *unit, int64_t size_bytes)
{
	struct bench_rates rates = {NAN, NAN, NAN, NAN};

	if (!isfinite(value) || value <= 0)
		return rates;
	if (strcmp(unit, "MOps") == 0) {
		rates.mops = value;
		if (size_bytes > 0)
			rates.gbps = value * (double)size_bytes * 8 / 1000;
	} else {
		rates.gbps = value;
		if (size_bytes > 0)
			rates.mops = value * 1000 / ((double)size_bytes * 8);
	}
	if (isfinite(rates.mops))
		rates.ns_per_op = 1000 / rates.mops;
	return rates;
}
