// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "engine/kat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static const char measured[] = "library /opt/a b/lib/libcrypto.so.3\n"
			       "version OpenSSL 3.5.7 9 Jun 2026\n"
			       "capability OPENSSL_armcap=0xbd\n"
			       "cpu 7\n"
			       "na sm4 0 this library has no sm4\n"
			       "na aes-128-cbc-encrypt 1350 it takes whole blocks of 16 bytes\n"
			       "known aes-128-ctr right NIST SP 800-38A F.5.1\n"
			       "answer first aes-128-ctr 16 " A "\n"
			       "answer first aes-128-ctr 64 " B "\n"
			       "clock-source chain\n"
			       "clock 3000000000\n"
			       "batch aes-128-ctr 64 1000 10000000 9999000 0 -1\n"
			       "batch aes-128-ctr 16 2000 10000001 9999001 3 2\n"
			       "clock 2999000000\n"
			       "limit aes 1000 500\n"
			       "limit aes 3000 1000\n"
			       "limit aes 1000 2000\n"
			       "limit pmull 7 7\n"
			       "answer last aes-128-ctr 64 " B "\n"
			       "answer last aes-128-ctr 16 " A "\n"
			       "end\n";

static struct kat_output parse(const char *text)
{
	struct kat_output output;
	struct error err = {0};

	if (!kat_parse(&arena, view_of(text), &output, &err))
		fail_msg("%s", err.text);
	return output;
}

static void every_line_finds_its_place(void **state)
{
	struct kat_output output = parse(measured);

	(void)state;
	assert_string_equal(output.library, "/opt/a b/lib/libcrypto.so.3");
	assert_string_equal(output.version, "OpenSSL 3.5.7 9 Jun 2026");
	assert_string_equal(output.capability, "OPENSSL_armcap=0xbd");
	assert_int_equal(output.cpu, 7);
	assert_null(output.error);
	assert_int_equal(output.absence_count, 2);
	assert_string_equal(output.absences[1].name, "aes-128-cbc-encrypt");
	assert_int_equal(output.absences[1].size_bytes, 1350);
	assert_string_equal(output.absences[0].reason, "this library has no sm4");
	assert_int_equal(output.verdict_count, 1);
	assert_true(output.verdicts[0].right);
	assert_string_equal(output.verdicts[0].source, "NIST SP 800-38A F.5.1");
	assert_int_equal(output.answer_count, 2);
	assert_int_equal(output.answers[1].size_bytes, 64);
	assert_string_equal(output.answers[1].first, B);
	assert_string_equal(output.answers[0].last, A);
	assert_int_equal(output.batch_count, 2);
	assert_true(output.batches[1].ops == 2000);
	assert_int_equal(output.batches[1].wall_ns, 10000001);
	assert_int_equal(output.batches[1].cpu_ns, 9999001);
	assert_int_equal(output.batches[1].switches, 3);
	assert_int_equal(output.batches[1].steal, 2);
	assert_int_equal(output.batches[0].steal, -1);
	assert_string_equal(output.clock_source, "chain");
	assert_int_equal(output.clock_count, 2);
	assert_true(output.clock_hz[0] == 2999000000.0 && output.clock_hz[1] == 3000000000.0);
	assert_int_equal(output.limit_count, 2);
	assert_true(output.limits[0].ops_per_s == 3e9);
	assert_string_equal(output.limits[1].kind, "pmull");
}

static void wherever_it_is_cut_it_is_known(void **state)
{
	struct kat_output output;

	(void)state;
	for (size_t size = 0; size < sizeof(measured) - 1; size++) {
		struct error err = {0};

		assert_false(kat_parse(&arena, (struct view){measured, size}, &output, &err));
		assert_non_null(strstr(err.text, size ? "cut" : "nothing"));
	}
}

static void what_kat_bench_never_says_is_refused(void **state)
{
	static const char *const lines[] = {
		"",
		"hello",
		"end",
		"library",
		"cpu -1",
		"cpu 1 2",
		"cpu 1\ncpu 2",
		"library /a\nlibrary /b",
		"na x",
		"na x 0",
		"na x -1 why",
		"known x maybe NIST",
		"known x right",
		"answer first x 16 " A "0",
		"answer first x 16 AA",
		"answer then x 16 " A,
		"answer first x 16 " A "\nanswer first x 16 " A,
		"answer first x 16 " A " more",
		"batch x 16 0 1 1 0 0",
		"batch x 16 1 0 1 0 0",
		"batch x 16 1 1 -1 0 0",
		"batch x 16 1 1 1 0 -2",
		"batch x 16 1 1 1 0",
		"batch x 16 1,5 1 1 0 0",
		"batch x 16 1 1 1 0 0 0",
		"batch x 16 99999999999999999999 1 1 0 0",
		"clock 0",
		"clock 3.0e9",
		"clock-source guess",
		"limit aes 0 1",
		"limit aes 1 0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *text = arena_printf(&arena, "%s\nend\n", lines[i]);
		struct kat_output output = {.cpu = 42};
		struct error err = {0};

		if (kat_parse(&arena, view_of(text), &output, &err))
			fail_msg("\"%s\" was taken", lines[i]);
		assert_true(err.text[0]);
		assert_int_equal(output.cpu, 42);
	}
}

