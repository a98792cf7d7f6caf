// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/beneath.h"
#include "base/file.h"
#include "host/hide.h"
#include "host/root_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRIES_MAX 65536

static bool is_empty(struct root *root, const char *path)
{
	int fd = beneath_open(&root->top, path, O_RDONLY | O_DIRECTORY);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	unsigned count = 0;

	if (!directory) {
		if (fd >= 0)
			close(fd);
		return errno == ENOENT;
	}
	while (count < 3 && readdir(directory))
		count++;
	closedir(directory);
	return count < 3; /* . and .. */
}

/* Where /proc or /sys is not mounted, that a file of theirs is missing says nothing. */
static bool is_unseen(struct root *root, const char *path)
{
	static const char *const tops[ROOT_TOPS] = {"/proc", "/sys"};

	for (size_t i = 0; i < ROOT_TOPS; i++) {
		size_t size = strlen(tops[i]);

		if (strncmp(path, tops[i], size) != 0 || path[size] != '/')
			continue;
		if (!root->top_asked[i])
			root->top_empty[i] = is_empty(root, tops[i]);
		root->top_asked[i] = true;
		return root->top_empty[i];
	}
	return false;
}

static int open_inside(struct root *root, const char *path, int flags)
{
	const char *real = unhide_path(root->arena, &root->hidden, path);
	int fd = beneath_open(&root->top, real, flags);

	if (fd < 0 && errno == ENOENT)
		errno = is_unseen(root, path) ? ENOMEDIUM : ENOENT;
	return fd;
}

/* O_NONBLOCK: a FIFO in somebody's tree must not hang us. */
#define READ_FLAGS (O_RDONLY | O_NOCTTY | O_NONBLOCK)

/* proc and sysfs of the running kernel hold regular files only; elsewhere a device must not be
 * read. */
static int check_regular(const struct root *root, const char *path, int fd)
{
	struct stat status;

	if (root->kind == ROOT_LIVE &&
	    (strncmp(path, "/sys/", 5) == 0 || strncmp(path, "/proc/", 6) == 0))
		return 0;
	if (fstat(fd, &status) < 0)
		return errno;
	if (S_ISDIR(status.st_mode))
		return EISDIR;
	return S_ISREG(status.st_mode) ? 0 : ENXIO;
}

int root_fs_read(struct root *root, const char *path, struct view *out)
{
	/* A short read is the end, but proc may give short pieces before it, and sysfs gives binary
	 * attributes (DMI, ACPI tables) one page, a multiple of 4096, at a time. */
	bool short_is_end = strncmp(path, "/proc/", 6) != 0;
	struct buffer bytes;
	char piece[64 << 10];
	int number;

	scoped_fd int fd = open_inside(root, path, READ_FLAGS);
	if (fd < 0)
		return errno;
	number = check_regular(root, path, fd);
	if (number)
		return number;
	bytes = buffer_new(root->arena, ROOT_FILE_MAX);
	for (;;) {
		ssize_t got = read(fd, piece, sizeof(piece));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		buffer_add(&bytes, piece, (size_t)got);
		if (bytes.full)
			return EFBIG;
		if (got == 0 || (short_is_end && (size_t)got < sizeof(piece) && got % 4096 != 0))
			break;
	}
	*out = (struct view){buffer_string(&bytes), bytes.size};
	return 0;
}

/* ELF files are read in several ranges each: the last one stays open. */
static int open_for_ranges(struct root *root, const char *path)
{
	int fd, number;

	if (root->open_fd >= 0 && strcmp(root->open_path, path) == 0)
		return 0;
	fd = open_inside(root, path, READ_FLAGS);
	if (fd < 0)
		return errno;
	number = check_regular(root, path, fd);
	if (number) {
		close(fd);
		return number;
	}
	if (root->open_fd >= 0)
		close(root->open_fd);
	root->open_fd = fd;
	root->open_path = arena_strdup(root->arena, path);
	return 0;
}

int root_fs_range(struct root *root, const char *path, uint64_t offset, void *into, size_t size,
		  size_t *got)
{
	int number = open_for_ranges(root, path);
	size_t used = 0;

	if (number)
		return number;
	while (used < size) {
		ssize_t more = pread(root->open_fd, (char *)into + used, size - used,
				     (off_t)(offset + used));

		if (more < 0 && errno == EINTR)
			continue;
		if (more < 0)
			return errno;
		if (more == 0)
			break;
		used += (size_t)more;
	}
	*got = used;
	return 0;
}

int root_copy(struct root *root, const char *path, uint64_t offset, void *into, size_t size,
	      size_t *got)
{
	struct view bytes;
	int number;

	if (!root_path_is_usable(path) || size > ROOT_FILE_MAX || offset > INT64_MAX - size)
		return EINVAL;
	if (root->kind != ROOT_CAPTURE)
		return root_fs_range(root, path, offset, into, size, got);
	number = root_range(root, path, offset, size, &bytes);
	if (number)
		return number;
	if (bytes.size)
		memcpy(into, bytes.at, bytes.size);
	*got = bytes.size;
	return 0;
}

int root_fs_list(struct root *root, const char *path, struct names *out)
{
	int fd = open_inside(root, path, O_RDONLY | O_DIRECTORY);
	struct names found = {0};
	DIR *directory;

	if (fd < 0)
		return errno;
	directory = fdopendir(fd);
	if (!directory) {
		close(fd);
		return errno;
	}
	errno = 0;
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (found.count == ENTRIES_MAX) {
			errno = EFBIG; /* a part is no list: what is absent from it may be there */
			break;
		}
		names_add(root->arena, &found, arena_strdup(root->arena, entry->d_name));
	}
	if (errno) {
		int number = errno;

		closedir(directory);
		return number;
	}
	closedir(directory);
	names_sort(&found);
	*out = found;
	return 0;
}

int root_fs_link(struct root *root, const char *path, const char **target)
{
	char text[ROOT_PATH_MAX];
	ssize_t size;

	scoped_fd int fd = open_inside(root, path, O_PATH | O_NOFOLLOW);
	if (fd < 0)
		return errno;
	size = readlinkat(fd, "", text, sizeof(text));
	if (size < 0) /* an O_PATH descriptor of something else than a link says ENOENT */
		return errno == ENOENT ? EINVAL : errno;
	*target = arena_copy(root->arena, text, (size_t)size);
	return 0;
}

int root_fs_stat(struct root *root, const char *path, bool follow, struct root_stat *out)
{
	struct stat status;

	scoped_fd int fd = open_inside(root, path, O_PATH | (follow ? 0 : O_NOFOLLOW));
	if (fd < 0 || fstat(fd, &status) < 0)
		return errno;
	*out = (struct root_stat){
		.type = S_ISREG(status.st_mode)   ? ROOT_FILE
			: S_ISDIR(status.st_mode) ? ROOT_DIR
			: S_ISLNK(status.st_mode) ? ROOT_LINK
						  : ROOT_OTHER,
		.size = (uint64_t)status.st_size,
		.mode = status.st_mode & 07777,
		.device = status.st_dev,
		.inode = status.st_ino,
	};
	return 0;
}
