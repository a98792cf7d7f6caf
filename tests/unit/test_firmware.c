// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "catalog/measure.h"
#include "host/acpi.h"
#include "host/firmware.h"
#include "host/smbios.h"

#include "machine.h"

static const struct fact_table *const tables[] = {
	&firmware_facts,
	&smbios_facts,
	&acpi_facts,
	&measure_facts,
};

static void open_machine(struct machine *machine, const char *questions)
{
	machine_open(machine, "", questions, tables, sizeof(tables) / sizeof(tables[0]));
}

static bool is_unknown(struct machine *machine, const char *name)
{
	return facts_get(&machine->facts, name)->kind == VALUE_UNKNOWN;
}

/* Paths of the questions that follow. */
#define TEXT(path, text) "\"" path "\":{\"text\":\"" text "\"}"
#define DENIED(path) "\"" path "\":{\"errno\":\"EACCES\"}"
#define CPU "/sys/devices/system/cpu"
#define NODE "/sys/devices/system/node"
#define PACKAGE(cpu, cpus) TEXT(CPU "/cpu" cpu "/topology/package_cpus_list", cpus)
#define NUMA(id, cpus, distances)                                                                  \
	TEXT(NODE "/node" id "/cpulist", cpus) "," TEXT(NODE "/node" id "/distance", distances)

/* Two sockets of four nodes with one CPU each; distances as the firmware of Altra gives them. */
#define ALONE(id, distances) NUMA(id, id, distances)
#define EIGHT_CPUS                                                                                 \
	TEXT(CPU "/online", "0-7")                                                                 \
	"," PACKAGE("0", "0-3") "," PACKAGE("4", "4-7") "," TEXT(NODE "/online", "0-7")
#define QUADRANT_0                                                                                 \
	ALONE("0", "10 11 11 12 20 21 21 22")                                                      \
	"," ALONE("1", "11 10 12 11 21 20 22 21") "," ALONE(                                       \
		"2", "11 12 10 11 21 22 20 21") "," ALONE("3", "12 11 11 10 22 21 21 20")
#define QUADRANT_1                                                                                 \
	ALONE("4", "20 21 21 22 10 11 11 12")                                                      \
	"," ALONE("5", "21 20 22 21 11 10 12 11") "," ALONE(                                       \
		"6", "21 22 20 21 11 12 10 11") "," ALONE("7", "22 21 21 20 12 11 11 10")

static const struct {
	const char *what, *questions, *mode; /* NULL: unknown */
} anc_rows[] = {
	{"one socket, monolithic",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3") "," TEXT(NODE "/online", "0") "," NUMA(
		 "0", "0-3", "10"),
	 "monolithic"},
	{"two sockets, monolithic",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-1") "," PACKAGE("2", "2-3") "," TEXT(
		 NODE "/online", "0-1") "," NUMA("0", "0-1", "10 20") "," NUMA("1", "2-3", "20 10"),
	 "monolithic"},
	{"one socket, hemisphere",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3") "," TEXT(
		 NODE "/online", "0-1") "," NUMA("0", "0-1", "10 11") "," NUMA("1", "2-3", "11 10"),
	 "hemisphere"},
	{"two sockets, quadrant: 8 nodes", EIGHT_CPUS "," QUADRANT_0 "," QUADRANT_1, "quadrant"},
	{"a node of memory alone is no ANC",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3") "," TEXT(
		 NODE "/online", "0-1") "," NUMA("0", "0-3", "10 12") "," NUMA("1", "", "12 10"),
	 "monolithic"},
	{"package ids hidden: distances tell",
	 TEXT(CPU "/online", "0-3") "," TEXT(NODE "/online", "0-1") "," NUMA(
		 "0", "0-1", "10 11") "," NUMA("1", "2-3", "11 10"),
	 "hemisphere"},
	{"distances hidden: package ids tell",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-1") "," PACKAGE("2", "2-3") "," TEXT(
		 NODE "/online", "0-1") "," TEXT(NODE "/node0/cpulist",
						 "0-1") "," TEXT(NODE "/node1/cpulist", "2-3"),
	 "monolithic"},
	{"one node over two packages: the kernel does not show the firmware's nodes",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-1") "," PACKAGE("2", "2-3") "," TEXT(
		 NODE "/online", "0") "," TEXT(NODE "/node0/cpulist", "0-3"),
	 NULL},
	{"numa=off hides the mode",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3") "," TEXT(NODE "/online", "0") "," NUMA(
		 "0", "0-3", "10") "," TEXT("/proc/cmdline", "ro numa=off quiet"),
	 NULL},
	{"ids and distances contradict each other",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3") "," TEXT(
		 NODE "/online", "0-1") "," NUMA("0", "0-1", "10 20") "," NUMA("1", "2-3", "20 10"),
	 NULL},
	{"three nodes are no mode",
	 TEXT(CPU "/online", "0-2") "," PACKAGE("0", "0-2") "," TEXT(
		 NODE "/online",
		 "0-2") "," NUMA("0", "0", "10 11 11") "," NUMA("1", "1",
								"11 10 11") "," NUMA("2", "2",
										     "11 11 10"),
	 NULL},
	{"nodes need root",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3") "," DENIED(NODE "/online"), NULL},
	{"a node's CPUs need root",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3") "," TEXT(
		 NODE "/online", "0-1") "," TEXT(NODE "/node0/cpulist",
						 "0-3") "," DENIED(NODE "/node1/cpulist"),
	 NULL},
	{"a kernel without NUMA, and no tables", TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3"),
	 NULL},
};

