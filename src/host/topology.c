// SPDX-License-Identifier: BSD-2-Clause
#include "host/topology.h"

#include "base/arena.h"

#include <errno.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"
#define NODE "/sys/devices/system/node"

static int read_set(struct host *host, const char *path, size_t max, struct cpu_set *out)
{
	struct cpu_set set;
	struct view text;
	int number = root_read(host->root, path, &text);

	if (number)
		return number;
	if (!text_cpulist(host->arena, text, max, &set.cpus, &set.count))
		return EBADMSG;
	*out = set;
	return 0;
}

/* One CPU at least runs this. */
static int read_some(struct host *host, const char *path, struct cpu_set *out)
{
	int number = read_set(host, path, TOPOLOGY_CPUS_MAX, out);

	return number == 0 && out->count == 0 ? EBADMSG : number;
}

/* The list under its present name, else the one older kernels have. */
static int read_siblings(struct host *host, uint32_t cpu, const char *name, const char *old_name,
			 struct cpu_set *out)
{
	struct arena *arena = host->arena;
	int number = read_set(host, arena_printf(arena, CPU "/cpu%u/topology/%s", cpu, name),
			      TOPOLOGY_CPUS_MAX, out);

	if (number == 0 || (number != ENOENT && number != ENODATA))
		return number;
	return read_set(host, arena_printf(arena, CPU "/cpu%u/topology/%s", cpu, old_name),
			TOPOLOGY_CPUS_MAX, out);
}

static bool has_cpu(const struct cpu_set *set, uint32_t cpu)
{
	for (size_t i = 0; i < set->count; i++) {
		if (set->cpus[i] == cpu)
			return true;
	}
	return false;
}

/* One read for each package, not for each CPU: the first CPU that no package has yet names all of
 * its own. */
static void read_packages(struct host *host, struct topology *topology)
{
	bool *seen = arena_array(host->arena, bool, TOPOLOGY_CPUS_MAX);
	struct package *packages =
		arena_array(host->arena, struct package, topology->online.count + 1);
	size_t count = 0;

	for (size_t i = 0; i < topology->online.count; i++) {
		uint32_t cpu = topology->online.cpus[i];
		struct cpu_set *set = &packages[count].cpus;

		if (cpu >= TOPOLOGY_CPUS_MAX || seen[cpu])
			continue;
		if (read_siblings(host, cpu, "package_cpus_list", "core_siblings_list", set) != 0 ||
		    !has_cpu(set, cpu))
			return;
		for (size_t j = 0; j < set->count; j++) {
			if (set->cpus[j] < TOPOLOGY_CPUS_MAX)
				seen[set->cpus[j]] = true;
		}
		count++;
	}
	topology->packages = packages;
	topology->package_count = count;
}

static void read_distances(struct host *host, struct numa_node *node)
{
	struct view rest, word;
	uint32_t *distances;

	if (root_read(host->root, arena_printf(host->arena, NODE "/node%u/distance", node->id),
		      &rest) != 0)
		return;
	distances = arena_array(host->arena, uint32_t, TOPOLOGY_NODES_MAX);
	while (node->distance_count < TOPOLOGY_NODES_MAX && view_word(&rest, &word)) {
		uint64_t distance;

		if (!view_u64(word, 10, &distance) || distance > 255)
			return;
		distances[node->distance_count++] = (uint32_t)distance;
	}
	node->distances = distances;
}

static int package_of(const struct topology *topology, const struct numa_node *node)
{
	if (!node->cpus.count)
		return -1;
	for (size_t i = 0; i < topology->package_count; i++) {
		if (has_cpu(&topology->packages[i].cpus, node->cpus.cpus[0]))
			return (int)i;
	}
	return -1;
}

static void read_nodes(struct host *host, struct topology *topology)
{
	struct cpu_set ids = {0};

	topology->node_number = read_set(host, NODE "/online", TOPOLOGY_NODES_MAX, &ids);
	if (topology->node_number || !ids.count)
		return;
	topology->nodes = arena_array(host->arena, struct numa_node, ids.count);
	topology->node_count = ids.count;
	for (size_t i = 0; i < ids.count; i++) {
		struct numa_node *node = &topology->nodes[i];

		node->id = ids.cpus[i];
		node->cpus_known =
			read_set(host, arena_printf(host->arena, NODE "/node%u/cpulist", node->id),
				 TOPOLOGY_CPUS_MAX, &node->cpus) == 0;
		read_distances(host, node);
		node->package = package_of(topology, node);
	}
}

const struct topology *host_topology(struct host *host)
{
	struct topology *topology;
	struct cpu_set threads;

	if (host->topology)
		return host->topology;
	topology = arena_new(host->arena, struct topology);
	topology->online_number = read_some(host, CPU "/online", &topology->online);
	topology->present_number = read_some(host, CPU "/present", &topology->present);
	if (topology->online.count) {
		read_packages(host, topology);
		if (read_siblings(host, topology->online.cpus[0], "core_cpus_list",
				  "thread_siblings_list", &threads) == 0)
			topology->threads_per_core = threads.count;
	}
	read_nodes(host, topology);
	host->topology = topology;
	return topology;
}
