// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/host.h"

/*
 * What the firmware tells of the machine in SMBIOS (DMTF DSP0134): /sys/firmware/dmi/tables, which
 * needs root, or else the few strings of /sys/class/dmi/id that anyone may read. Text is trimmed
 * and printable, NULL when blank or not given; numbers are 0 when not given. Serial numbers, UUIDs
 * and asset tags never get here (host/redact_dmi.h).
 */
#define SMBIOS_TABLE_PATH "/sys/firmware/dmi/tables/DMI"
#define SMBIOS_ENTRY_PATH "/sys/firmware/dmi/tables/smbios_entry_point"

/* What the eight ID bytes of a type 4 are: some firmware puts the SMCCC SOC_ID there, and not all
 * of it sets the flag bit. */
enum smbios_id_kind { SMBIOS_ID_NONE, SMBIOS_ID_MIDR, SMBIOS_ID_SOC };

struct smbios_processor {
	const char *socket, *vendor, *version, *part;
	bool populated, enabled;
	enum smbios_id_kind id_kind;
	uint64_t id_bytes;
	uint32_t midr;      /* SMBIOS_ID_MIDR */
	const char *soc_id; /* SMBIOS_ID_SOC: "jep106:0a16:0001" */
	uint32_t soc_revision;
	unsigned characteristics;
	unsigned max_mhz, current_mhz;
	unsigned cores, cores_enabled, threads;
};

struct smbios_cache {
	const char *designation;
	unsigned level;
	bool enabled;
	uint64_t size_bytes;
};

struct smbios_array {
	uint16_t handle;
	bool system_memory; /* not the flash array some firmware lists too */
	unsigned devices;
	uint64_t max_bytes;
};

struct smbios_device {
	uint16_t array;
	const char *locator, *bank, *manufacturer, *part;
	bool size_known;     /* false: the firmware says "unknown" or the structure is cut short */
	uint64_t size_bytes; /* 0: the slot is empty */
	unsigned form_factor, type, ranks;
	unsigned speed_mts, configured_mts;
};

struct smbios {
	int tables_errno;    /* 0, or why the table could not be read */
	bool present;        /* a table was read, or a string of /sys/class/dmi/id */
	struct names damage; /* what is wrong with the tables; what was read before it stands */
	unsigned major, minor, revision;
	const char *firmware_vendor, *firmware_version, *firmware_date;
	const char *vendor, *product, *version, *sku, *family;
	const char *board_vendor, *board_product;
	const char *chassis_vendor,
		*chassis_tag; /* the tag only when it is a cloud's known constant */
	struct smbios_processor *processors;
	size_t processor_count;
	struct smbios_cache *caches;
	size_t cache_count;
	struct smbios_array *arrays;
	size_t array_count;
	struct smbios_device *devices;
	size_t device_count;
	bool redfish; /* type 42 says that a BMC answers Redfish on an interface of this host */
};

const struct smbios *host_smbios(struct host *host);
/* For tests and fuzzing: the same from bytes; `entry` may be empty. */
const struct smbios *smbios_parse(struct arena *arena, struct view entry, struct view table);

/* The first socket that has a processor in it, or NULL. */
const struct smbios_processor *smbios_first_processor(const struct smbios *smbios);
size_t smbios_populated(const struct smbios *smbios);

extern const struct fact_table smbios_facts;
