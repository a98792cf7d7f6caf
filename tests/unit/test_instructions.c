// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/elf_sections.h"
#include "host/instructions.h"

#include "elf_file.h"
#include "elf_object.h"
#include "machine.h"

/* DDI 0487, C7.2: AESE v0.16b, v1.16b; EOR3 and BCAX of v0 to v3; SHA1H s0, s1; C6.2: RET. */
#define AESE 0x4e284820u
#define EOR3 0xce020c20u
#define BCAX 0xce220c20u
#define SHA1H 0x5e280820u
#define RET 0xd65f03c0u

static const uint32_t code[] = {
	AESE,  AESE,  RET,        /* 0x00 crypt, sized, global */
	EOR3,                     /* 0x0c after it: nothing is known */
	SHA1H,                    /* 0x10 label */
	SHA1H, SHA1H,             /* 0x14 entry, unsized */
	EOR3,  EOR3,  AESE,       /* 0x1c data */
	BCAX,  BCAX,  BCAX, EOR3, /* 0x28 outer; the second and third are inner's */
};

static void build(struct object *object)
{
	static const char comment[] = "\0GCC: (X) 1\0GCC: (X) 1\0clang 2";
	static const char line[] = "\0GNU C17 -mcpu=a -O2\0-march=b\0-mcpu=a";

	object_begin(object);
	object_symbol(object, "$x", OBJECT_LOCAL, 0, 0);
	object_symbol(object, "outer", OBJECT_GLOBAL | OBJECT_FUNC, 0x28, 16);
	object_symbol(object, "inner", OBJECT_LOCAL | OBJECT_FUNC, 0x2c, 8);
	object_symbol(object, "within", OBJECT_LOCAL, 4, 0);
	object_symbol(object, "crypt", OBJECT_GLOBAL | OBJECT_FUNC, 0, 12);
	object_symbol(object, "crypt_alias", OBJECT_LOCAL | OBJECT_FUNC, 0, 12);
	object_symbol(object, "label", OBJECT_LOCAL, 0x10, 0);
	object_symbol(object, "entry", OBJECT_GLOBAL, 0x14, 0);
	object_symbol(object, "another", OBJECT_LOCAL, 0x18, 0);
	object_symbol(object, "$d.1", OBJECT_LOCAL, 0x1c, 0);
	object_symbol(object, "table", OBJECT_GLOBAL | OBJECT_DATA, 0x1c, 12);
	object_symbol(object, "$x.2", OBJECT_LOCAL, 0x28, 0);
	object_end(object, code, sizeof(code) / sizeof(code[0]), comment, sizeof(comment), line,
		   sizeof(line));
}

static struct elf *read_bytes(struct machine *machine, const void *bytes, size_t size)
{
	struct arena scratch;

	arena_init(&scratch, ARENA_DEFAULT_MAX_BYTES);
	machine_open(machine, "", elf_file_question(&scratch, "/x", bytes, size), NULL, 0);
	arena_release(&scratch);
	return elf_read(machine->root, "/x");
}

static void assert_functions(const struct instruction_scan *scan, const char *family,
			     const char *expected)
{
	const struct instruction_family *found = instructions_find(scan, family);
	char text[1024] = "";
	size_t size = 0;

	assert_non_null(found);
	for (size_t i = 0; i < found->function_count; i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size, "%s%s %d", i ? ", " : "",
					 found->functions[i].name ? found->functions[i].name : "?",
					 (int)found->functions[i].count);
	assert_string_equal(text, expected);
}

static void code_is_counted_by_function_and_data_is_not(void **state)
{
	static const struct {
		const char *family, *functions;
	} rows[] = {
		{"aese", "crypt 2"},
		{"eor3", "? 1, outer 1"},
		{"sha1h", "label 1, entry 2"},
		{"bcax", "outer 1, inner 2"},
		{"aesmc", ""},
	};
	const struct instruction_scan *scan;
	struct machine machine;
	struct object object;

	(void)state;
	build(&object);
	scan = instructions_scan(read_bytes(&machine, object.bytes, object.size));
	assert_true(scan->applicable);
	assert_null(scan->damage);
	assert_true(scan->mapped);
	assert_false(scan->stripped);
	assert_int_equal(scan->code_bytes, sizeof(code) - 12);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_functions(scan, rows[i].family, rows[i].functions);
	assert_null(instructions_find(scan, "aes"));
	machine_close(&machine);
	object_release(&object);
}

static void without_symbols_all_is_counted_and_nothing_is_named(void **state)
{
	const struct instruction_scan *scan;
	struct machine machine;
	struct object object;

	(void)state;
	build(&object);
	object_number(object.bytes + object_field(&object, OBJECT_SYMBOLS, 4), 1, 4);
	scan = instructions_scan(read_bytes(&machine, object.bytes, object.size));
	assert_null(scan->damage);
	assert_true(scan->stripped);
	assert_false(scan->mapped);
	assert_functions(scan, "aese", "? 3");
	assert_functions(scan, "eor3", "? 4");
	machine_close(&machine);
	object_release(&object);
}

