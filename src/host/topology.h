// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/host.h"

#define TOPOLOGY_CPUS_MAX 8192
#define TOPOLOGY_NODES_MAX 1024

struct cpu_set {
	uint32_t *cpus; /* sorted */
	size_t count;
};

struct numa_node {
	uint32_t id;
	bool cpus_known;
	struct cpu_set cpus; /* empty for memory-only nodes */
	uint32_t *distances; /* to every node of topology->nodes, in its order; NULL when not
				readable */
	size_t distance_count;
	int package; /* index into topology->packages, -1: no CPUs or not known */
};

struct package {
	struct cpu_set cpus;
};

/* Linux's view: /sys/devices/system/cpu and /sys/devices/system/node. A count of 0 with number != 0
 * is "not known". */
struct topology {
	int online_number, present_number, node_number; /* errno of cpu/online …; 0 when read */
	struct cpu_set online, present;
	struct package *packages;
	size_t package_count; /* 0: not known */
	struct numa_node *nodes;
	size_t node_count;       /* 0: not known */
	size_t threads_per_core; /* 0: not known */
};

const struct topology *host_topology(struct host *host);

extern const struct fact_table topology_facts;
