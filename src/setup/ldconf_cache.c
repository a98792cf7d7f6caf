// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/host.h"
#include "setup/ldconf_private.h"

#include <string.h>

void *ldconf_room(struct arena *arena, void *items, size_t count, size_t size)
{
	void *grown;

	if (count && (count < 8 || (count & (count - 1))))
		return items;
	grown = arena_alloc_array(arena, count ? count * 2 : 8, size);
	if (count)
		memcpy(grown, items, count * size);
	return grown;
}

bool ldconf_same_file(struct host *host, const char *a, const char *b)
{
	struct root_stat left, right;

	return strcmp(a, b) == 0 ||
	       (root_stat(host->root, a, &left) == 0 && root_stat(host->root, b, &right) == 0 &&
		left.inode && left.inode == right.inode && left.device == right.device);
}

/* What ldconfig takes for a library, by its name (search_dir() of elf/ldconfig.c). */
static bool is_library_name(const char *name)
{
	size_t size = strlen(name);

	if (strncmp(name, "lib", 3) != 0 && strncmp(name, "ld-", 3) != 0)
		return false;
	return strstr(name, ".so") && (size < 7 || strcmp(name + size - 7, "-gdb.py") != 0);
}

static const char *join(struct arena *arena, const char *directory, const char *name)
{
	return arena_printf(arena, "%s/%s", directory, name);
}

/* ---- The directories, in the order in which ldconfig takes them. */

static const struct ldconf_future_line *line_of(const struct ldconf_future *future,
						const struct ldso_directory *directory)
{
	if (strcmp(directory->file, LDCONF_SAFE_FILE) != 0 &&
	    strcmp(directory->file, LDCONF_ALL_FILE) != 0)
		return NULL;
	for (size_t i = 0; i < future->line_count; i++) {
		if (strcmp(future->lines[i].line, directory->path) == 0)
			return &future->lines[i];
	}
	return NULL;
}

static void add_directory(struct ldconf_future *future, const char *path, const char *real,
			  bool ours)
{
	struct host *host = future->host;
	struct root_stat stat;
	const char *hwcaps = join(host->arena, real, "glibc-hwcaps");

	future->directories[future->count++] = (struct ldconf_directory){
		.path = path,
		.real = real,
		.ours = ours,
		.hwcaps = root_stat(host->root, hwcaps, &stat) == 0 && stat.type == ROOT_DIR,
	};
}

void ldconf_future_read(struct ldconf_future *future, const char *const texts[LDCONF_FILES])
{
	struct host *host = future->host;
	struct ldso_edit edits[LDCONF_FILES];
	const struct ldso_conf *conf = &future->conf;

	for (size_t i = 0; i < LDCONF_FILES; i++)
		edits[i] = (struct ldso_edit){.path = ldconf_files[i], .text = texts[i]};
	ldso_conf_read_edited(host->root, edits, LDCONF_FILES, &future->conf);
	future->count = 0;
	future->directories = arena_array(host->arena, struct ldconf_directory,
					  conf->directory_count + future->layout.dir_count);
	for (size_t i = 0; i < conf->directory_count; i++) {
		const struct ldconf_future_line *line = line_of(future, &conf->directories[i]);

		add_directory(future, conf->directories[i].path,
			      line ? line->directory : conf->directories[i].path, line);
	}
	for (size_t i = 0; i < future->layout.dir_count; i++)
		add_directory(future, future->layout.dirs[i], future->layout.dirs[i], false);
}

const char *ldconf_future_path(const struct ldconf_future *future, const char *path)
{
	for (size_t i = 0; path && i < future->line_count; i++) {
		const struct ldconf_future_line *line = &future->lines[i];
		size_t size = strlen(line->directory);

		if (strncmp(path, line->directory, size) == 0 && path[size] == '/')
			return arena_printf(future->host->arena, "%s%s", line->line, path + size);
	}
	return path;
}

/* ---- What wins for a name. */

/* The name by which ldconfig enters a file: its soname; but a link that is called by the soname, or
 * is the one for ld(1), by its own. */
