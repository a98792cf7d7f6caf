// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "setup/prove.h"
#include "setup/prove_output.h"
#include "setup/sandbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct arena *new_arena(void **state)
{
	struct arena *arena = *state;

	arena_init(arena, ARENA_DEFAULT_MAX_BYTES);
	return arena;
}

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct arena));
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	arena_release(*state);
	free(*state);
	return 0;
}

static void expect(const char *got, const char *want, const char *of)
{
	if (!got != !want || (got && strcmp(got, want) != 0))
		fail_msg("%s: '%s', want '%s'", of, got ? got : "right", want ? want : "right");
}

/* Rows as dpdk-test-crypto-perf prints them: "%12u" eight times, an empty line. */
static void rows_of_operations(void **state)
{
	static const char missing[] = "its output has no row of operations";
	static const struct {
		const char *output, *want;
	} rows[] = {
		{"", missing},
		{"lcore id Buf Size\n\n", missing},
		{"1 64 32 64 64 0 0 0\n", NULL},
		{"1 64 32 64 64 0 0 0", NULL},
		{"           1          64          32          64          64           0         "
		 "  0           0\n\n",
		 NULL},
		{"1 64 32 64 64 0 0 0\r\n2 64 32 64 64 0 0 0\r\n", NULL},
		{"1 64 32 64 64 0 0 1\n", "1 of 64 operations failed"},
		{"1 64 32 64 64 0 2 0\n", "2 of 64 operations failed"},
		{"1 64 32 64 64 3 0 0\n", "3 of 64 operations failed"},
		{"1 64 32 64 64 0 0 0\n2 64 32 64 64 0 0 64\n", "64 of 64 operations failed"},
		{"1 64 32 64 63 0 0 0\n", "63 of 64 operations came back"},
		{"1 64 32 32 64 0 0 0\n", "64 of 64 operations came back"},
		{"1 64 32 128 128 0 0 0\n", "128 of 64 operations came back"},
		{"1 64 32 0 0 0 0 0\n", "0 of 64 operations came back"},
		{"1 64 32 64 64 0 0\n", missing},
		{"1 64 32 64 64 0 0 0 0\n", missing},
		{"1 64 32 64 64 0 0 -1\n", missing},
		{"1 64 32 64 64 0 0 0x0\n", missing},
		{"1 64 32 64 64 0 0 18446744073709551616\n", missing},
		{"row 1 64 32 64 64 0 0 0\n", missing},
	};
	struct arena *arena = new_arena(state);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect(output_rows(arena, view_of(rows[i].output), 64), rows[i].want,
		       rows[i].output);
}

/* The words of design and profiles: 0x119fd on AC03, where emulated CPUs have bits 9 and 10 too. */
static void numbers_behind_a_text(void **state)
{
	static const char none[] = "there is no number behind 'word='";
	static const struct {
		const char *output, *wanted, *ignored, *want;
	} rows[] = {
		{"OpenSSL: word=0xbd\n", "0xbd", NULL, NULL},
		{"word=0xBD", "0xbd", NULL, NULL},
		{"word=0xbd env:0xff", "0xbd", NULL, NULL},
		{"word=0xbc", "0xbd", NULL, "word=0xbc, want 0xbd"},
		{"word=0xbd0", "0xbd", NULL, "word=0xbd0, want 0xbd"},
		{"word=0x11ffd", "0x119fd", "0x600", NULL},
		{"word=0x119fd", "0x119fd", "0x600", NULL},
		{"word=0x11bfd", "0x119fd", "0x600", NULL},
		{"word=0x11ffd", "0x119fd", NULL, "word=0x11ffd, want 0x119fd"},
		{"word=0x15ffd", "0x119fd", "0x600", "word=0x15ffd, want 0x119fd"},
		{"word=0x6ffd", "0x119fd", "0x600", "word=0x6ffd, want 0x119fd"},
		{"word=", "0xbd", NULL, none},
		{"word=0x", "0xbd", NULL, none},
		{"word=bd", "0xbd", NULL, none},
		{"word=0xbdg", "0xbd", NULL, none},
		{"word=0xbd_", "0xbd", NULL, none},
		{"word=0x10000000000000000", "0x0", NULL, none},
		{"wor", "0xbd", NULL, "'word=' is missing in its output"},
		{"word=0xbd", "bd?", NULL, "what the recipe wants is no hexadecimal number"},
	};
	struct arena *arena = new_arena(state);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect(output_number(arena, view_of(rows[i].output), "word=", rows[i].wanted,
				     rows[i].ignored),
		       rows[i].want, rows[i].output);
}

