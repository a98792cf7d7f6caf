// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "bench/baseline.h"
#include "catalog/identity.h"

#include <math.h>
#include <string.h>

#define SCHEMA "ampere-crypto/bench 1.2.0"

static void exhausted(void)
{
	fail_msg("out of memory");
}

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	arena.exhausted = exhausted;
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

static struct identity machine(void)
{
	return (struct identity){.arch = "aarch64",
				 .family = "altra",
				 .sku = "Q80-30",
				 .cpus = {true, 80},
				 .virtualization = {.vm = "none"}};
}

/* Eight invocations of three batches around a rate, one of them dropped and far off. */
static struct bench_result result_of(struct arena *arena, const char *id, double rate)
{
	struct bench_sample *raw = arena_array(arena, struct bench_sample, 25);
	struct bench_estimate *estimate = arena_new(arena, struct bench_estimate);
	size_t count = 0;

	for (int64_t i = 0; i < 8; i++) {
		for (int j = -1; j <= 1; j++)
			raw[count++] = (struct bench_sample){
				.invocation = i,
				.value = rate * (1 + 0.0005 * (double)i + 0.001 * j),
				.seconds = 0.02,
				.cpu_seconds = 0.02};
	}
	raw[count++] = (struct bench_sample){.invocation = 0, .value = 1, .dropped = "switched"};
	*estimate = (struct bench_estimate){rate, "Gbps", rate * 0.99, rate * 1.01, 24, 1};
	return (struct bench_result){
		.id = id,
		.suite = "library",
		.suite_version = 1,
		.name = "sha256",
		.engine = "kat",
		.size_bytes = 256,
		.cores = 1,
		.library = {"/lib/libcrypto.so.3", "3.5.7", "OPENSSL_armcap=0xbd"},
		.outcome = "pass",
		.verified = true,
		.estimate = estimate,
		.rates = bench_rates_of(rate, "Gbps", 256),
		.cycles_per_byte = NAN,
		.limit_share = NAN,
		.raw = {raw, count}};
}

/* The document that bench writes, as far as a baseline looks at it. */
static struct view write(struct arena *arena, const char *schema, const struct identity *host,
			 const struct bench_result *results, size_t count)
{
	struct buffer out = buffer_new(arena, (size_t)64 << 20);
	struct json_writer writer;

	json_begin(&writer, &out);
	json_object(&writer, NULL);
	json_text(&writer, "schema", schema);
	fields_write(&writer, "host", &identity_table, host);
	json_array(&writer, "results");
	for (size_t i = 0; i < count; i++)
		fields_write(&writer, NULL, &bench_result_table, &results[i]);
	json_end(&writer);
	return buffer_view(&out);
}

static struct baseline read_of(struct arena *arena, const struct identity *host,
			       const struct bench_result *results, size_t count)
{
	struct baseline baseline = {0};
	struct error err = {0};

	if (!baseline_read(arena, "base.json", write(arena, SCHEMA, host, results, count), SCHEMA,
			   &baseline, &err))
		fail_msg("%s", err.text);
	return baseline;
}

static void what_was_written_is_read_back(void **state)
{
	struct identity host = machine();
	struct bench_result results[] = {result_of(*state, "b", 4), result_of(*state, "a", 2)};
	struct baseline baseline = read_of(*state, &host, results, 2);
	const struct bench_sample *raw = baseline.results[1].raw.items;

	assert_int_equal(baseline.count, 2);
	assert_string_equal(baseline.results[0].id, "a");
	assert_int_equal(baseline.results[1].raw.count, 25);
	assert_true(raw[4].value == 4 * (1 + 0.0005) && raw[4].invocation == 1);
	assert_string_equal(raw[24].dropped, "switched");
	assert_true(isnan(baseline.results[0].cycles_per_byte));
	assert_string_equal(baseline.host->sku, "Q80-30");
}

static void changes_are_judged_by_invocations(void **state)
{
	static const struct {
		double before, now;
		const char *verdict;
		double ratio;
	} rows[] = {
		{4, 4, "same", 1},     {4, 3.98, "same", 0.995}, {4, 3.88, "slower", 0.97},
		{4, 2, "slower", 0.5}, {4, 4.4, "faster", 1.1},
	};
	struct identity host = machine();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench_result before = result_of(*state, "a", rows[i].before);
		struct bench_result now = result_of(*state, "a", rows[i].now);
		struct baseline baseline = read_of(*state, &host, &before, 1);
		const struct bench_change *change =
			baseline_change(*state, &baseline, &host, &now, 0.03);

		assert_non_null(change);
		assert_string_equal(change->verdict, rows[i].verdict);
		assert_null(change->why);
		if (fabs(change->ratio - rows[i].ratio) > 0.0011)
			fail_msg("%g to %g: %g", rows[i].before, rows[i].now, change->ratio);
	}
}

