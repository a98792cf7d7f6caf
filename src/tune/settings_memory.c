// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "check/check.h"
#include "host/hugepages.h"
#include "host/kernel.h"
#include "host/topology.h"
#include "tune/settings.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

/*
 * Huge pages for role dpdk, on each node with CPUs.
 *
 * Need: what bench gives a process that has every core of the node (engine/eal.h): 64 MiB, and
 * 48 MiB for each worker, a core being left to the main lcore; never less than 1 GiB, which the
 * check memory.hugepages asks for (host/hugepages_facts.c). What is free in huge pages already
 * counts. Never more than half of the node's free memory; where that half does not hold what is
 * missing to 1 GiB, nothing is planned. Pages that are there stay.
 *
 * Size: what one PMD entry of this kernel maps (2 MB, 32 MB, 512 MB). A 512 MB page wants 512 MB
 * in one piece, so on such a kernel 2 MB pages (CONT PTE) stand by.
 */
#define MIB ((int64_t)1 << 20)
#define FLOOR_BYTES (1024 * MIB)
#define BASE_BYTES (64 * MIB)
#define WORKER_BYTES (48 * MIB)
#define SMALL_BYTES (2 * MIB)
#define LARGE_BYTES (512 * MIB)

/* Where pages are to be reserved: a node, or the whole system of a kernel without NUMA. */
struct place {
	int node; /* HUGEPAGES_EVERY_NODE */
	const char *name;
	size_t cores;
	int64_t free_bytes; /* of memory that is no huge page; -1: not known */
};

static int64_t read_free(struct planner *planner, const char *path, const char *key)
{
	struct view text, line, word;
	uint64_t kib;

	if (root_read(planner->facts->host->root, path, &text))
		return -1;
	while (view_line(&text, &line)) {
		while (view_word(&line, &word)) {
			if (view_is(word, key) && view_word(&line, &word) &&
			    view_u64(word, 10, &kib) && kib < INT64_MAX >> 10)
				return (int64_t)kib << 10;
		}
	}
	return -1;
}

static size_t cores_of(const struct topology *topology, size_t cpus)
{
	size_t threads = topology->threads_per_core ? topology->threads_per_core : 1;

	return cpus / threads ? cpus / threads : 1;
}

static struct place place_of(struct planner *planner, const struct hugepages *huge, size_t at)
{
	struct arena *arena = planner->facts->arena;
	const struct topology *topology = host_topology(planner->facts->host);
	struct place place = {.node = HUGEPAGES_EVERY_NODE, .name = "all"};

	if (huge->used_node_error == ENOENT) {
		place.cores = cores_of(topology, topology->online.count);
		place.free_bytes = read_free(planner, "/proc/meminfo", "MemFree:");
		return place;
	}
	place.node = (int)huge->used_nodes[at];
	place.name = arena_printf(arena, "node%d", place.node);
	for (size_t i = 0; i < topology->node_count; i++) {
		if (topology->nodes[i].id == huge->used_nodes[at])
			place.cores = cores_of(topology, topology->nodes[i].cpus.count);
	}
	place.free_bytes = read_free(
		planner, arena_printf(arena, "/sys/devices/system/node/%s/meminfo", place.name),
		"MemFree:");
	return place;
}

static const struct hugepage_pool *find_pool(const struct hugepages *huge, int node, int64_t size)
{
	const struct hugepage_pool *pools = node < 0 ? huge->system : huge->nodes;
	size_t count = node < 0 ? huge->system_count : huge->node_count;

	for (size_t i = 0; i < count; i++) {
		if (pools[i].node == node && pools[i].size_bytes == size)
			return &pools[i];
	}
	return NULL;
}

static bool has_size(const struct hugepages *huge, int64_t size)
{
	return find_pool(huge, HUGEPAGES_EVERY_NODE, size);
}

static int64_t free_huge(const struct hugepages *huge, int node)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < huge->system_count; i++) {
		const struct hugepage_pool *pool =
			find_pool(huge, node, huge->system[i].size_bytes);

		if (pool && pool->free > 0 && pool->free < INT64_MAX / 64 / pool->size_bytes)
			bytes += pool->free * pool->size_bytes;
	}
	return bytes;
}

static int64_t pages_for(int64_t bytes, int64_t size)
{
	return bytes <= 0 ? 0 : (bytes + size - 1) / size;
}

static const char *pool_id(struct arena *arena, const struct place *place, int64_t size)
{
	return arena_printf(arena, "hugepages/%s/%" PRId64 "kB", place->name, size >> 10);
}

/* False: memory of the node does not do for pages of this size. */
static bool plan_pool(struct planner *planner, const struct place *place, int64_t size,
		      const char *unless)
{
	struct arena *arena = planner->facts->arena;
	const struct hugepages *huge = host_hugepages(planner->facts->host);
	const struct hugepage_pool *pool = find_pool(huge, place->node, size);
	int64_t there = pool && pool->pages > 0 ? pool->pages : 0;
	int64_t have = free_huge(huge, place->node);
	int64_t need =
		BASE_BYTES + (int64_t)(place->cores > 2 ? place->cores - 1 : 1) * WORKER_BYTES;
	int64_t most = place->free_bytes / 2 / size, least = pages_for(FLOOR_BYTES - have, size);
	int64_t more = pages_for((need > FLOOR_BYTES ? need : FLOOR_BYTES) - have, size);
	struct tune_change *change;
	const char *path;

	if (!least || most < least)
		return !least;
	more = more < most ? more : most;
	path = place->node < 0
		       ? arena_printf(arena,
				      "/sys/kernel/mm/hugepages/hugepages-%" PRId64
				      "kB/nr_hugepages",
				      size >> 10)
		       : arena_printf(arena,
				      "/sys/devices/system/node/%s/hugepages/hugepages-%" PRId64
				      "kB/nr_hugepages",
				      place->name, size >> 10);
	change = planner_change(planner, TUNE_PAGES, pool_id(arena, place, size), path,
				arena_printf(arena, "%" PRId64, there),
				arena_printf(arena, "%" PRId64, there + more));
	change->least = there + least;
	change->unless = unless;
	return true;
}

