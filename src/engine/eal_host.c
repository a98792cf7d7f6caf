// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "engine/eal.h"
#include "host/hugepages.h"
#include "host/topology.h"

#include <sched.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"

/* CPUs by number: what holds for each. */
struct marks {
	bool online[TOPOLOGY_CPUS_MAX], allowed[TOPOLOGY_CPUS_MAX], isolated[TOPOLOGY_CPUS_MAX];
	bool sibling[TOPOLOGY_CPUS_MAX]; /* an allowed one of its core has a smaller number */
};

static void mark(bool *marks, const uint32_t *cpus, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (cpus[i] < TOPOLOGY_CPUS_MAX)
			marks[cpus[i]] = true;
	}
}

static void mark_list(struct host *host, const char *path, bool *marks)
{
	uint32_t *cpus;
	size_t count;
	int number;
	const char *line = host_line(host, path, &number);

	if (line && text_cpulist(host->arena, view_of(line), TOPOLOGY_CPUS_MAX, &cpus, &count))
		mark(marks, cpus, count);
}

static void mark_siblings(struct host *host, struct marks *marks, uint32_t cpu)
{
	static const char *const names[] = {"core_cpus_list", "thread_siblings_list"};
	uint32_t *cpus;
	size_t count = 0;

	for (size_t i = 0; i < 2 && !count; i++) {
		int number;
		const char *line = host_line(
			host, arena_printf(host->arena, CPU "/cpu%u/topology/%s", cpu, names[i]),
			&number);

		if (!line ||
		    !text_cpulist(host->arena, view_of(line), TOPOLOGY_CPUS_MAX, &cpus, &count))
			count = 0;
	}
	for (size_t i = 0; i < count; i++)
		marks->sibling[cpu] |=
			cpus[i] < cpu && cpus[i] < TOPOLOGY_CPUS_MAX && marks->allowed[cpus[i]];
}

static struct marks *read_marks(struct host *host, const struct topology *topology,
				const uint32_t *allowed, size_t count)
{
	struct marks *marks = arena_new(host->arena, struct marks);

	mark(marks->online, topology->online.cpus, topology->online.count);
	mark(marks->allowed, allowed ? allowed : topology->online.cpus,
	     allowed ? count : topology->online.count);
	mark_list(host, CPU "/isolated", marks->isolated);
	for (uint32_t cpu = 0; cpu < TOPOLOGY_CPUS_MAX; cpu++) {
		marks->allowed[cpu] &= marks->online[cpu];
		if (marks->allowed[cpu] && topology->threads_per_core != 1)
			mark_siblings(host, marks, cpu);
	}
	return marks;
}

/* Isolated first threads, other first threads, then the siblings. */
static void fill_cpus(struct host *host, const struct marks *marks, const struct cpu_set *set,
		      struct eal_node *node)
{
	node->cpus = arena_array(host->arena, uint32_t, set->count + 1);
	for (unsigned pass = 0; pass < 3; pass++) {
		for (size_t i = 0; i < set->count; i++) {
			uint32_t cpu = set->cpus[i];
			unsigned group;

			if (cpu >= TOPOLOGY_CPUS_MAX || !marks->allowed[cpu])
				continue;
			group = marks->sibling[cpu] ? 2 : !marks->isolated[cpu];
			if (group == pass)
				node->cpus[node->cpu_count++] = cpu;
		}
		if (pass == 0)
			node->isolated = node->cpu_count;
		if (pass == 1)
			node->core_count = node->cpu_count;
	}
}

static void fill_pages(const struct hugepage_pool *pools, size_t count, int id,
		       struct eal_node *node)
{
	for (size_t i = 0; i < count; i++) {
		int64_t bytes;

		if (pools[i].node != id || pools[i].free <= 0 || pools[i].size_bytes <= 0 ||
		    pools[i].free > INT64_MAX / pools[i].size_bytes)
			continue;
		bytes = pools[i].free * pools[i].size_bytes;
		if (bytes < node->huge_bytes)
			continue;
		node->huge_bytes = bytes;
		node->huge_page_bytes = pools[i].size_bytes;
	}
}

static const char *why_no_huge(const struct hugepages *pages)
{
	int64_t total = 0;

	if (pages->system_error)
		return "this kernel shows no huge pages";
	for (size_t i = 0; i < pages->system_count; i++)
		total += pages->system[i].pages > 0 ? pages->system[i].pages : 0;
	return total ? "all huge pages are in use" : "no huge pages are reserved";
}

