// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench_made.h"

static void near(double found, double wanted)
{
	if (!(fabs(found - wanted) <= 1e-9))
		fail_msg("%.12g, wanted %.12g", found, wanted);
}

static void the_spread_is_of_the_lowest(void **state)
{
	static const double same[] = {3e9, 3e9, 3e9}, apart[] = {3.03e9, 3e9, 3.01e9},
			    missing[] = {3e9, NAN}, zero[] = {3e9, 0};

	(void)state;
	near(scaling_spread(same, 3), 0);
	near(scaling_spread(apart, 3), 0.01);
	near(scaling_spread(apart, 1), 0);
	assert_true(isnan(scaling_spread(missing, 2)));
	assert_true(isnan(scaling_spread(zero, 2)));
	assert_true(isnan(scaling_spread(same, 0)));
}

static void a_verdict_needs_equal_clocks(void **state)
{
	static const struct {
		double spread;
		const char *outcome, *reason;
	} rows[] = {
		{0, "fail", "was below"},
		{0.005, "fail", "was below"},
		{0.006, "unknown",
		 "no verdict: the clocks of the workers differ by 0.6 %, more than 0.5 %"},
		{0.2, "unknown",
		 "no verdict: the clocks of the workers differ by 20.0 %, more than 0.5 %"},
		{NAN, "unknown", "no verdict: the clock of every worker could not be measured"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench_result result = {.outcome = "fail", .reason = "was below"};

		scaling_hold(*state, rows[i].spread, &result);
		assert_string_equal(result.outcome, rows[i].outcome);
		assert_string_equal(result.reason, rows[i].reason);
	}
}

/* Without a published number no clock is asked for. 61.0 / (4 x 15.41) = 0.98961713…; the last has
 * a number of its own device, but of another size. */
static void efficiency_is_of_the_same_case_on_one_core(void **state)
{
	static const struct suite_case gcm = {.name = "aes-gcm-128", .unit = "Gbps"};
	static const struct {
		const char *device;
		int64_t size_bytes, cores;
		double gbps, efficiency; /* 0: not measured */
	} rows[] = {
		{"crypto_openssl", 1024, 1, 15.41, NAN},
		{"crypto_openssl", 1024, 4, 61.0, 61.0 / 61.64},
		{"crypto_openssl", 1024, 8, 0, NAN},
		{"crypto_ipsec_mb", 1024, 4, 61.0, NAN},
		{"crypto_openssl", 64, 4, 20, NAN},
	};
	struct bench *bench = made_bench(*state, "altra", "Q80-30");
	struct bench_series *series[5];
	struct bench_unit unit = {.series = series, .count = 5};

	for (size_t i = 0; i < 5; i++) {
		struct bench_result *result;

		series[i] = made_series(*state, &gcm);
		result = &series[i]->result;
		result->outcome = "pass";
		result->device = rows[i].device;
		result->size_bytes = rows[i].size_bytes;
		result->cores = rows[i].cores;
		if (rows[i].gbps > 0) {
			result->estimate = arena_new(*state, struct bench_estimate);
			result->estimate->value = rows[i].gbps;
		}
	}
	bench->series = series;
	bench->series_count = 5;
	bench->units = &unit;
	bench->unit_count = 1;
	bench_scale(bench);
	for (size_t i = 0; i < 5; i++) {
		if (isnan(rows[i].efficiency))
			assert_true(isnan(series[i]->result.efficiency));
		else
			near(series[i]->result.efficiency, rows[i].efficiency);
		assert_string_equal(series[i]->result.outcome, "pass");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_spread_is_of_the_lowest),
		cmocka_unit_test(a_verdict_needs_equal_clocks),
		cmocka_unit_test(efficiency_is_of_the_same_case_on_one_core),
	};

	return cmocka_run_group_tests_name("bench_scaling", tests, made_setup, made_teardown);
}
