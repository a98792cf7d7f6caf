// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/smbios.h"

/* Why a field of the tables is not known: they are not there (a container hides them too), they
 * could not be read, they are damaged, or the firmware left it blank. */
static struct value field_missing(struct facts *facts, const struct smbios *smbios,
				  const char *field)
{
	struct value value;

	if (smbios->tables_errno)
		return value_unread(facts->arena, SMBIOS_TABLE_PATH, smbios->tables_errno);
	if (smbios->damage.count)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s: %s", SMBIOS_TABLE_PATH,
				     smbios->damage.items[0]);
	value = value_none(arena_printf(facts->arena, "the firmware leaves %s blank", field));
	value_cite(facts->arena, &value, SMBIOS_TABLE_PATH, field, CONFIDENCE_DIRECT);
	return value;
}

/* `file` is the name below /sys/class/dmi/id that gives the same to everyone; NULL when only the
 * tables have it. */
static struct value field_text(struct facts *facts, const char *text, const char *field,
			       const char *file)
{
	const struct smbios *smbios = host_smbios(facts->host);
	const char *path = SMBIOS_TABLE_PATH;
	struct value value;

	if (!text)
		return field_missing(facts, smbios, field);
	if (file && smbios->tables_errno)
		path = arena_printf(facts->arena, "/sys/class/dmi/id/%s", file);
	value = value_text(text);
	value_cite(facts->arena, &value, path, arena_printf(facts->arena, "%s: %s", field, text),
		   CONFIDENCE_DIRECT);
	return value;
}

static struct value field_number(struct facts *facts, int64_t number, const char *field)
{
	struct value value;

	if (number == 0)
		return field_missing(facts, host_smbios(facts->host), field);
	value = value_number(number);
	value_cite(facts->arena, &value, SMBIOS_TABLE_PATH,
		   arena_printf(facts->arena, "%s: %lld", field, (long long)number),
		   CONFIDENCE_DIRECT);
	return value;
}

#define TEXT_FACT(function, member, field, file)                                                   \
	static struct value function(struct facts *facts, const char *of)                          \
	{                                                                                          \
		(void)of;                                                                          \
		return field_text(facts, host_smbios(facts->host)->member, field, file);           \
	}

TEXT_FACT(firmware_vendor, firmware_vendor, "type 0 vendor", "bios_vendor")
TEXT_FACT(firmware_version, firmware_version, "type 0 version", "bios_version")
TEXT_FACT(firmware_date, firmware_date, "type 0 release date", "bios_date")
TEXT_FACT(system_vendor, vendor, "type 1 manufacturer", "sys_vendor")
TEXT_FACT(system_product, product, "type 1 product name", "product_name")
TEXT_FACT(system_version, version, "type 1 version", "product_version")
TEXT_FACT(system_family, family, "type 1 family", "product_family")
TEXT_FACT(board_vendor, board_vendor, "type 2 manufacturer", "board_vendor")
TEXT_FACT(board_product, board_product, "type 2 product", "board_name")
TEXT_FACT(chassis_tag, chassis_tag, "type 3 asset tag", "chassis_asset_tag")

/* Facts of the first socket with a processor in it. */
#define PROCESSOR_TEXT(function, member, field)                                                    \
	static struct value function(struct facts *facts, const char *of)                          \
	{                                                                                          \
		const struct smbios_processor *first =                                             \
			smbios_first_processor(host_smbios(facts->host));                          \
                                                                                                   \
		(void)of;                                                                          \
		return field_text(facts, first ? first->member : NULL, field, NULL);               \
	}

#define PROCESSOR_NUMBER(function, member, field)                                                  \
	static struct value function(struct facts *facts, const char *of)                          \
	{                                                                                          \
		const struct smbios_processor *first =                                             \
			smbios_first_processor(host_smbios(facts->host));                          \
                                                                                                   \
		(void)of;                                                                          \
		return field_number(facts, first ? first->member : 0, field);                      \
	}

PROCESSOR_TEXT(processor_vendor, vendor, "type 4 manufacturer")
PROCESSOR_TEXT(processor_version, version, "type 4 version")
PROCESSOR_TEXT(processor_part, part, "type 4 part number")
PROCESSOR_TEXT(processor_soc_id, soc_id, "type 4 processor ID, as SOC_ID")
PROCESSOR_NUMBER(processor_max_speed, max_mhz, "type 4 max speed (MHz)")
PROCESSOR_NUMBER(processor_current_speed, current_mhz, "type 4 current speed (MHz)")
PROCESSOR_NUMBER(processor_cores, cores, "type 4 core count")

static struct value processor_midr(struct facts *facts, const char *of)
{
	const struct smbios_processor *first = smbios_first_processor(host_smbios(facts->host));

	(void)of;
	return field_text(facts,
			  first && first->midr ? arena_printf(facts->arena, "0x%08x", first->midr)
					       : NULL,
			  "type 4 processor ID, as MIDR", NULL);
}

static struct value sockets(struct facts *facts, const char *of)
{
	(void)of;
	return field_number(facts, (int64_t)host_smbios(facts->host)->processor_count,
			    "type 4 structures");
}

static struct value sockets_populated(struct facts *facts, const char *of)
{
	(void)of;
	return field_number(facts, (int64_t)smbios_populated(host_smbios(facts->host)),
			    "type 4 structures with a processor");
}

