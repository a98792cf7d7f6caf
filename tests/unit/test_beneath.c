// SPDX-License-Identifier: BSD-2-Clause
/* Paths beneath a directory, by openat2 and by the walk that stands in for it: the same answers,
 * which are those of openat2(2) with RESOLVE_IN_ROOT, path_resolution(7) and open(2). */
#include "base/beneath.h"

#include "beneath_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH (O_PATH | O_NOFOLLOW)
#define FOLDER (O_RDONLY | O_DIRECTORY)
#define RACES 3000

#define LONG_64 "0123456789012345678901234567890123456789012345678901234567890123"
#define LONG_256 LONG_64 LONG_64 LONG_64 LONG_64

/* What is opened: the name of it in the tree, "@" for a link; or an errno value. */
static const struct {
	const char *path;
	int flags, number;
	const char *what;
} rows[] = {
	{"/etc/inside", O_RDONLY, 0, "etc/inside"},
	{"//etc//./inside", O_RDONLY, 0, "etc/inside"},
	{"/etc/../etc/inside", O_RDONLY, 0, "etc/inside"},
	{"/../../etc/inside", O_RDONLY, 0, "etc/inside"},
	{"/..", FOLDER, 0, "."},
	{"etc/../..", FOLDER, 0, "."},
	{"/", FOLDER, 0, "."},
	{".", O_PATH, 0, "."},
	{"", O_RDONLY, ENOENT, NULL},
	{"gone", O_RDONLY, ENOENT, NULL},
	{"etc/inside/..", O_RDONLY, ENOTDIR, NULL},
	{"etc/inside/below", O_RDONLY, ENOTDIR, NULL},
	{"etc/inside/", O_RDONLY, ENOTDIR, NULL},
	{"etc", FOLDER, 0, "etc"},
	{"etc/", O_RDONLY, 0, "etc"},
	{"etc", O_WRONLY, EISDIR, NULL},
	{"etc/inside", O_WRONLY, 0, "etc/inside"},
	{"absolute", O_RDONLY, 0, "etc/inside"},
	{"absolute", O_PATH, 0, "etc/inside"},
	{"absolute", PATH, 0, "@"},
	{"absolute", O_RDONLY | O_NOFOLLOW, ELOOP, NULL},
	{"absolute", FOLDER, ENOTDIR, NULL},
	{"absolute/", PATH, ENOTDIR, NULL},
	{"absolute/below", O_RDONLY, ENOTDIR, NULL},
	{"directory", FOLDER, 0, "etc"},
	{"directory", FOLDER | O_NOFOLLOW, ENOTDIR, NULL},
	{"directory", PATH, 0, "@"},
	{"directory/", PATH, 0, "etc"},
	{"directory/..", FOLDER, 0, "."},
	{"slash/inside", O_RDONLY, 0, "etc/inside"},
	{"file-slash", O_RDONLY, ENOTDIR, NULL},
	{"to-directory-link/inside", O_RDONLY, 0, "etc/inside"},
	{"top/top/top/etc/inside", O_RDONLY, 0, "etc/inside"},
	{"climbs", O_RDONLY, 0, "etc/inside"},
	{"etc/escape", O_RDONLY, 0, "secret"},
	{"etc/full", O_RDONLY, ENOENT, NULL},
	{"deep/er/link", O_RDONLY, 0, "etc/inside"},
	{"deep/er/est/link", FOLDER, 0, "deep/er/est"},
	{"deep/er/est/link/../link", O_RDONLY, 0, "etc/inside"},
	{"deep/er/est/link/link/..", FOLDER, 0, "deep/er"},
	{"deep/./er/././../er/est/../..", FOLDER, 0, "deep"},
	{"deep/er/est/../../../secret", O_RDONLY, 0, "secret"},
	{"deep/er/est/../../../../secret", O_RDONLY, 0, "secret"},
	{"dangling", O_RDONLY, ENOENT, NULL},
	{"loop-a", O_RDONLY, ELOOP, NULL},
	{"loop-a", O_PATH, ELOOP, NULL},
	{"loop-a", PATH, 0, "@"},
	{"chain-40", O_RDONLY, 0, "etc/inside"},
	{"chain-41", O_RDONLY, ELOOP, NULL},
	{LONG_256, O_RDONLY, ENAMETOOLONG, NULL},
	{LONG_256 "/below", O_RDONLY, ENAMETOOLONG, NULL},
	{"new", O_WRONLY | O_CREAT, EINVAL, NULL},
	{"etc/inside", O_RDWR | O_CREAT | O_EXCL, EINVAL, NULL},
	{"etc", O_RDWR | O_TMPFILE, EINVAL, NULL},
};

