// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void numbers_are_strict(void **state)
{
	static const struct {
		const char *text;
		int base;
		bool ok;
		uint64_t number;
	} rows[] = {
		{"0", 10, true, 0},
		{"18446744073709551615", 10, true, UINT64_MAX},
		{"18446744073709551616", 10, false, 0},
		{"0x413fd0c1", 16, true, 0x413fd0c1},
		{"413FD0C1", 16, true, 0x413fd0c1},
		{"", 10, false, 0},
		{"0x", 16, false, 0},
		{" 1", 10, false, 0},
		{"1 ", 10, false, 0},
		{"+1", 10, false, 0},
		{"-1", 10, false, 0},
		{"1a", 10, false, 0},
		{"8", 8, false, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t number = 0;

		assert_int_equal(view_u64(view_of(rows[i].text), rows[i].base, &number),
				 rows[i].ok);
		if (rows[i].ok)
			assert_true(number == rows[i].number);
	}
}

static void cpu_lists_follow_the_kernel(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		size_t count;
		const char *ranges;
	} rows[] = {
		{"0-3,8\n", true, 5, "0-3,8"},
		{"8,0-3,2", true, 5, "0-3,8"},
		{"", true, 0, ""},
		{"3-1", false, 0, ""},
		{"0-4096", false, 0, ""},
		{"0,,1", false, 0, ""},
		{"0-", false, 0, ""},
		{"a", false, 0, ""},
		{"2-8:1/2", true, 4, "2,4,6,8"},
		{"0-7:2/4,20", true, 5, "0-1,4-5,20"},
		{"2-8:3/2", false, 0, ""},
		{"2-8:0/2", false, 0, ""},
		{"2-8:1", false, 0, ""},
		{"2-8:", false, 0, ""},
		{"4:1/2", false, 0, ""},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t *cpus = NULL;
		size_t count = 0;

		assert_int_equal(text_cpulist(&arena, view_of(rows[i].text), 4096, &cpus, &count),
				 rows[i].ok);
		assert_int_equal(count, rows[i].count);
		assert_string_equal(text_ranges(&arena, cpus, count), rows[i].ranges);
	}
	arena_release(&arena);
}

static void the_nearest_word_is_suggested(void **state)
{
	static const char *const known[] = {"audit", "detect", "explain"};

	(void)state;
	assert_string_equal(text_nearest("audti", known, 3), "audit");
	assert_string_equal(text_nearest("detct", known, 3), "detect");
	assert_null(text_nearest("xyzzy", known, 3));
	assert_null(text_nearest("", known, 3));
}

static void nothing_is_the_same_as_nothing_alone(void **state)
{
	char other[] = "state";

	(void)state;
	assert_true(text_same(NULL, NULL));
	assert_true(text_same("state", other));
	assert_false(text_same("state", "states"));
	assert_false(text_same("", NULL));
	assert_false(text_same(NULL, "state"));
}

static void control_characters_are_escaped(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_string_equal(text_printable(&arena, VIEW("a\x1b[2Jb")), "a\\x1b[2Jb");
	assert_string_equal(text_printable(&arena, VIEW("caf\xc3\xa9")), "caf\xc3\xa9");
	assert_string_equal(text_printable(&arena, VIEW("\xc0\xaf")), "\\xc0\\xaf");
	assert_string_equal(text_printable(&arena, VIEW("\xc2\x9b")), "\\xc2\\x9b");
	assert_string_equal(text_printable(&arena, VIEW("\xe2\x80\xae")), "\\xe2\\x80\\xae");
	arena_release(&arena);
}

static void lines_and_words_are_cut(void **state)
{
	struct view rest = VIEW("one  two\r\n\nthree"), line, word;

	(void)state;
	assert_true(view_line(&rest, &line));
	assert_true(view_is(line, "one  two"));
	assert_true(view_word(&line, &word));
	assert_true(view_is(word, "one"));
	assert_true(view_word(&line, &word));
	assert_true(view_is(word, "two"));
	assert_false(view_word(&line, &word));
	assert_true(view_line(&rest, &line));
	assert_int_equal(line.size, 0);
	assert_true(view_line(&rest, &line));
	assert_true(view_is(line, "three"));
	assert_false(view_line(&rest, &line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_strict),
		cmocka_unit_test(cpu_lists_follow_the_kernel),
		cmocka_unit_test(the_nearest_word_is_suggested),
		cmocka_unit_test(nothing_is_the_same_as_nothing_alone),
		cmocka_unit_test(control_characters_are_escaped),
		cmocka_unit_test(lines_and_words_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