static void what_was_loaded(void **state)
{
	static const char output[] =
		"answers\nloaded /s/lib/libtiny.so.1.3.0\nloaded /lib/libc.so.6\n"
		"loaded [vdso]\nloaded /lib/libc.so.6\n not loaded /x\n";
	static const struct {
		const char *path, *other;
		bool there;
	} rows[] = {
		{"/s/lib/libtiny.so.1.3.0", NULL, true},
		{"/t/lib/libtiny.so.1", "/s/lib/libtiny.so.1.3.0", false},
		{"/t/lib/libtiny.so", "/s/lib/libtiny.so.1.3.0", false},
		{"/t/lib/libtin.so.1", NULL, false},
		{"/t/lib/libtinyer.so.1", NULL, false},
		{"/s/lib/libc.so.6", "/lib/libc.so.6", false},
	};
	struct arena *arena = new_arena(state);
	struct names loaded = {0};

	output_loaded(arena, view_of(output), &loaded);
	assert_int_equal(loaded.count, 2);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool there;

		expect(output_other(&loaded, rows[i].path, &there), rows[i].other, rows[i].path);
		assert_int_equal(there, rows[i].there);
	}
}

static void words_of_pkg_config(void **state)
{
	static const struct {
		const char *output, *want;
	} rows[] = {
		{"", ""},
		{"\n\n", ""},
		{"-I/a -L/b -lc \n", "-I/a|-L/b|-lc"},
		{"  -I/a\t-lc", "-I/a|-lc"},
		{"a warning\n-lc\n", "-lc"},
		{"-I/with\\ blank -DX=\\\"y\\\"\n", "-I/with blank|-DX=\"y\""},
		{"-lc\\", "-lc\\"},
	};
	struct arena *arena = new_arena(state);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct names words = {0};

		output_words(arena, view_of(rows[i].output), &words);
		expect(names_join(arena, &words, "|"), rows[i].want, rows[i].output);
	}
}

/* A tree of which nothing but one run is proved. */
static bool prove_one(struct arena *arena, const char *work, const char *const *words,
		      struct manifest *manifest, struct error *err)
{
	static const struct target target = {.name = "native", .arch = "x86_64"};
	struct plan_request request = {.target = &target};
	struct plan plan = {.request = &request};
	struct recipe recipe = {.name = "tiny"};
	struct recipe_proof run = {.name = "run"};
	struct plan_proof proof = {.recipe = &run};
	struct plan_tree tree = {.recipe = &recipe,
				 .work = work,
				 .name = "tiny-1-0123456789abcdef",
				 .staged = arena_printf(arena, "%s/staged", work),
				 .proofs = {&proof, 1}};
	struct sandbox sandbox;
	struct execution execution = {
		.arena = arena, .plan = &plan, .sandbox = &sandbox, .proof_timeout_s = 1};

	for (size_t i = 0; words[i]; i++)
		names_add(arena, &proof.argv, words[i]);
	assert_true(sandbox_open(arena, true, &sandbox, err));
	return prove_tree(&execution, &tree, STDERR_FILENO, manifest, err);
}

static void programs_that_do_not_end(void **state)
{
	/* The second one leaves a child behind that would hold the log open for longer. */
	static const struct {
		const char *words[4];
		const char *want; /* NULL: it is right */
	} rows[] = {
		{{"/bin/sleep", "60"}, "run: /bin/sleep ran longer than 1 seconds"},
		{{"/bin/sh", "-c", "sleep 60 & wait"}, "run: /bin/sh ran longer than 1 seconds"},
		{{"/bin/sh", "-c", "trap '' TERM INT HUP; setsid sleep 60"},
		 "run: /bin/sh ran longer than 1 seconds"},
		{{"/bin/sh", "-c", "kill -ABRT $$"},
		 "run: /bin/sh was ended by signal 6 (Aborted)"},
		{{"/bin/sh", "-c", "echo why; exit 3"}, "run: /bin/sh ended with status 3: why"},
		{{"/bin/sh", "-c", "sleep 60 & exit 0"}, NULL},
	};
	struct arena *arena = new_arena(state);
	char work[] = "/tmp/test-prove-XXXXXX";
	time_t started = time(NULL);

	assert_non_null(mkdtemp(work));
	assert_int_equal(mkdir(arena_printf(arena, "%s/staged", work), 0755), 0);
	assert_int_equal(mkdir(arena_printf(arena, "%s/home", work), 0755), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct manifest manifest = {0};
		struct error error = {0};
		bool good = prove_one(arena, work, rows[i].words, &manifest, &error);

		expect(good ? NULL : error.text, rows[i].want,
		       rows[i].words[2] ? rows[i].words[2] : "sleep");
		assert_int_equal(error.exit_code, good ? 0 : EXIT_VERIFY);
		assert_int_equal(manifest.proof.count, good ? 2 : 1);
	}
	assert_true(time(NULL) - started < 50);
	unlink(arena_printf(arena, "%s/proof.log", work));
	rmdir(arena_printf(arena, "%s/staged", work));
	rmdir(arena_printf(arena, "%s/home", work));
	rmdir(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_of_operations, set_up, tear_down),
		cmocka_unit_test_setup_teardown(numbers_behind_a_text, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_was_loaded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(words_of_pkg_config, set_up, tear_down),
		cmocka_unit_test_setup_teardown(programs_that_do_not_end, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
