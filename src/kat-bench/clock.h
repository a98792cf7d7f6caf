// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * The clock of the core this thread runs on. A chain of additions, each of which needs the one
 * before, takes one cycle each; register moves would not do, many cores rename them away, and some
 * do additions of constants while renaming, so the other operand is a register. Where the core's
 * cycle counter may be read (perf_event_open(2)), it counts instead.
 */
struct core_clock {
	int counter; /* descriptor of the cycle counter; -1: the chain is counted */
};

struct core_clock core_clock_open(void);
const char *core_clock_source(const struct core_clock *clock); /* "pmu", "chain" */
/* Hz over about that time; 0: the counter was not running. */
int64_t core_clock_measure(const struct core_clock *clock, int64_t wall_ns);
