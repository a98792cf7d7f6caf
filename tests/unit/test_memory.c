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
	GIGABYTE, THUNDERX, ASROCK_AMI, ASROCK_EDK2, SUPERMICRO, ADLINK_ES, ADLINK, JADE_EDK2, JADE_AMI, HISILICON, PHYTIUM,
	UNHEARD_OF,
};

static void name_slot(enum naming naming, unsigned socket, unsigned per_socket, unsigned i, char *locator, char *bank,
		      size_t room)
{
	unsigned char letter = (unsigned char)('A' + i / 2), single = (unsigned char)('A' + i);

	snprintf(bank, room, "Bank %u", i + 1);
	switch (naming) {
	case GIGABYTE:
		snprintf(locator, room, "DIMM_P%u_%c%u", socket, letter, i % 2);
		break;
	case THUNDERX:
		snprintf(locator, room, "DIMM_P%u_%c%u", socket, (char)(letter + 4 * socket), i % 2);
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
	const char *sockets;          /* '1' holds a processor, '0' does not */
	enum naming naming;
	unsigned per_socket;          /* slots */
	const char *filled;           /* per slot of all sockets: '0' empty, '1' dimm, '2' other */
	bool array_per_socket;
	unsigned spare_array;         /* slots of one more, empty array, named like socket 1 */
	struct dmi_dimm dimm, other;
};

static struct arena arena;
static const struct machine *current;

static struct value family(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_text(current->family);
}

static struct value product(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_text(current->product);
}

static const struct fact cpu_rows[] = {
	{"cpu.family", NULL, "", NULL, family},
	{"cpu.product", NULL, "", NULL, product},
};
static const struct fact_table cpu_table = FACT_TABLE(cpu_rows);
static const struct fact_table *const tables[] = {&cpu_table, &memory_facts, &module_facts};

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

			name_slot(machine->naming, socket, machine->per_socket, i, locator, bank, sizeof(locator));
			dmi_device(dmi, array, locator, bank,
				   filled[i] == '0' ? NULL : filled[i] == '1' ? &machine->dimm : &machine->other);
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
		dmi_processor(dmi, 0x413fd0c1, 0, *socket == '1', "x", *socket == '1' ? "y" : "NotSet");
	flash = dmi_array(dmi, 5, 1); /* the firmware's flash is no memory */
	dmi_device(dmi, flash, "SPI", "SPI", &(struct dmi_dimm){.megabytes = 32, .type = 9, .manufacturer = "x"});
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
	host->smbios = smbios_parse(&arena, dmi_entry_v3(entry, 65536), (struct view){copy, dmi->size});
	free(dmi);
	return (struct facts){.arena = &arena, .host = host, .tables = tables, .table_count = 3};
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

#define DDR4_32G_3200 {.megabytes = 32768, .ranks = 2, .type = 0x1a, .speed = 3200, .configured = 3200, .manufacturer = "Samsung", .part = "M393A4G43AB3-CWE"}
#define DDR4_16G(ranked, mts, number) {.megabytes = 16384, .ranks = (ranked), .type = 0x1a, .speed = (mts), .configured = (mts), .manufacturer = "Manufacturer not set", .part = (number)}
#define DDR5_64G(mts) {.megabytes = 65536, .ranks = 2, .type = 0x22, .speed = 5600, .configured = (mts), .manufacturer = "SK Hynix", .part = "HMCG94AGBRA181N"}

static const struct {
	const char *what;
	struct machine machine;
	const char *layout;             /* NULL: unknown */
	long long empty, per_channel;   /* list length and number, or UNKNOWN */
	long long mismatches, slow;
} rows[] = {
	/* cases of real machines, with what is known to be right for them */
	{"ASRock Rack ALTRAD8UD-1L2T, Q64-22: 4 of 8",
	 {.vendor = "ASRockRack", .family = "altra", .sockets = "1", .naming = ASROCK_AMI, .per_socket = 8, .filled = "11001100",
	  .dimm = {.megabytes = 8192, .ranks = 1, .type = 0x1a, .speed = 3200, .configured = 3200, .manufacturer = "Kingston"}},
	 "4 of 8 channels, 1 DIMM per channel, empty: C, D, G, H", 4, 1, 0, 0},
	{"Gigabyte MP32-AR0, Q64-30: only A and E",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "1", .naming = GIGABYTE, .per_socket = 16, .filled = "1000000010000000",
	  .dimm = DDR4_16G(2, 3200, "M393A2K43EB3-CWE")},
	 "2 of 8 channels, 1 DIMM per channel, empty: B, C, D, F, G, H", 6, 1, 0, 0},
	{"Gigabyte E252-P30, Q80-30: all 16, A of 2 ranks, others of 1",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "1", .naming = GIGABYTE, .per_socket = 16, .filled = "2211111111111111",
	  .dimm = DDR4_16G(1, 3200, "18ASF2G72PZ-3G2R1"), .other = DDR4_16G(2, 3200, "18ASF2G72PDZ-3G2R1")},
	 "8 of 8 channels, 2 DIMMs per channel", 0, 2, 1, 0},
	{"Gigabyte MP32-AR1, Q80-30: 8, one per channel",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "1", .naming = GIGABYTE, .per_socket = 16, .filled = "1010101010101010",
	  .dimm = DDR4_32G_3200},
	 "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"Hetzner RX, Q80-30: A, B, E, F",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "1", .naming = GIGABYTE, .per_socket = 16, .filled = "1010000010100000",
	  .dimm = DDR4_32G_3200},
	 "4 of 8 channels, 1 DIMM per channel, empty: C, D, G, H", 4, 1, 0, 0},
	{"ADLINK M96-28: 6 DIMMs on a board of 6 channels, trained at the processor's ceiling",
	 {.vendor = "ADLINK", .firmware = "TianoCore 2.04.100.10 (SYS: 2.06.20220308)", .family = "altramax", .sockets = "1",
	  .naming = ADLINK_ES, .per_socket = 6, .filled = "111111", .dimm = DDR4_16G(1, 3200, "TS2GHR72V2E3")},
	 "6 of 6 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"ADLINK AVA Q80-26: an empty socket with its array of 16; 2933 MT/s, and TianoCore hides what the DIMMs could do",
	 {.vendor = "ADLINK", .firmware = "TianoCore 2.04.100.07 (SYS: 2.06.20220308)", .family = "altra", .sockets = "10",
	  .naming = ADLINK_ES, .per_socket = 6, .filled = "112112", .spare_array = 16,
	  .dimm = DDR4_16G(1, 2933, "SQR-RD4N16G2K9SRB"), .other = DDR4_16G(1, 2933, "18ASF2G72PZ-2G9E1")},
	 "6 of 6 channels, 1 DIMM per channel", 0, 1, 0, UNKNOWN},
	{"Supermicro A192-32X: 8 of 16 slots, DDR5-5600 at 5200, which is what the processor reaches",
	 {.vendor = "Supermicro", .family = "ampereone-ac04", .product = "X", .sockets = "1", .naming = SUPERMICRO, .per_socket = 16,
	  .filled = "1010101010101010", .dimm = DDR5_64G(5200)},
	 "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"Taishan 2180, Hi1612: 1 of 4 channels, 2400 at 1866; its ceiling is not known to us",
	 {.vendor = "Huawei", .family = "other", .sockets = "1", .naming = HISILICON, .per_socket = 8, .filled = "10000000",
	  .dimm = {.megabytes = 32768, .ranks = 2, .type = 0x1a, .speed = 2400, .configured = 1866, .manufacturer = "Samsung"}},
	 "1 of 4 channels, 1 DIMM per channel, empty: 1, 2, 3", 3, 1, 0, UNKNOWN},
	{"TaiShan 2280 V2, 2 x Kunpeng 920: 16 of 32, one per channel",
	 {.vendor = "Huawei", .family = "other", .sockets = "11", .naming = HISILICON, .per_socket = 16,
	  .filled = "1010101010101010" "1010101010101010",
	  .dimm = {.megabytes = 32768, .ranks = 2, .type = 0x1a, .speed = 2933, .configured = 2933, .manufacturer = "Samsung"}},
	 "2 sockets, each 8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"Phytium FT-2000+: 4 of 8, ranks not given",
	 {.vendor = "Lenovo", .family = "other", .sockets = "1", .naming = PHYTIUM, .per_socket = 8, .filled = "10010110",
	  .dimm = {.megabytes = 32768, .type = 0x1a, .speed = 2666, .configured = 2666, .manufacturer = "Micron"}},
	 "4 of 8 channels, 1 DIMM per channel, empty: 1, 2, 4, 7", 4, 1, UNKNOWN, 0},
	{"Gigabyte H270-T70, 2 x ThunderX: letters E to H are socket 1's",
	 {.vendor = "GIGABYTE", .family = "other", .sockets = "11", .naming = THUNDERX, .per_socket = 8, .array_per_socket = true,
	  .filled = "10100000" "10100000",
	  .dimm = {.megabytes = 8192, .ranks = 1, .type = 0x1a, .speed = 2400, .configured = 2100, .manufacturer = "SK Hynix"}},
	 "socket 0: 2 of 4 channels, 1 DIMM per channel, empty: C, D; "
	 "socket 1: 2 of 4 channels, 1 DIMM per channel, empty: G, H", 4, 1, 0, UNKNOWN},
	/* the other naming schemes */
	{"Mt. Jade under AMI, as FD.io has it: DIMMs at odd numbers of both sockets",
	 {.vendor = "WIWYNN", .family = "altra", .sockets = "11", .naming = JADE_AMI, .per_socket = 16, .array_per_socket = true,
	  .filled = "1010101010101010" "1010101010101010", .dimm = DDR4_32G_3200},
	 "2 sockets, each 8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"Mt. Jade under AMI: the first eight slots are four channels",
	 {.vendor = "WIWYNN", .family = "altra", .sockets = "1", .naming = JADE_AMI, .per_socket = 16, .filled = "1111111100000000",
	  .dimm = DDR4_32G_3200},
	 "4 of 8 channels, 2 DIMMs per channel, empty: 4, 5, 6, 7", 4, 2, 0, 0},
	{"Mt. Jade under TianoCore: one in each pair, numbers run on to socket 1",
	 {.firmware = "TianoCore 2.10.100.00 (SYS: 2.10.20221028)", .family = "altra", .sockets = "11", .naming = JADE_EDK2,
	  .per_socket = 16, .array_per_socket = true, .filled = "1010101010101010" "1010101010101010", .dimm = DDR4_32G_3200},
	 "2 sockets, each 8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"Mt. Jade under TianoCore: all slots, whatever the order",
	 {.firmware = "TianoCore 2.10.100.00", .family = "altra", .sockets = "1", .naming = JADE_EDK2, .per_socket = 16,
	  .filled = "1111111111111111", .dimm = DDR4_32G_3200},
	 "8 of 8 channels, 2 DIMMs per channel", 0, 2, 0, 0},
	{"Mt. Jade under TianoCore: the first eight slots may be four channels or eight",
	 {.firmware = "TianoCore 2.10.100.00", .family = "altra", .sockets = "1", .naming = JADE_EDK2, .per_socket = 16,
	  .filled = "1111111100000000", .dimm = DDR4_32G_3200},
	 "8 DIMMs in 16 slots; which slots share a channel is not confirmed", UNKNOWN, UNKNOWN, 0, 0},
	{"Mt. Jade under TianoCore: four DIMMs cannot fill eight channels",
	 {.firmware = "TianoCore 2.10.100.00", .family = "altra", .sockets = "1", .naming = JADE_EDK2, .per_socket = 16,
	  .filled = "1010101000000000", .dimm = DDR4_32G_3200},
	 "4 DIMMs in 16 slots; which slots share a channel is not confirmed", 1, UNKNOWN, 0, 0},
	{"Mt. Jade under TianoCore: nine DIMMs put two into some channel",
	 {.firmware = "TianoCore 2.10.100.00", .family = "altra", .sockets = "1", .naming = JADE_EDK2, .per_socket = 16,
	  .filled = "1111111110000000", .dimm = DDR4_32G_3200},
	 "9 DIMMs in 16 slots; which slots share a channel is not confirmed", UNKNOWN, 2, 0, 0},
	{"ADLINK: numbers from 1, no socket",
	 {.vendor = "ADLINK", .firmware = "TianoCore 2.04", .family = "altra", .sockets = "1", .naming = ADLINK, .per_socket = 6,
	  .filled = "111111", .dimm = DDR4_16G(1, 3200, "x")},
	 "6 of 6 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"ASRock Rack under TianoCore",
	 {.vendor = "ASRockRack", .firmware = "TianoCore 2.06", .family = "altra", .sockets = "1", .naming = ASROCK_EDK2, .per_socket = 8,
	  .filled = "11111111", .dimm = DDR4_32G_3200},
	 "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0},
	/* wrong in one way each */
	{"a board nobody described",
	 {.family = "altra", .sockets = "1", .naming = UNHEARD_OF, .per_socket = 8, .filled = "11111111", .dimm = DDR4_32G_3200},
	 NULL, UNKNOWN, UNKNOWN, 0, 0},
	{"Supermicro's names on another maker's board are not Supermicro's",
	 {.vendor = "Somebody", .family = "altra", .sockets = "1", .naming = SUPERMICRO, .per_socket = 16, .filled = "1010101010101010",
	  .dimm = DDR4_32G_3200},
	 NULL, UNKNOWN, UNKNOWN, 0, 0},
	{"names without a socket on a machine with two",
	 {.vendor = "ASRockRack", .family = "altra", .sockets = "11", .naming = ASROCK_AMI, .per_socket = 8, .filled = "11111111",
	  .dimm = DDR4_32G_3200},
	 NULL, UNKNOWN, UNKNOWN, UNKNOWN, 0},
	{"two sockets of different size",
	 {.vendor = "WIWYNN", .family = "altra", .sockets = "11", .naming = JADE_AMI, .per_socket = 16,
	  .filled = "1010101010101010" "1010101000000000", .dimm = DDR4_32G_3200},
	 "socket 0: 8 of 8 channels, 1 DIMM per channel; "
	 "socket 1: 4 of 8 channels, 1 DIMM per channel, empty: 4, 5, 6, 7", 4, 1, 1, 0},
	{"a second processor without memory",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "11", .naming = GIGABYTE, .per_socket = 16,
	  .filled = "1010101010101010" "0000000000000000", .dimm = DDR4_32G_3200},
	 "socket 0: 8 of 8 channels, 1 DIMM per channel; "
	 "socket 1: 0 of 8 channels, 0 DIMMs per channel, empty: A, B, C, D, E, F, G, H", 8, 1, 1, 0},
	{"a second socket without processor and memory is no fault",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "10", .naming = GIGABYTE, .per_socket = 16,
	  .filled = "1010101010101010" "0000000000000000", .dimm = DDR4_32G_3200},
	 "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"the table lists four channels of a processor that has eight",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "1", .naming = GIGABYTE, .per_socket = 8, .filled = "10101010",
	  .dimm = DDR4_32G_3200},
	 "4 of 4 channels, 1 DIMM per channel", UNKNOWN, 1, 0, 0},
	{"DIMMs slowed down",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "1", .naming = GIGABYTE, .per_socket = 16, .filled = "1212101010101010",
	  .dimm = DDR4_32G_3200,
	  .other = {.megabytes = 32768, .ranks = 2, .type = 0x1a, .speed = 3200, .configured = 2666, .manufacturer = "Samsung"}},
	 "8 of 8 channels, 1 to 2 DIMMs per channel", 0, 2, 0, 2},
	{"a slow DIMM sets what all can reach",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "1", .naming = GIGABYTE, .per_socket = 16, .filled = "1010101010101020",
	  .dimm = {.megabytes = 32768, .ranks = 2, .type = 0x1a, .speed = 3200, .configured = 2666, .manufacturer = "Samsung"},
	  .other = {.megabytes = 32768, .ranks = 2, .type = 0x1a, .speed = 2666, .configured = 2666, .manufacturer = "Samsung"}},
	 "8 of 8 channels, 1 DIMM per channel", 0, 1, 1, 0},
	{"TianoCore: a part number shows the down-clock that the speed fields hide",
	 {.vendor = "ADLINK", .firmware = "TianoCore 2.04", .family = "altra", .sockets = "1", .naming = ADLINK, .per_socket = 6,
	  .filled = "111111", .dimm = DDR4_16G(1, 2666, "M393A2K43EB3-CWE")},
	 "6 of 6 channels, 1 DIMM per channel", 0, 1, 0, 6},
	{"the firmware does not give the configured speed",
	 {.vendor = "GIGABYTE", .family = "altra", .sockets = "1", .naming = GIGABYTE, .per_socket = 16, .filled = "1010101010101010",
	  .dimm = {.megabytes = 32768, .ranks = 2, .type = 0x1a, .speed = 3200, .manufacturer = "Samsung"}},
	 "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, UNKNOWN},
	/* AmpereOne */
	{"A192-32M: 12 channels at 5600",
	 {.vendor = "Supermicro", .family = "ampereone-ac04", .product = "M", .sockets = "1", .naming = SUPERMICRO, .per_socket = 24,
	  .filled = "101010101010101010101010", .dimm = DDR5_64G(5600)},
	 "12 of 12 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"an M that runs at X's speed",
	 {.vendor = "Supermicro", .family = "ampereone-ac04", .product = "M", .sockets = "1", .naming = SUPERMICRO, .per_socket = 24,
	  .filled = "101010101010101010101010", .dimm = DDR5_64G(5200)},
	 "12 of 12 channels, 1 DIMM per channel", 0, 1, 0, 12},
	{"X or M not known: 8 full channels may be all, 5200 may be all",
	 {.vendor = "Supermicro", .family = "ampereone-ac04", .sockets = "1", .naming = SUPERMICRO, .per_socket = 16,
	  .filled = "1010101010101010", .dimm = DDR5_64G(5200)},
	 "8 of 8 channels, 1 DIMM per channel", UNKNOWN, 1, 0, UNKNOWN},
	{"X or M not known: 12 channels are all there are, 4800 is too slow for either",
	 {.vendor = "Supermicro", .family = "ampereone-ac04", .sockets = "1", .naming = SUPERMICRO, .per_socket = 24,
	  .filled = "101010101010101010101010", .dimm = DDR5_64G(4800)},
	 "12 of 12 channels, 1 DIMM per channel", 0, 1, 0, 12},
	{"AC03: its ceiling is not published, but full speed is full speed",
	 {.vendor = "Supermicro", .family = "ampereone-ac03", .sockets = "1", .naming = SUPERMICRO, .per_socket = 16,
	  .filled = "1010101010101010", .dimm = DDR5_64G(5600)},
	 "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0},
	{"AC03: its ceiling is not published, so 4800 may be right",
	 {.vendor = "Supermicro", .family = "ampereone-ac03", .sockets = "1", .naming = SUPERMICRO, .per_socket = 16,
	  .filled = "1010101010101010", .dimm = DDR5_64G(4800)},
	 "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, UNKNOWN},
};

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
	confidence("Mt. Jade under TianoCore: one in each pair", "memory.channels-empty", CONFIDENCE_INFERRED);
	confidence("Mt. Jade under TianoCore: one in each pair", "memory.dimms-per-channel", CONFIDENCE_INFERRED);
	confidence("Mt. Jade under TianoCore: all slots", "memory.channels-empty", CONFIDENCE_DIRECT);
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

/* Cut anywhere, the table still gives no verdict that it should not: damage is unknown, never a pass. */
static void a_cut_table_never_passes(void **state)
{
	struct dmi *dmi = build(&rows[3].machine);
	unsigned char entry[0x18];

	(void)state;
	current = &rows[3].machine;
	for (size_t size = 0; size < dmi->size - 6; size += 7) {
		struct host host = {.arena = &arena};
		struct facts facts = {.arena = &arena, .host = &host, .tables = tables, .table_count = 3};

		host.smbios = smbios_parse(&arena, dmi_entry_v3(entry, 65536), (struct view){dmi->bytes, size});
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
