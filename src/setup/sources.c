// SPDX-License-Identifier: BSD-2-Clause
#include "setup/sources.h"

#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIRROR_FILES_MAX 4096
#define COPY_BYTES ((size_t)64 << 20)

static bool is_address(const char *mirror)
{
	return view_starts(view_of(mirror), "https://");
}

static bool list_mirror(struct sources *sources, const char *directory, struct error *err)
{
	struct names names;

	if (!file_list(sources->arena, directory, "", &names, err))
		return error_context(err, "--mirror");
	for (size_t i = 0; i < names.count && sources->file_count < MIRROR_FILES_MAX; i++) {
		const char *path = arena_printf(sources->arena, "%s/%s", directory, names.items[i]);
		struct stat status;

		if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
			sources->files[sources->file_count++] =
				(struct source_file){.path = path, .size = status.st_size};
	}
	return true;
}

bool sources_open(struct arena *arena, const char *prefix, const struct names *mirrors,
		  bool offline, struct sources *out, struct error *err)
{
	struct sources sources = {.arena = arena, .mirrors = *mirrors, .offline = offline};

	sources.cache = arena_printf(arena, "%s/cache", prefix);
	sources.files = arena_array(arena, struct source_file, MIRROR_FILES_MAX);
	for (size_t i = 0; i < mirrors->count; i++) {
		if (!is_address(mirrors->items[i]) &&
		    !list_mirror(&sources, mirrors->items[i], err))
			return false;
	}
	*out = sources;
	return true;
}

static const char *cached(const struct sources *sources, const char *digest)
{
	return arena_printf(sources->arena, "%s/%s", sources->cache, digest);
}

static const char *digest_of(struct sources *sources, struct source_file *file)
{
	char hex[DIGEST_HEX_SIZE];
	uint64_t size;

	if (file->sha256)
		return file->sha256;
	scoped_fd int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	file->sha256 = fd >= 0 && digest_fd(sources->arena, fd, file->path, hex, &size, NULL)
			       ? arena_strdup(sources->arena, hex)
			       : "";
	return file->sha256;
}

/* A file of the mirrors with these bytes; where the size is known only files of it are read. */
static const struct source_file *mirrored(struct sources *sources, const char *digest, int64_t size)
{
	for (size_t i = 0; i < sources->file_count; i++) {
		if ((!size || sources->files[i].size == size) &&
		    strcmp(digest_of(sources, &sources->files[i]), digest) == 0)
			return &sources->files[i];
	}
	return NULL;
}

void sources_nearby(struct sources *sources, const struct recipe *const *recipes, size_t count,
		    struct names *out)
{
	for (size_t r = 0; r < count; r++) {
		const struct recipe_version *versions = recipes[r]->versions.items;

		for (size_t v = 0; v < recipes[r]->versions.count; v++) {
			const struct recipe_source *files = versions[v].sources.items;

			for (size_t f = 0; f < versions[v].sources.count; f++) {
				if (files[f].sha256 &&
				    (file_exists(cached(sources, files[f].sha256)) ||
				     mirrored(sources, files[f].sha256, files[f].size)))
					names_add(sources->arena, out, files[f].sha256);
			}
		}
	}
}

static bool copy_bytes(int from, int to, const char *name, struct error *err)
{
	for (;;) {
		ssize_t got = copy_file_range(from, NULL, to, NULL, COPY_BYTES, 0);

		if (got < 0 && (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP))
			got = sendfile(to, from, NULL, COPY_BYTES);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, errno, "%s", name);
		if (got == 0)
			return true;
	}
}

/* Beside the final name first: a file of the cache is whole or not there. */
static bool copy_into_cache(struct sources *sources, const struct source_file *file,
			    const char *digest, struct error *err)
{
	const char *path = cached(sources, digest);
	const char *part = arena_printf(sources->arena, "%s.part", path);
	scoped_fd int from = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (from < 0)
		return error_errno(err, errno, "%s", file->path);
	unlink(part);
	scoped_fd int to = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (to < 0)
		return error_errno(err, errno, "%s", part);
	if (!copy_bytes(from, to, part, err) || rename(part, path) < 0) {
		unlink(part);
		return err->text[0] ? false : error_errno(err, errno, "%s", path);
	}
	return true;
}

static bool fetch_one(struct sources *sources, const struct plan_source *source, struct error *err)
{
	const struct source_file *file;

	if (file_exists(cached(sources, source->sha256)))
		return true;
	file = mirrored(sources, source->sha256, source->size);
	if (file)
		return copy_into_cache(sources, file, source->sha256, err);
	return error_set(err, "%s: no mirror has it (SHA-256 %s)", source->file, source->sha256);
}

bool sources_fetch(struct sources *sources, const struct plan *plan, struct error *err)
{
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->trees[i].state != PLAN_BUILD)
			continue;
		for (size_t s = 0; s < plan->trees[i].source_count; s++) {
			if (!fetch_one(sources, &plan->trees[i].sources[s], err))
				return false;
		}
	}
	return true;
}

bool sources_take(struct sources *sources, const struct plan_source *source, int *fd,
		  struct error *err)
{
	const char *path = cached(sources, source->sha256);
	char hex[DIGEST_HEX_SIZE];
	uint64_t size;

	scoped_fd int opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
	if (opened < 0)
		return error_errno(err, errno, "%s", path);
	if (!digest_fd(sources->arena, opened, path, hex, &size, err))
		return false;
	if (strcmp(hex, source->sha256) != 0) {
		unlink(path);
		return error_exit(err, EXIT_VERIFY,
				  "%s: its SHA-256 is %s, the recipe says %s; it was removed, run "
				  "again to fetch it anew",
				  path, hex, source->sha256);
	}
	*fd = opened;
	opened = -1;
	return true;
}

bool sources_checkout(struct sources *sources, const struct recipe_git *git, const char *directory,
		      const struct sandbox *sandbox, int log, struct error *err)
{
	(void)sources, (void)directory, (void)sandbox, (void)log;
	return error_set(err, "%s: git sources cannot be had yet", git->url);
}
