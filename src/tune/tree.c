// SPDX-License-Identifier: BSD-2-Clause
#include "tune/tree.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW_SUFFIX ".ampere-crypto-new"

bool tune_tree_open(const char *path, struct tune_tree *out, struct error *err)
{
	int fd;

	*out = (struct tune_tree){.top.fd = -1, .live = !path, .path = path ? path : "/"};
	fd = open(out->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "%s", out->path);
	out->top = beneath_of(fd);
	return true;
}

void tune_tree_close(struct tune_tree *tree)
{
	scoped_fd_close(&tree->top.fd);
	tree->top.fd = -1;
}

/* A descriptor, or -1 with errno. O_NONBLOCK: a FIFO must not stop us. */
static int open_in(const struct tune_tree *tree, const char *path, int flags)
{
	/* With O_PATH the call takes hardly any other. */
	return beneath_open(&tree->top, path,
			    flags & O_PATH ? flags : flags | O_NOCTTY | O_NONBLOCK);
}

int tune_tree_directory(const struct tune_tree *tree, const char *path, int *out)
{
	*out = open_in(tree, path, O_RDONLY | O_DIRECTORY);
	return *out < 0 ? errno : 0;
}

int tune_tree_exists(const struct tune_tree *tree, const char *path)
{
	scoped_fd int fd = open_in(tree, path, O_PATH);

	return fd < 0 ? errno : 0;
}

/* The directory of the last part of a path, and that part. */
static int open_parent(const struct tune_tree *tree, const char *path, int *parent,
		       const char **name)
{
	char directory[PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t size = slash ? (size_t)(slash - path) : 0;

	if (!slash || !slash[1] || size + 2 > sizeof(directory))
		return EINVAL;
	snprintf(directory, sizeof(directory), "%.*s/", (int)size, path);
	*name = slash + 1;
	return tune_tree_directory(tree, directory, parent);
}

int tune_tree_read(struct arena *arena, const struct tune_tree *tree, const char *path, size_t max,
		   struct view *out, struct stat *status)
{
	scoped_fd int fd = open_in(tree, path, O_RDONLY);
	struct stat own;
	struct buffer bytes = buffer_new(arena, max + 1);
	char piece[TUNE_LINE_MAX];

	if (!status)
		status = &own;
	if (fd < 0 || fstat(fd, status) < 0)
		return errno;
	if (!S_ISREG(status->st_mode))
		return EINVAL;
	while (!bytes.full && bytes.size <= max) {
		ssize_t got = read(fd, piece, sizeof(piece));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (got == 0)
			break;
		buffer_add(&bytes, piece, (size_t)got);
	}
	*out = buffer_view(&bytes);
	return bytes.full || bytes.size > max ? EFBIG : 0;
}

int tune_tree_line(struct arena *arena, const struct tune_tree *tree, const char *path,
		   const char **line)
{
	struct view text, first = {0};
	int number = tune_tree_read(arena, tree, path, TUNE_LINE_MAX, &text, NULL);

	if (number)
		return number;
	view_line(&text, &first);
	*line = view_copy(arena, view_trim(first));
	return 0;
}

/* Killed before the file is cut, its first line is the new one already. */
int tune_tree_word(const struct tune_tree *tree, const char *path, const char *line)
{
	scoped_fd int fd = open_in(tree, path, O_WRONLY);
	char bytes[TUNE_LINE_MAX + 2];
	struct stat status;
	int size;
	ssize_t written;

	if (fd < 0 || fstat(fd, &status) < 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return EINVAL;
	size = snprintf(bytes, sizeof(bytes), "%s\n", line);
	if (size < 0 || (size_t)size >= sizeof(bytes))
		return E2BIG;
	do {
		written = pwrite(fd, bytes, (size_t)size, 0);
	} while (written < 0 && errno == EINTR);
	if (written < 0)
		return errno;
	if (!tree->live && status.st_size > size && ftruncate(fd, size) < 0)
		return errno;
	return 0;
}

static int write_all(int fd, struct view bytes)
{
	while (bytes.size) {
		ssize_t written = write(fd, bytes.at, bytes.size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return errno;
		bytes.at += written;
		bytes.size -= (size_t)written;
	}
	return 0;
}

static int write_new(int parent, const char *name, mode_t mode, struct view bytes)
{
	scoped_fd int fd = -1;
	int number;

	if (unlinkat(parent, name, 0) < 0 && errno != ENOENT)
		return errno;
	fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return errno;
	number = write_all(fd, bytes);
	if (!number && (fchmod(fd, mode) < 0 || fsync(fd) < 0))
		number = errno;
	return number;
}

int tune_tree_file(const struct tune_tree *tree, const char *path, mode_t mode, struct view bytes)
{
	scoped_fd int parent = -1;
	char temporary[NAME_MAX + 1];
	const char *name;
	int number = open_parent(tree, path, &parent, &name);

	if (number)
		return number;
	if (strlen(name) + sizeof(NEW_SUFFIX) > sizeof(temporary))
		return ENAMETOOLONG;
	snprintf(temporary, sizeof(temporary), "%s" NEW_SUFFIX, name);
	number = write_new(parent, temporary, mode, bytes);
	if (!number && renameat(parent, temporary, parent, name) < 0)
		number = errno;
	if (number)
		unlinkat(parent, temporary, 0);
	else if (fsync(parent) < 0 && errno != EINVAL && errno != EROFS)
		number = errno;
	return number;
}

void tune_tree_clean(const struct tune_tree *tree, const char *path)
{
	scoped_fd int parent = -1;
	char temporary[NAME_MAX + 1];
	const char *name;

	if (open_parent(tree, path, &parent, &name) ||
	    strlen(name) + sizeof(NEW_SUFFIX) > sizeof(temporary))
		return;
	snprintf(temporary, sizeof(temporary), "%s" NEW_SUFFIX, name);
	unlinkat(parent, temporary, 0);
}

int tune_tree_remove(const struct tune_tree *tree, const char *path)
{
	scoped_fd int parent = -1;
	const char *name;
	int number = open_parent(tree, path, &parent, &name);

	if (number)
		return number == ENOENT ? 0 : number;
	tune_tree_clean(tree, path);
	if (unlinkat(parent, name, 0) < 0 && errno != ENOENT)
		return errno;
	fsync(parent);
	return 0;
}

int tune_tree_folder(const struct tune_tree *tree, const char *path, unsigned mode)
{
	scoped_fd int parent = -1;
	const char *name;
	int number = open_parent(tree, path, &parent, &name);

	if (number)
		return number;
	if (mkdirat(parent, name, mode) < 0)
		return errno == EEXIST ? 0 : errno;
	/* Whoever owns the tree may have put a link there meanwhile, which chmod would follow. */
	scoped_fd int made = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (made < 0 || fchmod(made, mode) < 0)
		return errno;
	fsync(parent);
	return 0;
}

int tune_tree_remove_folder(const struct tune_tree *tree, const char *path)
{
	scoped_fd int parent = -1;
	const char *name;
	int number = open_parent(tree, path, &parent, &name);

	if (!number && unlinkat(parent, name, AT_REMOVEDIR) < 0)
		number = errno;
	return number == ENOENT ? 0 : number;
}
