// SPDX-License-Identifier: BSD-2-Clause
#include "host/acpi.h"

#include "base/arena.h"
#include "host/bytes.h"

#include <errno.h>
#include <string.h>

#define HEADER_BYTES ACPI_HEADER_BYTES
#define PPTT_PROCESSOR 0
#define PPTT_CACHE 1
#define PPTT_PROCESSOR_BYTES 20
#define PPTT_CACHE_BYTES 24
#define PPTT_PACKAGE 0x01 /* flags of a processor node */
#define PPTT_ID_VALID 0x02
#define PPTT_LEAF 0x08       /* since revision 2 */
#define PPTT_SIZE_VALID 0x01 /* flags of a cache */
#define CACHE_LEVELS_MAX 8   /* bounds against loops; real machines have 4 and 5 */
#define PARENTS_MAX 8
#define LEAVES_MAX 8192
#define SRAT_FIRST (HEADER_BYTES + 12)
#define SLIT_MATRIX (HEADER_BYTES + 8)

const char *acpi_table_damage(struct view raw, const char *signature, struct view *out)
{
	size_t length;

	if (raw.size < HEADER_BYTES)
		return "shorter than a table header";
	if (memcmp(raw.at, signature, 4) != 0)
		return "its signature is another table's";
	length = bytes_u32(raw, 4);
	if (length < HEADER_BYTES || length > raw.size)
		return "its length is not that of the file";
	if (!bytes_sum_to_zero(raw, 0, length))
		return "its checksum is wrong";
	*out = (struct view){raw.at, length};
	return NULL;
}

/* The sub-table at `offset`, empty when its length is below 2 or runs past the table. */
static struct view subtable_at(struct view table, size_t offset)
{
	size_t length = bytes_u8(table, offset + 1);

	if (length < 2 || offset >= table.size || length > table.size - offset)
		return (struct view){0};
	return (struct view){table.at + offset, length};
}

static struct view subtable_of(struct view table, size_t offset, unsigned type, size_t least_bytes)
{
	struct view sub = subtable_at(table, offset);

	if (offset < HEADER_BYTES || sub.size < least_bytes || bytes_u8(sub, 0) != type)
		return (struct view){0};
	return sub;
}

/* The longest chain of caches from `offset` on; a cache at level 3 is noted. Levels above the bound
 * are a loop. */
static unsigned follow_caches(struct acpi *acpi, struct view table, uint32_t offset, unsigned below)
{
	unsigned length = 0;

	while (offset != 0 && below + length < CACHE_LEVELS_MAX) {
		struct view cache = subtable_of(table, offset, PPTT_CACHE, PPTT_CACHE_BYTES);

		if (cache.size == 0)
			break;
		length++;
		if (below + length == 3 && bytes_u32(cache, 4) & PPTT_SIZE_VALID)
			acpi->l3_bytes = bytes_u32(cache, 12);
		offset = bytes_u32(cache, 8);
	}
	return length;
}

/* Private caches of a CPU, then those of its parents, each counting on from the level reached. */
static unsigned follow_parents(struct acpi *acpi, struct view table, struct view node)
{
	unsigned level = 0;

	for (unsigned i = 0; i < PARENTS_MAX && node.size != 0; i++) {
		unsigned resources = bytes_u32(node, 16), longest = 0;

		for (unsigned j = 0; j < resources && PPTT_PROCESSOR_BYTES + 4 * j + 4 <= node.size;
		     j++) {
			unsigned length = follow_caches(
				acpi, table, bytes_u32(node, PPTT_PROCESSOR_BYTES + 4 * j), level);

			longest = length > longest ? length : longest;
		}
		level += longest;
		node = subtable_of(table, bytes_u32(node, 8), PPTT_PROCESSOR, PPTT_PROCESSOR_BYTES);
	}
	return level;
}

