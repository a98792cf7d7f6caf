// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "engine/run.h"

#include <sys/types.h>

/* What the keeper of a job writes to us, a whole struct at a time. */
enum run_news { RUN_STARTED, RUN_FAILED, RUN_ENDED };

struct run_report {
	enum run_news news;
	int number; /* FAILED: errno value */
	pid_t pid;  /* STARTED: of the program */
	int status; /* ENDED */
	int64_t wall_ns, cpu_ns, involuntary, peak_bytes;
};

/* Threads of one process as they are seen from sample to sample. */
#define RUN_THREADS_MAX 4096

struct run_threads {
	struct engine_thread *items; /* sorted as they were met */
	size_t count, room;
	int64_t sampled_ns;              /* 0: never */
	int64_t steal_first, steal_last; /* ticks; -1: not known */
};

/* In the child: argv ends with NULL. Starts the program, waits for it, ends all that it left
 * behind. */
_Noreturn void run_keep(const struct engine_job *job, const char *const *argv, int output,
			int report);
/* One look at all threads; what has ended keeps its last values. */
void run_sample(struct arena *arena, struct run_threads *threads, pid_t pid);
/* Between the first sample and the last; -1: not known. */
int64_t run_steal_ns(const struct run_threads *threads);
/* Whether a file is mapped; *other: another one of the same name. */
bool run_maps(struct arena *arena, pid_t pid, const char *path, const char **other);
