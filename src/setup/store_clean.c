// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/file.h"
#include "setup/store_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Only what is certainly not there is missing. */
static bool is_missing(int at, const char *name)
{
	struct stat status;

	return fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT;
}

enum store_whole store_is_whole(int tree)
{
	scoped_fd int fd = tree_open_file(tree, MANIFEST_PATH);
	char end[2];
	struct stat status;

	if (fd < 0)
		return errno == ENOENT ? STORE_BROKEN : STORE_UNKNOWN;
	if (fstat(fd, &status) < 0)
		return STORE_UNKNOWN;
	if (status.st_size <= (off_t)sizeof(end))
		return STORE_BROKEN;
	/* It is written and synced before the tree gets its name; this sees what a file system made
	 * of that in a power failure. */
	if (pread(fd, end, sizeof(end), status.st_size - (off_t)sizeof(end)) != sizeof(end))
		return STORE_UNKNOWN;
	return end[0] == '}' && end[1] == '\n' ? STORE_WHOLE : STORE_BROKEN;
}

static void clean_tree(struct store *store, int trees, const char *name)
{
	struct names left = {0};
	scoped_fd int tree = tree_open(trees, name);

	if (tree < 0)
		return;
	if (!is_missing(tree, STORE_REMOVING))
		store_finish_removal(store, trees, name, &left);
	/* Without that directory it is what store_remove() left because it is somebody's, or
	 * nothing at all. */
	else if (is_missing(tree, MANIFEST_DIRECTORY))
		unlinkat(trees, name, AT_REMOVEDIR);
	else if (store_is_whole(tree) == STORE_BROKEN)
		tree_delete(trees, name);
}

bool generation_delete(struct store *store, int generations, const char *name)
{
	scoped_fd int directory = tree_open(generations, name);
	struct names names;

	if (directory < 0 || !tree_list(store->arena, directory, &names))
		return false;
	/* Without it this is no generation any more, and the next run ends what is begun. */
	if (unlinkat(directory, STORE_GENERATION_FILE, 0) < 0 && errno != ENOENT)
		return false;
	for (size_t i = 0; i < names.count; i++) {
		const char *target = tree_read_link(store->arena, directory, names.items[i]);

		if (target && view_starts(view_of(target), "../../" STORE_TREES "/") &&
		    unlinkat(directory, names.items[i], 0) < 0)
			return false;
	}
	return unlinkat(generations, name, AT_REMOVEDIR) == 0 || errno == ENOTEMPTY;
}

static void clean_generation(struct store *store, int generations, const char *name)
{
	uint64_t number;
	scoped_fd int directory = tree_open(generations, name);

	if (directory < 0)
		return;
	if (strcmp(name, STORE_HALF_GENERATION) == 0)
		tree_delete(generations, name);
	else if (view_u64(view_of(name), 10, &number) &&
		 is_missing(directory, STORE_GENERATION_FILE))
		generation_delete(store, generations, name);
}

void store_clean(struct store *store)
{
	scoped_fd int work = tree_open(store->fd, STORE_WORK);
	scoped_fd int trees = tree_open(store->fd, STORE_TREES);
	scoped_fd int generations = tree_open(store->fd, STORE_GENERATIONS);
	struct names names = {0};

	if (work >= 0)
		tree_empty(work);
	if (trees >= 0 && tree_list(store->arena, trees, &names)) {
		for (size_t i = 0; i < names.count; i++)
			clean_tree(store, trees, names.items[i]);
	}
	if (generations >= 0 && tree_list(store->arena, generations, &names)) {
		for (size_t i = 0; i < names.count; i++)
			clean_generation(store, generations, names.items[i]);
	}
	unlinkat(store->fd, "." STORE_CURRENT ".new", 0);
}
