// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/hugepages.h"
#include "host/kernel.h"

#include <errno.h>

#define SYSTEM_POOLS "/sys/kernel/mm/hugepages"
#define ONLINE_NODES "/sys/devices/system/node/online"

/* What a DPDK program with a few ports and its mempools needs on a node before anything else is
 * known. */
#define NEED_BYTES ((int64_t)1 << 30)

static const char *size_text(struct arena *arena, int64_t bytes)
{
	if (bytes >= 1 << 30 && bytes % (1 << 30) == 0)
		return arena_printf(arena, "%lld GB", (long long)(bytes >> 30));
	if (bytes >= 1 << 20)
		return arena_printf(arena, "%lld MB", (long long)(bytes >> 20));
	return arena_printf(arena, "%lld KB", (long long)(bytes >> 10));
}

/* Why the pools cannot be judged at all; false when they can. */
static bool pools_missing(struct facts *facts, const struct hugepages *huge, struct value *out)
{
	if (huge->system_error == ENOENT)
		*out = value_none("this kernel has no huge pages (no " SYSTEM_POOLS ")");
	else if (huge->system_error)
		*out = value_errno(facts->arena, SYSTEM_POOLS, huge->system_error);
	else if (huge->node_error == ENOENT)
		*out = value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s is missing",
				     huge->node_path);
	else if (huge->node_error)
		*out = value_errno(facts->arena, huge->node_path, huge->node_error);
	else
		return false;
	return true;
}

static void cite_pool(struct facts *facts, struct value *value, const struct hugepage_pool *pool)
{
	const char *path =
		pool->node == HUGEPAGES_EVERY_NODE
			? arena_printf(facts->arena, SYSTEM_POOLS "/hugepages-%lldkB",
				       (long long)(pool->size_bytes >> 10))
			: arena_printf(facts->arena,
				       "/sys/devices/system/node/node%d/hugepages/hugepages-%lldkB",
				       pool->node, (long long)(pool->size_bytes >> 10));
	const char *raw =
		pool->pages > 0
			? arena_printf(
				  facts->arena,
				  "nr_hugepages %lld, free_hugepages %lld, surplus_hugepages %lld",
				  (long long)pool->pages, (long long)pool->free,
				  (long long)pool->surplus)
			: "nr_hugepages 0";
	value_cite(facts->arena, value, path, raw, CONFIDENCE_DIRECT);
}

static void cite_system(struct facts *facts, struct value *value, const struct hugepages *huge)
{
	for (size_t i = 0; i < huge->system_count; i++)
		cite_pool(facts, value, &huge->system[i]);
}

static struct value sizes_read(struct facts *facts, const char *of)
{
	(void)of;
	const struct hugepages *huge = host_hugepages(facts->host);
	struct value value;
	if (huge->system_error && pools_missing(facts, huge, &value))
		return value;
	struct names sizes = {0};
	for (size_t i = 0; i < huge->system_count; i++)
		names_add(facts->arena, &sizes,
			  size_text(facts->arena, huge->system[i].size_bytes));
	value = value_list(sizes);
	value_cite(facts->arena, &value, SYSTEM_POOLS, names_join(facts->arena, &sizes, ", "),
		   CONFIDENCE_DIRECT);
	return value;
}

static struct value free_read(struct facts *facts, const char *of)
{
	(void)of;
	const struct hugepages *huge = host_hugepages(facts->host);
	struct value value;
	if (pools_missing(facts, huge, &value))
		return value;
	int64_t free_bytes = 0;
	for (size_t i = 0; i < huge->system_count; i++) {
		const struct hugepage_pool *pool = &huge->system[i];
		if (pool->free > 0 && pool->free < INT64_MAX / pool->size_bytes)
			free_bytes += pool->free * pool->size_bytes;
	}
	value = value_number(free_bytes);
	cite_system(facts, &value, huge);
	return value;
}

static int64_t node_free_bytes(const struct hugepages *huge, uint32_t node)
{
	int64_t free_bytes = 0;
	for (size_t i = 0; i < huge->node_count; i++) {
		const struct hugepage_pool *pool = &huge->nodes[i];
		if (pool->node == (int)node && pool->free > 0 &&
		    pool->free < INT64_MAX / pool->size_bytes)
			free_bytes += pool->free * pool->size_bytes;
	}
	return free_bytes;
}

/* Only where there is one: what is free counts, not what was reserved (a leak leaves the total as
 * it was). */
static struct value nodes_short_read(struct facts *facts, const char *of)
{
	(void)of;
	const struct hugepages *huge = host_hugepages(facts->host);
	struct value value;
	if (pools_missing(facts, huge, &value))
		return value;
	if (huge->used_node_error && huge->used_node_error != ENOENT)
		return value_errno(facts->arena, ONLINE_NODES, huge->used_node_error);
	if (!huge->used_node_error && huge->used_node_count == 0)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED,
				     "no node of " ONLINE_NODES " has CPUs");
	struct names nodes_short = {0};
	for (size_t i = 0; i < huge->used_node_count; i++) {
		int64_t free_bytes = node_free_bytes(huge, huge->used_nodes[i]);
		if (free_bytes >= NEED_BYTES)
			continue;
		names_add(facts->arena, &nodes_short,
			  arena_printf(facts->arena, "node %u has %s free, wants %s",
				       huge->used_nodes[i], size_text(facts->arena, free_bytes),
				       size_text(facts->arena, NEED_BYTES)));
	}
	if (huge->used_node_error == ENOENT) {
		struct value free_bytes = free_read(facts, NULL);
		if (free_bytes.number < NEED_BYTES)
			names_add(facts->arena, &nodes_short,
				  arena_printf(facts->arena, "%s free, wants %s",
					       size_text(facts->arena, free_bytes.number),
					       size_text(facts->arena, NEED_BYTES)));
	}
	value = value_list(nodes_short);
	for (size_t i = 0; i < huge->node_count; i++)
		cite_pool(facts, &value, &huge->nodes[i]);
	if (huge->node_count == 0)
		cite_system(facts, &value, huge);
	return value;
}

