// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct pci_dev;

/*
 * Configuration space of many devices through libpci: bytes that came through the root are handed
 * to it as one dump on a memfd, so that a capture, a directory and this machine are read alike.
 * What lies past a device's bytes reads as ones, as on the bus.
 */
struct pci_space {
	struct pci_access *access;
	struct pci_dev **devices; /* in the order of the bytes given */
	size_t count;
};

/* False when there is no /proc to hand the dump over by, or no memory for it. */
bool pci_space_open(struct arena *arena, const struct view *configs, size_t count,
		    struct pci_space *out);
void pci_space_close(struct pci_space *space);

unsigned pci_space_byte(const struct pci_space *space, size_t index, unsigned at);
unsigned pci_space_word(const struct pci_space *space, size_t index, unsigned at);
unsigned pci_space_long(const struct pci_space *space, size_t index, unsigned at);
/* Where a capability starts, 0 when there is none; lists that loop or are cut end. */
unsigned pci_space_capability(const struct pci_space *space, size_t index, unsigned id);