static void anc_mode_is_nodes_with_cpus_per_package(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(anc_rows) / sizeof(anc_rows[0]); i++) {
		struct machine machine;

		print_message("%s\n", anc_rows[i].what);
		open_machine(&machine, anc_rows[i].questions);
		if (anc_rows[i].mode)
			assert_string_equal(machine_fact(&machine, "firmware.anc"),
					    anc_rows[i].mode);
		else
			assert_true(is_unknown(&machine, "firmware.anc"));
		machine_close(&machine);
	}
}

#define ONE_SOCKET                                                                                 \
	TEXT(CPU "/online", "0-3")                                                                 \
	"," PACKAGE("0", "0-3") "," TEXT(NODE "/online", "0") "," NUMA("0", "0-3", "10")
#define CACHE(index, level) TEXT(CPU "/cpu0/cache/index" index "/level", level)

static const struct {
	const char *what, *questions, *possible, *is; /* NULL: unknown */
} slc_rows[] = {
	{"three indexes, level 2",
	 ONE_SOCKET "," CACHE("0", "1") "," CACHE("1", "1") "," CACHE("2", "2"), "yes", "disabled"},
	{"index3", ONE_SOCKET "," CACHE("0", "1") "," CACHE("2", "2") "," CACHE("3", "3"), "yes",
	 "enabled"},
	{"no caches listed: absence of an L3 proves nothing", ONE_SOCKET, "yes", NULL},
	{"an index without its level",
	 ONE_SOCKET
	 "," CACHE("0", "1") "," CACHE("2", "2") "," TEXT(CPU "/cpu0/cache/index3/size", "32768K"),
	 "yes", NULL},
	{"only level 1 listed: the kernel did not look further", ONE_SOCKET "," CACHE("0", "1"),
	 "yes", NULL},
	{"a level needs root",
	 ONE_SOCKET
	 "," CACHE("0", "1") "," CACHE("2", "2") "," DENIED(CPU "/cpu0/cache/index3/level"),
	 "yes", NULL},
	{"two sockets",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-1") "," PACKAGE("2", "2-3") "," TEXT(
		 NODE "/online",
		 "0-1") "," NUMA("0", "0-1",
				 "10 20") "," NUMA("1", "2-3",
						   "20 10") "," CACHE("0", "1") "," CACHE("2", "2"),
	 "no", "disabled"},
	{"hemisphere",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3") "," TEXT(
		 NODE "/online",
		 "0-1") "," NUMA("0", "0-1",
				 "10 11") "," NUMA("1", "2-3",
						   "11 10") "," CACHE("0", "1") "," CACHE("2", "2"),
	 "no", "disabled"},
	{"the mode is not known",
	 TEXT(CPU "/online", "0-3") "," PACKAGE("0", "0-3") "," DENIED(NODE "/online") "," CACHE(
		 "0", "1") "," CACHE("2", "2"),
	 NULL, "disabled"},
};

