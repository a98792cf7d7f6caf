// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "tune/kinds.h"
#include "tune/kinds_make.h"
#include "tune/merge.h"
#include "tune/record.h"

#include <string.h>

/* As the kernel writes such lines (mm/huge_memory.c, fs/cpufreq governors are plain). */
static void the_word_in_brackets_is_the_value(void **state)
{
	static const struct {
		const char *line, *value, *choose, *then;
	} rows[] = {
		{"always [madvise] never", "madvise", "never", "always madvise [never]"},
		{"[always] madvise never", "always", "madvise", "always [madvise] never"},
		{"performance", "performance", "powersave", "powersave"},
		{"always [madvise] never", "madvise", "defer", "defer"},
		{"", "", "1", "1"},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, 1 << 20);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(kind_choice(&arena, rows[i].line), rows[i].value);
		assert_string_equal(kind_choose(&arena, rows[i].line, rows[i].choose),
				    rows[i].then);
	}
	arena_release(&arena);
}

static void the_last_mount_of_a_path_counts(void **state)
{
	static const char mounts[] =
		"proc /proc proc rw 0 0\n"
		"hugetlbfs /dev/hugepages hugetlbfs rw,relatime,pagesize=2M 0 0\n"
		"tmpfs /dev/hugepages-512M tmpfs rw 0 0\n"
		"hugetlbfs /dev/hugepages-512M hugetlbfs rw,nosuid,pagesize=512M 0 0\n"
		"tmpfs /dev/hugepages-1G tmpfs rw 0 0\n";
	struct arena arena;

	(void)state;
	arena_init(&arena, 1 << 20);
	assert_string_equal(kind_mounted(&arena, view_of(mounts), "/dev/hugepages-512M"),
			    "pagesize=512M");
	assert_string_equal(kind_mounted(&arena, view_of(mounts), "/dev/hugepages-1G"), "tmpfs");
	assert_null(kind_mounted(&arena, view_of(mounts), "/dev/hugepages-2M"));
	arena_release(&arena);
}

static void what_is_ours_is_told_by_its_value(void **state)
{
	const char *earlier[] = {"ondemand"};
	struct tune_change pages = {.kind = "pages", .before = "10", .wanted = "20"};
	struct tune_change word = {.kind = "word",
				   .before = "schedutil",
				   .wanted = "performance",
				   .earlier = {earlier, 1, 1}};

	(void)state;
	assert_true(kind_is_ours(&word, "performance"));
	assert_true(kind_is_ours(&word, "ondemand"));
	assert_false(kind_is_ours(&word, "powersave"));
	assert_false(kind_is_ours(&word, NULL));
	assert_true(kind_is_ours(&pages, "20"));
	assert_true(kind_is_ours(&pages, "11"));
	assert_false(kind_is_ours(&pages, "9"));
	assert_false(kind_is_ours(&pages, "21"));
	assert_false(kind_is_ours(&pages, "x"));
}

#define CHANGE(kind, path, before, wanted)                                                         \
	"{\"id\":\"i\",\"check\":\"c\",\"kind\":\"" kind "\",\"path\":\"" path                     \
	"\",\"before\":" before ",\"wanted\":\"" wanted                                            \
	"\",\"got\":null,\"state\":\"planned\",\"reason\":null,\"group\":null,"                    \
	"\"persisted\":false,\"boot\":\"b\",\"earlier\":[\"e\"]}"
#define RECORD(schema, changes)                                                                    \
	"{\"schema\":\"ampere-crypto/tune-record " schema "\",\"boot\":\"b\",\"time\":\"t\","      \
	"\"role\":null,\"changes\":[" changes "]}"
#define GOVERNOR "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor"
#define NR "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages"

static bool parse(struct arena *arena, const char *text, struct tune_record *out, struct error *err)
{
	return tune_record_parse(arena, "tune.json", view_of(text), out, err);
}

static void what_is_written_reads_back(void **state)
{
	static const char text[] =
		RECORD("1.0.0", CHANGE("word", GOVERNOR, "\"schedutil\"", "performance") "," CHANGE(
					"module", "ghash-ce", "null",
					"loaded") "," CHANGE("file", "/etc/sysctl.d/90-x.conf",
							     "null", "a = 1\\nb\\n"));
	struct tune_record record, again;
	struct tune_change *changes;
	struct arena arena;

	(void)state;
	arena_init(&arena, 1 << 24);
	assert_true(parse(&arena, text, &record, NULL));
	assert_true(tune_record_parse(&arena, "again", tune_record_text(&arena, &record), &again,
				      NULL));
	assert_int_equal(again.changes.count, 3);
	changes = again.changes.items;
	assert_string_equal(changes[0].before, "schedutil");
	assert_string_equal(changes[0].boot, "b");
	assert_string_equal(changes[0].earlier.items[0], "e");
	assert_null(changes[1].before);
	assert_string_equal(changes[2].wanted, "a = 1\nb\n");
	arena_release(&arena);
}

