// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/store_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEFT_MAX 1000
/* Names in MANIFEST_DIRECTORY. */
#define PAPER_MANIFEST (&MANIFEST_PATH[sizeof(MANIFEST_DIRECTORY)])
#define PAPER_SBOM (&MANIFEST_SBOM_PATH[sizeof(MANIFEST_DIRECTORY)])

const char *store_tree_name(struct arena *arena, const char *name, const char *version,
			    const char *key)
{
	return arena_printf(arena, "%s-%s-%s", name, version, key);
}

const char *store_tree_path(struct arena *arena, const struct store *store, const char *name,
			    const char *version, const char *key)
{
	return arena_printf(arena, "%s/" STORE_TREES "/%s-%s-%s", store->prefix, name, version,
			    key);
}

bool store_has(struct store *store, const char *name, const char *version, const char *key)
{
	if (store->fd < 0 || !manifest_names_fit(name, version, key))
		return false;
	const char *tree = store_tree_name(store->arena, name, version, key);
	scoped_fd int fd =
		tree_open(store->fd, arena_printf(store->arena, STORE_TREES "/%s", tree));
	return fd >= 0 && store_is_whole(fd) == STORE_WHOLE;
}

bool store_load_manifest(struct store *store, int tree, const char *tree_name, const char *file,
			 struct manifest *out, struct error *err)
{
	const char *path = arena_printf(store->arena, "%s/" STORE_TREES "/%s/%s", store->prefix,
					tree_name, file);
	scoped_fd int fd = tree_open_file(tree, file);
	struct manifest manifest;
	struct view text;

	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	if (!file_read_fd(store->arena, fd, path, MANIFEST_BYTES_MAX, &text, err) ||
	    !manifest_parse(store->arena, path, text, &manifest, err))
		return false;
	if (strcmp(store_tree_name(store->arena, manifest.name, manifest.version, manifest.key),
		   tree_name) != 0)
		return error_set(err, "%s: belongs to another tree, %s-%s-%s", path, manifest.name,
				 manifest.version, manifest.key);
	*out = manifest;
	return true;
}

bool store_manifest(struct store *store, const struct store_tree *tree, struct manifest *out,
		    struct error *err)
{
	const char *name = store_tree_name(store->arena, tree->name, tree->version, tree->key);
	scoped_fd int fd =
		tree_open(store->fd, arena_printf(store->arena, STORE_TREES "/%s", name));

	if (fd < 0)
		return error_errno(err, errno, "%s/" STORE_TREES "/%s", store->prefix, name);
	return store_load_manifest(store, fd, name, MANIFEST_PATH, out, err);
}

/* The name is free, or becomes it: remains of a power failure go, what store_remove() left because
 * it is somebody's moves aside. */
