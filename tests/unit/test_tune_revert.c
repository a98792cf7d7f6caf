// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "tune/record.h"
#include "tune/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define THP "/sys/kernel/mm/transparent_hugepage/enabled"
#define NUMA "/proc/sys/kernel/numa_balancing"
#define BOOT "/proc/sys/kernel/random/boot_id"
#define OURS "/etc/sysctl.d/90-ampere-crypto.conf"

/* A scratch tree with a few settings. */
struct scratch {
	struct arena arena;
	char path[32];
	struct tune_tree tree;
	struct tune_plan plan;
};

static const char *below(struct scratch *scratch, const char *path)
{
	return arena_printf(&scratch->arena, "%s%s", scratch->path, path);
}

static void put(struct scratch *scratch, const char *path, const char *text)
{
	const char *whole = below(scratch, path);

	for (const char *slash = strchr(whole + 1, '/'); slash; slash = strchr(slash + 1, '/'))
		mkdir(arena_copy(&scratch->arena, whole, (size_t)(slash - whole)), 0755);
	assert_true(file_write(whole, view_of(text), NULL));
}

static const char *get(struct scratch *scratch, const char *path)
{
	struct view text;

	if (!file_read(&scratch->arena, below(scratch, path), 4096, &text, NULL))
		return NULL;
	return view_copy(&scratch->arena, text);
}

static void add(struct scratch *scratch, const char *kind, const char *path, const char *before,
		const char *wanted)
{
	struct tune_change *change = tune_add_change(&scratch->arena, &scratch->plan);

	change->id = path;
	change->check = "c";
	change->kind = kind;
	change->path = path;
	change->before = before;
	change->wanted = wanted;
}

static void scratch_open(struct scratch *scratch)
{
	*scratch = (struct scratch){.path = "/tmp/tune-XXXXXX"};
	arena_init(&scratch->arena, 1 << 26);
	assert_non_null(mkdtemp(scratch->path));
	put(scratch, THP, "[always] madvise never\n");
	put(scratch, NUMA, "1\n");
	put(scratch, BOOT, "first\n");
	put(scratch, "/etc/sysctl.d/10-other.conf", "x = 1\n");
	assert_true(tune_tree_open(scratch->path, &scratch->tree, NULL));
	add(scratch, "word", THP, "always", "madvise");
	add(scratch, "word", NUMA, "1", "0");
	add(scratch, "file", OURS, NULL, "kernel.numa_balancing = 0\n");
}

static void scratch_close(struct scratch *scratch)
{
	static const char *const paths[] = {
		THP, NUMA, BOOT, OURS, "/etc/sysctl.d/10-other.conf", TUNE_RECORD};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		char *path = arena_strdup(&scratch->arena, below(scratch, paths[i]));

		unlink(path);
		for (char *slash = strrchr(path, '/'); slash > path + strlen(scratch->path);
		     slash = strrchr(path, '/')) {
			*slash = '\0';
			rmdir(path);
		}
	}
	rmdir(below(scratch, "/var/lib"));
	rmdir(below(scratch, "/var"));
	assert_int_equal(rmdir(scratch->path), 0);
	tune_tree_close(&scratch->tree);
	arena_release(&scratch->arena);
}

static void apply(struct scratch *scratch)
{
	const struct tune_change *changes;

	assert_true(tune_apply(&scratch->arena, &scratch->tree, &scratch->plan, NULL));
	changes = scratch->plan.changes.items;
	for (size_t i = 0; i < scratch->plan.changes.count; i++)
		assert_string_equal(changes[i].state, "applied");
	assert_string_equal(get(scratch, THP), "always [madvise] never\n");
	assert_string_equal(get(scratch, NUMA), "0\n");
	assert_string_equal(get(scratch, OURS), "kernel.numa_balancing = 0\n");
	assert_non_null(get(scratch, TUNE_RECORD));
}

/* States of the revert, last change first. */
static void revert(struct scratch *scratch, bool dry_run, const char *first, const char *second,
		   const char *third)
{
	const char *const want[] = {first, second, third};
	struct tune_plan back;
	const struct tune_change *changes;

	assert_true(tune_revert(&scratch->arena, &scratch->tree, dry_run, &back, NULL));
	changes = back.changes.items;
	for (size_t i = 0; i < back.changes.count; i++)
		assert_string_equal(changes[i].state, want[i]);
	assert_int_equal(back.changes.count, first ? 3 : 0);
}

static void all_old_values_come_back(void **state)
{
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch);
	apply(&scratch);
	revert(&scratch, true, "planned", "planned", "planned");
	assert_string_equal(get(&scratch, NUMA), "0\n");
	revert(&scratch, false, "restored", "restored", "restored");
	assert_string_equal(get(&scratch, THP), "[always] madvise never\n");
	assert_string_equal(get(&scratch, NUMA), "1\n");
	assert_null(get(&scratch, OURS));
	assert_null(get(&scratch, TUNE_RECORD));
	assert_false(file_exists(below(&scratch, TUNE_DIRECTORY)));
	revert(&scratch, false, NULL, NULL, NULL);
	scratch_close(&scratch);
}

static void values_of_somebody_else_are_left(void **state)
{
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch);
	apply(&scratch);
	put(&scratch, NUMA, "2\n");
	put(&scratch, OURS, "kernel.numa_balancing = 2\n");
	revert(&scratch, false, "foreign", "foreign", "restored");
	assert_string_equal(get(&scratch, NUMA), "2\n");
	assert_string_equal(get(&scratch, OURS), "kernel.numa_balancing = 2\n");
	assert_null(get(&scratch, TUNE_RECORD));
	scratch_close(&scratch);
}

