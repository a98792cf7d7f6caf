// SPDX-License-Identifier: BSD-2-Clause
#include "host/loader_private.h"

#include "base/arena.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#define LOOKUPS_MAX 65536u

enum { MODE_SET_USER = 04000, MODE_SET_GROUP = 02000 };

/* ELF files read so far, by name and by what they are: many names lead to one file. */
struct loader_elfs {
	struct known {
		const char *path;
		struct elf *elf;
	} * items;
	size_t count, room;
};

static struct elf *elf_known(const struct loader_elfs *elfs, const char *path,
			     const struct root_stat *stat)
{
	for (size_t i = 0; i < elfs->count; i++) {
		const struct elf *elf = elfs->items[i].elf;

		if (strcmp(elfs->items[i].path, path) == 0)
			return elfs->items[i].elf;
		if (stat && stat->inode && elf->inode == stat->inode && elf->device == stat->device)
			return elfs->items[i].elf;
	}
	return NULL;
}

struct elf *loader_elf(struct host *host, const char *path)
{
	struct loader_elfs *elfs = host_loader(host)->elfs;
	struct root_stat stat;
	int number = root_stat(host->root, path, &stat);
	struct elf *elf;

	if (number) {
		elf = arena_new(host->arena, struct elf);
		elf->path = path;
		elf->number = number;
		return elf;
	}
	elf = elf_known(elfs, path, &stat);
	if (elf)
		return elf;
	if (elfs->count == elfs->room) {
		struct known *items =
			arena_array(host->arena, struct known, elfs->room ? elfs->room * 2 : 64);

		if (elfs->count)
			memcpy(items, elfs->items, elfs->count * sizeof(*items));
		elfs->items = items;
		elfs->room = elfs->room ? elfs->room * 2 : 64;
	}
	elf = elf_read(host->root, path);
	elfs->items[elfs->count++] = (struct known){.path = path, .elf = elf};
	return elf;
}

const struct loader *host_loader(struct host *host)
{
	struct loader *loader;

	if (host->loader)
		return host->loader;
	loader = arena_new(host->arena, struct loader);
	loader->elfs = arena_new(host->arena, struct loader_elfs);
	ldso_cache_read(host->root, &loader->cache);
	loader->preload_number = ldso_preload(host->root, &loader->preload);
	host->loader = loader;
	return loader;
}

static bool object_answers(const struct loader_object *object, const char *name)
{
	if (strcmp(object->name, name) == 0 || (object->path && strcmp(object->path, name) == 0))
		return true;
	for (size_t i = 0; i < object->aliases.count; i++)
		if (strcmp(object->aliases.items[i], name) == 0)
			return true;
	return false;
}

/* A loaded object for a name: by the names it is known by, else by its soname. */
static struct loader_object *find_loaded(struct loader_work *work, const char *name)
{
	for (size_t i = 0; i < work->run->count; i++) {
		struct loader_object *object = work->run->objects[i];

		if (!object->elf)
			continue;
		if (object_answers(object, name))
			return object;
		if (object->soname_known || !object->elf->soname ||
		    strcmp(object->elf->soname, name) != 0)
			continue;
		names_add(work->host->arena, &object->aliases, name);
		object->soname_known = true;
		return object;
	}
	return NULL;
}

static bool same_file(struct host *host, const struct elf *a, const struct elf *b)
{
	const char *left, *right;

	if (a == b)
		return true;
	if (a->inode && b->inode)
		return a->inode == b->inode && a->device == b->device;
	return root_resolve(host->root, a->path, &left) == 0 &&
	       root_resolve(host->root, b->path, &right) == 0 && strcmp(left, right) == 0;
}

static struct loader_object *add_object(struct loader_work *work, const char *name,
					const struct loader_hit *hit,
					const struct loader_object *asked_by)
{
	struct loader_run *run = work->run;
	struct loader_object *object;

	if (run->count == work->room) {
		size_t room = work->room ? work->room * 2 : 32;
		struct loader_object **objects =
			arena_array(work->host->arena, struct loader_object *, room);

		if (run->count)
			memcpy(objects, run->objects, run->count * sizeof(*objects));
		run->objects = objects;
		work->room = room;
	}
	object = arena_new(work->host->arena, struct loader_object);
	*object = (struct loader_object){
		.name = name,
		.path = hit->path,
		.elf = hit->elf,
		.asked_by = asked_by,
		.reason = hit->reason,
	};
	run->missing += !hit->elf;
	run->objects[run->count++] = object;
	return object;
}

/* Maps one name for an object, as _dl_map_object() does; false when the loader would stop. */
static bool map(struct loader_work *work, const struct loader_object *asked_by, const char *name,
		bool required)
{
	struct loader_hit hit;

	if (++work->lookups > LOOKUPS_MAX) {
		work->run->failure = "more than 65536 needed libraries in all";
		return false;
	}
	if (find_loaded(work, name))
		return true;
	if (work->run->count == LOADER_OBJECTS_MAX) {
		work->run->failure = "more than 1024 libraries";
		return false;
	}
	if (!loader_search(work, asked_by, name, &hit))
		return false;
	for (size_t i = 0; hit.elf && i < work->run->count; i++) {
		struct loader_object *object = work->run->objects[i];

		if (!object->elf || !same_file(work->host, object->elf, hit.elf))
			continue;
		names_add(work->host->arena, &object->aliases, name);
		return true;
	}
	if (hit.elf || required)
		add_object(work, name, &hit, asked_by);
	return true;
}

