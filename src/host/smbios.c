// SPDX-License-Identifier: BSD-2-Clause
#include "host/smbios.h"

#include "base/arena.h"
#include "host/redact_dmi.h"
#include "host/smbios_walk.h"

#include <errno.h>
#include <string.h>

#define SYSFS "/sys/class/dmi/id/"
#define PROCESSOR_CENTRAL 3      /* type 4, offset 05h */
#define PROCESSOR_POPULATED 0x40 /* type 4, offset 18h */
#define PROCESSOR_STATUS 0x07
#define PROCESSOR_STATUS_ENABLED 1
#define CHARACTERISTIC_SOC_ID 0x0200 /* type 4, offset 26h: bit 9 */
#define JEP106_AMPERE 0x0a16   /* bank and manufacturer, as SMCCC SOC_ID has them in bits 30:16 */
#define ARRAY_SYSTEM_MEMORY 3  /* type 16, offset 05h */
#define INTERFACE_NETWORK 0x40 /* type 42, offset 04h */
#define PROTOCOL_REDFISH 4

struct decoder {
	struct arena *arena;
	struct smbios *into;
	const struct smbios_structure *at;
};

/* Trimmed and printable; NULL for the blanks that firmware gives where it has nothing to say. */
static const char *decode_text(const struct decoder *decoder, size_t offset)
{
	struct view text = view_trim(smbios_string(decoder->at, offset));

	return text.size ? text_printable(decoder->arena, text) : NULL;
}

static unsigned decode_number(const struct decoder *decoder, size_t offset, size_t size)
{
	return (unsigned)smbios_number(decoder->at, offset, size);
}

/* Room for one more: arrays double, so a table of n structures costs at most 2n elements. */
static void *grow(struct arena *arena, void *items, size_t count, size_t size)
{
	void *bigger;

	if (count != 0 && (count < 8 || (count & (count - 1)) != 0))
		return items;
	bigger = arena_alloc_array(arena, count ? count * 2 : 8, size);
	if (count)
		memcpy(bigger, items, count * size);
	return bigger;
}

#define DECODE_NEXT(decoder, items, count)                                                         \
	((decoder)->into->items = grow((decoder)->arena, (decoder)->into->items,                   \
				       (decoder)->into->count, sizeof(*(decoder)->into->items)),   \
	 &(decoder)->into->items[(decoder)->into->count++])

static void decode_firmware(const struct decoder *decoder)
{
	struct smbios *smbios = decoder->into;

	if (smbios->firmware_vendor || smbios->firmware_version)
		return;
	smbios->firmware_vendor = decode_text(decoder, 0x04);
	smbios->firmware_version = decode_text(decoder, 0x05);
	smbios->firmware_date = decode_text(decoder, 0x08);
}

static void decode_system(const struct decoder *decoder)
{
	struct smbios *smbios = decoder->into;

	if (smbios->vendor || smbios->product)
		return;
	smbios->vendor = decode_text(decoder, 0x04);
	smbios->product = decode_text(decoder, 0x05);
	smbios->version = decode_text(decoder, 0x06);
	smbios->sku = decode_text(decoder, 0x19);
	smbios->family = decode_text(decoder, 0x1a);
}

static void decode_board(const struct decoder *decoder)
{
	struct smbios *smbios = decoder->into;

	if (smbios->board_vendor || smbios->board_product)
		return;
	smbios->board_vendor = decode_text(decoder, 0x04);
	smbios->board_product = decode_text(decoder, 0x05);
}

static void decode_chassis(const struct decoder *decoder)
{
	struct smbios *smbios = decoder->into;

	if (smbios->chassis_vendor || smbios->chassis_tag)
		return;
	smbios->chassis_vendor = decode_text(decoder, 0x04);
	smbios->chassis_tag = decode_text(decoder, 0x08);
	if (smbios->chassis_tag && !asset_tag_is_cloud(view_of(smbios->chassis_tag)))
		smbios->chassis_tag = NULL;
}

