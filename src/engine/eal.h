// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

/* What the host gives to DPDK processes. Read by eal_host_read() (host/topology, host/hugepages,
 * the affinity and cpuset of this process, memory free); a test fills it by hand. */
struct eal_node {
	uint32_t id;
	uint32_t *cpus; /* allowed ones, sorted; the first thread of each core first */
	size_t cpu_count;
	size_t core_count;  /* of them first threads of their cores */
	size_t isolated;    /* of them isolated from the scheduler; these stand first */
	int64_t huge_bytes; /* free, of the largest useful page size */
	int64_t huge_page_bytes;
};

struct eal_host {
	struct eal_node *nodes; /* those with allowed CPUs, sorted */
	size_t node_count;
	bool threads;            /* SMT siblings are workers, too: the caller's wish */
	int64_t available_bytes; /* of memory that is no huge page; 0: not known */
	bool root;               /* may use hugetlbfs and PCI */
	const char *why_no_huge; /* "no free huge pages", … when no node has any */
};

struct host;
bool eal_host_read(struct host *host, struct eal_host *out, struct error *err);
/* Likewise with the CPUs that may be used; NULL: all that are online. */
bool eal_host_of(struct host *host, const uint32_t *allowed, size_t count, struct eal_host *out,
		 struct error *err);

/* One DPDK process: cores of one node. */
struct eal_process {
	const struct eal_node *node;
	uint32_t main_cpu; /* spins; is never a worker */
	uint32_t *workers;
	size_t worker_count;
	bool shares_core; /* the main lcore spins on the sibling of a worker: no other core */
	bool huge;        /* false: --no-huge, and its numbers are marked */
	const char *why_no_huge;
	int64_t memory_bytes; /* what its pools need */
};

/* Sum of the workers of all processes is `cores`. */
struct eal_plan {
	struct eal_process *processes;
	size_t count;
	size_t cores;
	const char *na; /* why this many cores cannot be had; processes are none then */
};

#define EAL_WORKERS_MAX 255 /* of one process: queue pairs of a software device */

/* `cores` workers on as few nodes as have room for them (spread = false) or on all; evenly where it
 * is more than one, as their processes run in one common window. Each process needs one CPU more
 * for its main lcore. `pool_bytes` are what one worker's pools need. Pure. */
void eal_plan_cores(struct arena *arena, const struct eal_host *host, size_t cores, bool spread,
		    int64_t pool_bytes, struct eal_plan *out);
/* EAL words up to and without "--": --lcores (l@cpu, so that any CPU number will do), memory, vdev
 * with max_nb_queue_pairs and socket_id, --no-pci, --no-telemetry … `prefix` is its --file-prefix.
 */
void eal_argv(struct arena *arena, const struct eal_process *process, const char *device,
	      const char *prefix, struct names *out);

/* Every --file-prefix of ours: this, the process id of the bench, "-" and a number. */
#define EAL_PREFIX "ampere-crypto-"
#define EAL_RUNTIME_DIRECTORY "/var/run/dpdk" /* of root */
/* Where mkdir() could not be refused (run.h), EAL has made an empty runtime directory: removes
 * those of this process and of processes that are gone. Call it when no program runs. */
void eal_clean(const char *directory);
