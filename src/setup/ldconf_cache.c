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

static void add_directory(struct ldconf_future *future, const char *path, const char *real)
{
	struct host *host = future->host;
	struct root_stat stat;
	const char *hwcaps = join(host->arena, real, "glibc-hwcaps");

	future->directories[future->count++] = (struct ldconf_directory){
		.path = path,
		.real = real,
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
	future->full = false;
	future->directories = arena_array(host->arena, struct ldconf_directory,
					  conf->directory_count + future->layout.dir_count);
	for (size_t i = 0; i < conf->directory_count; i++) {
		const struct ldconf_future_line *line = line_of(future, &conf->directories[i]);

		add_directory(future, conf->directories[i].path,
			      line ? line->directory : conf->directories[i].path);
	}
	for (size_t i = 0; i < future->layout.dir_count; i++)
		add_directory(future, future->layout.dirs[i], future->layout.dirs[i]);
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

static void add_made(struct ldconf_future *future, struct ldconf_directory *directory,
		     const char *below, const char *level, const char *file)
{
	struct arena *arena = future->host->arena;
	const char *path = join(arena, below, file), *name;
	struct root_stat stat;
	const struct elf *elf;

	if (!is_library_name(file) || root_lstat(future->host->root, path, &stat) != 0)
		return;
	elf = loader_elf(future->host, path);
	if (elf->number || elf->damage)
		return;
	name = entered_as(file, stat.type == ROOT_LINK, elf);
	directory->items =
		ldconf_room(arena, directory->items, directory->count, sizeof(*directory->items));
	/* Below glibc-hwcaps by the file itself, elsewhere by the link that carries the soname. */
	directory->items[directory->count++] = (struct ldconf_made){
		.name = name,
		.path = level ? path : join(arena, below, name),
		.level = level,
		.flags = ldso_cache_flags(elf->machine, elf->bits),
		.link = stat.type == ROOT_LINK,
	};
}

static void fill_level(struct ldconf_future *future, struct ldconf_directory *directory,
		       const char *level)
{
	const char *below = join(future->host->arena, directory->real, "glibc-hwcaps");
	struct names names;

	below = join(future->host->arena, below, level);
	if (root_list(future->host->root, below, &names) != 0)
		return;
	for (size_t i = 0; i < names.count; i++)
		add_made(future, directory, below, level, names.items[i]);
}

void ldconf_future_fill(struct ldconf_future *future)
{
	struct host *host = future->host;

	future->full = true;
	for (size_t d = 0; d < future->count; d++) {
		struct ldconf_directory *directory = &future->directories[d];
		const struct names *levels = &future->hwcaps.named;
		struct names names;

		if (root_list(host->root, directory->real, &names) != 0)
			continue;
		for (size_t i = 0; i < names.count; i++)
			add_made(future, directory, directory->real, NULL, names.items[i]);
		for (size_t i = 0; directory->hwcaps && i < levels->count; i++)
			fill_level(future, directory, levels->items[i]);
	}
}

/* Among files for one name in a directory of a level: a file before a link, then the later name. */
static const struct ldconf_made *best_of(const struct ldconf_directory *directory,
					 const char *level, const char *name, uint32_t flags)
{
	const struct ldconf_made *best = NULL;

	for (size_t i = 0; i < directory->count; i++) {
		const struct ldconf_made *made = &directory->items[i];

		if (made->flags == flags && text_same(made->level, level) &&
		    strcmp(made->name, name) == 0 && (!best || best->link || !made->link))
			best = made;
	}
	return best;
}

/* One directory, at one level: all of it, or only what is called so. */
static const char *find_in(const struct ldconf_future *future,
			   const struct ldconf_directory *directory, const char *level,
			   const char *name, uint32_t flags)
{
	struct arena *arena = future->host->arena;
	const char *path;

	if (level && !directory->hwcaps)
		return NULL;
	if (future->full) {
		const struct ldconf_made *made = best_of(directory, level, name, flags);

		return made ? made->path : NULL;
	}
	path = level ? arena_printf(arena, "%s/glibc-hwcaps/%s/%s", directory->real, level, name)
		     : join(arena, directory->real, name);
	return is_entered(future, path, name, flags) ? path : NULL;
}

static bool find_level(const struct ldconf_future *future, const char *level, const char *name,
		       uint32_t flags, struct ldso_entry *out)
{
	for (size_t i = 0; i < future->count; i++) {
		const char *path = find_in(future, &future->directories[i], level, name, flags);

		if (!path)
			continue;
		*out = (struct ldso_entry){.name = name, .path = path, .flags = flags};
		return true;
	}
	return false;
}

/* Subdirectories of before glibc 2.37. */
static bool find_legacy(const struct ldconf_future *future, const char *below, const char *name,
			uint32_t flags, struct ldso_entry *out)
{
	for (size_t i = 0; i < future->count; i++) {
		const char *path = arena_printf(future->host->arena, "%s/%s/%s",
						future->directories[i].real, below, name);

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

	if (!flags || !is_library_name(name))
		return false;
	for (size_t i = 0; i < hwcaps->named.count; i++) {
		if (find_level(future, hwcaps->named.items[i], name, flags, out))
			return true;
	}
	for (size_t i = 0; i < hwcaps->legacy.count; i++) {
		if (find_legacy(future, hwcaps->legacy.items[i], name, flags, out))
			return true;
	}
	return find_level(future, NULL, name, flags, out);
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
