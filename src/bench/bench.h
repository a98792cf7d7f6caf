// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "bench/reference.h"
#include "bench/result.h"
#include "bench/suite.h"
#include "engine/eal.h"
#include "engine/kat.h"

struct arena;
struct error;
struct identity;
struct bench_stack;

/* What is going on, for people who wait. */
struct bench_progress {
	const char *phase;  /* "verify", "measure", "verify again" */
	const char *what;   /* the unit: "aes-gcm-128 crypto_openssl" */
	size_t done, total; /* units of this phase */
	int64_t left_ms;    /* of the whole; -1: not known */
};

/* One result that is being made. */
struct bench_series {
	struct bench_result result;
	const struct suite_case *suite_case;
	struct bench_sample *samples;
	size_t count, room;
	size_t invocations; /* of processes that gave it samples */
	bool over;          /* judged before its time: na, wrong, broken */
	bool enough;        /* its interval is narrow, or as many samples were taken as help */
	bool debug_build;   /* of a library that was built for debugging */
};

struct bench;
struct bench_unit;

/* How the units of one engine are verified and measured. Both add to the series of the unit; what
 * goes wrong with one case is said there (bench_lose()), an error is what ends the whole run. */
struct bench_driver {
	const char *engine;
	bool (*verify)(struct bench *bench, struct bench_unit *unit, bool last, struct error *err);
	bool (*measure)(struct bench *bench, struct bench_unit *unit, struct error *err);
};

/* What one process measures: a row per series. */
struct bench_unit {
	const struct bench_driver *driver;
	const struct suite_case *suite_case; /* of its first series */
	const char *what;                    /* for progress */
	struct bench_series **series;
	size_t count;
	size_t invocations;
	int64_t cost_ms;              /* the longest invocation so far */
	const struct eal_plan *cores; /* DPDK */
	void *state;                  /* of the driver */
	bool done;
	bool hung; /* a process of it did not end in time */
};

/* One run of `bench`. */
struct bench {
	struct arena *arena;
	const struct bench_stack *stack;
	const struct eal_host *cpus;
	const struct identity *identity;
	const struct references *references;
	const struct field_array *findings; /* struct finding, of audit; NULL: not asked */
	const char *helper;                 /* path of kat-bench */
	int64_t cpu;                        /* where one-core engines run; -1: nowhere to pin */
	uint64_t random;                    /* state of random_next() */
	int64_t budget_ms;
	bool (*tick)(void *context); /* false: interrupted */
	void (*progress)(void *context, const struct bench_progress *progress);
	void *context;
	struct bench_unit *units;
	size_t unit_count;
	struct bench_series **series; /* in the order of the suites */
	size_t series_count;
	struct kat_output core;         /* limits and clock of `cpu` */
	double clock_hz;                /* median of them; NaN: not known */
	struct bench_library libcrypto; /* of the stack, with its capability word */
	struct bench_summary summary;
	bool wrong, broken; /* a known answer failed; an engine could not be judged */
	bool interrupted;   /* tick() said so */
};

#define BENCH_SERIES_MAX 20000

/* Units and series of suites. `only` and `skip` are globs of ids; `cores` overrides the counts of
 * the cases. Pure: what this host lacks becomes na at once. */
struct bench_choice {
	const struct suite *const *suites;
	size_t suite_count;
	const struct names *only, *skip;
	const struct numbers *cores;
};
bool bench_plan(struct bench *bench, const struct bench_choice *choice, struct error *err);
/* Whether the helper, which alone knows its cases, has those that suites of the user name. True
 * also when it cannot be asked. */
bool bench_kat_cases(const struct bench *bench, const struct bench_choice *choice,
		     struct error *err);

/* Verify, measure until the intervals are narrow or the budget is used, verify again, judge. */
bool bench_run(struct bench *bench, struct error *err);

/* The user ended it: an error, and nothing more is started. */
bool bench_interrupt(struct bench *bench, struct error *err);
/* Ends a series without a number. outcome: na (does not apply), unknown (the engine could not: exit
 * status 2). */
void bench_lose(struct bench *bench, struct bench_series *series, const char *outcome,
		const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A known answer is wrong: no number, exit status 4. */
void bench_wrong(struct bench *bench, struct bench_series *series, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void bench_sample(struct bench *bench, struct bench_series *series,
		  const struct bench_sample *sample);

struct statistics_interval;

/* Of the medians of the invocations, for what was not dropped. */
void bench_interval(struct bench *bench, const struct bench_series *series,
		    struct statistics_interval *out);
/* Efficiency of results on several cores, and whether their verdicts stand. */
void bench_scale(struct bench *bench);
/* How far clocks are apart, relative to the lowest; NaN: one is not known. Pure. */
double scaling_spread(const double *clocks_hz, size_t count);
/* The verdict of published numbers does not stand when the workers ran at different clocks. Pure.
 */
void scaling_hold(struct arena *arena, double spread, struct bench_result *result);
/* Against result->reference: pass or fail, with the reason. */
void bench_compare(struct arena *arena, struct bench_result *result);
void bench_count(struct bench_summary *summary, const struct field_array *results);
/* Estimates, rates, references, outcome; then what may explain a shortfall. */
void bench_judge(struct bench *bench);
void bench_explain(struct bench *bench, struct bench_series *series);
/* The core's own limits and its clock (engine limit). */
bool bench_core(struct bench *bench, struct error *err);
/* Share of the core's limit that `value` reaches (0…1), NaN; *limit names the one that binds. */
double bench_limit_share(const struct bench *bench, const struct suite_case *suite_case,
			 double bytes_per_s, const char **limit);

/* Known answers of the library of the stack for another engine that measures it: `name` is a case
 * of kat-bench. Sets verified, or ends the series. */
bool bench_kat_check(struct bench *bench, struct bench_series *series, const char *name,
		     struct error *err);

extern const struct bench_driver bench_kat_driver, bench_dpdk_driver, bench_openssl_driver,
	bench_bssl_driver;
