// SPDX-License-Identifier: BSD-2-Clause
#include "host/memory.h"

#include "base/arena.h"

#include <fnmatch.h>
#include <stdlib.h>

/* Why the slots cannot be known at all. */
static struct value memory_problem(struct arena *arena, const struct smbios *smbios)
{
	if (smbios->tables_errno)
		return value_unread(arena, SMBIOS_TABLE_PATH, smbios->tables_errno);
	if (smbios->damage.count)
		return value_unknown(arena, UNKNOWN_DAMAGED, "%s: %s", SMBIOS_TABLE_PATH,
				     smbios->damage.items[0]);
	if (smbios_populated(smbios) == 0)
		return value_unknown(arena, UNKNOWN_DAMAGED,
				     "%s names no socket with a processor in it",
				     SMBIOS_TABLE_PATH);
	if (smbios->device_count > MEMORY_DEVICES_MAX)
		return value_unknown(arena, UNKNOWN_DAMAGED, "%s lists more than %d memory devices",
				     SMBIOS_TABLE_PATH, MEMORY_DEVICES_MAX);
	return value_none("the slots are known");
}

static bool array_is_empty(const struct smbios *smbios, uint16_t handle)
{
	for (size_t i = 0; i < smbios->device_count; i++) {
		const struct smbios_device *device = &smbios->devices[i];

		if (device->array == handle && (device->size_bytes != 0 || !device->size_known))
			return false;
	}
	return true;
}

/* Empty arrays, from the last, stand for sockets without a processor; edk2 lists one of 16 for a
 * socket that is not there. */
static void drop_arrays_of_absent_sockets(const struct smbios *smbios, bool *dropped)
{
	size_t absent = smbios->processor_count - smbios_populated(smbios);
	size_t kept = 0;

	for (size_t i = 0; i < smbios->array_count; i++)
		kept += smbios->arrays[i].system_memory;
	for (size_t i = smbios->array_count; i > 0 && absent > 0 && kept > 1; i--) {
		const struct smbios_array *array = &smbios->arrays[i - 1];

		if (!array->system_memory || !array_is_empty(smbios, array->handle))
			continue;
		dropped[i - 1] = true;
		absent--;
		kept--;
	}
}

/* A device whose array is not listed is taken as system memory; nothing else is a DIMM slot on
 * these boards. */
static bool device_counts(const struct smbios *smbios, const struct smbios_device *device,
			  const bool *dropped)
{
	for (size_t i = 0; i < smbios->array_count; i++) {
		if (smbios->arrays[i].handle == device->array)
			return smbios->arrays[i].system_memory && !dropped[i];
	}
	return true;
}

static void collect_slots(struct arena *arena, const struct smbios *smbios, struct memory *memory)
{
	bool *dropped = arena_array(arena, bool, smbios->array_count + 1);

	drop_arrays_of_absent_sockets(smbios, dropped);
	memory->slots = arena_array(arena, const struct smbios_device *, smbios->device_count + 1);
	for (size_t i = 0; i < smbios->device_count; i++) {
		const struct smbios_device *device = &smbios->devices[i];

		if (!device_counts(smbios, device, dropped))
			continue;
		if (!device->size_known) {
			memory->problem = value_unknown(
				arena, UNKNOWN_DAMAGED, "%s gives no size for %s",
				SMBIOS_TABLE_PATH,
				device->locator ? device->locator : "a memory device");
			return;
		}
		memory->slots[memory->slot_count++] = device;
		memory->dimm_count += device->size_bytes != 0;
		memory->size_bytes += device->size_bytes;
	}
	if (memory->slot_count == 0)
		memory->problem = value_unknown(arena, UNKNOWN_NOT_VISIBLE,
						"%s lists no memory device", SMBIOS_TABLE_PATH);
	else if (memory->dimm_count == 0)
		memory->problem =
			value_unknown(arena, UNKNOWN_DAMAGED,
				      "%s lists no memory device with a size", SMBIOS_TABLE_PATH);
}

static struct memory_channel *channel_of(struct memory *memory, const struct locator_place *place)
{
	struct memory_channel *channel = memory->channels;

	while (channel < memory->channels + memory->channel_count &&
	       (channel->socket != place->socket || channel->channel != place->channel))
		channel++;
	if (channel == memory->channels + memory->channel_count) {
		memory->channel_count++;
		channel->socket = place->socket;
		channel->channel = place->channel;
	}
	return channel;
}

static int channel_order(const void *a, const void *b)
{
	const struct memory_channel *left = a, *right = b;

	if (left->socket != right->socket)
		return left->socket < right->socket ? -1 : 1;
	return left->channel < right->channel ? -1 : left->channel > right->channel;
}

static void collect_channels(struct arena *arena, struct memory *memory)
{
	memory->channels = arena_array(arena, struct memory_channel, memory->slot_count + 1);
	for (size_t i = 0; i < memory->slot_count; i++) {
		struct memory_channel *channel = channel_of(memory, &memory->places[i]);

		channel->slots++;
		channel->dimms += memory->slots[i]->size_bytes != 0;
	}
	qsort(memory->channels, memory->channel_count, sizeof(*memory->channels), channel_order);
}

/* Sockets are numbered as type 4 lists them. Absent: known to hold no processor, and no DIMM
 * either. */
static bool socket_is_absent(const struct smbios *smbios, const struct memory *memory,
			     unsigned socket)
{
	if (socket < smbios->processor_count && smbios->processors[socket].populated)
		return false;
	for (size_t i = 0; i < memory->channel_count; i++) {
		if (memory->channels[i].socket == socket && memory->channels[i].dimms != 0)
			return false;
	}
	return true;
}