/* A record decides what root writes and where. */
static void a_record_that_tune_did_not_write_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"{}",
		"{\"schema\":\"ampere-crypto/tune-record 1.0.0\"",
		RECORD("2.0.0", ""),
		RECORD("1.0.0", CHANGE("word", "/etc/passwd", "\"x\"", "y")),
		RECORD("1.0.0", CHANGE("word", "/sys/../etc/passwd", "\"x\"", "y")),
		RECORD("1.0.0", CHANGE("word", "/proc/sys/kernel/x", "\"x\\ny\"", "y")),
		RECORD("1.0.0", CHANGE("word", "/proc/1/mem", "\"x\"", "y")),
		RECORD("1.0.0", CHANGE("word", "/proc/sys/kernel/x", "null", "y")),
		RECORD("1.0.0", CHANGE("pages", NR, "\"-1\"", "2")),
		RECORD("1.0.0", CHANGE("pages", "/sys/kernel/x", "\"1\"", "2")),
		RECORD("1.0.0", CHANGE("module", "-r", "null", "loaded")),
		RECORD("1.0.0", CHANGE("module", "a/../b", "null", "loaded")),
		RECORD("1.0.0", CHANGE("module", "ghash-ce", "\"loaded\"", "loaded")),
		RECORD("1.0.0", CHANGE("mount", "/etc", "null", "pagesize=2M")),
		RECORD("1.0.0", CHANGE("mount", "/dev/hugepages-2M/../..", "null", "pagesize=2M")),
		RECORD("1.0.0", CHANGE("mount", "/dev/hugepages-2M", "null", "mode=777")),
		RECORD("1.0.0", CHANGE("file", "/usr/bin/x", "null", "x")),
		RECORD("1.0.0", CHANGE("file", "/etc/x/../../usr/x", "null", "x")),
		RECORD("1.0.0", CHANGE("folder", "/var/x", "null", "")),
		RECORD("1.0.0", CHANGE("service", "../x", "\"active\"", "inactive")),
		RECORD("1.0.0", CHANGE("shell", "x", "null", "x")),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct tune_record record;
		struct error err = {0};
		struct arena arena;

		arena_init(&arena, 1 << 24);
		if (parse(&arena, texts[i], &record, &err))
			fail_msg("taken: %s", texts[i]);
		if (!strstr(err.text, "tune.json"))
			fail_msg("%s: %s", texts[i], err.text);
		arena_release(&arena);
	}
}

/* The value of before the first run is the one to go back to, while ours stands. */
static void a_second_run_keeps_the_first_value(void **state)
{
	static const struct {
		const char *now, *wanted, *before;
		size_t earlier;
	} rows[] = {
		{"performance", "powersave", "schedutil", 2},
		{"schedutil", "performance", "schedutil", 1},
		{"e", "performance", "schedutil", 1},
		{"conservative", "performance", "conservative", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tune_change change = {.id = "i",
					     .kind = "word",
					     .path = GOVERNOR,
					     .before = rows[i].now,
					     .wanted = rows[i].wanted};
		struct tune_record record;
		struct tune_change *entry;
		struct arena arena;

		arena_init(&arena, 1 << 24);
		assert_true(parse(
			&arena,
			RECORD("1.0.0", CHANGE("word", GOVERNOR, "\"schedutil\"", "performance")),
			&record, NULL));
		record_enter(&arena, &record, &change);
		assert_int_equal(record.changes.count, 1);
		entry = record_find(&record, &change);
		assert_string_equal(entry->before, rows[i].before);
		assert_string_equal(entry->wanted, rows[i].wanted);
		assert_int_equal(entry->earlier.count, rows[i].earlier);
		record_leave(&record, &change);
		assert_null(record_find(&record, &change));
		arena_release(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_word_in_brackets_is_the_value),
		cmocka_unit_test(the_last_mount_of_a_path_counts),
		cmocka_unit_test(what_is_ours_is_told_by_its_value),
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(a_record_that_tune_did_not_write_is_refused),
		cmocka_unit_test(a_second_run_keeps_the_first_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