void acpi_parse_pptt(struct acpi *acpi, struct view raw)
{
	struct view table = {0};
	size_t leaves = 0;
	unsigned leaf;

	acpi->pptt.damage = acpi_table_damage(raw, "PPTT", &table);
	if (acpi->pptt.damage)
		return;
	leaf = bytes_u8(table, 8) >= 2 ? PPTT_LEAF : PPTT_ID_VALID;
	for (size_t at = HEADER_BYTES; at < table.size;) {
		struct view sub = subtable_at(table, at);
		unsigned flags = bytes_u32(sub, 4), level;

		if (sub.size == 0) {
			acpi->pptt.damage = "a structure's length is wrong";
			return;
		}
		at += sub.size;
		if (bytes_u8(sub, 0) != PPTT_PROCESSOR || sub.size < PPTT_PROCESSOR_BYTES)
			continue;
		acpi->packages += (flags & PPTT_PACKAGE) != 0;
		if (!(flags & leaf) || leaves++ >= LEAVES_MAX)
			continue;
		level = follow_parents(acpi, table, sub);
		acpi->cache_levels = level > acpi->cache_levels ? level : acpi->cache_levels;
	}
	acpi->pptt.bytes = table;
}

static struct acpi_domain *domain_of(struct acpi *acpi, uint32_t id)
{
	for (size_t i = 0; i < acpi->domain_count; i++) {
		if (acpi->domains[i].id == id)
			return &acpi->domains[i];
	}
	if (acpi->domain_count == ACPI_DOMAINS_MAX)
		return NULL;
	acpi->domains[acpi->domain_count].id = id;
	return &acpi->domains[acpi->domain_count++];
}

/* Affinity structures: where the domain and the enabled flag stand, and whether they are of a CPU
 * or of memory. */
static const struct affinity {
	unsigned type;
	size_t least_bytes, domain_at, domain_bytes, flags_at;
	bool memory;
} affinities[] = {
	{.type = 0,
	 .least_bytes = 16,
	 .domain_at = 2,
	 .domain_bytes = 1,
	 .flags_at = 4}, /* local APIC */
	{.type = 1,
	 .least_bytes = 40,
	 .domain_at = 2,
	 .domain_bytes = 4,
	 .flags_at = 28,
	 .memory = true},
	{.type = 2,
	 .least_bytes = 24,
	 .domain_at = 4,
	 .domain_bytes = 4,
	 .flags_at = 12}, /* x2APIC */
	{.type = 3,
	 .least_bytes = 18,
	 .domain_at = 2,
	 .domain_bytes = 4,
	 .flags_at = 10}, /* GICC */
};

static bool parse_affinity(struct acpi *acpi, struct view sub)
{
	for (size_t i = 0; i < sizeof(affinities) / sizeof(affinities[0]); i++) {
		const struct affinity *affinity = &affinities[i];
		struct acpi_domain *domain;

		if (affinity->type != bytes_u8(sub, 0))
			continue;
		if (sub.size < affinity->least_bytes)
			return false;
		if (!(bytes_u32(sub, affinity->flags_at) & 1))
			return true;
		domain = domain_of(acpi, (uint32_t)bytes_number(sub, affinity->domain_at,
								affinity->domain_bytes));
		if (!domain)
			return false;
		domain->cpus += !affinity->memory;
		domain->memories += affinity->memory;
	}
	return true;
}

void acpi_parse_srat(struct arena *arena, struct acpi *acpi, struct view raw)
{
	struct view table = {0};

	acpi->srat.damage = acpi_table_damage(raw, "SRAT", &table);
	if (acpi->srat.damage)
		return;
	acpi->domains = arena_array(arena, struct acpi_domain, ACPI_DOMAINS_MAX);
	for (size_t at = SRAT_FIRST; at < table.size;) {
		struct view sub = subtable_at(table, at);

		if (sub.size == 0 || !parse_affinity(acpi, sub)) {
			acpi->srat.damage = "a structure's length is wrong, or there are more than "
					    "1024 domains";
			return;
		}
		at += sub.size;
	}
	acpi->srat.bytes = table;
}

void acpi_parse_slit(struct acpi *acpi, struct view raw)
{
	struct view table = {0};
	uint64_t localities;

	acpi->slit.damage = acpi_table_damage(raw, "SLIT", &table);
	if (acpi->slit.damage)
		return;
	localities = bytes_number(table, HEADER_BYTES, 8);
	if (localities == 0 || localities > ACPI_DOMAINS_MAX || table.size < SLIT_MATRIX ||
	    localities * localities > table.size - SLIT_MATRIX) {
		acpi->slit.damage = "its matrix is larger than the table";
		return;
	}
	acpi->localities = (size_t)localities;
	acpi->distances = (const unsigned char *)table.at + SLIT_MATRIX;
	acpi->slit.bytes = table;
}