static void a_reboot_takes_the_kernels_values_back_itself(void **state)
{
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch);
	apply(&scratch);
	put(&scratch, BOOT, "second\n");
	put(&scratch, THP, "[always] madvise never\n");
	/* The other still has our value, and no file of ours that would have set it. */
	revert(&scratch, false, "restored", "foreign", "kept");
	assert_string_equal(get(&scratch, NUMA), "0\n");
	assert_null(get(&scratch, OURS));
	scratch_close(&scratch);
}

static void what_a_file_sets_at_boot_is_ours_after_a_reboot(void **state)
{
	struct scratch scratch;

	(void)state;
	scratch_open(&scratch);
	((struct tune_change *)scratch.plan.changes.items)[1].persisted = true;
	apply(&scratch);
	put(&scratch, BOOT, "second\n");
	put(&scratch, THP, "[always] madvise never\n");
	revert(&scratch, false, "restored", "restored", "kept");
	assert_string_equal(get(&scratch, NUMA), "1\n");
	scratch_close(&scratch);
}

/* The plan was shown with other values than those that stand there now. */
static void what_changed_since_the_plan_is_not_touched(void **state)
{
	struct scratch scratch;
	const struct tune_change *changes;

	(void)state;
	scratch_open(&scratch);
	put(&scratch, NUMA, "2\n");
	assert_true(tune_apply(&scratch.arena, &scratch.tree, &scratch.plan, NULL));
	changes = scratch.plan.changes.items;
	assert_string_equal(changes[0].state, "applied");
	assert_string_equal(changes[1].state, "refused");
	assert_string_equal(get(&scratch, NUMA), "2\n");
	assert_true(tune_revert(&scratch.arena, &scratch.tree, false, &scratch.plan, NULL));
	assert_int_equal(scratch.plan.changes.count, 2);
	scratch_close(&scratch);
}

static void a_group_stands_or_falls_together(void **state)
{
	struct scratch scratch;
	struct tune_change *changes;

	(void)state;
	scratch_open(&scratch);
	changes = scratch.plan.changes.items;
	changes[0].group = changes[1].group = "g";
	put(&scratch, NUMA, "2\n");
	assert_true(tune_apply(&scratch.arena, &scratch.tree, &scratch.plan, NULL));
	changes = scratch.plan.changes.items;
	assert_string_equal(changes[0].state, "rolled-back");
	assert_string_equal(get(&scratch, THP), "[always] madvise never\n");
	assert_string_equal(changes[2].state, "applied");
	assert_true(tune_revert(&scratch.arena, &scratch.tree, false, &scratch.plan, NULL));
	assert_int_equal(scratch.plan.changes.count, 1);
	scratch_close(&scratch);
}

static void one_run_at_a_time(void **state)
{
	struct scratch scratch;
	struct error err = {0};
	int lock;

	(void)state;
	scratch_open(&scratch);
	assert_true(tune_lock(&scratch.tree, true, &lock, NULL));
	assert_false(tune_apply(&scratch.arena, &scratch.tree, &scratch.plan, &err));
	assert_int_equal(err.exit_code, EXIT_LOCKED);
	assert_false(tune_revert(&scratch.arena, &scratch.tree, false, &scratch.plan, &err));
	assert_int_equal(err.exit_code, EXIT_LOCKED);
	assert_string_equal(get(&scratch, NUMA), "1\n");
	close(lock);
	assert_int_equal(rmdir(below(&scratch, TUNE_DIRECTORY)), 0);
	scratch_close(&scratch);
}

static void a_damaged_record_stops_everything(void **state)
{
	struct scratch scratch;
	struct error err = {0};

	(void)state;
	scratch_open(&scratch);
	put(&scratch, TUNE_RECORD, "{\"schema\":");
	assert_false(tune_apply(&scratch.arena, &scratch.tree, &scratch.plan, &err));
	assert_non_null(strstr(err.text, TUNE_RECORD));
	assert_false(tune_revert(&scratch.arena, &scratch.tree, false, &scratch.plan, NULL));
	assert_string_equal(get(&scratch, NUMA), "1\n");
	assert_string_equal(get(&scratch, TUNE_RECORD), "{\"schema\":");
	scratch_close(&scratch);
}

/* A link that leads out of the tree is followed within it, so nothing outside is written. */
static void nothing_outside_of_the_tree_is_written(void **state)
{
	struct scratch scratch;
	char outside[] = "/tmp/tune-outside-XXXXXX";
	int fd = mkstemp(outside);
	const struct tune_change *changes;
	struct stat status;

	(void)state;
	assert_true(fd >= 0 && write(fd, "1\n", 2) == 2);
	scratch_open(&scratch);
	unlink(below(&scratch, NUMA));
	assert_int_equal(symlink(outside, below(&scratch, NUMA)), 0);
	assert_true(tune_apply(&scratch.arena, &scratch.tree, &scratch.plan, NULL));
	changes = scratch.plan.changes.items;
	assert_string_equal(changes[1].state, "refused");
	assert_int_equal(fstat(fd, &status), 0);
	assert_int_equal(status.st_size, 2);
	assert_true(tune_revert(&scratch.arena, &scratch.tree, false, &scratch.plan, NULL));
	close(fd);
	unlink(outside);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_old_values_come_back),
		cmocka_unit_test(values_of_somebody_else_are_left),
		cmocka_unit_test(a_reboot_takes_the_kernels_values_back_itself),
		cmocka_unit_test(what_a_file_sets_at_boot_is_ours_after_a_reboot),
		cmocka_unit_test(what_changed_since_the_plan_is_not_touched),
		cmocka_unit_test(a_group_stands_or_falls_together),
		cmocka_unit_test(one_run_at_a_time),
		cmocka_unit_test(a_damaged_record_stops_everything),
		cmocka_unit_test(nothing_outside_of_the_tree_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
