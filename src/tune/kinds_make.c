// SPDX-License-Identifier: BSD-2-Clause
#include "tune/kinds_make.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/process.h"
#include "tune/tree.h"

#include <errno.h>
#include <string.h>
#include <sys/mount.h>

#define TIMEOUT_MS 60000
#define OUTPUT_MAX ((size_t)16 << 10)
#define MOUNTS_MAX ((size_t)1 << 20)

static int refuse_scratch(const char **why, const char *what)
{
	*why = what;
	return EOPNOTSUPP;
}

/* The last line of what a program said. */
static const char *last_line(struct arena *arena, struct view output)
{
	struct view line, last = {0};

	while (view_line(&output, &line)) {
		if (view_trim(line).size)
			last = view_trim(line);
	}
	return last.size ? view_copy(arena, last) : NULL;
}

/* `names`: where the program may be; PATH is not asked. `argv[0]` is set here. */
static int run(struct arena *arena, const struct tune_tree *tree, const char *const *names,
	       const char **argv, const char **why)
{
	struct process_result result;
	struct error err = {0};

	while (*names && tune_tree_exists(tree, *names))
		names++;
	if (!*names) {
		*why = arena_printf(arena, "%s is not installed", names[-1]);
		return ENOENT;
	}
	argv[0] = *names;
	if (!process_run(arena, argv, (struct view){0}, TIMEOUT_MS, OUTPUT_MAX, &result, &err)) {
		*why = arena_strdup(arena, err.text);
		return EIO;
	}
	if (result.exit_status == 0)
		return 0;
	*why = last_line(arena, result.output);
	if (result.timed_out || !*why)
		*why = arena_printf(arena, "%s %s: %s %d", argv[0], argv[1],
				    result.timed_out ? "did not end, status" : "exit status",
				    result.exit_status);
	return EIO;
}

int kind_make_module(struct arena *arena, const struct tune_tree *tree,
		     const struct tune_change *change, const char *value, const char **why)
{
	static const char *const names[] = {"/usr/sbin/modprobe", "/sbin/modprobe", NULL};
	const char *load[] = {NULL, "--", change->path, NULL};
	const char *unload[] = {NULL, "-r", "--", change->path, NULL};

	if (!tree->live)
		return refuse_scratch(why, "a scratch tree has no kernel to load modules into");
	return run(arena, tree, names, value ? load : unload, why);
}

int kind_make_service(struct arena *arena, const struct tune_tree *tree,
		      const struct tune_change *change, const char *value, const char **why)
{
	static const char *const names[] = {"/usr/bin/systemctl", "/bin/systemctl", NULL};
	const char *argv[] = {NULL, NULL, "--", change->path, NULL};

	if (!tree->live)
		return refuse_scratch(why, "no services run in a scratch tree");
	argv[1] = value && strcmp(value, "active") == 0 ? "start" : "stop";
	return run(arena, tree, names, argv, why);
}

const char *kind_mounted(struct arena *arena, struct view mounts, const char *path)
{
	struct view line, word, option;
	const char *found = NULL;

	while (view_line(&mounts, &line)) {
		if (!view_word(&line, &word) || !view_word(&line, &word) || !view_is(word, path) ||
		    !view_word(&line, &word))
			continue;
		found = view_copy(arena, word);
		if (!view_is(word, "hugetlbfs") || !view_word(&line, &word))
			continue;
		while (view_split(&word, ',', &option)) {
			if (view_starts(option, "pagesize="))
				found = view_copy(arena, option);
		}
	}
	return found;
}

int kind_read_mount(struct arena *arena, const struct tune_tree *tree,
		    const struct tune_change *change, const char **value)
{
	struct view text;
	int number = tune_tree_read(arena, tree, "/proc/mounts", MOUNTS_MAX, &text, NULL);

	if (!number)
		*value = kind_mounted(arena, text, change->path);
	return number;
}

/* Mounted as DPDK's guide has it: what is in there are pages, never programs or devices. */
int kind_make_mount(struct arena *arena, const struct tune_tree *tree,
		    const struct tune_change *change, const char *value, const char **why)
{
	int number;

	(void)arena;
	if (!tree->live)
		return refuse_scratch(why, "nothing is mounted in a scratch tree");
	if (!value) {
		if (umount2(change->path, UMOUNT_NOFOLLOW) < 0 && errno != EINVAL)
			return errno;
		return tune_tree_remove_folder(tree, change->path);
	}
	number = tune_tree_folder(tree, change->path, 0755);
	if (number)
		return number;
	if (mount("hugetlbfs", change->path, "hugetlbfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		  value) == 0)
		return 0;
	number = errno;
	tune_tree_remove_folder(tree, change->path);
	return number;
}
