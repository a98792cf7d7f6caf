// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/memory.h"
#include "host/redfish.h"
#include "host/smbios.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What was compared, what cannot both be true, and the first thing that is not known. */
struct comparison {
	struct facts *facts;
	const struct redfish *redfish;
	struct names wrong;
	struct value unknown, cited;
	size_t compared;
};

static void differ(struct comparison *comparison, const char *text)
{
	names_add(comparison->facts->arena, &comparison->wrong, text);
}

static void not_known(struct comparison *comparison, struct value why)
{
	if (comparison->unknown.kind == VALUE_NONE && why.kind == VALUE_UNKNOWN)
		comparison->unknown = why;
}

static void seen(struct comparison *comparison, const char *path, const char *raw)
{
	comparison->compared++;
	value_cite(comparison->facts->arena, &comparison->cited, path, raw, CONFIDENCE_DIRECT);
}

static void compare_texts(struct comparison *comparison, const char *what, const char *bmc,
			  const char *smbios)
{
	struct arena *arena = comparison->facts->arena;

	if (!bmc || !smbios)
		return;
	seen(comparison, comparison->redfish->system_path,
	     arena_printf(arena, "%s: %s", what, bmc));
	/* Makers add words of their own. */
	if (!strcasestr(bmc, smbios) && !strcasestr(smbios, bmc))
		differ(comparison,
		       arena_printf(arena, "%s: %s by the BMC, %s by SMBIOS", what, bmc, smbios));
}

static void compare_numbers(struct comparison *comparison, const char *path, const char *what,
			    int64_t bmc, int64_t smbios)
{
	struct arena *arena = comparison->facts->arena;

	if (!bmc || !smbios)
		return;
	seen(comparison, path, arena_printf(arena, "%s: %lld", what, (long long)bmc));
	if (bmc != smbios)
		differ(comparison, arena_printf(arena, "%s: %lld by the BMC, %lld by SMBIOS", what,
						(long long)bmc, (long long)smbios));
}

static int64_t core_count(const struct redfish_parts *processors)
{
	int64_t cores = 0;

	for (size_t i = 0; i < processors->count; i++) {
		/* One that does not say makes the sum none. */
		if (!processors->items[i].cores)
			return 0;
		cores += processors->items[i].cores;
	}
	return cores;
}

static void compare_processors(struct comparison *comparison)
{
	const struct redfish_parts *processors = &comparison->redfish->processors;
	const struct smbios *smbios = host_smbios(comparison->facts->host);
	int64_t cores = 0;

	if (!processors->path)
		return;
	if (processors->problem.kind == VALUE_UNKNOWN) {
		not_known(comparison, processors->problem);
		return;
	}
	for (size_t i = 0; i < smbios->processor_count; i++)
		cores += smbios->processors[i].populated ? smbios->processors[i].cores : 0;
	compare_numbers(comparison, processors->path, "processors", (int64_t)processors->count,
			(int64_t)smbios_populated(smbios));
	compare_numbers(comparison, processors->path, "cores", core_count(processors), cores);
}

static bool is_dimm(const struct smbios_device *device)
{
	return device->size_known && device->size_bytes;
}

static const struct redfish_part *part_of(const struct redfish_parts *memory, const char *number)
{
	for (size_t i = 0; number && i < memory->count; i++) {
		if (memory->items[i].number && strcasecmp(memory->items[i].number, number) == 0)
			return &memory->items[i];
	}
	return NULL;
}

static bool all_numbered(const struct redfish_parts *memory)
{
	for (size_t i = 0; i < memory->count; i++) {
		if (!memory->items[i].number)
			return false;
	}
	return memory->count;
}

/* Each kind of DIMM that SMBIOS lists, by its part number. */
static void compare_numbers_of_parts(struct comparison *comparison, const struct memory *memory)
{
	const struct redfish_parts *parts = &comparison->redfish->memory;
	struct names missing = {0};

	for (size_t i = 0; i < memory->slot_count; i++) {
		const struct smbios_device *device = memory->slots[i];

		if (!is_dimm(device) || !device->part || names_has(&missing, device->part) ||
		    part_of(parts, device->part))
			continue;
		names_add(comparison->facts->arena, &missing, device->part);
		differ(comparison,
		       arena_printf(comparison->facts->arena,
				    "DIMM %s is in SMBIOS, the BMC lists none", device->part));
	}
	seen(comparison, parts->path, "PartNumber");
}

/* The slowest: Redfish counts MHz or MT/s "as appropriate", and BMCs do either. */
static void compare_speeds(struct comparison *comparison, const struct memory *memory)
{
	const struct redfish_parts *parts = &comparison->redfish->memory;
	int64_t bmc = 0, smbios = 0;

	for (size_t i = 0; i < parts->count; i++) {
		int64_t speed = parts->items[i].speed;

		bmc = speed && (!bmc || speed < bmc) ? speed : bmc;
	}
	for (size_t i = 0; i < memory->slot_count; i++) {
		int64_t speed = is_dimm(memory->slots[i]) ? memory->slots[i]->configured_mts : 0;

		smbios = speed && (!smbios || speed < smbios) ? speed : smbios;
	}
	if (bmc && smbios && bmc * 2 >= smbios - 2 && bmc * 2 <= smbios + 2)
		bmc = smbios;
	compare_numbers(comparison, parts->path, "slowest DIMM, MT/s", bmc, smbios);
}

static void compare_memory(struct comparison *comparison)
{
	const struct redfish_parts *parts = &comparison->redfish->memory;
	const struct memory *memory = host_memory(comparison->facts->host);
	int64_t size_mib = 0;

	if (!parts->path)
		return;
	if (parts->problem.kind == VALUE_UNKNOWN) {
		not_known(comparison, parts->problem);
		return;
	}
	if (memory->problem.kind != VALUE_NONE) {
		not_known(comparison, memory->problem);
		return;
	}
	for (size_t i = 0; i < parts->count; i++)
		size_mib += parts->items[i].size_mib;
	compare_numbers(comparison, parts->path, "DIMMs", (int64_t)parts->count,
			(int64_t)memory->dimm_count);
	compare_numbers(comparison, parts->path, "memory, MiB", size_mib,
			(int64_t)(memory->size_bytes >> 20));
	compare_speeds(comparison, memory);
	if (all_numbered(parts))
		compare_numbers_of_parts(comparison, memory);
}

struct value redfish_contradictions(struct facts *facts)
{
	const struct redfish *redfish = host_redfish(facts->host);
	const struct smbios *smbios = host_smbios(facts->host);
	struct comparison comparison = {
		.facts = facts, .redfish = redfish, .unknown = value_none(NULL)};
	struct value value;

	if (!redfish->system_top)
		return redfish->system;
	compare_texts(&comparison, "product", redfish->model, smbios->product);
	compare_texts(&comparison, "firmware",
		      redfish->bios_version.kind == VALUE_TEXT ? redfish->bios_version.text : NULL,
		      smbios->firmware_version);
	compare_processors(&comparison);
	compare_memory(&comparison);
	value = value_list(comparison.wrong);
	if (!comparison.wrong.count && comparison.unknown.kind == VALUE_UNKNOWN)
		value = comparison.unknown;
	else if (!comparison.compared)
		value = value_unknown(
			facts->arena, UNKNOWN_NOT_VISIBLE,
			"neither the BMC nor SMBIOS says anything that the other says");
	value_cite_all(facts->arena, &value, &comparison.cited);
	return value;
}
