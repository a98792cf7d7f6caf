// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/redfish.h"

#include <string.h>

/* How one member becomes a part; false: it is none (an empty slot). */
typedef bool read_part(struct arena *arena, const cJSON *top, struct redfish_part *part);

static bool is_absent(struct arena *arena, const cJSON *top)
{
	const char *state = redfish_text(arena, redfish_member(top, "Status"), "State");

	return state && (strcmp(state, "Absent") == 0 || strcmp(state, "UnavailableOffline") == 0);
}

static bool read_dimm(struct arena *arena, const cJSON *top, struct redfish_part *part)
{
	part->name = redfish_text(arena, top, "DeviceLocator");
	part->number = redfish_text(arena, top, "PartNumber");
	part->size_mib = redfish_number(top, "CapacityMiB");
	part->speed = redfish_number(top, "OperatingSpeedMhz");
	return !is_absent(arena, top);
}

static bool read_processor(struct arena *arena, const cJSON *top, struct redfish_part *part)
{
	const char *type = redfish_text(arena, top, "ProcessorType");

	part->number = redfish_text(arena, top, "Model");
	part->cores = redfish_number(top, "TotalCores");
	return !is_absent(arena, top) && (!type || strcmp(type, "CPU") == 0);
}

static bool read_firmware(struct arena *arena, const cJSON *top, struct redfish_part *part)
{
	part->number = redfish_text(arena, top, "Version");
	return part->number;
}

/* `address` NULL: the BMC does not offer them. */
static struct redfish_parts read_parts(struct host *host, const char *address, const char *what,
				       read_part *read)
{
	struct redfish_parts parts = {.problem = value_none(NULL)};
	struct names members = {0};

	if (!address) {
		parts.problem = value_unknown(host->arena, UNKNOWN_NOT_VISIBLE,
					      "the BMC offers no list of its %s", what);
		return parts;
	}
	parts.path = redfish_question(host->arena, address);
	if (!redfish_members(host, address, &members, &parts.problem))
		return parts;
	parts.items = arena_array(host->arena, struct redfish_part, members.count + 1);
	for (size_t i = 0; i < members.count; i++) {
		struct redfish_document document = redfish_read(host, members.items[i]);
		struct redfish_part *part = &parts.items[parts.count];

		*part = (struct redfish_part){0};
		if (!document.top) {
			parts.problem = document.problem;
			/* The next ones fare no better, and each may take a minute. */
			break;
		}
		if (!read(host->arena, document.top, part))
			continue;
		part->name = part->name ? part->name : redfish_last(host->arena, members.items[i]);
		parts.count++;
	}
	return parts;
}

void redfish_read_inventory(struct host *host, struct redfish *redfish, const cJSON *root)
{
	struct redfish_document update;
	const char *address = redfish_link(root, "UpdateService");

	if (redfish->system_top) {
		redfish->memory = read_parts(host, redfish_link(redfish->system_top, "Memory"),
					     "memory", read_dimm);
		redfish->processors =
			read_parts(host, redfish_link(redfish->system_top, "Processors"),
				   "processors", read_processor);
	} else {
		redfish->memory.problem = redfish->processors.problem = redfish->system;
	}
	update.top = NULL;
	if (address)
		update = redfish_read(host, address);
	redfish->firmware = read_parts(host, redfish_link(update.top, "FirmwareInventory"),
				       "firmware", read_firmware);
}