/* A pool smaller than what one PMD entry maps costs more TLB entries for the same memory. */
static struct value small_read(struct facts *facts, const char *of)
{
	(void)of;
	const struct hugepages *huge = host_hugepages(facts->host);
	struct value value;
	if (pools_missing(facts, huge, &value))
		return value;
	struct value page = kernel_page_size(facts);
	if (page.kind != VALUE_NUMBER)
		return page;
	int64_t pmd = hugepages_pmd_size(page.number);
	if (pmd == 0)
		return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
				     "which huge page suits a page of %lld bytes is not known",
				     (long long)page.number);
	struct names small = {0};
	size_t used = 0;
	for (size_t i = 0; i < huge->system_count; i++) {
		const struct hugepage_pool *pool = &huge->system[i];
		if (pool->pages <= 0)
			continue;
		used++;
		if (pool->size_bytes < pmd)
			names_add(facts->arena, &small,
				  arena_printf(facts->arena, "%lld pages of %s, wants %s or more",
					       (long long)pool->pages,
					       size_text(facts->arena, pool->size_bytes),
					       size_text(facts->arena, pmd)));
	}
	value = used == 0 ? value_none("no huge page is reserved") : value_list(small);
	cite_system(facts, &value, huge);
	value_cite_all(facts->arena, &value, &page);
	return value;
}

static struct value mounts_missing_read(struct facts *facts, const char *of)
{
	(void)of;
	const struct hugepages *huge = host_hugepages(facts->host);
	struct value value;
	if (pools_missing(facts, huge, &value))
		return value;
	if (huge->mounts_error)
		return huge->mounts_error == ENOENT
			       ? value_unknown(facts->arena, UNKNOWN_DAMAGED,
					       "/proc/mounts is missing: is /proc mounted?")
			       : value_errno(facts->arena, "/proc/mounts", huge->mounts_error);
	struct names missing = {0};
	for (size_t i = 0; i < huge->system_count; i++) {
		bool mounted = false;
		for (size_t m = 0; m < huge->mount_count; m++)
			mounted =
				mounted || huge->mounts[m].size_bytes == huge->system[i].size_bytes;
		if (huge->system[i].pages > 0 && !mounted)
			names_add(facts->arena, &missing,
				  size_text(facts->arena, huge->system[i].size_bytes));
	}
	value = value_list(missing);
	for (size_t m = 0; m < huge->mount_count; m++)
		value_cite(facts->arena, &value, "/proc/mounts",
			   arena_printf(facts->arena, "hugetlbfs on %s, %s pages",
					text_printable(facts->arena, view_of(huge->mounts[m].path)),
					size_text(facts->arena, huge->mounts[m].size_bytes)),
			   CONFIDENCE_DIRECT);
	if (huge->mount_count == 0)
		value_cite(facts->arena, &value, "/proc/mounts", "no hugetlbfs", CONFIDENCE_DIRECT);
	return value;
}

static struct value map_files_read(struct facts *facts, const char *of)
{
	(void)of;
	const struct hugepages *huge = host_hugepages(facts->host);
	if (huge->mounts_error)
		return huge->mounts_error == ENOENT
			       ? value_unknown(facts->arena, UNKNOWN_DAMAGED,
					       "/proc/mounts is missing: is /proc mounted?")
			       : value_errno(facts->arena, "/proc/mounts", huge->mounts_error);
	if (huge->mount_count == 0)
		return value_none("no hugetlbfs is mounted");
	struct names found = {0};
	for (size_t m = 0; m < huge->mount_count; m++) {
		const struct hugepage_mount *mount = &huge->mounts[m];
		if (mount->list_error)
			return value_errno(facts->arena, mount->path, mount->list_error);
		if (mount->map_files > 0)
			names_add(facts->arena, &found,
				  arena_printf(facts->arena, "%zu map files in %s, possibly stale",
					       mount->map_files,
					       text_printable(facts->arena, view_of(mount->path))));
	}
	struct value value = value_list(found);
	for (size_t m = 0; m < huge->mount_count; m++)
		value_cite(facts->arena, &value, huge->mounts[m].path,
			   arena_printf(facts->arena, "%zu files named *map_N",
					huge->mounts[m].map_files),
			   CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "hugepages.sizes",
	 .summary = "huge page sizes this kernel offers, /sys/kernel/mm/hugepages",
	 .read = sizes_read},
	{.name = "hugepages.free",
	 .unit = "bytes",
	 .summary = "memory in free huge pages of every size, free_hugepages of the system's pools",
	 .read = free_read},
	{.name = "hugepages.nodes-short",
	 .summary =
		 "nodes with CPUs that have less than 1 GB in free huge pages, all sizes together",
	 .read = nodes_short_read},
	{.name = "hugepages.small",
	 .summary = "pools in use whose pages are smaller than one PMD entry maps with this "
		    "kernel's page size",
	 .read = small_read},
	{.name = "hugepages.not-mounted",
	 .summary = "sizes that have pages but no hugetlbfs mount, /proc/mounts",
	 .read = mounts_missing_read},
	{.name = "hugepages.map-files",
	 .summary = "hugetlbfs mounts that hold DPDK map files, which keep their pages allocated",
	 .read = map_files_read},
};

const struct fact_table hugepages_facts = FACT_TABLE(rows);
