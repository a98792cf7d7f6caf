// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool check_owner(const char *path, int fd, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return error_errno(err, errno, "%s", path);
	if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		return error_set(err, "%s: is no file", path);
	if (status.st_uid != 0 && status.st_uid != geteuid())
		return error_set(err, "%s: belongs to user %u, it must be yours or root's", path,
				 (unsigned)status.st_uid);
	if (status.st_mode & S_IWOTH)
		return error_set(err, "%s: everybody can write it, chmod o-w", path);
	if ((status.st_mode & S_IWGRP) && status.st_gid != status.st_uid)
		return error_set(err, "%s: its group %u can write it, chmod g-w", path,
				 (unsigned)status.st_gid);
	return true;
}

bool file_read_owned(struct arena *arena, const char *directory, const char *name, const char *file,
		     size_t max, struct view *out, bool *exists, struct error *err)
{
	const char *own = arena_printf(arena, "%s/%s", directory, name);
	const char *path = arena_printf(arena, "%s/%s", own, file);

	*exists = true;
	scoped_fd int top = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return error_errno(err, errno, "%s", directory);
	scoped_fd int below = openat(top, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	*exists = below >= 0 || errno != ENOENT;
	if (!*exists)
		return false;
	if (below < 0 && (errno == ENOTDIR || errno == ELOOP))
		return error_set(err, "%s: is no directory, and a link is not followed", own);
	if (below < 0)
		return error_errno(err, errno, "%s", own);
	scoped_fd int fd =
		openat(below, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 && errno == ELOOP)
		return error_set(err, "%s: is a link, put the file itself there", path);
	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	return check_owner(directory, top, err) && check_owner(own, below, err) &&
	       check_owner(path, fd, err) && file_read_fd(arena, fd, path, max, out, err);
}