static void assert_outside(const struct machine *machine, const struct instruction_scan *scan,
			   const char *foreign, const char *dispatched, const char *expected)
{
	struct arena *arena = root_arena(machine->root);
	struct names lists[2] = {{0}, {0}}, out = {0};
	const char *texts[2] = {foreign, dispatched};

	for (size_t i = 0; i < 2; i++) {
		struct view rest = view_of(texts[i]), word;

		while (view_word(&rest, &word))
			names_add(arena, &lists[i], view_copy(arena, word));
	}
	instructions_outside(arena, scan, &lists[0], &lists[1], &out);
	assert_string_equal(names_join(arena, &out, ", "), expected);
}

static void foreign_instructions_outside_what_is_dispatched(void **state)
{
	static const struct {
		const char *foreign, *dispatched, *outside;
	} rows[] = {
		{"", "", ""},
		{"sm3 sve", "", ""},
		{"aese", "", "aese in crypt (2)"},
		{"aes", "cry*", ""},
		{"aes", "cry", "aese in crypt (2)"},
		{"sha3", "",
		 "eor3 in an unknown function (1), eor3 in outer (1), bcax in outer (1), "
		 "bcax in inner (2)"},
		{"sha3", "outer inn?r", "eor3 in an unknown function (1)"},
		{"sha3", "*", "eor3 in an unknown function (1)"},
		{"bcax sha1", "outer", "sha1h in label (1), sha1h in entry (2), bcax in inner (2)"},
	};
	const struct instruction_scan *scan;
	struct machine machine;
	struct object object;

	(void)state;
	build(&object);
	scan = instructions_scan(read_bytes(&machine, object.bytes, object.size));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_outside(&machine, scan, rows[i].foreign, rows[i].dispatched,
			       rows[i].outside);
	machine_close(&machine);
	object_release(&object);
}

/* More functions than are listed: what is in the others is not lost. */
static void functions_past_the_maximum_count_as_outside(void **state)
{
	size_t count = INSTRUCTION_FUNCTIONS_MAX + 3;
	uint32_t *words = malloc(count * sizeof(*words));
	const struct instruction_scan *scan;
	struct names all = {0}, out = {0};
	struct machine machine;
	struct object object;
	char name[32];

	(void)state;
	object_begin(&object);
	for (size_t i = 0; i < count; i++) {
		words[i] = EOR3;
		snprintf(name, sizeof(name), "f%zu", i);
		object_symbol(&object, name, OBJECT_GLOBAL | OBJECT_FUNC, i * 4, 4);
	}
	object_end(&object, words, count, "", 1, "", 1);
	scan = instructions_scan(read_bytes(&machine, object.bytes, object.size));
	assert_int_equal(instructions_find(scan, "eor3")->count, count);
	assert_int_equal(instructions_find(scan, "eor3")->unlisted, 3);
	names_add(root_arena(machine.root), &all, "sha3");
	instructions_outside(root_arena(machine.root), scan, &all, &(struct names){0}, &out);
	assert_int_equal(out.count, INSTRUCTION_FUNCTIONS_MAX + 1);
	assert_string_equal(out.items[out.count - 1], "eor3 in functions past the first 4096 (3)");
	machine_close(&machine);
	object_release(&object);
	free(words);
}

/* Code is read in windows of 256 KiB: at their edges nothing is lost or counted twice. */
static void long_code_is_counted_once(void **state)
{
	static const size_t places[] = {0, 0xffff, 0x10000, 0x10001, 0x1ffff, 0x20000, 0x23455};
	size_t count = 0x23456;
	uint32_t *words = malloc(count * sizeof(*words));
	const struct instruction_scan *scan;
	struct machine machine;
	struct object object;

	(void)state;
	for (size_t i = 0; i < count; i++)
		words[i] = RET;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		words[places[i]] = EOR3;
	object_begin(&object);
	object_symbol(&object, "$x", OBJECT_LOCAL, 0, 0);
	object_end(&object, words, count, "", 1, "", 1);
	scan = instructions_scan(read_bytes(&machine, object.bytes, object.size));
	assert_null(scan->damage);
	assert_int_equal(scan->code_bytes, count * 4);
	assert_functions(scan, "eor3", "? 7");
	machine_close(&machine);
	object_release(&object);
	free(words);
}

static void other_files_are_not_looked_at(void **state)
{
	static const struct {
		size_t at;
		unsigned char byte;
	} rows[] = {{18, 62}, {5, 2}, {4, 1}, {0, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;
		struct object object;

		build(&object);
		object.bytes[rows[i].at] = rows[i].byte;
		assert_false(instructions_scan(read_bytes(&machine, object.bytes, object.size))
				     ->applicable);
		machine_close(&machine);
		object_release(&object);
	}
}

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
		cmocka_unit_test(code_is_counted_by_function_and_data_is_not),
		cmocka_unit_test(without_symbols_all_is_counted_and_nothing_is_named),
		cmocka_unit_test(foreign_instructions_outside_what_is_dispatched),
		cmocka_unit_test(functions_past_the_maximum_count_as_outside),
		cmocka_unit_test(long_code_is_counted_once),
		cmocka_unit_test(other_files_are_not_looked_at),
		cmocka_unit_test(damage_has_a_reason),
		cmocka_unit_test(cut_anywhere_and_every_byte_changed),
		cmocka_unit_test(traces_are_each_once),
		cmocka_unit_test(text_relocations_and_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