static bool clear_place(int trees, const char *name)
{
	char aside[STORE_TREE_NAME_MAX + 16];
	scoped_fd int there = tree_open(trees, name);
	struct stat status;

	if (there < 0)
		return errno == ENOENT;
	if (fstatat(there, MANIFEST_DIRECTORY, &status, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return store_is_whole(there) == STORE_BROKEN && tree_delete(trees, name);
	}
	if (errno != ENOENT)
		return false;
	for (unsigned i = 1; i <= LEFT_MAX; i++) {
		snprintf(aside, sizeof(aside), "%.*s.left-%u", STORE_TREE_NAME_MAX, name, i);
		/* Never over what is there: only an empty directory gives way to another. */
		if (renameat(trees, name, trees, aside) == 0)
			return true;
		if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
			return false;
	}
	return false;
}

/* The path of a staged directory relative to PREFIX, or NULL. */
static const char *staged_relative(const struct store *store, const char *staged)
{
	size_t size = strlen(store->prefix);

	if (strncmp(staged, store->prefix, size) == 0 && staged[size] == '/')
		staged += size + 1;
	return strncmp(staged, STORE_WORK "/", strlen(STORE_WORK "/")) == 0 ? staged : NULL;
}

int store_open_staged(struct store *store, const char *staged, struct error *err)
{
	const char *relative = staged_relative(store, staged);
	int fd;

	if (!relative) {
		error_set(err, "%s: not below %s/" STORE_WORK, staged, store->prefix);
		return -1;
	}
	fd = tree_open(store->fd, relative);
	if (fd < 0)
		error_errno(err, errno, "%s", staged);
	return fd;
}

bool store_place(struct store *store, const char *staged, int tree, const struct manifest *manifest,
		 struct error *err)
{
	const char *last, *name = store_tree_name(store->arena, manifest->name, manifest->version,
						  manifest->key);
	scoped_fd int trees = store_open_directory(store, STORE_TREES, err);
	scoped_fd int parent = tree_open_parent(store->fd, staged_relative(store, staged), &last);
	struct stat mine, placed;

	if (trees < 0)
		return false;
	if (parent < 0 || fstat(tree, &mine) < 0 || syncfs(tree) < 0)
		return error_errno(err, errno, "%s", staged);
	if (store_has(store, manifest->name, manifest->version, manifest->key))
		return true;
	if (!clear_place(trees, name) || renameat(parent, last, trees, name) < 0 ||
	    !tree_sync(trees) || !tree_sync(store->fd))
		return error_errno(err, errno, "%s/" STORE_TREES "/%s", store->prefix, name);
	/* Whoever may write next to the stage could have put another one there. */
	if (fstatat(trees, name, &placed, AT_SYMLINK_NOFOLLOW) < 0 ||
	    placed.st_ino != mine.st_ino || placed.st_dev != mine.st_dev) {
		renameat(trees, name, parent, last);
		return error_set(err, "%s: replaced while it was installed", staged);
	}
	return true;
}

static int by_path(const void *left, const void *right)
{
	return strcmp(((const struct manifest_file *)left)->path,
		      ((const struct manifest_file *)right)->path);
}

/* All that was found, and the SBOM made of it, which is listed like any other file. */
static bool list_files(struct arena *arena, const struct scan *scan, struct view *sbom,
		       struct manifest *manifest, struct error *err)
{
	struct manifest_file *items = arena_array(arena, struct manifest_file, scan->count + 1);
	char hex[DIGEST_HEX_SIZE];

	for (size_t i = 0; i < scan->count; i++)
		items[i] = scan->items[i].file;
	*sbom = sbom_text(arena, manifest, scan);
	if (!digest_view(arena, *sbom, hex, err))
		return false;
	items[scan->count] = (struct manifest_file){.path = MANIFEST_SBOM_PATH,
						    .type = "file",
						    .mode = "0644",
						    .size = (int64_t)sbom->size,
						    .sha256 = arena_strdup(arena, hex)};
	qsort(items, scan->count + 1, sizeof(items[0]), by_path);
	manifest->files.items = items;
	manifest->files.count = scan->count + 1;
	return true;
}

static bool own_papers(struct store *store, int tree, int *papers, struct error *err)
{
	int fd = -1;

	if (tree_make(tree, MANIFEST_DIRECTORY))
		fd = tree_open(tree, MANIFEST_DIRECTORY);
	if (fd < 0)
		return error_errno(err, errno, "%s: " MANIFEST_DIRECTORY, store->prefix);
	*papers = fd;
	/* A build may have left some of its own. */
	if (tree_delete(fd, PAPER_MANIFEST) && tree_delete(fd, PAPER_SBOM) &&
	    tree_delete(tree, STORE_REMOVING))
		return true;
	return error_errno(err, errno, "%s: " MANIFEST_DIRECTORY, store->prefix);
}

static bool write_papers(struct store *store, int tree, int papers, const char *staged,
			 struct manifest *manifest, struct error *err)
{
	struct view sbom;
	struct scan scan;

	if (!scan_tree(store->arena, tree, staged, SCAN_OWN, &scan, err))
		return false;
	if (!list_files(store->arena, &scan, &sbom, manifest, err) ||
	    !manifest_fits(manifest, err) || !manifest_links_fit(manifest, err) ||
	    !tree_write(papers, PAPER_SBOM, sbom, err) ||
	    !tree_write(papers, PAPER_MANIFEST, manifest_text(store->arena, manifest), err))
		return error_context(err, "%s", staged);
	return true;
}

bool store_install(struct store *store, const char *staged, struct manifest *manifest,
		   struct error *err)
{
	scoped_fd int tree = store_open_staged(store, staged, err);
	scoped_fd int papers = -1;

	if (tree < 0)
		return false;
	manifest->schema = MANIFEST_SCHEMA;
	if (!manifest->prefix)
		manifest->prefix = store->prefix;
	return own_papers(store, tree, &papers, err) &&
	       write_papers(store, tree, papers, staged, manifest, err) &&
	       store_place(store, staged, tree, manifest, err);
}
