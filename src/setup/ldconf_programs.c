// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/host.h"
#include "setup/ldconf_private.h"

#include <string.h>

/*
 * Who would load what. Names whose winner changes are found first; then every program of the usual
 * directories, and every shared object that somebody may dlopen(), is loaded twice by the loader's
 * model, and the two are compared.
 */
#define PATHS_MAX 65536u
#define DEPTH_MAX 8

struct scan {
	struct host *host;
	struct arena *arena;
	struct ldconf_future *future;
	struct ldconf_plan *plan;
	struct names changed; /* sonames that will be found elsewhere */
	bool everything;      /* there is no cache now: every search changes */
	size_t paths;
	struct elf **seen;
	size_t seen_count;
	size_t broken;      /* programs that would not start */
	const char *breaks; /* the first of them, and why */
	size_t unknown;     /* programs whose libraries could not all be read */
};

/* Flat ones first: there a file may be a link to anywhere. */
static const struct {
	const char *path;
	bool deep;
} places[] = {
	{"/usr/local/sbin", false},
	{"/usr/local/bin", false},
	{"/usr/sbin", false},
	{"/usr/bin", false},
	{"/sbin", false},
	{"/bin", false},
	{"/usr/libexec", true},
	{"/usr/lib", true},
	{"/usr/lib64", true},
	{"/lib", true},
	{"/lib64", true},
	{"/usr/local/lib", true},
	{"/usr/local/libexec", true},
};

/* Directories below those that hold many files and none of interest. */
static const char *const passed_over[] = {"modules", "firmware", "debug", "locale"};

/* Ends of names that are no programs. */
static const char *const other_files[] = {
	".py", ".pyc", ".pm", ".pl", ".a", ".o", ".h", ".la", ".pc", ".ko", ".xz", ".gz", ".txt",
};

/* What a person has to know of a program beyond its symbols. */
static const struct {
	const char *program, *note;
} known[] = {
	{"sshd", "releases of sshd before 9.4 refuse a libcrypto of another minor version than "
		 "they were built with: run sshd -t before this session ends"},
};

/* ---- Names that will be found elsewhere. */

static void check_name(struct scan *scan, const char *name, uint32_t flags)
{
	const struct ldso_cache *cache = &host_loader(scan->host)->cache;
	const struct ldso_hwcaps *hwcaps = &scan->future->hwcaps;
	struct ldso_entry before = {0}, after = {0};
	bool was = ldso_cache_find(cache, name, flags, hwcaps, &before);
	bool will = ldconf_future_find(scan->future, name, flags, hwcaps, &after);
	const char *to = will ? ldconf_future_path(scan->future, after.path) : NULL;

	if (!was && !will)
		return;
	if (was && will && ldconf_same_file(scan->host, before.path, after.path))
		return;
	names_add(scan->arena, &scan->changed, name);
	if (to && to != after.path)
		return;
	if (!was)
		return;
	names_add(scan->arena, &scan->plan->notes,
		  arena_printf(scan->arena,
			       "ldconfig has not run since %s changed: the cache has %s, ldconfig "
			       "would enter %s",
			       name, before.path, to ? to : "nothing"));
}

static void find_changed(struct scan *scan, const struct names *sonames, uint32_t flags)
{
	const struct ldso_cache *cache = &host_loader(scan->host)->cache;
	struct ldso_entry entry;
	const char *last = "";

	scan->everything = cache->number || cache->damage;
	for (size_t i = 0; i < sonames->count; i++)
		check_name(scan, sonames->items[i], flags);
	for (size_t d = 0; d < scan->future->count; d++) {
		const struct ldconf_directory *directory = &scan->future->directories[d];

		for (size_t i = 0; i < directory->count; i++) {
			const char *name = directory->items[i].name;

			if (directory->items[i].flags == flags && !names_has(sonames, name) &&
			    !names_has(&scan->changed, name))
				check_name(scan, name, flags);
		}
	}
	for (uint32_t i = 0; i < cache->count; i++) {
		if (!ldso_cache_entry(cache, i, &entry) || entry.flags != flags ||
		    strcmp(entry.name, last) == 0)
			continue;
		last = entry.name;
		if (!names_has(sonames, last) && !names_has(&scan->changed, last))
			check_name(scan, last, flags);
	}
}

/* ---- One program. */

