// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/store_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static const char *const own_directories[] = {STORE_TREES, STORE_GENERATIONS, STORE_WORK,
					      STORE_CACHE, STORE_LOGS};

const char *store_default_prefix(struct arena *arena)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (geteuid() == 0)
		return "/opt/ampere-crypto";
	/* "All paths must be absolute; a relative one is ignored" (XDG base directories). */
	if (data && data[0] == '/')
		return arena_printf(arena, "%s/ampere-crypto", data);
	return home && home[0] == '/' ? arena_printf(arena, "%s/.local/share/ampere-crypto", home)
				      : NULL;
}

/* Why others could change what is in a directory, or NULL. Root also distrusts other groups, which
 * a user's own directories may belong to. */
static const char *writable_by_others(const struct stat *status)
{
	if (status->st_mode & S_IWOTH)
		return "everybody can write to it, chmod o-w it";
	if (geteuid() == 0 && status->st_mode & S_IWGRP && status->st_gid != 0)
		return "a group that is not root's can write to it, chmod g-w it";
	return NULL;
}

static bool check_own(const char *path, int fd, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return error_errno(err, errno, "%s", path);
	if (status.st_uid != 0 && status.st_uid != geteuid())
		return error_set(err,
				 "%s: belongs to user %u; it must be yours or root's, choose "
				 "another --prefix",
				 path, (unsigned)status.st_uid);
	if (writable_by_others(&status))
		return error_set(err, "%s: %s", path, writable_by_others(&status));
	return true;
}

/* A directory above PREFIX: whoever can rename in it could put another PREFIX there. */
static bool check_above(const char *path, int fd, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return error_errno(err, errno, "%s", path);
	if (writable_by_others(&status) && !(status.st_mode & S_ISVTX))
		return error_set(err, "%s: above the prefix, and %s", path,
				 writable_by_others(&status));
	return true;
}

static bool open_next(int *fd, const char *name)
{
	int next = openat(*fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (next < 0)
		return false;
	close(*fd);
	*fd = next;
	return true;
}

/* Opens a real path ("" is the root directory) when everything above it is safe. */
static bool open_below(struct arena *arena, const char *real, int *fd, struct error *err)
{
	struct view rest = view_of(*real ? real + 1 : ""), part;
	const char *path = "";

	*fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*fd < 0)
		return error_errno(err, errno, "/");
	while (view_split(&rest, '/', &part)) {
		if (!check_above(*path ? path : "/", *fd, err))
			return false;
		path = arena_printf(arena, "%s/%s", path, view_copy(arena, part));
		if (!open_next(fd, strrchr(path, '/') + 1))
			return error_errno(err, errno, "%s", path);
	}
	return true;
}

bool store_safe(struct arena *arena, const char *prefix, int *out, struct error *err)
{
	scoped_fd int fd = -1;

	if (!*prefix)
		return error_set(err, "the prefix must not be the root directory");
	if (!open_below(arena, prefix, &fd, err) || !check_own(prefix, fd, err))
		return false;
	int opened = openat(fd, ".", OPEN_DIRECTORY);
	if (opened < 0)
		return error_errno(err, errno, "%s", prefix);
	*out = opened;
	return true;
}

/* Before anything is made in it. */
static bool safe_to_make_in(struct arena *arena, const char *real, struct error *err)
{
	scoped_fd int fd = -1;

	return open_below(arena, real, &fd, err) && check_above(*real ? real : "/", fd, err);
}

static bool check_own_directories(struct store *store, struct error *err)
{
	for (size_t i = 0; i < sizeof(own_directories) / sizeof(own_directories[0]); i++) {
		const char *path =
			arena_printf(store->arena, "%s/%s", store->prefix, own_directories[i]);
		scoped_fd int fd = openat(store->fd, own_directories[i],
					  O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd < 0 && errno == ENOENT)
			continue;
		if (fd < 0)
			return error_errno(err, errno, "%s", path);
		if (!check_own(path, fd, err))
			return false;
	}
	return true;
}

/* The real path of what is there, then the names that are to be made. */
static bool resolve(struct arena *arena, const char *path, const char **real, const char **missing,
		    struct error *err)
{
	char found[PATH_MAX], *start = arena_strdup(arena, path), *rest = start + strlen(start);
	struct view parts, part;