static void few_invocations_are_undecided(void **state)
{
	struct identity host = machine();
	struct bench_result before = result_of(*state, "a", 4), now = result_of(*state, "a", 2);
	struct baseline baseline;
	const struct bench_change *change;

	now.raw.count = 12; /* four of them */
	before.raw.count = 12;
	baseline = read_of(*state, &host, &before, 1);
	change = baseline_change(*state, &baseline, &host, &now, 0.03);
	assert_string_equal(change->verdict, "undecided");
	assert_true(isnan(change->low));
	now.estimate = NULL;
	assert_null(baseline_change(*state, &baseline, &host, &now, 0.03));
}

static void another_machine_is_not_compared(void **state)
{
	static const struct {
		struct identity host;
		const char *why;
	} rows[] = {
		{{.arch = "aarch64",
		  .family = "altra",
		  .sku = "Q80-26",
		  .cpus = {true, 80},
		  .virtualization = {.vm = "none"}},
		 "altra Q80-30, 80 CPUs, aarch64; this is altra Q80-26, 80 CPUs, aarch64"},
		{{.arch = "aarch64",
		  .family = "altramax",
		  .sku = "Q80-30",
		  .cpus = {true, 80},
		  .virtualization = {.vm = "none"}},
		 "this is altramax Q80-30"},
		{{.arch = "aarch64",
		  .family = "altra",
		  .sku = "Q80-30",
		  .cpus = {true, 160},
		  .virtualization = {.vm = "none"}},
		 "this is altra Q80-30, 160 CPUs"},
		{{.arch = "x86_64",
		  .family = "altra",
		  .sku = "Q80-30",
		  .cpus = {true, 80},
		  .virtualization = {.vm = "none"}},
		 "this is altra Q80-30, 80 CPUs, x86_64"},
		{{.arch = "aarch64",
		  .family = "altra",
		  .cpus = {true, 80},
		  .virtualization = {.vm = "none"}},
		 "this is altra, 80 CPUs"},
		{{.arch = "aarch64",
		  .family = "altra",
		  .sku = "Q80-30",
		  .cpus = {true, 80},
		  .virtualization = {.vm = "kvm"}},
		 "this is altra Q80-30, 80 CPUs, aarch64, in kvm"},
	};
	struct identity host = machine();
	struct bench_result result = result_of(*state, "a", 4);
	struct baseline baseline = read_of(*state, &host, &result, 1);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct bench_change *change =
			baseline_change(*state, &baseline, &rows[i].host, &result, 0.03);

		assert_string_equal(change->verdict, "not-compared");
		if (!strstr(change->why, rows[i].why))
			fail_msg("\"%s\", wanted \"%s\"", change->why, rows[i].why);
	}
}

static void what_is_another_thing_is_not_compared(void **state)
{
	struct identity host = machine();
	struct bench_result before = result_of(*state, "a", 4), now = result_of(*state, "a", 2);
	struct baseline baseline = read_of(*state, &host, &before, 1);
	struct bench_change *change;

	now.suite_version = 2;
	change = baseline_change(*state, &baseline, &host, &now, 0.03);
	assert_string_equal(change->verdict, "not-compared");
	assert_string_equal(change->why, "the baseline is of version 1 of the suite, this is 2");
	now.suite_version = 1;
	now.id = "b";
	change = baseline_change(*state, &baseline, &host, &now, 0.03);
	assert_string_equal(change->why, "the baseline does not have it");
	before.estimate = NULL;
	before.outcome = "na";
	before.reason = "no crypto_armv8 here";
	baseline = read_of(*state, &host, &before, 1);
	now.id = "a";
	change = baseline_change(*state, &baseline, &host, &now, 0.03);
	assert_string_equal(change->why, "the baseline has no number: no crypto_armv8 here");
	assert_true(isnan(change->ratio));
}

static void another_library_is_said_and_compared(void **state)
{
	struct identity host = machine();
	struct bench_result before = result_of(*state, "a", 4), now = result_of(*state, "a", 2);
	struct baseline baseline = read_of(*state, &host, &before, 1);
	struct bench_change *change;

	now.library.version = "3.0.20";
	change = baseline_change(*state, &baseline, &host, &now, 0.03);
	assert_string_equal(change->verdict, "slower");
	assert_string_equal(change->why, "the library was 3.5.7, it is 3.0.20 now");
	now.library.version = "3.5.7";
	now.library.capability = "OPENSSL_armcap=0x0";
	change = baseline_change(*state, &baseline, &host, &now, 0.03);
	assert_string_equal(change->why, "its capability word was OPENSSL_armcap=0xbd, it is "
					 "OPENSSL_armcap=0x0 now");
}

