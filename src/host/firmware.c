// SPDX-License-Identifier: BSD-2-Clause
#include "host/firmware.h"

#include "base/arena.h"
#include "host/acpi.h"
#include "host/bytes.h"
#include "host/smbios.h"
#include "host/topology.h"

#include <errno.h>
#include <string.h>

#define CACHES "/sys/devices/system/cpu/cpu0/cache"
#define CACHES_MAX 16

/* AcpiConfigNVData as efivarfs shows it: 4 bytes of attributes, then nine 32-bit numbers. */
#define CONFIG_BYTES 40
#define CONFIG_ATTRIBUTES 0x07 /* non-volatile, boot services, run time */
#define CONFIG_APEI_AT 4
#define CONFIG_CPPC_AT 8
#define CONFIG_LPI_AT 12

static enum firmware_setting setting_at(struct view raw, size_t offset)
{
	static const enum firmware_setting by_number[] = {SETTING_DISABLED, SETTING_ENABLED};
	uint32_t number = bytes_u32(raw, offset);

	return number < 2 ? by_number[number] : SETTING_UNKNOWN;
}

void firmware_parse_config(struct firmware *firmware, struct view raw)
{
	firmware->config_damaged =
		raw.size != CONFIG_BYTES || bytes_u32(raw, 0) != CONFIG_ATTRIBUTES;
	if (firmware->config_damaged)
		return;
	firmware->apei = setting_at(raw, CONFIG_APEI_AT);
	firmware->cppc = setting_at(raw, CONFIG_CPPC_AT);
	firmware->lpi = setting_at(raw, CONFIG_LPI_AT);
}

const struct firmware *host_firmware(struct host *host)
{
	struct firmware *firmware;
	struct view raw;

	if (host->firmware)
		return host->firmware;
	firmware = arena_new(host->arena, struct firmware);
	host->firmware = firmware;
	firmware->config_number = root_read(host->root, ACPI_CONFIG_PATH, &raw);
	if (firmware->config_number == 0)
		firmware_parse_config(firmware, raw);
	firmware->nodes = firmware_nodes_per_package(host);
	return firmware;
}

static struct value setting_value(struct facts *facts, enum firmware_setting setting,
				  const char *name)
{
	const struct firmware *firmware = host_firmware(facts->host);
	struct value value;

	if (firmware->config_number)
		return value_errno(facts->arena, ACPI_CONFIG_PATH, firmware->config_number);
	if (firmware->config_damaged || setting == SETTING_UNKNOWN)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED,
				     "%s is not as TianoCore writes it", ACPI_CONFIG_PATH);
	value = value_text(setting == SETTING_ENABLED ? "enabled" : "disabled");
	value_cite(facts->arena, &value, ACPI_CONFIG_PATH,
		   arena_printf(facts->arena, "%s: %s", name, value.text), CONFIDENCE_DIRECT);
	return value;
}

static struct value apei_setting(struct facts *facts, const char *of)
{
	(void)of;
	return setting_value(facts, host_firmware(facts->host)->apei, "EnableApeiSupport");
}

static struct value cppc_setting(struct facts *facts, const char *of)
{
	(void)of;
	return setting_value(facts, host_firmware(facts->host)->cppc, "AcpiCppcEnable");
}

static struct value lpi_setting(struct facts *facts, const char *of)
{
	(void)of;
	return setting_value(facts, host_firmware(facts->host)->lpi, "AcpiLpiEnable");
}

static struct value anc(struct facts *facts, const char *of)
{
	static const char *const modes[] = {
		[1] = "monolithic", [2] = "hemisphere", [4] = "quadrant"};
	const struct value *nodes = &host_firmware(facts->host)->nodes;
	struct value value;

	(void)of;
	if (nodes->kind != VALUE_NUMBER)
		return *nodes;
	if (nodes->number < 1 || nodes->number > 4 || !modes[nodes->number])
		return value_unknown(facts->arena, UNKNOWN_DAMAGED,
				     "%lld nodes per package fit no ANC mode",
				     (long long)nodes->number);
	value = value_text(modes[nodes->number]);
	value_cite_all(facts->arena, &value, nodes);
	return value;
}

/* The firmware offers it on one socket in monolithic mode alone. */
static struct value slc_can_be_l3(struct facts *facts, const char *of)
{
	size_t packages = host_topology(facts->host)->package_count;
	const struct value *mode = facts_get(facts, "firmware.anc");
	struct value value;

	(void)of;
	if (packages == 0)
		packages = smbios_populated(host_smbios(facts->host));
	if (packages > 1) {
		value = value_bool(false);
		value_cite(facts->arena, &value,
			   "/sys/devices/system/cpu/cpu0/topology/package_cpus_list",
			   arena_printf(facts->arena, "%zu packages", packages), CONFIDENCE_DIRECT);
		return value;
	}
	if (!mode || mode->kind != VALUE_TEXT)
		return mode ? *mode
			    : value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
					    "the ANC mode is not known");
	if (packages == 0 && strcmp(mode->text, "monolithic") == 0)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "the number of packages is not known");
	value = value_bool(strcmp(mode->text, "monolithic") == 0);
	value_cite_all(facts->arena, &value, mode);
	return value;
}

