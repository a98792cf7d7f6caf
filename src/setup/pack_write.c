// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "setup/pack.h"
#include "setup/pack_format.h"
#include "setup/store_private.h"
#include "setup/tar.h"
#include "setup/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)64 << 10)

struct packing {
	struct store *store;
	struct pack pack;
	struct manifest *manifests; /* of pack.trees, with their texts */
	struct view *texts;
	struct tar_writer tar;
};

static bool is_in(const struct pack *pack, const struct store_tree *tree)
{
	for (size_t i = 0; i < pack->trees.count; i++) {
		const struct pack_tree *one = &pack->trees.items[i];

		if (strcmp(one->name, tree->name) == 0 &&
		    strcmp(one->version, tree->version) == 0 && strcmp(one->key, tree->key) == 0)
			return true;
	}
	return false;
}

static bool read_manifest(struct packing *packing, const struct store_tree *tree, struct view *text,
			  struct manifest *manifest, struct error *err)
{
	struct arena *arena = packing->store->arena;
	const char *path = arena_printf(arena, STORE_TREES "/%s-%s-%s/" MANIFEST_PATH, tree->name,
					tree->version, tree->key);
	scoped_fd int fd = tree_open_file(packing->store->fd, path);

	if (fd < 0)
		return error_errno(err, errno, "%s/%s", packing->store->prefix, path);
	return file_read_fd(arena, fd, path, MANIFEST_BYTES_MAX, text, err) &&
	       manifest_parse(arena, path, *text, manifest, err);
}

/* A tree, then what it needs. */
static bool add_tree(struct packing *packing, const struct store_tree *tree, bool active,
		     struct error *err)
{
	struct arena *arena = packing->store->arena;
	struct pack *pack = &packing->pack;
	size_t index = pack->trees.count;
	char hex[DIGEST_HEX_SIZE];

	if (is_in(pack, tree))
		return true;
	if (index == PACK_TREES_MAX)
		return error_set(err, "more than %d trees", PACK_TREES_MAX);
	struct manifest *manifest = &packing->manifests[index];
	if (!read_manifest(packing, tree, &packing->texts[index], manifest, err) ||
	    !digest_view(arena, packing->texts[index], hex, err))
		return false;
	pack->trees.items[pack->trees.count++] =
		(struct pack_tree){.name = tree->name,
				   .version = tree->version,
				   .key = tree->key,
				   .manifest = arena_strdup(arena, hex),
				   .active = active};
	pack->arch = manifest->arch;
	for (size_t i = 0; i < manifest->dependencies.count; i++) {
		const struct manifest_dependency *one = &manifest->dependencies.items[i];
		const struct store_tree needed = {one->name, one->version, one->key};

		if (!add_tree(packing, &needed, false, err))
			return false;
	}
	return true;
}

static bool choose(struct packing *packing, struct error *err)
{
	struct arena *arena = packing->store->arena;
	struct generation current;

	if (!store_current(packing->store, &current, err))
		return false;
	if (!current.number)
		return error_set(err, "nothing is active in %s, there is nothing to pack",
				 packing->store->prefix);
	packing->pack = (struct pack){
		.schema = PACK_SCHEMA, .prefix = packing->store->prefix, .target = current.target};
	packing->pack.trees.items = arena_array(arena, struct pack_tree, PACK_TREES_MAX);
	packing->manifests = arena_array(arena, struct manifest, PACK_TREES_MAX);
	packing->texts = arena_array(arena, struct view, PACK_TREES_MAX);
	for (size_t i = 0; i < current.trees.count; i++) {
		if (!add_tree(packing, &current.trees.items[i], true, err))
			return false;
	}
	/* Trees that are needed and active count as active. */
	for (size_t i = 0; i < packing->pack.trees.count; i++) {
		struct pack_tree *one = &packing->pack.trees.items[i];

		for (size_t c = 0; c < current.trees.count; c++)
			one->active |= strcmp(one->key, current.trees.items[c].key) == 0 &&
				       strcmp(one->name, current.trees.items[c].name) == 0;
	}
	return true;
}

