// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bike.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

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

static bool load(struct arena *arena, const char *text, struct bike *bike, struct error *err)
{
	struct json json;

	if (!json_parse(arena, "bike.json", view_of(text), &json, err))
		fail_msg("%s", err->text);
	return fields_load(arena, &json, json.top, &bike_table, bike, err);
}

static void mistakes_name_place_key_and_nearest(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"[]", "bike.json:1:1: must be an object, not an array"},
		{"null", "bike.json:1:1: must be an object, not null"},
		{"{}", "bike.json:1:1: required key \"id\" is missing"},
		{"{\"id\": \"a\"}", "bike.json:1:1: required key \"rear\" is missing"},
		{"{\"id\": \"a\",\n  \"ownrs\": []}",
		 "bike.json:2:3: ownrs: unknown key; did you mean \"owners\"?"},
		{"{\"ID\": \"a\"}",
		 "bike.json:1:2: ID: unknown key; known here: id, note, frame, sold, gears, year, "
		 "owners, front, rear, wheels, colour"},
		{"{\"bell\": 1}", "bike.json:1:2: bell: unknown key; known here: id, note, frame, "
				  "sold, gears, year, "
				  "owners, front, rear, wheels, colour"},
		{"{\"id\": 1}", "bike.json:1:2: id: must be text, not a number"},
		{"{\"id\": null}", "bike.json:1:2: id: must be text, not null"},
		{"{\"id\": \"A b\"}",
		 "bike.json:1:2: id: \"A b\" does not match ^[a-z]+(-[a-z0-9]+)*$"},
		{"{\"id\": \"a\\nb\"}",
		 "bike.json:1:2: id: \"a?b\" does not match ^[a-z]+(-[a-z0-9]+)*$"},
		{"{\"note\": []}", "bike.json:1:2: note: must be text, not an array"},
		{"{\"frame\": \"stel\"}",
		 "bike.json:1:2: frame: \"stel\" is not known; did you mean \"steel\"?"},
		{"{\"frame\": \"wood\"}",
		 "bike.json:1:2: frame: \"wood\" is not one of steel, aluminium, carbon"},
		{"{\"frame\": true}", "bike.json:1:2: frame: must be text, not true or false"},
		{"{\"sold\": 1}", "bike.json:1:2: sold: must be true or false, not a number"},
		{"{\"sold\": \"true\"}", "bike.json:1:2: sold: must be true or false, not text"},
		{"{\"gears\": \"7\"}", "bike.json:1:2: gears: must be a number, not text"},
		{"{\"gears\": 7.5}", "bike.json:1:2: gears: must be a whole number"},
		{"{\"gears\": 1e300}", "bike.json:1:2: gears: must be a whole number"},
		{"{\"gears\": null}", "bike.json:1:2: gears: must be a number, not null"},
		{"{\"year\": \"1990\"}", "bike.json:1:2: year: must be a number, not text"},
		{"{\"owners\": \"Ann\"}",
		 "bike.json:1:2: owners: must be an array of text, not text"},
		{"{\"owners\": [\"Ann\",\n 5]}",
		 "bike.json:2:2: owners[1]: must be text, not a number"},
		{"{\"owners\": [\"ann\"]}",
		 "bike.json:1:13: owners[0]: \"ann\" does not match ^[A-Z]"},
		{"{\"front\": []}", "bike.json:1:2: front: must be an object, not an array"},
		{"{\"front\": {}}", "bike.json:1:2: front: required key \"maker\" is missing"},
		{"{\"rear\": null}", "bike.json:1:2: rear: must be an object, not null"},
		{"{\"rear\": {\"make\": \"x\"}}",
		 "bike.json:1:11: make: unknown key; did you mean \"maker\"?"},
		{"{\"wheels\": {}}",
		 "bike.json:1:2: wheels: must be an array of objects, not an object"},
		{"{\"wheels\": [7]}", "bike.json:1:13: wheels[0]: must be an object, not a number"},
		{"{\"wheels\": [{\"name\": \"a\", \"size_mm\": 50}]}",
		 "bike.json:1:27: size_mm: must be from 100 to 900, not 50"},
		{"{\"wheels\": [{\"name\": \"a\"}, {}]}",
		 "bike.json:1:28: wheels[1]: required key \"name\" is missing"},
		{"{\"colour\": \"blue\"}", "bike.json:1:2: colour: is no colour"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bike bike = {.gears = 42};
		struct error err = {0};

		if (load(*state, rows[i].text, &bike, &err))
			fail_msg("accepted: %s", rows[i].text);
		assert_string_equal(err.text, rows[i].message);
		assert_int_equal(bike.gears, 42);
		assert_null(bike.id);
	}
}

