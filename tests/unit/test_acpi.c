// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "host/acpi.h"
#include "host/firmware.h"

#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* Tables built byte by byte from ACPI 6.5: header 5.2.6, PPTT 5.2.30, SRAT 5.2.16, SLIT 5.2.17. */
struct table {
	unsigned char bytes[4096];
	size_t size;
};

static void put(struct table *table, size_t at, uint64_t number, size_t size)
{
	for (size_t i = 0; i < size; i++)
		table->bytes[at + i] = (unsigned char)(number >> 8 * i);
}

static void start(struct table *table, const char *signature, unsigned revision, size_t size)
{
	*table = (struct table){.size = size};
	memcpy(table->bytes, signature, 4);
	table->bytes[8] = (unsigned char)revision;
}

static size_t add(struct table *table, unsigned type, size_t size)
{
	size_t at = table->size;

	table->size += size;
	table->bytes[at] = (unsigned char)type;
	table->bytes[at + 1] = (unsigned char)size;
	return at;
}

static struct view finish(struct table *table)
{
	unsigned sum = 0;

	put(table, 4, table->size, 4);
	table->bytes[9] = 0;
	for (size_t i = 0; i < table->size; i++)
		sum += table->bytes[i];
	table->bytes[9] = (unsigned char)(0x100 - (sum & 0xff));
	return (struct view){(const char *)table->bytes, table->size};
}

static size_t add_cache(struct table *table, uint32_t next, uint32_t size)
{
	size_t at = add(table, 1, 24);

	put(table, at + 4, size ? 1 : 0, 4);
	put(table, at + 8, next, 4);
	put(table, at + 12, size, 4);
	return at;
}

static size_t add_node(struct table *table, uint32_t flags, size_t parent, size_t resource)
{
	size_t at = add(table, 0, resource ? 24 : 20);

	put(table, at + 4, flags, 4);
	put(table, at + 8, parent, 4);
	if (resource) {
		put(table, at + 16, 1, 4);
		put(table, at + 20, resource, 4);
	}
	return at;
}

static void the_highest_cache_level_is_found(void **state)
{
	static const struct {
		const char *what;
		bool slc_in_package, slc_behind_l2;
		unsigned revision, leaf, levels;
		uint64_t l3;
	} rows[] = {
		{"Altra as shipped: L1 and L2 of each core", false, false, 2, 0x0a, 2, 0},
		{"SLC as L3 of the package", true, false, 2, 0x0a, 3, 32 << 20},
		{"SLC as L3 behind the L2", false, true, 2, 0x0a, 3, 32 << 20},
		{"revision 1 has no leaf flag", true, false, 1, 0x02, 3, 32 << 20},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct acpi acpi = {0};
		struct table table;
		size_t slc, l2, l1, package;

		start(&table, "PPTT", rows[i].revision, 36);
		slc = add_cache(&table, 0, 32 << 20);
		l2 = add_cache(&table, rows[i].slc_behind_l2 ? (uint32_t)slc : 0, 1 << 20);
		l1 = add_cache(&table, (uint32_t)l2, 64 << 10);
		package = add_node(&table, 0x01, 0, rows[i].slc_in_package ? slc : 0);
		add_node(&table, rows[i].leaf, package, l1);
		acpi_parse_pptt(&acpi, finish(&table));
		assert_null(acpi.pptt.damage);
		assert_int_equal(acpi.packages, 1);
		assert_int_equal(acpi.cache_levels, rows[i].levels);
		assert_true(acpi.l3_bytes == rows[i].l3);
	}
}

