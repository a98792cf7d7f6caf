// SPDX-License-Identifier: BSD-2-Clause
#include "tune/kinds.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "tune/kinds_make.h"
#include "tune/tree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CGROUP "/sys/fs/cgroup"

const char *kind_choice(struct arena *arena, const char *line)
{
	const char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL;

	return close ? arena_copy(arena, open + 1, (size_t)(close - open - 1)) : line;
}

const char *kind_choose(struct arena *arena, const char *line, const char *word)
{
	struct buffer out = buffer_new(arena, TUNE_LINE_MAX);
	struct view rest = view_of(line), part;
	bool found = false;

	if (!strchr(line, '['))
		return word;
	while (view_word(&rest, &part)) {
		if (view_starts(part, "[") && view_ends(part, "]") && part.size > 2)
			part = (struct view){part.at + 1, part.size - 2};
		buffer_text(&out, out.size ? " " : "");
		found |= view_is(part, word);
		buffer_printf(&out, view_is(part, word) ? "[%s]" : "%s", view_copy(arena, part));
	}
	return found ? buffer_string(&out) : word;
}

/* What the record, which is JSON, gives back as it was. */
static bool is_text(struct view text)
{
	uint32_t code;

	while (text.size) {
		size_t size = utf8_next(text, &code);

		if (!size || !code)
			return false;
		text = (struct view){text.at + size, text.size - size};
	}
	return true;
}

static int read_word(struct arena *arena, const struct tune_tree *tree,
		     const struct tune_change *change, const char **value)
{
	const char *line;
	int number = tune_tree_line(arena, tree, change->path, &line);

	if (number)
		return number;
	if (!is_text(view_of(line)))
		return EBADMSG;
	*value = kind_choice(arena, line);
	return 0;
}

/* A kernel puts the brackets there itself, in a scratch tree nobody else does. */
static int make_word(struct arena *arena, const struct tune_tree *tree,
		     const struct tune_change *change, const char *value, const char **why)
{
	const char *line;

	if (!value) {
		*why = "it cannot be taken away";
		return EINVAL;
	}
	if (!tree->live && tune_tree_line(arena, tree, change->path, &line) == 0)
		value = kind_choose(arena, line, value);
	return tune_tree_word(tree, change->path, value);
}

static int read_module(struct arena *arena, const struct tune_tree *tree,
		       const struct tune_change *change, const char **value)
{
	char *path = arena_printf(arena, "/sys/module/%s", change->path);
	int number;

	for (char *at = path; *at; at++) {
		if (*at == '-')
			*at = '_';
	}
	number = tune_tree_exists(tree, path);
	*value = number ? NULL : "loaded";
	return number == ENOENT ? 0 : number;
}

static int read_service(struct arena *arena, const struct tune_tree *tree,
			const struct tune_change *change, const char **value)
{
	static const char *const slices[] = {CGROUP, CGROUP "/systemd"};
	bool seen = false;

	*value = "inactive";
	for (size_t i = 0; i < 2; i++) {
		const char *slice = arena_printf(arena, "%s/system.slice", slices[i]);

		if (tune_tree_exists(tree, slice))
			continue;
		seen = true;
		if (tune_tree_exists(tree, arena_printf(arena, "%s/%s", slice, change->path)) == 0)
			*value = "active";
	}
	return seen ? 0 : ENOENT;
}

static int read_file(struct arena *arena, const struct tune_tree *tree,
		     const struct tune_change *change, const char **value)
{
	struct view text;
	int number = tune_tree_read(arena, tree, change->path, TUNE_FILE_MAX, &text, NULL);

	*value = NULL;
	if (number)
		return number == ENOENT ? 0 : number;
	if (!is_text(text))
		return EBADMSG;
	*value = view_copy(arena, text);
	return 0;
}

static int make_file(struct arena *arena, const struct tune_tree *tree,
		     const struct tune_change *change, const char *value, const char **why)
{
	(void)arena;
	(void)why;
	return value ? tune_tree_file(tree, change->path, 0644, view_of(value))
		     : tune_tree_remove(tree, change->path);
}

static int read_folder(struct arena *arena, const struct tune_tree *tree,
		       const struct tune_change *change, const char **value)
{
	int number = tune_tree_exists(tree, change->path);

	(void)arena;
	*value = number ? NULL : "";
	return number == ENOENT ? 0 : number;
}

