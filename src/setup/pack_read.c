// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "setup/pack.h"
#include "setup/pack_format.h"
#include "setup/sandbox.h"
#include "setup/store_private.h"
#include "setup/tree.h"
#include "setup/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORK STORE_WORK "/pack"

struct unpacking {
	struct store *store;
	const char *path; /* of the pack */
	int top;          /* PREFIX/work/pack */
	struct pack pack;
	struct manifest *manifests;
};

static bool unpack(struct unpacking *unpacking, struct error *err)
{
	struct arena *arena = unpacking->store->arena;
	const char *directory = arena_printf(arena, "%s/" WORK, unpacking->store->prefix), *work;
	scoped_fd int archive = open(unpacking->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	scoped_fd int log = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct sandbox sandbox;
	struct stat status;

	if (archive < 0 || fstat(archive, &status) < 0)
		return error_errno(err, errno, "%s", unpacking->path);
	if (!S_ISREG(status.st_mode))
		return error_set(err, "%s: no regular file, a pack is wanted", unpacking->path);
	if (!store_directory(unpacking->store, STORE_WORK, &work, err) ||
	    !sandbox_open(arena, false, &sandbox, err) ||
	    !sandbox_directory(&sandbox, directory, err) ||
	    !unpack_whole(&sandbox, arena, archive, directory, log, err))
		return error_context(err, "%s", unpacking->path);
	unpacking->top = tree_open(unpacking->store->fd, WORK);
	return unpacking->top >= 0 || error_errno(err, errno, "%s", directory);
}

static bool read_text(struct unpacking *unpacking, const char *path, size_t max, struct view *text,
		      struct error *err)
{
	scoped_fd int fd = tree_open_file(unpacking->top, path);

	if (fd < 0)
		return error_exit(err, EXIT_VERIFY, "%s: no pack, it has no %s", unpacking->path,
				  path);
	return file_read_fd(unpacking->store->arena, fd, path, max, text, err);
}

static bool read_pack(struct unpacking *unpacking, const char *target, struct error *err)
{
	struct arena *arena = unpacking->store->arena;
	struct pack *pack = &unpacking->pack;
	struct json json;
	struct view text;

	if (!read_text(unpacking, PACK_FILE, PACK_BYTES_MAX, &text, err) ||
	    !json_parse(arena, PACK_FILE, text, &json, err) ||
	    !fields_load(arena, &json, json.top, &pack_table, pack, err))
		return false;
	if (!pack->trees.count || pack->trees.count > PACK_TREES_MAX)
		return error_set(err, "%s: want 1 to %d trees", unpacking->path, PACK_TREES_MAX);
	for (size_t i = 0; i < pack->trees.count; i++) {
		const struct pack_tree *one = &pack->trees.items[i];

		if (!manifest_names_fit(one->name, one->version, one->key))
			return error_set(err, "%s: trees[%zu] cannot be in a store",
					 unpacking->path, i);
	}
	if (target && strcmp(pack->target, target) != 0)
		return error_exit(err, EXIT_UNSUPPORTED,
				  "%s: is for %s, not for %s; --target %s if you know better",
				  unpacking->path, pack->target, target, pack->target);
	return true;
}

/* Directories and links stand in the manifest only. */
static bool make_rest(struct unpacking *unpacking, int tree, const struct manifest *manifest,
		      struct error *err)
{
	for (size_t i = 0; i < manifest->files.count; i++) {
		const struct manifest_file *file = &manifest->files.items[i];
		const char *name;

		if (file->sha256)
			continue;
		scoped_fd int parent = tree_open_parent(tree, file->path, &name);
		if (parent < 0 || !(file->target ? symlinkat(file->target, parent, name) == 0
						 : tree_make(parent, name)))
			return error_errno(err, errno, "%s: %s", unpacking->path, file->path);
	}
	return true;
}

static const char *tree_path(struct arena *arena, const struct pack_tree *tree)
{
	return arena_printf(arena, PACK_TREES "/%s-%s-%s", tree->name, tree->version, tree->key);
}

/* Every file against the manifest, the manifest against the pack. */
static bool check_tree(struct unpacking *unpacking, size_t index, struct error *err)
{
	const struct pack_tree *tree = &unpacking->pack.trees.items[index];
	struct manifest *manifest = &unpacking->manifests[index];
	struct arena *arena = unpacking->store->arena;
	const char *top = tree_path(arena, tree);
	const char *path = arena_printf(arena, "%s/" MANIFEST_PATH, top);
	struct store_differences differences;
	char hex[DIGEST_HEX_SIZE];
	struct view text;
	struct scan scan;

	if (!read_text(unpacking, path, MANIFEST_BYTES_MAX, &text, err) ||
	    !digest_view(arena, text, hex, err))
		return false;
	if (strcmp(hex, tree->manifest) != 0)
		return error_exit(err, EXIT_VERIFY, "%s: %s is not the one that was packed",
				  unpacking->path, path);
	if (!manifest_parse(arena, path, text, manifest, err) || !manifest_links_fit(manifest, err))
		return error_context(err, "%s", unpacking->path);
	if (strcmp(manifest->name, tree->name) != 0 ||
	    strcmp(manifest->version, tree->version) != 0 || strcmp(manifest->key, tree->key) != 0)
		return error_exit(err, EXIT_VERIFY, "%s: %s belongs to another tree",
				  unpacking->path, path);
	scoped_fd int fd = tree_open(unpacking->top, top);
	if (fd < 0)
		return error_errno(err, errno, "%s: %s", unpacking->path, top);
	if (!make_rest(unpacking, fd, manifest, err) ||
	    !scan_tree(arena, fd, top, SCAN_OWN, &scan, err))
		return false;
	scan_compare(arena, top, manifest, &scan, &differences);
	if (differences.count)
		return error_exit(err, EXIT_VERIFY, "%s: %s is not as it was packed (%s)",
				  unpacking->path, differences.items[0].path,
				  differences.items[0].why);
	return true;
}

static bool has(struct unpacking *unpacking, const struct manifest_dependency *one)
{
	for (size_t i = 0; i < unpacking->pack.trees.count; i++) {
		const struct pack_tree *tree = &unpacking->pack.trees.items[i];

		if (strcmp(tree->name, one->name) == 0 &&
		    strcmp(tree->version, one->version) == 0 && strcmp(tree->key, one->key) == 0)
			return true;
	}
	return store_has(unpacking->store, one->name, one->version, one->key);
}

static bool check_manifest(struct unpacking *unpacking, const struct manifest *manifest,
			   struct error *err)
{
	if (!manifest->relocatable && strcmp(manifest->prefix, unpacking->store->prefix) != 0)
		return error_exit(err, EXIT_UNSUPPORTED,
				  "%s: %s was built for the prefix %s and works nowhere else, not "
				  "in %s",
				  unpacking->path, manifest->name, manifest->prefix,
				  unpacking->store->prefix);
	if (strcmp(manifest->target, unpacking->pack.target) != 0)
		return error_exit(err, EXIT_VERIFY, "%s: %s is for %s, the pack for %s",
				  unpacking->path, manifest->name, manifest->target,
				  unpacking->pack.target);
	for (size_t i = 0; i < manifest->dependencies.count; i++) {
		const struct manifest_dependency *one = &manifest->dependencies.items[i];

		if (!has(unpacking, one))
			return error_exit(err, EXIT_VERIFY, "%s: %s needs %s %s, which is missing",
					  unpacking->path, manifest->name, one->name, one->version);
	}
	return true;
}

static bool check_all(struct unpacking *unpacking, struct error *err)
{
	size_t count = unpacking->pack.trees.count;

	unpacking->manifests = arena_array(unpacking->store->arena, struct manifest, count);
	for (size_t i = 0; i < count; i++) {
		if (!check_tree(unpacking, i, err) ||
		    !check_manifest(unpacking, &unpacking->manifests[i], err))
			return false;
	}
	return true;
}

static bool install_all(struct unpacking *unpacking, struct generation *out, struct error *err)
{
	struct arena *arena = unpacking->store->arena;
	const struct pack *pack = &unpacking->pack;
	struct store_trees active = {
		.items = arena_array(arena, struct store_tree, pack->trees.count)};

	for (size_t i = 0; i < pack->trees.count; i++) {
		const struct pack_tree *tree = &pack->trees.items[i];
		const char *staged = arena_printf(arena, WORK "/%s", tree_path(arena, tree));
		scoped_fd int fd = store_open_staged(unpacking->store, staged, err);

		if (fd < 0 ||
		    !store_place(unpacking->store, staged, fd, &unpacking->manifests[i], err))
			return false;
		if (tree->active)
			active.items[active.count++] =
				(struct store_tree){tree->name, tree->version, tree->key};
	}
	return store_activate(unpacking->store, pack->target, &active, NULL, out, err);
}

bool pack_read(struct store *store, const char *path, const char *target, struct generation *out,
	       struct error *err)
{
	struct unpacking unpacking = {.store = store, .path = path, .top = -1};
	bool good = unpack(&unpacking, err) && read_pack(&unpacking, target, err) &&
		    check_all(&unpacking, err) && install_all(&unpacking, out, err);

	if (unpacking.top >= 0)
		close(unpacking.top);
	/* What stays is garbage, and as large as the pack. */
	scoped_fd int work = tree_open(store->fd, STORE_WORK);
	if (work >= 0)
		tree_delete(work, strrchr(WORK, '/') + 1);
	return good;
}
