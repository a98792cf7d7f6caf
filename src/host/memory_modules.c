// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/memory.h"

#include <fnmatch.h>
#include <limits.h>

#define NAMED_MAX 4

/* Ratings that a part number states, for firmware that hides them: codes seen beside that rating in
 * real tables. */
static const struct {
	const char *part;
	unsigned rated_mts;
} ratings[] = {
	{"M393A*-CWE*", 3200}, {"M393A*-CVF*", 2933}, {"M393A*-CRC*", 2400},
	{"*ASF*-3G2*", 3200},  {"*ASF*-2G9*", 2933},  {"HMA8*-UH*", 2400},
};

/* Memory type, DSP0134 7.18.2, of machines of this field. */
static const struct {
	unsigned type;
	const char *name;
} types[] = {{0x18, "DDR3"}, {0x1a, "DDR4"}, {0x1e, "LPDDR4"}, {0x22, "DDR5"}, {0x23, "LPDDR5"}};

/* The attributes in which all DIMMs should agree. */
enum attribute {
	ATTRIBUTE_SIZE,
	ATTRIBUTE_RANKS,
	ATTRIBUTE_TYPE,
	ATTRIBUTE_SPEED,
	ATTRIBUTE_COUNT
};

static const char *const attribute_names[] = {[ATTRIBUTE_SIZE] = "size",
					      [ATTRIBUTE_RANKS] = "ranks",
					      [ATTRIBUTE_TYPE] = "type",
					      [ATTRIBUTE_SPEED] = "speed"};
_Static_assert(sizeof(attribute_names) / sizeof(attribute_names[0]) == ATTRIBUTE_COUNT,
	       "one name per attribute");

static const char *slot_name(const struct smbios_device *device)
{
	return device->locator ? device->locator : "a slot without a name";
}

/* 0 is "not given" for each of them. */
static uint64_t attribute_of(const struct smbios_device *device, enum attribute attribute)
{
	switch (attribute) {
	case ATTRIBUTE_SIZE:
		return device->size_bytes >> 20;
	case ATTRIBUTE_RANKS:
		return device->ranks;
	case ATTRIBUTE_TYPE:
		return device->type <= 2 ? 0 : device->type; /* 1 other, 2 unknown */
	case ATTRIBUTE_SPEED:
	case ATTRIBUTE_COUNT:
		break;
	}
	return device->speed_mts;
}

static const char *attribute_text(struct arena *arena, enum attribute attribute, uint64_t value)
{
	if (attribute == ATTRIBUTE_SIZE)
		return value % 1024
			       ? arena_printf(arena, "%llu MiB", (unsigned long long)value)
			       : arena_printf(arena, "%llu GiB", (unsigned long long)value / 1024);
	if (attribute == ATTRIBUTE_SPEED)
		return arena_printf(arena, "%llu MT/s", (unsigned long long)value);
	for (size_t i = 0; attribute == ATTRIBUTE_TYPE && i < sizeof(types) / sizeof(types[0]);
	     i++) {
		if (types[i].type == value)
			return types[i].name;
	}
	return arena_printf(arena, "%llu", (unsigned long long)value);
}

static size_t attribute_uses(const struct memory *memory, enum attribute attribute, uint64_t value)
{
	size_t uses = 0;

	for (size_t i = 0; i < memory->slot_count; i++)
		uses += memory->slots[i]->size_bytes != 0 &&
			attribute_of(memory->slots[i], attribute) == value;
	return uses;
}

/* What most DIMMs have; the first listed of several that tie. */
static uint64_t attribute_usual(const struct memory *memory, enum attribute attribute)
{
	uint64_t usual = 0;
	size_t most = 0;

	for (size_t i = 0; i < memory->slot_count; i++) {
		uint64_t value = attribute_of(memory->slots[i], attribute);
		size_t uses =
			memory->slots[i]->size_bytes ? attribute_uses(memory, attribute, value) : 0;

		if (uses > most) {
			usual = value;
			most = uses;
		}
	}
	return usual;
}

/* "ranks: 2 in DIMM_P0_A0, DIMM_P0_A1, others 1"; counts the DIMMs that do not give it. */
static void attribute_compare(struct arena *arena, const struct memory *memory,
			      enum attribute attribute, struct names *out, size_t *missing)
{
	uint64_t usual = attribute_usual(memory, attribute);
	struct names odd = {0};
	size_t more = 0;

	for (size_t i = 0; i < memory->slot_count; i++) {
		const struct smbios_device *device = memory->slots[i];
		uint64_t value = attribute_of(device, attribute);

		if (device->size_bytes == 0)
			continue;
		*missing += value == 0;
		if (value == usual || value == 0)
			continue;
		if (odd.count == NAMED_MAX)
			more++;
		else
			names_add(arena, &odd,
				  arena_printf(arena, "%s in %s",
					       attribute_text(arena, attribute, value),
					       slot_name(device)));
	}
	if (odd.count == 0 || usual == 0)
		return;
	names_add(arena, out,
		  arena_printf(arena, "%s: %s%s, others %s", attribute_names[attribute],
			       names_join(arena, &odd, ", "),
			       more ? arena_printf(arena, " and %zu more", more) : "",
			       attribute_text(arena, attribute, usual)));
}

/* Each socket should hold as much as socket 0. */
static void sockets_compare(struct arena *arena, const struct memory *memory, struct names *out)
{
	for (size_t i = 1; i < memory->socket_count; i++) {
		const struct memory_socket *first = &memory->sockets[0],
					   *other = &memory->sockets[i];

		if (other->dimms != first->dimms || other->size_bytes != first->size_bytes)
			names_add(
				arena, out,
				arena_printf(
					arena,
					"socket %u has %u DIMMs with %s, socket %u has %u with %s",
					first->id, first->dimms,
					attribute_text(arena, ATTRIBUTE_SIZE,
						       first->size_bytes >> 20),
					other->id, other->dimms,
					attribute_text(arena, ATTRIBUTE_SIZE,
						       other->size_bytes >> 20)));
	}
}

static struct value mismatches(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);
	struct names out = {0};
	const char *silent = NULL;
	struct value value;

	(void)of;
	if (memory->problem.kind != VALUE_NONE)
		return memory->problem;
	for (enum attribute attribute = 0; attribute < ATTRIBUTE_COUNT; attribute++) {
		size_t missing = 0;

		attribute_compare(facts->arena, memory, attribute, &out, &missing);
		if (missing != 0)
			silent = attribute_names[attribute];
	}
	sockets_compare(facts->arena, memory, &out);
	if (out.count == 0 && silent && memory->dimm_count > 1)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "the firmware does not give the %s of every DIMM", silent);
	if (out.count == 0 && !memory->scheme && smbios_populated(host_smbios(facts->host)) > 1)
		return memory->layout_problem;
	value = value_list(out);
	value_cite(facts->arena, &value, SMBIOS_TABLE_PATH,
		   arena_printf(facts->arena, "type 17: size, ranks, type and speed of %zu DIMMs",
				memory->dimm_count),
		   CONFIDENCE_DIRECT);
	return value;
}

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
					       slot_name(device), device->configured_mts, least));
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
	{.name = "memory.mismatches",
	 .summary = "DIMMs that differ in size, ranks, type or speed, and sockets that hold "
		    "different amounts (SMBIOS type 17)",
	 .read = mismatches},
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

const struct fact_table module_facts = FACT_TABLE(rows);
