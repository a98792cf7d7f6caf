// SPDX-License-Identifier: BSD-2-Clause
#include "base/beneath.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Renames that race with ".." in a path come to an end; a lease on a file may last. */
#define OPEN_TRIES_MAX 64
#define LINKS_MAX 40 /* as the kernel's MAXSYMLINKS */
/* Each directory on the way stays open, so that ".." is the one that was come through. */
#define DEPTH_MAX 128
#define STEP_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define PROC_ROOT_INODE 1 /* include/linux/proc_ns.h */

static int open_beneath(const struct beneath *top, const char *path, int flags)
{
	struct open_how how = {.flags = (unsigned)flags | O_CLOEXEC,
			       .resolve = top->strict ? RESOLVE_BENEATH : RESOLVE_IN_ROOT};
	unsigned tries = 0;
	long opened;

	do {
		opened = syscall(SYS_openat2, top->fd, path, &how, sizeof(how));
	} while (opened < 0 && (errno == EINTR || (errno == EAGAIN && ++tries < OPEN_TRIES_MAX)));
	return (int)opened;
}

/*
 * Asked once, with what no file's state can refuse: an old kernel answers ENOSYS, a filter ENOSYS,
 * EPERM or what it was told to. Looking at the answers of later calls instead would not do: EPERM
 * is also what a file answers that is immutable. Any refusal of this one leads to the walk, which
 * is right everywhere.
 */
struct beneath beneath_of(int fd)
{
	struct beneath top = {.fd = fd};
	scoped_fd int self = open_beneath(&top, ".", O_PATH | O_DIRECTORY);

	top.walk = self < 0;
	return top;
}

/*
 * The walk. Every component is opened without following and a link is read and spliced in, so
 * nothing outside the directory is ever named; a component that is swapped between two steps is
 * either of the two.
 */
struct walk {
	int stack[DEPTH_MAX]; /* [0]: the top, which is not closed */
	size_t depth;
	unsigned links;
	bool strict;
	char rest[PATH_MAX];
};

static void leave(struct walk *walk, size_t depth)
{
	while (walk->depth > depth)
		close(walk->stack[walk->depth--]);
}

/* A link of proc whose text is not what it leads to. proc gives its other links their size, but
 * for "self" and "thread-self" in its top. */
static bool is_magic(int directory, const struct stat *parent, const struct stat *link, size_t size)
{
	struct statfs system;

	return (size_t)link->st_size != size && fstatfs(directory, &system) == 0 &&
	       system.f_type == PROC_SUPER_MAGIC && parent->st_ino != PROC_ROOT_INODE;
}

/* As fs.protected_symlinks has it, which the kernel looks at only where itself follows. */
static bool is_planted(const struct stat *parent, const struct stat *link)
{
	return (parent->st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH) &&
	       link->st_uid != geteuid() && link->st_uid != parent->st_uid;
}

static int open_part(int directory, const char *name, int flags)
{
	int fd;

	do {
		fd = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

/* The link's text in the place of its name, `after` being what follows it. EINVAL: no link. */
static int follow(struct walk *walk, const char *name, const char *after)
{
	int directory = walk->stack[walk->depth];
	scoped_fd int fd = open_part(directory, name, O_PATH);
	char target[PATH_MAX];
	struct stat parent, link;
	ssize_t size;

	if (fd < 0 || fstat(fd, &link) < 0 || fstat(directory, &parent) < 0)
		return errno;
	if (!S_ISLNK(link.st_mode))
		return EINVAL;
	size = readlinkat(fd, "", target, sizeof(target));
	if (size <= 0)
		return size < 0 ? errno : ENOENT;
	if (++walk->links > LINKS_MAX)
		return ELOOP;
	if (is_planted(&parent, &link))
		return EACCES;
	if (is_magic(directory, &parent, &link, (size_t)size))
		return EXDEV;
	if (walk->strict && target[0] == '/')
		return EXDEV;
	if ((size_t)size + strlen(after) >= sizeof(walk->rest))
		return ENAMETOOLONG;
	if (target[0] == '/')
		leave(walk, 0);
	memmove(walk->rest + size, after, strlen(after) + 1);
	memcpy(walk->rest, target, (size_t)size);
	return 0;
}

/* Without O_PATH a link answers ELOOP, and ENOTDIR where a directory is wanted; with it, it is
 * opened itself. */
static bool is_link(int fd, int flags)
{
	struct stat status;

	if (fd < 0)
		return errno == ELOOP || (errno == ENOTDIR && flags & O_DIRECTORY);
	return flags & O_PATH && fstat(fd, &status) == 0 && S_ISLNK(status.st_mode);
}

/* One component of walk->rest. *out is the last one's descriptor. */
static int step(struct walk *walk, int flags, int *out)
{
	char *at = walk->rest + strspn(walk->rest, "/"), name[NAME_MAX + 1];
	size_t size = strcspn(at, "/");
	const char *after = at + size;
	bool is_last = !after[strspn(after, "/")], is_asked = is_last && !*after;
	int wanted = is_last ? flags | (is_asked ? 0 : O_DIRECTORY) : STEP_FLAGS, number;

	if (size > NAME_MAX)
		return ENAMETOOLONG;
	snprintf(name, sizeof(name), "%.*s", size ? (int)size : 1, size ? at : ".");
	if (strcmp(name, "..") == 0) {
		if (walk->strict && !walk->depth)
			return EXDEV;
		leave(walk, walk->depth ? walk->depth - 1 : 0);
		memcpy(name, ".", sizeof("."));
	}
	if (!is_last && strcmp(name, ".") == 0) {
		memmove(walk->rest, after, strlen(after) + 1);
		return 0;
	}
	scoped_fd int fd = open_part(walk->stack[walk->depth], name, wanted);
	number = fd < 0 ? errno : 0;
	/* With a slash behind it, it is followed in any case. */
	if (is_link(fd, wanted) && !(is_asked && flags & O_NOFOLLOW)) {
		int followed = follow(walk, name, after);

		if (followed != EINVAL || number == ENOTDIR)
			return followed == EINVAL ? number : followed;
		/* It was one a moment ago: once more. */
		return ++walk->links > LINKS_MAX ? ELOOP : 0;
	}
	if (number)
		return number;
	if (!is_last && walk->depth + 1 == DEPTH_MAX)
		return ENAMETOOLONG;
	memmove(walk->rest, after, strlen(after) + 1);
	if (is_last)
		*out = fd;
	else
		walk->stack[++walk->depth] = fd;
	fd = -1;
	return 0;
}

static int open_walk(const struct beneath *top, const char *path, int flags)
{
	struct walk walk = {.stack = {top->fd}, .strict = top->strict};
	int fd = -1, number = top->strict && *path == '/' ? EXDEV : 0;

	if (!*path || strlen(path) >= sizeof(walk.rest)) {
		errno = *path ? ENAMETOOLONG : ENOENT;
		return -1;
	}
	memcpy(walk.rest, path, strlen(path) + 1);
	while (!number && fd < 0)
		number = step(&walk, flags, &fd);
	leave(&walk, 0);
	errno = number;
	return fd;
}

int beneath_open(const struct beneath *top, const char *path, int flags)
{
	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EINVAL;
		return -1;
	}
	return top->walk ? open_walk(top, path, flags) : open_beneath(top, path, flags);
}