/* A count of 0xff in the byte means "see the 16-bit field". */
static unsigned decode_count(const struct decoder *decoder, size_t byte_at, size_t word_at)
{
	unsigned count = decode_number(decoder, byte_at, 1);
	unsigned wide = decode_number(decoder, word_at, 2);

	return count == 0xff && wide != 0 ? wide : count;
}

static void decode_id(const struct decoder *decoder, struct smbios_processor *processor)
{
	uint32_t low = (uint32_t)processor->id_bytes;

	if (low == 0)
		return;
	if ((processor->characteristics & CHARACTERISTIC_SOC_ID) || low >> 16 == JEP106_AMPERE) {
		processor->id_kind = SMBIOS_ID_SOC;
		processor->soc_id = arena_printf(decoder->arena, "jep106:%02x%02x:%04x",
						 low >> 24 & 0x7f, low >> 16 & 0xff, low & 0xffff);
		processor->soc_revision = (uint32_t)(processor->id_bytes >> 32);
		return;
	}
	processor->id_kind = SMBIOS_ID_MIDR;
	processor->midr = low;
}

static void decode_processor(const struct decoder *decoder)
{
	struct smbios_processor *processor;
	unsigned status = decode_number(decoder, 0x18, 1);

	if (decode_number(decoder, 0x05, 1) != PROCESSOR_CENTRAL)
		return;
	processor = DECODE_NEXT(decoder, processors, processor_count);
	*processor = (struct smbios_processor){
		.socket = decode_text(decoder, 0x04),
		.vendor = decode_text(decoder, 0x07),
		.id_bytes = smbios_number(decoder->at, 0x08, 8),
		.version = decode_text(decoder, 0x10),
		.max_mhz = decode_number(decoder, 0x14, 2),
		.current_mhz = decode_number(decoder, 0x16, 2),
		.populated = status & PROCESSOR_POPULATED,
		.enabled = (status & PROCESSOR_STATUS) == PROCESSOR_STATUS_ENABLED,
		.part = decode_text(decoder, 0x22),
		.cores = decode_count(decoder, 0x23, 0x2a),
		.cores_enabled = decode_count(decoder, 0x24, 0x2c),
		.threads = decode_count(decoder, 0x25, 0x2e),
		.characteristics = decode_number(decoder, 0x26, 2),
	};
	decode_id(decoder, processor);
}

static void decode_cache(const struct decoder *decoder)
{
	struct smbios_cache *cache = DECODE_NEXT(decoder, caches, cache_count);
	unsigned configuration = decode_number(decoder, 0x05, 2);
	uint64_t size = smbios_number(decoder->at, 0x09, 2);
	uint64_t unit = size & 0x8000 ? 64 : 1;

	size &= 0x7fff;
	if (size == 0x7fff && unit == 64) {
		size = smbios_number(decoder->at, 0x17, 4);
		unit = size & 0x80000000 ? 64 : 1;
		size &= 0x7fffffff;
	}
	*cache = (struct smbios_cache){
		.designation = decode_text(decoder, 0x04),
		.level = (configuration & 7) + 1,
		.enabled = configuration & 0x80,
		.size_bytes = size * unit * 1024,
	};
}

static void decode_array(const struct decoder *decoder)
{
	struct smbios_array *array = DECODE_NEXT(decoder, arrays, array_count);
	uint64_t kilobytes = smbios_number(decoder->at, 0x07, 4);

	*array = (struct smbios_array){
		.handle = decoder->at->handle,
		.system_memory = decode_number(decoder, 0x05, 1) == ARRAY_SYSTEM_MEMORY,
		.devices = decode_number(decoder, 0x0d, 2),
		.max_bytes = kilobytes == 0x80000000 ? smbios_number(decoder->at, 0x0f, 8)
						     : kilobytes * 1024,
	};
}

/* Size word: 0xffff unknown, 0x7fff see the 32-bit field in megabytes, bit 15 kilobytes, else
 * megabytes; DSP0134 7.18.5. */
