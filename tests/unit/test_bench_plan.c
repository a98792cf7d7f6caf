// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "bench_made.h"

static int64_t sizes[] = {64, 1024}, one_and_four[] = {1, 4};
static const char *devices[] = {"crypto_openssl", "crypto_ipsec_mb"};

static struct suite_case cases[] = {
	{.name = "sha-256", .engine = "kat", .unit = "Gbps", .sizes = {sizes, 2}},
	{.name = "rsa-2048-sign", .engine = "kat", .unit = "MOps"},
	{.name = "aes-gcm-128",
	 .engine = "dpdk-crypto-perf",
	 .unit = "Gbps",
	 .devices = {.items = devices, .count = 2},
	 .sizes = {sizes, 2},
	 .cores = {one_and_four, 2}},
	{.name = "aes-128-gcm", .engine = "openssl-speed", .unit = "Gbps", .sizes = {sizes, 2}},
};

static const struct suite every = {.name = "s", .version = 2, .seconds = 30, .cases = {cases, 4}};
static const struct suite library = {.name = "l", .version = 1, .seconds = 5, .cases = {cases, 2}};

/* Of one node with four CPUs. */
static bool plan(struct arena *arena, const struct bench_choice *choice, struct bench **out,
		 struct error *err)
{
	struct eal_host *host = arena_new(arena, struct eal_host);

	*host = (struct eal_host){.nodes = arena_new(arena, struct eal_node),
				  .node_count = 1,
				  .why_no_huge = "no huge pages are reserved"};
	host->nodes[0] = (struct eal_node){
		.cpus = arena_array(arena, uint32_t, 4), .cpu_count = 4, .core_count = 4};
	for (uint32_t i = 0; i < 4; i++)
		host->nodes[0].cpus[i] = i;
	*out = made_bench(arena, "altra", "Q80-30");
	(*out)->budget_ms = 0;
	(*out)->cpus = host;
	return bench_plan(*out, choice, err);
}

static struct bench *plan_names(struct arena *arena, const char *only, const char *skip,
				const struct numbers *cores)
{
	const struct suite *const suites[] = {&every};
	struct names only_names = {0}, skip_names = {0};
	const struct numbers none = {0};
	const struct bench_choice choice = {.suites = suites,
					    .suite_count = 1,
					    .only = &only_names,
					    .skip = &skip_names,
					    .cores = cores ? cores : &none};
	struct error err = {0};
	struct bench *bench;

	if (only)
		names_add(arena, &only_names, only);
	if (skip)
		names_add(arena, &skip_names, skip);
	if (!plan(arena, &choice, &bench, &err))
		fail_msg("%s", err.text);
	return bench;
}

static void ids_stand_in_the_order_of_the_suite(void **state)
{
	static const char *const ids[] = {
		"s/sha-256/kat/64/1",
		"s/sha-256/kat/1024/1",
		"s/rsa-2048-sign/kat/0/1",
		"s/aes-gcm-128/crypto_openssl/64/1",
		"s/aes-gcm-128/crypto_openssl/1024/1",
		"s/aes-gcm-128/crypto_openssl/64/4",
		"s/aes-gcm-128/crypto_openssl/1024/4",
		"s/aes-gcm-128/crypto_ipsec_mb/64/1",
		"s/aes-gcm-128/crypto_ipsec_mb/1024/1",
		"s/aes-gcm-128/crypto_ipsec_mb/64/4",
		"s/aes-gcm-128/crypto_ipsec_mb/1024/4",
		"s/aes-128-gcm/openssl-speed/64/1",
		"s/aes-128-gcm/openssl-speed/1024/1",
	};
	struct bench *bench = plan_names(*state, NULL, NULL, NULL);

	assert_int_equal(bench->series_count, sizeof(ids) / sizeof(ids[0]));
	for (size_t i = 0; i < bench->series_count; i++) {
		const struct bench_result *result = &bench->series[i]->result;

		assert_string_equal(result->id, ids[i]);
		assert_int_equal(result->suite_version, 2);
		assert_false(result->verified);
		assert_null(result->estimate);
	}
	assert_int_equal(bench->budget_ms, 30000);
}

/* One process for all of the library, one per device and number of cores, one per size of a
 * program that measures one after the other. */
