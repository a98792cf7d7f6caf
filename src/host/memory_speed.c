// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/memory.h"

#include <fnmatch.h>
#include <limits.h>

/* Ratings that a part number states, for firmware that hides them: codes seen beside that rating in
 * real tables. */
static const struct {
	const char *part;
	unsigned rated_mts;
} ratings[] = {
	{"M393A*-CWE*", 3200}, {"M393A*-CVF*", 2933}, {"M393A*-CRC*", 2400},
	{"*ASF*-3G2*", 3200},  {"*ASF*-2G9*", 2933},  {"HMA8*-UH*", 2400},
};

struct speeds {
	unsigned configured_mts, rated_mts; /* the slowest of each; 0: one DIMM does not give it */
	bool inferred;                      /* a rating was taken from a part number */
};

static unsigned rated_by_part(const char *part)
{
	for (size_t i = 0; part && i < sizeof(ratings) / sizeof(ratings[0]); i++) {
		if (fnmatch(ratings[i].part, part, 0) == 0)
			return ratings[i].rated_mts;
	}
	return 0;
}

static struct speeds speeds_of(const struct memory *memory)
{
	struct speeds speeds = {.configured_mts = UINT_MAX,
				.rated_mts = UINT_MAX,
				.inferred = memory->speed_hidden};

	for (size_t i = 0; i < memory->slot_count; i++) {
		const struct smbios_device *device = memory->slots[i];
		unsigned rated =
			memory->speed_hidden ? rated_by_part(device->part) : device->speed_mts;

		if (device->size_bytes == 0)
			continue;
		if (device->configured_mts < speeds.configured_mts)
			speeds.configured_mts = device->configured_mts;
		if (rated < speeds.rated_mts)
			speeds.rated_mts = rated;
	}
	return speeds;
}

static struct value speed(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);
	struct speeds speeds;
	struct value value;

	(void)of;
	if (memory->problem.kind != VALUE_NONE)
		return memory->problem;
	speeds = speeds_of(memory);
	if (speeds.configured_mts == 0)
		return value_unknown(
			facts->arena, UNKNOWN_NOT_VISIBLE,
			"the firmware does not give the configured speed of every DIMM");
	value = value_number(speeds.configured_mts);
	value_cite(facts->arena, &value, SMBIOS_TABLE_PATH,
		   arena_printf(facts->arena, "type 17 configured speed: %u MT/s",
				speeds.configured_mts),
		   CONFIDENCE_DIRECT);
	return value;
}

/* What the processor reaches with one DIMM per channel; 0 when that is not known. */
static unsigned ceiling_mts(struct facts *facts)
{
	const struct value *ceiling = facts_get(facts, "cpu.memory-ceiling");

	return ceiling && ceiling->kind == VALUE_NUMBER ? (unsigned)ceiling->number : 0;
}

/* The lesser of the slowest DIMM's rating and the processor's ceiling. */
static struct value speed_wanted(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);
	const struct value *own = facts_get(facts, "cpu.memory-ceiling");
	unsigned ceiling = ceiling_mts(facts);
	struct speeds speeds;
	struct value value;

	(void)of;
	if (memory->problem.kind != VALUE_NONE)
		return memory->problem;
	speeds = speeds_of(memory);
	if (speeds.rated_mts == 0)
		return value_unknown(
			facts->arena, UNKNOWN_NOT_VISIBLE, "%s",
			memory->speed_hidden
				? "this firmware writes the trained speed as the DIMM's own, and a "
				  "part number does not tell it"
				: "the firmware does not give the speed of every DIMM");
	if (ceiling == 0)
		return own && own->kind == VALUE_UNKNOWN
			       ? *own
			       : value_unknown(
					 facts->arena, UNKNOWN_UNCONFIRMED,
					 "the memory speed this processor reaches is not known");
	value = value_number(speeds.rated_mts < ceiling ? speeds.rated_mts : ceiling);
	value_cite(facts->arena, &value, SMBIOS_TABLE_PATH,
		   arena_printf(facts->arena, "slowest DIMM %u MT/s, processor %u MT/s",
				speeds.rated_mts, ceiling),
		   speeds.inferred ? CONFIDENCE_INFERRED : CONFIDENCE_DIRECT);
	return value;
}

/* The speeds below which running is certainly wrong (least) and from which on it is certainly right
 * (enough). */
static void speed_bounds(struct facts *facts, const struct speeds *speeds, unsigned *least,
			 unsigned *enough)
{
	unsigned ceiling = ceiling_mts(facts), rated = speeds->rated_mts;

	*least = rated < ceiling ? rated : ceiling;
	*enough = UINT_MAX;
	if (rated != 0)
		*enough = rated;
	if (ceiling != 0 && ceiling < *enough)
		*enough = ceiling;
}

static struct value speed_short(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);
	const struct value *wanted = facts_get(facts, "memory.speed-wanted");
	struct names slow = {0};
	struct speeds speeds;
	unsigned least, enough;
	bool inferred;
	struct value value;

	(void)of;
	if (memory->problem.kind != VALUE_NONE)
		return memory->problem;
	speeds = speeds_of(memory);
	if (speeds.configured_mts == 0)
		return speed(facts, NULL);
	speed_bounds(facts, &speeds, &least, &enough);
	for (size_t i = 0; i < memory->slot_count; i++) {
		const struct smbios_device *device = memory->slots[i];

		if (device->size_bytes != 0 && device->configured_mts < least)
			names_add(facts->arena, &slow,
				  arena_printf(facts->arena, "%s runs %u MT/s, wants %u MT/s",
					       memory_slot_name(device), device->configured_mts,
					       least));
	}
	if (slow.count == 0 && speeds.configured_mts < enough)
		return wanted && wanted->kind == VALUE_UNKNOWN
			       ? *wanted
			       : value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
					       "what these DIMMs should run at is not known");
	value = value_list(slow);
	/* at the processor's ceiling the DIMMs' own rating, seen or guessed, does not matter */
	inferred = speeds.inferred && (slow.count != 0 || enough == speeds.rated_mts);
	value_cite(facts->arena, &value, SMBIOS_TABLE_PATH,
		   arena_printf(facts->arena, "type 17 configured speed: %u MT/s",
				speeds.configured_mts),
		   inferred ? CONFIDENCE_INFERRED : CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "memory.speed",
	 .unit = "MT/s",
	 .summary = "the speed the slowest DIMM runs at (SMBIOS type 17 configured speed)",
	 .read = speed},
	{.name = "memory.speed-wanted",
	 .unit = "MT/s",
	 .summary = "the lesser of the slowest DIMM's rating and what the processor reaches",
	 .read = speed_wanted},
	{.name = "memory.speed-short",
	 .summary = "DIMMs that run slower than they and the processor could (SMBIOS type 17)",
	 .read = speed_short},
};

const struct fact_table speed_facts = FACT_TABLE(rows);
