// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host;

/* A pool of the whole system, where one node's pools are not told apart. */
#define HUGEPAGES_EVERY_NODE (-1)

/* Pages of one size on one node. Counts are pages; -1 was not read, because `nr_hugepages` is 0 or
 * unreadable. */
struct hugepage_pool {
	int64_t size_bytes;
	int node;
	int64_t pages, free, surplus;
};

/* A mounted hugetlbfs and the DPDK map files in it ("rtemap_0": PREFIX, "map_", number). */
struct hugepage_mount {
	const char *path;
	int64_t size_bytes; /* 0: the default size, which is not known */
	int list_error;     /* errno of listing it */
	size_t map_files;
};

/*
 * Huge pages as the kernel keeps them: pools per node from /sys/devices/system/node, of the system
 * from /sys/kernel/mm/hugepages, the default size from /proc/meminfo, mounts from /proc/mounts
 * (Documentation/admin-guide/mm/hugetlbpage). A pool that is empty on the whole system is not read
 * again per node.
 */
struct hugepages {
	int system_error; /* errno of listing /sys/kernel/mm/hugepages; ENOENT: the kernel has none
			   */
	const struct hugepage_pool *system;
	size_t system_count;
	int node_error;                    /* the first errno met below a node */
	const char *node_path;             /* where it was met */
	const struct hugepage_pool *nodes; /* only of sizes that have pages */
	size_t node_count;
	const uint32_t *used_nodes; /* nodes with CPUs, sorted */
	size_t used_node_count;
	int used_node_error; /* errno of /sys/devices/system/node/online; ENOENT: a kernel without
				NUMA */
	int64_t default_size_bytes; /* 0: not known */
	int mounts_error;
	const struct hugepage_mount *mounts;
	size_t mount_count;
};

const struct hugepages *host_hugepages(struct host *host);

/* The kernel's own page size from the sizes of its pools (4096, 16384, 65536), or 0: 2 MB alone
 * says nothing on arm64. */
int64_t hugepages_base_page(const int64_t *sizes, size_t count);
/* What one PMD entry maps: the size that huge pages of a kernel with this page should have. 0 when
 * not known. */
int64_t hugepages_pmd_size(int64_t page_size_bytes);
/* "rtemap_12" and "PREFIXmap_12" are files of DPDK. */
bool hugepages_is_map_file(const char *name);

extern const struct fact_table hugepages_facts;
