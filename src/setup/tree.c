// SPDX-License-Identifier: BSD-2-Clause
#include "setup/tree.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)
/* Descriptors that a recursion may hold; what lies deeper is moved up first. */
#define DEPTH_MAX 64

int tree_open(int at, const char *path)
{
	char name[NAME_MAX + 1];
	struct view rest = view_of(path), part;
	int fd = openat(at, ".", OPEN_DIRECTORY);

	while (fd >= 0 && view_split(&rest, '/', &part)) {
		int next = -1;

		if (!part.size)
			continue;
		if (part.size > NAME_MAX || view_is(part, "..")) {
			errno = part.size > NAME_MAX ? ENAMETOOLONG : EINVAL;
		} else {
			snprintf(name, sizeof(name), "%.*s", (int)part.size, part.at);
			next = openat(fd, name, OPEN_DIRECTORY);
		}
		int number = errno;
		close(fd);
		errno = number;
		fd = next;
	}
	return fd;
}

int tree_open_parent(int at, const char *path, const char **name)
{
	char parent[PATH_MAX];
	const char *slash = strrchr(path, '/');

	*name = slash ? slash + 1 : path;
	if (slash && slash - path >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	snprintf(parent, sizeof(parent), "%.*s", slash ? (int)(slash - path) : 0, path);
	return tree_open(at, parent);
}

int tree_open_file(int at, const char *path)
{
	const char *name;
	struct stat status;
	scoped_fd int parent = tree_open_parent(at, path, &name);
	int fd = parent < 0 ? -1
			    : openat(parent, name,
				     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd >= 0) {
		int number = fstat(fd, &status) < 0 ? errno : S_ISREG(status.st_mode) ? 0 : EINVAL;

		if (number) {
			close(fd);
			errno = number;
			return -1;
		}
	}
	return fd;
}

static int by_bytes(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* An own descriptor for readdir(): closedir() closes it, and its offset is its own. */
static DIR *reading(int directory)
{
	int fd = openat(directory, ".", OPEN_DIRECTORY);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);

	if (!stream && fd >= 0)
		close(fd);
	return stream;
}

bool tree_list(struct arena *arena, int directory, struct names *out)
{
	DIR *stream = reading(directory);
	struct names found = {0};

	if (!stream)
		return false;
	errno = 0;
	for (struct dirent *entry; (entry = readdir(stream)); errno = 0) {
		if (!is_dots(entry->d_name))
			names_add(arena, &found, arena_strdup(arena, entry->d_name));
	}
	int number = errno;
	closedir(stream);
	errno = number;
	if (number)
		return false;
	if (found.count)
		qsort(found.items, found.count, sizeof(found.items[0]), by_bytes);
	*out = found;
	return true;
}

bool tree_make(int at, const char *name)
{
	mode_t mask = umask(022);
	bool made = mkdirat(at, name, 0755) == 0 || errno == EEXIST;
	int number = errno;

	umask(mask);
	errno = number;
	return made;
}

/* One run of tree_delete(): what lies too deep is moved to `top` under new names. */
struct deletion {
	int top;
	dev_t device;
	unsigned moved;
};

static bool delete_entries(struct deletion *deletion, int directory, unsigned depth);

static bool delete_directory(struct deletion *deletion, int at, const char *name, unsigned depth)
{
	char moved[32];
	struct stat status;

	if (depth > DEPTH_MAX) {
		snprintf(moved, sizeof(moved), ".deep-%u", deletion->moved++);
		return renameat(at, name, deletion->top, moved) == 0;
	}
	/* Builds leave directories that not even their owner may list. Root may, and must not
	 * change the mode of what another puts there meanwhile. */
	if (geteuid() != 0 && fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(status.st_mode) && (status.st_mode & 0700) != 0700)
		fchmodat(at, name, 0700, 0);
	scoped_fd int fd = openat(at, name, OPEN_DIRECTORY);
	if (fd < 0 || fstat(fd, &status) < 0)
		return false;
	if (status.st_dev != deletion->device) {
		errno = EXDEV;
		return false;
	}
	return delete_entries(deletion, fd, depth + 1) && unlinkat(at, name, AT_REMOVEDIR) == 0;
}

static bool delete_entry(struct deletion *deletion, int at, const char *name, unsigned depth)
{
	if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
		return true;
	/* POSIX says EPERM for a directory, Linux EISDIR. */
	if (errno != EISDIR && errno != EPERM)
		return false;
	return delete_directory(deletion, at, name, depth) || errno == ENOENT;
}

/* The entries of a directory, again until none is left: moving and deleting disturb readdir(). */
static bool delete_entries(struct deletion *deletion, int directory, unsigned depth)
{
	bool all = true, found = true;

	while (found && all) {
		DIR *stream = reading(directory);

		if (!stream)
			return false;
		found = false;
		for (struct dirent *entry; (entry = readdir(stream));) {
			if (is_dots(entry->d_name))
				continue;
			found = true;
			all = delete_entry(deletion, directory, entry->d_name, depth) && all;
		}
		int number = errno;
		closedir(stream);
		errno = number;
	}
	return all;
}

bool tree_empty(int directory)
{
	struct deletion deletion = {.top = directory};
	struct stat status;

	if (fstat(directory, &status) < 0)
		return false;
	deletion.device = status.st_dev;
	return delete_entries(&deletion, directory, 0);
}

bool tree_delete(int at, const char *name)
{
	scoped_fd int fd = openat(at, name, OPEN_DIRECTORY);

	if (fd >= 0 && !tree_empty(fd))
		return false;
	if (fd >= 0)
		return unlinkat(at, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
	if (errno == ENOENT)
		return true;
	struct deletion deletion = {.top = at};
	struct stat status;
	if (fstat(at, &status) < 0)
		return false;
	deletion.device = status.st_dev;
	return delete_entry(&deletion, at, name, 0);
}

bool tree_sync(int directory)
{
	return fsync(directory) == 0 || errno == EINVAL;
}

bool tree_write(int at, const char *name, struct view bytes, struct error *err)
{
	if (unlinkat(at, name, 0) < 0 && errno != ENOENT)
		return error_errno(err, errno, "%s", name);
	scoped_fd int fd =
		openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return error_errno(err, errno, "%s", name);
	if (!file_write_fd(fd, name, bytes, err))
		return false;
	if (fchmod(fd, 0644) < 0 || fsync(fd) < 0)
		return error_errno(err, errno, "%s", name);
	return true;
}

bool tree_link(int at, const char *name, const char *target)
{
	char temporary[NAME_MAX + 1];

	snprintf(temporary, sizeof(temporary), ".%.200s.new", name);
	if (unlinkat(at, temporary, 0) < 0 && errno != ENOENT)
		return false;
	return symlinkat(target, at, temporary) == 0 && renameat(at, temporary, at, name) == 0;
}

const char *tree_read_link(struct arena *arena, int at, const char *name)
{
	char target[PATH_MAX];
	ssize_t size = readlinkat(at, name, target, sizeof(target));

	if (size < 0 || (size_t)size >= sizeof(target))
		return NULL;
	return arena_copy(arena, target, (size_t)size);
}
