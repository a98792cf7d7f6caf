// SPDX-License-Identifier: BSD-2-Clause
/* Robust scores, texts kept once, numbers as they are shown, and what a pair of results says of
 * drift. */
#include "base/arena.h"
#include "base/error.h"
#include "report/diff.h"
#include "report/number.h"
#include "report/pool.h"
#include "report/results_set.h"
#include "report/robust.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NEAR 1e-9

/* Medians and scales by hand: 1.4826 times the median distance, or 1.2533 times the mean one. */
static void scores_are_those_of_the_definition(void **state)
{
	static const struct {
		double values[8];
		size_t count;
		double median, scale, value, score;
	} rows[] = {
		{{1, 2, 3, 4, 50}, 5, 3, 1.4826, 50, 47 / 1.4826},
		{{5, 5, 5, 5, 10}, 5, 5, 1.2533, 10, 5 / 1.2533},
		{{4, 1, 3, 2, 6, 5}, 6, 3.5, 1.4826 * 1.5, 3.5, 0},
		{{-2, -1, 0, 1, 2, 3, 4}, 7, 1, 1.4826 * 2, -2, -3 / (1.4826 * 2)},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double values[8], scratch[8];
		struct robust robust;

		memcpy(values, rows[i].values, sizeof(values));
		robust = robust_of(values, scratch, rows[i].count);
		assert_true(fabs(robust.median - rows[i].median) < NEAR);
		assert_true(fabs(robust.scale - rows[i].scale) < NEAR);
		assert_true(fabs(robust_score(&robust, rows[i].value) - rows[i].score) < NEAR);
	}
}

static void few_or_equal_values_have_no_score(void **state)
{
	double few[] = {1, 2, 3, 100}, equal[] = {7, 7, 7, 7, 7}, scratch[5];
	struct robust robust = robust_of(few, scratch, 4);

	(void)state;
	assert_true(isnan(robust_score(&robust, 100)));
	robust = robust_of(equal, scratch, 5);
	assert_true(isnan(robust_score(&robust, 7)));
	assert_true(isnan(robust_score(&robust, 8)));
}

static void equal_texts_of_a_pool_are_one_and_its_room_is_bounded(void **state)
{
	struct arena arena;
	struct pool pool;
	const char *first;
	char text[16];

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	pool = pool_new(&arena, 50000);
	assert_null(pool_text(&pool, NULL));
	first = pool_text(&pool, "first");
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 5000; i++) {
			snprintf(text, sizeof(text), "text %d", i);
			assert_string_equal(pool_text(&pool, text), text);
		}
	}
	assert_int_equal(pool.count, 5001);
	assert_ptr_equal(pool_text(&pool, "first"), first);
	assert_false(pool.full);
	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "more %d", i);
		pool_text(&pool, text);
	}
	assert_true(pool.full && pool.bytes <= 50000);
	assert_ptr_equal(pool_text(&pool, "first"), first);
	arena_release(&arena);
}

static void numbers_have_as_many_digits_as_were_asked_for(void **state)
{
	static const struct {
		double number;
		const char *text;
	} rows[] = {{9.996, "10.0"}, {0.00123456, "0.00123"}, {812345, "812000"},
		    {1, "1.00"},     {99.95, "100"},          {NAN, "n/a"}};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(number_digits(&arena, rows[i].number, 3), rows[i].text);
	arena_release(&arena);
}

/* A result of bench with one number. */
static const struct results *bench_of(struct arena *arena, double low, double high,
				      const char *library, const char *kernel)
{
	struct result_number *number = arena_new(arena, struct result_number);
	struct result_item *item = arena_new(arena, struct result_item);
	struct results *results = arena_new(arena, struct results);
	struct result_member *members = arena_array(arena, struct result_member, 2);

	*number = (struct result_number){.unit = "Gbps",
					 .value = (low + high) / 2,
					 .low = low,
					 .high = high,
					 .reference = NAN,
					 .library_version = library};
	*item = (struct result_item){.id = "a", .outcome = "pass", .number = number};
	members[0] = (struct result_member){"kernel", kernel};
	members[1] = (struct result_member){"cpus", "80"};
	*results = (struct results){.name = "r",
				    .command = "bench",
				    .host = {members, 2, 2},
				    .items = item,
				    .count = 1};
	return results;
}

static void drift_is_judged_in_the_same_circumstances_only(void **state)
{
	static const struct {
		double low, high;
		const char *library, *kernel;
		const char *drift, *two; /* kind of the change; NULL: none */
	} rows[] = {
		{8.0, 8.9, "3", "6.1", "worse", "worse"},
		{11.1, 12.0, "3", "6.1", "better", "better"},
		{8.0, 9.0, "3", "6.1", NULL, NULL},
		{11.0, 12.0, "3", "6.1", NULL, NULL},
		{8.0, 8.9, "4", "6.1", "changed", "worse"},
		{8.0, 8.9, "3", "6.2", "changed", "worse"},
		{11.1, 12.0, "4", "6.1", "changed", "better"},
		{NAN, NAN, "3", "6.1", "changed", "changed"},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct results *before = bench_of(&arena, 9.0, 11.0, "3", "6.1");
		const struct results *after = bench_of(&arena, rows[i].low, rows[i].high,
						       rows[i].library, rows[i].kernel);
		struct changes drift = {0}, two = {0};

		diff_results(&arena, before, after, DIFF_DRIFT, &drift);
		diff_results(&arena, before, after, DIFF_TWO, &two);
		assert_int_equal(drift.summary.same, rows[i].drift == NULL);
		if (rows[i].drift) {
			assert_string_equal(drift.items[0].kind, rows[i].drift);
			assert_string_equal(two.items[0].kind, rows[i].two);
		} else {
			assert_int_equal(two.summary.same, 1);
		}
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scores_are_those_of_the_definition),
		cmocka_unit_test(few_or_equal_values_have_no_score),
		cmocka_unit_test(equal_texts_of_a_pool_are_one_and_its_room_is_bounded),
		cmocka_unit_test(numbers_have_as_many_digits_as_were_asked_for),
		cmocka_unit_test(drift_is_judged_in_the_same_circumstances_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
