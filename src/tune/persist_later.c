// SPDX-License-Identifier: BSD-2-Clause
#include "tune/persist.h"

#include "base/arena.h"
#include "host/host.h"
#include "host/root.h"

#include <fnmatch.h>
#include <string.h>

#define LINES_MAX ((size_t)4096)

/* In the order in which a file hides those of the same name: sysctl.d(5). */
static const char *const folders[] = {"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d",
				      "/usr/lib/sysctl.d"};

/* One line "-kernel/x = 1", "kernel.x=1", "net.*.x = 1": a path below /proc/sys, and a value. */
static bool read_line(struct arena *arena, struct view line, const char **path, const char **value)
{
	struct view name;
	char *at;

	line = view_trim(line);
	if (!line.size || strchr("#;", line.at[0]) || !view_split(&line, '=', &name) || !line.at)
		return false;
	name = view_trim(name);
	if (name.size && name.at[0] == '-')
		name = (struct view){name.at + 1, name.size - 1};
	at = view_copy(arena, name);
	*path = at;
	*value = view_copy(arena, view_trim(line));
	/* The first separator decides which one it is. */
	if (at[strcspn(at, "./")] == '/')
		return true;
	for (; *at; at++) {
		if (*at == '.' || *at == '/')
			*at = *at == '.' ? '/' : '.';
	}
	return true;
}

static void advise(const struct persist *persist, const struct tune_change *change,
		   const char *file, const char *value)
{
	struct arena *arena = persist->facts->arena;
	/* Copied: the arrays of the plan may move. */
	const char *check = change->check, *path = change->path;
	struct tune_advice *advice = tune_add_advice(arena, persist->plan);

	advice->check = check;
	advice->title = "set otherwise at boot";
	advice->kind = "by-hand";
	advice->text = arena_printf(
		arena, "%s is read later at boot and sets %s to %s: take that line out", file, path,
		value);
}

static void compare(const struct persist *persist, const char *file, const char *path,
		    const char *value)
{
	const struct tune_change *changes = persist->plan->changes.items;

	for (size_t i = 0; i < persist->count; i++) {
		if (!view_starts(view_of(changes[i].path), PERSIST_SYSCTL_ROOT) ||
		    !persist_is(persist, &changes[i], TUNE_WORD) ||
		    fnmatch(path, changes[i].path + strlen(PERSIST_SYSCTL_ROOT), FNM_PATHNAME) !=
			    0 ||
		    strcmp(persist_value(persist, &changes[i]), value) == 0)
			continue;
		advise(persist, &changes[i], file, value);
	}
}

static void look_into(const struct persist *persist, const char *file)
{
	struct arena *arena = persist->facts->arena;
	struct view text, line;

	if (root_read(persist->facts->host->root, file, &text))
		return;
	for (size_t i = 0; i < LINES_MAX && view_line(&text, &line); i++) {
		const char *path, *value;

		if (read_line(arena, line, &path, &value))
			compare(persist, file, path, value);
	}
}

void persist_later(const struct persist *persist, const char *own)
{
	struct arena *arena = persist->facts->arena;
	struct names seen = {0};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		struct names names;

		if (root_list(persist->facts->host->root, folders[i], &names))
			continue;
		for (size_t j = 0; j < names.count; j++) {
			const char *name = names.items[j];

			if (strcmp(name, own) <= 0 || !view_ends(view_of(name), ".conf") ||
			    names_has(&seen, name))
				continue;
			names_add(arena, &seen, name);
			look_into(persist, arena_printf(arena, "%s/%s", folders[i], name));
		}
	}
}