static const char *const full = "{\n"
				"  \"id\": \"old-1\",\n"
				"  \"note\": null,\n"
				"  \"frame\": \"steel\",\n"
				"  \"sold\": true,\n"
				"  \"gears\": -3,\n"
				"  \"year\": 1990,\n"
				"  \"owners\": [\n"
				"    \"Zoe\",\n"
				"    \"Ann\"\n"
				"  ],\n"
				"  \"front\": {\n"
				"    \"maker\": \"M\",\n"
				"    \"weight_g\": null\n"
				"  },\n"
				"  \"rear\": {\n"
				"    \"maker\": \"N\",\n"
				"    \"weight_g\": 7\n"
				"  },\n"
				"  \"wheels\": [\n"
				"    {\n"
				"      \"name\": \"one\",\n"
				"      \"size_mm\": 700\n"
				"    },\n"
				"    {\n"
				"      \"name\": \"two\",\n"
				"      \"size_mm\": 0\n"
				"    }\n"
				"  ],\n"
				"  \"colour\": \"green\"\n"
				"}\n";

static const char *written(struct arena *arena, const struct bike *bike)
{
	struct buffer out = buffer_new(arena, 1 << 16);
	struct json_writer writer;

	json_begin(&writer, &out);
	fields_write(&writer, NULL, &bike_table, bike);
	json_end(&writer);
	return buffer_string(&out);
}

/* Every kind is loaded, and written as it was. */
static void what_is_loaded_is_written_again(void **state)
{
	char *text = arena_strdup(*state, full);
	struct bike bike = {0};
	struct error err;

	/* the second wheel leaves its size out, which is 0 in the struct */
	char *size = strstr(text, "\"two\",");
	memset(size + 5, ' ', strlen(",\n      \"size_mm\": 0"));
	if (!load(*state, text, &bike, &err))
		fail_msg("%s", err.text);
	assert_string_equal(bike.id, "old-1");
	assert_null(bike.note);
	assert_string_equal(bike.frame, "steel");
	assert_true(bike.sold);
	assert_int_equal(bike.gears, -3);
	assert_true(bike.year.known);
	assert_int_equal(bike.year.number, 1990);
	assert_int_equal(bike.owners.count, 2);
	assert_string_equal(bike.owners.items[0], "Zoe");
	assert_string_equal(bike.front->maker, "M");
	assert_false(bike.front->weight_g.known);
	assert_int_equal(bike.rear.weight_g.number, 7);
	assert_int_equal(bike.wheels.count, 2);
	assert_int_equal(((struct wheel *)bike.wheels.items)[0].size_mm, 700);
	assert_int_equal(bike.colour, 2);
	assert_string_equal(written(*state, &bike), full);
}

static void absent_members_keep_their_defaults(void **state)
{
	struct bike bike = {.gears = 21, .frame = "carbon"};
	struct error err;

	assert_true(load(*state, "{\"id\": \"a\", \"rear\": {\"maker\": \"m\"}}", &bike, &err));
	assert_int_equal(bike.gears, 21);
	assert_string_equal(bike.frame, "carbon");
	assert_false(bike.year.known);
	assert_null(bike.front);
	assert_int_equal(bike.wheels.count, 0);
}

