// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct error;

/* What this thread and its CPU went through, read before and after a batch. */
struct moment {
	int64_t wall_ns, cpu_ns; /* CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID */
	int64_t switches;        /* involuntary, of this thread */
	int64_t steal;           /* ticks of the CPU in /proc/stat; -1: not known */
};

/* This thread's CPU, and /proc/stat as an open descriptor. */
struct machine {
	int64_t cpu; /* -1: not pinned */
	int stat;
};

/* Pins this thread; an error where a cgroup or the system does not give it this CPU. */
bool machine_open(int64_t cpu, struct machine *out, struct error *err);
/* The clocks are read last before a batch and first behind it. */
struct moment machine_before(const struct machine *machine);
struct moment machine_after(const struct machine *machine);
int64_t machine_clock_ns(void);
/* CPU time of this thread. */
int64_t machine_cpu_ns(void);
