// SPDX-License-Identifier: BSD-2-Clause
#include "host/pci_space.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <pci/pci.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEADER_BYTES 64
#define LINE_BYTES 16
#define CONFIG_BYTES_MAX 4096
#define DUMP_BYTES_MAX ((size_t)64 << 20)
#define DEVICES_MAX 65536 /* as many as bus, device and function can number */

/* libpci's callback must not return. It is called when there is no memory, or for a dump that is
 * not one, which ours is. */
static void give_up(char *format, ...) __attribute__((noreturn));
static void give_up(char *format, ...)
{
	(void)format;
	_exit(EXIT_TROUBLE);
}

static void say_nothing(char *format, ...)
{
	(void)format;
}

/* The form of `lspci -x`. Addresses are our own numbering: those of a host may be anything. */
static void dump_device(struct buffer *out, size_t index, struct view config)
{
	size_t size = config.size < CONFIG_BYTES_MAX ? config.size : CONFIG_BYTES_MAX;

	buffer_printf(out, "%02zx:%02zx.%zx device\n", index >> 8, index >> 3 & 0x1f, index & 7);
	for (size_t i = 0; i < size; i++) {
		if (i % LINE_BYTES == 0)
			buffer_printf(out, "%s%02zx:", i ? "\n" : "", i);
		buffer_char(out, ' ');
		buffer_char(out, "0123456789abcdef"[(unsigned char)config.at[i] >> 4]);
		buffer_char(out, "0123456789abcdef"[(unsigned char)config.at[i] & 15]);
	}
	buffer_text(out, "\n\n");
}

static bool open_dump(struct pci_space *space, int fd)
{
	char path[64], name[] = "dump.name";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (access(path, R_OK) < 0)
		return false;
	space->access = pci_alloc();
	space->access->method = PCI_ACCESS_DUMP;
	space->access->error = give_up;
	space->access->warning = say_nothing;
	space->access->debug = say_nothing;
	pci_set_param(space->access, name, path);
	pci_init(space->access);
	pci_scan_bus(space->access);
	return true;
}

bool pci_space_open(struct arena *arena, const struct view *configs, size_t count,
		    struct pci_space *out)
{
	struct buffer dump = buffer_new(arena, DUMP_BYTES_MAX);
	struct pci_space space = {.count = count};

	scoped_fd int fd = memfd_create("pci-dump", MFD_CLOEXEC);
	if (fd < 0 || count > DEVICES_MAX)
		return false;
	for (size_t i = 0; i < count; i++)
		dump_device(&dump, i, configs[i]);
	if (dump.full || !file_write_fd(fd, "pci-dump", buffer_view(&dump), NULL) ||
	    !open_dump(&space, fd))
		return false;
	space.devices = arena_array(arena, struct pci_dev *, count + 1);
	for (struct pci_dev *device = space.access->devices; device; device = device->next) {
		size_t index = (size_t)device->bus << 8 | (size_t)device->dev << 3 | device->func;

		if (index < count)
			space.devices[index] = device;
	}
	*out = space;
	return true;
}

void pci_space_close(struct pci_space *space)
{
	if (space->access)
		pci_cleanup(space->access);
	space->access = NULL;
}

unsigned pci_space_byte(const struct pci_space *space, size_t index, unsigned at)
{
	return space->devices[index] ? pci_read_byte(space->devices[index], (int)at) : 0xff;
}

unsigned pci_space_word(const struct pci_space *space, size_t index, unsigned at)
{
	return space->devices[index] ? pci_read_word(space->devices[index], (int)at) : 0xffff;
}

unsigned pci_space_long(const struct pci_space *space, size_t index, unsigned at)
{
	return space->devices[index] ? pci_read_long(space->devices[index], (int)at) : 0xffffffff;
}

unsigned pci_space_capability(const struct pci_space *space, size_t index, unsigned id)
{
	struct pci_cap *capability;

	if (!space->devices[index])
		return 0;
	capability = pci_find_cap(space->devices[index], id, PCI_CAP_NORMAL);
	/* A list that points into the header is no list. */
	return capability && capability->addr >= HEADER_BYTES ? capability->addr : 0;
}