/* Null when nullable or required, left out otherwise; lists, numbers and booleans always stand. */
static void absent_members_are_written_by_their_row(void **state)
{
	struct bike bike = {0};

	assert_string_equal(written(*state, &bike), "{\n"
						    "  \"id\": null,\n"
						    "  \"note\": null,\n"
						    "  \"sold\": false,\n"
						    "  \"gears\": 0,\n"
						    "  \"year\": null,\n"
						    "  \"owners\": [],\n"
						    "  \"front\": null,\n"
						    "  \"rear\": {\n"
						    "    \"maker\": null,\n"
						    "    \"weight_g\": null\n"
						    "  },\n"
						    "  \"wheels\": [],\n"
						    "  \"colour\": null\n"
						    "}\n");
}

static void the_manual_has_an_entry_per_field(void **state)
{
	struct buffer out = buffer_new(*state, 1 << 16);

	fields_manual(&out, &bike_table);
	assert_string_equal(
		buffer_string(&out),
		"*id* (text, required)\n"
		"\tStable id. It matches *^\\[a\\-z\\]\\+(\\-\\[a\\-z0\\-9\\]\\+)\\*$*.\n\n"
		"*note* (text or null)\n"
		"\tAny \\*text\\*.\n\n"
		"*frame* (text)\n"
		"\tMaterial. One of *steel*, *aluminium*, *carbon*.\n\n"
		"*sold* (true or false)\n"
		"\tGone.\n\n"
		"*gears* (whole number)\n"
		"\tGears.\n\n"
		"*year* (whole number or null)\n"
		"\tYear made.\n\n"
		"*owners* (array of text)\n"
		"\tIn order. It matches *^\\[A\\-Z\\]*.\n\n"
		"*front* (object or null)\n"
		"\tFront brake.\n\n"
		"\t*maker* (text, required)\n"
		"\t\tWho made it.\n\n"
		"\t*weight\\_g* (whole number or null)\n"
		"\t\tWeight in grams.\n\n"
		"*rear* (object, required)\n"
		"\tRear brake.\n\n"
		"\t*maker* (text, required)\n"
		"\t\tWho made it.\n\n"
		"\t*weight\\_g* (whole number or null)\n"
		"\t\tWeight in grams.\n\n"
		"*wheels* (array of objects)\n"
		"\tBoth.\n\n"
		"\t*name* (text, required)\n"
		"\t\tIts name.\n\n"
		"\t*size\\_mm* (whole number)\n"
		"\t\tDiameter in mm. From 100 to 900.\n\n"
		"*colour*\n"
		"\tPaint.\n\n");
}

static void the_schema_says_what_the_loader_wants(void **state)
{
	struct buffer out = buffer_new(*state, 1 << 16);
	struct json_writer writer;
	struct json json;
	struct error err;
	const cJSON *properties, *definitions;

	json_begin(&writer, &out);
	fields_schema(&writer, &bike_table, "urn:example:bike", "1.0.0");
	json_end(&writer);
	assert_true(json_parse(*state, "schema", buffer_view(&out), &json, &err));
	properties = cJSON_GetObjectItemCaseSensitive(json.top, "properties");
	definitions = cJSON_GetObjectItemCaseSensitive(json.top, "$defs");
	assert_int_equal(cJSON_GetArraySize(properties), COUNT(bike_rows));
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(json.top, "required")),
			 2);
	assert_int_equal(cJSON_GetArraySize(definitions), 3);
	assert_non_null(cJSON_GetObjectItemCaseSensitive(definitions, "brake"));
	assert_non_null(cJSON_GetObjectItemCaseSensitive(definitions, "wheel"));
	assert_non_null(cJSON_GetObjectItemCaseSensitive(definitions, "colour"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_name_place_key_and_nearest),
		cmocka_unit_test(what_is_loaded_is_written_again),
		cmocka_unit_test(absent_members_keep_their_defaults),
		cmocka_unit_test(absent_members_are_written_by_their_row),
		cmocka_unit_test(the_manual_has_an_entry_per_field),
		cmocka_unit_test(the_schema_says_what_the_loader_wants),
	};

	return cmocka_run_group_tests_name("fields", tests, setup, teardown);
}
