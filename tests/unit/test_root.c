// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "host/root_private.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A tree with everything that could lead out of it, in a directory of its own. */
struct tree {
	struct arena arena;
	char outside[64], top[80];
};

static void put(const struct tree *tree, const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", tree->top, path);
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void make_directory(const struct tree *tree, const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", tree->top, path);
	assert_int_equal(mkdir(full, 0755), 0);
}

static void make_link(const struct tree *tree, const char *target, const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", tree->top, path);
	assert_int_equal(symlink(target, full), 0);
}

static int tree_make(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	char secret[128];
	FILE *file;

	arena_init(&tree->arena, ARENA_DEFAULT_MAX_BYTES);
	snprintf(tree->outside, sizeof(tree->outside), "/tmp/test-root-XXXXXX");
	assert_non_null(mkdtemp(tree->outside));
	snprintf(tree->top, sizeof(tree->top), "%s/top", tree->outside);
	assert_int_equal(mkdir(tree->top, 0755), 0);
	snprintf(secret, sizeof(secret), "%s/secret", tree->outside);
	file = fopen(secret, "w");
	fputs("outside", file);
	fclose(file);
	make_directory(tree, "/etc");
	put(tree, "/etc/inside", "inside\n");
	put(tree, "/secret", "the tree's own\n");
	make_link(tree, "/etc/inside", "/absolute");
	make_link(tree, "../../../../secret", "/etc/escape");
	make_link(tree, secret, "/etc/full");
	make_link(tree, "loop-b", "/loop-a");
	make_link(tree, "loop-a", "/loop-b");
	make_link(tree, "etc", "/directory-link");
	make_link(tree, "gone", "/dangling");
	*state = tree;
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static int tree_remove(void **state)
{
	struct tree *tree = *state;

	nftw(tree->outside, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	arena_release(&tree->arena);
	free(tree);
	return 0;
}

static struct root *open_tree(struct tree *tree)
{
	struct error err = {0};
	struct root *root = root_open(&tree->arena, tree->top, &err);

	assert_non_null(root);
	return root;
}

/* What the kernel's RESOLVE_IN_ROOT does (openat2(2)): links and ".." never leave the top. */
static const struct {
	const char *path;
	int number;
	const char *text;
} reads[] = {
	{"/etc/inside", 0, "inside\n"},
	{"/absolute", 0, "inside\n"},
	{"/directory-link/inside", 0, "inside\n"},
	{"/etc/../etc/inside", 0, "inside\n"},
	{"/../../etc/inside", 0, "inside\n"},
	{"/etc/escape", 0, "the tree's own\n"},
	{"/etc/full", ENOENT, NULL},
	{"/loop-a", ELOOP, NULL},
	{"/dangling", ENOENT, NULL},
	{"/etc", EISDIR, NULL},
	{"/etc/inside/below", ENOTDIR, NULL},
	{"relative", EINVAL, NULL},
};

static void check_reads(struct root *root)
{
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		struct view text = {0};
		int number = root_read(root, reads[i].path, &text);

		if (number != reads[i].number)
			fail_msg("%s: errno %d, wanted %d", reads[i].path, number, reads[i].number);
		if (!number && !view_is(text, reads[i].text))
			fail_msg("%s: other text", reads[i].path);
	}
}

static void links_stay_inside(void **state)
{
	struct root *root = open_tree(*state);

	check_reads(root);
	root_close(root);
}

static void links_stay_inside_without_openat2(void **state)
{
	struct root *root = open_tree(*state);

	root->top.walk = true;
	check_reads(root);
	root_close(root);
}

static void special_files_are_not_read(void **state)
{
	struct tree *tree = *state;
	struct root *root = open_tree(tree);
	char path[512];
	struct view text;

	snprintf(path, sizeof(path), "%s/fifo", tree->top);
	assert_int_equal(mkfifo(path, 0644), 0);
	assert_int_equal(root_read(root, "/fifo", &text), ENXIO);
	root_close(root);
}

static void huge_files_are_refused(void **state)
{
	struct tree *tree = *state;
	struct root *root = open_tree(tree);
	char path[512];
	struct view text;

	snprintf(path, sizeof(path), "%s/huge", tree->top);
	put(tree, "/huge", "");
	assert_int_equal(truncate(path, (off_t)ROOT_FILE_MAX + 1), 0);
	assert_int_equal(root_read(root, "/huge", &text), EFBIG);
	assert_int_equal(root_range(root, "/huge", ROOT_FILE_MAX - 1, 16, &text), 0);
	assert_int_equal(text.size, 2);
	root_close(root);
}

static void a_path_is_resolved_link_by_link(void **state)
{
	struct root *root = open_tree(*state);
	const char *canonical = NULL;

	assert_int_equal(root_resolve(root, "/directory-link/../absolute", &canonical), 0);
	assert_string_equal(canonical, "/etc/inside");
	assert_int_equal(root_resolve(root, "/loop-a", &canonical), ELOOP);
	assert_int_equal(root_resolve(root, "/none", &canonical), ENOENT);
	root_close(root);
}

static struct root *replay(struct tree *tree, struct root *root)
{
	struct buffer out = buffer_new(&tree->arena, (size_t)1 << 20);
	struct json_writer writer;
	char path[512];
	struct error err = {0};
	struct root *capture;

	json_begin(&writer, &out);
	json_object(&writer, NULL);
	json_text(&writer, "schema", "ampere-crypto/capture 1.0.0");
	root_record(root, &writer);
	json_end(&writer);
	snprintf(path, sizeof(path), "%s/capture.json", tree->outside);
	assert_true(file_write(path, buffer_view(&out), &err));
	capture = root_open(&tree->arena, arena_strdup(&tree->arena, path), &err);
	if (!capture)
		fail_msg("%s", err.text);
	return capture;
}

static void a_capture_replays_every_answer(void **state)
{
	struct tree *tree = *state;
	struct root *root = open_tree(tree), *capture;
	struct root_stat status;
	struct names names;
	const char *target;
	struct view text;

	check_reads(root);
	assert_int_equal(root_list(root, "/etc", &names), 0);
	assert_int_equal(root_link(root, "/absolute", &target), 0);
	assert_int_equal(root_link(root, "/etc", &target), EINVAL);
	assert_int_equal(root_stat(root, "/absolute", &status), 0);
	assert_int_equal(root_range(root, "/secret", 4, 4, &text), 0);
	capture = replay(tree, root);
	check_reads(capture);
	assert_int_equal(root_list(capture, "/etc", &names), 0);
	assert_int_equal(names.count, 3);
	assert_string_equal(names.items[0], "escape");
	assert_int_equal(root_link(capture, "/absolute", &target), 0);
	assert_string_equal(target, "/etc/inside");
	assert_int_equal(root_link(capture, "/etc", &target), EINVAL);
	assert_int_equal(root_stat(capture, "/absolute", &status), 0);
	assert_int_equal(status.size, 7);
	assert_int_equal(root_range(capture, "/secret", 5, 2, &text), 0);
	assert_true(view_is(text, "re"));
	/* What was never asked is not absent. */
	assert_int_equal(root_read(capture, "/etc/passwd", &text), ENODATA);
	assert_int_equal(root_list(capture, "/", &names), ENODATA);
	root_close(root);
	root_close(capture);
}

static struct root *described(struct tree *tree, const char *questions)
{
	char path[512];
	struct error err = {0};
	struct root *root;

	snprintf(path, sizeof(path), "%s/described.json", tree->outside);
	assert_true(file_write(path,
			       view_of(arena_printf(&tree->arena,
						    "{\"schema\": \"ampere-crypto/capture 1.0.0\", "
						    "\"complete\": true, \"questions\": %s}",
						    questions)),
			       &err));
	root = root_open(&tree->arena, arena_strdup(&tree->arena, path), &err);
	if (!root)
		fail_msg("%s", err.text);
	return root;
}

static void a_complete_capture_implies_its_directories(void **state)
{
	struct root *root = described(*state, "{\"/usr/lib/a\": {\"text\": \"x\"}, "
					      "\"/lib\": {\"link\": \"usr/lib\"}, "
					      "\"/etc/denied\": {\"errno\": \"EACCES\"}}");
	struct root_stat status;
	struct names names;
	struct view text;

	assert_int_equal(root_read(root, "/lib/a", &text), 0);
	assert_int_equal(root_read(root, "/lib/b", &text), ENOENT);
	assert_int_equal(root_read(root, "/etc/denied", &text), EACCES);
	assert_int_equal(root_read(root, "/usr", &text), EISDIR);
	assert_int_equal(root_list(root, "/lib", &names), 0);
	assert_int_equal(names.count, 1);
	assert_int_equal(root_list(root, "/", &names), 0);
	assert_int_equal(names.count, 3);
	assert_int_equal(root_stat(root, "/usr", &status), 0);
	assert_int_equal(status.type, ROOT_DIR);
	assert_int_equal(root_lstat(root, "/lib", &status), 0);
	assert_int_equal(status.type, ROOT_LINK);
	root_close(root);
}

static void a_broken_capture_is_named_by_line_and_key(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"{}", "is not a capture"},
		{"{\"schema\": \"ampere-crypto/capture 1.0.0\"}", "questions"},
		{"{\"schema\": \"ampere-crypto/capture 1.0.0\", \"questions\": {\"etc\": {}}}",
		 "starts with"},
		{"{\"schema\": \"ampere-crypto/capture 1.0.0\", \"questions\": {\"/a\": {\"txt\": "
		 "\"\"}}}",
		 "unknown key"},
		{"{\"schema\": \"ampere-crypto/capture 1.0.0\", \"questions\": {\"/a\": "
		 "{\"base64\": \"!\"}}}",
		 "base64"},
		{"{\"schema\": \"ampere-crypto/capture 1.0.0\", \"questions\": {\"/a\": {\"list\": "
		 "[\"x/y\"]}}}",
		 "file name"},
		{"", ":1:1"},
	};
	struct tree *tree = *state;
	char path[512];

	snprintf(path, sizeof(path), "%s/broken.json", tree->outside);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = {0};

		assert_true(file_write(path, view_of(rows[i].text), &err));
		assert_null(root_open(&tree->arena, path, &err));
		if (!strstr(err.text, rows[i].message) || !strstr(err.text, "broken.json"))
			fail_msg("\"%s\" lacks \"%s\"", err.text, rows[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(links_stay_inside, tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(links_stay_inside_without_openat2, tree_make,
						tree_remove),
		cmocka_unit_test_setup_teardown(special_files_are_not_read, tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(huge_files_are_refused, tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(a_path_is_resolved_link_by_link, tree_make,
						tree_remove),
		cmocka_unit_test_setup_teardown(a_capture_replays_every_answer, tree_make,
						tree_remove),
		cmocka_unit_test_setup_teardown(a_complete_capture_implies_its_directories,
						tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(a_broken_capture_is_named_by_line_and_key,
						tree_make, tree_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
