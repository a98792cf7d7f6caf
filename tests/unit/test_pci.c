// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base64.h"
#include "host/hugepages.h"
#include "host/kernel.h"
#include "host/pci.h"

#include "machine.h"
#include "pci_card.h"

static const struct fact_table *const tables[] = {&pci_facts, &hugepages_facts, &kernel_facts};

#define CARDS_MAX 4
#define NARROW_PORT                                                                                \
	{                                                                                          \
		.name = "0000:00:01.0", .class_code = BRIDGE, .secondary = 1, .type = ROOT_PORT,   \
		AT(4, 4, 3, 4)                                                                     \
	}

struct row {
	const char *name;
	struct card cards[CARDS_MAX];
	const char *more; /* questions besides */
	const char *fact, *want;
	bool user; /* not root */
};

/* The links are those of public lspci and sbc-bench reports of Altra and AmpereOne machines. */
static const struct row rows[] = {
	{.name = "no PCI",
	 .fact = "pci.links-degraded",
	 .want = "none: there is no PCI bus (no /sys/bus/pci/devices)"},
	{.name = "Gen3 card behind a Gen4 port is as fast as it gets",
	 .cards = {ALTRA_PORT(.now_speed = 3, .now_width = 16), CARD(AT(3, 16, 3, 16))},
	 .fact = "pci.links-degraded",
	 .want = "none"},
	{.name = "the same is no slow slot",
	 .cards = {ALTRA_PORT(.now_speed = 3, .now_width = 16), CARD(AT(3, 16, 3, 16))},
	 .fact = "pci.slots-slow",
	 .want = "none"},
	{.name = "an empty port says 2.5 GT/s x1, and is no fault",
	 .cards = {ALTRA_PORT(.now_speed = 1, .now_width = 1, .down = true)},
	 .fact = "pci.links-degraded",
	 .want = "none: no PCI Express link has a device at its end"},
	{.name = "a device under a port that is down is gone",
	 .cards = {ALTRA_PORT(.now_speed = 1, .now_width = 1, .down = true), CARD(AT(4, 16, 1, 1))},
	 .fact = "pci.links-degraded",
	 .want = "none: no PCI Express link has a device at its end"},
	{.name = "ConnectX-6 Dx trained at 8 GT/s",
	 .cards = {ALTRA_PORT(.now_speed = 3, .now_width = 16), CARD(AT(4, 16, 3, 16))},
	 .fact = "pci.links-degraded",
	 .want = "0000:01:00.0 runs 8 GT/s x16, wants 16 GT/s x16"},
	{.name = "BCM57414 on half its lanes, two functions of one link",
	 .cards = {ALTRA_PORT(.now_speed = 3, .now_width = 4),
		   CARD(AT(3, 8, 3, 4)),
		   {.name = "0000:01:00.1", .class_code = NIC, AT(3, 8, 3, 4)}},
	 .fact = "pci.links-degraded",
	 .want = "0000:01:00.0 runs 8 GT/s x4, wants 8 GT/s x8"},
	{.name = "a card in a slot of fewer lanes runs as fast as the slot",
	 .cards = {NARROW_PORT, CARD(AT(3, 8, 3, 4))},
	 .fact = "pci.links-degraded",
	 .want = "none"},
	{.name = "and the slot is the second finding",
	 .cards = {NARROW_PORT, CARD(AT(3, 8, 3, 4))},
	 .fact = "pci.slots-slow",
	 .want = "0000:01:00.0 can do 8 GT/s x8, its port 0000:00:01.0 only 16 GT/s x4"},
	{.name = "an idle graphics processor slows its link down",
	 .cards = {ALTRA_PORT(.now_speed = 1, .now_width = 16),
		   {.name = "0000:01:00.0", .class_code = GPU, AT(4, 16, 1, 16)}},
	 .fact = "pci.links-degraded",
	 .want = "none"},
	{.name = "below a switch each link counts once",
	 .cards = {ALTRA_PORT(.now_speed = 4, .now_width = 16),
		   {.name = "0000:01:00.0",
		    .class_code = BRIDGE,
		    .secondary = 2,
		    .type = SWITCH_UP,
		    AT(4, 16, 4, 16)},
		   {.name = "0000:02:00.0",
		    .class_code = BRIDGE,
		    .secondary = 3,
		    .type = SWITCH_DOWN,
		    AT(4, 8, 4, 4)},
		   {.name = "0000:03:00.0", .class_code = NIC, AT(4, 8, 4, 4)}},
	 .fact = "pci.links-degraded",
	 .want = "0000:03:00.0 runs 16 GT/s x4, wants 16 GT/s x8"},
	{.name = "an integrated device has no link",
	 .cards = {{.name = "0000:00:02.0", .class_code = NIC, .type = INTEGRATED}},
	 .fact = "pci.links-degraded",
	 .want = "none: no PCI Express link has a device at its end"},
	{.name = "the same bus number in another domain is another bus",
	 .cards = {ALTRA_PORT(.now_speed = 4, .now_width = 16),
		   {.name = "0001:01:00.0", .class_code = NIC, AT(4, 16, 1, 1)}},
	 .fact = "pci.links-degraded",
	 .want = "none: no PCI Express link has a device at its end"},
	{.name = "conventional PCI has no link",
	 .cards = {ALTRA_PORT(.now_speed = 4, .now_width = 16), CARD(.plain = true)},
	 .fact = "pci.links-degraded",
	 .want = "none: no PCI Express link has a device at its end"},
	{.name = "a bridge to its own bus",
	 .cards = {{.name = "0000:01:00.0",
		    .class_code = BRIDGE,
		    .secondary = 1,
		    .type = ROOT_PORT,
		    AT(4, 16, 1, 1)}},
	 .fact = "pci.links-degraded",
	 .want = "none: no PCI Express link has a device at its end"},
	{.name = "a damaged configuration space",
	 .cards = {CARD(AT(4, 16, 4, 16), .size = 17)},
	 .fact = "pci.links-degraded",
	 .want = "unknown: /sys/bus/pci/devices/0000:01:00.0/config does not hold what it should"},
	{.name = "a denied one",
	 .more = "\"/sys/bus/pci/devices/0000:01:00.0/class\":{\"text\":\"0x020000\\n\"},"
		 "\"/sys/bus/pci/devices/0000:01:00.0/config\":{\"errno\":\"EACCES\"}",
	 .fact = "pci.links-degraded",
	 .want = "unknown: /sys/bus/pci/devices/0000:01:00.0/config needs root"},
	{.name = "a class that is denied",
	 .more = "\"/sys/bus/pci/devices/0000:01:00.0/class\":{\"errno\":\"EACCES\"}",
	 .fact = "pci.nics-translated",
	 .want = "unknown: /sys/bus/pci/devices/0000:01:00.0/class needs root"},
	{.name = "a class that is none",
	 .more = "\"/sys/bus/pci/devices/0000:01:00.0/class\":{\"text\":\"network\"}",
	 .fact = "pci.nics-misplaced",
	 .want = "unknown: /sys/bus/pci/devices/0000:01:00.0/class does not hold what it should"},
	{.name = "the bus is denied",
	 .more = "\"/sys/bus/pci/devices\":{\"list_errno\":\"EACCES\"}",
	 .fact = "pci.links-degraded",
	 .want = "unknown: /sys/bus/pci/devices needs root"},

#define SYSFS(device, max_speed, max_width, speed, width)                                          \
	"\"/sys/bus/pci/devices/" device "/max_link_speed\":{\"text\":\"" max_speed "\\n\"},"      \
	"\"/sys/bus/pci/devices/" device "/max_link_width\":{\"text\":\"" max_width "\\n\"},"      \
	"\"/sys/bus/pci/devices/" device "/current_link_speed\":{\"text\":\"" speed "\\n\"},"      \
	"\"/sys/bus/pci/devices/" device "/current_link_width\":{\"text\":\"" width "\\n\"}"
	{.name = "without root the links come from sysfs",
	 .user = true,
	 .cards = {ALTRA_PORT(.size = 64), CARD(.size = 64)},
	 .more = SYSFS("0000:00:01.0", "16.0 GT/s PCIe", "16", "8.0 GT/s PCIe", "16") "," SYSFS(
		 "0000:01:00.0", "16.0 GT/s PCIe", "16", "8.0 GT/s PCIe", "16"),
	 .fact = "pci.links-degraded",
	 .want = "0000:01:00.0 runs 8 GT/s x16, wants 16 GT/s x16"},
	{.name = "older spelling",
	 .user = true,
	 .cards = {ALTRA_PORT(.size = 64), CARD(.size = 64)},
	 .more = SYSFS("0000:00:01.0", "16 GT/s", "16", "8 GT/s",
		       "16") "," SYSFS("0000:01:00.0", "8 GT/s", "16", "8 GT/s", "16"),
	 .fact = "pci.links-degraded",
	 .want = "none"},
	{.name = "without root a speed file that is denied",
	 .user = true,
	 .cards = {ALTRA_PORT(.size = 64), CARD(.size = 64)},
	 .more = "\"/sys/bus/pci/devices/0000:01:00.0/max_link_speed\":{\"errno\":\"EACCES\"}",
	 .fact = "pci.links-degraded",
	 .want = "unknown: /sys/bus/pci/devices/0000:01:00.0/max_link_speed needs root"},
	{.name = "registers need root",
	 .user = true,
	 .cards = {ALTRA_PORT(.size = 64), CARD(.size = 64)},
	 .fact = "pci.payload-differs",
	 .want = "unknown: /sys/bus/pci/devices/0000:00:01.0/config: capabilities need root"},
	{.name = "root that sees no registers sees a damaged file",
	 .cards = {ALTRA_PORT(.size = 64)},
	 .fact = "pci.payload-differs",
	 .want = "unknown: /sys/bus/pci/devices/0000:00:01.0/config: ends before its capabilities"},

	{.name = "one payload along the path",
	 .cards = {ALTRA_PORT(.payload = 256), CARD(.payload = 256)},
	 .fact = "pci.payload-differs",
	 .want = "none"},
	{.name = "a port that sends more than the card takes",
	 .cards = {ALTRA_PORT(.payload = 256), CARD(.payload = 128)},
	 .fact = "pci.payload-differs",
	 .want = "0000:01:00.0 sends at most 128 bytes, its port 0000:00:01.0 256"},
	{.name = "a small read request",
	 .cards = {ALTRA_PORT(.payload = 128), CARD(.request = 128)},
	 .fact = "pci.read-requests-small",
	 .want = "0000:01:00.0 reads at most 128 bytes at once"},
	{.name = "512 bytes are the rule",
	 .cards = {ALTRA_PORT(.payload = 128), CARD(.request = 512)},
	 .fact = "pci.read-requests-small",
	 .want = "none"},
	{.name = "strict ordering",
	 .cards = {ALTRA_PORT(.payload = 128), CARD(.strict = true)},
	 .fact = "pci.ordering-strict",
	 .want = "0000:01:00.0"},
	{.name = "no network card",
	 .cards = {ALTRA_PORT(.payload = 128), {.name = "0000:01:00.0", .class_code = GPU}},
	 .fact = "pci.ordering-strict",
	 .want = "none: there is no PCI Express network card"},

#define NODE_FILE(path, text) "\"/sys/devices/system/node/" path "\":{\"text\":\"" text "\\n\"}"
#define TWO_NODES                                                                                  \
	NODE_FILE("online", "0-2")                                                                 \
	"," NODE_FILE("node0/cpulist", "0-79") "," NODE_FILE(                                      \
		"node1/cpulist", "80-159") "," NODE_FILE("node2/cpulist", "")
#define ON_NODE(n) "\"/sys/bus/pci/devices/0000:01:00.0/numa_node\":{\"text\":\"" n "\\n\"}"
#define PAGES_ON_0                                                                                 \
	"\"/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages\":{\"text\":\"8\"},"             \
	"\"/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages\":{\"text\":\"8\"},"           \
	"\"/sys/kernel/mm/hugepages/hugepages-2048kB/"                                             \
	"surplus_hugepages\":{\"text\":\"0\"}," NODE_FILE(                                         \
		"node0/hugepages/hugepages-2048kB/nr_hugepages",                                   \
		"8") "," NODE_FILE("node0/hugepages/hugepages-2048kB/free_hugepages",              \
				   "8") "," NODE_FILE("node0/hugepages/hugepages-2048kB/"          \
						      "surplus_hugepages",                         \
						      "0") "," NODE_FILE("node1/hugepages/"        \
									 "hugepages-2048kB/"       \
									 "nr_hugepages",           \
									 "0")
	{.name = "a node nobody knows",
	 .cards = {CARD(.payload = 128)},
	 .more = TWO_NODES "," ON_NODE("-1"),
	 .fact = "pci.nics-misplaced",
	 .want = "0000:01:00.0: its node is not known"},
	{.name = "a node without CPUs",
	 .cards = {CARD(.payload = 128)},
	 .more = TWO_NODES "," ON_NODE("2"),
	 .fact = "pci.nics-misplaced",
	 .want = "0000:01:00.0: node 2 has no CPUs"},
	{.name = "huge pages on the other node only",
	 .cards = {CARD(.payload = 128)},
	 .more = TWO_NODES "," PAGES_ON_0 "," ON_NODE("1"),
	 .fact = "pci.nics-misplaced",
	 .want = "0000:01:00.0: node 1 has no huge pages, others have"},
	{.name = "huge pages that may not be read",
	 .cards = {CARD(.payload = 128)},
	 .more = TWO_NODES "," ON_NODE("1") ",\"/sys/kernel/mm/hugepages/hugepages-2048kB/"
					    "nr_hugepages\":{\"errno\":\"EACCES\"}",
	 .fact = "pci.nics-misplaced",
	 .want = "unknown: /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages needs root"},
	{.name = "a card beside its cores and pages",
	 .cards = {CARD(.payload = 128)},
	 .more = TWO_NODES "," PAGES_ON_0 "," ON_NODE("0"),
	 .fact = "pci.nics-misplaced",
	 .want = "none"},
	{.name = "no node file",
	 .cards = {CARD(.payload = 128)},
	 .more = TWO_NODES,
	 .fact = "pci.nics-misplaced",
	 .want = "unknown: /sys/bus/pci/devices/0000:01:00.0/numa_node is missing"},

#define DRIVER(name)                                                                               \
	"\"/sys/bus/pci/devices/0000:01:00.0/driver\":{\"link\":\"../../../bus/pci/drivers/" name  \
	"\"}"
#define STATE(state)                                                                               \
	"\"/sys/bus/pci/devices/0000:01:00.0/net/eth0/operstate\":{\"text\":\"" state "\\n\"}"
#define GROUP                                                                                      \
	"\"/sys/bus/pci/devices/0000:01:00.0/iommu_group\":{\"link\":\"../../../kernel/"           \
	"iommu_groups/3\"},"                                                                       \
	"\"/sys/kernel/iommu_groups/3/devices\":{\"list\":[]}"
#define TYPE(type) "\"/sys/kernel/iommu_groups/3/type\":{\"text\":\"" type "\\n\"}"
	{.name = "no IOMMU",
	 .cards = {CARD(.payload = 128)},
	 .more = DRIVER("mlx5_core") "," STATE("up"),
	 .fact = "pci.nics-translated",
	 .want = "none: no IOMMU is active"},
	{.name = "a card in use whose addresses are translated",
	 .cards = {CARD(.payload = 128)},
	 .more = DRIVER("mlx5_core") "," STATE("up") "," GROUP "," TYPE("DMA-FQ"),
	 .fact = "pci.nics-translated",
	 .want = "0000:01:00.0 (mlx5_core): domain DMA-FQ, wants identity"},
	{.name = "passthrough",
	 .cards = {CARD(.payload = 128)},
	 .more = DRIVER("mlx5_core") "," STATE("up") "," GROUP "," TYPE("identity"),
	 .fact = "pci.nics-translated",
	 .want = "none"},
	{.name = "a card without a cable is not in use",
	 .cards = {CARD(.payload = 128)},
	 .more = DRIVER("mlx5_core") "," STATE("down") "," GROUP "," TYPE("DMA"),
	 .fact = "pci.nics-translated",
	 .want = "none: no network card is in use by a driver of the kernel"},
	{.name = "a card given to a program",
	 .cards = {CARD(.payload = 128)},
	 .more = DRIVER("vfio-pci") "," GROUP "," TYPE("DMA"),
	 .fact = "pci.nics-translated",
	 .want = "none: no network card is in use by a driver of the kernel"},
	{.name = "a group without its type",
	 .cards = {CARD(.payload = 128)},
	 .more = DRIVER("igb") "," STATE("up") "," GROUP
					       ",\"/proc/cmdline\":{\"text\":\"quiet\\n\"}",
	 .fact = "pci.nics-translated",
	 .want = "unknown: /sys/kernel/iommu_groups/3/type does not exist"},
	{.name = "a denied type",
	 .cards = {CARD(.payload = 128)},
	 .more = DRIVER("igb") "," STATE(
		 "up") "," GROUP ",\"/sys/kernel/iommu_groups/3/type\":{\"errno\":\"EACCES\"}",
	 .fact = "pci.nics-translated",
	 .want = "unknown: /sys/kernel/iommu_groups/3/type needs root"},
};

