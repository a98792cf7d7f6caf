// SPDX-License-Identifier: BSD-2-Clause
#include "host/pci.h"

#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/pci_space.h"

#include <errno.h>
#include <pci/header.h>
#include <string.h>

#define DEVICES "/sys/bus/pci/devices"
#define DEVICES_MAX 8192
#define CONFIG_BYTES 256
#define HEADER_BYTES 64

/* PCI Express 7.5.3.6: link speeds. */
static const struct {
	const char *rate;
} speeds[] = {
	[1] = {"2.5"}, [2] = {"5"}, [3] = {"8"}, [4] = {"16"}, [5] = {"32"}, [6] = {"64"},
};
#define SPEEDS (sizeof(speeds) / sizeof(speeds[0]))

const char *pci_rate(struct arena *arena, unsigned speed, unsigned width)
{
	if (speed == 0 || speed >= SPEEDS)
		return arena_printf(arena, "an unknown speed x%u", width);
	return arena_printf(arena, "%s GT/s x%u", speeds[speed].rate, width);
}

unsigned pci_speed(struct view text)
{
	struct view number;

	if (!view_word(&text, &number) || !view_starts(view_trim(text), "GT/s"))
		return 0;
	if (view_ends(number, ".0"))
		number.size -= 2;
	for (unsigned i = 1; i < SPEEDS; i++) {
		if (view_is(number, speeds[i].rate))
			return i;
	}
	return 0;
}

static const enum pci_port ports[16] = {
	[PCI_EXP_TYPE_ENDPOINT] = PCI_ENDPOINT,      [PCI_EXP_TYPE_LEG_END] = PCI_ENDPOINT,
	[PCI_EXP_TYPE_ROOT_PORT] = PCI_DOWNSTREAM,   [PCI_EXP_TYPE_UPSTREAM] = PCI_UPSTREAM,
	[PCI_EXP_TYPE_DOWNSTREAM] = PCI_DOWNSTREAM,  [PCI_EXP_TYPE_PCI_BRIDGE] = PCI_UPSTREAM,
	[PCI_EXP_TYPE_PCIE_BRIDGE] = PCI_DOWNSTREAM, [PCI_EXP_TYPE_ROOT_INT_EP] = PCI_INTEGRATED,
	[PCI_EXP_TYPE_ROOT_EC] = PCI_INTEGRATED,
};

static void express_parse(const struct pci_space *space, size_t index, unsigned at,
			  struct pci_device *device)
{
	unsigned flags = pci_space_word(space, index, at + PCI_EXP_FLAGS);
	unsigned control = pci_space_word(space, index, at + PCI_EXP_DEVCTL);
	unsigned status = pci_space_word(space, index, at + PCI_EXP_LNKSTA);
	unsigned able = pci_space_long(space, index, at + PCI_EXP_LNKCAP);

	device->port = ports[(flags & PCI_EXP_FLAGS_TYPE) >> 4];
	device->control = (struct pci_control){
		.known = true,
		.payload = 128U << ((control & PCI_EXP_DEVCTL_PAYLOAD) >> 5),
		.read_request = 128U << ((control & PCI_EXP_DEVCTL_READRQ) >> 12),
		.relaxed_ordering = control & PCI_EXP_DEVCTL_RELAXED,
	};
	if (device->port == PCI_INTEGRATED)
		return;
	device->link = (struct pci_link_end){
		.known = true,
		.speed = able & PCI_EXP_LNKCAP_SPEED,
		.width = (able & PCI_EXP_LNKCAP_WIDTH) >> 4,
		.current_speed = status & PCI_EXP_LNKSTA_SPEED,
		.current_width = (status & PCI_EXP_LNKSTA_WIDTH) >> 4,
		.reports_active = able & PCI_EXP_LNKCAP_DLLA,
		.active = status & PCI_EXP_LNKSTA_DL_ACT,
	};
}

static void device_parse(const struct pci_space *space, size_t index, size_t size,
			 struct pci_device *device)
{
	unsigned type = pci_space_byte(space, index, PCI_HEADER_TYPE) & 0x7f;
	unsigned express;

	if (size < HEADER_BYTES) {
		device->error = EBADMSG;
		return;
	}
	device->vendor = (uint16_t)pci_space_word(space, index, PCI_VENDOR_ID);
	device->product = (uint16_t)pci_space_word(space, index, PCI_DEVICE_ID);
	device->class_code = pci_space_long(space, index, PCI_CLASS_REVISION) >> 8;
	if (type == PCI_HEADER_TYPE_BRIDGE)
		device->secondary = pci_space_byte(space, index, PCI_SECONDARY_BUS);
	if (size < CONFIG_BYTES) {
		device->cut = pci_space_word(space, index, PCI_STATUS) & PCI_STATUS_CAP_LIST;
		return;
	}
	express = pci_space_capability(space, index, PCI_CAP_ID_EXP);
	if (express && express + PCI_EXP_LNKSTA + 2 <= size)
		express_parse(space, index, express, device);
}

void pci_parse(struct arena *arena, const struct view *configs, struct pci_device *devices,
	       size_t count)
{
	struct pci_space space;

	if (!pci_space_open(arena, configs, count, &space)) {
		for (size_t i = 0; i < count; i++)
			devices[i].error = devices[i].error ? devices[i].error : EIO;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (!devices[i].error)
			device_parse(&space, i, configs[i].size, &devices[i]);
	}
	pci_space_close(&space);
}

