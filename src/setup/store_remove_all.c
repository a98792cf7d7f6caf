// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/store_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Digits with which the names of sources in the cache begin: SHA-256 of a file, or a commit. Beside
 * them are what was asked of compilers and the digests of the mirrors' files. */
#define DIGITS_MIN 40

static void leave(struct store *store, struct names *left, const char *relative, const char *why)
{
	names_add(store->arena, left,
		  arena_printf(store->arena, "%s/%s: %s", store->prefix, relative, why));
}

static bool is_left_already(const struct store *store, const struct names *left,
			    const char *relative)
{
	size_t size = strlen(store->prefix) + 1, length = strlen(relative);

	for (size_t i = 0; i < left->count; i++) {
		const char *path = left->items[i] + size;

		if (strncmp(path, relative, length) == 0 &&
		    (path[length] == '/' || path[length] == ':'))
			return true;
	}
	return false;
}

/* The entries of one directory of PREFIX, by a function that removes what is ours; what is not is
 * left, what could not be removed is an error. */
static bool remove_entries(struct store *store, const char *name, struct names *left,
			   bool (*remove)(struct store *store, int directory, const char *entry),
			   struct error *err)
{
	scoped_fd int directory = tree_open(store->fd, name);
	struct names names = {0};

	if (directory < 0 && errno == ENOENT)
		return true;
	if (directory < 0 || !tree_list(store->arena, directory, &names))
		return error_errno(err, errno, "%s/%s", store->prefix, name);
	for (size_t i = 0; i < names.count; i++) {
		if (!remove(store, directory, names.items[i]))
			return error_errno(err, errno, "%s/%s/%s", store->prefix, name,
					   names.items[i]);
	}
	if (unlinkat(store->fd, name, AT_REMOVEDIR) == 0)
		return true;
	if (!tree_list(store->arena, directory, &names))
		return error_errno(err, errno, "%s/%s", store->prefix, name);
	for (size_t i = 0; i < names.count; i++) {
		const char *path = arena_printf(store->arena, "%s/%s", name, names.items[i]);

		if (!is_left_already(store, left, path))
			leave(store, left, path, "not of this program");
	}
	return true;
}

static bool remove_generation(struct store *store, int directory, const char *entry)
{
	struct stat status;
	uint64_t number;

	if (strcmp(entry, STORE_HALF_GENERATION) == 0)
		return tree_delete(directory, entry);
	if (!view_u64(view_of(entry), 10, &number) ||
	    (fstatat(directory, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	     !S_ISDIR(status.st_mode)))
		return true;
	return generation_delete(store, directory, entry);
}

static bool remove_cached(struct store *store, int directory, const char *entry)
{
	(void)store;
	/* With what a run that was killed left beside them: NAME.XXXXXX. */
	if (strspn(entry, "0123456789abcdef") >= DIGITS_MIN ||
	    strncmp(entry, "compiler-", strlen("compiler-")) == 0 ||
	    strcmp(entry, "mirrors") == 0 || strncmp(entry, "mirrors.", strlen("mirrors.")) == 0)
		return tree_delete(directory, entry);
	return true;
}

static bool remove_any(struct store *store, int directory, const char *entry)
{
	(void)store;
	return tree_delete(directory, entry);
}

static bool keep(struct store *store, int directory, const char *entry)
{
	(void)store;
	(void)directory;
	(void)entry;
	return true;
}

static bool remove_trees(struct store *store, struct store_removal *out, struct error *err)
{
	scoped_fd int trees = tree_open(store->fd, STORE_TREES);
	struct store_trees all;

	if (trees < 0 && errno == ENOENT)
		return true;
	if (trees < 0)
		return error_errno(err, errno, "%s/" STORE_TREES, store->prefix);
	if (!store_trees(store, &all, err))
		return false;
	out->removed.items = arena_array(store->arena, struct store_tree, all.count + 1);
	for (size_t i = 0; i < all.count; i++) {
		const struct store_tree *one = &all.items[i];
		const char *path = arena_printf(store->arena, STORE_TREES "/%s-%s-%s", one->name,
						one->version, one->key);
		struct manifest manifest;

		if (!store_manifest(store, one, &manifest, NULL))
			leave(store, &out->left, path, "its manifest is damaged");
		else if (!store_remove_tree(store, trees, one, out, err))
			return false;
	}
	return true;
}

/* PREFIX when this program made it, and what it made above it, while empty. */
static bool remove_prefix(struct store *store)
{
	const char *path = store->prefix, *slash = strrchr(path, '/');
	int fd = openat(store->fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool gone = false;

	for (unsigned level = 0; level < store->made && fd >= 0 && slash; level++) {
		if (unlinkat(fd, slash + 1, AT_REMOVEDIR) < 0)
			break;
		gone = true;
		int next = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = next;
		path = arena_copy(store->arena, path, (size_t)(slash - path));
		slash = strrchr(path, '/');
	}
	if (fd >= 0)
		close(fd);
	return gone;
}

bool store_remove_all(struct store *store, struct store_removal *out, struct error *err)
{
	struct store_removal done = {0};
	struct names names;

	if (!generation_switch(store, 0, err) ||
	    !remove_entries(store, STORE_GENERATIONS, &done.left, remove_generation, err) ||
	    !remove_trees(store, &done, err) ||
	    !remove_entries(store, STORE_TREES, &done.left, keep, err) ||
	    !remove_entries(store, STORE_WORK, &done.left, remove_any, err) ||
	    !remove_entries(store, STORE_LOGS, &done.left, remove_any, err) ||
	    !remove_entries(store, STORE_PROVISION, &done.left, remove_any, err) ||
	    !remove_entries(store, STORE_CACHE, &done.left, remove_cached, err))
		return false;
	unlinkat(store->fd, "." STORE_CURRENT ".new", 0);
	if (!tree_list(store->arena, store->fd, &names))
		return error_errno(err, errno, "%s", store->prefix);
	for (size_t i = 0; i < names.count; i++) {
		if (strcmp(names.items[i], STORE_LOCK) != 0 &&
		    !is_left_already(store, &done.left, names.items[i]))
			leave(store, &done.left, names.items[i], "not of this program");
	}
	/* Last: whoever waits for it finds another file under the name, or none. */
	if (unlinkat(store->fd, STORE_LOCK, 0) < 0)
		return error_errno(err, errno, "%s/" STORE_LOCK, store->prefix);
	done.prefix_gone = remove_prefix(store);
	*out = done;
	return true;
}
