// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/sources_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIRROR_FILES_MAX 65536

static void add_file(struct sources *sources, struct source_file file)
{
	if (sources->file_count == sources->file_room) {
		size_t room = sources->file_room ? 2 * sources->file_room : 64;
		struct source_file *files = arena_array(sources->arena, struct source_file, room);

		if (sources->file_count)
			memcpy(files, sources->files, sources->file_count * sizeof(files[0]));
		sources->files = files;
		sources->file_room = room;
	}
	sources->files[sources->file_count++] = file;
}

static void add_git(struct sources *sources, struct mirror_git git)
{
	if (sources->git_count == sources->git_room) {
		size_t room = sources->git_room ? 2 * sources->git_room : 16;
		struct mirror_git *gits = arena_array(sources->arena, struct mirror_git, room);

		if (sources->git_count)
			memcpy(gits, sources->gits, sources->git_count * sizeof(gits[0]));
		sources->gits = gits;
		sources->git_room = room;
	}
	sources->gits[sources->git_count++] = git;
}

static bool add_entry(struct sources *sources, const char *path, const char *name)
{
	struct stat status;
	bool bundle = view_ends(view_of(name), ".bundle");

	/* What goes away meanwhile, or is a broken link, is not there. */
	if (stat(path, &status) < 0)
		return true;
	if ((S_ISDIR(status.st_mode) && view_ends(view_of(name), ".git")) ||
	    (S_ISREG(status.st_mode) && bundle)) {
		if (sources->git_count == MIRROR_FILES_MAX)
			return false;
		add_git(sources, (struct mirror_git){path, bundle});
	}
	if (!S_ISREG(status.st_mode) || bundle)
		return true;
	if (sources->file_count == MIRROR_FILES_MAX)
		return false;
	add_file(sources, (struct source_file){.path = path,
					       .name = name,
					       .size = status.st_size,
					       .identity = file_identity(sources->arena, &status)});
	return true;
}

bool mirror_list(struct sources *sources, const char *directory, struct error *err)
{
	struct names names;

	if (!file_list(sources->arena, directory, "", &names, err))
		return error_context(err, "--mirror");
	for (size_t i = 0; i < names.count; i++) {
		const char *path = arena_printf(sources->arena, "%s/%s", directory, names.items[i]);

		if (!add_entry(sources, path, names.items[i]))
			return error_set(err,
					 "--mirror: %s: more than %d files; name a directory that "
					 "holds the sources alone",
					 directory, MIRROR_FILES_MAX);
	}
	return true;
}

/* Never waits: a FIFO may have taken the place of the file. */
static int open_mirrored(const struct source_file *file, struct stat *status)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, status) < 0 || !S_ISREG(status->st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

static const char *digest_of(struct sources *sources, struct source_file *file)
{
	char hex[DIGEST_HEX_SIZE];
	struct stat status;

	if (!file->sha256)
		file->sha256 = digests_find(sources, file->identity);
	if (file->sha256)
		return file->sha256;
	scoped_fd int fd = open_mirrored(file, &status);
	file->sha256 = "";
	if (fd >= 0 && digest_fd(sources->arena, fd, file->path, hex, NULL, NULL)) {
		file->sha256 = arena_strdup(sources->arena, hex);
		sources->asked = true;
	}
	return file->sha256;
}

struct source_file *mirror_find(struct sources *sources, const char *digest, int64_t size)
{
	for (size_t i = 0; i < sources->file_count; i++) {
		struct source_file *file = &sources->files[i];

		if (file->size && (!size || file->size == size) &&
		    strcmp(digest_of(sources, file), digest) == 0)
			return file;
	}
	return NULL;
}

bool mirror_read(struct sources *sources, const struct source_file *file, size_t max,
		 struct view *out)
{
	struct stat status;

	if (file->size <= 0 || (uint64_t)file->size > max)
		return false;
	scoped_fd int fd = open_mirrored(file, &status);
	return fd >= 0 && file_read_fd(sources->arena, fd, file->path, max, out, NULL);
}

/* Beside the final name first: a file of the cache is whole or not there. What the mirror's file
 * was when it was looked at does not matter, the copy's digest does. */
static bool copy_one(struct sources *sources, struct source_file *file, const char *digest,
		     bool *right, struct error *err)
{
	const char *path = sources_cached(sources, digest);
	const char *part = arena_printf(sources->arena, "%s.copy", path);
	char hex[DIGEST_HEX_SIZE] = "";
	struct stat status;

	*right = false;
	scoped_fd int from = open_mirrored(file, &status);
	if (from < 0)
		return true;
	unlink(part);
	scoped_fd int to = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (to < 0)
		return error_errno(err, errno, "%s", part);
	if ((fchmod(to, 0644) < 0 && !error_errno(err, errno, "%s", part)) ||
	    !file_copy_fd(from, to, part, UINT64_MAX, NULL, err) ||
	    !digest_fd(sources->arena, to, part, hex, NULL, err)) {
		unlink(part);
		return false;
	}
	*right = strcmp(hex, digest) == 0;
	if (*right && rename(part, path) == 0)
		return true;
	if (*right)
		error_errno(err, errno, "%s", path);
	unlink(part);
	return !*right;
}

bool mirror_copy(struct sources *sources, const struct plan_source *source, struct error *err)
{
	struct source_file *file;
	bool right;

	while ((file = mirror_find(sources, source->sha256, source->size))) {
		if (!copy_one(sources, file, source->sha256, &right, err))
			return false;
		if (right) {
			sources_note(sources, "%s: from %s", source->file, file->path);
			names_add(sources->arena, &sources->copied, source->sha256);
			return true;
		}
		sources_note(sources, "%s changed while it was read and was not taken", file->path);
		file->sha256 = "";
	}
	return false;
}
