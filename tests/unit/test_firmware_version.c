// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/firmware.h"
#include "host/smbios.h"

#include "machine.h"

static const char *family = "altra";

static struct value cpu_family(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_text(family);
}

static const struct fact cpu_rows[] = {{.name = "cpu.family", .summary = "", .read = cpu_family}};
static const struct fact_table cpu_table = FACT_TABLE(cpu_rows);
static const struct fact_table *const tables[] = {&cpu_table, &firmware_version_facts,
						  &smbios_facts};

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

static const struct {
	const char *family, *vendor, *board, *version;
	const char *series, *behind; /* NULL: unknown */
} version_rows[] = {
	{"ampereone-ac03", "Ampere(R)", "Ampere", "TianoCore 3.5.9.2 (SYS: 3.5.9.2.20250401)",
	 "3.5.9.2", "3.5.9.2 is older than 3.5.9.3"},
	{"ampereone-ac03", "Ampere(R)", "Ampere", "TianoCore 3.5.9.3 (SYS: 3.5.9.3.20250801)",
	 "3.5.9.3", "none"},
	{"ampereone-ac04", "Ampere(R)", "Ampere", "4.4.5.1", "4.4.5.1",
	 "4.4.5.1 is older than 4.4.5.2"},
	{"ampereone-ac04", "Ampere(R)", "Ampere", "4.10.0.0", "4.10.0.0", "none"},
	{"ampereone-ac04", "Ampere(R)", "Ampere", "5.4.5.0", "5.4.5.0",
	 "5.4.5.0 is older than 5.4.5.1"},
	{"ampereone-ac04", "GIGABYTE", "GIGABYTE", "F12 (SCP: 4.4.5.2)", "4.4.5.2", "none"},
	/* the lowest part of a mixed one decides */
	{"ampereone-ac04", "Ampere(R)", "Ampere", "TianoCore 4.4.6.0 (SYS: 4.4.4.0.20250101)",
	 "4.4.4.0", "4.4.4.0 is older than 4.4.5.2"},
	/* makers that number in their own way */
	{"ampereone-ac04", "American Megatrends International, LLC.", "Supermicro",
	 "T20241001152934", NULL, NULL},
	{"ampereone-ac04", "GIGABYTE", "GIGABYTE", "F31L", NULL, NULL},
	{"ampereone-ac04", "American Megatrends International, LLC.", "ASRockRack", "4.4.5.9", NULL,
	 NULL},
	/* another processor's series, no series, not four numbers */
	{"ampereone-ac03", "Ampere(R)", "Ampere", "TianoCore 4.4.5.9", NULL, NULL},
	{"ampereone-ac03", "Ampere(R)", "Ampere", "TianoCore 2.04.100.10 (SYS: 2.06.20220308)",
	 NULL, NULL},
	{"ampereone-ac03", "Ampere(R)", "Ampere", "3.5.9", NULL, NULL},
	{"ampereone-ac03", "Ampere(R)", "Ampere", "3.5.9.3.1", NULL, NULL},
	{"ampereone-ac03", "Ampere(R)", "Ampere", "3.5..3", NULL, NULL},
	{"ampereone-ac03", "Ampere(R)", "Ampere", "3.5.9.99999999999999999999", NULL, NULL},
};

static void versions_are_judged_only_when_they_are_amperes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(version_rows) / sizeof(version_rows[0]); i++) {
		struct machine machine;
		char questions[512];

		print_message("%s\n", version_rows[i].version);
		family = version_rows[i].family;
		snprintf(questions, sizeof(questions),
			 TEXT("/sys/class/dmi/id/bios_vendor", "%s") "," TEXT(
				 "/sys/class/dmi/id/bios_version",
				 "%s") "," TEXT("/sys/class/dmi/id/board_vendor",
						"%s") "," DENIED("/sys/firmware/dmi/tables/DMI"),
			 version_rows[i].vendor, version_rows[i].version, version_rows[i].board);
		open_machine(&machine, questions);
		if (version_rows[i].series)
			assert_string_equal(machine_fact(&machine, "firmware.series-version"),
					    version_rows[i].series);
		else
			assert_true(is_unknown(&machine, "firmware.series-version"));
		if (version_rows[i].behind)
			assert_string_equal(machine_fact(&machine, "firmware.behind"),
					    version_rows[i].behind);
		else
			assert_true(is_unknown(&machine, "firmware.behind"));
		machine_close(&machine);
	}
	family = "altra";
}

static void the_makers_advisory_is_named(void **state)
{
	struct machine machine;

	(void)state;
	family = "ampereone-ac04";
	open_machine(&machine, TEXT("/sys/class/dmi/id/bios_version", "T20241001152934") "," TEXT(
				       "/sys/class/dmi/id/board_vendor",
				       "Supermicro") "," DENIED("/sys/firmware/dmi/tables/DMI"));
	assert_string_equal(machine_fact(&machine, "firmware.behind"),
			    "unknown: 'T20241001152934' is not Ampere's numbering; see the "
			    "advisories of Supermicro for CVE-2025-62863");
	machine_close(&machine);
	family = "altra";
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions_are_judged_only_when_they_are_amperes),
		cmocka_unit_test(the_makers_advisory_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
