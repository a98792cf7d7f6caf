// SPDX-License-Identifier: BSD-2-Clause
/* The page of bench, from results made by hand; the pages were written before the program ran. */
#include "base/arena.h"
#include "cli/bench_cells.h"
#include "cli/bench_progress.h"
#include "cli/bench_text.h"
#include "report/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct document_kind no_kind = {"bench", "1.0.0", NULL};

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	arena.exhausted = abort;
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

static void numbers_have_three_digits_and_no_exponent(void **state)
{
	static const struct {
		double number;
		const char *text;
	} rows[] = {
		{1, "1.00"},       {9.996, "10.0"}, {9.994, "9.99"},         {14.25, "14.2"},
		{999.6, "1000"},   {123.4, "123"},  {812345, "812000"},      {0.00123, "0.00123"},
		{0.9999, "1.00"},  {0, "0.00"},     {1.4e-7, "0.000000140"}, {NAN, "n/a"},
		{INFINITY, "n/a"}, {-2.5, "-2.50"}, {99.95, "100"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(bench_digits(*state, rows[i].number), rows[i].text);
}

static const struct bench_library libcrypto = {"/opt/x/libcrypto.so.3", "OpenSSL 3.5.7",
					       "OPENSSL_armcap=0xbd"};
static const struct reference_match at_64 = {3.10, "guide", "same", NULL, 2.99, 3.21};
static const struct reference_match at_1024 = {14.6, "guide", "same", NULL, 14.1, 15.1};
static const char *const explanations[] = {
	"memory.hugepages: found 0 bytes, wanted 1 GB; it costs: a third",
	"confirm: mend the first of these and measure again with --baseline",
};

static struct bench_result result(struct arena *arena, const char *outcome, const char *name,
				  const char *device, int64_t size_bytes)
{
	struct bench_result made = {
		.id = arena_printf(arena, "dpdk/%s/%s/%d/1", name, device, (int)size_bytes),
		.suite = "dpdk",
		.name = name,
		.engine = device,
		.device = device,
		.size_bytes = size_bytes,
		.cores = 1,
		.library = libcrypto,
		.outcome = outcome,
		.rates = {NAN, NAN, NAN, NAN},
		.cycles_per_byte = NAN,
		.limit_share = NAN};

	return made;
}

static void measure(struct arena *arena, struct bench_result *result, const char *unit,
		    double value, double half)
{
	result->verified = true;
	result->estimate = arena_new(arena, struct bench_estimate);
	*result->estimate = (struct bench_estimate){value, unit, value - half, value + half, 9, 0};
	result->rates = bench_rates_of(value, unit, result->size_bytes);
}

static void compare(struct bench_result *result, double cycles, double share,
		    const struct reference_match *match)
{
	result->core_list = "main 0, workers 1";
	result->cycles_per_byte = cycles;
	result->limit_share = share;
	result->limit = "aes";
	result->reference = match;
}

#define RESULTS 7

static struct bench_result *results(struct arena *arena)
{
	struct bench_result *made = arena_array(arena, struct bench_result, RESULTS);

	made[0] = result(arena, "pass", "rsa-2048-sign", "kat", 0);
	measure(arena, &made[0], "MOps", 0.00123, 0.00001);
	made[1] = result(arena, "pass", "aes-gcm-128", "crypto_openssl", 1024);
	measure(arena, &made[1], "Gbps", 14.2, 0.1);
	compare(&made[1], 1.69, 0.62, &at_1024);
	made[2] = result(arena, "fail", "aes-gcm-128", "crypto_openssl", 64);
	measure(arena, &made[2], "Gbps", 2.41, 0.01);
	compare(&made[2], 9.958, 0.31, &at_64);
	made[2].reason = "2.41 Gbps is 77.7 % of the published 3.1 Gbps";
	for (size_t i = 0; i < 2; i++)
		names_add(arena, &made[2].explain, explanations[i]);
	made[3] = result(arena, "na", "aes-cbc-128+sha1-hmac", "crypto_armv8", 64);
	made[4] = result(arena, "na", "aes-cbc-128+sha1-hmac", "crypto_armv8", 1024);
	made[3].reason = made[4].reason = "crypto_armv8 is not built into this DPDK";
	made[5] = result(arena, "unknown", "snow3g-uea2", "crypto_snow3g", 1024);
	made[5].reason = "too noisy: 5 of 9 samples were dropped";
	made[5].verified = true;
	made[6] = result(arena, "fail", "aes-128-ctr", "kat", 16);
	made[6].reason = "wrong: 1 of 3 known answers";
	return made;
}

#define HEADING                                                                                    \
	"machine  Ampere Altra Q80-30, 80 CPUs, bare metal\n"                                      \
	"benched  setup in /opt/ampere-crypto\n"                                                   \
	"library  /opt/x/libcrypto.so.3, OpenSSL 3.5.7, OPENSSL_armcap=0xbd\n"                     \
	"clock    2.99 GHz, measured\n"                                                            \
	"answers  verified 4 before and after, 1 wrong\n"                                          \
	"took     1.50 s for known answers, 20.1 s measuring, seed 42\n"                           \
	"results  2 fail, 1 unknown, 2 pass, 2 na\n"
#define FAILED                                                                                     \
	"Failed, without a number\n"                                                               \
	"  FAIL  aes-128-ctr kat, 16 bytes: wrong: 1 of 3 known answers\n"                         \
	"\n"                                                                                       \
	"aes-gcm-128, crypto_openssl, 1 core (main 0, workers 1)\n"                                \
	"  outcome  size   Gbps   +-%    ref  band        limit%  ns/op  cyc/B\n"                  \
	"  FAIL       64   2.41  0.41   3.10  below 2.99      31    212   9.96  #######..\n"       \
	"           memory.hugepages: found 0 bytes, wanted 1 GB; it costs: a third\n"             \
	"           confirm: mend the first of these and measure again with --baseline\n"          \
	"  PASS     1024  14.2   0.70  14.6   in band         62    577   1.69  #########\n"
#define OTHERS                                                                                     \
	"\n"                                                                                       \
	"rsa-2048-sign, kat, 1 core\n"                                                             \
	"  outcome  kOps/s   +-%   ns/op\n"                                                        \
	"  PASS       1.23  0.81  813000  ########################\n"                              \
	"\n"                                                                                       \
	"Not measured\n"                                                                           \
	"  UNKNOWN  snow3g-uea2 crypto_snow3g, 1024 bytes: too noisy: 5 of 9 samples were\n"       \
	"           dropped\n"                                                                     \
	"  NA       aes-cbc-128+sha1-hmac crypto_armv8 (2 results): crypto_armv8 is not\n"         \
	"           built into this DPDK\n"                                                        \
	"next: ampere-crypto status --verify\n"

static const char *render(struct arena *arena, const struct bench_page *page)
{
	static char program[] = "ampere-crypto";
	static char *argv[] = {program};
	struct document *document = document_new(arena, &no_kind, "0", 1, argv);
	struct buffer *out = arena_new(arena, struct buffer);
	const struct text_style style = {.width = 80, .quiet = page->quiet};

	*out = buffer_new(arena, (size_t)1 << 20);
	bench_text(document, page);
	text_render(out, document, &style);
	return buffer_string(out);
}

static void the_page_has_what_fails_first_and_folds_what_was_not_measured(void **state)
{
	const struct bench_summary summary = {
		.verification_ms = 1500, .measurement_ms = 20100, .clock_ghz = 2.99, .seed = "42"};
	struct bench_page page = {.results = results(*state),
				  .count = RESULTS,
				  .summary = &summary,
				  .machine = "Ampere Altra Q80-30, 80 CPUs, bare metal",
				  .origin = "setup in /opt/ampere-crypto"};

	assert_string_equal(render(*state, &page), HEADING "\n" FAILED OTHERS);
	page.quiet = true;
	assert_string_equal(render(*state, &page), FAILED);
}

static void all_and_verbose_leave_nothing_out(void **state)
{
	struct bench_page page = {
		.results = results(*state), .count = RESULTS, .all = true, .verbose = true};
	const char *text = render(*state, &page);

	assert_non_null(strstr(text, "  NA       aes-cbc-128+sha1-hmac crypto_armv8, 64 bytes:"));
	assert_non_null(strstr(text, "  NA       aes-cbc-128+sha1-hmac crypto_armv8, 1024 bytes:"));
	assert_non_null(strstr(text,
			       "           dpdk/aes-gcm-128/crypto_openssl/64/1: 9 samples, 0 "
			       "dropped; published\n"
			       "             by guide\n"));
}

static void a_number_without_a_verdict_says_why_once(void **state)
{
	static const struct reference_match other = {
		14.6, "guide", "no", "this is not an Ampere CPU", NAN, NAN};
	struct bench_result *made = arena_array(*state, struct bench_result, 2);
	struct bench_page page = {.results = made, .count = 2};

	made[0] = result(*state, "pass", "aes-gcm-128", "crypto_openssl", 1024);
	measure(*state, &made[0], "Gbps", 7.3, NAN);
	made[0].reference = &other;
	made[1] = made[0];
	made[1].size_bytes = 2048;
	measure(*state, &made[1], "Gbps", 14.6, 0.146);
	/* The bars are of the best of the table, since no reference holds. */
	assert_string_equal(
		render(*state, &page),
		"library  /opt/x/libcrypto.so.3, OpenSSL 3.5.7, OPENSSL_armcap=0xbd\n"
		"answers  verified 2 before and after, 0 wrong\n"
		"results  0 fail, 0 unknown, 2 pass, 0 na\n"
		"\n"
		"aes-gcm-128, crypto_openssl, 1 core\n"
		"  outcome  size   Gbps  +-%   ref  band        ns/op\n"
		"  PASS     1024   7.30  n/a  14.6  no verdict   1120  ############............\n"
		"           no verdict: this is not an Ampere CPU\n"
		"  PASS     2048  14.6   1.0  14.6  no verdict   1120  ########################\n");
}

static void a_change_against_a_baseline_has_a_column(void **state)
{
	struct bench_change slower = {0.969, 0.96, 0.98, "slower"};
	struct bench_result *made = arena_array(*state, struct bench_result, 2);
	struct bench_page page = {.results = made, .count = 2};

	made[0] = result(*state, "fail", "sha-256", "kat", 16384);
	measure(*state, &made[0], "Gbps", 9, 0.09);
	made[0].change = &slower;
	made[0].reason = "3.1 % slower than the baseline";
	made[1] = result(*state, "pass", "sha-256", "kat", 16384);
	measure(*state, &made[1], "Gbps", 18, 0.18);
	made[1].cores = 2;
	assert_non_null(strstr(
		render(*state, &page),
		"sha-256, kat\n"
		"  outcome   size  cores   Gbps  +-%  baseline       ns/op\n"
		"  FAIL     16384      1   9.00  1.0  -3.1 % slower  14600  ###########..........\n"
		"           3.1 % slower than the baseline\n"
		"  PASS     16384      2  18.0   1.0  n/a             7280  "
		"#####################\n"));
}

static void progress_says_what_how_far_and_how_long(void **state)
{
	static const struct {
		struct bench_progress progress;
		const char *text;
	} rows[] = {
		{{"measure", "aes-gcm-128 crypto_openssl", 3, 7, 16001},
		 "aes-gcm-128 crypto_openssl: measure [######........] 42 %, 0:17 left"},
		{{"verify", "sha-256 kat", 0, 4, -1}, "sha-256 kat: verify [..............] 0 %"},
		{{"verify again", NULL, 9, 4, 0}, "verify again [##############] 100 %, 0:00 left"},
		{{"limits of the core", NULL, 0, 0, -1}, "limits of the core "},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buffer out = buffer_new(*state, 4096);

		bench_display_text(&out, &rows[i].progress);
		assert_string_equal(buffer_string(&out), rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_three_digits_and_no_exponent),
		cmocka_unit_test(the_page_has_what_fails_first_and_folds_what_was_not_measured),
		cmocka_unit_test(all_and_verbose_leave_nothing_out),
		cmocka_unit_test(a_number_without_a_verdict_says_why_once),
		cmocka_unit_test(a_change_against_a_baseline_has_a_column),
		cmocka_unit_test(progress_says_what_how_far_and_how_long),
	};

	return cmocka_run_group_tests_name("bench_text", tests, setup, teardown);
}
