// SPDX-License-Identifier: BSD-2-Clause
/* A tree with links of all sorts, of which some lead out of it. */
#pragma once
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
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

/* A folder with "secret" in it, and "top" beside that. */
struct tree {
	char outside[64];
	int beside, fd;
};

static void put(int at, const char *name, const char *text)
{
	int fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL, 0644);

	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* "%s" in a target is the folder outside. */
static const struct {
	const char *name, *target;
} links[] = {
	{"absolute", "/etc/inside"},
	{"directory", "etc"},
	{"dangling", "gone"},
	{"loop-a", "loop-b"},
	{"loop-b", "loop-a"},
	{"slash", "etc/"},
	{"file-slash", "etc/inside/"},
	{"top", "/"},
	{"climbs", "../../../../../../../../../../../../../../etc/inside"},
	{"etc/escape", "../../../../secret"},
	{"etc/full", "%s/secret"},
	{"deep/er/link", "../.././etc/inside"},
	{"deep/er/est/link", "../../../etc/../deep/er/est"},
	{"to-directory-link", "directory/"},
};

static int tree_make(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	char target[PATH_MAX], name[32];

	snprintf(tree->outside, sizeof(tree->outside), "/tmp/test-beneath-XXXXXX");
	assert_non_null(mkdtemp(tree->outside));
	tree->beside = open(tree->outside, O_RDONLY | O_DIRECTORY);
	assert_int_equal(mkdirat(tree->beside, "top", 0755), 0);
	tree->fd = openat(tree->beside, "top", O_RDONLY | O_DIRECTORY);
	assert_int_equal(mkdirat(tree->fd, "etc", 0755), 0);
	put(tree->beside, "secret", "outside");
	assert_int_equal(mkdirat(tree->fd, "deep", 0755), 0);
	assert_int_equal(mkdirat(tree->fd, "deep/er", 0755), 0);
	assert_int_equal(mkdirat(tree->fd, "deep/er/est", 0755), 0);
	put(tree->fd, "secret", "the tree's own");
	put(tree->fd, "etc/inside", "inside");
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		snprintf(target, sizeof(target), "%s", links[i].target);
		if (strncmp(target, "%s", 2) == 0)
			snprintf(target, sizeof(target), "%s%s", tree->outside,
				 links[i].target + 2);
		assert_int_equal(symlinkat(target, tree->fd, links[i].name), 0);
	}
	/* chain-N leads through N links. */
	for (int i = 1; i <= 41; i++) {
		snprintf(name, sizeof(name), "chain-%d", i);
		snprintf(target, sizeof(target), "chain-%d", i - 1);
		assert_int_equal(symlinkat(i == 1 ? "etc/inside" : target, tree->fd, name), 0);
	}
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

	close(tree->fd);
	close(tree->beside);
	nftw(tree->outside, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(tree);
	return 0;
}
