// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "setup/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINKS_MAX 40

/* Where a link leads, found in the manifest alone: the tree need not stand where it will. */
struct resolution {
	const struct manifest *manifest;
	char at[2 * MANIFEST_PATH_MAX]; /* in the tree, "" is its top */
	char rest[8 * MANIFEST_PATH_MAX];
};

static int by_path(const void *key, const void *item)
{
	return strcmp(key, ((const struct manifest_file *)item)->path);
}

static const struct manifest_file *find(const struct manifest *manifest, const char *path)
{
	if (!manifest->files.count)
		return NULL;
	return bsearch(path, manifest->files.items, manifest->files.count,
		       sizeof(manifest->files.items[0]), by_path);
}

static bool has_dots(struct view path)
{
	struct view part;

	while (view_split(&path, '/', &part)) {
		if (view_is(part, ".."))
			return true;
	}
	return false;
}

/* "NAME-VERSION-KEY/…" of this tree or of one it depends on, without a way back out. */
static bool is_sibling(const struct manifest *manifest, const char *path)
{
	struct view rest = view_of(path), tree;
	char name[STORE_TREE_NAME_MAX];

	if (has_dots(rest) || !view_split(&rest, '/', &tree))
		return false;
	snprintf(name, sizeof(name), "%s-%s-%s", manifest->name, manifest->version, manifest->key);
	if (view_is(tree, name))
		return true;
	for (size_t i = 0; i < manifest->dependencies.count; i++) {
		const struct manifest_dependency *one = &manifest->dependencies.items[i];

		snprintf(name, sizeof(name), "%s-%s-%s", one->name, one->version, one->key);
		if (view_is(tree, name))
			return true;
	}
	return false;
}

/* An absolute target is good where the tree cannot move, and leads to the store. */
static bool absolute_fits(const struct manifest *manifest, const char *target)
{
	size_t size = strlen(manifest->prefix);

	return !manifest->relocatable && strncmp(target, manifest->prefix, size) == 0 &&
	       strncmp(target + size, "/" STORE_TREES "/", strlen("/" STORE_TREES "/")) == 0 &&
	       is_sibling(manifest, target + size + strlen("/" STORE_TREES "/"));
}

static void go_up(char *at)
{
	char *slash = strrchr(at, '/');

	*(slash ? slash : at) = '\0';
}

/* Takes the next part of the rest into *part; false at the end. */
static bool next_part(struct resolution *resolution, char *part, size_t size)
{
	char *rest = resolution->rest + strspn(resolution->rest, "/");
	size_t length = strcspn(rest, "/");

	if (!length)
		return false;
	snprintf(part, size, "%.*s", (int)length, rest);
	memmove(resolution->rest, rest + length, strlen(rest + length) + 1);
	return true;
}

/* The target of the link found on the way comes before the rest. */
static bool follow(struct resolution *resolution, const char *target)
{
	char rest[sizeof(resolution->rest)];
	int size = snprintf(rest, sizeof(rest), "%s/%s", target, resolution->rest);

	memcpy(resolution->rest, rest, sizeof(rest));
	return size > 0 && (size_t)size < sizeof(rest);
}

static bool stays(struct resolution *resolution)
{
	const struct manifest *manifest = resolution->manifest;
	char part[MANIFEST_PATH_MAX + 1];
	unsigned links = 0;

	while (next_part(resolution, part, sizeof(part))) {
		if (strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") == 0) {
			if (!resolution->at[0])
				return is_sibling(manifest,
						  resolution->rest + strspn(resolution->rest, "/"));
			go_up(resolution->at);
			continue;
		}
		size_t size = strlen(resolution->at);
		int more = snprintf(resolution->at + size, sizeof(resolution->at) - size, "%s%s",
				    size ? "/" : "", part);
		if (more < 0 || size + (size_t)more > MANIFEST_PATH_MAX)
			return false;
		const struct manifest_file *file = find(manifest, resolution->at);
		if (!file || !file->target)
			continue;
		if (++links > LINKS_MAX)
			return false;
		if (file->target[0] == '/')
			return absolute_fits(manifest, file->target) &&
			       !has_dots(view_of(resolution->rest));
		go_up(resolution->at);
		if (!follow(resolution, file->target))
			return false;
	}
	return true;
}

bool manifest_links_fit(const struct manifest *manifest, struct error *err)
{
	for (size_t i = 0; i < manifest->files.count; i++) {
		const struct manifest_file *file = &manifest->files.items[i];
		struct resolution resolution = {.manifest = manifest};

		if (!file->target || names_has(&manifest->outside, file->path))
			continue;
		snprintf(resolution.rest, sizeof(resolution.rest), "%s", file->path);
		if (!stays(&resolution))
			return error_set(err, "the link %s leads out of the tree, to %s",
					 file->path, file->target);
	}
	return true;
}
