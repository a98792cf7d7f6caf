// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "bench/suite.h"

#include <string.h>

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

static const struct suite *load(struct arena *arena, const char *name)
{
	const struct suite *suite = NULL;
	struct error err = {0};

	if (!suite_load(arena, name, &suite, &err))
		fail_msg("%s: %s", name, err.text);
	return suite;
}

static void the_five_suites_are_there(void **state)
{
	static const char *const wanted[] = {"dpdk", "dpdk-all", "library", "scaling", "smoke"};
	struct names names;

	assert_true(suite_names(*state, &names, NULL));
	assert_int_equal(names.count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_string_equal(names.items[i], wanted[i]);
		assert_string_equal(load(*state, wanted[i])->name, wanted[i]);
	}
	assert_true(load(*state, "smoke")->seconds <= 30);
}

/* The command lines of Ampere's DPDK guide (November 2025). */
static void the_cases_of_the_guide_have_its_options(void **state)
{
	static const struct {
		const char *name, *device, *optype, *cipher, *auth, *aead;
		int64_t key, iv, auth_key, digest, aad;
	} rows[] = {
		{"aes-cbc-128+sha1-hmac", "crypto_armv8", "cipher-then-auth", "aes-cbc",
		 "sha1-hmac", NULL, 16, 16, 64, 12, 0},
		{"aes-cbc-128+sha256-hmac", "crypto_armv8", "cipher-then-auth", "aes-cbc",
		 "sha2-256-hmac", NULL, 16, 16, 64, 12, 0},
		{"aes-gcm-128", "crypto_openssl", "aead", NULL, NULL, "aes-gcm", 16, 12, 0, 16, 16},
		{"aes-ctr-128+aes-cmac", "crypto_openssl", "cipher-then-auth", "aes-ctr",
		 "aes-cmac", NULL, 16, 16, 32, 12, 0},
		{"snow3g-uea2", "crypto_snow3g", "cipher-only", "snow3g-uea2", NULL, NULL, 16, 16,
		 0, 0, 0},
	};
	static const int64_t sizes[] = {64, 128, 256, 512, 1024, 2048};
	const struct suite *suite = load(*state, "dpdk");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct suite_case *one = suite_find(suite, rows[i].name);
		const struct cperf_algorithm *first;

		assert_non_null(one);
		assert_string_equal(one->devices.items[0], rows[i].device);
		assert_string_equal(one->dpdk->optype, rows[i].optype);
		assert_string_equal(one->unit, "Gbps");
		assert_int_equal(one->burst, 32);
		assert_int_equal(one->cores.count, 1);
		assert_int_equal(one->cores.items[0], 1);
		assert_int_equal(one->sizes.count, 6);
		assert_memory_equal(one->sizes.items, sizes, sizeof(sizes));
		first = rows[i].aead ? one->dpdk->aead : one->dpdk->cipher;
		assert_string_equal(first->name, rows[i].aead ? rows[i].aead : rows[i].cipher);
		assert_string_equal(first->op, "encrypt");
		assert_int_equal(first->key, rows[i].key);
		assert_int_equal(first->iv, rows[i].iv);
		assert_int_equal(one->dpdk->digest, rows[i].digest);
		assert_int_equal(one->dpdk->aad, rows[i].aad);
		if (!rows[i].auth)
			continue;
		assert_string_equal(one->dpdk->auth->name, rows[i].auth);
		assert_string_equal(one->dpdk->auth->op, "generate");
		assert_int_equal(one->dpdk->auth->key, rows[i].auth_key);
	}
}

static void dpdk_all_holds_dpdk(void **state)
{
	const struct suite *all = load(*state, "dpdk-all"), *dpdk = load(*state, "dpdk");
	const struct suite_case *cases = dpdk->cases.items;

	for (size_t i = 0; i < dpdk->cases.count; i++)
		assert_non_null(suite_find(all, cases[i].name));
}

/* `explain CASE` and references name a case without its suite. */
static void a_case_means_one_thing_in_all_suites(void **state)
{
	struct names names;

	assert_true(suite_names(*state, &names, NULL));
	for (size_t i = 0; i < names.count; i++) {
		const struct suite *one = load(*state, names.items[i]);
		const struct suite_case *cases = one->cases.items;

		for (size_t j = 0; j < one->cases.count * names.count; j++) {
			const struct suite_case *mine = &cases[j / names.count];
			const struct suite_case *other =
				suite_find(load(*state, names.items[j % names.count]), mine->name);

			if (other && (strcmp(mine->engine, other->engine) != 0 ||
				      strcmp(mine->title, other->title) != 0))
				fail_msg("%s of %s", mine->name, one->name);
		}
	}
}

