// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "check/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A host of made-up facts, one of each kind. */
static struct value read_number(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_number(3200);
}

static struct value read_text(struct facts *facts, const char *of)
{
	(void)facts;
	return value_text(of ? of : "performance");
}

static struct value read_list(struct facts *facts, const char *of)
{
	struct names list = {0};

	(void)of;
	names_add(facts->arena, &list, "aes");
	names_add(facts->arena, &list, "pmull");
	return value_list(list);
}

static struct value read_empty(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_list((struct names){0});
}

static struct value read_flag(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_bool(true);
}

static struct value read_none(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_none("it is not there");
}

static struct value read_unknown(struct facts *facts, const char *of)
{
	(void)of;
	return value_unknown(facts->arena, UNKNOWN_NEEDS_ROOT, "needs root");
}

static const struct fact rows[] = {
	{.name = "number", .unit = "MT/s", .read = read_number},
	{.name = "text", .read = read_text},
	{.name = "echo", .of = "text", .read = read_text},
	{.name = "list", .read = read_list},
	{.name = "nothing", .read = read_empty},
	{.name = "flag", .read = read_flag},
	{.name = "none", .read = read_none},
	{.name = "unknown", .read = read_unknown},
};
static const struct fact_table table = FACT_TABLE(rows);
static const struct fact_table *const tables[] = {&table};

