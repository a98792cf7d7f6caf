// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "dmi.h"
#include "host/redact_dmi.h"
#include "host/smbios.h"
#include "host/smbios_walk.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

static struct arena arena;

static int arena_up(void **state)
{
	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	return 0;
}

static int arena_down(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static const struct smbios *parse(const struct dmi *dmi)
{
	unsigned char entry[0x18];

	return smbios_parse(&arena, dmi_entry_v3(entry, (uint32_t)sizeof(dmi->bytes)),
			    dmi_view(dmi));
}

static void a_sound_table_gives_the_whole_machine(void **state)
{
	struct dmi *dmi = malloc(sizeof(*dmi));
	const struct smbios *smbios;

	(void)state;
	dmi_machine(dmi);
	smbios = parse(dmi);
	assert_int_equal(smbios->damage.count, 0);
	assert_int_equal(smbios->major, 3);
	assert_int_equal(smbios->minor, 4);
	assert_string_equal(smbios->firmware_version, "F18w16 (SCP: 1.08.20211002)");
	assert_string_equal(smbios->product, "MP32-AR1-00");
	assert_null(smbios->family); /* blanks are nothing */
	assert_int_equal(smbios->processor_count, 1);
	assert_string_equal(smbios->processors[0].part, "Q80-30");
	assert_int_equal(smbios->processors[0].max_mhz, 3000);
	assert_int_equal(smbios->processors[0].current_mhz, 2800);
	assert_int_equal(smbios->processors[0].cores, 80);
	assert_int_equal(smbios->array_count, 1);
	assert_int_equal(smbios->arrays[0].devices, 16);
	assert_true(smbios->arrays[0].max_bytes == 4ULL << 40);
	assert_int_equal(smbios->device_count, 2);
	assert_true(smbios->devices[0].size_bytes == 32ULL << 30); /* 7fffh: the extended field */
	assert_string_equal(smbios->devices[0].part, "M393A4G43AB3-CWE");
	assert_int_equal(smbios->devices[0].ranks, 2);
	assert_true(smbios->devices[1].size_known);
	assert_true(smbios->devices[1].size_bytes == 0);
	free(dmi);
}

static void processor_ids_are_midr_or_soc_id_with_or_without_the_flag(void **state)
{
	static const struct {
		unsigned long long id;
		unsigned characteristics;
		enum smbios_id_kind kind;
		uint32_t midr;
		const char *soc_id;
	} rows[] = {
		/* ADLINK AVA: C1 D0 3F 41 */
		{0x413fd0c1, 0x0ec, SMBIOS_ID_MIDR, 0x413fd0c1, NULL},
		/* Gigabyte F31L: 01 00 16 0A A1 without bit 9 */
		{0x000000a10a160001, 0x08c, SMBIOS_ID_SOC, 0, "jep106:0a16:0001"},
		{0x000000a10a160002, 0x28c, SMBIOS_ID_SOC, 0, "jep106:0a16:0002"},
		/* Supermicro A192-32X: 04 00 16 0A with bit 9 */
		{0x0a160004, 0x2ec, SMBIOS_ID_SOC, 0, "jep106:0a16:0004"},
		/* Phytium 22 66 1F 70, Kunpeng 10 D0 1F 48, Hi1612 71 D0 1F 41 */
		{0x701f6622, 0x0ec, SMBIOS_ID_MIDR, 0x701f6622, NULL},
		{0x481fd010, 0x0ec, SMBIOS_ID_MIDR, 0x481fd010, NULL},
		{0x411fd071, 0x0ec, SMBIOS_ID_MIDR, 0x411fd071, NULL},
		{0, 0, SMBIOS_ID_NONE, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmi *dmi = calloc(1, sizeof(*dmi));
		const struct smbios_processor *processor;

		dmi_processor(dmi, rows[i].id, rows[i].characteristics, true, "x", "y");
		dmi_end(dmi);
		processor = smbios_first_processor(parse(dmi));
		assert_non_null(processor);
		assert_int_equal(processor->id_kind, rows[i].kind);
		assert_int_equal(processor->midr, rows[i].midr);
		if (rows[i].soc_id)
			assert_string_equal(processor->soc_id, rows[i].soc_id);
		else
			assert_null(processor->soc_id);
		free(dmi);
	}
}

static void an_empty_socket_is_not_the_first_processor(void **state)
{
	struct dmi *dmi = calloc(1, sizeof(*dmi));
	const struct smbios *smbios;

	(void)state;
	dmi_processor(dmi, 0x413fd0c1, 0, false, "Ampere(R) Altra(R) Processor", "NotSet");
	dmi_processor(dmi, 0x413fd0c1, 0, true, "Ampere(R) Altra(R) Processor", "Q80-26");
	dmi_end(dmi);
	smbios = parse(dmi);
	assert_int_equal(smbios->processor_count, 2);
	assert_int_equal(smbios_populated(smbios), 1);
	assert_string_equal(smbios_first_processor(smbios)->part, "Q80-26");
	free(dmi);
}

static void entry_points_of_both_kinds_are_checked(void **state)
{
	unsigned char v3[0x18], v2[0x1f];
	struct smbios_entry entry;
	struct view view;

	(void)state;
	view = dmi_entry_v3(v3, 4096);
	assert_true(smbios_entry_parse(view, &entry));
	assert_true(entry.sound);
	assert_int_equal(entry.table_bytes, 4096);
	assert_int_equal(entry.structures, 0);
	v3[0x0c] ^= 1;
	assert_true(smbios_entry_parse(view, &entry));
	assert_false(entry.sound);

	view = dmi_entry_v2(v2, 900, 12);
	assert_true(smbios_entry_parse(view, &entry));
	assert_true(entry.sound);
	assert_int_equal(entry.major, 2);
	assert_int_equal(entry.minor, 8);
	assert_int_equal(entry.table_bytes, 900);
	assert_int_equal(entry.structures, 12);
	v2[0x05] = 0xff; /* a length past the file */
	dmi_checksum(v2, 0x1f, 0x04);
	assert_true(smbios_entry_parse(view, &entry));
	assert_false(entry.sound);
	view.size = 0x10;
	assert_false(smbios_entry_parse(view, &entry));
	assert_false(smbios_entry_parse(VIEW("_XX_ no anchor at all, but long enough"), &entry));
	assert_false(smbios_entry_parse((struct view){0}, &entry));
}

/* Every row is a way in which firmware or an attacker can lie; what was read before the lie stands.
 */
static void hostile_tables_are_damaged_and_never_crash(void **state)
{
	static const struct {
		const char *what;
		const char *bytes;
		size_t size;
		size_t processors;
		const char *damage;
	} rows[] = {
		{"nothing", "", 0, 0, "the table has no end-of-table structure"},
		{"half a header", "\x04\x30", 2, 0, "the table ends inside a header"},
		{"length 0", "\x04\x00\x00\x00\x00\x00", 6, 0,
		 "a structure states a length below 4"},
		{"length 3", "\x04\x03\x00\x00\x00\x00", 6, 0,
		 "a structure states a length below 4"},
		{"length past the end", "\x04\xff\x00\x00\x00\x00", 6, 0,
		 "a structure runs past the end of the table"},
		{"no room for strings", "\x04\x06\x00\x00\x01\x03", 6, 1,
		 "a structure's strings have no end"},
		{"one NUL of two",
		 "\x04\x06\x00\x00\x01\x03"
		 "abc",
		 10, 1, "a structure's strings have no end"},
		{"short type 4", "\x04\x06\x00\x00\x09\x03\0\0\x7f\x04\x01\x00\0\0", 14, 1, NULL},
		{"string index out of range",
		 "\x04\x08\x00\x00\xff\x03\xfe\xff"
		 "a\0\0\x7f\x04\x01\x00\0\0",
		 17, 1, NULL},
		{"no end of table", "\x04\x06\x00\x00\x01\x03\0\0", 8, 1,
		 "the table has no end-of-table structure"},
		{"bytes behind the end", "\x7f\x04\x00\x00\0\0\x04\x06\x00\x00\x01\x03\0\0", 14, 0,
		 NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *exact = malloc(rows[i].size ? rows[i].size
						  : 1); /* so that a byte too far is seen */
		unsigned char entry[0x18];
		const struct smbios *smbios;

		memcpy(exact, rows[i].bytes, rows[i].size);
		smbios = smbios_parse(&arena, dmi_entry_v3(entry, 65536),
				      (struct view){exact, rows[i].size});
		assert_int_equal(smbios->processor_count, rows[i].processors);
		assert_int_equal(smbios->damage.count, rows[i].damage ? 1 : 0);
		if (rows[i].damage)
			assert_string_equal(smbios->damage.items[0], rows[i].damage);
		for (size_t j = 0; j < smbios->processor_count; j++)
			assert_null(smbios->processors[j].part);
		free(exact);
	}
}

static void the_entry_point_limits_the_table(void **state)
{
	struct dmi *dmi = malloc(sizeof(*dmi));
	unsigned char v2[0x1f];
	const struct smbios *smbios;
	size_t whole;

	(void)state;
	dmi_machine(dmi);
	whole = dmi->size;
	/* the count ends the walk before the processor, and that is no damage */
	smbios = smbios_parse(&arena, dmi_entry_v2(v2, (uint16_t)whole, 4), dmi_view(dmi));
	assert_int_equal(smbios->processor_count, 0);
	assert_int_equal(smbios->damage.count, 0);
	/* the table says it is longer than the file */
	smbios = smbios_parse(&arena, dmi_entry_v2(v2, (uint16_t)(whole + 1), 11), dmi_view(dmi));
	assert_int_equal(smbios->processor_count, 1);
	assert_int_equal(smbios->damage.count, 1);
	/* more structures promised than there are */
	smbios = smbios_parse(&arena, dmi_entry_v2(v2, (uint16_t)whole, 99), dmi_view(dmi));
	assert_int_equal(smbios->damage.count, 1);
	free(dmi);
}

static void every_truncation_of_a_table_is_safe(void **state)
{
	struct dmi *dmi = malloc(sizeof(*dmi));
	unsigned char entry[0x18];
	struct view head = dmi_entry_v3(entry, 65536);

	(void)state;
	dmi_machine(dmi);
	/* the last two NULs belong to the end-of-table structure: nothing is lost with them */
	for (size_t size = 0; size < dmi->size - 2; size++) {
		char *exact = malloc(size ? size : 1);
		struct view cut = {exact, size};

		memcpy(exact, dmi->bytes, size);
		assert_int_equal(smbios_parse(&arena, head, cut)->damage.count, 1);
		assert_int_equal(redact_dmi(&arena, cut).size, size);
		free(exact);
	}
	free(dmi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_table_gives_the_whole_machine),
		cmocka_unit_test(processor_ids_are_midr_or_soc_id_with_or_without_the_flag),
		cmocka_unit_test(an_empty_socket_is_not_the_first_processor),
		cmocka_unit_test(entry_points_of_both_kinds_are_checked),
		cmocka_unit_test(hostile_tables_are_damaged_and_never_crash),
		cmocka_unit_test(the_entry_point_limits_the_table),
		cmocka_unit_test(every_truncation_of_a_table_is_safe),
	};

	return cmocka_run_group_tests(tests, arena_up, arena_down);
}
