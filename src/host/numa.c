// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/acpi.h"
#include "host/firmware.h"
#include "host/topology.h"

#include <errno.h>

#define NODE "/sys/devices/system/node"
#define NODES NODE "/online"
#define SAME_PACKAGE_BELOW                                                                         \
	20 /* SLIT of Altra: 10 self, 11-12 the same package, 20-22 the other one */

/* What the two sources say; 0 is "says nothing". */
struct counts {
	size_t nodes;       /* nodes with CPUs */
	size_t by_package;  /* of them in one package, by the CPUs' package ids */
	size_t by_distance; /* of them nearer than another package can be */
};

static size_t nodes_of_package(const struct topology *topology, int package)
{
	size_t count = 0;

	for (size_t i = 0; i < topology->node_count; i++)
		count +=
			topology->nodes[i].cpus.count != 0 && topology->nodes[i].package == package;
	return count;
}

/* The fullest package; 0 when a node with CPUs is in none, or packages hold different numbers of
 * nodes. */
static size_t count_by_package(const struct topology *topology, size_t nodes)
{
	size_t most = 0;

	for (size_t i = 0; i < topology->package_count; i++) {
		size_t count = nodes_of_package(topology, (int)i);

		most = count > most ? count : most;
	}
	return topology->package_count != 0 && most * topology->package_count == nodes ? most : 0;
}

static size_t near_nodes(const struct topology *topology, const struct numa_node *from)
{
	size_t near = 0;

	if (!from->distances || from->distance_count != topology->node_count)
		return 0;
	for (size_t i = 0; i < topology->node_count; i++)
		near += topology->nodes[i].cpus.count != 0 &&
			from->distances[i] < SAME_PACKAGE_BELOW;
	return near;
}

static struct counts count_nodes(const struct topology *topology)
{
	struct counts counts = {0};

	for (size_t i = 0; i < topology->node_count; i++) {
		size_t near;

		if (topology->nodes[i].cpus.count == 0)
			continue;
		near = near_nodes(topology, &topology->nodes[i]);
		if (counts.nodes == 0 || near == counts.by_distance)
			counts.by_distance = near;
		else
			counts.by_distance = 0;
		counts.nodes++;
	}
	counts.by_package = count_by_package(topology, counts.nodes);
	return counts;
}

static bool nodes_are_known(const struct topology *topology)
{
	for (size_t i = 0; i < topology->node_count; i++) {
		if (!topology->nodes[i].cpus_known)
			return false;
	}
	return topology->node_count != 0;
}

/* Distances of domains with CPUs, from the tables: for kernels without NUMA. */
static size_t near_domains(const struct acpi *acpi)
{
	size_t near = 0, first = 0;

	while (first < acpi->domain_count && acpi->domains[first].cpus == 0)
		first++;
	if (first == acpi->domain_count || acpi->domains[first].id >= acpi->localities)
		return 0;
	for (size_t i = 0; i < acpi->domain_count; i++) {
		const struct acpi_domain *domain = &acpi->domains[i];

		if (domain->cpus == 0)
			continue;
		if (domain->id >= acpi->localities)
			return 0;
		near += acpi->distances[acpi->domains[first].id * acpi->localities + domain->id] <
			SAME_PACKAGE_BELOW;
	}
	return near;
}

static size_t domains_with_cpus(const struct acpi *acpi)
{
	size_t count = 0;

	for (size_t i = 0; i < acpi->domain_count; i++)
		count += acpi->domains[i].cpus != 0;
	return count;
}

static struct value from_tables(struct host *host, const struct acpi *acpi)
{
	size_t domains = domains_with_cpus(acpi);
	size_t near = domains == 1 ? 1 : near_domains(acpi);
	struct value value;

	if (acpi->srat.number != 0 && acpi->srat.number != ENOENT)
		return value_errno(host->arena, acpi->srat.path, acpi->srat.number);
	if (acpi->srat.number != 0 || acpi->srat.damage || near == 0)
		return value_unread(host->arena, NODES, ENOENT);
	value = value_number((int64_t)near);
	value_cite(host->arena, &value, acpi->srat.path,
		   arena_printf(host->arena, "%zu domains with CPUs", domains),
		   CONFIDENCE_INFERRED);
	return value;
}

/* One node for everything may be what the kernel was told to show, not what the firmware describes.
 */
static bool kernel_hides_nodes(struct host *host, const struct acpi *acpi, size_t nodes)
{
	int number;
	const char *line;
	struct view rest, word;

	if (acpi->srat.number == 0 && !acpi->srat.damage)
		return domains_with_cpus(acpi) > nodes;
	line = host_line(host, "/proc/cmdline", &number);
	rest = view_of(line);
	while (view_word(&rest, &word)) {
		if (view_is(word, "numa=off"))
			return true;
	}
	return false;
}

struct value firmware_nodes_per_package(struct host *host)
{
	const struct topology *topology = host_topology(host);
	const struct acpi *acpi = host_acpi(host);
	struct counts counts = {0};
	struct names nodes;
	struct value value;

	/* A kernel without NUMA has no such directory at all. */
	if (topology->node_number == ENOENT && root_list(host->root, NODE, &nodes) == ENOENT)
		return from_tables(host, acpi);
	if (topology->node_number)
		return value_unread(host->arena, NODES, topology->node_number);
	if (!nodes_are_known(topology))
		return value_unknown(host->arena, UNKNOWN_DAMAGED,
				     NODE "/node*/cpulist cannot be read");
	counts = count_nodes(topology);
	if (kernel_hides_nodes(host, acpi, counts.nodes))
		return value_unknown(
			host->arena, UNKNOWN_NOT_VISIBLE,
			"the kernel shows %zu nodes with CPUs, fewer than the firmware describes",
			counts.nodes);
	if (counts.by_package && counts.by_distance && counts.by_package != counts.by_distance)
		return value_unknown(host->arena, UNKNOWN_DAMAGED,
				     "package ids give %zu nodes per package, distances give %zu",
				     counts.by_package, counts.by_distance);
	if (!counts.by_package && !counts.by_distance)
		return value_unknown(host->arena, UNKNOWN_DAMAGED,
				     "%zu nodes with CPUs cannot be divided among %zu packages",
				     counts.nodes, topology->package_count);
	value = value_number((int64_t)(counts.by_package ? counts.by_package : counts.by_distance));
	value_cite(host->arena, &value, NODES,
		   arena_printf(host->arena, "%zu node%s with CPUs, %lld per package", counts.nodes,
				counts.nodes == 1 ? "" : "s", (long long)value.number),
		   CONFIDENCE_DIRECT);
	if (acpi->srat.number == 0 && !acpi->srat.damage)
		value_cite(
			host->arena, &value, acpi->srat.path,
			arena_printf(host->arena, "%zu domains with CPUs", domains_with_cpus(acpi)),
			CONFIDENCE_DIRECT);
	return value;
}
