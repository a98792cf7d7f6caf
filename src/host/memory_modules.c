// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/memory.h"

#define NAMED_MAX 4

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
					       memory_slot_name(device)));
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

/* "8 DIMMs of 32 GiB, 2 ranks, DDR4, 3200 MT/s": what most of them are. */
static struct value modules(struct facts *facts, const char *of)
{
	const struct memory *memory = host_memory(facts->host);
	struct arena *arena = facts->arena;
	struct names words = {0};
	struct value value;
	bool mixed = false;

	(void)of;
	if (memory->problem.kind != VALUE_NONE)
		return memory->problem;
	for (enum attribute attribute = 0; attribute < ATTRIBUTE_COUNT; attribute++) {
		uint64_t usual = attribute_usual(memory, attribute);

		mixed = mixed || attribute_uses(memory, attribute, usual) != memory->dimm_count;
		if (usual != 0)
			names_add(arena, &words,
				  arena_printf(arena, "%s%s",
					       attribute_text(arena, attribute, usual),
					       attribute != ATTRIBUTE_RANKS ? ""
					       : usual == 1                 ? " rank"
									    : " ranks"));
	}
	value = value_text(arena_printf(arena, "%zu DIMM%s%s of %s", memory->dimm_count,
					memory->dimm_count == 1 ? "" : "s", mixed ? ", mostly" : "",
					names_join(arena, &words, ", ")));
	value_cite(arena, &value, SMBIOS_TABLE_PATH, "type 17", CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "memory.modules",
	 .summary = "number of DIMMs and what most of them are (SMBIOS type 17)",
	 .read = modules},
	{.name = "memory.mismatches",
	 .summary = "DIMMs that differ in size, ranks, type or speed, and sockets that hold "
		    "different amounts (SMBIOS type 17)",
	 .read = mismatches},
};

const struct fact_table module_facts = FACT_TABLE(rows);