static void cards_and_links_are_judged_by_both_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;
		struct arena arena;
		struct buffer questions;
		const char *got;

		arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
		questions = buffer_new(&arena, 1 << 16);
		for (size_t c = 0; c < CARDS_MAX && rows[i].cards[c].name; c++) {
			const struct card *card = &rows[i].cards[c];
			unsigned char bytes[256];
			struct view view = {.at = (const char *)bytes,
					    .size = card->size ? card->size : sizeof(bytes)};

			config_fill(card, bytes);
			buffer_printf(
				&questions,
				"%s\"/sys/bus/pci/devices/%s/class\":{\"text\":\"0x%06x\\n\"},"
				"\"/sys/bus/pci/devices/%s/config\":{\"base64\":\"%s\"}",
				questions.size ? "," : "", card->name, card->class_code, card->name,
				base64_encode(&arena, view));
		}
		if (rows[i].more)
			buffer_printf(&questions, "%s%s", questions.size ? "," : "", rows[i].more);
		machine_open(&machine,
			     rows[i].user ? "\"arch\":\"aarch64\",\"root\":false" : "\"root\":true",
			     buffer_string(&questions), tables, 3);
		got = machine_fact(&machine, rows[i].fact);
		if (strcmp(got, rows[i].want) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", rows[i].name, rows[i].fact, got,
				 rows[i].want);
		machine_close(&machine);
		arena_release(&arena);
	}
}

