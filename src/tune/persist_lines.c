// SPDX-License-Identifier: BSD-2-Clause
#include "tune/persist.h"

#include "base/arena.h"
#include "host/host.h"
#include "host/root.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define CPU_ROOT "/sys/devices/system/cpu/"
#define TMPFILES_FILE "/etc/tmpfiles.d/" PERSIST_NAME

/* Files that differ in the number of a CPU or policy alone: FOLDER/STEM[0-9]*REST. */
struct family {
	const char *folder, *stem, *rest;
};

static bool find_family(struct arena *arena, const char *path, struct family *out)
{
	static const char *const folders[] = {CPU_ROOT "cpufreq/policy", CPU_ROOT "cpu"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t size = strlen(folders[i]);
		const char *rest = path + size, *slash = strrchr(folders[i], '/');

		if (!view_starts(view_of(path), folders[i]) || !isdigit((unsigned char)*rest))
			continue;
		out->folder = arena_copy(arena, folders[i], (size_t)(slash - folders[i]));
		out->stem = slash + 1;
		out->rest = rest + strspn(rest, "0123456789");
		return true;
	}
	return false;
}

/* What stands in a file: what was read back after it was set, else what it was found with. */
static const char *value_of(const struct persist *persist, const char *path, int *number)
{
	const struct tune_change *changes = persist->plan->changes.items;

	for (size_t i = 0; i < persist->count; i++) {
		const char *value = strcmp(changes[i].path, path) == 0
					    ? persist_value(persist, &changes[i])
					    : NULL;

		if (value)
			return value;
	}
	return host_line(persist->facts->host, path, number);
}

/*
 * A glob stands for the whole family when each of its files holds the value, also those that had it
 * before: that is the state that was verified. Else each file that was set has its line.
 */
static bool is_alike(const struct persist *persist, const struct family *family, const char *value)
{
	struct arena *arena = persist->facts->arena;
	size_t stem_size = strlen(family->stem);
	struct names names;

	if (root_list(persist->facts->host->root, family->folder, &names))
		return false;
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.items[i], *found;
		int number = 0;

		if (strncmp(name, family->stem, stem_size) != 0 ||
		    !isdigit((unsigned char)name[stem_size]))
			continue;
		found = value_of(persist,
				 arena_printf(arena, "%s/%s%s", family->folder, name, family->rest),
				 &number);
		if (found ? strcmp(found, value) != 0 : number != ENOENT)
			return false;
	}
	return true;
}

/* Only what has the same name at every boot: the kernel gives interrupts new numbers. */
static bool is_line(const struct persist *persist, const struct tune_change *change)
{
	if (persist_is(persist, change, TUNE_PAGES))
		return true;
	return persist_is(persist, change, TUNE_WORD) &&
	       (view_starts(view_of(change->path), "/sys/") ||
		strcmp(change->path, "/proc/irq/default_smp_affinity") == 0);
}

/* '!': at boot only, so that nobody who runs systemd-tmpfiles later changes a setting. */
static void add_line(struct buffer *text, const char *path, const char *value)
{
	buffer_printf(text, "w! %s - - - - %s\n", path, value);
}

static void add_change(const struct persist *persist, struct tune_change *change,
		       struct names *globs, struct buffer *text)
{
	struct arena *arena = persist->facts->arena;
	const char *value = persist_value(persist, change), *glob;
	struct family family;

	change->persisted = true;
	if (!find_family(arena, change->path, &family)) {
		add_line(text, change->path, value);
		return;
	}
	glob = arena_printf(arena, "%s/%s[0-9]*%s", family.folder, family.stem, family.rest);
	for (size_t i = 0; i < globs->count; i++) {
		if (strcmp(globs->items[i], glob) == 0)
			return;
	}
	if (is_alike(persist, &family, value)) {
		names_add(arena, globs, glob);
		add_line(text, glob, value);
		return;
	}
	add_line(text, change->path, value);
}

/*
 * Huge pages of each node are among these lines: systemd-tmpfiles runs before sysinit.target, so
 * before anything else than udev and the mounts has taken memory, and needs no unit of ours. That
 * is early enough for 2 MB and 32 MB; for sizes that only an untouched memory has, the kernel's
 * command line is the sure way, and advised (persist_boot.c).
 */
bool persist_lines(const struct persist *persist)
{
	struct tune_change *changes = persist->plan->changes.items;
	struct buffer text = persist_text(persist);
	struct names globs = {0};
	const char *check = NULL;

	for (size_t i = 0; i < persist->count; i++) {
		if (!is_line(persist, &changes[i]))
			continue;
		add_change(persist, &changes[i], &globs, &text);
		check = check ? check : changes[i].check;
	}
	return !check || persist_file(persist, TMPFILES_FILE, &text, check);
}
