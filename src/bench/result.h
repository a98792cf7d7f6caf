// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "bench/reference.h"

/* One measurement kept as it was taken. */
struct bench_sample {
	int64_t invocation; /* of the process that gave it, from 0 */
	double value;       /* in the result's unit */
	double seconds, cpu_seconds;
	int64_t switches;    /* involuntary; -1: not known */
	const char *dropped; /* why it does not count; NULL: it does */
};

struct bench_estimate {
	double value;     /* the median */
	const char *unit; /* Gbps, MOps */
	double low, high; /* 95 % interval of the median; null with too few samples */
	int64_t samples, dropped;
};

struct bench_library {
	const char *path, *version, *capability;
};

/* The ways people read a rate. NaN: does not apply. */
struct bench_rates {
	double gbps, mops, ns_per_op;
	double ticks_per_op; /* of the timer, only from imported output; never cycles */
};

struct bench_change {            /* against --baseline */
	double ratio, low, high; /* now / before; NaN: not compared, or too few invocations */
	const char *verdict;     /* slower, faster, same, undecided, not-compared */
	const char *why;         /* why not compared; what else changed; NULL */
};

struct bench_result {
	const char *id; /* SUITE/CASE/DEVICE-OR-ENGINE/SIZE/CORES, stable between runs */
	const char *suite, *name, *engine, *device;
	int64_t suite_version; /* 0: imported */
	int64_t size_bytes;    /* 0: none */
	int64_t cores;
	const char *core_list; /* "main 0, workers 1-2", NULL */
	struct bench_library library;
	const char *outcome; /* pass fail na unknown */
	bool emulated;       /* the number says nothing about any machine */
	bool verified;
	const char *unverified;          /* why not; NULL when verified */
	struct bench_estimate *estimate; /* NULL: no number */
	struct bench_rates rates;
	double cycles_per_byte; /* of the core's measured clock; NaN: not known */
	double limit_share;     /* 0…1 of what the core can do; NaN: no limit known */
	double efficiency;      /* of N cores: 1 is N times one core; NaN: not measured */
	const char *limit;      /* which: aes, pmull, … */
	const struct reference_match *reference; /* NULL: none published */
	struct bench_change *change;
	const char *reason;     /* of fail, na, unknown; and what is to be known of a pass */
	struct names explain;   /* what a shortfall may come from, and how to confirm it */
	struct field_array raw; /* struct bench_sample */
};

/* What the core could do at most, was there nothing else to do. */
struct bench_limit {
	const char *name; /* aes-128, ghash, sha256 …, as the cases of suites name them */
	double gbps;
};

struct bench_summary {
	int64_t pass, fail, na, unknown;
	int64_t verification_ms, measurement_ms;
	double clock_ghz; /* measured; NaN: not known */
	const char *seed;
	struct field_array limits; /* struct bench_limit */
};

extern const struct field_table bench_result_table, bench_summary_table;
extern const char *const bench_outcomes[];

/* Sets rates from a value in the unit of a result. */
struct bench_rates bench_rates_of(double value, const char *unit, int64_t size_bytes);