static int64_t seconds_of(const char *utc)
{
	struct tm tm = {0};

	return utc && strptime(utc, "%Y-%m-%dT%H:%M:%SZ", &tm) ? (int64_t)timegm(&tm) : 0;
}

static bool add_text(struct packing *packing, const char *path, struct view text, int64_t time_s,
		     struct error *err)
{
	return tar_file(&packing->tar, path, false, text.size, time_s, err) &&
	       tar_bytes(&packing->tar, text, err) && tar_file_end(&packing->tar, err);
}

/* What is packed is what the manifest says: digested on the way. */
static bool add_file(struct packing *packing, int fd, const char *path,
		     const struct manifest_file *file, int64_t time_s, struct error *err)
{
	struct digest *digest = digest_start(packing->store->arena, err);
	char piece[PIECE_BYTES], hex[DIGEST_HEX_SIZE];
	bool good = digest && tar_file(&packing->tar, path, strcmp(file->mode, "0755") == 0,
				       (uint64_t)file->size, time_s, err);
	ssize_t got = 1;

	while (good && got != 0) {
		got = read(fd, piece, sizeof(piece));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			good = error_errno(err, errno, "%s", path);
		if (got <= 0)
			break;
		digest_add(digest, piece, (size_t)got);
		good = tar_bytes(&packing->tar, (struct view){piece, (size_t)got}, err);
	}
	if (digest)
		digest_end(digest, hex);
	if (good && strcmp(hex, file->sha256) != 0)
		return error_exit(err, EXIT_VERIFY,
				  "%s/%s is not as it was installed, see ampere-crypto status "
				  "--verify",
				  packing->store->prefix, path);
	return good && tar_file_end(&packing->tar, err);
}

static bool write_tree(struct packing *packing, size_t index, struct error *err)
{
	const struct manifest *manifest = &packing->manifests[index];
	struct arena *arena = packing->store->arena;
	int64_t time_s = seconds_of(manifest->built);
	const char *top = arena_printf(
		arena, PACK_TREES "/%s",
		store_tree_name(arena, manifest->name, manifest->version, manifest->key));

	if (!add_text(packing, arena_printf(arena, "%s/" MANIFEST_PATH, top), packing->texts[index],
		      time_s, err))
		return false;
	for (size_t i = 0; i < manifest->files.count; i++) {
		const struct manifest_file *file = &manifest->files.items[i];
		const char *path = arena_printf(arena, "%s/%s", top, file->path);

		if (!file->sha256)
			continue;
		scoped_fd int fd = tree_open_file(packing->store->fd, path);
		if (fd < 0)
			return error_exit(err, EXIT_VERIFY, "%s/%s: %s", packing->store->prefix,
					  path, strerror(errno));
		if (!add_file(packing, fd, path, file, time_s, err))
			return false;
	}
	return true;
}

static bool write_all(struct packing *packing, struct error *err)
{
	struct buffer text = buffer_new(packing->store->arena, PACK_BYTES_MAX);
	struct json_writer writer;

	json_begin(&writer, &text);
	fields_write(&writer, NULL, &pack_table, &packing->pack);
	json_end(&writer);
	if (!add_text(packing, PACK_FILE, buffer_view(&text), 0, err))
		return false;
	for (size_t i = 0; i < packing->pack.trees.count; i++) {
		if (!write_tree(packing, i, err))
			return false;
	}
	return tar_end(&packing->tar, err);
}

bool pack_write(struct store *store, const char *path, struct error *err)
{
	struct packing packing = {.store = store};
	char *temporary = arena_printf(store->arena, "%s.XXXXXX", path);

	if (!choose(&packing, err))
		return false;
	scoped_fd int fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	packing.tar = (struct tar_writer){.arena = store->arena, .fd = fd, .name = path};
	bool good = write_all(&packing, err);
	if (good && (fchmod(fd, 0644) < 0 || fsync(fd) < 0 || rename(temporary, path) < 0))
		good = error_errno(err, errno, "%s", path);
	if (!good)
		unlink(temporary);
	return good;
}