static struct view table_read(struct host *host, struct acpi_table *table, const char *path)
{
	struct view raw = {0};

	table->path = path;
	table->number = root_read(host->root, path, &raw);
	return raw;
}

const struct acpi *host_acpi(struct host *host)
{
	struct acpi *acpi;
	struct view raw;

	if (host->acpi)
		return host->acpi;
	acpi = arena_new(host->arena, struct acpi);
	host->acpi = acpi;
	acpi->names_number = root_list(host->root, ACPI_TABLES, &acpi->names);
	raw = table_read(host, &acpi->pptt, ACPI_TABLES "/PPTT");
	if (acpi->pptt.number == 0)
		acpi_parse_pptt(acpi, raw);
	raw = table_read(host, &acpi->srat, ACPI_TABLES "/SRAT");
	if (acpi->srat.number == 0)
		acpi_parse_srat(host->arena, acpi, raw);
	raw = table_read(host, &acpi->slit, ACPI_TABLES "/SLIT");
	if (acpi->slit.number == 0)
		acpi_parse_slit(acpi, raw);
	return acpi;
}

static struct value tables(struct facts *facts, const char *of)
{
	const struct acpi *acpi = host_acpi(facts->host);
	struct value value;

	(void)of;
	if (acpi->names_number == ENOENT)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "there are no ACPI tables here");
	if (acpi->names_number)
		return value_errno(facts->arena, ACPI_TABLES, acpi->names_number);
	value = value_list(acpi->names);
	value_cite(facts->arena, &value, ACPI_TABLES, NULL, CONFIDENCE_DIRECT);
	return value;
}

/* Errors of the platform that firmware reports (ACPI 6.5, 18): which tables of it are there. */
static struct value apei_tables(struct facts *facts, const char *of)
{
	static const char *const names[] = {"BERT", "EINJ", "ERST", "HEST"};
	struct value all = tables(facts, of), value;
	struct names present = {0};

	if (all.kind != VALUE_LIST)
		return all;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names_has(&all.list, names[i]))
			names_add(facts->arena, &present, names[i]);
	}
	value = value_list(present);
	value_cite(facts->arena, &value, ACPI_TABLES,
		   present.count ? names_join(facts->arena, &present, ", ")
				 : "no BERT, EINJ, ERST or HEST",
		   CONFIDENCE_DIRECT);
	return value;
}

/* Of the tables this program reads; a table that is not there is no damage. */
static struct value damage(struct facts *facts, const char *of)
{
	const struct acpi *acpi = host_acpi(facts->host);
	const struct acpi_table *const read[] = {&acpi->pptt, &acpi->srat, &acpi->slit};
	struct names damaged = {0};
	struct value value;

	(void)of;
	if (acpi->names_number)
		return tables(facts, NULL);
	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++) {
		if (read[i]->number != 0 && read[i]->number != ENOENT)
			return value_errno(facts->arena, read[i]->path, read[i]->number);
		if (read[i]->number == 0 && read[i]->damage)
			names_add(facts->arena, &damaged,
				  arena_printf(facts->arena, "%s: %s", read[i]->path,
					       read[i]->damage));
	}
	value = value_list(damaged);
	value_cite(facts->arena, &value, ACPI_TABLES, "PPTT, SRAT, SLIT: length and checksum",
		   CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "acpi.tables",
	 .summary = "names of the ACPI tables the firmware gives",
	 .read = tables},
	{.name = "acpi.apei-tables",
	 .summary = "which of the APEI tables BERT, EINJ, ERST and HEST the firmware gives",
	 .read = apei_tables},
	{.name = "acpi.damage",
	 .summary = "what is wrong with PPTT, SRAT and SLIT; empty when they are sound or absent",
	 .read = damage},
};

const struct fact_table acpi_facts = FACT_TABLE(rows);
