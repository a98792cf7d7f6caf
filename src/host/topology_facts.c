// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/cpu.h"
#include "host/topology.h"

#define ONLINE "/sys/devices/system/cpu/online"
#define PRESENT "/sys/devices/system/cpu/present"
#define NODES "/sys/devices/system/node/online"

static struct value cite_set(struct facts *facts, struct value value, const char *path,
			     const struct cpu_set *set)
{
	value_cite(facts->arena, &value, path, text_ranges(facts->arena, set->cpus, set->count),
		   CONFIDENCE_DIRECT);
	return value;
}

static struct value read_count(struct facts *facts, const char *of)
{
	const struct topology *topology = host_topology(facts->host);
	const struct cpus *cpus;
	struct value value;

	(void)of;
	if (topology->online_number == 0)
		return cite_set(facts, value_number((int64_t)topology->online.count), ONLINE,
				&topology->online);
	cpus = host_cpus(facts->host);
	if (!cpus->count)
		return value_unknown(
			facts->arena, UNKNOWN_NOT_VISIBLE,
			"neither %s nor \"processor\" lines of /proc/cpuinfo can be read", ONLINE);
	value = value_number((int64_t)cpus->count);
	value_cite(facts->arena, &value, "/proc/cpuinfo", "processor", CONFIDENCE_DIRECT);
	return value;
}

/* Present but not online: the list is empty when all work. */
static struct value read_offline(struct facts *facts, const char *of)
{
	const struct topology *topology = host_topology(facts->host);
	struct names offline = {0};
	uint32_t *missing;
	size_t count = 0, online = 0;
	struct value value;

	(void)of;
	if (topology->online_number)
		return value_unread(facts->arena, ONLINE, topology->online_number);
	if (topology->present_number)
		return value_unread(facts->arena, PRESENT, topology->present_number);
	missing = arena_array(facts->arena, uint32_t, topology->present.count + 1);
	for (size_t i = 0; i < topology->present.count; i++) {
		while (online < topology->online.count &&
		       topology->online.cpus[online] < topology->present.cpus[i])
			online++;
		if (online == topology->online.count ||
		    topology->online.cpus[online] != topology->present.cpus[i])
			missing[count++] = topology->present.cpus[i];
	}
	if (count)
		names_add(facts->arena, &offline,
			  arena_printf(facts->arena, "CPU %s",
				       text_ranges(facts->arena, missing, count)));
	value = cite_set(facts, value_list(offline), PRESENT, &topology->present);
	return cite_set(facts, value, ONLINE, &topology->online);
}

static struct value read_packages(struct facts *facts, const char *of)
{
	const struct topology *topology = host_topology(facts->host);
	struct value value;

	(void)of;
	if (!topology->package_count)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "cpu*/topology/package_cpus_list cannot be read");
	value = value_number((int64_t)topology->package_count);
	for (size_t i = 0; i < topology->package_count && i < 8; i++) {
		const struct cpu_set *set = &topology->packages[i].cpus;

		value = cite_set(
			facts, value,
			arena_printf(facts->arena,
				     "/sys/devices/system/cpu/cpu%u/topology/package_cpus_list",
				     set->cpus[0]),
			set);
	}
	return value;
}

static struct value read_nodes(struct facts *facts, const char *of)
{
	const struct topology *topology = host_topology(facts->host);
	struct value value;

	(void)of;
	if (topology->node_number)
		return value_errno(facts->arena, NODES, topology->node_number);
	value = value_number((int64_t)topology->node_count);
	value_cite(facts->arena, &value, NODES, NULL, CONFIDENCE_DIRECT);
	return value;
}

static struct value read_threads(struct facts *facts, const char *of)
{
	const struct topology *topology = host_topology(facts->host);

	(void)of;
	if (!topology->threads_per_core)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "cpu*/topology/core_cpus_list cannot be read");
	return value_number((int64_t)topology->threads_per_core);
}

static const struct fact rows[] = {
	{.name = "cpu.count",
	 .summary = "CPUs online, from cpu/online, else \"processor\" lines of /proc/cpuinfo",
	 .read = read_count},
	{.name = "cpu.offline",
	 .summary = "CPUs present but not online, cpu/present against cpu/online",
	 .read = read_offline},
	{.name = "cpu.packages",
	 .summary = "packages with CPUs online, from package_cpus_list",
	 .read = read_packages},
	{.name = "cpu.nodes", .summary = "NUMA nodes online, from node/online", .read = read_nodes},
	{.name = "cpu.threads-per-core",
	 .summary = "threads of a core, from core_cpus_list",
	 .read = read_threads},
};

const struct fact_table topology_facts = FACT_TABLE(rows);
