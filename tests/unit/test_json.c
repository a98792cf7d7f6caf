// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

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

struct bad_row {
	struct view text;
	const char *message;
};

/* The whole message; columns count characters. */
static void check_refused(struct arena *arena, const struct bad_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct json json = {.name = "untouched"};
		struct error err = {0};

		if (json_parse(arena, "x.json", rows[i].text, &json, &err))
			fail_msg("accepted: %.*s", (int)rows[i].text.size, rows[i].text.at);
		assert_string_equal(err.text, rows[i].message);
		assert_int_equal(err.exit_code, EXIT_TROUBLE);
		assert_string_equal(json.name, "untouched");
	}
}

static void bad_structure_is_refused_where_it_stands(void **state)
{
	static const struct bad_row rows[] = {
		{VIEW(""), "x.json:1:1: expected a value, found the end of the file"},
		{VIEW(" \n\t"), "x.json:2:2: expected a value, found the end of the file"},
		{VIEW("{"),
		 "x.json:1:2: expected a key in double quotes, found the end of the file"},
		{VIEW("[1, 2"), "x.json:1:6: expected ',' or ']', found the end of the file"},
		{VIEW("{\"a\": 1"), "x.json:1:8: expected ',' or '}', found the end of the file"},
		{VIEW("{\"a\""),
		 "x.json:1:5: expected ':' after the key, found the end of the file"},
		{VIEW("{\"a\":"), "x.json:1:6: expected a value, found the end of the file"},
		{VIEW("{} {}"), "x.json:1:4: expected the end of the file, found '{'"},
		{VIEW("{}\nx"), "x.json:2:1: expected the end of the file, found 'x'"},
		{VIEW("{}\0"), "x.json:1:3: expected the end of the file, found character U+0000"},
		{VIEW("[1,]"), "x.json:1:4: a comma before ']'"},
		{VIEW("{\"a\":1,\n}"), "x.json:2:1: a comma before '}'"},
		{VIEW("[,1]"), "x.json:1:2: expected a value, found ','"},
		{VIEW("[1 2]"), "x.json:1:4: expected ',' or ']', found '2'"},
		{VIEW("{\"a\" 1}"), "x.json:1:6: expected ':' after the key, found '1'"},
		{VIEW("{a: 1}"), "x.json:1:2: expected a key in double quotes, found 'a'"},
		{VIEW("{'a': 1}"), "x.json:1:2: expected a key in double quotes, found '''"},
		{VIEW("{1: 1}"), "x.json:1:2: expected a key in double quotes, found '1'"},
		{VIEW("[1}"), "x.json:1:3: expected ',' or ']', found '}'"},
		{VIEW("// c\n1"), "x.json:1:1: expected a value, found '/'"},
		{VIEW("[True]"), "x.json:1:2: expected a value, found 'True'"},
		{VIEW("[nullx]"), "x.json:1:2: expected a value, found 'nullx'"},
		{VIEW("[NaN]"), "x.json:1:2: expected a value, found 'NaN'"},
		{VIEW("[\xe2\x80\x9c"
		      "a]"),
		 "x.json:1:2: expected a value, found character U+201C"},
		{VIEW("[\xc2\xa0"
		      "1]"),
		 "x.json:1:2: expected a value, found character U+00A0"},
	};

	check_refused(*state, rows, COUNT(rows));
}

