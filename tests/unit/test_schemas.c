// SPDX-License-Identifier: BSD-2-Clause
/*
 * The loader and the JSON Schema of a format come from one table; here they judge the same
 * documents: a good one of each format, and all that come from it by one mistake anywhere. What the
 * schema says is asked of Python's jsonschema (schema_oracle.py).
 */
#include "audit/waivers.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "bench/reference.h"
#include "bench/suite.h"
#include "catalog/profile.h"
#include "catalog/recipe.h"
#include "check/check.h"
#include "host/root_private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define DOCUMENT_MAX ((size_t)1 << 20)
#define ALL_MAX ((size_t)128 << 20)

static const struct format {
	const char *name, *sample;
	const struct field_table *table;
} formats[] = {
	{"waivers", "tests/fuzz/corpus/waivers/two", &waivers_table},
	{"profile", "tests/fuzz/corpus/checks/every-key", &check_file_table},
	{"cpu", "profiles/cpu/altra.json", &cpu_profile_table},
	{"recipe", "recipes/ipsec-mb/recipe.json", &recipe_table},
	{"suite", "profiles/suites/smoke.json", &suite_table},
	{"reference", "profiles/reference/altra-max-3des-ctr.json", &reference_table},
	{"capture", "tests/fuzz/corpus/capture/every-key", &root_capture_table},
};

/* What takes the place of a value: nothing at all, another one, or itself with a key more. */
enum mistake {
	MISTAKE_NULL,
	MISTAKE_BOOL,
	MISTAKE_REAL,
	MISTAKE_NEGATIVE,
	MISTAKE_TEXT,
	MISTAKE_LIST,
	MISTAKE_OBJECT,
	MISTAKE_ABSENT,
	MISTAKE_KEY,
	MISTAKES,
};

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena, (size_t)1 << 30);
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

static void write_mistake(struct json_writer *writer, const char *key, enum mistake mistake)
{
	switch (mistake) {
	case MISTAKE_NULL:
		json_null(writer, key);
		break;
	case MISTAKE_BOOL:
		json_bool(writer, key, true);
		break;
	case MISTAKE_REAL:
		json_real(writer, key, 1.5);
		break;
	case MISTAKE_NEGATIVE:
		json_number(writer, key, -1);
		break;
	case MISTAKE_TEXT:
		json_text(writer, key, "?");
		break;
	case MISTAKE_LIST:
		json_array(writer, key);
		json_close(writer);
		break;
	case MISTAKE_OBJECT:
		json_object(writer, key);
		json_close(writer);
		break;
	case MISTAKE_ABSENT:
	case MISTAKE_KEY:
	case MISTAKES:
		break;
	}
}

/* The tree with a mistake in place of `at`. */
static void write_tree(struct json_writer *writer, const cJSON *tree, const cJSON *at,
		       enum mistake mistake)
{
	if (tree == at && mistake != MISTAKE_KEY) {
		write_mistake(writer, tree->string, mistake);
		return;
	}
	if (!cJSON_IsObject(tree) && !cJSON_IsArray(tree)) {
		json_tree(writer, tree->string, tree);
		return;
	}
	if (cJSON_IsObject(tree))
		json_object(writer, tree->string);
	else
		json_array(writer, tree->string);
	for (const cJSON *child = tree->child; child; child = child->next)
		write_tree(writer, child, at, mistake);
	if (tree == at && cJSON_IsObject(tree))
		json_bool(writer, "no-such-key", true);
	json_close(writer);
}

static bool loads(struct arena *arena, const struct format *format, const struct json *json,
		  struct view text, struct error *err)
{
	struct root root = {.arena = arena, .kind = ROOT_CAPTURE, .name = "x", .top.fd = -1};

	if (format->table == &root_capture_table)
		return root_capture_load(&root, text, err);
	return fields_load(arena, json, json->top, format->table,
			   arena_alloc(arena, format->table->size), err);
}

struct run {
	struct arena *arena;
	struct json_writer *writer;
	size_t accepted, refused;
};

static void judge(struct run *run, const struct format *format, struct view text)
{
	struct error err = {0};
	struct json json;
	bool accepted;

	if (!json_parse(run->arena, format->name, text, &json, &err))
		fail_msg("%s", err.text);
	accepted = loads(run->arena, format, &json, text, &err);
	run->accepted += accepted;
	run->refused += !accepted;
	json_object(run->writer, NULL);
	json_text(run->writer, "format", format->name);
	json_bool(run->writer, "accepted", accepted);
	json_text(run->writer, "message", err.text);
	json_tree(run->writer, "document", json.top);
	json_close(run->writer);
}

/* Every mistake at `at` and below it. */
static void make_mistakes(struct run *run, const struct format *format, const cJSON *top,
			  const cJSON *at)
{
	for (enum mistake mistake = 0; mistake < MISTAKES; mistake++) {
		struct buffer out = buffer_new(run->arena, DOCUMENT_MAX);
		struct json_writer writer;

		json_begin(&writer, &out);
		write_tree(&writer, top, at, mistake);
		json_end(&writer);
		judge(run, format, buffer_view(&out));
	}
	for (const cJSON *child = at->child; child; child = child->next)
		make_mistakes(run, format, top, child);
}

static void write_schemas(struct json_writer *writer, struct arena *arena)
{
	json_object(writer, "schemas");
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct buffer out = buffer_new(arena, DOCUMENT_MAX);
		struct json_writer schema;
		struct json json;

		json_begin(&schema, &out);
		fields_schema(&schema, formats[i].table, "urn:test", "1.0.0");
		json_end(&schema);
		assert_true(json_parse(arena, "schema", buffer_view(&out), &json, NULL));
		json_tree(writer, formats[i].name, json.top);
	}
	json_close(writer);
}

static void judge_format(struct run *run, const struct format *format)
{
	const char *path = arena_printf(run->arena, SOURCE_ROOT "/%s", format->sample);
	struct error err = {0};
	struct view text;
	struct json json;

	if (!file_read(run->arena, path, DOCUMENT_MAX, &text, &err) ||
	    !json_parse(run->arena, path, text, &json, &err))
		fail_msg("%s", err.text);
	judge(run, format, text);
	assert_int_equal(run->refused, 0);
	make_mistakes(run, format, json.top, json.top);
	assert_in_range(run->accepted, 2, run->refused);
}

static void loader_and_schema_judge_alike(void **state)
{
	struct arena *arena = *state;
	const char *argv[] = {process_find(arena, "python3"),
			      SOURCE_ROOT "/tests/unit/schema_oracle.py", NULL};
	struct buffer out = buffer_new(arena, ALL_MAX);
	struct process_result result;
	struct json_writer writer;
	struct error err = {0};

	json_begin(&writer, &out);
	json_object(&writer, NULL);
	write_schemas(&writer, arena);
	json_array(&writer, "documents");
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct run run = {.arena = arena, .writer = &writer};

		judge_format(&run, &formats[i]);
	}
	json_end(&writer);
	assert_false(out.full);
	if (!argv[0]) {
		print_message("SKIP: no python3\n");
		skip();
	}
	if (!process_run(arena, argv, buffer_view(&out), 120000, DOCUMENT_MAX, &result, &err))
		fail_msg("%s", err.text);
	if (result.exit_status == 77) {
		print_message("SKIP: no python3-jsonschema\n");
		skip();
	}
	if (result.exit_status != 0)
		fail_msg("%.*s", (int)result.output.size, result.output.at);
	print_message("%.*s", (int)result.output.size, result.output.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loader_and_schema_judge_alike),
	};

	return cmocka_run_group_tests_name("schemas", tests, setup, teardown);
}
