// SPDX-License-Identifier: BSD-2-Clause
/* Reader and writer against another implementation, Python's json module: json_oracle.py beside
 * this file. */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/process.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEXTS "6000"
#define OUTPUT_MAX ((size_t)32 << 20)

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

static const char *find_python(struct arena *arena)
{
	const char *python = process_find(arena, "python3");

	if (!python) {
		print_message("SKIP: no python3\n");
		skip();
	}
	return python;
}

static struct view run_oracle(struct arena *arena, const char *const *argv, struct view input)
{
	struct process_result result;
	struct error err;

	if (!process_run(arena, argv, input, 60000, OUTPUT_MAX, &result, &err))
		fail_msg("%s", err.text);
	if (result.exit_status != 0)
		fail_msg("%.*s", (int)result.output.size, result.output.at);
	return result.output;
}

static struct view from_hex(struct arena *arena, struct view hex)
{
	char *bytes = arena_alloc(arena, hex.size / 2 + 1);

	for (size_t i = 0; i < hex.size / 2; i++) {
		uint64_t byte = 0;

		assert_true(view_u64((struct view){hex.at + 2 * i, 2}, 16, &byte));
		bytes[i] = (char)byte;
	}
	return (struct view){bytes, hex.size / 2};
}

static void write_hex(struct json_writer *writer, struct arena *arena, const char *key,
		      struct view bytes)
{
	struct buffer hex = buffer_new(arena, 2 * bytes.size + 1);

	for (size_t i = 0; i < bytes.size; i++)
		buffer_printf(&hex, "%02x", (unsigned char)bytes.at[i]);
	json_text(writer, key, buffer_string(&hex));
}

/* Texts that Python made, well-formed and damaged: both accept the same ones, and read the same in
 * them. */
static void the_reader_agrees_with_python(void **state)
{
	struct arena *arena = *state;
	const char *python = find_python(arena);
	const char *make[] = {python, JSON_ORACLE, "make", "20260101", TEXTS, NULL};
	const char *read[] = {python, JSON_ORACLE, "read", NULL};
	struct view lines = run_oracle(arena, make, VIEW("")), line, text, verdict;
	struct buffer out = buffer_new(arena, OUTPUT_MAX);
	struct json_writer writer;
	size_t accepted = 0, refused = 0;

	json_begin(&writer, &out);
	json_object(&writer, NULL);
	json_array(&writer, "pairs");
	while (view_line(&lines, &line)) {
		struct json json;
		struct error err = {0};
		bool accept;

		assert_true(view_split(&line, ' ', &text) && view_split(&line, ' ', &verdict));
		text = from_hex(arena, text);
		accept = json_parse(arena, "x.json", text, &json, &err);
		if (accept == view_is(verdict, "-"))
			fail_msg("Python differs (%s) on: %.*s", err.text, (int)text.size, text.at);
		refused += !accept;
		if (!accept)
			continue;
		accepted++;
		json_object(&writer, NULL);
		json_view(&writer, "json", from_hex(arena, verdict));
		json_tree(&writer, "value", json.top);
		json_close(&writer);
	}
	json_end(&writer);
	assert_false(out.full);
	run_oracle(arena, read, buffer_view(&out));
	assert_in_range(accepted, 1000, 6000);
	assert_in_range(refused, 1000, 6000);
}

static void write_texts(struct json_writer *writer, struct arena *arena)
{
	/* table 3-8 of Unicode 15 and its neighbours: how many U+FFFD stand for broken sequences */
	static const struct view rows[] = {
		VIEW(""),
		VIEW("plain"),
		VIEW("\"\\/"),
		VIEW("\b\f\n\r\t\x01\x1f\x7f"),
		VIEW("\0a\0"),
		VIEW("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		VIEW("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"),
		VIEW("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"),
		VIEW("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"),
		VIEW("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"),
		VIEW("\xf0\x9f\x98"),
		VIEW("\xe2\x82"),
		VIEW("\xc3"),
		VIEW("\xe2\x80\xae\xe2\x80\x8e\xe2\x81\xa6\xc2\x85\xc2\x9b\xe2\x80\xa8"),
		VIEW("\xef\xbb\xbf\xef\xbf\xbe"),
		VIEW("</script><!--"),
	};
	unsigned seed = 1;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) + 2000; i++) {
		char random[24];
		struct view bytes = {random, sizeof(random)};

		for (size_t j = 0; j < sizeof(random); j++) {
			seed = seed * 1103515245 + 12345;
			random[j] = (char)(seed >> 16);
		}
		if (i < sizeof(rows) / sizeof(rows[0]))
			bytes = rows[i];
		json_object(writer, NULL);
		write_hex(writer, arena, "bytes", bytes);
		json_view(writer, "text", bytes);
		json_close(writer);
	}
}

static void write_numbers(struct json_writer *writer, struct arena *arena)
{
	static const int64_t numbers[] = {0, 1, -1, 1LL << 53, -(1LL << 53), INT64_MAX, INT64_MIN};
	static const double reals[] = {0.0,
				       -0.0,
				       0.1,
				       1.0 / 3,
				       1e21,
				       1e-7,
				       123456789012345680.0,
				       5e-324,
				       1.7976931348623157e308,
				       NAN,
				       INFINITY,
				       -INFINITY,
				       9007199254740993.0,
				       100.0};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		json_object(writer, NULL);
		json_text(writer, "digits", arena_printf(arena, "%" PRId64, numbers[i]));
		json_number(writer, "number", numbers[i]);
		json_close(writer);
	}
	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		uint64_t bits;

		memcpy(&bits, &reals[i], sizeof(bits));
		json_object(writer, NULL);
		json_text(writer, "bits", arena_printf(arena, "%016" PRIx64, bits));
		json_real(writer, "real", reals[i]);
		json_close(writer);
	}
}

static void python_reads_what_the_writer_wrote(void **state)
{
	struct arena *arena = *state;
	const char *argv[] = {find_python(arena), JSON_ORACLE, "read", NULL};
	struct buffer out = buffer_new(arena, OUTPUT_MAX);
	struct json_writer writer;

	json_begin(&writer, &out);
	json_object(&writer, NULL);
	json_array(&writer, "pairs");
	write_texts(&writer, arena);
	write_numbers(&writer, arena);
	json_end(&writer);
	assert_false(out.full);
	run_oracle(arena, argv, buffer_view(&out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_reader_agrees_with_python),
		cmocka_unit_test(python_reads_what_the_writer_wrote),
	};

	return cmocka_run_group_tests_name("json_python", tests, setup, teardown);
}