/* LD_PRELOAD (blanks and colons separate), then /etc/ld.so.preload. What is not found is passed
 * over. */
static bool map_preloads(struct loader_work *work)
{
	const struct loader_object *program = work->run->objects[0];
	const char *list = work->options->preload ? work->options->preload : "";
	const struct names *preload = &work->loader->preload;
	int number = work->loader->preload_number;

	while (*(list += strspn(list, " :"))) {
		size_t size = strcspn(list, " :");
		const char *name = arena_copy(work->host->arena, list, size);

		/* Set-user-ID programs: only names in default directories that are set-user-ID too;
		 * not modelled. */
		if (!work->run->secure && !map(work, program, name, false))
			return false;
		list += size;
	}
	if (number && number != ENOENT)
		loader_unknown(work, "/etc/ld.so.preload", number);
	for (size_t i = 0; i < preload->count; i++)
		if (!map(work, program, preload->items[i], false))
			return false;
	return true;
}

static bool map_needed(struct loader_work *work)
{
	struct loader_run *run = work->run;

	for (size_t i = 0; i < run->count; i++) {
		const struct loader_object *object = run->objects[i];

		/* The loader itself stands in the list from the start, but needs nothing. */
		for (size_t n = 0; object->elf && n < object->elf->needed.count; n++) {
			const char *name = object->elf->needed.items[n];

			if (strchr(name, '$') && run->secure) {
				run->failure =
					arena_printf(work->host->arena,
						     "%s: %s: not allowed in a set-user-ID program",
						     object->path, name);
				return false;
			}
			name = loader_expand(work, object, name);
			if (name && !map(work, object, name, true))
				return false;
		}
	}
	return true;
}

static bool libc_defines(struct host *host, const struct ldso_layout *layout, const char *version)
{
	for (size_t i = 0; i < layout->dir_count; i++) {
		struct elf *libc = loader_elf(
			host, arena_printf(host->arena, "%s/libc.so.6", layout->dirs[i]));

		if (!libc->number && !libc->damage)
			return elf_defines(libc, version, elf_version_hash(version));
	}
	return false;
}

/*
 * glibc-hwcaps came with 2.33, and 2.37 dropped what was before. libc.so.6 says its age by the
 * versions that it defines; there is none for 2.37.
 */
struct ldso_hwcaps loader_hwcaps(struct host *host, const struct ldso_layout *layout,
				 uint16_t machine)
{
	struct ldso_hwcaps hwcaps = ldso_hwcaps(host, machine);

	if (hwcaps.named.count && !libc_defines(host, layout, "GLIBC_2.33"))
		hwcaps.named = (struct names){0};
	if (libc_defines(host, layout, "GLIBC_2.38")) {
		hwcaps.legacy = (struct names){0};
		hwcaps.legacy_bits = hwcaps.platform_mask = 0;
	}
	return hwcaps;
}

static bool start(struct loader_work *work)
{
	struct loader_run *run = work->run;
	const struct elf *elf = run->elf;
	struct loader_hit program = {.elf = run->elf, .path = run->program};
	struct loader_hit interp = {0};

	if (elf->number) {
		loader_unknown(work, run->program, elf->number);
		return false;
	}
	if (elf->damage) {
		run->failure = arena_printf(work->host->arena, "%s: %s", run->program, elf->damage);
		return false;
	}
	run->secure = elf->interp && elf->mode & (MODE_SET_USER | MODE_SET_GROUP);
	run->layout = ldso_layout(work->host, elf);
	add_object(work, run->program, &program, NULL);
	if (!elf->dynamic)
		return false;
	if (run->layout.number == ENOENT) {
		run->failure = run->layout.reason;
		return false;
	}
	if (!run->layout.glibc) {
		run->unknown = run->layout.reason;
		run->unknown_number = run->layout.number;
		return false;
	}
	work->hwcaps = loader_hwcaps(work->host, &run->layout, elf->machine);
	work->cache_flags = ldso_cache_flags(elf->machine, elf->bits);
	interp.path = run->layout.interp;
	interp.elf = loader_elf(work->host, interp.path);
	if (!interp.elf->number && !interp.elf->damage)
		add_object(work, interp.path, &interp, NULL);
	return true;
}

const struct loader_run *loader_run(struct host *host, const char *program,
				    const struct loader_options *options)
{
	struct loader_run *run = arena_new(host->arena, struct loader_run);
	struct loader_work work = {
		.host = host,
		.loader = host_loader(host),
		.options = options,
		.run = run,
	};

	run->program = program;
	run->elf = loader_elf(host, program);
	if (start(&work) && map_preloads(&work) && map_needed(&work))
		loader_check_versions(&work);
	return run;
}

const struct loader_object *loader_object(const struct loader_run *run, const char *glob)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct loader_object *object = run->objects[i];

		if (fnmatch(glob, object->name, 0) == 0)
			return object;
		for (size_t a = 0; a < object->aliases.count; a++)
			if (fnmatch(glob, object->aliases.items[a], 0) == 0)
				return object;
	}
	return NULL;
}
