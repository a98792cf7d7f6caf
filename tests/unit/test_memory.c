// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "dmi.h"
#include "host/memory.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define UNKNOWN (-1)

/* How the slots of a board are named; every kind is one real table or firmware source. */
enum naming {
	GIGABYTE,
	THUNDERX,
	ASROCK_AMI,
	ASROCK_EDK2,
	SUPERMICRO,
	ADLINK_ES,
	ADLINK,
	JADE_EDK2,
	JADE_AMI,
	HISILICON,
	PHYTIUM,
	UNHEARD_OF,
};

static void name_slot(enum naming naming, unsigned socket, unsigned per_socket, unsigned i,
		      char *locator, char *bank, size_t room)
{
	unsigned char letter = (unsigned char)('A' + i / 2), single = (unsigned char)('A' + i);

	snprintf(bank, room, "Bank %u", i + 1);
	switch (naming) {
	case GIGABYTE:
		snprintf(locator, room, "DIMM_P%u_%c%u", socket, letter, i % 2);
		break;
	case THUNDERX:
		snprintf(locator, room, "DIMM_P%u_%c%u", socket, (char)(letter + 4 * socket),
			 i % 2);
		snprintf(bank, room, "P%u_Node%u_Channel%u_Dimm%u", socket, socket, i / 2, i % 2);
		break;
	case ASROCK_AMI:
		snprintf(locator, room, "DDR4_%c1", single);
		break;
	case ASROCK_EDK2:
		snprintf(locator, room, "DIMM %c1", single);
		break;
	case SUPERMICRO:
		snprintf(locator, room, "DIMM%c%u", letter, i % 2 + 1);
		break;
	case ADLINK_ES:
		snprintf(locator, room, "Socket %u DIMM %u", socket, i);
		break;
	case ADLINK:
		snprintf(locator, room, "DIMM %u", i + 1);
		break;
	case JADE_EDK2:
		snprintf(locator, room, "Socket %u DIMM %u", socket, socket * per_socket + i);
		break;
	case JADE_AMI:
		if (socket == 0)
			snprintf(locator, room, "DIMM %u", i + 1);
		else
			snprintf(locator, room, "Socket %u DIMM %u", socket, i + 1);
		break;
	case HISILICON:
		snprintf(locator, room, "DIMM%u%u%u J%u", socket, i / 2, i % 2, 30 - i);
		snprintf(bank, room, "SOCKET %u CHANNEL %u DIMM %u", socket, i / 2, i % 2);
		break;
	case PHYTIUM:
		snprintf(locator, room, "DIMM%u", i);
		snprintf(bank, room, "SOCKET %u CHANNEL %u DIMM %u", socket, i, i);
		break;
	case UNHEARD_OF:
		snprintf(locator, room, "ChanS%u-%u", socket, i);
		break;
	}
}

struct machine {
	const char *vendor, *firmware;
	const char *family, *product;
	const char *sockets; /* '1' holds a processor, '0' does not */
	enum naming naming;
	unsigned per_socket; /* slots */
	const char *filled;  /* per slot of all sockets: '0' empty, '1' dimm, '2' other */
	bool array_per_socket;
	unsigned spare_array; /* slots of one more, empty array, named like socket 1 */
	struct dmi_dimm dimm, other;
};

static struct arena arena;
static const struct machine *current;

/* What the profiles of the processors say; AmpereOne's X and M are told apart by product alone. */
static const struct {
	const char *family, *product;
	long long channels, ceiling; /* UNKNOWN: no source gives it */
} processors[] = {
	{"altra", NULL, 8, 3200},
	{"altramax", NULL, 8, 3200},
	{"ampereone-ac03", NULL, 8, UNKNOWN},
	{"ampereone-ac04", "X", 8, 5200},
	{"ampereone-ac04", "M", 12, 5600},
	{"ampereone-ac04", NULL, UNKNOWN, UNKNOWN},
};