static bool is_touched(const struct scan *scan, const struct loader_run *run)
{
	if (scan->everything)
		return true;
	for (size_t i = 0; i < run->count; i++) {
		if (names_has(&scan->changed, run->objects[i]->name))
			return true;
	}
	return false;
}

static bool needs_changed(const struct scan *scan, const struct elf *elf)
{
	for (size_t i = 0; i < elf->needed.count; i++) {
		if (names_has(&scan->changed, elf->needed.items[i]))
			return true;
	}
	return false;
}

static const struct loader_object *object_of(const struct loader_run *run, const char *name)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct loader_object *object = run->objects[i];

		if (strcmp(object->name, name) == 0 || names_has(&object->aliases, name))
			return object;
	}
	return NULL;
}

static bool lacked_before(const struct loader_run *before, const struct loader_version *version)
{
	for (size_t i = 0; i < before->version_count; i++) {
		const struct loader_version *had = &before->versions[i];

		if (strcmp(had->version, version->version) == 0 &&
		    strcmp(had->object->name, version->object->name) == 0 &&
		    strcmp(had->from->name, version->from->name) == 0)
			return true;
	}
	return false;
}

static void add_missing(struct scan *scan, const struct loader_run *before,
			const struct loader_run *after, struct ldconf_change *change)
{
	for (size_t i = 0; i < after->version_count; i++) {
		const struct loader_version *version = &after->versions[i];

		if (strcmp(version->from->name, change->library) == 0 &&
		    !lacked_before(before, version) &&
		    !names_has(&change->missing, version->version))
			names_add(scan->arena, &change->missing, version->version);
	}
}

/* The first reason why it would not start any more, for people; NULL. */
static const char *broken_by(struct scan *scan, const struct ldconf_change *change)
{
	if (!change->to && change->from)
		return arena_printf(scan->arena, "%s: %s would not be found", change->program,
				    change->library);
	if (change->missing.count)
		return arena_printf(scan->arena, "%s: %s of %s is not in %s", change->program,
				    names_join(scan->arena, &change->missing, ", "),
				    change->library, change->to);
	return NULL;
}

static void add_change(struct scan *scan, const struct ldconf_change *change)
{
	struct ldconf_plan *plan = scan->plan;

	plan->changes.items = ldconf_room(scan->arena, plan->changes.items, plan->changes.count,
					  sizeof(*plan->changes.items));
	plan->changes.items[plan->changes.count++] = *change;
}

/* A path now that is as it will be called, but of another file: told by where it leads. */
static const char *leads_to(struct scan *scan, const char *path, const char *to)
{
	const char *real;

	return path && to && strcmp(path, to) == 0 &&
			       root_resolve(scan->host->root, path, &real) == 0
		       ? real
		       : path;
}

static bool is_change(struct scan *scan, const struct loader_object *was,
		      const struct loader_object *will)
{
	if (!was || !was->path)
		return will->path;
	return !will->path || !ldconf_same_file(scan->host, was->path, will->path);
}

static void compare(struct scan *scan, const char *program, const struct loader_run *before,
		    const struct loader_run *after)
{
	const char *why = NULL;

	for (size_t i = 1; i < after->count; i++) {
		const struct loader_object *will = after->objects[i],
					   *was = object_of(before, will->name);
		struct ldconf_change change = {.program = program, .library = will->name};

		change.to = ldconf_future_path(scan->future, will->path);
		change.cause = change.to != will->path ? "entry" : "ldconfig";
		add_missing(scan, before, after, &change);
		if (!is_change(scan, was, will) && !change.missing.count)
			continue;
		change.from = leads_to(scan, was ? was->path : NULL, change.to);
		add_change(scan, &change);
		why = why ? why : broken_by(scan, &change);
	}
	if (!why && after->failure && !before->failure)
		why = arena_printf(scan->arena, "%s: %s", program, after->failure);
	scan->broken += why != NULL;
	scan->breaks = scan->breaks ? scan->breaks : why;
}

/* A file of a directory of libraries: in it, or in its directories for processor levels. */
static bool is_in(const char *path, const char *directory)
{
	static const char levels[] = "glibc-hwcaps/";
	size_t size = strlen(directory);

	if (!ldconf_is_below(path, directory))
		return false;
	path += size + 1;
	if (strncmp(path, levels, strlen(levels)) == 0)
		path = strchr(path + strlen(levels), '/') + 1;
	return !strchr(path, '/');
}

