// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/pci.h"

#include <errno.h>
#include <pci/header.h>

#define DEVICES "/sys/bus/pci/devices"
#define CITED_MAX 16

/* Below this a card asks for its packets in needlessly many pieces; it is what firmware and Linux
 * leave by default. */
#define READ_REQUEST_BYTES 512

static const char *config_path(struct facts *facts, const struct pci_device *device)
{
	return arena_printf(facts->arena, DEVICES "/%s/config", device->name);
}

static struct value file_value(struct facts *facts, const char *path, int number)
{
	if (number == ENOENT)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s is missing", path);
	return value_errno(facts->arena, path, number);
}

bool pci_judgeable(struct facts *facts, const struct pci *pci, struct value *out)
{
	if (pci->error == ENOENT)
		*out = value_none("there is no PCI bus (no " DEVICES ")");
	else if (pci->error)
		*out = value_errno(facts->arena, DEVICES, pci->error);
	if (pci->error)
		return false;
	for (size_t i = 0; i < pci->count; i++) {
		const struct pci_device *device = &pci->devices[i];

		if (!device->class_error)
			continue;
		*out = file_value(facts,
				  arena_printf(facts->arena, DEVICES "/%s/class", device->name),
				  device->class_error);
		return false;
	}
	return true;
}

static bool links_judgeable(struct facts *facts, const struct pci *pci, struct value *out)
{
	if (!pci_judgeable(facts, pci, out))
		return false;
	for (size_t i = 0; i < pci->count; i++) {
		const struct pci_device *device = &pci->devices[i];

		if (device->error)
			*out = file_value(facts, config_path(facts, device), device->error);
		else if (device->link_error)
			*out = value_errno(facts->arena,
					   arena_printf(facts->arena, DEVICES "/%s/max_link_speed",
							device->name),
					   device->link_error);
		else
			continue;
		return false;
	}
	return true;
}