static void units_are_processes(void **state)
{
	static const struct {
		const char *what;
		size_t series;
	} units[] = {
		{"libcrypto", 3},
		{"aes-gcm-128 crypto_openssl", 2},
		{"aes-gcm-128 crypto_openssl", 2},
		{"aes-gcm-128 crypto_ipsec_mb", 2},
		{"aes-gcm-128 crypto_ipsec_mb", 2},
		{"s/aes-128-gcm/openssl-speed/64/1", 1},
		{"s/aes-128-gcm/openssl-speed/1024/1", 1},
	};
	struct bench *bench = plan_names(*state, NULL, NULL, NULL);

	assert_int_equal(bench->unit_count, sizeof(units) / sizeof(units[0]));
	for (size_t i = 0; i < bench->unit_count; i++) {
		assert_string_equal(bench->units[i].what, units[i].what);
		assert_int_equal(bench->units[i].count, units[i].series);
	}
	assert_ptr_equal(bench->units[0].driver, &bench_kat_driver);
	assert_ptr_equal(bench->units[1].driver, &bench_dpdk_driver);
	assert_ptr_equal(bench->units[5].driver, &bench_openssl_driver);
}

/* Four workers and the main lcore are five CPUs: this host has four. */
static void cores_that_are_not_there_are_na(void **state)
{
	struct bench *bench = plan_names(*state, NULL, NULL, NULL);

	for (size_t i = 0; i < bench->series_count; i++) {
		const struct bench_series *series = bench->series[i];
		bool na = series->result.cores == 4;

		assert_int_equal(series->over, na);
		assert_string_equal(series->result.outcome, na ? "na" : "unknown");
		if (na)
			assert_non_null(series->result.reason);
		if (series->result.device && !na)
			assert_string_equal(series->result.core_list, "node 0: main 0, workers 1");
		else
			assert_null(series->result.core_list);
	}
	assert_false(bench->broken);
}

static void only_and_skip_are_globs_of_ids(void **state)
{
	static const struct {
		const char *only, *skip;
		size_t series, units;
	} rows[] = {
		{"s/sha-256/*", NULL, 2, 1}, {"*/1024/1", NULL, 4, 4}, {NULL, "*/kat/*", 10, 6},
		{"s/*", "*/crypto_*", 5, 3}, {"sha-256", NULL, 0, 0},  {"*/64/*", "*/64/*", 0, 0},
		{"*/4", NULL, 4, 2},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench *bench = plan_names(*state, rows[i].only, rows[i].skip, NULL);

		if (bench->series_count != rows[i].series || bench->unit_count != rows[i].units)
			fail_msg("row %zu: %zu series, %zu units", i, bench->series_count,
				 bench->unit_count);
	}
}

static void cores_asked_for_replace_those_of_the_case(void **state)
{
	int64_t two[] = {2};
	const struct numbers cores = {two, 1};
	struct bench *bench = plan_names(*state, NULL, NULL, &cores);

	assert_int_equal(bench->series_count, 9);
	assert_int_equal(bench->unit_count, 5);
	assert_string_equal(bench->series[3]->result.id, "s/aes-gcm-128/crypto_openssl/64/2");
	assert_string_equal(bench->series[3]->result.core_list, "node 0: main 0, workers 1-2");
	assert_string_equal(bench->series[0]->result.id, "s/sha-256/kat/64/1");
}

/* 2 devices x 5001 x 2 sizes and 5 others; a library has one core, however many are asked for. */
static void too_many_measurements_are_refused(void **state)
{
	const struct suite *const suites[] = {&every}, *const libraries[] = {&library};
	const struct names none = {0};
	struct numbers cores = {arena_array(*state, int64_t, 20001), 5001};
	struct bench_choice choice = {
		.suites = suites, .suite_count = 1, .only = &none, .skip = &none, .cores = &cores};
	struct error err = {0};
	struct bench *bench;

	assert_false(plan(*state, &choice, &bench, &err));
	assert_int_equal(err.exit_code, EXIT_USAGE);
	assert_string_equal(err.text, "20009 measurements are more than 20000: choose fewer "
				      "suites or cores");
	choice.suites = libraries;
	cores.count = 20001;
	assert_true(plan(*state, &choice, &bench, &err));
	assert_int_equal(bench->series_count, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_stand_in_the_order_of_the_suite),
		cmocka_unit_test(units_are_processes),
		cmocka_unit_test(cores_that_are_not_there_are_na),
		cmocka_unit_test(only_and_skip_are_globs_of_ids),
		cmocka_unit_test(cores_asked_for_replace_those_of_the_case),
		cmocka_unit_test(too_many_measurements_are_refused),
	};

	return cmocka_run_group_tests_name("bench_plan", tests, made_setup, made_teardown);
}