static const char *entered_as(const char *name, bool link, const struct elf *elf)
{
	if (!elf->soname)
		return name;
	if (link && view_ends(view_of(name), ".so") &&
	    strncmp(name, elf->soname, strlen(name)) == 0)
		return name;
	return elf->soname;
}

static bool is_entered(const struct ldconf_future *future, const char *path, const char *name,
		       uint32_t flags)
{
	const struct elf *elf;
	struct root_stat stat;

	if (root_lstat(future->host->root, path, &stat) != 0)
		return false;
	elf = loader_elf(future->host, path);
	if (elf->number || elf->damage || ldso_cache_flags(elf->machine, elf->bits) != flags)
		return false;
	return strcmp(entered_as(name, stat.type == ROOT_LINK, elf), name) == 0;
}

static bool find_below(const struct ldconf_future *future, const char *below, const char *name,
		       uint32_t flags, struct ldso_entry *out)
{
	struct arena *arena = future->host->arena;

	for (size_t i = 0; i < future->count; i++) {
		const struct ldconf_directory *directory = &future->directories[i];
		const char *path;

		if (strncmp(below, "glibc-hwcaps/", 13) == 0 && !directory->hwcaps)
			continue;
		path = arena_printf(arena, "%s/%s%s", directory->real, below, name);
		if (!is_entered(future, path, name, flags))
			continue;
		*out = (struct ldso_entry){.name = name, .path = path, .flags = flags};
		return true;
	}
	return false;
}

bool ldconf_future_find(void *context, const char *name, uint32_t flags,
			const struct ldso_hwcaps *hwcaps, struct ldso_entry *out)
{
	const struct ldconf_future *future = context;
	struct arena *arena = future->host->arena;

	if (!flags || !is_library_name(name))
		return false;
	for (size_t i = 0; i < hwcaps->named.count; i++) {
		if (find_below(future,
			       join(arena, "glibc-hwcaps", join(arena, hwcaps->named.items[i], "")),
			       name, flags, out))
			return true;
	}
	for (size_t i = 0; i < hwcaps->legacy.count; i++) {
		if (find_below(future, join(arena, hwcaps->legacy.items[i], ""), name, flags, out))
			return true;
	}
	return find_below(future, "", name, flags, out);
}

/* ---- What one directory holds. */

/* A file under a name that is not its soname: ldconfig links the soname to it, or moves the link.
 */
static void check_link(struct host *host, const char *directory, const char *name,
		       const struct elf *elf, struct ldconf_libraries *libraries)
{
	const char *link = join(host->arena, directory, elf->soname);
	struct root_stat stat;

	if (libraries->fault)
		return;
	if (root_lstat(host->root, link, &stat) != 0)
		libraries->fault = arena_printf(host->arena,
						"%s has no %s: ldconfig would make that link in it",
						directory, elf->soname);
	else if (!ldconf_same_file(host, link, join(host->arena, directory, name)))
		libraries->fault = arena_printf(
			host->arena, "%s has two files for %s: ldconfig may move the link",
			directory, elf->soname);
}

static void add_library(struct host *host, const char *directory, const char *name,
			struct ldconf_libraries *libraries)
{
	const char *path = join(host->arena, directory, name);
	struct elf *elf = loader_elf(host, path);
	struct root_stat stat;
	const char *soname;

	if (elf->number || elf->damage || elf->type != ELF_TYPE_DYN ||
	    root_lstat(host->root, path, &stat) != 0)
		return;
	if (!libraries->first)
		libraries->first = elf;
	soname = entered_as(name, stat.type == ROOT_LINK, elf);
	if (strcmp(soname, name) != 0)
		check_link(host, directory, name, elf, libraries);
	if (!names_has(&libraries->sonames, soname))
		names_add(host->arena, &libraries->sonames, soname);
}

int ldconf_libraries_read(struct host *host, const char *directory,
			  struct ldconf_libraries *libraries)
{
	struct names names;
	int number = root_list(host->root, directory, &names);

	*libraries = (struct ldconf_libraries){0};
	for (size_t i = 0; number == 0 && i < names.count; i++) {
		if (is_library_name(names.items[i]))
			add_library(host, directory, names.items[i], libraries);
	}
	return number;
}