static void check_found(const struct tree *tree, const char *path, int fd, const char *what)
{
	bool is_link = strcmp(what, "@") == 0;
	struct stat found, wanted;

	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fstat(fd, &found), 0);
	assert_int_equal(fstatat(tree->fd, is_link ? "." : what, &wanted, 0), 0);
	if (is_link != S_ISLNK(found.st_mode) || (!is_link && found.st_ino != wanted.st_ino))
		fail_msg("%s: not %s", path, what);
}

/* The lowest free descriptor: none is left open by what failed. */
static int next_fd(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

static void check_rows(const struct tree *tree, const struct beneath *top)
{
	int lowest = next_fd();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int fd = beneath_open(top, rows[i].path, rows[i].flags), number = errno;

		if (fd < 0 && number != rows[i].number)
			fail_msg("%s %#o: errno %d, wanted %d", rows[i].path,
				 (unsigned)rows[i].flags, number, rows[i].number);
		if (fd >= 0 && rows[i].number)
			fail_msg("%s %#o: opened, wanted errno %d", rows[i].path,
				 (unsigned)rows[i].flags, rows[i].number);
		if (fd < 0)
			continue;
		check_found(tree, rows[i].path, fd, rows[i].what);
		close(fd);
	}
	assert_int_equal(next_fd(), lowest);
}

static void by_openat2(void **state)
{
	const struct tree *tree = *state;
	struct beneath top = beneath_of(tree->fd);

	check_rows(tree, &top);
}

static void by_the_walk(void **state)
{
	const struct tree *tree = *state;
	struct beneath top = {.fd = tree->fd, .walk = true};

	check_rows(tree, &top);
}

/* RESOLVE_BENEATH: what would leave is EXDEV, also where it came back or leads to nothing. */
static const struct {
	const char *path;
	int number;
} strict_rows[] = {
	{"etc/inside", 0},
	{"etc/..", 0},
	{"deep/er/link", 0},
	{"deep/er/est/link/../../../etc/../secret", 0},
	{"directory/inside", 0},
	{"dangling", ENOENT},
	{"loop-a", ELOOP},
	{"/etc/inside", EXDEV},
	{"..", EXDEV},
	{"../top/etc/inside", EXDEV},
	{"etc/../../gone", EXDEV},
	{"deep/er/../../../top", EXDEV},
	{"absolute", EXDEV},
	{"top", EXDEV},
	{"etc/escape", EXDEV},
	{"etc/full", EXDEV},
	{"climbs", EXDEV},
};

static void nothing_leaves(void **state)
{
	const struct tree *tree = *state;

	for (int walk = 0; walk < 2; walk++) {
		struct beneath top = beneath_of(tree->fd);

		top.walk |= walk;
		top.strict = true;
		for (size_t i = 0; i < sizeof(strict_rows) / sizeof(strict_rows[0]); i++) {
			int fd = beneath_open(&top, strict_rows[i].path, O_PATH),
			    number = fd < 0 ? errno : 0;

			if (number != strict_rows[i].number)
				fail_msg("%s: errno %d, wanted %d, walk %d", strict_rows[i].path,
					 number, strict_rows[i].number, walk);
			if (fd >= 0)
				close(fd);
		}
	}
}

/* proc(5): links of a process lead where their text does not say, those of proc's top do not. */
static void magic_links(void **state)
{
	static const struct {
		const char *path;
		int number;
	} links_of_proc[] = {
		{"self/status", 0},
		{"thread-self/status", 0},
		{"mounts", 0},
		{"self/exe", EXDEV},
		{"self/cwd/.", EXDEV},
		{"self/root/proc", EXDEV},
		{"self/fd/0", EXDEV},
		{"self/ns/mnt", EXDEV},
		{"self/../self/exe", EXDEV},
		{"thread-self/exe", EXDEV},
		{"self/root/../../", EXDEV},
	};
	int proc = open("/proc", FOLDER);

	(void)state;
	assert_true(proc >= 0);
	for (int walk = 0; walk < 2; walk++) {
		struct beneath top = beneath_of(proc);

		top.walk |= walk;
		for (size_t i = 0; i < sizeof(links_of_proc) / sizeof(links_of_proc[0]); i++) {
			int fd = beneath_open(&top, links_of_proc[i].path, O_RDONLY),
			    number = fd < 0 ? errno : 0;

			if (number != links_of_proc[i].number)
				fail_msg("%s: errno %d, wanted %d, walk %d", links_of_proc[i].path,
					 number, links_of_proc[i].number, walk);
			if (fd >= 0)
				close(fd);
		}
	}
	close(proc);
}