static void every_published_vector_is_a_file(void **state)
{
	const struct suite *all = load(*state, "dpdk-all");
	const struct suite_case *cases = all->cases.items;

	for (size_t i = 0; i < all->cases.count; i++) {
		const struct names *files = &cases[i].dpdk->published;

		for (size_t j = 0; j < files->count; j++) {
			const char *path = arena_printf(
				*state, SOURCE_ROOT "/recipes/dpdk/vectors/%s", files->items[j]);

			if (!file_exists(path))
				fail_msg("%s of %s is not there", path, cases[i].name);
		}
	}
}

#define HEAD "{\"name\": \"own\", \"summary\": \"s\", \"version\": 1, \"seconds\": 9,\n\"cases\": ["
#define GCM                                                                                        \
	"\"dpdk\": {\"optype\": \"aead\", \"aead\": {\"name\": \"aes-gcm\", \"op\": "              \
	"\"encrypt\", \"key\": 16, \"iv\": 12}, \"digest\": 16}"
#define DPDK(more)                                                                                 \
	"{\"name\": \"c\", \"title\": \"t\", \"engine\": \"dpdk-crypto-perf\", \"devices\": "      \
	"[\"crypto_openssl\"],\n" more "}"
#define CBC(more)                                                                                  \
	"\"dpdk\": {\"optype\": \"cipher-then-auth\", \"cipher\": {\"name\": \"aes-cbc\", "        \
	"\"op\": \"encrypt\"}, \"auth\": {\"name\": \"sha1-hmac\", \"op\": \"generate\"}, " more   \
	"}, \"sizes\": [64]"
#define KAT(more) "{\"name\": \"c\", \"title\": \"t\", \"engine\": \"kat\"" more "}"

