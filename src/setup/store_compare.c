// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "setup/store_private.h"

#include <string.h>

/* Why what was found is not what was installed, or NULL. */
static const char *difference(struct arena *arena, const struct manifest_file *wanted,
			      const struct scan_entry *found, bool *foreign)
{
	*foreign = true;
	if (!text_same(wanted->type, found->file.type))
		return arena_printf(arena, "a %s, was a %s",
				    found->file.type ? found->file.type : "special file",
				    wanted->type);
	if (found->trouble)
		return found->trouble;
	if (!text_same(wanted->target, found->file.target))
		return arena_printf(arena, "leads to %s, was %s", found->file.target,
				    wanted->target);
	if (!text_same(wanted->sha256, found->file.sha256))
		return "content";
	*foreign = false;
	if (!text_same(wanted->mode, found->file.mode))
		return arena_printf(arena, "mode %s, was %s", found->file.mode, wanted->mode);
	return NULL;
}

static void add(struct store_differences *out, const char *path, const char *what, const char *why,
		bool foreign)
{
	out->items[out->count++] = (struct store_difference){path, what, why, foreign};
}

void scan_compare(struct arena *arena, const char *root, const struct manifest *manifest,
		  const struct scan *scan, struct store_differences *out)
{
	size_t count = manifest->files.count + scan->count, w = 0, f = 0;
	struct store_differences found = {
		.items = arena_array(arena, struct store_difference, count ? count : 1)};

	while (w < manifest->files.count || f < scan->count) {
		const struct manifest_file *wanted = &manifest->files.items[w];
		const struct scan_entry *entry = &scan->items[f];
		int order = w == manifest->files.count ? 1
			    : f == scan->count         ? -1
						       : strcmp(wanted->path, entry->file.path);
		const char *path = arena_printf(arena, "%s/%s", root,
						order > 0 ? entry->file.path : wanted->path);
		bool foreign = true;

		w += order <= 0;
		f += order >= 0;
		if (order < 0) {
			add(&found, path, "missing", "not there", false);
		} else if (order > 0) {
			if (strcmp(entry->file.path, MANIFEST_PATH) != 0)
				add(&found, path, "added", "not in the manifest", true);
		} else {
			const char *why = difference(arena, wanted, entry, &foreign);

			if (why)
				add(&found, path, "changed", why, foreign);
		}
	}
	*out = found;
}
