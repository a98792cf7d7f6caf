// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/acpi.h"
#include "host/aml.h"
#include "host/cpufreq.h"
#include "host/firmware.h"
#include "host/smbios.h"

#include "machine.h"

#include <stdlib.h>
#include <string.h>

static const struct fact_table *const tables[] = {
	&firmware_facts, &firmware_setting_facts, &smbios_facts, &acpi_facts,
	&aml_facts,      &cpufreq_facts,
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

/* AcpiConfigNVData with APEI on and CPPC and LPI both off, both on; 40 bytes each. */
#define CONFIG(base64) "\"" ACPI_CONFIG_PATH "\":{\"base64\":\"" base64 "\"}"
#define BOTH_OFF CONFIG("BwAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==")
#define BOTH_ON CONFIG("BwAAAAEAAAABAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==")
#define LPI                                                                                        \
	TEXT(CPU "/cpuidle/current_driver", "acpi_idle")                                           \
	"," TEXT(CPU "/cpu0/cpuidle/state0/name",                                                  \
		 "LPI-0") "," TEXT(CPU "/cpu0/cpuidle/state1/name", "LPI-1")
#define APEI TEXT("/sys/firmware/acpi/tables/HEST", "x")
#define CPPC TEXT(CPU "/cpu0/acpi_cppc/highest_perf", "300")

static void a_choice_that_is_not_in_effect_is_pending(void **state)
{
	static const struct {
		const char *questions, *pending, *cppc; /* NULL: unknown */
	} rows[] = {
		{BOTH_OFF "," LPI "," CPPC,
		 "CPPC: setup says disabled, the kernel sees it enabled: restart, LPI: setup says "
		 "disabled, the kernel sees it enabled: restart",
		 "disabled"},
		{BOTH_ON "," LPI "," CPPC "," APEI, "none", "enabled"},
		/* Nothing says whether the firmware gives APEI tables. */
		{BOTH_ON "," LPI "," CPPC, NULL, "enabled"},
		{BOTH_OFF "," APEI "," TEXT(CPU "/cpuidle/current_driver",
					    "none") "," TEXT(CPU "/online", "0-3"),
		 "none", "disabled"},
		/* On in setup and not there: only the DSDT tells the firmware's doing from the
		 * kernel's. */
		{BOTH_ON "," APEI "," TEXT(CPU "/cpuidle/current_driver",
					   "none") "," TEXT(CPU "/online", "0-3"),
		 NULL, "enabled"},
		/* APEI is on in setup, and there are tables, but none of it. */
		{BOTH_ON "," LPI "," CPPC "," TEXT("/sys/firmware/acpi/tables/FACP", "x"),
		 "APEI: setup says enabled, the kernel sees it disabled: restart", "enabled"},
		{CONFIG("BwAAAAEAAAA=") "," LPI "," CPPC, NULL, NULL},
		{DENIED(ACPI_CONFIG_PATH) "," LPI "," CPPC, NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;

		open_machine(&machine, rows[i].questions);
		if (rows[i].pending)
			assert_string_equal(machine_fact(&machine, "firmware.pending"),
					    rows[i].pending);
		else
			assert_true(is_unknown(&machine, "firmware.pending"));
		if (rows[i].cppc)
			assert_string_equal(machine_fact(&machine, "firmware.cppc-setting"),
					    rows[i].cppc);
		else
			assert_true(is_unknown(&machine, "firmware.cppc-setting"));
		machine_close(&machine);
	}
}

/* No LPI is known from states that were read, or from the kernel having no idle driver. */
static void states_that_cannot_be_read_are_not_absent(void **state)
{
#define DRIVER(name) TEXT(CPU "/cpuidle/current_driver", name)
	static const struct {
		const char *questions, *states; /* NULL: unknown */
	} rows[] = {
		{LPI, "LPI-0, LPI-1"},
		{DRIVER("none"), "none"},
		{DRIVER("none") "," DENIED(CPU "/cpu0/cpuidle"), NULL},
		{DRIVER("acpi_idle"), NULL},
		{DRIVER("acpi_idle") "," DENIED(CPU "/cpu0/cpuidle"), NULL},
		{DRIVER("acpi_idle") ",\"" CPU "/cpu0/cpuidle\":{\"list\":[]}", NULL},
		{DRIVER("acpi_idle") "," DENIED(CPU "/cpu0/cpuidle/state0/name"), NULL},
		{DRIVER("acpi_idle") "," TEXT(CPU "/cpu0/cpuidle/state0/name", ""), NULL},
		{DRIVER("acpi_idle") "," TEXT(CPU "/cpu0/cpuidle/state0/name", "WFI"), "none"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;

		open_machine(&machine, rows[i].questions);
		if (rows[i].states)
			assert_string_equal(machine_fact(&machine, "cpuidle.lpi-states"),
					    rows[i].states);
		else
			assert_true(is_unknown(&machine, "cpuidle.lpi-states"));
		machine_close(&machine);
	}
}

/* A DSDT that defines CPCE and LPIE (ACPI 6.5, 5.2.6 and 20.2.5.1): both 1, both 0, and the latter
 * with a bit turned round. */
#define DSDT(base64) "\"/sys/firmware/acpi/tables/DSDT\":{\"base64\":\"" base64 "\"}"
#define TOLD_ON DSDT("RFNEVDAAAAACmUFNUEVSRUFMVFJBICAgAQAAAEFNUC4TAAABCENQQ0UBCExQSUUB")
#define TOLD_OFF DSDT("RFNEVDAAAAACm0FNUEVSRUFMVFJBICAgAQAAAEFNUC4TAAABCENQQ0UACExQSUUA")
#define TOLD_BADLY DSDT("RFNEVDAAAAACm0FNUEVSRUFMVFJBICAgAQAAAEFNUC4TAAABCENQQ0UACExQSUUB")
#define EFFECT_OFF TEXT(CPU "/cpuidle/current_driver", "none") "," TEXT(CPU "/online", "0-3")

static void three_sides_stand_beside_each_other(void **state)
{
	static const struct {
		const char *questions, *cppc, *why, *pending; /* pending NULL: unknown */
	} rows[] = {
		{TOLD_OFF "," BOTH_ON "," APEI "," EFFECT_OFF, "disabled",
		 "setup says enabled, the kernel sees it disabled: restart",
		 "CPPC: setup says enabled, the kernel sees it disabled: restart, LPI: setup says "
		 "enabled, the kernel sees it disabled: restart"},
		{TOLD_ON "," BOTH_ON "," APEI "," EFFECT_OFF, "disabled",
		 "setup and the DSDT say enabled, the kernel sees it disabled", "none"},
		{TOLD_BADLY "," BOTH_ON "," APEI "," EFFECT_OFF, "disabled",
		 "setup says enabled, the kernel sees it disabled: restart, or the kernel leaves "
		 "it "
		 "unused",
		 NULL},
		{TOLD_ON "," BOTH_OFF "," APEI "," CPPC "," LPI, "enabled",
		 "setup says disabled, the kernel sees it enabled: restart",
		 "CPPC: setup says disabled, the kernel sees it enabled: restart, LPI: setup says "
		 "disabled, the kernel sees it enabled: restart"},
		{TOLD_OFF "," BOTH_OFF "," APEI "," CPPC "," LPI, "enabled",
		 "setup and the DSDT say disabled, the kernel sees it enabled", "none"},
		/* The tables were made before setup was entered, and the kernel never used them. */
		{TOLD_ON "," BOTH_OFF "," APEI "," EFFECT_OFF, "disabled",
		 "setup says disabled, the DSDT still enabled: restart",
		 "CPPC: setup says disabled, the DSDT still enabled: restart, LPI: setup says "
		 "disabled, the DSDT still enabled: restart"},
		{TOLD_ON "," BOTH_ON "," APEI "," CPPC "," LPI, "enabled", NULL, "none"},
		/* No variable: other firmware. */
		{TOLD_ON "," APEI "," EFFECT_OFF, "disabled",
		 "the DSDT says enabled, the kernel sees it disabled", NULL},
		{APEI "," EFFECT_OFF, "disabled", NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct value *setting;
		struct machine machine;

		open_machine(&machine, rows[i].questions);
		assert_string_equal(machine_fact(&machine, "firmware.setting(cppc)"), rows[i].cppc);
		setting = facts_get(&machine.facts, "firmware.setting(cppc)");
		if (rows[i].why)
			assert_string_equal(setting->why, rows[i].why);
		else
			assert_null(setting->why);
		if (rows[i].pending)
			assert_string_equal(machine_fact(&machine, "firmware.pending"),
					    rows[i].pending);
		else
			assert_true(is_unknown(&machine, "firmware.pending"));
		machine_close(&machine);
	}
}

/* A BMC that says enabled of everything, in place of one that was asked. */
static struct value says_enabled(struct facts *facts, const char *of)
{
	struct value value = value_text("enabled");

	(void)of;
	value_cite(facts->arena, &value, "/redfish/v1/Systems/1/Bios", "Enabled",
		   CONFIDENCE_DIRECT);
	return value;
}

static const struct fact bmc_rows[] = {
	{.name = "redfish.cppc", .read = says_enabled},
	{.name = "redfish.lpi", .read = says_enabled},
	{.name = "redfish.slc-as-l3", .read = says_enabled},
};

static const struct fact_table bmc_table = FACT_TABLE(bmc_rows);

#define CACHE(index, level) TEXT(CPU "/cpu0/cache/index" index "/level", level)
#define LEVEL_2 CACHE("0", "1") "," CACHE("2", "2")
#define PACKAGE(cpu, cpus) TEXT(CPU "/cpu" cpu "/topology/package_cpus_list", cpus)
#define NODE(id, cpus, distances)                                                                  \
	TEXT("/sys/devices/system/node/node" id "/cpulist", cpus)                                  \
	"," TEXT("/sys/devices/system/node/node" id "/distance", distances)
#define ONE_SOCKET                                                                                 \
	TEXT(CPU "/online", "0-3")                                                                 \
	"," PACKAGE("0", "0-3") "," TEXT("/sys/devices/system/node/online",                        \
					 "0") "," NODE("0", "0-3", "10")
#define TWO_SOCKETS                                                                                \
	TEXT(CPU "/online", "0-3")                                                                 \
	"," PACKAGE("0", "0-1") "," PACKAGE("2", "2-3") "," TEXT(                                  \
		"/sys/devices/system/node/online",                                                 \
		"0-1") "," NODE("0", "0-1", "10 20") "," NODE("1", "2-3", "20 10")

/* On two sockets the firmware itself keeps the SLC from being an L3: that is no disagreement. */
static void what_the_bmc_says_stands_beside_it_too(void **state)
{
	static const struct {
		const char *questions, *setting, *found, *why;
	} rows[] = {
		{ONE_SOCKET "," LEVEL_2, "firmware.setting(slc-as-l3)", "disabled",
		 "the BMC says enabled, the kernel sees it disabled"},
		{TWO_SOCKETS "," LEVEL_2, "firmware.setting(slc-as-l3)", "disabled", NULL},
		{TOLD_OFF "," BOTH_OFF "," EFFECT_OFF, "firmware.setting(cppc)", "disabled",
		 "the BMC says enabled, the kernel sees it disabled"},
		{TOLD_ON "," CPPC, "firmware.setting(cppc)", "enabled", NULL},
	};
	static const struct fact_table *const with_bmc[] = {
		&bmc_table,  &firmware_facts, &firmware_setting_facts, &smbios_facts,
		&acpi_facts, &aml_facts,      &cpufreq_facts};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct value *setting;
		struct machine machine;
		bool cited = false;

		machine_open(&machine, "", rows[i].questions, with_bmc,
			     sizeof(with_bmc) / sizeof(with_bmc[0]));
		assert_string_equal(machine_fact(&machine, rows[i].setting), rows[i].found);
		setting = facts_get(&machine.facts, rows[i].setting);
		if (rows[i].why)
			assert_string_equal(setting->why, rows[i].why);
		else
			assert_null(setting->why);
		for (size_t e = 0; e < setting->evidence_count; e++)
			cited |= strstr(setting->evidence[e].path, "/redfish/v1/") != NULL;
		assert_true(cited);
		machine_close(&machine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_choice_that_is_not_in_effect_is_pending),
		cmocka_unit_test(states_that_cannot_be_read_are_not_absent),
		cmocka_unit_test(three_sides_stand_beside_each_other),
		cmocka_unit_test(what_the_bmc_says_stands_beside_it_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
