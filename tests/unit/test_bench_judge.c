// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/statistics.h"
#include "bench_made.h"
#include "check/finding.h"

#define GUIDE "Ampere, DPDK Cryptography Build and Tuning Guide"

static void near(double found, double wanted)
{
	if (!(fabs(found - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%.12g, wanted %.12g", found, wanted);
}

static const char *limits[] = {"aes-128", "ghash"};
static const char *checks[] = {"cpu.governor", "memory.*"};
static const struct suite_case gcm = {.name = "aes-gcm-128",
				      .engine = "dpdk-crypto-perf",
				      .unit = "Gbps",
				      .limits = {.items = limits, .count = 2},
				      .checks = {.items = checks, .count = 2}};

/* The guide's number: 15.4671 Gbps on a Q80-30; it disagrees with itself by 0.98 %. */
static struct reference_row published[] = {
	{"aes-gcm-128", "crypto_openssl", 1024, 1, 15.4671, 1.8881}};
static struct reference guide[] = {{.name = "altra-q80-30",
				    .source = GUIDE,
				    .family = "altra",
				    .sku = "Q80-30",
				    .clock_ghz = 3.0,
				    .spread = 0.0098,
				    .rows = {published, 1}}};

/* Three samples of each of seven processes; the medians are 98.5, 99, … 101.5 % of `gbps`. */
static struct bench_series *measured(struct bench *bench, double gbps)
{
	static const double shape[] = {1.5, 0, -0.5}; /* % beside the median, lowest last */
	struct bench_series *series = made_series(bench->arena, &gcm);

	for (int64_t invocation = 6; invocation >= 0; invocation--) {
		for (size_t i = 0; i < 3; i++) {
			const struct bench_sample sample = {
				.invocation = invocation,
				.value = gbps *
					 (0.985 + 0.005 * (double)invocation + shape[i] / 100),
				.switches = -1};

			bench_sample(bench, series, &sample);
		}
	}
	series->result.device = "crypto_openssl";
	series->result.verified = true;
	series->result.unverified = NULL;
	return series;
}

static struct bench *bench_of(struct arena *arena, const char *family, const char *sku)
{
	static const struct references references = {guide, 1};
	struct bench *bench = made_bench(arena, family, sku);

	bench->references = &references;
	return bench;
}

static void judge(struct bench *bench, struct bench_series *series)
{
	struct bench_series **list = arena_new(bench->arena, struct bench_series *);

	*list = series;
	bench->series = list;
	bench->series_count = 1;
	bench_judge(bench);
}

/* Seven medians: with 98 % confidence the first and the last of them bound the median. */
static void the_interval_is_of_the_medians_of_invocations(void **state)
{
	struct bench *bench = bench_of(*state, "altra", "Q80-30");
	struct bench_series *series = measured(bench, 12);
	const struct bench_sample wild = {.invocation = 6, .value = 900, .dropped = "switched"};
	struct statistics_interval interval;

	bench_sample(bench, series, &wild);
	bench_interval(bench, series, &interval);
	assert_int_equal(interval.count, 7);
	near(interval.median, 12);
	near(interval.low, 12 * 0.985);
	near(interval.high, 12 * 1.015);
}

/* 12 / 15.4671 = 0.77584; 3 % below is 15.003087. 12 Gbps are 1.5e9 bytes/s: 1.6 cycles of 2.4 GHz
 * each, 10/16 x 1.5e9 of 6e9 rounds (15.6 %) and 3/16 x 1.5e9 of 3e9 products (9.4 %). */
static void a_shortfall_is_explained(void **state)
{
	static const char *const lines[] = {
		"cpu.governor: found ondemand, wanted performance; it costs: up to half",
		"loaded: /opt/x/libcrypto.so.3, OpenSSL 3.5.7, OPENSSL_armcap=0xbd",
		("clock: 2.40 GHz measured, rated 3.0 GHz: this much of the shortfall is the "
		 "clock's"),
		"the core itself: 16 % of what its aes-128 instructions can do",
		"to confirm: set the governor to performance and measure again",
	};
	struct finding findings[] = {
		{.id = "cpu.governor",
		 .outcome = "fail",
		 .found = value_text("ondemand"),
		 .wanted = "performance",
		 .cost = "up to half"},
		{.id = "memory.hugepages", .outcome = "pass", .found = value_number(8)},
		{.id = "memory.thp", .outcome = "unknown", .found = value_none("no such file")},
		{.id = "pci.width", .outcome = "fail", .found = value_number(4), .wanted = "16"},
	};
	const struct field_array all = {findings, 4};
	struct kat_limit core[] = {{"pmull", 3e9}, {"aes", 6e9}};
	struct bench *bench = bench_of(*state, "altra", "Q80-30");
	struct bench_series *series = measured(bench, 12);
	struct bench_result *result = &series->result;

	bench->clock_hz = 2.4e9;
	bench->findings = &all;
	bench->core = (struct kat_output){.limits = core, .limit_count = 2};
	result->library = (struct bench_library){"/opt/x/libcrypto.so.3", "OpenSSL 3.5.7",
						 "OPENSSL_armcap=0xbd"};
	judge(bench, series);
	assert_string_equal(result->outcome, "fail");
	assert_string_equal(result->reason, "12 Gbps is 77.6 % of the published 15.47 Gbps, the "
					    "band begins at 15");
	near(result->rates.gbps, 12);
	near(result->cycles_per_byte, 1.6);
	near(result->limit_share, 0.15625);
	assert_string_equal(result->limit, "aes-128");
	assert_string_equal(result->reference->comparable, "same");
	assert_int_equal(result->explain.count, sizeof(lines) / sizeof(lines[0]));
	for (size_t i = 0; i < result->explain.count; i++)
		assert_string_equal(result->explain.items[i], lines[i]);
	assert_int_equal(result->raw.count, 21);
	assert_false(bench->broken);
}

/* What would confirm: at the rated clock the first finding, else the library alone, where the
 * library suite has that algorithm, else another core. */
static void one_measurement_would_confirm(void **state)
{
	static const char library[] = "to confirm: measure the library alone: ampere-crypto bench "
				      "library --only 'library/*gcm*'",
			  core[] = "to confirm: measure on another core of the same node: taskset "
				   "-c N ampere-crypto bench";
	struct finding finding = {.id = "memory.hugepages",
				  .outcome = "fail",
				  .found = value_none("none"),
				  .wanted = "1 GB"};
	const struct field_array all = {&finding, 1};
	static const struct {
		const char *name, *device;
		bool finding;
		double clock_hz;
		const char *text;
	} rows[] = {
		{"aes-gcm-128", "crypto_openssl", true, 3e9,
		 "to confirm: mend the first of these and measure again with --baseline"},
		{"aes-gcm-128", "crypto_openssl", false, 2.95e9, library},
		{"aes-gcm-128", "crypto_openssl", false, NAN, library},
		{"snow3g-uea2", "crypto_snow3g", false, 3e9, core},
		{"aes-128-gcm-update", NULL, false, 3e9, core},
		{"aes-128-gcm-update", NULL, true, 2.9e9,
		 "to confirm: set the governor to performance and measure again"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench *bench = bench_of(*state, "altra", "Q80-30");
		struct bench_series *series = made_series(*state, &gcm);
		const struct names *lines = &series->result.explain;

		series->result.name = rows[i].name;
		series->result.device = rows[i].device;
		bench->clock_hz = rows[i].clock_hz;
		bench->findings = rows[i].finding ? &all : NULL;
		bench_explain(bench, series);
		assert_string_equal(lines->items[lines->count - 1], rows[i].text);
	}
}

/* Q80-26 runs at 2.6/3.0 of the clock: 13.40482, 5 % below it 12.734579. */
static void bands_of_the_same_and_of_other_models(void **state)
{
	static const struct {
		const char *family, *sku;
		double gbps;
		const char *outcome, *comparable;
	} rows[] = {
		{"altra", "Q80-30", 15.01, "pass", "same"},
		{"altra", "Q80-30", 15.00, "fail", "same"},
		{"altra", "Q80-30", 99.00, "pass", "same"},
		{"altra", "Q80-26", 12.74, "pass", "estimate"},
		{"altra", "Q80-26", 12.73, "fail", "estimate"},
		{"altra", NULL, 1.00, "pass", "no"}, /* its clock is not known */
		{"altramax", "M128-30", 1.00, "pass", "no"},
		{"other", NULL, 1.00, "pass", "no"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench *bench = bench_of(*state, rows[i].family, rows[i].sku);
		struct bench_series *series = measured(bench, rows[i].gbps);

		judge(bench, series);
		assert_string_equal(series->result.outcome, rows[i].outcome);
		assert_string_equal(series->result.reference->comparable, rows[i].comparable);
		assert_int_equal(series->result.explain.count > 0,
				 strcmp(rows[i].outcome, "fail") == 0);
	}
}

static void an_emulated_number_says_nothing(void **state)
{
	struct kat_limit core[] = {{"aes", 6e9}};
	struct bench *bench = bench_of(*state, "altra", "Q80-30");
	struct bench_series *series = measured(bench, 1);

	bench->clock_hz = 3e9;
	bench->core = (struct kat_output){.limits = core, .limit_count = 1};
	series->result.emulated = true;
	judge(bench, series);
	assert_string_equal(series->result.outcome, "pass");
	assert_string_equal(series->result.reference->comparable, "no");
	assert_string_equal(series->result.reason,
			    "emulated: the number says nothing about any machine");
	assert_true(isnan(series->result.cycles_per_byte) && isnan(series->result.limit_share));
	near(series->result.rates.gbps, 1);
}

/* Of 21 samples; more than half as many dropped as kept (7 of 14) are too many. A number that is
 * shown all the same reads alike in all units. */
static void noise_is_never_a_failure(void **state)
{
	static const struct {
		size_t dropped;
		const char *outcome, *reason;
	} rows[] = {
		{8, "unknown", "too noisy: 8 of 21 samples were dropped"},
		{21, "unknown", "too noisy: all of 21 samples were dropped (switched)"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench *bench = bench_of(*state, "altra", "Q80-30");
		struct bench_series *series = measured(bench, 1);

		for (size_t j = 0; j < rows[i].dropped; j++)
			series->samples[j].dropped = "switched";
		judge(bench, series);
		assert_string_equal(series->result.outcome, rows[i].outcome);
		assert_string_equal(series->result.reason, rows[i].reason);
		assert_null(series->result.reference);
		assert_int_equal(!series->result.estimate, isnan(series->result.rates.gbps));
		assert_true(!series->result.estimate ||
			    series->result.estimate->value == series->result.rates.gbps);
		assert_int_equal(series->result.explain.count, 0);
	}
}

/* Below the band, but three processes give no interval: that may be the machine's noise. */
static void a_shortfall_on_few_samples_is_no_verdict(void **state)
{
	struct bench *bench = bench_of(*state, "altra", "Q80-30");
	struct bench_series *series = measured(bench, 12);

	series->count = 9;
	judge(bench, series);
	assert_string_equal(series->result.outcome, "unknown");
	assert_non_null(strstr(series->result.reason, "too few samples for a verdict"));
	assert_int_equal(series->result.explain.count, 0);
}

static void a_third_dropped_is_still_judged(void **state)
{
	struct bench *bench = bench_of(*state, "altra", "Q80-30");
	struct bench_series *series = measured(bench, 1);

	for (size_t j = 0; j < 7; j++)
		series->samples[3 * j].dropped = "switched";
	judge(bench, series);
	assert_string_equal(series->result.outcome, "fail");
	assert_int_equal(series->result.estimate->samples, 14);
	assert_int_equal(series->result.estimate->dropped, 7);
}

static void what_is_not_verified_has_no_number(void **state)
{
	struct bench *bench = bench_of(*state, "altra", "Q80-30");
	struct bench_series *series = measured(bench, 12), *empty = made_series(*state, &gcm);

	series->result.verified = false;
	series->result.unverified = "no other library";
	judge(bench, series);
	assert_string_equal(series->result.outcome, "unknown");
	assert_string_equal(series->result.reason, "not verified: no other library");
	assert_null(series->result.estimate);
	assert_int_equal(series->result.raw.count, 0);
	assert_true(bench->broken);
	empty->result.verified = true;
	judge(bench, empty);
	assert_string_equal(empty->result.outcome, "unknown");
	assert_string_equal(empty->result.reason, "no sample was taken in the time there was");
}

/* 14/16 + 14/16 rounds for each byte of two passes of AES-256: 1e9 bytes/s are 1.75e9 rounds. */
static void entries_of_a_limit_add_up(void **state)
{
	static struct {
		const char *names[3];
		size_t count;
		double share; /* NaN: no limit */
		const char *limit;
	} rows[] = {
		{{"aes-128"}, 1, 10.0 / 16 / 7, "aes-128"},
		{{"aes-192"}, 1, 12.0 / 16 / 7, "aes-192"},
		{{"aes-256"}, 1, 14.0 / 16 / 7, "aes-256"},
		{{"aes-256", "aes-256"}, 2, 0.25, "aes-256"},
		{{"ghash"}, 1, 3.0 / 16, "ghash"},
		{{"aes-128", "ghash"}, 2, 3.0 / 16, "ghash"},
		{{"aes-128", "aes-256", "ghash"}, 3, 1.5 / 7, "aes-128"},
		{{"sha256"}, 1, 0.5, "sha256"},
		{{"sha512"}, 1, NAN, NULL}, /* this core has none */
		{{NULL}, 0, NAN, NULL},
	};
	struct kat_limit core[] = {{"aes", 7e9}, {"pmull", 1e9}, {"sha256", 2e9}};
	struct bench *bench = bench_of(*state, "altra", "Q80-30");

	bench->core = (struct kat_output){.limits = core, .limit_count = 3};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct suite_case one = {
			.limits = {.items = rows[i].names, .count = rows[i].count}};
		const char *limit = NULL;
		double share = bench_limit_share(bench, &one, 1e9, &limit);

		if (isnan(rows[i].share)) {
			assert_true(isnan(share) && !limit);
			continue;
		}
		near(share, rows[i].share);
		assert_string_equal(limit, rows[i].limit);
	}
}

static void outcomes_are_counted(void **state)
{
	struct bench_result results[] = {{.outcome = "pass"}, {.outcome = "unknown"},
					 {.outcome = "na"},   {.outcome = "pass"},
					 {.outcome = "fail"}, {.outcome = "pass"}};
	const struct field_array all = {results, 6};
	struct bench_summary summary = {0};

	(void)state;
	bench_count(&summary, &all);
	assert_int_equal(summary.pass, 3);
	assert_int_equal(summary.fail, 1);
	assert_int_equal(summary.na, 1);
	assert_int_equal(summary.unknown, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_interval_is_of_the_medians_of_invocations),
		cmocka_unit_test(a_shortfall_is_explained),
		cmocka_unit_test(one_measurement_would_confirm),
		cmocka_unit_test(bands_of_the_same_and_of_other_models),
		cmocka_unit_test(an_emulated_number_says_nothing),
		cmocka_unit_test(noise_is_never_a_failure),
		cmocka_unit_test(a_shortfall_on_few_samples_is_no_verdict),
		cmocka_unit_test(a_third_dropped_is_still_judged),
		cmocka_unit_test(what_is_not_verified_has_no_number),
		cmocka_unit_test(entries_of_a_limit_add_up),
		cmocka_unit_test(outcomes_are_counted),
	};

	return cmocka_run_group_tests_name("bench_judge", tests, made_setup, made_teardown);
}
