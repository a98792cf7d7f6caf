// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/hugepages.h"
#include "host/pci.h"
#include "host/topology.h"

#include <errno.h>
#include <string.h>

#define DEVICES "/sys/bus/pci/devices"
#define NODES "/sys/devices/system/node/online"
#define GROUPS "/sys/kernel/iommu_groups"

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const struct numa_node *node_of(const struct topology *topology, int64_t id)
{
	for (size_t i = 0; i < topology->node_count; i++) {
		if (topology->nodes[i].id == (uint64_t)id)
			return &topology->nodes[i];
	}
	return NULL;
}

static bool node_has_pages(const struct hugepages *huge, int64_t id)
{
	for (size_t i = 0; i < huge->node_count; i++) {
		if (huge->nodes[i].node == id && huge->nodes[i].pages > 0)
			return true;
	}
	return false;
}

static bool pages_somewhere(const struct hugepages *huge)
{
	for (size_t i = 0; i < huge->system_count; i++) {
		if (huge->system[i].pages > 0)
			return true;
	}
	return false;
}

static const char *misplaced(struct facts *facts, const char *name, int64_t id)
{
	const struct topology *topology = host_topology(facts->host);
	const struct hugepages *huge = host_hugepages(facts->host);
	const struct numa_node *node;

	node = node_of(topology, id);
	if (id < 0 || !node)
		return arena_printf(facts->arena, "%s: its node is not known", name);
	if (node->cpus_known && node->cpus.count == 0)
		return arena_printf(facts->arena, "%s: node %lld has no CPUs", name, (long long)id);
	if (pages_somewhere(huge) && !node_has_pages(huge, id))
		return arena_printf(facts->arena, "%s: node %lld has no huge pages, others have",
				    name, (long long)id);
	return NULL;
}

/* Why nodes and their huge pages are not known, or `none` without NUMA; false when they are known.
 */
static bool nodes_unknown(struct facts *facts, struct value *out)
{
	const struct topology *topology = host_topology(facts->host);
	const struct hugepages *huge = host_hugepages(facts->host);

	if (topology->node_number && topology->node_number != ENOENT)
		*out = value_errno(facts->arena, NODES, topology->node_number);
	else if (topology->node_count == 0)
		*out = value_none("a kernel without NUMA");
	else if (huge->used_node_error)
		*out = value_unknown(facts->arena, UNKNOWN_DAMAGED, "a node's CPUs cannot be read");
	else if (huge->system_error && huge->system_error != ENOENT)
		*out = value_errno(facts->arena, "/sys/kernel/mm/hugepages", huge->system_error);
	else if (huge->node_error == ENOENT)
		*out = value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s is missing",
				     huge->node_path);
	else if (huge->node_error)
		*out = value_errno(facts->arena, huge->node_path, huge->node_error);
	else
		return false;
	return true;
}

struct value pci_nics_misplaced_read(struct facts *facts, const char *of)
{
	const struct pci *pci = host_pci(facts->host);
	struct names found = {0};
	struct value value;
	size_t cards = 0;

	(void)of;
	if (!pci_judgeable(facts, pci, &value) || nodes_unknown(facts, &value))
		return value;
	value = value_list(found);
	for (size_t i = 0; i < pci->count; i++) {
		const char *path =
			arena_printf(facts->arena, DEVICES "/%s/numa_node", pci->devices[i].name);
		const char *problem;
		int64_t node;
		int number;

		if (!pci_is_network(&pci->devices[i]))
			continue;
		number = host_number(facts->host, path, &node);
		if (number == ENOENT)
			return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s is missing", path);
		if (number)
			return value_errno(facts->arena, path, number);
		cards++;
		value_cite(facts->arena, &value, path,
			   arena_printf(facts->arena, "%lld", (long long)node), CONFIDENCE_DIRECT);
		problem = misplaced(facts, pci->devices[i].name, node);
		if (problem)
			names_add(facts->arena, &value.list, problem);
	}
	return cards ? value : value_none("there is no network card on a PCI bus");
}

