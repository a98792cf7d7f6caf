// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/*
 * What a measuring program printed, before anyone judges it. A real that was not printed is NaN, a
 * whole number -1, a text NULL. Rates are of what the program says it did: bytes and operations per
 * second of wall-clock time.
 */
struct engine_row {
	const char *name;      /* what was measured, as the program names it: "AES-128-GCM" */
	const char *operation; /* "seal", "open", "sign", "verify", "encrypt", "keygen" … */
	int64_t size_bytes;    /* of one operation; -1: it has no size, as a signature */
	int64_t core, burst;   /* lcore of DPDK */
	double bytes_per_s, ops_per_s;
	double seconds;                      /* how long it was measured */
	double ticks_per_op;                 /* of the timer, which is not the core's clock */
	double ticks_enqueue, ticks_dequeue; /* per operation: pmd-cyclecount */
	double latency_us, latency_max_us;   /* average, maximum */
	int64_t enqueued, dequeued, failed_enqueue, failed_dequeue; /* DPDK: failed are retries */
	int64_t failed_ops;                                         /* verify only */
	const char *void_reason; /* why the number must not be used; NULL: it may */
	size_t line;             /* of the output, from 1 */
};

/* How a run ended, as far as its output (and exit status, where known) tells. */
enum engine_end {
	ENGINE_DONE,    /* it has rows */
	ENGINE_NOTHING, /* it said nothing that is known */
	ENGINE_MISSING, /* what it was asked for is not built in: na */
	ENGINE_UNABLE,  /* this machine does not give it what it needs: memory, cores, rights */
	ENGINE_MISUSED, /* an option it does not take: our mistake, or the paster's */
	ENGINE_BROKEN,  /* it crashed, was cut, or printed what cannot be */
	ENGINE_WRONG,   /* a known answer failed */
};

/* One run of one program. */
struct engine_run {
	const char *engine; /* "dpdk-crypto-perf", "openssl-speed", "bssl-speed"; NULL: not known */
	const char *test;   /* of DPDK: "throughput", "latency", "verify", "pmd-cyclecount" */
	const char *version;         /* of the program, "22.11.11", "3.5.9" */
	const char *library_version; /* where it differs or is said apart */
	const char *device;          /* of DPDK: "crypto_openssl" */
	const char *capability;      /* "OPENSSL_armcap=0xbd", as printed */
	bool capability_forced;      /* by the environment: no measurement of this machine */
	bool elapsed;                /* wall-clock time was asked for, or cannot be else */
	bool emulated;               /* the output itself shows it */
	bool debug_build;            /* likewise: not optimised */
	double timer_hz;             /* what ticks are of, by the rows themselves; NaN */
	int64_t jobs;                /* -multi N; 1 */
	struct names options;        /* said by the output: "buffer-sz=64" … */
	struct engine_row *rows;
	size_t row_count;
	enum engine_end end;
	const char
		*reason; /* one line for people: what went wrong and what to do; NULL when DONE */
	struct names notes; /* harmless or noteworthy, one line each */
	size_t line;        /* where it begins, from 1 */
};

struct engine_runs {
	struct engine_run *items;
	size_t count;
};

#define ENGINE_OUTPUT_MAX_BYTES ((size_t)64 << 20)
#define ENGINE_ROWS_MAX 300000

/* Finds the engines in any text (a CI log, a terminal paste): prompts, colours, time stamps and
 * other programs' lines are skipped, runs are kept apart. Never fails: text without any engine is
 * one run with ENGINE_NOTHING and the reason. */
void engine_parse(struct arena *arena, struct view text, struct engine_runs *out);
/* The output of one run that we started; `status` is its exit status (128 + signal). */
void engine_parse_run(struct arena *arena, const char *engine, struct view text, int status,
		      struct engine_run *out);
