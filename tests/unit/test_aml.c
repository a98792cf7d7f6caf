// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/aml.h"

#include <string.h>

#define ROW(text) (text), sizeof(text) - 1

/* Encodings: ACPI 6.5, 20.2.3 (integers), 20.2.5.1 (DefName), 20.2.2 (names). */
static const struct {
	const char *bytes;
	size_t size, definitions;
	bool constant;
	uint64_t number;
} rows[] = {
	{ROW("\x08"
	     "CPCE"
	     "\x00"),
	 1, true, 0},
	{ROW("\x08"
	     "CPCE"
	     "\x01"),
	 1, true, 1},
	{ROW("\x08"
	     "CPCE"
	     "\xff"),
	 1, true, UINT64_MAX},
	{ROW("\x08"
	     "CPCE"
	     "\x0a\x02"),
	 1, true, 2},
	{ROW("\x08"
	     "CPCE"
	     "\x0b\x01\x00"),
	 1, true, 1},
	{ROW("\x08"
	     "CPCE"
	     "\x0c\x01\x02\x03\x04"),
	 1, true, 0x04030201},
	{ROW("\x08"
	     "CPCE"
	     "\x0e\x01\x00\x00\x00\x00\x00\x00\x80"),
	 1, true, 0x8000000000000001},
	{ROW("\x08\\.\x2e"
	     "_SB_"
	     "CPCE"
	     "\x01"),
	 0, false, 0}, /* "\." is no prefix */
	{ROW("\x08\x5c\x2e"
	     "_SB_"
	     "CPCE"
	     "\x01"),
	 1, true, 1},
	{ROW("\x08\x2e"
	     "_SB_"
	     "CPCE"
	     "\x00"),
	 1, true, 0},
	{ROW("\x2e"
	     "_SB_"
	     "CPCE"
	     "\x01"),
	 0, false, 0}, /* used */
	{ROW("\x5c\x2e"
	     "_SB_"
	     "CPCE"
	     "\x01"),
	 0, false, 0},
	{ROW("\x08\x2e"
	     "_PR_"
	     "CPCE"
	     "\x01"),
	 0, false, 0}, /* another scope */
	/* Used as the predicate of an If whose PkgLength is 8. */
	{ROW("\xa0\x08"
	     "CPCE"
	     "\xa4\x0a\x12"),
	 0, false, 0},
	/* No number: a string, a buffer, a package. */
	{ROW("\x08"
	     "CPCE"
	     "\x0d"
	     "1\0"),
	 1, false, 0},
	{ROW("\x08"
	     "CPCE"
	     "\x11\x03\x0a\x01\x01"),
	 1, false, 0},
	{ROW("\x08"
	     "CPCE"
	     "\x12\x03\x01\x01"),
	 1, false, 0},
	/* In a string and in a buffer it cannot be told from a definition: then there are two. */
	{ROW("\x08"
	     "CPCE"
	     "\x00\x08"
	     "STR1"
	     "\x0d\x08"
	     "CPCE"
	     "\x01\0"),
	 2, true, 1},
	{ROW("\x08"
	     "CPCE"
	     "\x00\x08"
	     "BUF1"
	     "\x11\x09\x0a\x06\x08"
	     "CPCE"
	     "\x01"),
	 2, true, 1},
	{ROW("\x08"
	     "CPCE"
	     "\x01\x08"
	     "CPCE"
	     "\x01"),
	 2, true, 1},
	/* Cut off. */
	{ROW("\x08"
	     "CPCE"),
	 1, false, 0},
	{ROW("\x08"
	     "CPCE"
	     "\x0a"),
	 1, false, 0},
	{ROW("\x08"
	     "CPCE"
	     "\x0e\x01\x00\x00\x00\x00\x00\x00"),
	 1, false, 0},
	{ROW("\x08"
	     "CPC"),
	 0, false, 0},
	{ROW("CPCE"), 0, false, 0},
	{ROW("CPCE"
	     "\x01"),
	 0, false, 0},
	{ROW("_SB_"
	     "CPCE"
	     "\x01"),
	 0, false, 0},
	{ROW("\x2e"
	     "_SB_"
	     "CPCE"),
	 0, false, 0},
	{ROW(""), 0, false, 0},
	{ROW("\x08"
	     "CPCCPCE"
	     "\x01"),
	 0, false, 0},
};

static void a_name_counts_where_it_is_defined(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct aml_integer found = {0};
		/* A copy that ends with its allocation: nothing beyond it may be read. */
		char *bytes = test_malloc(rows[i].size + 1);

		memcpy(bytes + 1, rows[i].bytes, rows[i].size);
		aml_find((struct view){bytes + 1, rows[i].size}, "CPCE", &found);
		test_free(bytes);
		if (found.definitions != rows[i].definitions ||
		    found.constant != rows[i].constant ||
		    (found.constant && found.number != rows[i].number))
			fail_msg("row %zu: %zu definitions, %s, %llu", i, found.definitions,
				 found.constant ? "a number" : "no number",
				 (unsigned long long)found.number);
	}
}

static void tables_add_up(void **state)
{
	struct aml_integer found = {0};

	(void)state;
	aml_find(VIEW("\x08"
		      "CPCE"
		      "\x01"),
		 "CPCE", &found);
	aml_find(VIEW("\x08"
		      "LPIE"
		      "\x00"),
		 "CPCE", &found);
	assert_int_equal(found.definitions, 1);
	assert_int_equal(found.number, 1);
	aml_find(VIEW("\x08"
		      "CPCE"
		      "\x01"),
		 "CPCE", &found);
	assert_int_equal(found.definitions, 2);
}

static void many_are_counted_in_one_pass(void **state)
{
	static char bytes[6 << 14];
	struct aml_integer found = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i += 6)
		memcpy(bytes + i,
		       "\x08"
		       "CPCE"
		       "\x01",
		       6);
	aml_find((struct view){bytes, sizeof(bytes)}, "CPCE", &found);
	assert_int_equal(found.definitions, 1 << 14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_counts_where_it_is_defined),
		cmocka_unit_test(tables_add_up),
		cmocka_unit_test(many_are_counted_in_one_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