/* Lines count from 1; the head is one line, the first of a DPDK case another. */
static void every_mistake_has_its_place(void **state)
{
	static const struct {
		const char *cases, *said;
	} rows[] = {
		{"", "own.json:2:1: cases: a suite needs a case"},
		{DPDK(GCM ", \"sizes\": [64, 64]"), "own.json:3:124: sizes[1]: case c: must rise"},
		{DPDK(GCM ", \"sizes\": [64], \"burst\": 0"), "must be from 1 to 512, not 0"},
		{DPDK(GCM ", \"sizes\": [64], \"cores\": [0]"), "must be from 1 to 1024, not 0"},
		{DPDK(GCM ", \"sizes\": [64], \"cores\": []"), "case c: no number of cores"},
		{DPDK(GCM ", \"sizes\": []"), "case c: no size; leave sizes out"},
		{DPDK(GCM ", \"sizes\": [0]"), "must be from 1 to 65535, not 0"},
		{DPDK(GCM ", \"sizes\": [64], \"unit\": \"MOps\""),
		 "case c: what has sizes is measured in Gbps"},
		{DPDK(GCM ", \"sizes\": [64], \"words\": [\"-evp\"]"),
		 "case c: the engine dpdk-crypto-perf has no words"},
		{DPDK("\"sizes\": [64]"), "case c: the engine dpdk-crypto-perf needs dpdk"},
		{DPDK(GCM ", \"sizes\": [64]") "," DPDK(GCM ", \"sizes\": [64]"),
		 "name: case c: stands twice"},
		{DPDK("\"dpdk\": {\"optype\": \"cipher-only\", \"cipher\": {\"name\": "
		      "\"aes-cbd\", \"op\": \"encrypt\"}}, \"sizes\": [64]"),
		 "own.json:3:46: name: case c: DPDK has no cipher algorithm aes-cbd; did you mean "
		 "aes-cbc?"},
		{DPDK("\"dpdk\": {\"optype\": \"cipher-only\", \"cipher\": {\"name\": "
		      "\"aes-cbc\", \"op\": \"encrypt\"}}, \"sizes\": [64, 100]"),
		 "case c: 100 is not a multiple of 16, the block of aes-cbc"},
		{DPDK("\"dpdk\": {\"optype\": \"cipher-only\", \"cipher\": {\"name\": "
		      "\"3des-ctr\", \"op\": \"encrypt\"}}, \"sizes\": [60]"),
		 "case c: 60 is not a multiple of 8, the block of 3des-ctr"},
		{DPDK("\"dpdk\": {\"optype\": \"cipher-only\", \"cipher\": {\"name\": "
		      "\"aes-ctr\", \"op\": \"generate\"}}, \"sizes\": [64]"),
		 "case c: cipher is encrypt or decrypt"},
		{DPDK("\"dpdk\": {\"optype\": \"cipher-only\"}, \"sizes\": [64]"),
		 "case c: cipher-only needs cipher"},
		{DPDK("\"dpdk\": {\"optype\": \"ipsec\"}, \"sizes\": [64]"),
		 "\"ipsec\" is not one of"},
		{DPDK("\"dpdk\": {\"optype\": \"cipher-only\", \"cipher\": {\"name\": "
		      "\"aes-ctr\", \"op\": \"encrypt\"}, \"digest\": 12}, \"sizes\": [64]"),
		 "digest: case c: a cipher alone has no digest"},
		{DPDK(CBC("\"digest\": 21")), "larger than all that sha1-hmac gives, 20 bytes"},
		{DPDK(CBC("\"digest\": 12, \"full-digest\": 32")), "sha1-hmac gives 20 bytes"},
		{DPDK(CBC("\"full-digest\": 20")), "case c: digest is missing"},
		{KAT(", \"sizes\": [16], \"burst\": 32"), "case c: only DPDK has bursts"},
		{KAT(", \"unit\": \"Gbps\""), "case c: what has no sizes is measured in MOps"},
		{KAT(", \"limits\": [\"sha3\"]"), "\"sha3\" does not match"},
		{KAT(", \"size\": [16]"), "unknown key; did you mean \"sizes\"?"},
		{KAT(", \"words\": [\"-evp\"]"), "case c: the engine kat has no words"},
		{"{\"name\": \"aes-128-cbc-encrypt\", \"title\": \"t\", \"engine\": \"kat\", "
		 "\"sizes\": [1350]}",
		 "own.json:2:84: sizes[0]: case aes-128-cbc-encrypt: not a multiple of 16"},
		{"{\"name\": \"c\", \"title\": \"t\", \"engine\": \"openssl-speed\"}",
		 "case c: the engine openssl-speed needs words"},
		{"{\"name\": \"c\", \"title\": \"t\", \"engine\": \"openssl\"}",
		 "\"openssl\" is not one of"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = arena_printf(*state, HEAD "%s]}", rows[i].cases);
		const struct suite *suite = NULL;
		struct error err = {0};

		if (suite_read(*state, "own.json", view_of(text), &suite, &err))
			fail_msg("taken, though: %s", rows[i].said);
		assert_null(suite);
		if (!strstr(err.text, rows[i].said))
			fail_msg("\"%s\" is said, wanted \"%s\"", err.text, rows[i].said);
		if (strncmp(err.text, "own.json:", strlen("own.json:")) != 0)
			fail_msg("no place: %s", err.text);
	}
}

static void what_a_case_leaves_out_is_filled_in(void **state)
{
	const char *text = HEAD KAT() "]}";
	const struct suite *suite = NULL;
	const struct suite_case *one;
	struct error err = {0};

	if (!suite_read(*state, "own.json", view_of(text), &suite, &err))
		fail_msg("%s", err.text);
	one = suite_find(suite, "c");
	assert_string_equal(one->unit, "MOps");
	assert_int_equal(one->cores.count, 1);
	assert_int_equal(one->cores.items[0], 1);
	assert_null(suite_find(suite, "d"));
}

static void an_unknown_name_gets_the_nearest(void **state)
{
	const struct suite *suite = NULL;
	struct error err = {0};

	assert_false(suite_load(*state, "smok", &suite, &err));
	assert_string_equal(err.text, "unknown suite 'smok', did you mean 'smoke'?");
	assert_int_equal(err.exit_code, EXIT_USAGE);
	assert_false(suite_load(*state, "everything-there-is", &suite, &err));
	assert_non_null(strstr(err.text, "there are dpdk, dpdk-all, library, scaling, smoke"));
}

static void a_suite_of_the_user_must_not_take_a_shipped_name(void **state)
{
	const struct suite *suite = NULL;
	struct error err = {0};

	assert_false(suite_load(*state, SOURCE_ROOT "/profiles/suites/smoke.json", &suite, &err));
	assert_non_null(strstr(err.text, "smoke is a suite of this program"));
	assert_int_equal(err.exit_code, EXIT_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_five_suites_are_there),
		cmocka_unit_test(the_cases_of_the_guide_have_its_options),
		cmocka_unit_test(dpdk_all_holds_dpdk),
		cmocka_unit_test(a_case_means_one_thing_in_all_suites),
		cmocka_unit_test(every_published_vector_is_a_file),
		cmocka_unit_test(every_mistake_has_its_place),
		cmocka_unit_test(what_a_case_leaves_out_is_filled_in),
		cmocka_unit_test(an_unknown_name_gets_the_nearest),
		cmocka_unit_test(a_suite_of_the_user_must_not_take_a_shipped_name),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
