// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/store_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The first keys of a manifest stand within these bytes, one a line, as manifest_text() writes
 * them: reading them alone keeps a run with nothing to do short. */
#define HEAD_BYTES 1024

static const char *head_value(struct arena *arena, struct view head, const char *key)
{
	const char *start = arena_printf(arena, "  \"%s\": \"", key);
	struct view line;

	while (view_line(&head, &line)) {
		size_t size = strlen(start);

		if (view_starts(line, start) && view_ends(line, "\",") && line.size > size + 2)
			return arena_copy(arena, line.at + size, line.size - size - 2);
	}
	return NULL;
}

/* The parts of a tree's name; where one ends and the next begins only the manifest knows. */
static bool read_head(struct arena *arena, int tree, const char *tree_name, struct store_tree *out)
{
	char bytes[HEAD_BYTES];
	scoped_fd int fd = tree_open_file(tree, MANIFEST_PATH);
	ssize_t size = fd < 0 ? -1 : pread(fd, bytes, sizeof(bytes), 0);
	struct view head = {bytes, size < 0 ? 0 : (size_t)size};
	struct store_tree found = {.name = head_value(arena, head, "name"),
				   .version = head_value(arena, head, "version"),
				   .key = head_value(arena, head, "key")};

	if (!manifest_names_fit(found.name, found.version, found.key) ||
	    strcmp(store_tree_name(arena, found.name, found.version, found.key), tree_name) != 0)
		return false;
	*out = found;
	return true;
}

bool store_trees(struct store *store, struct store_trees *out, struct error *err)
{
	scoped_fd int trees = store->fd < 0 ? -1 : tree_open(store->fd, STORE_TREES);
	struct store_trees found = {0};
	struct names names = {0};

	if (trees < 0 && store->fd >= 0 && errno != ENOENT)
		return error_errno(err, errno, "%s/" STORE_TREES, store->prefix);
	if (trees >= 0 && !tree_list(store->arena, trees, &names))
		return error_errno(err, errno, "%s/" STORE_TREES, store->prefix);
	found.items = arena_array(store->arena, struct store_tree, names.count + 1);
	for (size_t i = 0; i < names.count; i++) {
		scoped_fd int tree = tree_open(trees, names.items[i]);

		if (tree >= 0 && store_is_whole(tree) == STORE_WHOLE &&
		    read_head(store->arena, tree, names.items[i], &found.items[found.count]))
			found.count++;
	}
	*out = found;
	return true;
}