/* Each row damages a sound PPTT in one place. */
static void damaged_tables_are_named_and_give_nothing(void **state)
{
	static const struct {
		const char *damage;
		size_t at;
		unsigned value;
		bool checksum;
	} rows[] = {
		{"its signature is another table's", 0, 'X', true},
		{"its checksum is wrong", 40, 0xff, false},
		{"its length is not that of the file", 5, 0xff, false},
		{"its length is not that of the file", 4, 1, false},
		{"a structure's length is wrong", 37, 0, true},
		{"a structure's length is wrong", 37, 1, true},
		{"a structure's length is wrong", 37, 0xff, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct acpi acpi = {0};
		struct table table;
		struct view view;

		start(&table, "PPTT", 2, 36);
		add_node(&table, 0x0a, 0, add_cache(&table, 0, 1));
		view = finish(&table);
		table.bytes[rows[i].at] = (unsigned char)rows[i].value;
		if (rows[i].checksum)
			finish(&table);
		acpi_parse_pptt(&acpi, view);
		assert_non_null(acpi.pptt.damage);
		assert_string_equal(acpi.pptt.damage, rows[i].damage);
		assert_int_equal(acpi.pptt.bytes.size, 0);
	}
}

static void loops_end(void **state)
{
	struct acpi acpi = {0};
	struct table table;
	size_t cache, node;

	(void)state;
	start(&table, "PPTT", 2, 36);
	cache = add_cache(&table, 36, 1); /* its own next level */
	node = add_node(&table, 0x0a, 0, cache);
	put(&table, node + 8, node, 4); /* its own parent */
	put(&table, node + 16, 0xffffffff, 4);
	acpi_parse_pptt(&acpi, finish(&table));
	assert_null(acpi.pptt.damage);
	assert_true(acpi.cache_levels <= 8 * 8);
}

static void every_truncation_is_damage(void **state)
{
	struct table table;
	struct view whole;

	(void)state;
	start(&table, "PPTT", 2, 36);
	add_node(&table, 0x0a, 0, add_cache(&table, 0, 1));
	whole = finish(&table);
	for (size_t size = 0; size < whole.size; size++) {
		char *exact = malloc(size ? size : 1);
		struct acpi acpi = {0};

		memcpy(exact, whole.at, size);
		acpi_parse_pptt(&acpi, (struct view){exact, size});
		assert_non_null(acpi.pptt.damage);
		free(exact);
	}
}

static void domains_with_cpus_and_with_memory_are_counted(void **state)
{
	struct arena arena;
	struct acpi acpi = {0};
	struct table table;
	size_t at;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	start(&table, "SRAT", 3, 48);
	for (uint32_t domain = 0; domain < 4; domain++) {
		at = add(&table, 3, 18); /* GICC, two of each domain, domain 3 not enabled */
		put(&table, at + 2, domain, 4);
		put(&table, at + 10, domain != 3, 4);
		at = add(&table, 1, 40);
		put(&table, at + 2, domain + 1, 4);
		put(&table, at + 28, 1, 4);
	}
	add(&table, 5, 12); /* a kind that is not read */
	acpi_parse_srat(&arena, &acpi, finish(&table));
	assert_null(acpi.srat.damage);
	assert_int_equal(acpi.domain_count, 5);
	for (size_t i = 0; i < acpi.domain_count; i++) {
		assert_int_equal(acpi.domains[i].cpus, acpi.domains[i].id < 3);
		assert_int_equal(acpi.domains[i].memories, acpi.domains[i].id > 0);
	}
	table.bytes[49] =
		17; /* too short for a GICC entry; what follows is misread or out of the table */
	acpi = (struct acpi){0};
	acpi_parse_srat(&arena, &acpi, finish(&table));
	assert_non_null(acpi.srat.damage);
	arena_release(&arena);
}

static void a_distance_matrix_must_fit(void **state)
{
	static const struct {
		uint64_t localities;
		size_t room;
		bool sound;
	} rows[] = {
		{2, 4, true},           {2, 3, false},          {0, 4, false},
		{1024, 100, false},     {1025, 4, false},       {0x100000001, 4, false},
		{1ULL << 32, 4, false}, {UINT64_MAX, 4, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct acpi acpi = {0};
		struct table table;

		start(&table, "SLIT", 1, 44 + rows[i].room);
		put(&table, 36, rows[i].localities, 8);
		put(&table, 44, 0x0a14140a, 4);
		acpi_parse_slit(&acpi, finish(&table));
		assert_int_equal(acpi.slit.damage == NULL, rows[i].sound);
		assert_int_equal(acpi.localities, rows[i].sound ? rows[i].localities : 0);
		if (rows[i].sound)
			assert_int_equal(acpi.distances[1], 20);
	}
}

static void without_numa_in_the_kernel_the_tables_tell_the_mode(void **state)
{
	static const struct {
		uint32_t distances; /* of two domains, row by row */
		bool fits;
		int64_t per_package; /* 0: unknown */
	} rows[] = {
		{0x0a0b0b0a, true, 2},
		{0x0a14140a, true, 1},
		{0x0a14140a, false, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;
		struct acpi acpi = {0};
		struct table srat, slit;
		struct value nodes;

		machine_open(&machine, "", "\"/sys/devices/system/cpu/online\":{\"text\":\"0-1\"}",
			     NULL, 0);
		start(&srat, "SRAT", 3, 48);
		for (uint32_t domain = 0; domain < 2; domain++) {
			size_t at = add(&srat, 3, 18);

			put(&srat, at + 2, domain, 4);
			put(&srat, at + 10, 1, 4);
		}
		start(&slit, "SLIT", 1, 48);
		put(&slit, 36, 2, 8);
		put(&slit, 44, rows[i].distances, 4);
		acpi_parse_srat(&machine.arena, &acpi, finish(&srat));
		if (rows[i].fits)
			acpi_parse_slit(&acpi, finish(&slit));
		machine.host->acpi = &acpi;
		nodes = firmware_nodes_per_package(machine.host);
		assert_int_equal(nodes.kind, rows[i].per_package ? VALUE_NUMBER : VALUE_UNKNOWN);
		if (rows[i].per_package) {
			assert_int_equal(nodes.number, rows[i].per_package);
			assert_int_equal(nodes.evidence[0].confidence, CONFIDENCE_INFERRED);
		}
		machine_close(&machine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_highest_cache_level_is_found),
		cmocka_unit_test(damaged_tables_are_named_and_give_nothing),
		cmocka_unit_test(loops_end),
		cmocka_unit_test(every_truncation_is_damage),
		cmocka_unit_test(domains_with_cpus_and_with_memory_are_counted),
		cmocka_unit_test(a_distance_matrix_must_fit),
		cmocka_unit_test(without_numa_in_the_kernel_the_tables_tell_the_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