/* Capability lists that loop, end early or point into the header: nothing is found, nothing is read
 * past the end. */
static void hostile_capability_lists_end(void **state)
{
	const struct card card = CARD(AT(4, 16, 4, 16));
	static unsigned char bytes[257][256];
	struct view configs[257];
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (unsigned at = 0x34; at < 0x90; at++) {
		struct pci_device devices[256] = {0};

		for (unsigned value = 0; value < 256; value++) {
			config_fill(&card, bytes[value]);
			bytes[value][at] = (unsigned char)value;
			configs[value] = (struct view){(const char *)bytes[value], 256};
		}
		pci_parse(&arena, configs, devices, 256);
		for (unsigned value = 0; value < 256; value++)
			assert_int_equal(devices[value].error, 0);
	}
	arena_release(&arena);
}

static void cut_and_looping_spaces_hold_no_express(void **state)
{
	const struct card card = CARD(AT(4, 16, 4, 16));
	struct pci_device devices[258] = {0};
	unsigned char loop[256], misfit[256];
	struct view configs[258];
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	config_fill(&card, loop);
	loop[0x51] = 0x50;
	for (size_t size = 0; size <= sizeof(loop); size++)
		configs[size] = (struct view){(const char *)loop, size};
	memset(misfit, 0xff, sizeof(misfit));
	misfit[0x34] = 0xfc;
	misfit[0xfc] = 0x10; /* a capability that does not fit */
	configs[257] = (struct view){(const char *)misfit, sizeof(misfit)};
	pci_parse(&arena, configs, devices, 258);
	for (size_t i = 0; i < 258; i++)
		assert_int_equal(devices[i].port, PCI_NO_EXPRESS);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cards_and_links_are_judged_by_both_ends),
		cmocka_unit_test(hostile_capability_lists_end),
		cmocka_unit_test(cut_and_looping_spaces_hold_no_express),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