static void other_files_are_told_apart(void **state)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
		{"", "base.json:1:1: "},
		{"[]", "base.json:1:1: no result of ampere-crypto bench"},
		{"{\"benchmarks\": []}", "no result of ampere-crypto bench; --save writes one"},
		{"{\"schema\": 3}", "no result of ampere-crypto bench"},
		{"{\"schema\": \"ampere-crypto/audit 1.0.0\"}",
		 "\"ampere-crypto/audit 1.0.0\" is another document; --save of bench writes "
		 "ampere-crypto/bench"},
		{"{\"schema\": \"ampere-crypto/benches 1.0.0\"}", "is another document"},
		{"{\"schema\": \"ampere-crypto/bench\"}", "is another document"},
		{"{\"schema\": \"ampere-crypto/bench 1\"}", "is another document"},
		{"{\"schema\": \"ampere-crypto/bench 2.0.0\"}",
		 "written in ampere-crypto/bench 2.0.0, this program reads " SCHEMA},
		{"{\"schema\": \"ampere-crypto/bench 1.3.0\"}", "save a new baseline"},
		{"{\"schema\": \"ampere-crypto/bench 1.0.0\"}",
		 "it does not say which machine it is from"},
		{"{\"schema\": \"ampere-crypto/bench 1.0.0\", \"host\": null}",
		 "it does not say which machine it is from"},
		{"{\"schema\": \"ampere-crypto/bench 1.0.0\", \"host\": {}}", "it has no results"},
		{"{\"schema\": \"ampere-crypto/bench 1.0.0\", \"host\": {},\n\"results\": [{}]}",
		 "base.json:2:13: results[0]: required key \"id\" is missing"},
		{"{\"schema\": \"ampere-crypto/bench 1.0.0\", \"host\": {}, \"results\": [",
		 "base.json:1:"},
	};
	struct baseline baseline;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = {0};

		if (baseline_read(*state, "base.json", view_of(rows[i].text), SCHEMA, &baseline,
				  &err))
			fail_msg("taken, though: %s", rows[i].said);
		if (!strstr(err.text, rows[i].said))
			fail_msg("\"%s\" is said, wanted \"%s\"", err.text, rows[i].said);
	}
	assert_false(baseline_load(*state, "/nonexistent/base.json", SCHEMA, &baseline, NULL));
}

static void an_id_stands_once(void **state)
{
	struct identity host = machine();
	struct bench_result twice[] = {result_of(*state, "a", 4), result_of(*state, "a", 4)};
	struct baseline baseline;
	struct error err = {0};

	assert_false(baseline_read(*state, "base.json", write(*state, SCHEMA, &host, twice, 2),
				   SCHEMA, &baseline, &err));
	assert_non_null(strstr(err.text, "a stands twice"));
}

static void thousands_of_results(void **state)
{
	struct bench_result *many = arena_array(*state, struct bench_result, 4000);
	struct identity host = machine();
	struct baseline baseline;

	for (size_t i = 0; i < 4000; i++) {
		many[i] = result_of(*state, arena_printf(*state, "library/c%zu/kat/16/1", i), 4);
		many[i].raw.count = 8;
	}
	baseline = read_of(*state, &host, many, 4000);
	assert_int_equal(baseline.count, 4000);
	for (size_t i = 0; i < 4000; i++)
		assert_null(baseline_change(*state, &baseline, &host, &many[i], 0.03)->why);
}

/* By hand: 2 MOps of 64 bytes are 1.024 Gbps and 500 ns each. */
static void rates_follow_from_one_another(void **state)
{
	struct bench_rates of_gbps = bench_rates_of(1.024, "Gbps", 64);
	struct bench_rates of_mops = bench_rates_of(2, "MOps", 64);
	struct bench_rates sizeless = bench_rates_of(2, "MOps", 0);
	struct bench_rates none = bench_rates_of(NAN, "MOps", 64);

	(void)state;
	assert_true(of_gbps.gbps == 1.024 && fabs(of_gbps.mops - 2) < 1e-12);
	assert_true(fabs(of_mops.gbps - 1.024) < 1e-12 && of_mops.ns_per_op == 500);
	assert_true(isnan(sizeless.gbps) && sizeless.ns_per_op == 500);
	assert_true(isnan(none.gbps) && isnan(none.mops) && isnan(none.ns_per_op));
	assert_true(isnan(of_gbps.ticks_per_op));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read_back),
		cmocka_unit_test(changes_are_judged_by_invocations),
		cmocka_unit_test(few_invocations_are_undecided),
		cmocka_unit_test(another_machine_is_not_compared),
		cmocka_unit_test(what_is_another_thing_is_not_compared),
		cmocka_unit_test(another_library_is_said_and_compared),
		cmocka_unit_test(other_files_are_told_apart),
		cmocka_unit_test(an_id_stands_once),
		cmocka_unit_test(thousands_of_results),
		cmocka_unit_test(rates_follow_from_one_another),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