/* Drivers that hand a device to a program, which sets up the IOMMU for itself. */
static bool driver_is_for_programs(const char *driver)
{
	static const char *const drivers[] = {"vfio-pci", "uio_pci_generic", "igb_uio", "pci-stub"};

	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (strcmp(drivers[i], driver) == 0)
			return true;
	}
	return false;
}

/* 0 and *driver NULL: nobody uses the card, or a program does. */
static int kernel_driver(struct facts *facts, const char *device, const char **driver)
{
	struct root *root = facts->host->root;
	const char *target, *state;
	struct names interfaces = {0};
	int number =
		root_link(root, arena_printf(facts->arena, DEVICES "/%s/driver", device), &target);

	*driver = NULL;
	if (number == ENOENT || (number == 0 && driver_is_for_programs(last_part(target))))
		return 0;
	if (number)
		return number;
	number =
		root_list(root, arena_printf(facts->arena, DEVICES "/%s/net", device), &interfaces);
	if (number)
		return number == ENOENT ? 0 : number;
	for (size_t i = 0; i < interfaces.count && !*driver; i++) {
		state = host_line(facts->host,
				  arena_printf(facts->arena, DEVICES "/%s/net/%s/operstate", device,
					       interfaces.items[i]),
				  &number);
		if (!state && number != ENOENT)
			return number;
		if (state && strcmp(state, "up") == 0)
			*driver = last_part(target);
	}
	return 0;
}

/* The type of a device's IOMMU group: "identity" passes addresses through. NULL with *out saying
 * why not. */
static const char *group_type(struct facts *facts, const char *device, struct value *out)
{
	const char *link = arena_printf(facts->arena, DEVICES "/%s/iommu_group", device), *target,
		   *type;
	const char *path;
	int number = root_link(facts->host->root, link, &target);

	if (number == ENOENT)
		return "none";
	if (number) {
		*out = value_errno(facts->arena, link, number);
		return NULL;
	}
	path = arena_printf(facts->arena, GROUPS "/%s/type", last_part(target));
	type = host_line(facts->host, path, &number);
	if (type) {
		value_cite(facts->arena, out, path, type, CONFIDENCE_DIRECT);
		return type;
	}
	*out = number == ENOENT
		       ? value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE, "%s does not exist", path)
		       : value_errno(facts->arena, path, number);
	return NULL;
}

struct value pci_nics_translated_read(struct facts *facts, const char *of)
{
	const struct pci *pci = host_pci(facts->host);
	struct names groups = {0};
	struct value value;
	size_t cards = 0;
	int number;

	(void)of;
	if (!pci_judgeable(facts, pci, &value))
		return value;
	number = root_list(facts->host->root, GROUPS, &groups);
	if (number && number != ENOENT)
		return value_errno(facts->arena, GROUPS, number);
	if (groups.count == 0)
		return value_none("no IOMMU is active");
	value = value_list((struct names){0});
	for (size_t i = 0; i < pci->count; i++) {
		const char *name = pci->devices[i].name, *driver, *type;

		if (!pci_is_network(&pci->devices[i]))
			continue;
		number = kernel_driver(facts, name, &driver);
		if (number)
			return value_errno(facts->arena,
					   arena_printf(facts->arena, DEVICES "/%s", name), number);
		if (!driver)
			continue;
		cards++;
		type = group_type(facts, name, &value);
		if (!type)
			return value;
		if (strcmp(type, "none") != 0 && strcmp(type, "identity") != 0)
			names_add(facts->arena, &value.list,
				  arena_printf(facts->arena, "%s (%s): domain %s, wants identity",
					       name, driver,
					       text_printable(facts->arena, view_of(type))));
	}
	return cards ? value : value_none("no network card is in use by a driver of the kernel");
}