static void drop_absent_sockets(const struct smbios *smbios, struct memory *memory)
{
	size_t kept = 0;

	for (size_t i = 0; i < memory->channel_count; i++) {
		if (!socket_is_absent(smbios, memory, memory->channels[i].socket))
			memory->channels[kept++] = memory->channels[i];
	}
	memory->channel_count = kept;
}

static void collect_sockets(struct arena *arena, struct memory *memory)
{
	struct memory_socket *socket = NULL;

	memory->sockets = arena_array(arena, struct memory_socket, memory->channel_count + 1);
	for (size_t i = 0; i < memory->channel_count; i++) {
		const struct memory_channel *channel = &memory->channels[i];

		if (!socket || socket->id != channel->socket) {
			socket = &memory->sockets[memory->socket_count++];
			socket->id = channel->socket;
		}
		socket->wired++;
		socket->dimms += channel->dimms;
		if (channel->dimms == 0)
			continue;
		socket->populated++;
		socket->most = channel->dimms > socket->most ? channel->dimms : socket->most;
		if (socket->fewest == 0 || channel->dimms < socket->fewest)
			socket->fewest = channel->dimms;
	}
	for (size_t i = 0; i < memory->slot_count; i++) {
		for (size_t j = 0; j < memory->socket_count; j++) {
			if (memory->sockets[j].id == memory->places[i].socket)
				memory->sockets[j].size_bytes += memory->slots[i]->size_bytes;
		}
	}
}

/* Where the order is not confirmed: all slots full is certain, one DIMM in every pair fits the
 * known layout of that board. */
static void judge_order(struct memory *memory)
{
	for (size_t i = 0; i < memory->socket_count; i++) {
		const struct memory_socket *socket = &memory->sockets[i];

		if (socket->dimms == socket->wired * memory->scheme->slots_per_channel)
			continue;
		memory->order_inferred = true;
		if (socket->populated != socket->wired || socket->most != 1)
			memory->order_uncertain = true;
	}
}

static void collect_layout(struct arena *arena, const struct smbios *smbios, struct memory *memory)
{
	memory->places = arena_array(arena, struct locator_place, memory->slot_count + 1);
	memory->scheme =
		locator_schemes_match(smbios, memory->slots, memory->slot_count, memory->places);
	if (!memory->scheme) {
		memory->layout_problem = value_unknown(
			arena, UNKNOWN_UNCONFIRMED, "no known board names its slots like %s (%s)",
			memory->slots[0]->locator ? memory->slots[0]->locator
						  : "this one, which are blank",
			smbios->board_product ? smbios->board_product : "board not named");
		return;
	}
	collect_channels(arena, memory);
	drop_absent_sockets(smbios, memory);
	collect_sockets(arena, memory);
	if (memory->socket_count != smbios_populated(smbios)) {
		memory->layout_problem =
			value_unknown(arena, UNKNOWN_DAMAGED,
				      "the slots belong to %zu sockets, %zu have a processor",
				      memory->socket_count, smbios_populated(smbios));
		memory->scheme = NULL;
		return;
	}
	if (memory->scheme->order_inferred)
		judge_order(memory);
}

const struct memory *host_memory(struct host *host)
{
	const struct smbios *smbios = host_smbios(host);
	struct memory *memory;

	if (host->memory)
		return host->memory;
	memory = arena_new(host->arena, struct memory);
	host->memory = memory;
	memory->problem = memory_problem(host->arena, smbios);
	if (memory->problem.kind == VALUE_NONE)
		collect_slots(host->arena, smbios, memory);
	if (memory->problem.kind != VALUE_NONE) {
		memory->layout_problem = memory->problem;
		return memory;
	}
	memory->layout_problem = value_none("the layout is known");
	memory->speed_hidden =
		smbios->firmware_version && fnmatch("TianoCore*", smbios->firmware_version, 0) == 0;
	collect_layout(host->arena, smbios, memory);
	return memory;
}

/* "6 of 8 channels, 1 DIMM per channel, empty: C, D" */
static const char *socket_layout(struct arena *arena, const struct memory *memory,
				 const struct memory_socket *socket)
{
	struct names empty = {0};
	const char *per_channel;

	for (size_t i = 0; i < memory->channel_count; i++) {
		const struct memory_channel *channel = &memory->channels[i];

		if (channel->socket == socket->id && channel->dimms == 0)
			names_add(arena, &empty,
				  locator_channel_name(arena, memory->scheme, channel->channel));
	}
	per_channel = socket->fewest == socket->most
			      ? arena_printf(arena, "%u DIMM%s per channel", socket->most,
					     socket->most == 1 ? "" : "s")
			      : arena_printf(arena, "%u to %u DIMMs per channel", socket->fewest,
					     socket->most);
	return arena_printf(arena, "%u of %u channels, %s%s%s", socket->populated, socket->wired,
			    per_channel, empty.count ? ", empty: " : "",
			    empty.count ? names_join(arena, &empty, ", ") : "");
}

const char *memory_layout(struct arena *arena, const struct memory *memory)
{
	struct names parts = {0};
	bool same = true;

	for (size_t i = 0; i < memory->socket_count; i++) {
		const char *layout = socket_layout(arena, memory, &memory->sockets[i]);

		if (memory->socket_count == 1)
			return layout;
		same = same &&
		       view_is(view_of(layout), socket_layout(arena, memory, &memory->sockets[0]));
		names_add(arena, &parts,
			  arena_printf(arena, "socket %u: %s", memory->sockets[i].id, layout));
	}
	if (same)
		return arena_printf(arena, "%zu sockets, each %s", memory->socket_count,
				    socket_layout(arena, memory, &memory->sockets[0]));
	return names_join(arena, &parts, "; ");
}

const char *memory_slot_name(const struct smbios_device *device)
{
	return device->locator ? device->locator : "a slot without a name";
}
