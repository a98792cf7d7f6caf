// SPDX-License-Identifier: BSD-2-Clause
/*
 * The field lists of the manual pages are those of the field tables: `test_manual write` puts them
 * there, between the lines "; fields NAME" and "; end"; the placeholders of recipes likewise.
 */
#include "audit/waivers.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "bench/reference.h"
#include "bench/suite.h"
#include "catalog/profile.h"
#include "catalog/recipe.h"
#include "check/check.h"
#include "check/compare.h"
#include "provision/plan.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define PAGE_MAX ((size_t)1 << 20)
#define BEGIN "; fields "
#define PLACEHOLDERS "; placeholders"
#define END "; end"

static const char *const pages[] = {MANUAL_PAGES "/profile.5.scd",
				    MANUAL_PAGES "/provision.5.scd",
				    MANUAL_PAGES "/recipe.5.scd",
				    MANUAL_PAGES "/waivers.5.scd",
				    MANUAL_PAGES "/ampere-crypto-reference.5.scd",
				    MANUAL_PAGES "/ampere-crypto-suite.5.scd"};

static const struct {
	const char *name;
	const struct field_table *table;
} lists[] = {
	{"cpu", &cpu_profile_table},          {"profile", &check_file_table},
	{"provision", &provision_plan_table}, {"recipe", &recipe_table},
	{"reference", &reference_table},      {"suite", &suite_table},
	{"waivers", &waivers_table},
};

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

static struct view read_page(struct arena *arena, const char *path)
{
	struct view text = {NULL, 0};
	struct error err = {0};

	if (!file_read(arena, path, PAGE_MAX, &text, &err))
		fail_msg("%s", err.text);
	return text;
}

static void add_fields(struct buffer *out, const char *name)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (strcmp(lists[i].name, name) == 0) {
			fields_manual(out, lists[i].table);
			return;
		}
	}
	fail_msg("no table %s", name);
}

static void add_placeholders(struct buffer *out)
{
	for (size_t i = 0; recipe_placeholders[i].name; i++) {
		const char *doc = recipe_placeholders[i].doc;

		buffer_printf(out, "*{%s}*\n\t%c%s.\n\n", recipe_placeholders[i].name,
			      toupper((unsigned char)doc[0]), doc + 1);
	}
}

/* The page as its tables want it. */
static struct view wanted_page(struct arena *arena, struct view text, size_t *count)
{
	struct buffer out = buffer_new(arena, PAGE_MAX);
	struct view line;
	bool inside = false;

	while (view_line(&text, &line)) {
		if (view_is(line, END))
			inside = false;
		if (!inside) {
			buffer_add(&out, line.at, line.size);
			buffer_char(&out, '\n');
		}
		if (!view_starts(line, BEGIN) && !view_is(line, PLACEHOLDERS))
			continue;
		inside = true;
		(*count)++;
		if (view_is(line, PLACEHOLDERS)) {
			add_placeholders(&out);
			continue;
		}
		line.at += strlen(BEGIN);
		line.size -= strlen(BEGIN);
		add_fields(&out, view_copy(arena, line));
	}
	assert_false(inside);
	return buffer_view(&out);
}

static void pages_list_the_fields_of_the_tables(void **state)
{
	size_t count = 0;

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct view text = read_page(*state, pages[i]);
		struct view wanted = wanted_page(*state, text, &count);

		if (wanted.size != text.size || memcmp(wanted.at, text.at, text.size) != 0)
			fail_msg("%s differs from its tables, run test_manual write", pages[i]);
	}
	/* and the placeholders */
	assert_int_equal(count, sizeof(lists) / sizeof(lists[0]) + 1);
}

/* The page and the schema know every comparison. */
static void comparisons_are_documented(void **state)
{
	struct view page = read_page(*state, pages[0]);
	struct json json;
	const cJSON *keys;
	const char *key;
	size_t i = 0;

	assert_true(json_parse(*state, "rule", view_of(rule_schema), &json, NULL));
	keys = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json.top, "oneOf"), 3);
	keys = cJSON_GetObjectItemCaseSensitive(keys, "properties");
	for (; (key = comparison_key(i)); i++) {
		const char *entry = arena_printf(*state, "*%s*", key);

		if (!view_find(page, entry))
			fail_msg("%s: %s is not in it", pages[0], entry);
		if (!cJSON_GetObjectItemCaseSensitive(keys, key))
			fail_msg("rule_schema: %s is not in it", key);
	}
	/* and "fact" */
	assert_int_equal(cJSON_GetArraySize(keys), i + 1);
}

static int write_pages(void)
{
	struct arena arena;
	size_t count = 0;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct error err = {0};
		struct view text = wanted_page(&arena, read_page(&arena, pages[i]), &count);

		if (!file_write(pages[i], text, &err))
			return 1;
	}
	arena_release(&arena);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_list_the_fields_of_the_tables),
		cmocka_unit_test(comparisons_are_documented),
	};

	if (argc == 2 && strcmp(argv[1], "write") == 0)
		return write_pages();
	return cmocka_run_group_tests_name("manual", tests, setup, teardown);
}