static void every_comparison_in_three_values(void **state)
{
	static const struct {
		const char *rule;
		enum truth truth;
	} cases[] = {
		{"{\"fact\": \"text\", \"is\": \"performance\"}", TRUTH_TRUE},
		{"{\"fact\": \"text\", \"is\": \"powersave\"}", TRUTH_FALSE},
		{"{\"fact\": \"text\", \"is\": 1}", TRUTH_UNKNOWN},
		{"{\"fact\": \"text\", \"is-not\": \"powersave\"}", TRUTH_TRUE},
		{"{\"fact\": \"text\", \"one-of\": [\"a\", \"performance\"]}", TRUTH_TRUE},
		{"{\"fact\": \"text\", \"one-of\": [\"a\"]}", TRUTH_FALSE},
		{"{\"fact\": \"text\", \"matches\": \"perf*\"}", TRUTH_TRUE},
		{"{\"fact\": \"text\", \"empty\": true}", TRUTH_FALSE},
		{"{\"fact\": \"echo(gcm(aes))\", \"is\": \"gcm(aes)\"}", TRUTH_TRUE},
		{"{\"fact\": \"number\", \"at-least\": 3200}", TRUTH_TRUE},
		{"{\"fact\": \"number\", \"at-least\": 3201}", TRUTH_FALSE},
		{"{\"fact\": \"number\", \"at-most\": 3199}", TRUTH_FALSE},
		{"{\"fact\": \"number\", \"at-least\": \"{number}\"}", TRUTH_TRUE},
		{"{\"fact\": \"number\", \"at-least\": \"{unknown}\"}", TRUTH_UNKNOWN},
		{"{\"fact\": \"number\", \"at-least\": \"{none}\"}", TRUTH_UNKNOWN},
		{"{\"fact\": \"flag\", \"is\": true}", TRUTH_TRUE},
		{"{\"fact\": \"list\", \"has\": \"aes\"}", TRUTH_TRUE},
		{"{\"fact\": \"list\", \"has-all\": [\"aes\", \"sha3\"]}", TRUTH_FALSE},
		{"{\"fact\": \"list\", \"lacks\": \"sha3\"}", TRUTH_TRUE},
		{"{\"fact\": \"list\", \"lacks-any\": [\"aes\", \"sha3\"]}", TRUTH_FALSE},
		{"{\"fact\": \"list\", \"each\": \"aes\"}", TRUTH_FALSE},
		{"{\"fact\": \"list\", \"empty\": false}", TRUTH_TRUE},
		{"{\"fact\": \"nothing\", \"each\": \"aes\"}", TRUTH_FALSE},
		{"{\"fact\": \"nothing\", \"empty\": true}", TRUTH_TRUE},
		{"{\"fact\": \"text\", \"exists\": true}", TRUTH_TRUE},
		/* What is known not to exist. */
		{"{\"fact\": \"none\", \"exists\": false}", TRUTH_TRUE},
		{"{\"fact\": \"none\", \"exists\": true}", TRUTH_FALSE},
		{"{\"fact\": \"none\", \"empty\": true}", TRUTH_TRUE},
		{"{\"fact\": \"none\", \"empty\": false}", TRUTH_FALSE},
		{"{\"fact\": \"none\", \"is\": \"x\"}", TRUTH_FALSE},
		{"{\"fact\": \"none\", \"is-not\": \"x\"}", TRUTH_TRUE},
		{"{\"fact\": \"none\", \"lacks\": \"x\"}", TRUTH_TRUE},
		{"{\"fact\": \"none\", \"at-least\": 0}", TRUTH_FALSE},
		/* Unknown stays unknown, whatever is asked. */
		{"{\"fact\": \"unknown\", \"exists\": false}", TRUTH_UNKNOWN},
		{"{\"fact\": \"unknown\", \"is-not\": \"x\"}", TRUTH_UNKNOWN},
		{"{\"fact\": \"unknown\", \"empty\": true}", TRUTH_UNKNOWN},
		{"{\"not\": {\"fact\": \"unknown\", \"is\": \"x\"}}", TRUTH_UNKNOWN},
		{"{\"not\": {\"fact\": \"flag\", \"is\": true}}", TRUTH_FALSE},
		{"{\"all\": [{\"fact\": \"unknown\", \"is\": 1}, {\"fact\": \"flag\", \"is\": "
		 "false}]}",
		 TRUTH_FALSE},
		{"{\"all\": [{\"fact\": \"unknown\", \"is\": 1}, {\"fact\": \"flag\", \"is\": "
		 "true}]}",
		 TRUTH_UNKNOWN},
		{"{\"any\": [{\"fact\": \"unknown\", \"is\": 1}, {\"fact\": \"flag\", \"is\": "
		 "true}]}",
		 TRUTH_TRUE},
		{"{\"any\": [{\"fact\": \"unknown\", \"is\": 1}, {\"fact\": \"flag\", \"is\": "
		 "false}]}",
		 TRUTH_UNKNOWN},
		{"{\"any\": [{\"fact\": \"none\", \"is\": 1}, {\"fact\": \"flag\", \"is\": "
		 "false}]}",
		 TRUTH_FALSE},
	};
	struct arena arena;
	struct facts facts = {.arena = &arena, .tables = tables, .table_count = 1};

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct value *deciding = NULL;
		const struct rule *rule;
		struct error err = {0};
		struct json json;

		if (!json_parse(&arena, "rule", view_of(cases[i].rule), &json, &err) ||
		    !rule_load(&arena, &json, json.top, &rule, &err))
			fail_msg("%s", err.text);
		if (rule_judge(rule, &facts, &deciding) != cases[i].truth)
			fail_msg("%s: another truth", cases[i].rule);
		assert_non_null(deciding);
	}
	arena_release(&arena);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *rule, *message;
	} cases[] = {
		{"{}", "a rule is"},
		{"[]", "a rule is"},
		{"{\"fact\": \"x\"}", "a rule is"},
		{"{\"is\": 1}", "a rule is"},
		{"{\"fact\": \"x\", \"at-lest\": 1}", "at-least"},
		{"{\"fact\": \"x\", \"at-least\": \"many\"}", "wrong constant"},
		{"{\"fact\": \"x\", \"at-least\": 1.5}", "wrong constant"},
		{"{\"fact\": \"x\", \"one-of\": \"a\"}", "wrong constant"},
		{"{\"fact\": \"x\", \"one-of\": [1]}", "a string"},
		{"{\"fact\": \"x\", \"is\": 1, \"at-most\": 2}", "one comparison"},
		{"{\"fact\": 1, \"is\": 1}", "name of a fact"},
		{"{\"all\": []}", "array of rules"},
		{"{\"all\": [{\"fact\": \"x\", \"is\": 1}], \"fact\": \"y\"}", "stands alone"},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct rule *rule;
		struct error err = {0};
		struct json json;

		assert_true(json_parse(&arena, "rule.json", view_of(cases[i].rule), &json, &err));
		assert_false(rule_load(&arena, &json, json.top, &rule, &err));
		if (!strstr(err.text, cases[i].message) ||
		    strncmp(err.text, "rule.json:1:", 12) != 0)
			fail_msg("\"%s\" lacks \"%s\"", err.text, cases[i].message);
	}
	arena_release(&arena);
}

static void rules_read_well(void **state)
{
	static const struct {
		const char *rule, *words;
	} cases[] = {
		{"{\"fact\": \"number\", \"at-least\": 3200}", "at least 3200 MT/s"},
		{"{\"fact\": \"list\", \"has-all\": [\"aes\", \"sha3\"]}", "aes, sha3"},
		{"{\"fact\": \"list\", \"empty\": true}", "none"},
		{"{\"any\": [{\"fact\": \"text\", \"is\": \"a\"}, {\"fact\": \"flag\", \"is\": "
		 "true}]}",
		 "a or yes"},
	};
	struct arena arena;
	struct facts facts = {.arena = &arena, .tables = tables, .table_count = 1};

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct rule *rule;
		struct error err = {0};
		struct json json;

		assert_true(json_parse(&arena, "rule", view_of(cases[i].rule), &json, &err));
		assert_true(rule_load(&arena, &json, json.top, &rule, &err));
		assert_string_equal(rule_describe(&arena, rule, &facts), cases[i].words);
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_comparison_in_three_values),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(rules_read_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
