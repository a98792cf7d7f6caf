// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

#include <stdbool.h>

/*
 * What `audit --measure` measured: one CPU of each node, in a process of its own (engine/kat.h,
 * mode `machine`). Judged here, never run here. A clock that was disturbed, varied, or is a
 * guest's decides nothing; walks through memory are evidence and never a verdict.
 */
struct measure_batch {
	const char *name; /* clock, or a walk: chase, stride-64, stride-256 */
	int64_t size_bytes;
	double steps;
	int64_t wall_ns, cpu_ns, switches, steal; /* steal -1: not known */
};

struct measure_node {
	int64_t node;             /* -1: the kernel shows none */
	int64_t cpu;              /* where it was measured */
	const char *error;        /* why there is nothing below; NULL */
	const char *clock_source; /* pmu, chain */
	const double *clocks_hz;  /* sorted */
	size_t clock_count;
	const struct measure_batch *batches;
	size_t batch_count;
};

struct measure {
	struct measure_node *nodes;
	size_t count;
	const char *why; /* nothing could be measured; NULL */
};

/* "node 0, CPU 2: 2999 MHz, …": all that was found there, or why nothing was. */
const char *measure_describe(struct arena *arena, const struct measure_node *node);

extern const struct fact_table measure_facts; /* cpu.measured-clock, firmware.prefetch … */
