// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/statistics.h"

#include <math.h>

#define SAMPLES_MAX 1000

/* Which order statistics bound the median, and with which coverage: sums of math.comb(n, j) / 2**n
 * as fractions, by Python. `order` 0: none has the confidence. Samples are 1 … n, out of order. */
static void order_statistics_have_the_exact_coverage(void **state)
{
	static const struct {
		size_t count;
		double confidence;
		size_t order;
		double coverage;
	} rows[] = {
		{1, 0.95, 0, 0},
		{5, 0.95, 0, 0},
		{6, 0.95, 1, 0.96875},
		{6, 0.98, 0, 0},
		{7, 0.98, 1, 0.984375},
		{7, 0.99, 0, 0},
		{8, 0.95, 1, 0.9921875},
		{9, 0.95, 2, 0.9609375},
		{10, 0.95, 2, 0.978515625},
		{11, 0.98, 2, 0.98828125},
		{15, 0.95, 4, 0.96484375},
		{20, 0.95, 6, 0.9586105346679688},
		{25, 0.98, 7, 0.985366702079773},
		{31, 0.98, 9, 0.9893261594697833},
		{50, 0.95, 18, 0.9671608624357315},
		{100, 0.95, 40, 0.9647997997822951},
		{1000, 0.95, 469, 0.9537088026395019},
		{1000, 0.99, 459, 0.9913600509977395},
	};
	double samples[SAMPLES_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t count = rows[i].count;
		struct statistics_interval interval;

		for (size_t j = 0; j < count; j++)
			samples[j] = (double)(j % 2 ? count - j / 2 : j / 2 + 1);
		statistics_interval(samples, count, rows[i].confidence, &interval);
		assert_int_equal(interval.count, count);
		assert_true(interval.median == (double)(count + 1) / 2);
		if (!rows[i].order) {
			assert_true(isnan(interval.low) && isnan(interval.high));
			continue;
		}
		if (interval.low != (double)rows[i].order ||
		    interval.high != (double)(count + 1 - rows[i].order) ||
		    fabs(interval.coverage - rows[i].coverage) > 1e-12)
			fail_msg("%zu: %g to %g with %.16g", count, interval.low, interval.high,
				 interval.coverage);
	}
}

/* More than 1100 samples: 2**-n is no double any more. */
static void many_samples_do_not_underflow(void **state)
{
	static double samples[100001];
	struct statistics_interval interval;

	(void)state;
	for (size_t i = 0; i < 100001; i++)
		samples[i] = (double)i;
	statistics_interval(samples, 100001, 0.95, &interval);
	/* One order more or less is 0.0007. Half a width of 1.96 standard deviations, sqrt(n) / 2
	 * each, is 309.9. */
	assert_true(interval.coverage >= 0.95 && interval.coverage < 0.951);
	assert_true(fabs(interval.high - interval.low - 2 * 309.9) < 4);
}

static void nothing_has_no_median(void **state)
{
	struct statistics_interval interval;
	double none = 0;

	(void)state;
	statistics_interval(&none, 0, 0.95, &interval);
	assert_true(isnan(interval.median) && isnan(interval.low) && isnan(interval.high));
}

static void an_invocation_is_one_sample(void **state)
{
	struct statistics_sample samples[] = {{2, 5}, {0, 9}, {2, 1}, {0, 1}, {7, 4},
					      {2, 3}, {0, 2}, {2, 9}, {0, 4}};
	double medians[9];

	(void)state;
	assert_int_equal(statistics_invocations(samples, 9, medians), 3);
	assert_true(medians[0] == 3 && medians[1] == 4 && medians[2] == 4);
	assert_int_equal(statistics_invocations(samples, 0, medians), 0);
}