static int make_folder(struct arena *arena, const struct tune_tree *tree,
		       const struct tune_change *change, const char *value, const char **why)
{
	(void)arena;
	(void)why;
	return value ? tune_tree_folder(tree, change->path, 0755)
		     : tune_tree_remove_folder(tree, change->path);
}

static bool is_below(const char *path, const char *top)
{
	return strncmp(path, top, strlen(top)) == 0 && !strstr(path, "/../") &&
	       !view_ends(view_of(path), "/..") && !strchr(path, '\n');
}

static bool is_name(const char *text)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.@";

	return *text && *text != '-' && *text != '.' && strlen(text) <= 128 &&
	       !text[strspn(text, letters)];
}

static bool is_number(const char *text)
{
	uint64_t number;

	return text && view_u64(view_of(text), 10, &number) && number <= INT32_MAX;
}

static bool is_line(const char *text)
{
	return text && !strchr(text, '\n');
}

static const char *word_fault(const struct tune_change *change)
{
	if (!is_below(change->path, "/sys/") && !is_below(change->path, "/proc/sys/"))
		return "a word stands below /sys or /proc/sys";
	return is_line(change->wanted) && is_line(change->before) ? NULL : "a word is one line";
}

static const char *pages_fault(const struct tune_change *change)
{
	if (!is_below(change->path, "/sys/") || !view_ends(view_of(change->path), "/nr_hugepages"))
		return "a pool is a file nr_hugepages below /sys";
	return is_number(change->wanted) && is_number(change->before) ? NULL : "pages are a number";
}

static const char *module_fault(const struct tune_change *change)
{
	return is_name(change->path) && strcmp(change->wanted, "loaded") == 0 && !change->before
		       ? NULL
		       : "a module is a name that was not loaded";
}

static const char *mount_fault(const struct tune_change *change)
{
	static const char mount[] = "/dev/hugepages-", option[] = "pagesize=";

	return is_below(change->path, mount) && is_name(change->path + strlen(mount)) &&
			       !change->before && is_below(change->wanted, option) &&
			       is_name(change->wanted + strlen(option))
		       ? NULL
		       : "a mount is /dev/hugepages-SIZE, pagesize=SIZE";
}

static const char *etc_fault(const struct tune_change *change)
{
	return is_below(change->path, "/etc/") ? NULL : "files stand below /etc";
}

static const char *service_fault(const struct tune_change *change)
{
	return is_name(change->path) && is_line(change->before) ? NULL : "a service is a name";
}

static const struct {
	struct kind kind;
	const char *(*fault)(const struct tune_change *change);
} kinds[] = {
	[TUNE_WORD] = {{read_word, make_word, false}, word_fault},
	[TUNE_PAGES] = {{read_word, make_word, false}, pages_fault},
	[TUNE_MODULE] = {{read_module, kind_make_module, false}, module_fault},
	[TUNE_MOUNT] = {{kind_read_mount, kind_make_mount, false}, mount_fault},
	[TUNE_FILE] = {{read_file, make_file, true}, etc_fault},
	[TUNE_FOLDER] = {{read_folder, make_folder, true}, etc_fault},
	[TUNE_SERVICE] = {{read_service, kind_make_service, false}, service_fault},
};

static size_t index_of(const char *word)
{
	size_t i = 0;

	while (tune_kind_words[i] && strcmp(tune_kind_words[i], word) != 0)
		i++;
	return i;
}

const struct kind *kind_of(const char *word)
{
	size_t i = index_of(word);

	return tune_kind_words[i] ? &kinds[i].kind : NULL;
}

bool kind_takes(const struct tune_change *change, const char **fault)
{
	size_t i = index_of(change->kind);

	*fault = tune_kind_words[i] ? kinds[i].fault(change) : "no kind of change";
	return !*fault;
}

/* More than there were, and not more than were wanted: a run was ended while the kernel gave them,
 * or took them back. */
static bool is_between(const struct tune_change *change, const char *value)
{
	uint64_t now, before, wanted;

	return strcmp(change->kind, tune_kind_words[TUNE_PAGES]) == 0 &&
	       view_u64(view_of(value), 10, &now) &&
	       view_u64(view_of(change->before), 10, &before) &&
	       view_u64(view_of(change->wanted), 10, &wanted) && now > before && now < wanted;
}

bool kind_is_ours(const struct tune_change *change, const char *value)
{
	if (!value)
		return false;
	return text_same(value, change->wanted) || names_has(&change->earlier, value) ||
	       is_between(change, value);
}