static void the_slc_is_an_l3_only_when_the_kernel_shows_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(slc_rows) / sizeof(slc_rows[0]); i++) {
		struct machine machine;

		print_message("%s\n", slc_rows[i].what);
		open_machine(&machine, slc_rows[i].questions);
		if (slc_rows[i].possible)
			assert_string_equal(machine_fact(&machine, "firmware.slc-can-be-l3"),
					    slc_rows[i].possible);
		else
			assert_true(is_unknown(&machine, "firmware.slc-can-be-l3"));
		if (slc_rows[i].is)
			assert_string_equal(machine_fact(&machine, "firmware.slc-as-l3"),
					    slc_rows[i].is);
		else
			assert_true(is_unknown(&machine, "firmware.slc-as-l3"));
		machine_close(&machine);
	}
}

#define WORD(number) number, 0, 0, 0
#define NINE_WORDS(apei, cppc, lpi)                                                                \
	WORD(apei), WORD(cppc), WORD(lpi), WORD(0), WORD(0), WORD(0), WORD(0), WORD(0), WORD(0)

static void the_variable_of_tianocore_is_read_or_refused(void **state)
{
	static const struct {
		unsigned char bytes[44];
		size_t size;
		bool damaged;
		enum firmware_setting apei, cppc, lpi;
	} rows[] = {
		{{WORD(7), NINE_WORDS(1, 1, 1)},
		 40,
		 false,
		 SETTING_ENABLED,
		 SETTING_ENABLED,
		 SETTING_ENABLED},
		{{WORD(7), NINE_WORDS(1, 0, 0)},
		 40,
		 false,
		 SETTING_ENABLED,
		 SETTING_DISABLED,
		 SETTING_DISABLED},
		{{WORD(7), NINE_WORDS(0, 2, 1)},
		 40,
		 false,
		 SETTING_DISABLED,
		 SETTING_UNKNOWN,
		 SETTING_ENABLED},
		{{WORD(7), NINE_WORDS(1, 0, 0)},
		 39,
		 true,
		 SETTING_UNKNOWN,
		 SETTING_UNKNOWN,
		 SETTING_UNKNOWN},
		{{WORD(7), NINE_WORDS(1, 0, 0)},
		 44,
		 true,
		 SETTING_UNKNOWN,
		 SETTING_UNKNOWN,
		 SETTING_UNKNOWN},
		{{WORD(3), NINE_WORDS(1, 0, 0)},
		 40,
		 true,
		 SETTING_UNKNOWN,
		 SETTING_UNKNOWN,
		 SETTING_UNKNOWN},
		{{0}, 0, true, SETTING_UNKNOWN, SETTING_UNKNOWN, SETTING_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct firmware firmware = {0};

		firmware_parse_config(&firmware,
				      (struct view){(const char *)rows[i].bytes, rows[i].size});
		assert_int_equal(firmware.config_damaged, rows[i].damaged);
		assert_int_equal(firmware.apei, rows[i].apei);
		assert_int_equal(firmware.cppc, rows[i].cppc);
		assert_int_equal(firmware.lpi, rows[i].lpi);
	}
}

static void what_leaves_no_trace_is_unknown(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(&machine, ONE_SOCKET);
	assert_true(is_unknown(&machine, "firmware.slc-replacement"));
	assert_true(is_unknown(&machine, "firmware.prefetch"));
	machine_close(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(anc_mode_is_nodes_with_cpus_per_package),
		cmocka_unit_test(the_slc_is_an_l3_only_when_the_kernel_shows_one),
		cmocka_unit_test(the_variable_of_tianocore_is_read_or_refused),
		cmocka_unit_test(what_leaves_no_trace_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
