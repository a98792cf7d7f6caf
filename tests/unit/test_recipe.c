// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "catalog/recipe.h"
#include "catalog/version.h"

#include <fnmatch.h>
#include <string.h>

static void versions_in_order(void **state)
{
	/* Each older than the next. */
	static const char *const order[] = {
		"0.9.8", "1.0.2k",  "1.1.1",     "1.1.1k",    "1.1.1w",  "3.0.0-alpha1",
		"3.0.0", "3.0.2",   "3.0.13",    "3.2.0-dev", "3.2.0",   "3.10.0",
		"22.11", "22.11.6", "24.07-rc1", "24.07",     "24.11.1",
	};
	const size_t count = sizeof(order) / sizeof(order[0]);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++) {
			int sign = version_compare(order[i], order[j]);

			if ((i < j) != (sign < 0) || (i == j) != (sign == 0))
				fail_msg("%s against %s gives %d", order[i], order[j], sign);
		}
	}
	assert_int_equal(version_compare("24.07", "24.7"), 0);
	assert_int_equal(version_compare("3.0.13-1~deb12u1", "3.0.13"), 0);
}

static void expressions_of_recipes(void **state)
{
	static const struct {
		const char *version, *expression;
		bool fits;
	} rows[] = {
		{"3.0.13", "*", true},          {"not a version", "*", false},
		{"3.2.0", ">=3.2.0", true},     {"3.1.9", ">=3.2.0", false},
		{"3.10.0", ">=3.2.0", true},    {"1.1.1w", "1.1.1", true},
		{"1.1.10", "1.1.1", false},     {"3.0.13", "3.0", true},
		{"3.0", "3.0", true},           {"3.1.0", "3.0", false},
		{"22.11.6", "22.11.6+", true},  {"22.11.11", "22.11.6+", true},
		{"22.11.5", "22.11.6+", false}, {"23.11.6", "22.11.6+", false},
		{"24.03", "23.11.2+", false},   {"24.07-rc1", ">=24.07", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (version_fits(rows[i].version, rows[i].expression) != rows[i].fits)
			fail_msg("%s and %s", rows[i].version, rows[i].expression);
	}
}

static const struct recipe_rule *rule_for(const struct recipe *recipe, const char *family)
{
	const struct recipe_rule *rules = recipe->rules.items;

	for (size_t i = 0; i < recipe->rules.count; i++) {
		for (size_t f = 0; f < rules[i].families.count; f++) {
			if (fnmatch(rules[i].families.items[f], family, 0) == 0)
				return &rules[i];
		}
	}
	return NULL;
}

/* Ampere's guide: OpenSSL and DPDK version rules; DPDK's release notes for the series. */
static void rules_of_the_guide(void **state)
{
	static const struct {
		const char *recipe, *family, *version;
		enum recipe_verdict verdict;
	} rows[] = {
		{"openssl", "altra", "3.2.0", VERDICT_GOOD},
		{"openssl", "altramax", "3.4.1", VERDICT_GOOD},
		{"openssl", "altra", "1.1.1w", VERDICT_GOOD},
		{"openssl", "altra", "1.1.0l", VERDICT_OLD},
		{"openssl", "altra", "3.0.13", VERDICT_AVOID},
		{"openssl", "altra", "3.1.4", VERDICT_AVOID},
		{"openssl", "ampereone-ac03", "3.4.0", VERDICT_GOOD},
		{"openssl", "ampereone-ac04", "3.3.2", VERDICT_PATCHED},
		{"openssl", "ampereone-ac04", "3.2.3", VERDICT_PATCHED},
		{"openssl", "ampereone-ac04", "3.0.13", VERDICT_AVOID},
		{"openssl", "ampereone-ac04", "1.1.1w", VERDICT_OLD},
		{"openssl", "ampere-unknown", "3.5.0", VERDICT_GOOD},
		{"openssl", "other", "3.0.2", VERDICT_AVOID},
		{"openssl", "other", "1.1.1", VERDICT_GOOD},
		{"dpdk", "altra", "22.11.5", VERDICT_OLD},
		{"dpdk", "altra", "22.11.6", VERDICT_GOOD},
		{"dpdk", "altra", "23.07", VERDICT_OLD},
		{"dpdk", "altra", "23.11.2", VERDICT_GOOD},
		{"dpdk", "altra", "24.03", VERDICT_OLD},
		{"dpdk", "altra", "24.07", VERDICT_GOOD},
		{"dpdk", "ampereone-ac04", "23.11.2", VERDICT_OLD},
		{"dpdk", "ampereone-ac04", "25.11.2", VERDICT_GOOD},
		{"ipsec-mb", "altra", "1.3.0", VERDICT_OLD},
		{"ipsec-mb", "altra", "1.4.0", VERDICT_GOOD},
		{"ipsec-mb", "altra", "2.0.0", VERDICT_UNCONFIRMED},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct recipe *recipe;
		struct error err = {0};

		if (!recipe_load(&arena, rows[i].recipe, &recipe, &err))
			fail_msg("%s", err.text);
		if (recipe_judge(rule_for(recipe, rows[i].family), rows[i].version) !=
		    rows[i].verdict)
			fail_msg("%s %s on %s", rows[i].recipe, rows[i].version, rows[i].family);
	}
	arena_release(&arena);
}

static void a_recipe_that_is_not_there(void **state)
{
	const struct recipe *recipe;
	struct error err = {0};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_false(recipe_load(&arena, "none", &recipe, &err));
	assert_non_null(strstr(err.text, "recipes/none/recipe.json"));
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions_in_order),
		cmocka_unit_test(expressions_of_recipes),
		cmocka_unit_test(rules_of_the_guide),
		cmocka_unit_test(a_recipe_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
