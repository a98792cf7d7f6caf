// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "bench/reference.h"
#include "catalog/identity.h"
#include "catalog/profile.h"

#include <math.h>
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

static const struct references *load(struct arena *arena)
{
	struct references *references = arena_new(arena, struct references);
	struct error err = {0};

	if (!references_load(arena, references, &err))
		fail_msg("%s", err.text);
	return references;
}

static void near(double found, double wanted)
{
	if (!(fabs(found - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%.12g, wanted %.12g", found, wanted);
}

/* A bare-metal machine of that family and model. */
static struct identity machine(const char *family, const char *sku)
{
	return (struct identity){.arch = "aarch64",
				 .family = family,
				 .family_confidence = "certain",
				 .sku = sku,
				 .virtualization = {.vm = "none"}};
}

struct question {
	const char *family, *sku, *name, *device;
	int64_t size, cores;
	const char *unit;
};

static const struct reference_match *ask(struct arena *arena, const struct question *question)
{
	struct identity *host = arena_new(arena, struct identity);
	struct reference_circumstances circumstances = {.host = host, .measured_ghz = NAN};

	*host = machine(question->family, question->sku);
	return reference_find(arena, load(arena), question->name, question->device, question->size,
			      question->cores, question->unit, &circumstances);
}

/* The published numbers, and bands worked out with a calculator: 3 % on the same model, 5 % at
 * another clock, the spread of the reference where that is wider. */
static void numbers_and_bands(void **state)
{
	static const struct {
		struct question question;
		const char *comparable;
		double value, low, high;
	} rows[] = {
		{{"altra", "Q80-30", "aes-gcm-128", "crypto_openssl", 1024, 1, "Gbps"},
		 "same",
		 15.4671,
		 15.003087,
		 15.931113},
		{{"altra", "Q80-30", "aes-gcm-128", "crypto_openssl", 1024, 1, "MOps"},
		 "same",
		 1.8881,
		 1.831457,
		 1.944743},
		{{"altra", "Q80-30", "snow3g-uea2", "crypto_snow3g", 64, 1, "Gbps"},
		 "same",
		 1.8993,
		 1.842321,
		 1.956279},
		{{"altra", "Q80-30", "aes-gcm-128", "crypto_openssl", 1024, 16, "Gbps"},
		 "same",
		 248.1,
		 240.657,
		 255.543},
		/* 2.6 / 3.0 of 15.4671 is 13.40482; 95 % of it 12.734579, 105 % 14.075061. */
		{{"altra", "Q80-26", "aes-gcm-128", "crypto_openssl", 1024, 1, "Gbps"},
		 "estimate",
		 13.40482,
		 12.734579,
		 14.075061},
		{{"altra", "Q64-22", "snow3g-uea2", "crypto_snow3g", 1024, 1, "Gbps"},
		 "estimate",
		 4.1459,
		 3.938605,
		 4.353195},
		{{"ampereone-ac04", "A192-32X", "aes-gcm-128", "crypto_openssl", 2048, 1, "Gbps"},
		 "same",
		 26.1889,
		 25.403233,
		 26.974567},
		/* 2.6 / 3.2 of 26.1889 is 21.27848125. */
		{{"ampereone-ac04", "A192-26X", "aes-gcm-128", "crypto_openssl", 2048, 1, "Gbps"},
		 "estimate",
		 21.27848125,
		 20.2145571875,
		 22.3424053125},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct reference_match *match = ask(*state, &rows[i].question);

		assert_non_null(match);
		assert_string_equal(match->comparable, rows[i].comparable);
		near(match->value, rows[i].value);
		near(match->low, rows[i].low);
		near(match->high, rows[i].high);
		if (strcmp(match->comparable, "same") == 0)
			assert_null(match->why);
		else
			assert_non_null(strstr(match->why, "scaled to the rated"));
	}
}

static void what_is_not_comparable_says_why(void **state)
{
	static const struct {
		struct question question;
		double value;
		const char *why;
	} rows[] = {
		{{"other", NULL, "aes-gcm-128", "crypto_openssl", 64, 1, "Gbps"},
		 2.5949,
		 "published for altra, this is other"},
		{{"altramax", "M128-30", "aes-gcm-128", "crypto_openssl", 64, 1, "Gbps"},
		 2.5949,
		 "published for altra, this is altramax"},
		{{"altra", "Q80-30", "aes-gcm-128", "crypto_openssl", 1024, 3, "Gbps"},
		 15.4671,
		 "published for 1 cores, this ran on 3"},
		{{"altra", "Q80-30", "aes-gcm-128", "crypto_openssl", 64, 16, "Gbps"},
		 2.5949,
		 "published for 1 cores, this ran on 16"},
		{{"altramax", "M128-30", "3des-ctr", "crypto_openssl", 64, 1, "Gbps"},
		 0.21,
		 "published for altramax without its model"},
		{{"altra", NULL, "aes-gcm-128", "crypto_openssl", 64, 1, "Gbps"},
		 2.5949,
		 "the clock of this CPU is not known"},
		{{"ampere-unknown", NULL, "aes-gcm-128", "crypto_openssl", 64, 1, "Gbps"},
		 2.5949,
		 "the family of this CPU is not known"},
		{{NULL, NULL, "aes-gcm-128", "crypto_openssl", 64, 1, "Gbps"},
		 2.5949,
		 "the family of this CPU is not known"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct reference_match *match = ask(*state, &rows[i].question);

		assert_non_null(match);
		assert_string_equal(match->comparable, "no");
		if (!strstr(match->why, rows[i].why))
			fail_msg("\"%s\" is said, wanted \"%s\"", match->why, rows[i].why);
		near(match->value, rows[i].value);
		assert_true(isnan(match->low) && isnan(match->high));
	}
}

static void nothing_is_published_for_the_rest(void **state)
{
	static const struct question rows[] = {
		{"altra", "Q80-30", "zuc-eea3", "crypto_zuc", 64, 1, "Gbps"},
		{"altra", "Q80-30", "aes-gcm-128", "crypto_aesni_mb", 64, 1, "Gbps"},
		{"altra", "Q80-30", "aes-gcm-128", NULL, 64, 1, "Gbps"},
		{"altra", "Q80-30", "aes-gcm-128", "crypto_openssl", 4096, 1, "Gbps"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_null(ask(*state, &rows[i]));
}

static void circumstances_that_hinder(void **state)
{
	const struct references *references = load(*state);
	struct identity host = machine("altra", "Q80-30");
	struct reference_circumstances circumstances = {.host = &host, .measured_ghz = 3.0};
	static const struct {
		const char *vm, *confidence;
		bool emulated, debug;
		const char *why; /* NULL: comparable */
	} rows[] = {
		{"none", "certain", false, false, NULL},
		{"none", "likely", false, false, NULL},
		{"none", "unknown", false, false, "not certain that this CPU is altra"},
		{"kvm", "certain", false, false, "a virtual machine (kvm)"},
		{NULL, "certain", false, false, "not known whether this is a virtual machine"},
		{"none", "certain", true, false, "emulated"},
		{"none", "certain", false, true, "debug build"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct reference_match *match;

		host.virtualization.vm = rows[i].vm;
		host.family_confidence = rows[i].confidence;
		circumstances.emulated = rows[i].emulated;
		circumstances.debug_build = rows[i].debug;
		match = reference_find(*state, references, "aes-gcm-128", "crypto_openssl", 64, 1,
				       "Gbps", &circumstances);
		assert_non_null(match);
		assert_string_equal(match->comparable, rows[i].why ? "no" : "same");
		if (rows[i].why && !strstr(match->why, rows[i].why))
			fail_msg("\"%s\" is said, wanted \"%s\"", match->why, rows[i].why);
	}
}

/* 5.6535 Gbps at 3.0 GHz are 5.27660 at 2.8. */
static void without_a_model_the_measured_clock_counts(void **state)
{
	struct identity host = machine("altra", NULL);
	struct reference_circumstances circumstances = {.host = &host, .measured_ghz = 2.8};
	const struct reference_match *match =
		reference_find(*state, load(*state), "snow3g-uea2", "crypto_snow3g", 1024, 1,
			       "Gbps", &circumstances);

	assert_string_equal(match->comparable, "estimate");
	near(match->value, 5.2766);
	assert_non_null(strstr(match->why, "the measured 2.80 GHz"));
}

/* Part numbers of Ampere's product briefs and of boards' lists of tested CPUs. */
static void clocks_of_part_numbers(void **state)
{
	static const struct {
		const char *sku;
		double ghz;
	} rows[] = {
		{"Q64-22", 2.2},   {"Q80-26", 2.6},  {"Q80-30", 3.0},    {"M96-28", 2.8},
		{"M128-30", 3.0},  {"A96-36X", 3.6}, {"A144-27X", 2.7},  {"A192-32X", 3.2},
		{"A192-32M", 3.2}, {"", NAN},        {"Q80", NAN},       {"Q80-3", NAN},
		{"Q80-300", NAN},  {NULL, NAN},      {"A192-32XX", NAN}, {"Not Specified", NAN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double ghz = reference_sku_ghz(rows[i].sku);

		if (isnan(rows[i].ghz) ? !isnan(ghz) : fabs(ghz - rows[i].ghz) > 1e-9)
			fail_msg("%s: %g", rows[i].sku ? rows[i].sku : "NULL", ghz);
	}
}

/* A reference of a family that no profile knows would never be compared with. */
static void families_are_those_of_the_profiles(void **state)
{
	const struct references *references = load(*state);
	struct cpu_profiles profiles;

	assert_true(cpu_profiles_load(*state, &profiles, NULL));
	for (size_t i = 0; i < references->count; i++) {
		bool found = false;

		for (size_t j = 0; j < profiles.count; j++)
			found = found ||
				strcmp(profiles.items[j].family, references->items[i].family) == 0;
		if (!found)
			fail_msg("%s", references->items[i].path);
		if (references->items[i].sku)
			near(references->items[i].clock_ghz,
			     reference_sku_ghz(references->items[i].sku));
	}
}

#define FILE(more) "{\"name\": \"r\", \"source\": \"s\", \"family\": \"altra\", " more "}"
#define SKU "\"sku\": \"Q80-30\", \"clock-ghz\": 3, "
#define ROWS(rows) FILE(SKU "\"spread\": 0.01,\n\"rows\": [" rows "]")
#define POINT "{\"case\": \"c\", \"size-bytes\": 64, \"cores\": 1, \"gbps\": 1.024, \"mops\": 2}"

static void mistakes_have_their_place(void **state)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
		{ROWS(""), "r.json:2:1: rows: from 1 to 4096 points"},
		{ROWS(POINT "," POINT), "this point stands twice"},
		{ROWS("{\"case\": \"c\", \"size-bytes\": 64, \"cores\": 1}"),
		 "r.json:2:10: rows[0]: neither gbps nor mops"},
		{ROWS("{\"case\": \"c\", \"size-bytes\": 0, \"cores\": 1, \"gbps\": 1}"),
		 "what has no size is published as mops"},
		/* 2 MOps x 64 bytes x 8 bits = 1.024 Gbps */
		{ROWS("{\"case\": \"c\", \"size-bytes\": 64, \"cores\": 1, \"gbps\": 1.124, "
		      "\"mops\": 2}"),
		 "2 MOps of 64 bytes are 1.0240 Gbps, not 1.124: one was mistyped"},
		{ROWS("{\"case\": \"c\", \"size-bytes\": 64, \"cores\": 0, \"gbps\": 1}"),
		 "must be from 1 to 1024"},
		{ROWS("{\"case\": \"c\", \"size-bytes\": 64, \"cores\": 1, \"cycles\": 1}"),
		 "unknown key"},
		{ROWS("{\"case\": \"c\", \"size-bytes\": 64, \"cores\": 1, \"gbps\": -1}"),
		 "must be from 0"},
		{FILE("\"sku\": null, \"clock-ghz\": 3, \"spread\": 0, \"rows\": [" POINT "]"),
		 "the clock is that of the sku"},
		{FILE("\"sku\": \"Q80-30\", \"clock-ghz\": 0, \"spread\": 0, \"rows\": [" POINT
		      "]"),
		 "clock-ghz: not the clock that Q80-30 is rated at"},
		{FILE("\"sku\": \"Q80-X\", \"clock-ghz\": 3, \"spread\": 0, \"rows\": [" POINT "]"),
		 "not the clock that Q80-X is rated at"},
		{FILE(SKU "\"spread\": 1.5, \"rows\": [" POINT "]"), "must be from 0 to 1"},
		{FILE(SKU "\"rows\": [" POINT "]"), "required key \"spread\" is missing"},
	};
	struct reference reference;

	assert_true(reference_read(*state, "r.json", view_of(ROWS(POINT)), &reference, NULL));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = {0};

		if (reference_read(*state, "r.json", view_of(rows[i].text), &reference, &err))
			fail_msg("taken, though: %s", rows[i].said);
		if (!strstr(err.text, rows[i].said))
			fail_msg("\"%s\" is said, wanted \"%s\"", err.text, rows[i].said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_bands),
		cmocka_unit_test(what_is_not_comparable_says_why),
		cmocka_unit_test(nothing_is_published_for_the_rest),
		cmocka_unit_test(circumstances_that_hinder),
		cmocka_unit_test(without_a_model_the_measured_clock_counts),
		cmocka_unit_test(clocks_of_part_numbers),
		cmocka_unit_test(families_are_those_of_the_profiles),
		cmocka_unit_test(mistakes_have_their_place),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
