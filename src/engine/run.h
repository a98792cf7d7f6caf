// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

/* What one thread of a measuring process used, as last seen while it ran: every 100 ms. */
struct engine_thread {
	int64_t id;
	const char *name;                 /* comm: "dpdk-worker1", "lcore-worker-1" */
	int64_t cpu;                      /* where it was last seen */
	bool pinned;                      /* it may use no other CPU */
	int64_t cpu_ns;                   /* CPU time */
	int64_t waited_ns;                /* ready to run, but another one ran; -1: not known */
	int64_t involuntary;              /* context switches */
	int64_t busy_from_ns, busy_to_ns; /* CLOCK_MONOTONIC: first and last time that it was
					   * found at work; 0: never */
};

/*
 * Runs one measuring program and watches it: own process group, standard input empty, an
 * environment of only PATH, LC_ALL=C, HOME=/ and what is given, both outputs kept together, a time
 * limit. It ends with this process however that ends (PR_SET_PDEATHSIG), and so does all it
 * started.
 */
struct engine_job {
	const struct names *argv;        /* [0] is a path */
	const struct names *environment; /* "NAME=VALUE"; NULL: none more */
	const int *keep;                 /* descriptors it inherits under the same numbers */
	size_t keep_count;
	int64_t cpu; /* -1: where it likes; else the only CPU it may use */
	/* mkdir() fails in it: EAL makes a runtime directory that it never removes, and with
	 * --no-shconf or --in-memory does as well without. */
	bool no_directories;
	/* A file that must be mapped by it, as the libcrypto of a stack; NULL: not looked. */
	const char *wants;
	unsigned timeout_ms;
	/* Called at least every 200 ms; false ends the run (interrupted). NULL: none. */
	bool (*tick)(void *context);
	void *context;
};

struct engine_ran {
	int status;                           /* 0…255, 128 + signal */
	bool timed_out, cut, interrupted;     /* cut: more output than ENGINE_OUTPUT_MAX_BYTES */
	int64_t wall_ns, cpu_ns, involuntary; /* of the whole process, as wait4() says */
	int64_t peak_bytes;
	int64_t steal_ns; /* that the host of a VM took from all CPUs meanwhile; -1: not known */
	struct engine_thread *threads; /* as last seen while it ran */
	size_t thread_count;
	struct view output;       /* of a run that was cut the first MB */
	bool mapped;              /* the file that was wanted was seen in its mappings */
	const char *mapped_other; /* another file of the same name was, NULL */
};

#define ENGINE_JOBS_MAX 64

/* Starts all of them at once and waits for all; what ends one (limit, interruption) does not end
 * the others, an interruption excepted. An error only when one cannot be started: then none goes
 * on. */
bool engine_run_jobs(struct arena *arena, const struct engine_job *jobs, size_t count,
		     struct engine_ran *out, struct error *err);
bool engine_run_job(struct arena *arena, const struct engine_job *job, struct engine_ran *out,
		    struct error *err);
