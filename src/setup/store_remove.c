// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/store_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a removal is about: all trees of the names that are in the store. */
struct removal {
	struct store *store;
	const struct names *names;
	struct store_trees trees; /* to be removed */
	struct generation current;
	struct store_removal *out;
};

bool store_verify(struct store *store, const struct store_tree *tree, struct store_differences *out,
		  struct error *err)
{
	const char *name = store_tree_name(store->arena, tree->name, tree->version, tree->key);
	const char *path =
		store_tree_path(store->arena, store, tree->name, tree->version, tree->key);
	scoped_fd int fd =
		tree_open(store->fd, arena_printf(store->arena, STORE_TREES "/%s", name));
	struct manifest manifest;
	struct scan scan;

	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	if (!store_load_manifest(store, fd, name, MANIFEST_PATH, &manifest, err) ||
	    !scan_tree(store->arena, fd, path, SCAN_LOOK, &scan, err))
		return false;
	scan_compare(store->arena, path, &manifest, &scan, out);
	return true;
}

static bool is_left(const struct store_differences *differences, const char *root, const char *path,
		    size_t *from)
{
	size_t size = strlen(root);

	/* Both are sorted, and gone through from the end. */
	for (; *from; (*from)--) {
		const struct store_difference *one = &differences->items[*from - 1];
		int order = strcmp(one->path + size + 1, path);

		if (order <= 0)
			return order == 0 && one->foreign;
	}
	return false;
}

/* What the manifest lists and is as it says, children before their directories. A directory with
 * something of others in it stays. */