static void decode_size(const struct decoder *decoder, struct smbios_device *device)
{
	uint64_t size = smbios_number(decoder->at, 0x0c, 2);

	device->size_known = decoder->at->bytes.size >= 0x0e && size != 0xffff;
	if (!device->size_known)
		return;
	if (size == 0x7fff)
		device->size_bytes = (smbios_number(decoder->at, 0x1c, 4) & 0x7fffffff) << 20;
	else if (size & 0x8000)
		device->size_bytes = (size & 0x7fff) << 10;
	else
		device->size_bytes = size << 20;
}

static unsigned decode_speed(const struct decoder *decoder, size_t word_at, size_t extended_at)
{
	unsigned speed = decode_number(decoder, word_at, 2);

	return speed == 0xffff ? decode_number(decoder, extended_at, 4) & 0x7fffffff : speed;
}

static void decode_device(const struct decoder *decoder)
{
	struct smbios_device *device = DECODE_NEXT(decoder, devices, device_count);

	*device = (struct smbios_device){
		.array = (uint16_t)decode_number(decoder, 0x04, 2),
		.form_factor = decode_number(decoder, 0x0e, 1),
		.locator = decode_text(decoder, 0x10),
		.bank = decode_text(decoder, 0x11),
		.type = decode_number(decoder, 0x12, 1),
		.speed_mts = decode_speed(decoder, 0x15, 0x54),
		.manufacturer = decode_text(decoder, 0x17),
		.part = decode_text(decoder, 0x1a),
		.ranks = decode_number(decoder, 0x1b, 1) & 0x0f,
		.configured_mts = decode_speed(decoder, 0x20, 0x58),
	};
	decode_size(decoder, device);
}

/* DSP0134 7.43, DSP0270: interface type, length of its data, its data, then the protocols it
 * speaks. */
static void decode_host_interface(const struct decoder *decoder)
{
	size_t at = 6 + (size_t)decode_number(decoder, 0x05, 1);
	unsigned protocols = decode_number(decoder, at, 1);

	if (decode_number(decoder, 0x04, 1) != INTERFACE_NETWORK)
		return;
	at++;
	for (unsigned i = 0; i < protocols && at + 2 <= decoder->at->bytes.size; i++) {
		if (decode_number(decoder, at, 1) == PROTOCOL_REDFISH)
			decoder->into->redfish = true;
		at += 2 + (size_t)decode_number(decoder, at + 1, 1);
	}
}

static const struct {
	uint8_t type;
	void (*decode)(const struct decoder *decoder);
} decoders[] = {
	{SMBIOS_FIRMWARE, decode_firmware},
	{SMBIOS_SYSTEM, decode_system},
	{SMBIOS_BOARD, decode_board},
	{SMBIOS_CHASSIS, decode_chassis},
	{SMBIOS_PROCESSOR, decode_processor},
	{SMBIOS_CACHE, decode_cache},
	{SMBIOS_ARRAY, decode_array},
	{SMBIOS_DEVICE, decode_device},
	{SMBIOS_HOST_INTERFACE, decode_host_interface},
};

static void damage_add(struct arena *arena, struct smbios *smbios, const char *what)
{
	names_add(arena, &smbios->damage, what);
}

static void parse_entry(struct arena *arena, struct smbios *smbios, struct view raw,
			struct smbios_entry *entry)
{
	*entry = (struct smbios_entry){0};
	if (raw.size == 0)
		return;
	if (!smbios_entry_parse(raw, entry)) {
		damage_add(arena, smbios, "the entry point has no known anchor");
		return;
	}
	if (!entry->sound)
		damage_add(arena, smbios, "the entry point's length or checksum is wrong");
	smbios->major = entry->major;
	smbios->minor = entry->minor;
	smbios->revision = entry->revision;
}