static void bad_numbers_are_refused_where_they_stand(void **state)
{
	static const struct bad_row rows[] = {
		{VIEW("[01]"), "x.json:1:2: a number must not begin with 0"},
		{VIEW("-01"), "x.json:1:1: a number must not begin with 0"},
		{VIEW("[1.]"), "x.json:1:4: a digit must follow the decimal point"},
		{VIEW("[.5]"), "x.json:1:2: expected a value, found '.'"},
		{VIEW("[+1]"), "x.json:1:2: expected a value, found '+'"},
		{VIEW("[-]"), "x.json:1:3: a digit must follow the minus sign"},
		{VIEW("[-x]"), "x.json:1:3: a digit must follow the minus sign"},
		{VIEW("[1e]"), "x.json:1:4: a digit must follow the exponent sign"},
		{VIEW("[1e+]"), "x.json:1:5: a digit must follow the exponent sign"},
		{VIEW("0x10"), "x.json:1:2: expected the end of the file, found 'x'"},
		{VIEW("{\"a\":\n 9007199254740993}"),
		 "x.json:2:2: an integer beyond 2^53, which JSON readers round; write it as text"},
		{VIEW("-9007199254740993"),
		 "x.json:1:1: an integer beyond 2^53, which JSON readers round; write it as text"},
		{VIEW("18446744073709551616"),
		 "x.json:1:1: an integer beyond 2^53, which JSON readers round; write it as text"},
		{VIEW("1e400"), "x.json:1:1: a number too large for a double"},
		{VIEW("-1e400"), "x.json:1:1: a number too large for a double"},
		{VIEW("0.0000000000000000000000000000000000000000000000000000000000000001"),
		 "x.json:1:1: a number longer than 63 characters"},
	};

	check_refused(*state, rows, COUNT(rows));
}

static void bad_texts_are_refused_where_they_stand(void **state)
{
	static const struct bad_row rows[] = {
		{VIEW("\xef\xbb\xbf{}"),
		 "x.json:1:1: begins with a byte order mark; save it as UTF-8 without one"},
		{VIEW("\xff\xfe{\0}\0"), "x.json:1:1: byte 0xff is not UTF-8"},
		{VIEW("[\"\xc3\xa9\xff\"]"), "x.json:1:4: byte 0xff is not UTF-8"},
		{VIEW("\"\xc0\xaf\""), "x.json:1:2: byte 0xc0 is not UTF-8"},
		{VIEW("\"\xe0\x80\xaf\""), "x.json:1:2: byte 0xe0 is not UTF-8"},
		{VIEW("\"\xed\xa0\x80\""), "x.json:1:2: byte 0xed is not UTF-8"},
		{VIEW("\"\xf4\x90\x80\x80\""), "x.json:1:2: byte 0xf4 is not UTF-8"},
		{VIEW("\"\xc3"), "x.json:1:2: byte 0xc3 is not UTF-8"},
		{VIEW("\"a\xe2\x82\""), "x.json:1:3: byte 0xe2 is not UTF-8"},
		{VIEW("[\"a\tb\"]"), "x.json:1:4: a tab inside a text; write \\t"},
		{VIEW("[\"a\nb\"]"),
		 "x.json:1:4: a line ends inside a text; close the quotes or write \\n"},
		{VIEW("[\"a\x01\"]"), "x.json:1:4: control character 0x01 inside a text"},
		{VIEW("[\"a\0\"]"), "x.json:1:4: control character 0x00 inside a text"},
		{VIEW("[\"abc"), "x.json:1:2: the text that begins here is not closed"},
		{VIEW("[\"abc\\"), "x.json:1:6: the file ends inside a text"},
		{VIEW("[\"a\\\"]"), "x.json:1:2: the text that begins here is not closed"},
		{VIEW("[\"\\x41\"]"), "x.json:1:3: unknown escape; write \\\\ for a backslash"},
		{VIEW("[\"\\U0041\"]"), "x.json:1:3: unknown escape; write \\\\ for a backslash"},
		{VIEW("[\"\\\0\"]"), "x.json:1:3: unknown escape; write \\\\ for a backslash"},
		{VIEW("[\"\\u12\"]"), "x.json:1:3: \\u needs four hexadecimal digits"},
		{VIEW("[\"\\u0x41\"]"), "x.json:1:3: \\u needs four hexadecimal digits"},
		{VIEW("[\"\\u12"), "x.json:1:3: \\u needs four hexadecimal digits"},
		{VIEW("[\"a\\u0000\"]"), "x.json:1:4: \\u0000 is not allowed in a text"},
		{VIEW("[\"\\ud800\"]"), "x.json:1:3: \\ud800 is half of a surrogate pair"},
		{VIEW("[\"\\udc00\"]"), "x.json:1:3: \\udc00 is half of a surrogate pair"},
		{VIEW("[\"\\ud800\\u0041\"]"), "x.json:1:3: \\ud800 is half of a surrogate pair"},
		{VIEW("[\"\\ud800\\n\"]"), "x.json:1:3: \\ud800 is half of a surrogate pair"},
		{VIEW("[\"\\ud800\\ud800\"]"), "x.json:1:3: \\ud800 is half of a surrogate pair"},
	};

	check_refused(*state, rows, COUNT(rows));
}