static bool delete_listed(int tree, const char *root, const struct manifest *manifest,
			  const struct store_differences *differences)
{
	size_t from = differences->count;
	bool all = true;

	for (size_t i = manifest->files.count; i-- > 0;) {
		const struct manifest_file *file = &manifest->files.items[i];
		bool directory = strcmp(file->type, "directory") == 0;
		const char *name;

		if (is_left(differences, root, file->path, &from))
			continue;
		scoped_fd int parent = tree_open_parent(tree, file->path, &name);
		/* Gone before, or turned into something else by somebody. */
		if (parent < 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
			all = false;
		if (parent >= 0 && unlinkat(parent, name, directory ? AT_REMOVEDIR : 0) < 0 &&
		    errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST)
			all = false;
	}
	return all;
}

static void name_left(struct store *store, const struct store_differences *differences,
		      struct names *left)
{
	for (size_t i = 0; i < differences->count; i++) {
		const struct store_difference *one = &differences->items[i];

		if (one->foreign && !view_ends(view_of(one->path), "/" STORE_REMOVING))
			names_add(store->arena, left,
				  arena_printf(store->arena, "%s: %s", one->path,
					       strcmp(one->what, "added") == 0
						       ? "not of this program"
						       : "changed since it was installed"));
	}
}

bool store_finish_removal(struct store *store, int trees, const char *tree_name, struct names *left)
{
	const char *root =
		arena_printf(store->arena, "%s/" STORE_TREES "/%s", store->prefix, tree_name);
	scoped_fd int tree = tree_open(trees, tree_name);
	struct store_differences differences;
	struct manifest manifest;
	struct scan scan;

	if (tree < 0 ||
	    !store_load_manifest(store, tree, tree_name, STORE_REMOVING, &manifest, NULL) ||
	    !scan_tree(store->arena, tree, root, SCAN_LOOK, &scan, NULL))
		return false;
	/* What is not known to be ours or not stays for another try. */
	for (size_t i = 0; i < scan.count; i++) {
		if (scan.items[i].failed)
			return false;
	}
	scan_compare(store->arena, root, &manifest, &scan, &differences);
	if (!delete_listed(tree, root, &manifest, &differences))
		return false;
	name_left(store, &differences, left);
	/* What somebody put there must not be taken for remains of a tree: see store_clean(). */
	if (unlinkat(tree, MANIFEST_DIRECTORY, AT_REMOVEDIR) < 0 && errno != ENOENT)
		renameat(tree, MANIFEST_DIRECTORY, tree, MANIFEST_DIRECTORY ".left");
	if (unlinkat(tree, STORE_REMOVING, 0) < 0)
		return false;
	unlinkat(trees, tree_name, AT_REMOVEDIR);
	return true;
}

/* From here on it is no tree any more, and the next run ends what is begun. */
bool store_remove_tree(struct store *store, int trees, const struct store_tree *one,
		       struct store_removal *out, struct error *err)
{
	const char *name = store_tree_name(store->arena, one->name, one->version, one->key);
	scoped_fd int tree = tree_open(trees, name);

	if (tree < 0 || renameat(tree, MANIFEST_PATH, tree, STORE_REMOVING) < 0 || !tree_sync(tree))
		return error_errno(err, errno, "%s/" STORE_TREES "/%s", store->prefix, name);
	if (!store_finish_removal(store, trees, name, &out->left))
		return error_set(err, "%s/" STORE_TREES "/%s: cannot be removed whole, try again",
				 store->prefix, name);
	out->removed.items[out->removed.count++] = *one;
	return true;
}

static bool remove_trees(struct removal *removal, struct error *err)
{
	struct store *store = removal->store;
	scoped_fd int trees = tree_open(store->fd, STORE_TREES);

	removal->out->removed.items =
		arena_array(store->arena, struct store_tree, removal->trees.count + 1);
	if (trees < 0)
		return removal->trees.count == 0 ||
		       error_errno(err, errno, "%s/" STORE_TREES, store->prefix);
	for (size_t i = 0; i < removal->trees.count; i++) {
		if (!store_remove_tree(store, trees, &removal->trees.items[i], removal->out, err))
			return false;
	}
	return true;
}

static bool is_removed(const struct removal *removal, const char *name, const char *version,
		       const char *key)
{
	for (size_t i = 0; i < removal->trees.count; i++) {
		const struct store_tree *one = &removal->trees.items[i];

		if (strcmp(one->name, name) == 0 && strcmp(one->version, version) == 0 &&
		    strcmp(one->key, key) == 0)
			return true;
	}
	return false;
}

/* The tree, or one it depends on, goes. */
static bool is_hit(struct removal *removal, const struct store_tree *tree,
		   const struct manifest_dependency **by, unsigned depth)
{
	struct manifest manifest;

	if (is_removed(removal, tree->name, tree->version, tree->key))
		return true;
	if (depth > 16 || !store_manifest(removal->store, tree, &manifest, NULL))
		return false;
	for (size_t i = 0; i < manifest.dependencies.count; i++) {
		const struct manifest_dependency *one = &manifest.dependencies.items[i];
		const struct store_tree needed = {one->name, one->version, one->key};

		*by = one;
		if (is_hit(removal, &needed, by, depth + 1))
			return true;
	}
	return false;
}

static bool check_needed(struct removal *removal, struct error *err)
{
	for (size_t i = 0; i < removal->current.trees.count; i++) {
		const struct store_tree *tree = &removal->current.trees.items[i];
		const struct manifest_dependency *by = NULL;

		if (!names_has(removal->names, tree->name) && is_hit(removal, tree, &by, 0) && by)
			return error_set(err, "%s needs %s %s: remove %s as well, or first",
					 tree->name, by->name, by->version, tree->name);
	}
	return true;
}

/* What it lists is not known otherwise, before anything is changed. */
static bool is_readable(struct store *store, const struct store_tree *tree, struct error *err)
{
	struct manifest manifest;

	return store_manifest(store, tree, &manifest, err) ||
	       error_context(err, "cannot be removed by its manifest");
}

static bool choose(struct removal *removal, struct error *err)
{
	struct store *store = removal->store;
	struct store_trees all;

	if (!store_trees(store, &all, err))
		return false;
	removal->trees.items = arena_array(store->arena, struct store_tree, all.count + 1);
	for (size_t n = 0; n < removal->names->count; n++) {
		bool found = false;

		for (size_t i = 0; i < all.count; i++) {
			const struct store_tree *one = &all.items[i];

			if (strcmp(one->name, removal->names->items[n]) != 0)
				continue;
			found = true;
			if (!is_readable(store, one, err))
				return false;
			if (!is_removed(removal, one->name, one->version, one->key))
				removal->trees.items[removal->trees.count++] = *one;
		}
		if (!found)
			return error_set(err, "there is no %s in %s, see ampere-crypto status",
					 removal->names->items[n], store->prefix);
	}
	return true;
}

/* Older generations with a tree that goes, or with one that needs it, could not be gone back to. */
static bool remove_generations(struct removal *removal, struct error *err)
{
	struct store *store = removal->store;
	scoped_fd int generations = tree_open(store->fd, STORE_GENERATIONS);
	struct generations all;

	if (!store_generations(store, &all, err))
		return false;
	for (size_t i = 0; i < all.count; i++) {
		const struct generation *one = &all.items[i];
		const char *name = arena_printf(store->arena, "%u", (unsigned)one->number);
		const struct manifest_dependency *by;
		bool hit = false;

		for (size_t t = 0; t < one->trees.count && !hit; t++)
			hit = is_hit(removal, &one->trees.items[t], &by, 0);
		if (hit && !one->active && !generation_delete(store, generations, name))
			return error_errno(err, errno, "%s/" STORE_GENERATIONS "/%s", store->prefix,
					   name);
	}
	return true;
}

bool store_remove(struct store *store, const struct names *names, struct store_removal *out,
		  struct error *err)
{
	struct store_removal done = {0};
	struct removal removal = {.store = store, .names = names, .out = &done};

	if (!names || !names->count)
		return store_remove_all(store, out, err);
	if (!store_current(store, &removal.current, err) || !choose(&removal, err) ||
	    !check_needed(&removal, err))
		return false;
	if (removal.current.number &&
	    !store_activate(store, removal.current.target, NULL, names, &removal.current, err))
		return false;
	if (!remove_generations(&removal, err) || !remove_trees(&removal, err))
		return false;
	*out = done;
	return true;
}
