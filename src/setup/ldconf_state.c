// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/host.h"
#include "setup/ldconf_private.h"

#include <string.h>

/* Names the cache must lead to PATH/NAME for, of one directory of ours. */
static void check_line(struct host *host, const char *line, struct ldconf_state *state)
{
	const struct ldso_cache *cache = &host_loader(host)->cache;
	struct ldconf_libraries libraries;
	int number = ldconf_libraries_read(host, line, &libraries);

	if (number) {
		state->stale = arena_printf(host->arena, "%s: %s", line, strerrordesc_np(number));
		return;
	}
	for (size_t i = 0; i < libraries.sonames.count && !state->stale; i++) {
		const char *path =
			arena_printf(host->arena, "%s/%s", line, libraries.sonames.items[i]);
		struct ldso_entry entry;
		bool found = false;

		for (uint32_t e = 0; !found && ldso_cache_entry(cache, e, &entry); e++)
			found = strcmp(entry.path, path) == 0;
		if (!found)
			state->stale = arena_printf(host->arena, "the cache has no %s", path);
	}
}

/* Entries of the cache that lead below the prefix, though no line names their directory or the file
 * is gone. */
static void check_rest(struct host *host, const char *prefix, const struct names *lines,
		       struct ldconf_state *state)
{
	const struct ldso_cache *cache = &host_loader(host)->cache;
	const char *current = arena_printf(host->arena, "%s/current", prefix);
	struct ldso_entry entry;

	for (uint32_t e = 0; ldso_cache_entry(cache, e, &entry) && !state->stale; e++) {
		struct root_stat stat;
		bool named = false;

		if (!ldconf_is_below(entry.path, current))
			continue;
		for (size_t i = 0; i < lines->count; i++)
			named |= ldconf_is_below(entry.path, lines->items[i]);
		if (!named || root_stat(host->root, entry.path, &stat) != 0)
			state->stale =
				arena_printf(host->arena, "the cache still has %s", entry.path);
	}
}

struct ldconf_state ldconf_current(struct host *host, const char *prefix)
{
	struct ldconf_state state = {.policy = "none"};
	struct names lines = {0};

	for (size_t i = 0; i < LDCONF_FILES; i++) {
		const char *foreign;
		struct names found = {0};
		struct view text;

		if (root_read(host->root, ldconf_files[i], &text) != 0 ||
		    !ldconf_file_parse(host->arena, arena_copy(host->arena, text.at, text.size),
				       &found, &state.prefix, &foreign))
			continue;
		state.policy = ldconf_policies[i];
		for (size_t l = 0; l < found.count; l++) {
			names_add(host->arena, &lines, found.items[l]);
			state.entries.items =
				ldconf_room(host->arena, state.entries.items, state.entries.count,
					    sizeof(*state.entries.items));
			state.entries.items[state.entries.count++] = (struct ldconf_entry){
				.file = ldconf_files[i], .line = found.items[l]};
		}
	}
	for (size_t i = 0; i < lines.count && !state.stale; i++)
		check_line(host, lines.items[i], &state);
	if (state.prefix)
		check_rest(host, state.prefix, &lines, &state);
	if (prefix && (!state.prefix || strcmp(prefix, state.prefix) != 0))
		check_rest(host, prefix, &lines, &state);
	state.fresh = !state.stale;
	return state;
}
