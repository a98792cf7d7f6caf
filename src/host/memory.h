// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/locator.h"
#include "host/smbios.h"

#define MEMORY_DEVICES_MAX 1024

struct memory_channel {
	unsigned socket, channel;
	unsigned slots, dimms;
};

struct memory_socket {
	unsigned id;
	unsigned wired, populated;    /* channels the board has, channels with a DIMM */
	unsigned dimms, fewest, most; /* DIMMs; DIMMs per channel that has any */
	uint64_t size_bytes;
};

/*
 * DIMMs, channels and sockets from SMBIOS types 4, 16 and 17. A DIMM is counted by its size, never
 * by a manufacturer's text; sockets without a processor, and the empty arrays some firmware lists
 * for them, are left out.
 */
struct memory {
	struct value problem; /* why the slots are not known; VALUE_NONE when they are */
	const struct smbios_device **slots; /* of system memory, in table order */
	size_t slot_count, dimm_count;
	uint64_t size_bytes;
	const struct locator_scheme
		*scheme; /* NULL: no scheme explains the locators (layout_problem) */
	struct value layout_problem;
	struct locator_place *places; /* per slot */
	struct memory_channel *channels;
	size_t channel_count;
	struct memory_socket *sockets; /* with a processor, or with DIMMs */
	size_t socket_count;
	bool order_uncertain; /* this population depends on which slots share a channel, which is
				 not confirmed */
	bool order_inferred;  /* it fits one DIMM in each pair: taken as one per channel */
	bool speed_hidden;    /* the firmware writes the trained speed into both speed fields */
};

const struct memory *host_memory(struct host *host);
/* "8 of 8 channels, 1 DIMM per channel"; sockets that differ are told apart. */
const char *memory_layout(struct arena *arena, const struct memory *memory);

/* Its locator, or that it has none. */
const char *memory_slot_name(const struct smbios_device *device);

extern const struct fact_table memory_facts, module_facts, speed_facts, edac_facts;
