// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host;

#define IDLE_STATES_MAX 16

/* One idle state of one CPU, /sys/devices/system/cpu/cpuN/cpuidle/stateM (Linux,
 * Documentation/admin-guide/pm/cpuidle). */
struct idle_state {
	const char *entry; /* "state1" */
	int64_t latency_us;
	bool wfi;  /* by its description */
	bool deep; /* left later than the shallowest, which is WFI where one is named so */
};

/* The states of a CPU, sorted by entry. False: *unread is the first path that could not be read. */
bool cpuidle_read(struct host *host, uint32_t cpu, struct idle_state *states, size_t *count,
		  const char **unread);
/* …/cpuN/cpuidle/stateM/disable, which keeps that CPU out of the state while it holds 1. */
const char *cpuidle_disable_path(struct arena *arena, uint32_t cpu, const char *entry);

extern const struct fact_table cpuidle_facts;
