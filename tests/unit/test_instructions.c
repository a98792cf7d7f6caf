// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "code_object.h"

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

/* Code is read in windows of a power of two: at their edges nothing is lost or counted twice. */
static void long_code_is_counted_once(void **state)
{
	static const size_t places[] = {0,       0x3fff,  0x4000,  0xffff,
					0x10000, 0x1ffff, 0x20000, 0x23455};
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
	assert_functions(scan, "eor3", "? 8");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_counted_by_function_and_data_is_not),
		cmocka_unit_test(without_symbols_all_is_counted_and_nothing_is_named),
		cmocka_unit_test(foreign_instructions_outside_what_is_dispatched),
		cmocka_unit_test(functions_past_the_maximum_count_as_outside),
		cmocka_unit_test(long_code_is_counted_once),
		cmocka_unit_test(other_files_are_not_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