static void when_to_stop(void **state)
{
	static const struct statistics_stop stop = {.least = 7, .most = 31, .narrow = 0.005};
	static const struct {
		struct statistics_interval interval;
		bool enough;
	} rows[] = {
		{{.median = 100, .low = 99.5, .high = 100.5, .count = 7}, true},
		{{.median = 100, .low = 99.5, .high = 100.6, .count = 7}, false},
		{{.median = 100, .low = 99.5, .high = 100.5, .count = 6}, false},
		{{.median = 100, .low = 50, .high = 150, .count = 31}, true},
		{{.median = 100, .low = NAN, .high = NAN, .count = 30}, false},
		{{.median = NAN, .low = NAN, .high = NAN, .count = 0}, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(statistics_enough(&rows[i].interval, &stop), rows[i].enough);
}

static void a_third_dropped_is_too_noisy(void **state)
{
	(void)state;
	assert_false(statistics_noisy(20, 10));
	assert_true(statistics_noisy(20, 11));
	assert_false(statistics_noisy(20, 0));
	assert_true(statistics_noisy(0, 1));
	assert_false(statistics_noisy(7, 0));
}

/*
 * Which ratio bounds the interval: k of Mann-Whitney's table, counted by enumerating ranks in
 * Python (one side at most 0.5 %): 4 and 6 samples 1, 5 and 5 1, 5 and 7 2, 7 and 7 5, 7 and 31 42,
 * 11 and 11 22; 4 and 5 none. With `before` all 1, the ratios are those of `now`, each `m` times:
 * the k-th is that of number (k - 1) / m.
 */
static void the_interval_of_a_ratio(void **state)
{
	static const struct {
		size_t before, now, beyond;
	} rows[] = {{4, 5, 0}, {4, 6, 1},   {5, 5, 1},   {5, 7, 2},
		    {7, 7, 5}, {7, 31, 42}, {11, 11, 22}};
	double before[40], now[40];

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		before[i] = 1;
		now[i] = 2 + (double)i;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct statistics_groups first = {before, rows[i].before},
					 second = {now, rows[i].now};
		struct statistics_comparison found;
		double low, high;

		statistics_compare(&first, &second, 0.03, &found);
		assert_true(found.ratio == (double)(rows[i].now + 3) / 2);
		if (!rows[i].beyond) {
			assert_true(isnan(found.low) && isnan(found.high));
			assert_int_equal(found.change, CHANGE_UNDECIDED);
			continue;
		}
		low = 2 + (double)((rows[i].beyond - 1) / rows[i].before);
		high = (double)(rows[i].now + 3) - low;
		if (found.low != low || found.high != high)
			fail_msg("%zu and %zu: %g to %g", rows[i].before, rows[i].now, found.low,
				 found.high);
		assert_int_equal(found.change, CHANGE_FASTER);
	}
}

/* Seven invocations a side that scatter by 0.2 % around 100 and around each of these. */
static void verdicts(void **state)
{
	static const double scatter[] = {-0.2, -0.1, -0.05, 0, 0.05, 0.1, 0.2};
	static const struct {
		double now, times;
		enum statistics_change change;
	} rows[] = {
		{100, 1, CHANGE_NONE},      {99, 1, CHANGE_NONE},        {101, 1, CHANGE_NONE},
		{97, 1, CHANGE_SLOWER},     {98.4, 1, CHANGE_SLOWER},    {98.6, 1, CHANGE_NONE},
		{103, 1, CHANGE_FASTER},    {101.6, 1, CHANGE_FASTER},   {50, 1, CHANGE_SLOWER},
		{97, 40, CHANGE_UNDECIDED}, {100, 40, CHANGE_UNDECIDED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double before[7], now[7];
		struct statistics_groups first = {before, 7}, second = {now, 7};
		struct statistics_comparison found;

		for (size_t j = 0; j < 7; j++) {
			before[j] = 100 + scatter[j] * rows[i].times;
			now[6 - j] = rows[i].now + scatter[j] * rows[i].times;
		}
		statistics_compare(&first, &second, 0.03, &found);
		if (found.change != rows[i].change)
			fail_msg("%g times %g: %d, %g (%g to %g)", rows[i].now, rows[i].times,
				 (int)found.change, found.ratio, found.low, found.high);
	}
}

static void thousands_of_invocations_are_thinned_evenly(void **state)
{
	static double before[5000], now[5000];
	struct statistics_groups first = {before, 5000}, second = {now, 5000}, none = {now, 0};
	struct statistics_comparison found;

	(void)state;
	for (size_t i = 0; i < 5000; i++) {
		before[i] = 100 + (double)(i % 7) * 0.01;
		now[i] = 96 + (double)(i % 11) * 0.01;
	}
	statistics_compare(&first, &second, 0.03, &found);
	assert_int_equal(found.change, CHANGE_SLOWER);
	statistics_compare(&first, &none, 0.03, &found);
	assert_int_equal(found.change, CHANGE_UNDECIDED);
	assert_true(isnan(found.ratio));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_statistics_have_the_exact_coverage),
		cmocka_unit_test(many_samples_do_not_underflow),
		cmocka_unit_test(nothing_has_no_median),
		cmocka_unit_test(an_invocation_is_one_sample),
		cmocka_unit_test(when_to_stop),
		cmocka_unit_test(a_third_dropped_is_too_noisy),
		cmocka_unit_test(the_interval_of_a_ratio),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(thousands_of_invocations_are_thinned_evenly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
