// SPDX-License-Identifier: BSD-2-Clause
#include "host/pci.h"

#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"

#include <errno.h>
#include <pci/header.h>
#include <string.h>

#define DEVICES "/sys/bus/pci/devices"
#define DEVICES_MAX 8192
#define CONFIG_BYTES 256
#define HEADER_BYTES 64
#define CAPABILITIES_MAX 48 /* 4 bytes each between 64 and 256 */

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

static unsigned byte_at(struct view config, size_t at)
{
	return at < config.size ? (unsigned char)config.at[at] : 0xff;
}

static unsigned word_at(struct view config, size_t at)
{
	return byte_at(config, at) | byte_at(config, at + 1) << 8;
}

/* Where a capability starts, or 0. The list may be cut, loop or point into the header. */
static size_t capability_find(struct view config, unsigned id)
{
	size_t at = byte_at(config, PCI_CAPABILITY_LIST) & ~3U;

	if (!(word_at(config, PCI_STATUS) & PCI_STATUS_CAP_LIST))
		return 0;
	for (unsigned i = 0; i < CAPABILITIES_MAX && at >= HEADER_BYTES && at + 2 <= config.size;
	     i++) {
		if (byte_at(config, at) == id)
			return at;
		at = byte_at(config, at + 1) & ~3U;
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

static void express_parse(struct view config, size_t at, struct pci_device *device)
{
	unsigned flags = word_at(config, at + PCI_EXP_FLAGS);
	unsigned control = word_at(config, at + PCI_EXP_DEVCTL);
	unsigned status = word_at(config, at + PCI_EXP_LNKSTA);
	unsigned able = word_at(config, at + PCI_EXP_LNKCAP) |
			word_at(config, at + PCI_EXP_LNKCAP + 2) << 16;

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

void pci_parse(struct view config, struct pci_device *device)
{
	unsigned type = byte_at(config, PCI_HEADER_TYPE) & 0x7f;
	size_t express;

	if (config.size < HEADER_BYTES) {
		device->error = EBADMSG;
		return;
	}
	device->vendor = (uint16_t)word_at(config, PCI_VENDOR_ID);
	device->product = (uint16_t)word_at(config, PCI_DEVICE_ID);
	device->class_code = word_at(config, PCI_CLASS_PROG) | byte_at(config, PCI_CLASS_PROG + 2)
								       << 16;
	if (type == PCI_HEADER_TYPE_BRIDGE)
		device->secondary = byte_at(config, PCI_SECONDARY_BUS);
	if (config.size < CONFIG_BYTES) {
		device->cut = word_at(config, PCI_STATUS) & PCI_STATUS_CAP_LIST;
		return;
	}
	express = capability_find(config, PCI_CAP_ID_EXP);
	if (express && express + PCI_EXP_LNKSTA + 2 <= config.size)
		express_parse(config, express, device);
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
		struct view config;

		if (!name_parse(view_of(names.items[i]), device))
			continue;
		pci->count++;
		device->name = names.items[i];
		device->error = root_range(
			host->root, arena_printf(host->arena, DEVICES "/%s/config", device->name),
			0, CONFIG_BYTES, &config);
		if (!device->error)
			pci_parse(config, device);
	}
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
	return device->class_code >> 16 == PCI_BASE_CLASS_NETWORK && device->vendor != 0xffff;
}
