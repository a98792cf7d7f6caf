// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/memory.h"
#include "host/smbios.h"
#include "host/soc.h"

#include "machine.h"

static const struct fact_table *const tables[] = {&smbios_facts, &soc_facts, &edac_facts};

static void open_machine(struct machine *machine, const char *questions)
{
	machine_open(machine, "", questions, tables, sizeof(tables) / sizeof(tables[0]));
}

static bool is_unknown(struct machine *machine, const char *name)
{
	return facts_get(&machine->facts, name)->kind == VALUE_UNKNOWN;
}

#define TEXT(path, text) "\"" path "\":{\"text\":\"" text "\"}"
#define DENIED(path) "\"" path "\":{\"errno\":\"EACCES\"}"

static void without_root_the_strings_of_sysfs_serve(void **state)
{
	struct machine machine;

	(void)state;
	open_machine(
		&machine,
		DENIED("/sys/firmware/dmi/tables/DMI") "," TEXT(
			"/sys/class/dmi/id/sys_vendor",
			"GI"
			"GA"
			"BY"
			"TE"
			"\\"
			"n") "," TEXT("/sys/class/dmi/id/product_name",
				      "MP32-AR1-00\\n") "," TEXT("/sys/class/dmi/id/product_serial",
								 "SERIAL01\\n") "," TEXT("/sys/"
											 "class/"
											 "dmi/id/"
											 "chassis_"
											 "asset_"
											 "tag",
											 "TAG01\\"
											 "n"));
	assert_string_equal(machine_fact(&machine, "dmi.vendor"), "GIGABYTE");
	assert_string_equal(machine_fact(&machine, "dmi.product"), "MP32-AR1-00");
	assert_string_equal(facts_get(&machine.facts, "dmi.product")->evidence[0].path,
			    "/sys/class/dmi/id/product_name");
	assert_true(is_unknown(&machine, "smbios.processor-part"));
	assert_int_equal(facts_get(&machine.facts, "smbios.processor-part")->unknown,
			 UNKNOWN_NEEDS_ROOT);
	assert_true(is_unknown(&machine, "dmi.chassis-tag"));
	machine_close(&machine);
}

static void the_soc_device_is_found_in_both_places(void **state)
{
	static const struct {
		const char *questions, *id;
	} rows[] = {
		{TEXT("/sys/devices/soc0/soc_id",
		      "jep106:0a16:0001\\n") "," TEXT("/sys/devices/soc0/family", "jep106:0a16\\n"),
		 "jep106:0a16:0001"},
		{TEXT("/sys/bus/soc/devices/soc1/soc_id",
		      "jep106:0a16:0004\\n") "," TEXT("/sys/bus/soc/devices/soc0/family", "x"),
		 "jep106:0a16:0004"},
		{TEXT("/proc/version", "x"), "none: /sys/devices/soc0/soc_id does not exist"},
		{DENIED("/sys/devices/soc0/soc_id"),
		 "unknown: /sys/devices/soc0/soc_id needs root"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;

		open_machine(&machine, rows[i].questions);
		assert_string_equal(machine_fact(&machine, "soc.id"), rows[i].id);
		machine_close(&machine);
	}
}

static void memory_errors_need_someone_who_counts(void **state)
{
	static const char mc[] = TEXT("/sys/devices/system/edac/mc/mc0/ue_count", "0\\n") "," TEXT(
		"/sys/devices/system/edac/mc/mc0/ce_count", "3\\n");
	static const struct {
		const char *more, *uncorrected, *corrected; /* NULL: unknown */
	} rows[] = {
		{"", "0", "3"},
		{"," TEXT("/sys/devices/system/edac/mc/mc1/ue_count",
			  "1\\n") "," TEXT("/sys/devices/system/edac/mc/mc1/ce_count", "4\\n"),
		 "1", "7"},
		{"," DENIED("/sys/devices/system/edac/mc/mc1/ue_count") "," TEXT(
			 "/sys/devices/system/edac/mc/mc1/ce_count", "x\\n"),
		 NULL, NULL},
		{"," TEXT("/sys/devices/system/edac/mc/mc1/size_mb", "1\\n"), NULL, NULL},
	};
	struct machine machine;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char questions[1024];

		snprintf(questions, sizeof(questions), "%s%s", mc, rows[i].more);
		open_machine(&machine, questions);
		if (rows[i].uncorrected) {
			assert_string_equal(machine_fact(&machine, "memory.errors-uncorrected"),
					    rows[i].uncorrected);
			assert_string_equal(machine_fact(&machine, "memory.errors-corrected"),
					    rows[i].corrected);
		} else {
			assert_true(is_unknown(&machine, "memory.errors-uncorrected"));
			assert_true(is_unknown(&machine, "memory.errors-corrected"));
		}
		machine_close(&machine);
	}
	open_machine(&machine, TEXT("/sys/devices/system/edac/mc/power/control", "auto\\n"));
	assert_true(is_unknown(&machine, "memory.errors-uncorrected"));
	machine_close(&machine);
	open_machine(&machine, TEXT("/proc/version", "x"));
	assert_true(is_unknown(&machine, "memory.errors-uncorrected"));
	machine_close(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_root_the_strings_of_sysfs_serve),
		cmocka_unit_test(the_soc_device_is_found_in_both_places),
		cmocka_unit_test(memory_errors_need_someone_who_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
