// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/ldso.h"
#include "host/root.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define CONF "/etc/ld.so.conf"
#define PATTERNS_MAX 64

/* One walk through ld.so.conf and what it includes, in ldconfig's order. */
struct reading {
	struct root *root;
	struct arena *arena;
	struct ldso_conf *conf;
	const struct ldso_edit *edits;
	size_t edit_count;
	size_t files;
	struct names listed; /* directories whose other files were looked at */
};

/* Where a line stands. */
struct place {
	const char *file;
	unsigned line;
	struct view text;
};

static void read_file(struct reading *reading, const char *path, unsigned depth);

/* Room for one more: arrays double when `count` is 0, 8, 16, 32 … */
static void *room(struct arena *arena, void *items, size_t count, size_t size)
{
	void *grown;

	if (count && (count < 8 || (count & (count - 1))))
		return items;
	grown = arena_alloc_array(arena, count ? count * 2 : 8, size);
	if (count)
		memcpy(grown, items, count * size);
	return grown;
}

static void problem(struct reading *reading, const struct place *place, const char *why)
{
	struct ldso_conf *conf = reading->conf;

	if (conf->problem_count == LDSO_DIRECTORIES_MAX)
		return;
	conf->problems =
		room(reading->arena, conf->problems, conf->problem_count, sizeof(*conf->problems));
	conf->problems[conf->problem_count++] = (struct ldso_problem){
		.file = place->file,
		.line = place->line,
		.text = place->line ? text_printable(reading->arena, view_trim(place->text)) : NULL,
		.why = why,
	};
}

static void unread(struct reading *reading, const char *path, int number)
{
	if (reading->conf->number)
		return;
	reading->conf->number = number;
	reading->conf->unread = path;
}

/* ---- What is wrong with a line. The first row that fits is told. */

static bool has_bom(const char *path)
{
	return strncmp(path, "\xef\xbb\xbf", 3) == 0;
}

/* U+2018 to U+201F, U+00AB, U+00BB: what editors and web pages make of quotation marks. */
static bool has_typographic_quote(const char *path)
{
	for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
		if (c[0] == 0xe2 && c[1] == 0x80 && c[2] >= 0x98 && c[2] <= 0x9f)
			return true;
		if (c[0] == 0xc2 && (c[1] == 0xab || c[1] == 0xbb))
			return true;
	}
	return false;
}

static bool has_quote(const char *path)
{
	return strchr(path, '"') || strchr(path, '\'');
}

static bool has_tilde(const char *path)
{
	return path[0] == '~';
}

static bool has_variable(const char *path)
{
	return strchr(path, '$');
}

static bool has_colon(const char *path)
{
	return strchr(path, ':') || strchr(path, ',');
}

static bool is_two_paths(const char *path)
{
	const char *blank = path + strcspn(path, " \t");

	return path[0] == '/' && blank[strspn(blank, " \t")] == '/';
}

static bool is_relative(const char *path)
{
	return path[0] != '/';
}

static const struct {
	bool (*fits)(const char *path);
	const char *why;
} lint[] = {
	{has_bom, "starts with a byte order mark, which becomes part of the path"},
	{has_typographic_quote,
	 "typographic quotes become part of the path: the line does nothing"},
	{has_quote, "quotes become part of the path: the line does nothing"},
	{has_tilde, "~ is not expanded"},
	{has_variable, "variables are not expanded"},
	{has_colon, "one line is one directory: the separator becomes part of the path"},
	{is_two_paths, "two directories on one line are read as one path with a blank"},
	{is_relative, "a relative path depends on where ldconfig and each program are started"},
};

static bool lint_path(struct reading *reading, const struct place *place, const char *path)
{
	for (size_t i = 0; i < sizeof(lint) / sizeof(lint[0]); i++) {
		struct root_stat stat;

		if (!lint[i].fits(path))
			continue;
		/* A directory that really has such a name is what it was meant to be. */
		if (path[0] == '/' && root_stat(reading->root, path, &stat) == 0)
			return true;
		problem(reading, place, lint[i].why);
		return false;
	}
	return true;
}

/* ---- Lines, as ldconfig takes them. */

static void add_directory(struct reading *reading, const struct place *place, char *path)
{
	struct ldso_conf *conf = reading->conf;
	struct root_stat stat;
	size_t size = strlen(path);
	int number;

	while (size > 1 && path[size - 1] == '/')
		path[--size] = '\0';
	if (!lint_path(reading, place, path) || path[0] != '/')
		return;
	for (size_t i = 0; i < conf->directory_count; i++)
		if (strcmp(conf->directories[i].path, path) == 0)
			return;
	number = root_stat(reading->root, path, &stat);
	if (number == ENOENT || number == ENOTDIR)
		problem(reading, place, "there is no such directory");
	else if (number)
		unread(reading, path, number);
	else if (stat.type != ROOT_DIR)
		problem(reading, place, "is not a directory");
	if (conf->directory_count == LDSO_DIRECTORIES_MAX) {
		problem(reading, place, "more directories than 1024");
		return;
	}
	conf->directories = room(reading->arena, conf->directories, conf->directory_count,
				 sizeof(*conf->directories));
	conf->directories[conf->directory_count++] =
		(struct ldso_directory){.path = path, .file = place->file, .line = place->line};
}

