// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_MODE 0644
#define PROGRAM_MODE 0755
#define DIRECTORY_MODE 0755
#define PARENT_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static int open_beneath(int parent, const char *path, int flags, mode_t mode)
{
	struct open_how how = {
		.flags = (uint64_t)flags,
		.mode = mode,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	long fd;

	do
		fd = syscall(SYS_openat2, parent, path, &how, sizeof(how));
	while (fd < 0 && errno == EINTR);
	return (int)fd;
}

/* One component, which is never followed. */
static int open_part(int parent, const char *part, int flags, mode_t mode)
{
	int fd;

	do
		fd = openat(parent, part, flags, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static int open_new(const struct writer *writer, int parent, const char *part, int flags,
		    mode_t mode)
{
	return writer->has_openat2 ? open_beneath(parent, part, flags, mode)
				   : open_part(parent, part, flags | O_NOFOLLOW, mode);
}

/* A directory below the top, "a/b/c", component by component. */
static int open_walk(int top, char *path)
{
	int fd = -1, next;

	for (char *part = path, *slash; part; part = slash ? slash + 1 : NULL) {
		slash = strchr(part, '/');
		if (slash)
			*slash = '\0';
		next = open_part(fd < 0 ? top : fd, part, PARENT_FLAGS, 0);
		if (slash)
			*slash = '/';
		if (fd >= 0)
			close(fd);
		if (next < 0)
			return -1;
		fd = next;
	}
	return fd;
}

bool writer_has_openat2(int top)
{
	int fd = top < 0 ? -1 : open_beneath(top, ".", PARENT_FLAGS, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

void writer_init(struct writer *writer, int top)
{
	writer->top = top;
	writer->turn = 0;
	for (size_t i = 0; i < WRITER_PARENTS; i++)
		writer->parents[i].fd = -1;
	writer->has_openat2 = writer_has_openat2(top);
}

void writer_release(struct writer *writer)
{
	for (size_t i = 0; i < WRITER_PARENTS; i++)
		if (writer->parents[i].fd >= 0)
			close(writer->parents[i].fd);
}

/* The parent directory, kept open for the entries that follow. */
static bool open_parent(struct writer *writer, struct view path, int *fd, struct error *err)
{
	struct writer_parent *parent;

	*fd = writer->top;
	if (!path.size)
		return true;
	for (size_t i = 0; i < WRITER_PARENTS; i++) {
		parent = &writer->parents[i];
		*fd = parent->fd;
		if (*fd >= 0 && parent->size == path.size &&
		    memcmp(parent->path, path.at, path.size) == 0)
			return true;
	}
	parent = &writer->parents[writer->turn++ % WRITER_PARENTS];
	if (parent->fd >= 0)
		close(parent->fd);
	memcpy(parent->path, path.at, path.size);
	parent->path[path.size] = '\0';
	parent->size = path.size;
	parent->fd = writer->has_openat2 ? open_beneath(writer->top, parent->path, PARENT_FLAGS, 0)
					 : open_walk(writer->top, parent->path);
	*fd = parent->fd;
	return *fd >= 0 || error_errno(err, errno, "opening its directory");
}

static const char *last_part(const struct name *name)
{
	return name->path + name->starts[name->count - 1];
}

bool writer_directories(struct writer *writer, const struct name *name, size_t known, size_t count,
			struct error *err)
{
	char part[UNPACK_PART_MAX + 1];

	if (writer->top < 0)
		return true;
	for (size_t i = known; i < count; i++) {
		struct view last = name_part(name, i);
		size_t size = i ? name->starts[i] - 1u : 0;
		int parent;

		memcpy(part, last.at, last.size);
		part[last.size] = '\0';
		if (!open_parent(writer, (struct view){name->path, size}, &parent, err))
			return false;
		if (mkdirat(parent, part, DIRECTORY_MODE) < 0)
			return error_errno(err, errno, "making a directory");
	}
	return true;
}

bool writer_open(struct writer *writer, const struct name *name, bool is_executable, int *fd,
		 struct error *err)
{
	int parent;

	*fd = -1;
	if (writer->top < 0)
		return true;
	if (!open_parent(writer, name_parent(name), &parent, err))
		return false;
	*fd = open_new(writer, parent, last_part(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		       is_executable ? PROGRAM_MODE : FILE_MODE);
	return *fd >= 0 || error_errno(err, errno, "making the file");
}

bool writer_write(int fd, struct view bytes, uint64_t offset, struct error *err)
{
	while (fd >= 0 && bytes.size) {
		ssize_t n = pwrite(fd, bytes.at, bytes.size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, errno, "writing");
		if (n == 0)
			return error_set(err, "writing: the file does not grow");
		bytes.at += n;
		bytes.size -= (size_t)n;
		offset += (uint64_t)n;
	}
	return true;
}

bool writer_close(int fd, const uint64_t *size_bytes, const struct timespec *modified,
		  struct error *err)
{
	const struct timespec times[] = {{.tv_nsec = UTIME_OMIT},
					 modified ? *modified : (struct timespec){0}};
	bool good = true;

	if (fd < 0)
		return true;
	if (size_bytes && ftruncate(fd, (off_t)*size_bytes) < 0)
		good = error_errno(err, errno, "setting its size");
	if (good && modified && futimens(fd, times) < 0)
		good = error_errno(err, errno, "setting its time");
	/* Some file systems tell of a full disk only now; after EINTR the descriptor is gone. */
	if (close(fd) < 0 && errno != EINTR && good)
		good = error_errno(err, errno, "closing");
	return good;
}

bool writer_symlink(struct writer *writer, const struct name *name, const char *target,
		    struct error *err)
{
	int parent;

	if (writer->top < 0)
		return true;
	if (!open_parent(writer, name_parent(name), &parent, err))
		return false;
	return symlinkat(target, parent, last_part(name)) == 0 ||
	       error_errno(err, errno, "making the symbolic link");
}

static bool copy_bytes(int from, int to, struct error *err)
{
	char block[16384];
	uint64_t offset = 0;

	for (;;) {
		ssize_t n = pread(from, block, sizeof(block), (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, errno, "reading the file it links to");
		if (n == 0)
			return true;
		if (!writer_write(to, (struct view){block, (size_t)n}, offset, err))
			return false;
		offset += (uint64_t)n;
	}
}

static bool copy_file(struct writer *writer, int parent, const struct name *name,
		      const struct stat *status, const struct name *target, struct error *err)
{
	int target_parent, from, to;
	bool good;

	if (!open_parent(writer, name_parent(target), &target_parent, err))
		return false;
	from = open_new(writer, target_parent, last_part(target), O_RDONLY | O_CLOEXEC, 0);
	if (from < 0)
		return error_errno(err, errno, "opening the file it links to");
	to = open_new(writer, parent, last_part(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		      status->st_mode & 0777);
	if (to < 0) {
		close(from);
		return error_errno(err, errno, "making the file");
	}
	good = copy_bytes(from, to, err);
	close(from);
	return writer_close(to, NULL, good ? &status->st_mtim : NULL, good ? err : NULL) && good;
}

bool writer_hardlink(struct writer *writer, const struct name *name, const struct name *target,
		     uint64_t *left_bytes, struct error *err)
{
	struct stat status;
	int parent, target_parent;

	if (writer->top < 0)
		return true;
	/* Two lookups: the second cannot push the first out of a cache of eight. */
	if (!open_parent(writer, name_parent(target), &target_parent, err) ||
	    !open_parent(writer, name_parent(name), &parent, err))
		return false;
	if (fstatat(target_parent, last_part(target), &status, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, errno, "the file it links to");
	if (!S_ISREG(status.st_mode))
		return error_set(err, "a hard link to what is no file");
	if (linkat(target_parent, last_part(target), parent, last_part(name), 0) == 0)
		return true;
	if (errno != EXDEV && errno != EPERM && errno != EMLINK && errno != EOPNOTSUPP &&
	    errno != EACCES && errno != ENOSYS)
		return error_errno(err, errno, "making the hard link");
	if ((uint64_t)status.st_size > *left_bytes)
		return error_set(err, "too many bytes");
	*left_bytes -= (uint64_t)status.st_size;
	return copy_file(writer, parent, name, &status, target, err);
}
