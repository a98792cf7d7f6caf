// SPDX-License-Identifier: BSD-2-Clause
#include "base/file.h"

#include "base/arena.h"
#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

void scoped_fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

bool file_keep_standard(void)
{
	static const int flags[] = {O_WRONLY, O_RDONLY, O_RDWR};

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", flags[fd]) < 0)
			return false;
	}
	return true;
}

bool file_read_fd(struct arena *arena, int fd, const char *name, size_t max, struct view *out,
		  struct error *err)
{
	struct buffer bytes = buffer_new(arena, max);
	char piece[16 << 10];

	for (;;) {
		ssize_t got = read(fd, piece, sizeof(piece));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, errno, "%s", name);
		if (got == 0)
			break;
		buffer_add(&bytes, piece, (size_t)got);
		if (bytes.full)
			return error_set(err, "%s: larger than %zu bytes", name, max);
	}
	out->at = buffer_string(&bytes);
	out->size = bytes.size;
	return true;
}

bool file_read(struct arena *arena, const char *path, size_t max, struct view *out,
	       struct error *err)
{
	struct stat status;

	if (strcmp(path, "-") == 0)
		return file_read_fd(arena, STDIN_FILENO, "standard input", max, out, err);
	/* O_NONBLOCK: a FIFO without a writer must not hang the program. One that has a writer (a
	 * shell's <(command)) is waited for. */
	scoped_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &status) < 0)
		return error_errno(err, errno, "%s", path);
	if (S_ISDIR(status.st_mode))
		return error_set(err, "%s: is a directory, a file is wanted", path);
	if (S_ISFIFO(status.st_mode) && fcntl(fd, F_SETFL, O_RDONLY) < 0)
		return error_errno(err, errno, "%s", path);
	return file_read_fd(arena, fd, path, max, out, err);
}

struct view file_read_end(struct arena *arena, const char *path, size_t max)
{
	scoped_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	char *bytes = arena_alloc(arena, max);
	ssize_t got =
		size <= 0 ? 0 : pread(fd, bytes, max, size > (off_t)max ? size - (off_t)max : 0);

	return (struct view){bytes, got > 0 ? (size_t)got : 0};
}

bool file_write_fd(int fd, const char *name, struct view bytes, struct error *err)
{
	while (bytes.size) {
		ssize_t put = write(fd, bytes.at, bytes.size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return error_errno(err, errno, "%s", name);
		bytes.at += put;
		bytes.size -= (size_t)put;
	}
	return true;
}

/* What a new file gets. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static bool fill_and_rename(int fd, const char *temporary, const char *path, mode_t mode,
			    struct view bytes, struct error *err)
{
	if (!file_write_fd(fd, path, bytes, err))
		return false;
	if (fchmod(fd, mode) < 0 || fsync(fd) < 0)
		return error_errno(err, errno, "%s", path);
	if (rename(temporary, path) < 0)
		return error_errno(err, errno, "%s", path);
	return true;
}

/* A terminal, pipe or device is written in place: there is nothing to replace. */
static bool write_in_place(const char *path, bool fifo, struct view bytes, struct error *err)
{
	/* O_NONBLOCK: a FIFO that nobody reads must not hang the program. */
	scoped_fd int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0 && errno == ENXIO && fifo)
		return error_set(err, "%s: a FIFO that nobody reads, start its reader first", path);
	if (fd < 0 || fcntl(fd, F_SETFL, O_WRONLY) < 0)
		return error_errno(err, errno, "%s", path);
	return file_write_fd(fd, path, bytes, err);
}

bool file_write(const char *path, struct view bytes, struct error *err)
{
	char temporary[4096];
	struct stat status;
	bool exists = stat(path, &status) == 0;
	int size;

	if (exists && !S_ISREG(status.st_mode)) {
		if (S_ISDIR(status.st_mode))
			return error_set(err, "%s: is a directory, a file is wanted", path);
		return write_in_place(path, S_ISFIFO(status.st_mode), bytes, err);
	}
	size = snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
	if (size < 0 || (size_t)size >= sizeof(temporary))
		return error_errno(err, ENAMETOOLONG, "%s", path);
	scoped_fd int fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	if (fill_and_rename(fd, temporary, path, exists ? status.st_mode & 0777 : usual_mode(),
			    bytes, err))
		return true;
	unlink(temporary);
	return false;
}