static struct value of_processor(struct facts *facts, bool ceiling)
{
	for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]); i++) {
		long long number = ceiling ? processors[i].ceiling : processors[i].channels;

		if (strcmp(processors[i].family, current->family) != 0 ||
		    (processors[i].product &&
		     (!current->product || strcmp(processors[i].product, current->product) != 0)))
			continue;
		return number == UNKNOWN ? value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
							 "no source gives it")
					 : value_number(number);
	}
	return value_none("no profile for this CPU");
}

static struct value channels(struct facts *facts, const char *of)
{
	(void)of;
	return of_processor(facts, false);
}

static struct value ceiling(struct facts *facts, const char *of)
{
	(void)of;
	return of_processor(facts, true);
}

static const struct fact cpu_rows[] = {
	{.name = "cpu.memory-channels", .summary = "", .read = channels},
	{.name = "cpu.memory-ceiling", .summary = "", .read = ceiling},
};
static const struct fact_table cpu_table = FACT_TABLE(cpu_rows);
static const struct fact_table *const tables[] = {&cpu_table, &memory_facts, &module_facts,
						  &speed_facts};

static void add_devices(struct dmi *dmi, const struct machine *machine)
{
	size_t sockets = strlen(machine->sockets);
	uint16_t array = 0;

	for (unsigned socket = 0; socket < sockets; socket++) {
		const char *filled = machine->filled + (size_t)socket * machine->per_socket;

		if (strlen(machine->filled) <= (size_t)socket * machine->per_socket)
			break;
		if (socket == 0 || machine->array_per_socket)
			array = dmi_array(dmi, 3, machine->per_socket);
		for (unsigned i = 0; i < machine->per_socket; i++) {
			char locator[64], bank[64];

			name_slot(machine->naming, socket, machine->per_socket, i, locator, bank,
				  sizeof(locator));
			dmi_device(dmi, array, locator, bank,
				   filled[i] == '0'   ? NULL
				   : filled[i] == '1' ? &machine->dimm
						      : &machine->other);
		}
	}
	if (machine->spare_array)
		array = dmi_array(dmi, 3, machine->spare_array);
	for (unsigned i = 0; i < machine->spare_array; i++) {
		char locator[64];

		snprintf(locator, sizeof(locator), "Socket 1 DIMM %u", machine->per_socket + i);
		dmi_device(dmi, array, locator, "Bank 0", NULL);
	}
}

static struct dmi *build(const struct machine *machine)
{
	struct dmi *dmi = calloc(1, sizeof(*dmi));
	uint16_t flash;

	dmi_start(dmi, 0, 0x1a);
	dmi_put(dmi, 0x05, 1, 1);
	dmi_strings(dmi, machine->firmware ? machine->firmware : "1.0", NULL);
	dmi_start(dmi, 1, 0x1b);
	dmi_put(dmi, 0x04, 1, 1);
	dmi_strings(dmi, machine->vendor ? machine->vendor : "Somebody", NULL);
	for (const char *socket = machine->sockets; *socket; socket++)
		dmi_processor(dmi, 0x413fd0c1, 0, *socket == '1', "x",
			      *socket == '1' ? "y" : "NotSet");
	flash = dmi_array(dmi, 5, 1); /* the firmware's flash is no memory */
	dmi_device(dmi, flash, "SPI", "SPI",
		   &(struct dmi_dimm){.megabytes = 32, .type = 9, .manufacturer = "x"});
	add_devices(dmi, machine);
	dmi_end(dmi);
	return dmi;
}

static struct facts read_machine(struct host *host, const struct machine *machine)
{
	struct dmi *dmi = build(machine);
	unsigned char entry[0x18];
	char *copy = arena_copy(&arena, dmi->bytes, dmi->size);

	current = machine;
	*host = (struct host){.arena = &arena};
	host->smbios =
		smbios_parse(&arena, dmi_entry_v3(entry, 65536), (struct view){copy, dmi->size});
	free(dmi);
	return (struct facts){.arena = &arena, .host = host, .tables = tables, .table_count = 4};
}

/* The number of a fact, the length of a list, or UNKNOWN. */
static long long measure(struct facts *facts, const char *name)
{
	const struct value *value = facts_get(facts, name);

	assert_non_null(value);
	if (value->kind == VALUE_UNKNOWN) {
		assert_non_null(value->why);
		return UNKNOWN;
	}
	if (value->kind == VALUE_LIST)
		return (long long)value->list.count;
	assert_int_equal(value->kind, VALUE_NUMBER);
	return value->number;
}

