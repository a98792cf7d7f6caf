// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/root_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Appends "/part" to done, or drops its last component for "..". */
static bool step(char *done, struct view part)
{
	size_t used = strlen(done);

	if (!part.size || view_is(part, "."))
		return true;
	if (view_is(part, "..")) {
		char *slash = strrchr(done, '/');

		if (slash)
			*slash = '\0';
		return true;
	}
	if (used + 1 + part.size >= ROOT_PATH_MAX)
		return false;
	snprintf(done + used, ROOT_PATH_MAX - used, "/%.*s", (int)part.size, part.at);
	return true;
}

int root_resolve(struct root *root, const char *path, const char **canonical)
{
	char done[ROOT_PATH_MAX] = "";
	struct view rest = view_of(path), part;
	unsigned links = 0;

	if (!root_path_is_usable(path))
		return EINVAL;
	while (view_split(&rest, '/', &part)) {
		const char *target;
		int number;

		if (!step(done, part))
			return ENAMETOOLONG;
		if (!part.size || view_is(part, ".") || view_is(part, ".."))
			continue;
		number = root_link(root, done, &target);
		if (number == EINVAL)
			continue;
		if (number)
			return number;
		if (++links > ROOT_LINKS_MAX)
			return ELOOP;
		if (target[0] == '/')
			done[0] = '\0';
		else
			step(done, VIEW(".."));
		rest = view_of(arena_printf(root->arena, "%s/%.*s", target, (int)rest.size,
					    rest.size ? rest.at : ""));
	}
	*canonical = done[0] ? arena_strdup(root->arena, done) : "/";
	return 0;
}

struct entry *root_capture_unfollowed(struct root *root, const char *path)
{
	struct entry *entry = root_find(root, path);
	const char *slash = strrchr(path, '/');
	const struct entry *parent;

	if (entry || !root->complete || !slash || slash == path)
		return entry;
	parent = root_capture_resolve(root, arena_copy(root->arena, path, (size_t)(slash - path)));
	if (parent)
		entry = root_find(root, arena_printf(root->arena, "%s%s", parent->path, slash));
	return entry ? entry : root_capture_resolve(root, path);
}