/* The directory of a path, and in *name what stands in it. */
static bool stat_directory(const char *path, const char **name, struct stat *status)
{
	char directory[PATH_MAX];
	const char *slash = strrchr(path, '/');
	int size = snprintf(directory, sizeof(directory), "%.*s/", slash ? (int)(slash - path) : 1,
			    slash ? path : ".");

	*name = slash ? slash + 1 : path;
	return size > 0 && (size_t)size < sizeof(directory) && stat(directory, status) == 0;
}

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

bool file_look(const char *path, struct file_look *out, struct error *err)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return error_errno(err, errno, "%s", path);
	*out = (struct file_look){S_ISDIR(status.st_mode), status.st_dev, status.st_ino};
	return true;
}

bool file_is_same(const char *path, const char *other)
{
	const char *name, *other_name;
	struct stat status, other_status;

	if (strcmp(path, other) == 0)
		return true;
	if (stat(path, &status) == 0 && stat(other, &other_status) == 0)
		return S_ISREG(status.st_mode) && status.st_dev == other_status.st_dev &&
		       status.st_ino == other_status.st_ino;
	return stat_directory(path, &name, &status) &&
	       stat_directory(other, &other_name, &other_status) && strcmp(name, other_name) == 0 &&
	       status.st_dev == other_status.st_dev && status.st_ino == other_status.st_ino;
}

bool file_list(struct arena *arena, const char *path, const char *suffix, struct names *out,
	       struct error *err)
{
	DIR *directory = opendir(path);
	struct names found = {0};

	if (!directory)
		return error_errno(err, errno, "%s", path);
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (entry->d_name[0] != '.' && view_ends(view_of(entry->d_name), suffix))
			names_add(arena, &found, arena_strdup(arena, entry->d_name));
	}
	closedir(directory);
	names_sort(&found);
	*out = found;
	return true;
}

/* Where the data may be, seen from the directory of the executable: installed, then builds of any
 * depth. */
static const char *const data_places[] = {
	"../share/ampere-crypto",
	"../../../..",
	"../../..",
	"../..",
};

/* The directory of the executable. */
static void find_own_directory(char self[PATH_MAX])
{
	ssize_t size = readlink("/proc/self/exe", self, PATH_MAX - 1);
	char *slash;

	/* Without /proc: as it was started. Never the working directory, which can be anybody's. */
	if (size < 0)
		size = realpath((const char *)getauxval(AT_EXECFN), self) ? (ssize_t)strlen(self)
									  : 0;
	self[size] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
}

const char *file_data_path(struct arena *arena, const char *relative)
{
	char self[PATH_MAX];
	const char *path = relative;

	find_own_directory(self);
	for (size_t i = 0; i < sizeof(data_places) / sizeof(data_places[0]); i++) {
		path = arena_printf(arena, "%s/%s/%s", self, data_places[i], relative);
		if (access(path, F_OK) == 0)
			return path;
	}
	return path;
}

const char *file_helper_path(struct arena *arena, const char *name)
{
	char self[PATH_MAX];
	const char *installed, *built;

	find_own_directory(self);
	/* meson's option for the directory may be an absolute path. */
	installed = HELPER_DIRECTORY[0] == '/'
			    ? arena_printf(arena, "%s/ampere-crypto-%s", HELPER_DIRECTORY, name)
			    : arena_printf(arena, "%s/%s/ampere-crypto-%s", self, HELPER_DIRECTORY,
					   name);
	built = arena_printf(arena, "%s/../%s/ampere-crypto-%s", self, name, name);
	return access(installed, X_OK) < 0 && access(built, X_OK) == 0 ? built : installed;
}