/* A library is told of only when it would break: programs that load it are in the list. */
static bool is_told(const struct scan *scan, const struct elf *elf, const char *path)
{
	for (size_t i = 0; !elf->interp && i < scan->future->count; i++) {
		if (is_in(path, scan->future->directories[i].path))
			return false;
	}
	return true;
}

static void check_program(struct scan *scan, const char *path)
{
	struct loader_options now = {0},
			      then = {.cache = ldconf_future_find, .context = scan->future};
	struct elf *elf = loader_elf(scan->host, path);
	const struct loader_run *before;
	size_t count = scan->plan->changes.count, broken = scan->broken;

	if (elf->number || elf->damage || !elf->dynamic)
		return;
	for (size_t i = 0; i < scan->seen_count; i++) {
		if (scan->seen[i] == elf)
			return;
	}
	scan->seen = ldconf_room(scan->arena, scan->seen, scan->seen_count, sizeof(struct elf *));
	scan->seen[scan->seen_count++] = elf;
	if (!elf->interp && !needs_changed(scan, elf))
		return;
	before = loader_run(scan->host, path, &now);
	scan->unknown += before->unknown != NULL;
	if (!is_touched(scan, before))
		return;
	compare(scan, path, before, loader_run(scan->host, path, &then));
	if (scan->broken == broken && !is_told(scan, elf, path))
		scan->plan->changes.count = count;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (scan->plan->changes.count > count &&
		    strcmp(strrchr(path, '/') + 1, known[i].program) == 0)
			names_add(scan->arena, &scan->plan->notes, known[i].note);
	}
}

/* ---- All of them. */

static bool is_other_file(const char *name)
{
	for (size_t i = 0; i < sizeof(other_files) / sizeof(other_files[0]); i++) {
		if (view_ends(view_of(name), other_files[i]))
			return true;
	}
	return false;
}

static bool is_passed_over(const char *name)
{
	for (size_t i = 0; i < sizeof(passed_over) / sizeof(passed_over[0]); i++) {
		if (strcmp(name, passed_over[i]) == 0)
			return true;
	}
	return false;
}

static void walk(struct scan *scan, const char *directory, bool deep, unsigned depth)
{
	struct names names;

	if (root_list(scan->host->root, directory, &names) != 0)
		return;
	for (size_t i = 0; i < names.count && scan->paths < PATHS_MAX; i++) {
		const char *path = arena_printf(scan->arena, "%s/%s", directory, names.items[i]);
		struct root_stat stat;

		if (is_other_file(names.items[i]))
			continue;
		scan->paths++;
		if ((deep ? root_lstat : root_stat)(scan->host->root, path, &stat) != 0)
			continue;
		if (stat.type == ROOT_DIR && deep && depth < DEPTH_MAX &&
		    !is_passed_over(names.items[i]))
			walk(scan, path, deep, depth + 1);
		if (stat.type == ROOT_FILE && (stat.mode & 0111 || strstr(names.items[i], ".so")))
			check_program(scan, path);
	}
}

/* Directories that are one (/bin and /usr/bin) are walked by the first of their names. */
static void walk_places(struct scan *scan)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		bool again = false;

		for (size_t j = 0; j < i && !again; j++)
			again = ldconf_same_file(scan->host, places[i].path, places[j].path);
		if (!again)
			walk(scan, places[i].path, places[i].deep, 0);
	}
}

void ldconf_programs_compare(struct ldconf_future *future, uint32_t flags,
			     const struct names *sonames, struct ldconf_plan *plan)
{
	struct scan scan = {
		.host = future->host,
		.arena = future->host->arena,
		.future = future,
		.plan = plan,
	};

	find_changed(&scan, sonames, flags);
	if (!scan.changed.count && !scan.everything)
		return;
	walk_places(&scan);
	if (scan.paths >= PATHS_MAX)
		names_add(scan.arena, &plan->notes,
			  "more than 65536 files in the directories of programs: not all were "
			  "looked at");
	if (scan.unknown)
		names_add(
			scan.arena, &plan->notes,
			arena_printf(scan.arena,
				     "the libraries of %zu programs could not all be read: run as "
				     "root to know",
				     scan.unknown));
	if (!scan.broken)
		return;
	plan->refusal_exit = EXIT_TROUBLE;
	plan->refusal =
		scan.broken == 1
			? arena_printf(scan.arena, "a program would not start any more: %s",
				       scan.breaks)
			: arena_printf(scan.arena, "%zu programs would not start any more: %s; …",
				       scan.broken, scan.breaks);
}