static void a_key_must_not_stand_twice(void **state)
{
	static const struct bad_row rows[] = {
		{VIEW("{\"a\": 1, \"a\": 2}"),
		 "x.json:1:10: a: the key stands twice in one object"},
		{VIEW("{\"a\": 1,\n \"\\u0061\": 2}"),
		 "x.json:2:2: a: the key stands twice in one object"},
		{VIEW("{\"\": 1, \"\": 2}"), "x.json:1:9: : the key stands twice in one object"},
		{VIEW("[{}, {\"k\": {\"b\":1, \"a\":2, \"b\":3, \"a\":4}}]"),
		 "x.json:1:27: b: the key stands twice in one object"},
		{VIEW("{\"a\\u001b[31m\": 1, \"a\\u001b[31m\": 2}"),
		 "x.json:1:20: a?[31m: the key stands twice in one object"},
	};
	static const struct view fine =
		VIEW("{\"a\": {\"a\": 1}, \"A\": [{\"a\": 1}, {\"a\": 1}]}");
	struct json json;

	check_refused(*state, rows, COUNT(rows));
	assert_true(json_parse(*state, "x.json", fine, &json, NULL));
}

static void sizes_have_limits(void **state)
{
	struct arena *arena = *state;
	size_t huge = JSON_BYTES_MAX + 1;
	char deep[2 * JSON_DEPTH_MAX + 3] = "";
	struct json json;
	struct error err;

	memset(deep, '[', JSON_DEPTH_MAX);
	memset(deep + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
	assert_true(json_parse(arena, "x.json", view_of(deep), &json, &err));
	memset(deep, '[', JSON_DEPTH_MAX + 1);
	memset(deep + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
	assert_false(json_parse(arena, "x.json", view_of(deep), &json, &err));
	assert_string_equal(err.text, "x.json:1:33: more than 32 levels deep");

	char *text = arena_alloc(arena, huge);
	memset(text, ' ', huge);
	assert_false(json_parse(arena, "x.json", (struct view){text, huge}, &json, &err));
	assert_string_equal(err.text, "x.json: larger than 64 MiB");
	text[0] = '[';
	for (size_t i = 1; i <= 2 * JSON_VALUES_MAX; i += 2)
		memcpy(text + i, "0,", 2);
	assert_false(json_parse(arena, "x.json", (struct view){text, huge - 1}, &json, &err));
	/* the array is a value too, so the last one that fits is item 999,998 */
	assert_string_equal(err.text, "x.json:1:2000000: more than 1000000 values");
}

static void values_keep_their_meaning(void **state)
{
	static const struct view text =
		VIEW(" {\"t\": \"a\\u00e9\\ud83d\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"n\": "
		     "-9007199254740992,"
		     " \"m\": 9007199254740992, \"r\": 1.5e-3, \"z\": -0, \"y\": [true, false, "
		     "null, {}, []]}\r\n");
	struct json json;
	const cJSON *list;

	assert_true(json_parse(*state, "x.json", text, &json, NULL));
	assert_string_equal(cJSON_GetObjectItemCaseSensitive(json.top, "t")->valuestring,
			    "a\xc3\xa9\xf0\x9f\x98\x80\"\\/\b\f\n\r\t");
	assert_true(cJSON_GetObjectItemCaseSensitive(json.top, "n")->valuedouble ==
		    -9007199254740992.0);
	assert_true(cJSON_GetObjectItemCaseSensitive(json.top, "m")->valuedouble ==
		    9007199254740992.0);
	assert_true(cJSON_GetObjectItemCaseSensitive(json.top, "r")->valuedouble == 0.0015);
	assert_true(cJSON_GetObjectItemCaseSensitive(json.top, "z")->valuedouble == 0.0);
	list = cJSON_GetObjectItemCaseSensitive(json.top, "y");
	assert_int_equal(cJSON_GetArraySize(list), 5);
	assert_true(cJSON_IsTrue(cJSON_GetArrayItem(list, 0)));
	assert_true(cJSON_IsFalse(cJSON_GetArrayItem(list, 1)));
	assert_true(cJSON_IsNull(cJSON_GetArrayItem(list, 2)));
	assert_true(cJSON_IsObject(cJSON_GetArrayItem(list, 3)));
	assert_true(cJSON_IsArray(cJSON_GetArrayItem(list, 4)));
	assert_null(cJSON_GetArrayItem(list, 5));
}

static void messages_name_line_column_and_key(void **state)
{
	static const struct view text =
		VIEW("{\n  \"a\": [1, {\"b\": 2}, [3, 4]],\n  \"\xc3\xa9\": 5, \"c\": 6\n}\n");
	const cJSON stranger = {0};
	const cJSON *a;
	struct json json;
	struct error err;

	assert_true(json_parse(*state, "x.json", text, &json, NULL));
	a = cJSON_GetObjectItemCaseSensitive(json.top, "a");
	const struct {
		const cJSON *at;
		const char *message;
	} rows[] = {
		{json.top, "x.json:1:1: wrong"},
		{a, "x.json:2:3: a: wrong"},
		{cJSON_GetArrayItem(a, 0), "x.json:2:9: a[0]: wrong"},
		{cJSON_GetArrayItem(a, 1), "x.json:2:12: a[1]: wrong"},
		{cJSON_GetArrayItem(a, 1)->child, "x.json:2:13: b: wrong"},
		{cJSON_GetArrayItem(cJSON_GetArrayItem(a, 2), 1), "x.json:2:26: a[2][1]: wrong"},
		{cJSON_GetObjectItemCaseSensitive(json.top, "c"), "x.json:3:11: c: wrong"},
		{&stranger, "x.json: wrong"},
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_false(json_error(&json, rows[i].at, &err, "%s", "wrong"));
		assert_string_equal(err.text, rows[i].message);
	}
}

static void the_writer_lays_out_by_two_blanks(void **state)
{
	struct buffer out = buffer_new(*state, 4096);
	struct json_writer writer;

	json_begin(&writer, &out);
	json_object(&writer, NULL);
	json_text(&writer, "t", "\x1b[31m\x7f\xc2\x9b\xe2\x80\xae\"\\\n\xff");
	json_text(&writer, "nothing", NULL);
	json_view(&writer, "v", VIEW("a\0b"));
	json_array(&writer, "empty");
	json_close(&writer);
	json_array(&writer, "list");
	json_number(&writer, NULL, INT64_MIN);
	json_bool(&writer, NULL, true);
	json_object(&writer, NULL);
	json_real(&writer, "r", 0.1);
	json_end(&writer);
	assert_string_equal(
		buffer_string(&out),
		"{\n"
		"  \"t\": \"\\u001b[31m\\u007f\\u009b\\u202e\\\"\\\\\\n\xef\xbf\xbd\",\n"
		"  \"nothing\": null,\n"
		"  \"v\": \"a\xef\xbf\xbd"
		"b\",\n"
		"  \"empty\": [],\n"
		"  \"list\": [\n"
		"    -9223372036854775808,\n"
		"    true,\n"
		"    {\n"
		"      \"r\": 0.1\n"
		"    }\n"
		"  ]\n"
		"}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_structure_is_refused_where_it_stands),
		cmocka_unit_test(bad_numbers_are_refused_where_they_stand),
		cmocka_unit_test(bad_texts_are_refused_where_they_stand),
		cmocka_unit_test(a_key_must_not_stand_twice),
		cmocka_unit_test(sizes_have_limits),
		cmocka_unit_test(values_keep_their_meaning),
		cmocka_unit_test(messages_name_line_column_and_key),
		cmocka_unit_test(the_writer_lays_out_by_two_blanks),
	};

	return cmocka_run_group_tests_name("json", tests, setup, teardown);
}
