// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/host.h"

#define ACPI_CONFIG_PATH                                                                           \
	"/sys/firmware/efi/efivars/AcpiConfigNVData-0ceb6764-d415-4b01-a843-d101bcb0d829"

/*
 * What can be seen of the firmware's settings. Nothing here ever writes a firmware variable. The
 * variable AcpiConfigNVData (TianoCore on Altra; edk2-platforms) says what was chosen in the setup,
 * not what is in effect.
 */
enum firmware_setting { SETTING_UNKNOWN, SETTING_DISABLED, SETTING_ENABLED };

struct firmware {
	int config_number;   /* errno of AcpiConfigNVData */
	bool config_damaged; /* read, but not the 40 bytes it should be */
	enum firmware_setting apei, cppc, lpi;
	struct value nodes; /* nodes with CPUs per package: 1 is ANC monolithic, 2 hemisphere, 4
			       quadrant; or why not known */
};

const struct firmware *host_firmware(struct host *host);
/* For tests: the variable's bytes, attributes included. */
void firmware_parse_config(struct firmware *firmware, struct view raw);
/* Nodes with CPUs per package, or why that is not known; numa.c. */
struct value firmware_nodes_per_package(struct host *host);

/* Ampere's own version, four numbers of which the first is the family's series (3 AC03, 4 AmpereOne
 * X, 5 M). */
struct firmware_version {
	unsigned part[4];
};

/* The lowest one in the string; false when it carries none of these series, or is not a string
 * Ampere's code writes. */
bool firmware_version_parse(const char *vendor, const char *text, struct firmware_version *out);
/* The first version of its series that has the fix of CVE-2025-62863, NULL when the series is not
 * one of AmpereOne's. */
const struct firmware_version *firmware_version_fixed(const struct firmware_version *version);

extern const struct fact_table firmware_facts, firmware_setting_facts, firmware_version_facts;
