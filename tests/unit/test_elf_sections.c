// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "code_object.h"

/* One number wrong, and what is said of it. */
static void damage_has_a_reason(void **state)
{
	static const struct {
		int section; /* -1: the header of the file */
		size_t field;
		uint64_t number;
		unsigned size;
		const char *why;
	} rows[] = {
		{-1, 40, 1 << 20, 8, "section headers past the end"},
		{-1, 40, UINT64_MAX, 8, "section headers past the end"},
		{-1, 58, 63, 2, "section headers of another size"},
		{-1, 60, 0, 2, "more section headers than 16384"},
		{-1, 60, 16385, 2, "more section headers than 16384"},
		{-1, 60, 16384, 2, "section headers past the end"},
		{OBJECT_TEXT, 24, 1 << 20, 8, "an executable section is past the end"},
		{OBJECT_TEXT, 24, UINT64_MAX - 3, 8, "an executable section is past the end"},
		{OBJECT_TEXT, 32, 1 << 20, 8, "executable sections overlap"},
		{OBJECT_TEXT, 16, UINT64_MAX, 8, "an executable section is past the end"},
		{OBJECT_SYMBOLS, 24, 1 << 20, 8, "symbols past the end"},
		{OBJECT_SYMBOLS, 32, UINT64_MAX, 8, "symbols past the end"},
		{OBJECT_SYMBOLS, 40, 99, 4, "the names of symbols are past the end"},
		{OBJECT_SYMBOLS, 40, OBJECT_TEXT, 4, "the names of symbols are past the end"},
		{OBJECT_STRINGS, 24, 1 << 20, 8, "the names of symbols are past the end"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct instruction_scan *scan;
		struct machine machine;
		struct object object;
		size_t at = rows[i].field;

		build(&object);
		if (rows[i].section >= 0)
			at = object_field(&object, (unsigned)rows[i].section, at);
		object_number(object.bytes + at, rows[i].number, rows[i].size);
		scan = instructions_scan(read_bytes(&machine, object.bytes, object.size));
		assert_non_null(scan->damage);
		assert_string_equal(scan->damage, rows[i].why);
		machine_close(&machine);
		object_release(&object);
	}
}

/* ar(5): a header is name, date, user, group, mode and size in blanks, and "`\n". */
static void archive_member(struct object *archive, const char *name, const void *bytes, size_t size)
{
	char header[61];

	snprintf(header, sizeof(header), "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644,
		 size);
	if (!archive->size)
		object_add(archive, "!<arch>\n", 8);
	/* object_add() aligns to 8; members only to 2, so that all goes in at once. */
	unsigned char *whole = malloc(60 + size + 8);

	memcpy(whole, header, 60);
	memcpy(whole + 60, bytes, size);
	memcpy(whole + 60 + size, "\n\n\n\n\n\n\n", 8);
	object_add(archive, whole, 60 + size + (size & 1));
	free(whole);
}

/* Sizes of 4 modulo 8 keep what object_add() aligns where ar(5) wants it. */
static void an_archive_is_all_its_members(void **state)
{
	static const struct {
		size_t at; /* in the header of the second member, which is a table of names */
		const char *text;
		const char *why; /* NULL: none; the third member counts too */
		uint64_t aese;
	} rows[] = {
		{0, "/", NULL, 4},
		{58, "x", "the header of a member is damaged", 2},
		{48, "x", "the header of a member is damaged", 2},
		{48, "99999", "a member is past the end", 2},
		{0, "n", "member n: not an object", 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct object object, archive = {0};
		const struct instruction_scan *scan;
		struct machine machine;
		size_t padded, second;

		build(&object);
		padded = (object.size + 7) / 8 * 8 + 4;
		while (object.size < padded)
			object.bytes[object.size++] = 0;
		archive_member(&archive, "one.o/", object.bytes, object.size);
		second = archive.size;
		archive_member(&archive, "//", "a-name-that-is-long.o/\n     ", 28);
		archive_member(&archive, "/0", object.bytes, object.size);
		memcpy(archive.bytes + second + rows[i].at, rows[i].text, strlen(rows[i].text));
		scan = instructions_scan(read_bytes(&machine, archive.bytes, archive.size));
		assert_true(scan->applicable);
		if (rows[i].why)
			assert_string_equal(scan->damage, rows[i].why);
		else
			assert_null(scan->damage);
		assert_int_equal(instructions_find(scan, "aese")->count, rows[i].aese);
		machine_close(&machine);
		object_release(&object);
		object_release(&archive);
	}
}

static void use_all(struct elf *elf)
{
	struct elf_sections sections = elf_sections_read(elf);
	const struct instruction_scan *scan = instructions_scan(elf);

	for (size_t i = 0; i < sections.count; i++)
		assert_non_null(sections.items[i].name);
	elf_traces_read(elf, &sections);
	for (size_t i = 0; i < scan->family_count; i++) {
		uint64_t sum = scan->families[i].unlisted;

		for (size_t f = 0; f < scan->families[i].function_count; f++)
			sum += scan->families[i].functions[f].count;
		assert_int_equal(sum, scan->families[i].count);
	}
}

static void cut_anywhere_and_every_byte_changed(void **state)
{
	struct object object;

	(void)state;
	build(&object);
	for (size_t at = 0; at < object.size; at++) {
		struct machine machine;

		use_all(read_bytes(&machine, object.bytes, at));
		machine_close(&machine);
		object.bytes[at] ^= 0xff;
		use_all(read_bytes(&machine, object.bytes, object.size));
		machine_close(&machine);
		object.bytes[at] ^= 0xff;
	}
	object_release(&object);
}

static void traces_are_each_once(void **state)
{
	struct elf_sections sections;
	struct elf_traces traces;
	struct machine machine;
	struct object object;
	struct arena *arena;
	struct elf *elf;

	(void)state;
	build(&object);
	elf = read_bytes(&machine, object.bytes, object.size);
	arena = root_arena(machine.root);
	sections = elf_sections_read(elf);
	assert_int_equal(sections.count, OBJECT_SECTIONS);
	assert_string_equal(sections.items[OBJECT_TEXT].name, ".text");
	assert_ptr_equal(elf_section_named(&sections, ".comment"), &sections.items[OBJECT_COMMENT]);
	assert_ptr_equal(elf_section_typed(&sections, ELF_SECTION_STRINGS),
			 &sections.items[OBJECT_STRINGS]);
	traces = elf_traces_read(elf, &sections);
	assert_string_equal(names_join(arena, &traces.compilers, "; "), "GCC: (X) 1; clang 2");
	assert_true(traces.recorded);
	assert_string_equal(names_join(arena, &traces.flags, " "), "-mcpu=a -march=b");
	machine_close(&machine);
	object_release(&object);
}

/* gABI: DT_TEXTREL is 22, DF_TEXTREL bit 2 of DT_FLAGS; PT_GNU_STACK, whose flag 1 is "execute". */
static void text_relocations_and_stacks(void **state)
{
	static const struct {
		uint64_t tag, value;
		bool relocations;
		uint32_t segment;
		unsigned flags;
		enum elf_stack stack;
	} rows[] = {
		{22, 0, true, 0x6474e551, 6, ELF_STACK_PLAIN},
		{30, 4, true, 0x6474e551, 7, ELF_STACK_EXECUTABLE},
		{30, 2, false, 0x6474e552, 7, ELF_STACK_NOT_SAID},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;
		struct elf_file file;
		struct elf *elf;

		elf_file_begin(&file, 64, false, ELF_MACHINE_AARCH64);
		put_dynamic(&file, rows[i].tag, rows[i].value);
		elf_file_end(&file, NULL);
		put_segment(&file, 2, rows[i].segment, 0, 0);
		put(&file, 64 + 2 * 56 + 4, rows[i].flags, 4);
		elf = read_bytes(&machine, file.bytes, sizeof(file.bytes));
		assert_null(elf->damage);
		assert_int_equal(elf->text_relocations, rows[i].relocations);
		assert_int_equal(elf->stack, rows[i].stack);
		machine_close(&machine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damage_has_a_reason),
		cmocka_unit_test(an_archive_is_all_its_members),
		cmocka_unit_test(cut_anywhere_and_every_byte_changed),
		cmocka_unit_test(traces_are_each_once),
		cmocka_unit_test(text_relocations_and_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