	while (!realpath(*start ? start : ".", found)) {
		if (errno != ENOENT)
			return error_errno(err, errno, "%s", path);
		/* The last name goes over to what is missing; several slashes are one. */
		char *slash = strrchr(start, '/');
		if (!slash)
			return error_errno(err, errno, "%s", path);
		rest = slash;
		while (slash > start && slash[-1] == '/')
			slash--;
		*slash = '\0';
		if (slash == start) {
			snprintf(found, sizeof(found), "/");
			break;
		}
	}
	*missing = arena_strdup(arena, path + (rest - start));
	parts = view_of(*missing);
	while (view_split(&parts, '/', &part)) {
		if (view_is(part, ".") || view_is(part, ".."))
			return error_set(err, "%s: not there, and has '%s' in it; write it out",
					 path, view_copy(arena, part));
	}
	*real = arena_strdup(arena, strcmp(found, "/") == 0 ? "" : found);
	return true;
}

/* Makes what is missing below the real path. */
static bool make(struct store *store, const char *missing, struct error *err)
{
	scoped_fd int fd =
		open(*store->prefix ? store->prefix : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct view rest = view_of(missing), part;

	if (fd < 0)
		return error_errno(err, errno, "%s", store->prefix);
	while (view_split(&rest, '/', &part)) {
		const char *name = view_copy(store->arena, part);
		struct stat status;

		if (!part.size)
			continue;
		store->prefix = arena_printf(store->arena, "%s/%s", store->prefix, name);
		bool there = fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
		if (!tree_make(fd, name) || !open_next(&fd, name))
			return error_errno(err, errno, "%s", store->prefix);
		store->made += !there;
	}
	return true;
}

static const char *absolute(struct arena *arena, const char *prefix, struct error *err)
{
	char here[PATH_MAX];

	if (prefix[0] == '/')
		return prefix;
	if (!getcwd(here, sizeof(here))) {
		error_errno(err, errno, "the working directory");
		return NULL;
	}
	return arena_printf(arena, "%s/%s", here, prefix);
}

bool store_open(struct arena *arena, const char *prefix, enum store_access access,
		struct store *out, struct error *err)
{
	struct store store = {.arena = arena, .access = access, .fd = -1, .lock_fd = -1};
	const char *path = prefix ? prefix : store_default_prefix(arena), *missing;

	if (!path)
		return error_exit(err, EXIT_USAGE,
				  "HOME is not set, so there is no default prefix: say --prefix");
	path = absolute(arena, path, err);
	if (!path || !resolve(arena, path, &store.prefix, &missing, err))
		return false;
	if (strspn(missing, "/") != strlen(missing)) {
		if (access == STORE_READ) {
			store.prefix = arena_printf(arena, "%s%s", store.prefix, missing);
			*out = store;
			return true;
		}
		if (!safe_to_make_in(arena, store.prefix, err) || !make(&store, missing, err))
			return false;
	}
	if (!store_safe(arena, store.prefix, &store.fd, err))
		return false;
	if (!check_own_directories(&store, err)) {
		close(store.fd);
		return false;
	}
	*out = store;
	return true;
}

void store_close(struct store *store)
{
	if (store->lock_fd >= 0)
		close(store->lock_fd);
	if (store->fd >= 0)
		close(store->fd);
	store->lock_fd = store->fd = -1;
}

int store_open_directory(struct store *store, const char *name, struct error *err)
{
	int fd = -1;

	if (tree_make(store->fd, name))
		fd = openat(store->fd, name, OPEN_DIRECTORY);
	if (fd < 0)
		error_errno(err, errno, "%s/%s", store->prefix, name);
	return fd;
}

bool store_directory(struct store *store, const char *relative, const char **path,
		     struct error *err)
{
	scoped_fd int fd = openat(store->fd, ".", OPEN_DIRECTORY);
	struct view rest = view_of(relative), part;

	while (fd >= 0 && view_split(&rest, '/', &part)) {
		const char *name = view_copy(store->arena, part);

		if (!part.size || view_is(part, "..") || !tree_make(fd, name) ||
		    !open_next(&fd, name))
			return error_errno(err, part.size ? errno : EINVAL, "%s/%s", store->prefix,
					   relative);
	}
	if (fd < 0)
		return error_errno(err, errno, "%s", store->prefix);
	*path = arena_printf(store->arena, "%s/%s", store->prefix, relative);
	return true;
}