/* Registers past the header, which others than root do not get. */
static bool registers_judgeable(struct facts *facts, const struct pci *pci, struct value *out)
{
	bool root = facts->host->live->root;

	if (!links_judgeable(facts, pci, out))
		return false;
	for (size_t i = 0; i < pci->count; i++) {
		if (!pci->devices[i].cut)
			continue;
		*out = value_unknown(facts->arena, root ? UNKNOWN_DAMAGED : UNKNOWN_NEEDS_ROOT,
				     "%s: %s", config_path(facts, &pci->devices[i]),
				     root ? "ends before its capabilities"
					  : "capabilities need root");
		return false;
	}
	return true;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static void cite_link(struct facts *facts, struct value *value, const struct pci_device *device)
{
	const struct pci_device *port = device->parent;
	struct arena *arena = facts->arena;

	if (value->evidence_count < CITED_MAX)
		value_cite(arena, value,
			   device->cut ? arena_printf(arena, DEVICES "/%s/current_link_speed",
						      device->name)
				       : config_path(facts, device),
			   arena_printf(arena, "runs %s; can do %s, its port %s %s",
					pci_rate(arena, device->link.current_speed,
						 device->link.current_width),
					pci_rate(arena, device->link.speed, device->link.width),
					port->name,
					pci_rate(arena, port->link.speed, port->link.width)),
			   CONFIDENCE_DIRECT);
}

/* A sentence when this link is not as it should be, else NULL. */
typedef const char *link_judge(struct arena *arena, const struct pci_device *device);

static struct value judge_links(struct facts *facts, link_judge *judge)
{
	const struct pci *pci = host_pci_registers(facts->host);
	struct names found = {0};
	struct value value;
	size_t links = 0;

	if (!links_judgeable(facts, pci, &value))
		return value;
	value = value_list(found);
	for (size_t i = 0; i < pci->count; i++) {
		const struct pci_device *device = &pci->devices[i];
		const char *problem;

		if (!pci_is_link(pci, device))
			continue;
		links++;
		problem = judge(facts->arena, device);
		if (!problem)
			continue;
		names_add(facts->arena, &value.list, problem);
		cite_link(facts, &value, device);
	}
	if (links == 0)
		return value_none("no PCI Express link has a device at its end");
	if (value.list.count == 0)
		value_cite(facts->arena, &value, DEVICES,
			   arena_printf(facts->arena, "%zu links with two ends", links),
			   CONFIDENCE_DIRECT);
	return value;
}

/* Graphics processors lower the speed of an idle link by themselves; only the width says something
 * there. */
static const char *link_degraded(struct arena *arena, const struct pci_device *device)
{
	const struct pci_link_end *own = &device->link, *port = &device->parent->link;
	unsigned speed = least(own->speed, port->speed), width = least(own->width, port->width);
	unsigned current_speed = own->current_speed ? own->current_speed : port->current_speed;
	unsigned current_width = own->current_width ? own->current_width : port->current_width;
	bool idles = device->class_code >> 16 == PCI_BASE_CLASS_DISPLAY;

	if ((idles || current_speed >= speed) && current_width >= width)
		return NULL;
	return arena_printf(arena, "%s runs %s, wants %s", device->name,
			    pci_rate(arena, current_speed, current_width),
			    pci_rate(arena, speed, width));
}

static const char *slot_slow(struct arena *arena, const struct pci_device *device)
{
	const struct pci_link_end *own = &device->link, *port = &device->parent->link;

	if (port->speed >= own->speed && port->width >= own->width)
		return NULL;
	return arena_printf(arena, "%s can do %s, its port %s only %s", device->name,
			    pci_rate(arena, own->speed, own->width), device->parent->name,
			    pci_rate(arena, port->speed, port->width));
}

static struct value degraded_read(struct facts *facts, const char *of)
{
	(void)of;
	return judge_links(facts, link_degraded);
}

static struct value slots_read(struct facts *facts, const char *of)
{
	(void)of;
	return judge_links(facts, slot_slow);
}

static const char *payload_differs(struct arena *arena, const struct pci_device *device)
{
	const struct pci_device *port = device->parent;

	if (!port || !port->control.known || device->control.payload == port->control.payload)
		return NULL;
	return arena_printf(arena, "%s sends at most %u bytes, its port %s %u", device->name,
			    device->control.payload, port->name, port->control.payload);
}

static const char *request_small(struct arena *arena, const struct pci_device *device)
{
	if (device->control.read_request >= READ_REQUEST_BYTES)
		return NULL;
	return arena_printf(arena, "%s reads at most %u bytes at once", device->name,
			    device->control.read_request);
}

static const char *ordering_strict(struct arena *arena, const struct pci_device *device)
{
	if (device->control.relaxed_ordering)
		return NULL;
	return arena_printf(arena, "%s", device->name);
}

/* A virtual function's registers are its parent's. */
static bool is_virtual(const struct pci_device *device)
{
	return device->vendor == 0xffff;
}

static bool below_a_port(const struct pci_device *device)
{
	return device->parent != NULL && !is_virtual(device);
}

static bool is_card(const struct pci_device *device)
{
	return pci_is_network(device) && !is_virtual(device);
}

static struct value judge_registers(struct facts *facts,
				    bool (*concerns)(const struct pci_device *), const char *none,
				    link_judge *judge)
{
	const struct pci *pci = host_pci_registers(facts->host);
	struct names found = {0};
	struct value value;
	size_t judged = 0;

	if (!registers_judgeable(facts, pci, &value))
		return value;
	value = value_list(found);
	for (size_t i = 0; i < pci->count; i++) {
		const struct pci_device *device = &pci->devices[i];
		const char *problem;

		if (!device->control.known || !concerns(device))
			continue;
		judged++;
		problem = judge(facts->arena, device);
		if (!problem)
			continue;
		names_add(facts->arena, &value.list, problem);
		if (value.evidence_count < CITED_MAX)
			value_cite(facts->arena, &value, config_path(facts, device), problem,
				   CONFIDENCE_DIRECT);
	}
	if (judged == 0)
		return value_none(none);
	if (value.list.count == 0)
		value_cite(facts->arena, &value, DEVICES,
			   arena_printf(facts->arena, "%zu devices", judged), CONFIDENCE_DIRECT);
	return value;
}

static struct value payload_read(struct facts *facts, const char *of)
{
	(void)of;
	return judge_registers(facts, below_a_port, "no PCI Express device is below a port",
			       payload_differs);
}

static struct value request_read(struct facts *facts, const char *of)
{
	(void)of;
	return judge_registers(facts, is_card, "there is no PCI Express network card",
			       request_small);
}

static struct value ordering_read(struct facts *facts, const char *of)
{
	(void)of;
	return judge_registers(facts, is_card, "there is no PCI Express network card",
			       ordering_strict);
}

static const struct fact rows[] = {
	{.name = "pci.links-degraded",
	 .summary = "links slower or narrower than the lesser of what their two ends can do",
	 .read = degraded_read},
	{.name = "pci.slots-slow",
	 .summary = "links whose port can do less than the device below it",
	 .read = slots_read},
	{.name = "pci.payload-differs",
	 .summary = "devices whose maximum payload is not that of the port above",
	 .read = payload_read},
	{.name = "pci.read-requests-small",
	 .summary = "network cards that read less than 512 bytes at once",
	 .read = request_read},
	{.name = "pci.ordering-strict",
	 .summary = "network cards whose relaxed ordering is off",
	 .read = ordering_read},
	{.name = "pci.nics-misplaced",
	 .summary = "network cards whose node is not known, has no CPUs or lacks the huge pages "
		    "that others have",
	 .read = pci_nics_misplaced_read},
	{.name = "pci.nics-translated",
	 .summary = "network cards in use by a kernel driver whose IOMMU group translates",
	 .read = pci_nics_translated_read},
};

const struct fact_table pci_facts = FACT_TABLE(rows);