/* "0000:01:00.0"; domains of some controllers have five digits. */
static bool name_parse(struct view name, struct pci_device *device)
{
	struct view domain, bus, slot;
	uint64_t numbers[4];

	if (!view_split(&name, ':', &domain) || !view_split(&name, ':', &bus) ||
	    !view_split(&name, '.', &slot) || !view_u64(domain, 16, &numbers[0]) ||
	    !view_u64(bus, 16, &numbers[1]) || !view_u64(slot, 16, &numbers[2]) ||
	    !view_u64(name, 16, &numbers[3]) || numbers[0] > UINT32_MAX || numbers[1] > 255 ||
	    numbers[2] > 31 || numbers[3] > 7)
		return false;
	device->domain = (uint32_t)numbers[0];
	device->bus = (unsigned)numbers[1];
	device->device = (unsigned)numbers[2];
	device->function = (unsigned)numbers[3];
	return true;
}

static void parents_find(struct pci *pci)
{
	for (size_t b = 0; b < pci->count; b++) {
		struct pci_device *bridge = &pci->devices[b];

		for (size_t i = 0; bridge->secondary && i < pci->count; i++) {
			struct pci_device *device = &pci->devices[i];

			/* A bridge whose secondary bus is its own would be its own parent. */
			if (device->domain == bridge->domain && device->bus == bridge->secondary &&
			    device->bus != bridge->bus)
				device->parent = bridge;
		}
	}
}

static const char *attribute(struct host *host, struct pci_device *device, const char *name)
{
	int number;
	const char *line = host_line(
		host, arena_printf(host->arena, DEVICES "/%s/%s", device->name, name), &number);

	if (number && number != ENOENT)
		device->link_error = number;
	return line ? line : "";
}

static unsigned width_at(struct host *host, struct pci_device *device, const char *name)
{
	uint64_t width;

	return view_u64(view_of(attribute(host, device, name)), 10, &width) && width <= 32
		       ? (unsigned)width
		       : 0;
}

/* Without root the kernel still tells what it found on a link; a device without one lacks the
 * files. */
static void link_from_sysfs(struct host *host, struct pci_device *device)
{
	struct pci_link_end *link = &device->link;

	if (link->known || !device->cut)
		return;
	link->speed = pci_speed(view_of(attribute(host, device, "max_link_speed")));
	if (link->speed == 0)
		return;
	link->width = width_at(host, device, "max_link_width");
	link->current_speed = pci_speed(view_of(attribute(host, device, "current_link_speed")));
	link->current_width = width_at(host, device, "current_link_width");
	link->known = true;
	device->port = device->secondary ? PCI_DOWNSTREAM : PCI_ENDPOINT;
}

static bool is_first_function(const struct pci *pci, const struct pci_device *device)
{
	for (size_t i = 0; i < pci->count; i++) {
		const struct pci_device *other = &pci->devices[i];

		if (other->parent == device->parent &&
		    (other->device < device->device ||
		     (other->device == device->device && other->function < device->function)))
			return false;
	}
	return true;
}

static void class_read(struct host *host, struct pci_device *device)
{
	const char *path = arena_printf(host->arena, DEVICES "/%s/class", device->name);
	const char *line = host_line(host, path, &device->class_error);
	uint64_t number;

	if (!line)
		return;
	if (view_u64(view_of(line), 16, &number) && number <= 0xffffff)
		device->class_code = (uint32_t)number;
	else
		device->class_error = EBADMSG;
}

const struct pci *host_pci(struct host *host)
{
	struct names names = {0};
	struct pci *pci;

	if (host->pci)
		return host->pci;
	pci = arena_new(host->arena, struct pci);
	host->pci = pci;
	pci->error = root_list(host->root, DEVICES, &names);
	if (pci->error)
		return pci;
	pci->devices = arena_array(host->arena, struct pci_device, names.count + 1);
	for (size_t i = 0; i < names.count && pci->count < DEVICES_MAX; i++) {
		struct pci_device *device = &pci->devices[pci->count];

		if (!name_parse(view_of(names.items[i]), device))
			continue;
		pci->count++;
		device->name = names.items[i];
		class_read(host, device);
	}
	return pci;
}

const struct pci *host_pci_registers(struct host *host)
{
	struct view *configs;
	struct pci *pci;

	if (host_pci(host)->registers)
		return host->pci;
	pci = arena_new(host->arena, struct pci);
	*pci = *host_pci(host);
	pci->registers = true;
	host->pci = pci;
	configs = arena_array(host->arena, struct view, pci->count + 1);
	for (size_t i = 0; i < pci->count; i++) {
		const char *path =
			arena_printf(host->arena, DEVICES "/%s/config", pci->devices[i].name);

		pci->devices[i].error = root_range(host->root, path, 0, CONFIG_BYTES, &configs[i]);
	}
	pci_parse(host->arena, configs, pci->devices, pci->count);
	parents_find(pci);
	for (size_t i = 0; i < pci->count; i++) {
		struct pci_device *device = &pci->devices[i];

		if (device->cut && device->parent && is_first_function(pci, device)) {
			link_from_sysfs(host, device);
			link_from_sysfs(host, device->parent);
		}
	}
	return pci;
}

bool pci_is_link(const struct pci *pci, const struct pci_device *device)
{
	const struct pci_device *port = device->parent;

	if (!port || port->port != PCI_DOWNSTREAM || !port->link.known || !device->link.known)
		return false;
	/* A port that reports its data link layer and says it is down has nothing below it. */
	if (port->link.reports_active && !port->link.active)
		return false;
	return is_first_function(pci, device);
}

bool pci_is_network(const struct pci_device *device)
{
	return device->class_code >> 16 == PCI_BASE_CLASS_NETWORK;
}