#include "memory_rows.h"

static void population_is_read_board_by_board(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct host host;
		struct facts facts = read_machine(&host, &rows[i].machine);
		const struct value *layout = facts_get(&facts, "memory.layout");

		print_message("%s\n", rows[i].what);
		assert_int_equal(host.smbios->damage.count, 0);
		if (rows[i].layout)
			assert_string_equal(value_format(&arena, layout, NULL), rows[i].layout);
		else
			assert_int_equal(layout->kind, VALUE_UNKNOWN);
		assert_int_equal(measure(&facts, "memory.channels-empty"), rows[i].empty);
		assert_int_equal(measure(&facts, "memory.dimms-per-channel"), rows[i].per_channel);
		assert_int_equal(measure(&facts, "memory.mismatches"), rows[i].mismatches);
		assert_int_equal(measure(&facts, "memory.speed-short"), rows[i].slow);
	}
}

static void confidence(const char *what, const char *fact, enum confidence wanted)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct host host;
		struct facts facts;
		const struct value *value;

		if (strncmp(rows[i].what, what, strlen(what)) != 0)
			continue;
		facts = read_machine(&host, &rows[i].machine);
		value = facts_get(&facts, fact);
		assert_int_equal(value->evidence_count, 1);
		assert_int_equal(value->evidence[0].confidence, wanted);
		return;
	}
	fail_msg("no machine %s", what);
}

static void what_is_inferred_says_so(void **state)
{
	(void)state;
	confidence("Mt. Jade under TianoCore: one in each pair", "memory.channels-empty",
		   CONFIDENCE_INFERRED);
	confidence("Mt. Jade under TianoCore: one in each pair", "memory.dimms-per-channel",
		   CONFIDENCE_INFERRED);
	confidence("Mt. Jade under TianoCore: all slots", "memory.channels-empty",
		   CONFIDENCE_DIRECT);
	confidence("Mt. Jade under AMI, as", "memory.channels-empty", CONFIDENCE_DIRECT);
	confidence("TianoCore: a part number", "memory.speed-short", CONFIDENCE_INFERRED);
	confidence("ADLINK M96-28", "memory.speed-short", CONFIDENCE_DIRECT);
}

static void mismatches_name_the_odd_ones(void **state)
{
	struct host host;
	struct facts facts = read_machine(&host, &rows[2].machine);

	(void)state;
	assert_string_equal(value_format(&arena, facts_get(&facts, "memory.mismatches"), NULL),
			    "ranks: 2 in DIMM_P0_A0, 2 in DIMM_P0_A1, others 1");
}

/* Cut anywhere, the table still gives no verdict that it should not: damage is unknown, never a
 * pass. */
static void a_cut_table_never_passes(void **state)
{
	struct dmi *dmi = build(&rows[3].machine);
	unsigned char entry[0x18];

	(void)state;
	current = &rows[3].machine;
	for (size_t size = 0; size < dmi->size - 6; size += 7) {
		struct host host = {.arena = &arena};
		struct facts facts = {
			.arena = &arena, .host = &host, .tables = tables, .table_count = 4};

		host.smbios = smbios_parse(&arena, dmi_entry_v3(entry, 65536),
					   (struct view){dmi->bytes, size});
		assert_int_equal(measure(&facts, "memory.channels-empty"), UNKNOWN);
		assert_int_equal(measure(&facts, "memory.mismatches"), UNKNOWN);
		assert_int_equal(measure(&facts, "memory.speed-short"), UNKNOWN);
	}
	free(dmi);
}

static int arena_up(void **state)
{
	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	return 0;
}

static int arena_down(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(population_is_read_board_by_board),
		cmocka_unit_test(what_is_inferred_says_so),
		cmocka_unit_test(mismatches_name_the_odd_ones),
		cmocka_unit_test(a_cut_table_never_passes),
	};

	return cmocka_run_group_tests(tests, arena_up, arena_down);
}