static void an_error_is_told_with_what_came_before(void **state)
{
	struct kat_output output = parse("library /a\nknown x wrong FIPS 180-4\n"
					 "error a known answer is wrong\nend\n");

	(void)state;
	assert_string_equal(output.error, "a known answer is wrong");
	assert_false(output.verdicts[0].right);
	assert_int_equal(output.cpu, -1);
	assert_null(output.capability);
}

static void a_mode_gets_its_own_options(void **state)
{
	static const struct kat_case cases[] = {{"aes-128-ctr", 16}, {"x25519", 0}};
	struct kat_request request = {
		.helper = "/k",
		.library = "/l",
		.cpu = 3,
		.batch_us = 10000,
		.batches = 7,
		.seed = UINT64_MAX,
		.cases = cases,
		.case_count = 2,
	};
	static const struct {
		const char *mode, *words;
		int64_t cpu;
	} rows[] = {
		{"measure",
		 "/k measure --library /l --cpu 3 --batch-us 10000 --batches 7 "
		 "--seed 18446744073709551615 aes-128-ctr:16 x25519:0",
		 3},
		{"measure",
		 "/k measure --library /l --batch-us 10000 --batches 7 "
		 "--seed 18446744073709551615 aes-128-ctr:16 x25519:0",
		 -1},
		{"answers", "/k answers --library /l aes-128-ctr:16 x25519:0", 3},
		{"limit", "/k limit --cpu 3 --batch-us 10000 --batches 7", 3},
		{"vector", "/k vector --library /l aes-128-ctr:16 x25519:0", 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct names words = {0};

		request.mode = rows[i].mode;
		request.cpu = rows[i].cpu;
		kat_argv(&arena, &request, &words);
		assert_string_equal(names_join(&arena, &words, " "), rows[i].words);
	}
}

static void differences_are_named(void **state)
{
	static const struct {
		const char *timed, *expected, *say; /* NULL: the same */
	} rows[] = {
		{"answer first x 16 " A "\nanswer last x 16 " A, "answer first x 16 " A, NULL},
		{"answer first x 16 " B "\nanswer last x 16 " B, "answer first x 16 " A,
		 "first answer"},
		{"answer first x 16 " A "\nanswer last x 16 " B, "answer first x 16 " A, "after"},
		{"answer first x 16 " A, "answer first x 16 " A, "no last answer"},
		{"answer first x 16 " A "\nanswer last x 16 " A, "answer first x 64 " A,
		 "no expected"},
		{"answer first x 16 " A "\nanswer last x 16 " A,
		 "answer first x 16 " A "\nanswer last x 16 " B, "by itself"},
		{"batch y 16 1 1 1 0 0\nanswer first x 16 " A "\nanswer last x 16 " A,
		 "answer first x 16 " A "\nanswer first y 16 " A, "no first answer"},
		{"known x wrong FIPS\nanswer first x 16 " A "\nanswer last x 16 " A,
		 "answer first x 16 " A, "wrong: FIPS"},
		{"cpu 1", "cpu 1", "nothing"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct kat_output timed = parse(arena_printf(&arena, "%s\nend\n", rows[i].timed));
		struct kat_output expected =
			parse(arena_printf(&arena, "%s\nend\n", rows[i].expected));
		const char *said = kat_compare(&arena, &timed, &expected, NULL);

		if (!said != !rows[i].say || (said && !strstr(said, rows[i].say)))
			fail_msg("row %zu: %s", i, said ? said : "the same");
	}
}

static void one_case_is_judged_alone(void **state)
{
	struct kat_output timed = parse("answer first x 16 " A "\nanswer last x 16 " A
					"\nanswer first x 64 " A "\nanswer last x 64 " A "\nend\n");
	struct kat_output expected =
		parse("answer first x 16 " A "\nanswer first x 64 " B "\nend\n");

	(void)state;
	assert_null(kat_compare(&arena, &timed, &expected, &(struct kat_case){"x", 16}));
	assert_non_null(kat_compare(&arena, &timed, &expected, &(struct kat_case){"x", 64}));
	assert_non_null(kat_compare(&arena, &timed, &expected, &(struct kat_case){"y", 16}));
	assert_non_null(kat_compare(&arena, &timed, &expected, NULL));
}

static int start(void **state)
{
	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_finds_its_place),
		cmocka_unit_test(wherever_it_is_cut_it_is_known),
		cmocka_unit_test(what_kat_bench_never_says_is_refused),
		cmocka_unit_test(an_error_is_told_with_what_came_before),
		cmocka_unit_test(a_mode_gets_its_own_options),
		cmocka_unit_test(differences_are_named),
		cmocka_unit_test(one_case_is_judged_alone),
	};

	return cmocka_run_group_tests(tests, start, end);
}
