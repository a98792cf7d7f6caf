// SPDX-License-Identifier: BSD-2-Clause
#include "host/redact_pci.h"

#include "base/arena.h"

#include <pci/header.h>
#include <string.h>

#define STANDARD_BYTES 256
#define HEADER_BYTES 64

struct view redact_pci_config(struct arena *arena, struct view raw)
{
	char *bytes = arena_copy(arena, raw.at, raw.size);
	size_t size = raw.size < STANDARD_BYTES ? raw.size : STANDARD_BYTES;
	size_t at =
		size > PCI_CAPABILITY_LIST ? (unsigned char)bytes[PCI_CAPABILITY_LIST] & ~3U : 0;

	for (unsigned i = 0; i < STANDARD_BYTES / 4 && at >= HEADER_BYTES && at + 8 <= size; i++) {
		if (bytes[at] == PCI_CAP_ID_VPD)
			memset(bytes + at + PCI_VPD_DATA, 0, 4);
		at = (unsigned char)bytes[at + 1] & ~3U;
	}
	if (raw.size > STANDARD_BYTES)
		memset(bytes + STANDARD_BYTES, 0, raw.size - STANDARD_BYTES);
	return (struct view){.at = bytes, .size = raw.size};
}