static void parse_table(struct arena *arena, struct smbios *smbios,
			const struct smbios_entry *entry, struct view table)
{
	struct smbios_walk walk = {.rest = table};
	struct smbios_structure structure;
	struct decoder decoder = {.arena = arena, .into = smbios, .at = &structure};

	if (entry->sound && entry->structures != 0 && table.size < entry->table_bytes)
		damage_add(arena, smbios, "the table is shorter than the entry point says");
	if (entry->sound && entry->table_bytes != 0 && walk.rest.size > entry->table_bytes)
		walk.rest.size = entry->table_bytes;
	while (smbios_next(&walk, &structure)) {
		for (size_t i = 0; i < sizeof(decoders) / sizeof(decoders[0]); i++) {
			if (decoders[i].type == structure.type)
				decoders[i].decode(&decoder);
		}
		if (entry->sound && entry->structures != 0 && walk.count == entry->structures)
			break;
	}
	if (walk.damage)
		damage_add(arena, smbios, walk.damage);
	else if (entry->sound && walk.count < entry->structures)
		damage_add(arena, smbios,
			   "the table has fewer structures than the entry point says");
	else if (entry->structures == 0 && !walk.ended)
		damage_add(arena, smbios, "the table has no end-of-table structure");
}

const struct smbios *smbios_parse(struct arena *arena, struct view raw_entry, struct view table)
{
	struct smbios *smbios = arena_new(arena, struct smbios);
	struct smbios_entry entry;

	smbios->present = true;
	parse_entry(arena, smbios, raw_entry, &entry);
	parse_table(arena, smbios, &entry, table);
	return smbios;
}

/* What anyone may read; the files of serial numbers and UUIDs are never opened. */
static void read_sysfs(struct host *host, struct smbios *smbios)
{
	const struct {
		const char *path;
		const char **into;
	} files[] = {
		{SYSFS "bios_vendor", &smbios->firmware_vendor},
		{SYSFS "bios_version", &smbios->firmware_version},
		{SYSFS "bios_date", &smbios->firmware_date},
		{SYSFS "sys_vendor", &smbios->vendor},
		{SYSFS "product_name", &smbios->product},
		{SYSFS "product_version", &smbios->version},
		{SYSFS "product_sku", &smbios->sku},
		{SYSFS "product_family", &smbios->family},
		{SYSFS "board_vendor", &smbios->board_vendor},
		{SYSFS "board_name", &smbios->board_product},
		{SYSFS "chassis_vendor", &smbios->chassis_vendor},
		{SYSFS "chassis_asset_tag", &smbios->chassis_tag},
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		int number = 0;
		const char *text = host_line(host, files[i].path, &number);

		if (!text || !*text)
			continue;
		*files[i].into = text_printable(host->arena, view_of(text));
		smbios->present = true;
	}
	if (smbios->chassis_tag && !asset_tag_is_cloud(view_of(smbios->chassis_tag)))
		smbios->chassis_tag = NULL;
}

const struct smbios *host_smbios(struct host *host)
{
	struct view entry = {0}, table = {0};
	struct smbios *smbios;
	int number;

	if (host->smbios)
		return host->smbios;
	number = root_read(host->root, SMBIOS_TABLE_PATH, &table);
	if (number == 0 && root_read(host->root, SMBIOS_ENTRY_PATH, &entry) != 0)
		entry = (struct view){0};
	if (number == 0) {
		host->smbios = smbios_parse(host->arena, entry, table);
		return host->smbios;
	}
	smbios = arena_new(host->arena, struct smbios);
	smbios->tables_errno = number;
	read_sysfs(host, smbios);
	host->smbios = smbios;
	return smbios;
}

const struct smbios_processor *smbios_first_processor(const struct smbios *smbios)
{
	for (size_t i = 0; i < smbios->processor_count; i++) {
		if (smbios->processors[i].populated)
			return &smbios->processors[i];
	}
	return NULL;
}

size_t smbios_populated(const struct smbios *smbios)
{
	size_t populated = 0;

	for (size_t i = 0; i < smbios->processor_count; i++)
		populated += smbios->processors[i].populated;
	return populated;
}