static struct value smbios_version(struct facts *facts, const char *of)
{
	const struct smbios *smbios = host_smbios(facts->host);
	struct value value;

	(void)of;
	if (smbios->tables_errno)
		return value_unread(facts->arena, SMBIOS_TABLE_PATH, smbios->tables_errno);
	if (smbios->major == 0)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s gives no version",
				     SMBIOS_ENTRY_PATH);
	value = value_text(arena_printf(facts->arena, "%u.%u.%u", smbios->major, smbios->minor,
					smbios->revision));
	value_cite(facts->arena, &value, SMBIOS_ENTRY_PATH, value.text, CONFIDENCE_DIRECT);
	return value;
}

/* An empty list says that the tables were read to their end. */
static struct value smbios_damage(struct facts *facts, const char *of)
{
	const struct smbios *smbios = host_smbios(facts->host);
	struct value value;

	(void)of;
	if (smbios->tables_errno)
		return value_unread(facts->arena, SMBIOS_TABLE_PATH, smbios->tables_errno);
	value = value_list(smbios->damage);
	value_cite(facts->arena, &value, SMBIOS_TABLE_PATH,
		   smbios->damage.count ? smbios->damage.items[0]
					: "read to the end-of-table structure",
		   CONFIDENCE_DIRECT);
	return value;
}

static struct value redfish_interface(struct facts *facts, const char *of)
{
	const struct smbios *smbios = host_smbios(facts->host);
	struct value value;

	(void)of;
	if (smbios->tables_errno || (smbios->damage.count && !smbios->redfish))
		return field_missing(facts, smbios, "type 42");
	value = value_bool(smbios->redfish);
	value_cite(facts->arena, &value, SMBIOS_TABLE_PATH,
		   smbios->redfish ? "type 42: Redfish over IP" : "no type 42 with Redfish over IP",
		   CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "firmware.vendor",
	 .summary = "who made the firmware (SMBIOS type 0, /sys/class/dmi/id/bios_vendor)",
	 .read = firmware_vendor},
	{.name = "firmware.version-string",
	 .summary = "the firmware's version as it is written (SMBIOS type 0, bios_version)",
	 .read = firmware_version},
	{.name = "firmware.date",
	 .summary = "the firmware's release date (SMBIOS type 0, bios_date)",
	 .read = firmware_date},
	{.name = "dmi.vendor",
	 .summary = "maker of the system (SMBIOS type 1, sys_vendor)",
	 .read = system_vendor},
	{.name = "dmi.product",
	 .summary = "product name of the system (SMBIOS type 1, product_name)",
	 .read = system_product},
	{.name = "dmi.version",
	 .summary = "version of the system (SMBIOS type 1, product_version)",
	 .read = system_version},
	{.name = "dmi.family",
	 .summary = "family of the system (SMBIOS type 1, product_family)",
	 .read = system_family},
	{.name = "dmi.board-vendor",
	 .summary = "maker of the board (SMBIOS type 2, board_vendor)",
	 .read = board_vendor},
	{.name = "dmi.board-product",
	 .summary = "product name of the board (SMBIOS type 2, board_name)",
	 .read = board_product},
	{.name = "dmi.chassis-tag",
	 .summary = "chassis asset tag, kept only when it is a cloud's constant (SMBIOS type 3)",
	 .read = chassis_tag},
	{.name = "smbios.version",
	 .summary = "SMBIOS version of the entry point",
	 .read = smbios_version},
	{.name = "smbios.damage",
	 .summary = "what is wrong with the SMBIOS tables; empty when they are sound",
	 .read = smbios_damage},
	{.name = "smbios.redfish",
	 .summary = "a BMC answers Redfish on an interface of this host (SMBIOS type 42)",
	 .read = redfish_interface},
	{.name = "smbios.sockets",
	 .summary = "processor sockets, empty ones too (SMBIOS type 4)",
	 .read = sockets},
	{.name = "smbios.sockets-populated",
	 .summary = "sockets with a processor (SMBIOS type 4 status)",
	 .read = sockets_populated},
	{.name = "smbios.processor-vendor",
	 .summary = "maker of the processor (SMBIOS type 4)",
	 .read = processor_vendor},
	{.name = "smbios.processor-version",
	 .summary = "name of the processor (SMBIOS type 4 version)",
	 .read = processor_version},
	{.name = "smbios.processor-part",
	 .summary = "part number of the processor: the SKU (SMBIOS type 4)",
	 .read = processor_part},
	{.name = "smbios.processor-soc-id",
	 .summary = "the ID bytes of type 4 where they are an SMCCC SOC_ID",
	 .read = processor_soc_id},
	{.name = "smbios.processor-midr",
	 .summary = "the ID bytes of type 4 where they are a MIDR",
	 .read = processor_midr},
	{.name = "smbios.processor-max-speed",
	 .unit = "MHz",
	 .summary = "speed the socket supports (SMBIOS type 4)",
	 .read = processor_max_speed},
	{.name = "smbios.processor-current-speed",
	 .unit = "MHz",
	 .summary = "speed at boot (SMBIOS type 4)",
	 .read = processor_current_speed},
	{.name = "smbios.processor-cores",
	 .summary = "cores of the first processor (SMBIOS type 4)",
	 .read = processor_cores},
};

const struct fact_table smbios_facts = FACT_TABLE(rows);