static int64_t available_bytes(struct host *host)
{
	struct view text, line, word;
	uint64_t kb;

	if (root_read(host->root, "/proc/meminfo", &text) != 0)
		return 0;
	while (view_line(&text, &line)) {
		if (view_starts(line, "MemAvailable:") && view_word(&line, &word) &&
		    view_word(&line, &word) && view_u64(word, 10, &kb) && kb < INT64_MAX >> 10)
			return (int64_t)kb << 10;
	}
	return 0;
}

bool eal_host_of(struct host *host, const uint32_t *allowed, size_t count, struct eal_host *out,
		 struct error *err)
{
	const struct topology *topology = host_topology(host);
	const struct hugepages *pages = host_hugepages(host);
	const struct live *live = root_live(host->root);
	struct numa_node whole = {.cpus = topology->online};
	const struct numa_node *nodes = topology->node_count ? topology->nodes : &whole;
	size_t node_count = topology->node_count ? topology->node_count : 1;
	struct marks *marks;
	bool any_huge = false;

	*out = (struct eal_host){.root = live && live->root,
				 .available_bytes = available_bytes(host)};
	if (!topology->online.count)
		return error_set(err, CPU "/online: cannot be read, so no cores can be chosen");
	marks = read_marks(host, topology, allowed, count);
	out->nodes = arena_array(host->arena, struct eal_node, node_count);
	for (size_t i = 0; i < node_count; i++) {
		struct eal_node *node = &out->nodes[out->node_count];

		*node = (struct eal_node){.id = nodes[i].id};
		fill_cpus(host, marks, &nodes[i].cpus, node);
		if (!node->cpu_count)
			continue;
		fill_pages(pages->nodes, pages->node_count, (int)node->id, node);
		if (!pages->node_count && node_count == 1)
			fill_pages(pages->system, pages->system_count, HUGEPAGES_EVERY_NODE, node);
		any_huge |= node->huge_bytes > 0;
		out->node_count++;
	}
	if (!out->node_count)
		return error_set(err, "no CPU that this process may use is on a NUMA node");
	out->why_no_huge = any_huge ? NULL : why_no_huge(pages);
	return true;
}

static size_t cpus_of(const cpu_set_t *set, size_t size, uint32_t *cpus)
{
	size_t count = 0;

	for (uint32_t cpu = 0; cpu < TOPOLOGY_CPUS_MAX; cpu++) {
		if (CPU_ISSET_S(cpu, size, set))
			cpus[count++] = cpu;
	}
	return count;
}

/*
 * What this process may use. Isolated CPUs are not in anyone's affinity until they are asked for:
 * with all bits asked for, the kernel leaves what the cpuset allows. That counts unless somebody
 * chose a smaller affinity for this process.
 */
static bool read_allowed(struct host *host, uint32_t *cpus, size_t *count)
{
	size_t size = CPU_ALLOC_SIZE(TOPOLOGY_CPUS_MAX), wide_count;
	cpu_set_t *set = arena_alloc(host->arena, size), *all = arena_alloc(host->arena, size);
	uint32_t *wide = arena_array(host->arena, uint32_t, TOPOLOGY_CPUS_MAX);
	bool *isolated = arena_array(host->arena, bool, TOPOLOGY_CPUS_MAX);

	if (sched_getaffinity(0, size, set) != 0)
		return false;
	*count = cpus_of(set, size, cpus);
	memset(all, 0xff, size);
	if (sched_setaffinity(0, size, all) != 0)
		return true;
	wide_count = sched_getaffinity(0, size, all) == 0 ? cpus_of(all, size, wide) : 0;
	sched_setaffinity(0, size, set);
	mark_list(host, CPU "/isolated", isolated);
	for (size_t i = 0; i < wide_count; i++) {
		if (!isolated[wide[i]] && !CPU_ISSET_S(wide[i], size, set))
			return true;
	}
	if (wide_count) {
		memcpy(cpus, wide, wide_count * sizeof(*cpus));
		*count = wide_count;
	}
	return true;
}

bool eal_host_read(struct host *host, struct eal_host *out, struct error *err)
{
	uint32_t *cpus = arena_array(host->arena, uint32_t, TOPOLOGY_CPUS_MAX);
	size_t count = 0;

	if (root_kind(host->root) == ROOT_LIVE && read_allowed(host, cpus, &count))
		return eal_host_of(host, cpus, count, out, err);
	return eal_host_of(host, NULL, 0, out, err);
}