/* A mount for pages that this plan reserves; `needs` NULL: they are there. */
static void plan_mount(struct planner *planner, int64_t size, const char *needs)
{
	struct arena *arena = planner->facts->arena;
	const struct hugepages *huge = host_hugepages(planner->facts->host);
	const struct tune_change *changes = planner->plan->changes.items;
	/* As the kernel writes it in /proc/mounts. */
	const char *label = size < MIB ? arena_printf(arena, "%" PRId64 "K", size >> 10)
				       : arena_printf(arena, "%" PRId64 "M", size >> 20);
	const char *path = arena_printf(arena, "/dev/hugepages-%s", label);
	struct tune_change *change;

	if (huge->mounts_error)
		return;
	for (size_t i = 0; i < huge->mount_count; i++) {
		if (huge->mounts[i].size_bytes == size || strcmp(huge->mounts[i].path, path) == 0)
			return;
	}
	for (size_t i = 0; i < planner->plan->changes.count; i++) {
		if (strcmp(changes[i].path, path) == 0)
			return;
	}
	change = planner_change(planner, TUNE_MOUNT, arena_printf(arena, "hugetlbfs/%s", label),
				path, NULL, arena_printf(arena, "pagesize=%s", label));
	change->needs = needs;
}

/* A mount for pools of this size on any node, where the plan has one. */
static void mount_planned(struct planner *planner, int64_t size)
{
	const char *glob =
		arena_printf(planner->facts->arena, "hugepages/%c/%" PRId64 "kB", '*', size >> 10);
	const struct tune_change *changes = planner->plan->changes.items;

	for (size_t i = 0; i < planner->plan->changes.count; i++) {
		if (fnmatch(glob, changes[i].id, 0) == 0) {
			plan_mount(planner, size, glob);
			return;
		}
	}
}

static void say_small(struct planner *planner, const char *id)
{
	struct tune_change *changes = planner->plan->changes.items;
	struct tune_change *change = &changes[planner->plan->changes.count - 1];

	change->reason = arena_printf(
		planner->facts->arena,
		"%sone 512 MB page maps what 256 of these do, so they take more TLB entries "
		"(memory.hugepage-size goes on to fail); what that costs is not known here",
		id ? "only when 512 MB pages cannot be had: "
		   : "too little memory for 512 MB pages: ");
}

static void plan_place(struct planner *planner, const struct place *place, int64_t size)
{
	struct arena *arena = planner->facts->arena;
	const struct hugepages *huge = host_hugepages(planner->facts->host);
	size_t before = planner->plan->changes.count;
	bool small = size == LARGE_BYTES && has_size(huge, SMALL_BYTES);
	const char *large = NULL;
	bool fits;

	if (place->free_bytes < 0) {
		planner_advise(
			planner, "by-hand",
			"%s: how much memory is free there is not known, so no huge pages are "
			"reserved; %s",
			place->name, planner->check->fix);
		return;
	}
	fits = plan_pool(planner, place, size, NULL);
	if (fits && planner->plan->changes.count == before)
		return;
	if (fits)
		large = pool_id(arena, place, size);
	if (small && plan_pool(planner, place, SMALL_BYTES, large)) {
		say_small(planner, large);
		fits = true;
	}
	if (!fits)
		planner_advise(planner, "by-hand",
			       "%s has %" PRId64
			       " MiB of free memory; half of it does not do for the 1 GiB of huge "
			       "pages that DPDK wants: free some, or add memory",
			       place->name, place->free_bytes / MIB);
}

void plan_hugepages(struct planner *planner)
{
	const struct hugepages *huge = host_hugepages(planner->facts->host);
	struct value page = kernel_page_size(planner->facts);
	int64_t size = page.kind == VALUE_NUMBER ? hugepages_pmd_size(page.number) : 0;
	const char *role = planner->facts->role;
	size_t places = huge->used_node_error == ENOENT ? 1 : huge->used_node_count;

	if (!role || strcmp(role, "dpdk") != 0) {
		planner_advise(planner, "by-hand",
			       "huge pages serve DPDK: with --role dpdk their number is derived "
			       "from the cores and the free memory of each node");
		return;
	}
	if (huge->system_error || huge->node_error ||
	    (huge->used_node_error && huge->used_node_error != ENOENT) || !size ||
	    !has_size(huge, size)) {
		planner_advise(planner, "by-hand",
			       "which pages this kernel and its nodes have is not known whole, so "
			       "none are reserved; %s",
			       planner->check->fix);
		return;
	}
	for (size_t i = 0; i < places; i++) {
		struct place place = place_of(planner, huge, i);

		plan_place(planner, &place, size);
	}
	mount_planned(planner, size);
	if (size == LARGE_BYTES)
		mount_planned(planner, SMALL_BYTES);
}

void plan_hugetlbfs(struct planner *planner)
{
	const struct hugepages *huge = host_hugepages(planner->facts->host);

	if (huge->system_error || huge->mounts_error) {
		planner_advise_fix(planner, "by-hand");
		return;
	}
	for (size_t i = 0; i < huge->system_count; i++) {
		if (huge->system[i].pages > 0)
			plan_mount(planner, huge->system[i].size_bytes, NULL);
	}
}
