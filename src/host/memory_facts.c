// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/memory.h"

static struct value cited(struct facts *facts, struct value value, const char *raw, bool inferred)
{
	value_cite(facts->arena, &value, SMBIOS_TABLE_PATH, raw,
		   inferred ? CONFIDENCE_INFERRED : CONFIDENCE_DIRECT);
	return value;
}

static struct value order_unknown(struct facts *facts)
{
	return value_unknown(
		facts->arena, UNKNOWN_UNCONFIRMED,
		"which slots share a channel on %s is not confirmed; look at the board's manual",
		host_memory(facts->host)->scheme->board);
}

static struct value layout(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);
	const char *text;

	(void)of;
	if (!memory->scheme)
		return memory->layout_problem;
	if (memory->order_uncertain)
		return cited(facts,
			     value_text(arena_printf(facts->arena,
						     "%zu DIMMs in %zu slots; which slots share a "
						     "channel is not confirmed",
						     memory->dimm_count, memory->slot_count)),
			     "type 17 locators", true);
	text = memory_layout(facts->arena, memory);
	return cited(facts, value_text(text),
		     arena_printf(facts->arena, "type 17: %zu of %zu slots in use, named as on %s",
				  memory->dimm_count, memory->slot_count, memory->scheme->board),
		     memory->order_inferred);
}

/* Empty channels whatever the order: fewer DIMMs than channels. */
static struct value empty_by_count(struct facts *facts, const struct memory *memory)
{
	struct names empty = {0};

	for (size_t i = 0; i < memory->socket_count; i++) {
		const struct memory_socket *socket = &memory->sockets[i];

		if (socket->dimms < socket->wired)
			names_add(facts->arena, &empty,
				  arena_printf(facts->arena, "socket %u: %u DIMMs for %u channels",
					       socket->id, socket->dimms, socket->wired));
	}
	if (empty.count == 0)
		return order_unknown(facts);
	return cited(facts, value_list(empty), "type 17 sizes", false);
}

/* Every channel of the board has a DIMM: is that every channel of the processor? No profile: the
 * board's word is taken. */
static struct value all_populated(struct facts *facts, const struct memory *memory)
{
	const struct value *own = facts_get(facts, "cpu.memory-channels");
	int64_t expected = memory->scheme->channels_wired;

	if (expected == 0 && own && own->kind == VALUE_UNKNOWN)
		return *own;
	if (expected == 0 && own && own->kind == VALUE_NUMBER)
		expected = own->number;
	for (size_t i = 0; i < memory->socket_count; i++) {
		unsigned wired = memory->sockets[i].wired;

		if (expected != 0 && wired != expected)
			return value_unknown(
				facts->arena, UNKNOWN_UNCONFIRMED,
				"%s lists %u channels of socket %u, the processor has %lld",
				SMBIOS_TABLE_PATH, wired, memory->sockets[i].id,
				(long long)expected);
	}
	return cited(facts, value_list((struct names){0}), memory_layout(facts->arena, memory),
		     memory->order_inferred);
}

/* Channels of all processors, 0 when not known. */
static size_t channels_of_processors(struct facts *facts)
{
	const struct value *own = facts_get(facts, "cpu.memory-channels");

	if (!own || own->kind != VALUE_NUMBER || own->number <= 0)
		return 0;
	return (size_t)own->number * smbios_populated(host_smbios(facts->host));
}

/* A board whose slot names nobody knows: with at most two slots on a channel, the count alone may
 * be too small for the channels that must be there. */
static struct value unnamed_empty(struct facts *facts, const struct memory *memory)
{
	size_t channels = channels_of_processors(facts), wired = (memory->slot_count + 1) / 2;
	struct names empty = {0};

	wired = wired < channels ? wired : channels;
	if (memory->layout_problem.unknown != UNKNOWN_UNCONFIRMED || memory->dimm_count >= wired)
		return memory->layout_problem;
	names_add(facts->arena, &empty,
		  arena_printf(facts->arena, "at least %zu channels: %zu DIMM%s in %zu slots",
			       wired - memory->dimm_count, memory->dimm_count,
			       memory->dimm_count == 1 ? "" : "s", memory->slot_count));
	return cited(facts, value_list(empty), "type 17 sizes", true);
}