static const char *directory_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	return arena_copy(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

/* Files beside included ones whose names the pattern misses: somebody meant them to count. */
static void lint_names(struct reading *reading, const char *directory, const struct names *names,
		       const char *pattern)
{
	if (strcmp(pattern, "*.conf") != 0 || names_has(&reading->listed, directory))
		return;
	names_add(reading->arena, &reading->listed, directory);
	for (size_t i = 0; i < names->count; i++) {
		struct place place = {
			.file = arena_printf(reading->arena, "%s/%s", directory, names->items[i])};

		if (names->items[i][0] != '.' && fnmatch(pattern, names->items[i], FNM_PERIOD) != 0)
			problem(reading, &place, "is not read: its name does not end in .conf");
	}
}

/* The order of the C locale, in which package managers run ldconfig. */
static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const struct ldso_edit *edit_of(const struct reading *reading, const char *path)
{
	for (size_t i = 0; i < reading->edit_count; i++)
		if (strcmp(reading->edits[i].path, path) == 0)
			return &reading->edits[i];
	return NULL;
}

/* The names of a directory once the edits are made, in the order in which ldconfig takes them. */
static struct names edited_names(struct reading *reading, const char *directory,
				 const struct names *listed)
{
	struct names names = {0};

	for (size_t i = 0; i < listed->count; i++) {
		const char *path =
			arena_printf(reading->arena, "%s/%s", directory, listed->items[i]);

		if (!edit_of(reading, path))
			names_add(reading->arena, &names, listed->items[i]);
	}
	for (size_t i = 0; i < reading->edit_count; i++) {
		const struct ldso_edit *edit = &reading->edits[i];

		if (edit->text && strcmp(directory_of(reading->arena, edit->path), directory) == 0)
			names_add(reading->arena, &names, strrchr(edit->path, '/') + 1);
	}
	qsort(names.items, names.count, sizeof(*names.items), by_bytes);
	return names;
}

/* A pattern in the last component, as distributions use it; in other components it is told as a
 * problem. */
static void include(struct reading *reading, const struct place *place, const char *pattern,
		    unsigned depth)
{
	const char *name, *directory;
	struct names names, listed;
	int number;

	if (pattern[0] != '/')
		pattern = arena_printf(reading->arena, "%s/%s",
				       directory_of(reading->arena, place->file), pattern);
	name = strrchr(pattern, '/') + 1;
	directory = directory_of(reading->arena, pattern);
	if (strpbrk(directory, "*?[")) {
		problem(reading, place,
			"patterns are followed here in the last part of the path only");
		return;
	}
	if (!strpbrk(name, "*?[")) {
		read_file(reading, pattern, depth + 1);
		return;
	}
	number = root_list(reading->root, directory, &listed);
	if (number == ENOENT)
		return;
	if (number) {
		unread(reading, directory, number);
		return;
	}
	names = edited_names(reading, directory, &listed);
	lint_names(reading, directory, &names, name);
	for (size_t i = 0; i < names.count; i++)
		if (fnmatch(name, names.items[i], FNM_PERIOD) == 0)
			read_file(reading,
				  arena_printf(reading->arena, "%s/%s", directory, names.items[i]),
				  depth + 1);
}

static void read_line(struct reading *reading, struct place *place, unsigned depth)
{
	char *text = view_copy(reading->arena, place->text), *end;
	struct view rest, pattern;

	text[strcspn(text, "#")] = '\0';
	text += strspn(text, " \t\f\v\r");
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	if (!*text)
		return;
	if (strncmp(text, "include", 7) == 0 && (text[7] == ' ' || text[7] == '\t')) {
		rest = view_of(text + 8);
		for (unsigned i = 0; i < PATTERNS_MAX && view_word(&rest, &pattern); i++)
			include(reading, place, view_copy(reading->arena, pattern), depth);
		return;
	}
	/* Old glibc read "hwcap NUMBER NAME"; the current one ignores it. */
	if (strncmp(text, "hwcap", 5) == 0 && (text[5] == ' ' || text[5] == '\t'))
		return;
	add_directory(reading, place, text);
}

static void read_file(struct reading *reading, const char *path, unsigned depth)
{
	const struct ldso_edit *edit = edit_of(reading, path);
	struct place place = {.file = path};
	struct view rest;
	int number;

	if (depth > LDSO_CONF_DEPTH_MAX || reading->files++ >= LDSO_CONF_FILES_MAX) {
		problem(reading, &place, "is included too deeply or in a circle");
		return;
	}
	if (edit) {
		rest = view_of(edit->text);
		number = edit->text ? 0 : ENOENT;
	} else {
		number = root_read(reading->root, path, &rest);
	}
	if (number == EISDIR) {
		problem(reading, &place, "is a directory, not a file");
		return;
	}
	if (number == ENOENT && depth) {
		problem(reading, &place, "is included but does not exist");
		return;
	}
	if (number) {
		unread(reading, path, number);
		return;
	}
	while (view_line(&rest, &place.text)) {
		place.line++;
		read_line(reading, &place, depth);
	}
}

void ldso_conf_read_edited(struct root *root, const struct ldso_edit *edits, size_t count,
			   struct ldso_conf *conf)
{
	struct reading reading = {
		.root = root,
		.arena = root_arena(root),
		.conf = conf,
		.edits = edits,
		.edit_count = count,
	};

	*conf = (struct ldso_conf){0};
	read_file(&reading, CONF, 0);
}

void ldso_conf_read(struct root *root, struct ldso_conf *conf)
{
	ldso_conf_read_edited(root, NULL, 0, conf);
}
