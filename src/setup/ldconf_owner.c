// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/beneath.h"
#include "base/file.h"
#include "setup/ldconf_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40

/* A path being walked, part by part; links are taken apart so that each of their parts is seen too.
 */
struct owner_walk {
	struct arena *arena;
	struct beneath top;
	const char *done; /* without links; "" is the top */
	const char *rest;
	unsigned links;
};

/* Who may write here may change what every program loads, root's among them. */
static bool check_part(const char *path, const struct stat *status, struct error *err)
{
	if (status->st_uid != 0)
		return error_set(
			err,
			"%s belongs to user %u, who could change what every program loads: "
			"take a prefix of root's",
			path, (unsigned)status->st_uid);
	if (S_ISLNK(status->st_mode) || !(status->st_mode & (S_IWGRP | S_IWOTH)) ||
	    status->st_mode & S_ISVTX)
		return true;
	return error_set(
		err,
		"%s can be written by others than root, who could change what every program "
		"loads: chmod go-w %s",
		path, path);
}

static bool follow(struct owner_walk *walk, int link, const char *path, struct error *err)
{
	char target[PATH_MAX];
	ssize_t size = readlinkat(link, "", target, sizeof(target) - 1);

	if (size <= 0)
		return error_errno(err, size < 0 ? errno : ENOENT, "%s", path);
	if (++walk->links > LINKS_MAX)
		return error_errno(err, ELOOP, "%s", path);
	target[size] = '\0';
	walk->rest = arena_printf(walk->arena, "%s/%s", target, walk->rest);
	if (target[0] == '/')
		walk->done = "";
	return true;
}

static bool step(struct owner_walk *walk, const char *name, struct error *err)
{
	const char *path = arena_printf(walk->arena, "%s/%s", walk->done, name);
	struct stat status;
	scoped_fd int fd = beneath_open(&walk->top, path, O_PATH | O_NOFOLLOW);

	if (fd < 0 || fstat(fd, &status) < 0)
		return error_errno(err, errno, "%s", path);
	if (!check_part(path, &status, err))
		return false;
	if (S_ISLNK(status.st_mode))
		return follow(walk, fd, path, err);
	walk->done = path;
	return true;
}

bool ldconf_check_owner(struct arena *arena, int root, const char *path, struct error *err)
{
	struct owner_walk walk = {
		.arena = arena, .top = beneath_of(root), .done = "", .rest = path};

	while (*(walk.rest += strspn(walk.rest, "/"))) {
		size_t size = strcspn(walk.rest, "/");
		const char *name = arena_copy(arena, walk.rest, size), *slash;

		walk.rest += size;
		if (strcmp(name, ".") == 0)
			continue;
		slash = strrchr(walk.done, '/');
		if (strcmp(name, "..") == 0)
			walk.done =
				slash ? arena_copy(arena, walk.done, (size_t)(slash - walk.done))
				      : "";
		else if (!step(&walk, name, err))
			return false;
	}
	return true;
}
