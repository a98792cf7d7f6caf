// SPDX-License-Identifier: BSD-2-Clause
#include "host/host.h"

#include "base/arena.h"

#include <errno.h>

struct host *host_new(struct arena *arena, struct root *root)
{
	struct host *host = arena_new(arena, struct host);

	host->arena = arena;
	host->root = root;
	host->live = root_live(root);
	return host;
}

const char *host_line(struct host *host, const char *path, int *number)
{
	struct view rest, line;

	*number = root_read(host->root, path, &rest);
	if (*number)
		return NULL;
	if (!view_line(&rest, &line))
		line = (struct view){"", 0};
	return view_copy(host->arena, view_trim(line));
}

int host_number(struct host *host, const char *path, int64_t *out)
{
	int number;
	const char *line = host_line(host, path, &number);

	if (!line)
		return number;
	return view_i64(view_of(line), out) ? 0 : ERANGE;
}
