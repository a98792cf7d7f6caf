// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/loader_private.h"

#include <fnmatch.h>
#include <string.h>

/* The object a version need names: by the names it was loaded by, not by its soname (dl-version.c).
 */
static const struct loader_object *provider(const struct loader_run *run, const char *name)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct loader_object *object = run->objects[i];

		if (strcmp(object->name, name) == 0 ||
		    (object->path && strcmp(object->path, name) == 0))
			return object;
		for (size_t a = 0; a < object->aliases.count; a++)
			if (strcmp(object->aliases.items[a], name) == 0)
				return object;
	}
	return NULL;
}

static void add_version(struct loader_work *work, const struct loader_object *object,
			const struct loader_object *from, const char *version)
{
	struct loader_run *run = work->run;

	if (run->version_count == work->version_room) {
		size_t room = work->version_room ? work->version_room * 2 : 8;
		struct loader_version *versions =
			arena_array(work->host->arena, struct loader_version, room);

		if (run->version_count)
			memcpy(versions, run->versions, run->version_count * sizeof(*versions));
		run->versions = versions;
		work->version_room = room;
	}
	run->versions[run->version_count++] =
		(struct loader_version){.object = object, .from = from, .version = version};
}

static void check_object(struct loader_work *work, const struct loader_object *object)
{
	const struct elf_needs *needs = elf_version_needs(object->elf);
	const struct loader_object *from = NULL;

	if (needs->damaged)
		work->run->failure = arena_printf(
			work->host->arena, "%s: its version needs are damaged", object->path);
	for (size_t i = 0; i < needs->count; i++) {
		const struct elf_need *need = &needs->items[i];

		if (i == 0 || strcmp(needs->items[i - 1].file, need->file) != 0)
			from = provider(work->run, need->file);
		/* A library without any versions was another build: the loader only warns. */
		if (need->weak || !from || !from->elf || !from->elf->version_defs)
			continue;
		if (!elf_defines(from->elf, need->version, need->hash))
			add_version(work, object, from, need->version);
	}
}

static bool is_checked(const struct loader_work *work, size_t index)
{
	const struct elf *elf = work->run->objects[index]->elf;
	const char *glob = work->options->versions_of;

	if (!elf || !glob || index == 0)
		return elf;
	for (size_t i = 0; i < elf->needed.count; i++) {
		if (fnmatch(glob, elf->needed.items[i], FNM_EXTMATCH) == 0)
			return true;
	}
	return false;
}

void loader_check_versions(struct loader_work *work)
{
	for (size_t i = 0; i < work->run->count; i++) {
		if (is_checked(work, i))
			check_object(work, work->run->objects[i]);
	}
}