/* proc(5), fs.protected_symlinks: what somebody put into a folder where everybody may write. */
static void a_link_in_a_folder_of_everybody(void **state)
{
	const struct tree *tree = *state;
	const struct beneath top = {.fd = tree->fd, .walk = true};
	int fd;

	assert_int_equal(mkdirat(tree->fd, "tmp", 0755), 0);
	assert_int_equal(fchmodat(tree->fd, "tmp", 01777, 0), 0);
	assert_int_equal(symlinkat("/etc/inside", tree->fd, "tmp/link"), 0);
	fd = beneath_open(&top, "tmp/link", O_RDONLY);
	assert_true(fd >= 0);
	close(fd);
	if (geteuid() != 0)
		return; /* nobody else's link can be made */
	assert_int_equal(fchownat(tree->fd, "tmp/link", 65534, 65534, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(beneath_open(&top, "tmp/link", O_RDONLY), -1);
	assert_int_equal(errno, EACCES);
	assert_int_equal(fchmodat(tree->fd, "tmp", 0777, 0), 0);
	fd = beneath_open(&top, "tmp/link", O_RDONLY);
	assert_true(fd >= 0);
	close(fd);
}

static void deep_paths_end(void **state)
{
	const struct tree *tree = *state;
	const struct beneath top = {.fd = tree->fd, .walk = true};
	char deep[PATH_MAX] = "", text[PATH_MAX + 64];
	int lowest = next_fd(), fd;

	for (int i = 0; i < 200; i++) {
		strncat(deep, "d/", sizeof(deep) - strlen(deep) - 1);
		assert_int_equal(mkdirat(tree->fd, deep, 0755), 0);
	}
	deep[200] = '\0'; /* a hundred of them */
	fd = beneath_open(&top, deep, FOLDER);
	assert_true(fd >= 0);
	close(fd);
	deep[200] = 'd';
	assert_int_equal(beneath_open(&top, deep, FOLDER), -1);
	assert_int_equal(errno, ENAMETOOLONG);
	memset(text, '/', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(beneath_open(&top, text, FOLDER), -1);
	assert_int_equal(errno, ENAMETOOLONG);
	assert_int_equal(next_fd(), lowest);
}

/* "swap" is a folder and a link that leads out, in turn, until the process is ended. */
static pid_t start_swapping(int top)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (child == 0)
		syscall(SYS_renameat2, top, "swap", top, "other", RENAME_EXCHANGE);
	return child;
}

/* Whatever comes of each try, it is never the file outside: how often it was. */
static int count_escapes(const struct tree *tree, const struct beneath *top)
{
	static const char *const paths[] = {"swap/secret", "swap/../secret", "swap/../../secret",
					    "other/../../secret"};
	struct stat outside, found;
	int escapes = 0;

	if (fstatat(tree->beside, "secret", &outside, 0) < 0)
		return -1;
	for (int i = 0; i < RACES; i++) {
		int fd = beneath_open(top, paths[i % 4], i & 4 ? O_RDONLY : O_PATH);

		if (fd < 0)
			continue;
		escapes += fstat(fd, &found) < 0 ||
			   (found.st_dev == outside.st_dev && found.st_ino == outside.st_ino);
		close(fd);
	}
	return escapes;
}

static void what_is_swapped_meanwhile(void **state)
{
	const struct tree *tree = *state;
	struct beneath top = beneath_of(tree->fd);
	int escapes[2];
	pid_t child;

	assert_int_equal(mkdirat(tree->fd, "swap", 0755), 0);
	put(tree->fd, "swap/secret", "the folder's own");
	assert_int_equal(symlinkat(tree->outside, tree->fd, "other"), 0);
	child = start_swapping(tree->fd);
	escapes[0] = count_escapes(tree, &top);
	top.walk = true;
	escapes[1] = count_escapes(tree, &top);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(escapes[0], 0);
	assert_int_equal(escapes[1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(by_openat2, tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(by_the_walk, tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(nothing_leaves, tree_make, tree_remove),
		cmocka_unit_test(magic_links),
		cmocka_unit_test_setup_teardown(a_link_in_a_folder_of_everybody, tree_make,
						tree_remove),
		cmocka_unit_test_setup_teardown(deep_paths_end, tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(what_is_swapped_meanwhile, tree_make, tree_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