/* More DIMMs than the processors have channels share some, wherever they are. */
static struct value unnamed_per_channel(struct facts *facts, const struct memory *memory)
{
	size_t channels = channels_of_processors(facts);

	if (memory->layout_problem.unknown != UNKNOWN_UNCONFIRMED || channels == 0 ||
	    memory->dimm_count <= channels)
		return memory->layout_problem;
	return cited(facts, value_number((int64_t)((memory->dimm_count + channels - 1) / channels)),
		     arena_printf(facts->arena, "%zu DIMMs for %zu channels", memory->dimm_count,
				  channels),
		     true);
}

static struct value channels_empty(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);
	struct names empty = {0};

	(void)of;
	if (!memory->scheme)
		return unnamed_empty(facts, memory);
	if (memory->order_uncertain)
		return empty_by_count(facts, memory);
	for (size_t i = 0; i < memory->channel_count; i++) {
		const struct memory_channel *channel = &memory->channels[i];
		const char *name =
			locator_channel_name(facts->arena, memory->scheme, channel->channel);

		if (channel->dimms != 0)
			continue;
		names_add(facts->arena, &empty,
			  memory->socket_count == 1
				  ? arena_printf(facts->arena, "channel %s", name)
				  : arena_printf(facts->arena, "socket %u channel %s",
						 channel->socket, name));
	}
	if (empty.count == 0)
		return all_populated(facts, memory);
	return cited(facts, value_list(empty), memory_layout(facts->arena, memory),
		     memory->order_inferred);
}

static struct value channels(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);
	int64_t populated = 0;

	(void)of;
	if (!memory->scheme)
		return memory->layout_problem;
	if (memory->order_uncertain)
		return order_unknown(facts);
	for (size_t i = 0; i < memory->socket_count; i++)
		populated += memory->sockets[i].populated;
	return cited(facts, value_number(populated), memory_layout(facts->arena, memory),
		     memory->order_inferred);
}

static struct value dimms_per_channel(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);
	bool crowded = false;
	unsigned most = 0;

	(void)of;
	if (!memory->scheme)
		return unnamed_per_channel(facts, memory);
	for (size_t i = 0; i < memory->socket_count; i++) {
		const struct memory_socket *socket = &memory->sockets[i];

		most = socket->most > most ? socket->most : most;
		crowded = crowded || socket->dimms > socket->wired;
	}
	if (memory->order_uncertain && !crowded)
		return order_unknown(facts);
	return cited(facts, value_number(memory->order_uncertain ? 2 : most),
		     memory_layout(facts->arena, memory), memory->order_inferred && !crowded);
}

static struct value memory_size(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);

	(void)of;
	if (memory->problem.kind != VALUE_NONE)
		return memory->problem;
	return cited(facts, value_number((int64_t)memory->size_bytes), "type 17 sizes", false);
}

static struct value memory_dimms(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);

	(void)of;
	if (memory->problem.kind != VALUE_NONE)
		return memory->problem;
	return cited(facts, value_number((int64_t)memory->dimm_count), "type 17 sizes", false);
}

static const struct fact rows[] = {
	{.name = "memory.layout",
	 .summary = "channels in use, DIMMs per channel and empty channels, per socket (SMBIOS "
		    "types 4, 16, 17)",
	 .read = layout},
	{.name = "memory.channels-empty",
	 .summary = "channels of the board without a DIMM; the board's slot names tell which "
		    "(SMBIOS type 17)",
	 .read = channels_empty},
	{.name = "memory.channels",
	 .summary = "channels with a DIMM, of all sockets (SMBIOS type 17)",
	 .read = channels},
	{.name = "memory.dimms-per-channel",
	 .summary = "DIMMs in the fullest channel (SMBIOS type 17)",
	 .read = dimms_per_channel},
	{.name = "memory.dimms",
	 .summary = "slots with a DIMM, counted by size (SMBIOS type 17)",
	 .read = memory_dimms},
	{.name = "memory.size",
	 .unit = "bytes",
	 .summary = "memory installed (SMBIOS type 17)",
	 .read = memory_size},
};

const struct fact_table memory_facts = FACT_TABLE(rows);