/* The highest cache level of CPU 0 and the file that says so, or the errno of the file that could
 * not be read; ENOENT is a kernel that lists no caches, an index without a level is damage. */
static int highest_level(struct host *host, int64_t *highest, const char **path)
{
	struct names entries;
	int number = root_list(host->root, CACHES, &entries);

	*highest = 0;
	*path = CACHES;
	for (size_t i = 0; number == 0 && i < entries.count && i < CACHES_MAX; i++) {
		int64_t level = 0;
		const char *file = arena_printf(host->arena, CACHES "/%s/level", entries.items[i]);

		if (!view_starts(view_of(entries.items[i]), "index"))
			continue;
		number = host_number(host, file, &level);
		if (number == 0 && level <= *highest)
			continue;
		*highest = level;
		*path = file;
		if (number != 0)
			return number == ENOENT ? EBADMSG : number;
	}
	return number == 0 && *highest == 0 ? ENOENT : number;
}

/* TianoCore lists the SLC as a cache of level 3 only when it is one. */
static const char *slc_in_smbios(const struct smbios *smbios)
{
	for (size_t i = 0; i < smbios->cache_count; i++) {
		const struct smbios_cache *cache = &smbios->caches[i];

		if (cache->level == 3 && cache->enabled && cache->designation &&
		    strstr(cache->designation, "SLC"))
			return cache->designation;
	}
	return NULL;
}

/* The kernel's list decides; the PPTT stands in where there is none. A source that says otherwise
 * makes it unknown. */
static struct value slc_as_l3(struct facts *facts, const char *of)
{
	const struct acpi *acpi = host_acpi(facts->host);
	const char *listed = slc_in_smbios(host_smbios(facts->host)), *path;
	bool table = acpi->pptt.number == 0 && !acpi->pptt.damage && acpi->cache_levels != 0;
	int64_t level;
	int number = highest_level(facts->host, &level, &path);
	struct value value;

	(void)of;
	if (number != 0 && number != ENOENT)
		return value_errno(facts->arena, path, number);
	if (number == ENOENT && !table)
		return value_unread(facts->arena, acpi->pptt.number ? acpi->pptt.path : CACHES,
				    acpi->pptt.number ? acpi->pptt.number : ENOENT);
	if (number == ENOENT) {
		path = acpi->pptt.path;
		level = acpi->cache_levels;
	}
	/* a level 1 alone is no proof that the kernel looked at what is shared */
	if (level < 2)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "%s is the highest cache listed", path);
	if (level < 3 && ((table && acpi->cache_levels >= 3) || listed))
		return value_unknown(facts->arena, UNKNOWN_DAMAGED,
				     "%s lists a level 3 cache, %s none",
				     listed ? SMBIOS_TABLE_PATH : acpi->pptt.path, path);
	value = value_text(level >= 3 ? "enabled" : "disabled");
	value_cite(facts->arena, &value, path,
		   arena_printf(facts->arena, "highest level: %lld", (long long)level),
		   CONFIDENCE_DIRECT);
	if (table && path != acpi->pptt.path)
		value_cite(facts->arena, &value, acpi->pptt.path,
			   arena_printf(facts->arena, "highest level: %u", acpi->cache_levels),
			   CONFIDENCE_DIRECT);
	if (listed)
		value_cite(facts->arena, &value, SMBIOS_TABLE_PATH,
			   arena_printf(facts->arena, "type 7 %s", listed), CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "firmware.anc",
	 .summary = "Ampere NUMA Control: monolithic, hemisphere or quadrant, from nodes with CPUs "
		    "per package",
	 .read = anc},
	{.name = "firmware.slc-can-be-l3",
	 .summary = "one package in monolithic mode: the only case in which the SLC can be an L3",
	 .read = slc_can_be_l3},
	{.name = "firmware.slc-as-l3",
	 .summary = "the system level cache is shown as L3, from cpu0/cache and the PPTT",
	 .read = slc_as_l3},
	{.name = "firmware.apei-setting",
	 .summary = "APEI as chosen in the setup (AcpiConfigNVData, TianoCore)",
	 .read = apei_setting},
	{.name = "firmware.cppc-setting",
	 .summary = "CPPC as chosen in the setup (AcpiConfigNVData, TianoCore)",
	 .read = cppc_setting},
	{.name = "firmware.lpi-setting",
	 .summary = "LPI as chosen in the setup (AcpiConfigNVData, TianoCore)",
	 .read = lpi_setting},
};

const struct fact_table firmware_facts = FACT_TABLE(rows);
