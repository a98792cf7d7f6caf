// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/loader_private.h"

#include <errno.h>
#include <string.h>

#define ELEMENTS_MAX 256 /* of one search path */

/* What one file said to being loaded. */
enum attempt {
	ATTEMPT_NEXT, /* not there, or of another architecture */
	ATTEMPT_HIT,
	ATTEMPT_LEAVE, /* an error that ends this list of directories */
	ATTEMPT_FATAL,
};

/* One search, handed down. */
struct search {
	struct loader_work *work;
	const struct loader_object *object; /* that needs it */
	const char *name;
	struct loader_hit *hit;
};

void loader_unknown(struct loader_work *work, const char *path, int number)
{
	struct loader_run *run = work->run;

	if (run->unknown)
		return;
	run->unknown_number = number;
	if (number == EACCES || number == EPERM)
		run->unknown = arena_printf(work->host->arena, "%s needs root", path);
	else if (number == ENODATA)
		run->unknown = arena_printf(work->host->arena, "%s is not in this capture", path);
	else
		run->unknown =
			arena_printf(work->host->arena, "%s: %s", path, strerrordesc_np(number));
}

static bool is_denied(int number)
{
	return number == EACCES || number == EPERM || number == ENODATA;
}

static enum attempt try_file(struct search *search, const char *path)
{
	const struct elf *program = search->work->run->elf;
	struct elf *elf = loader_elf(search->work->host, path);

	if (is_denied(elf->number)) {
		loader_unknown(search->work, path, elf->number);
		return ATTEMPT_NEXT;
	}
	if (elf->number)
		return elf->number == ENOENT || elf->number == ENOTDIR ? ATTEMPT_NEXT
								       : ATTEMPT_LEAVE;
	/* Another class or machine is passed over, whatever else is in it (open_verify() of
	 * dl-load.c). */
	if (elf->bits && elf->bits != program->bits)
		return ATTEMPT_NEXT;
	if (elf->bits && elf->big_endian == program->big_endian && elf->machine != program->machine)
		return ATTEMPT_NEXT;
	if (elf->damage || elf->big_endian != program->big_endian) {
		search->work->run->failure =
			arena_printf(search->work->host->arena, "%s: %s", path,
				     elf->damage ? elf->damage : "another byte order");
		return ATTEMPT_FATAL;
	}
	search->hit->elf = elf;
	search->hit->path = path;
	return ATTEMPT_HIT;
}

static bool is_directory(struct search *search, const char *path)
{
	struct root_stat stat;
	int number = root_stat(search->work->host->root, path, &stat);

	if (is_denied(number))
		loader_unknown(search->work, path, number);
	return number == 0 && stat.type == ROOT_DIR;
}

static enum attempt try_named(struct search *search, const char *directory)
{
	struct arena *arena = search->work->host->arena;
	const struct names *named = &search->work->hwcaps.named;
	enum attempt attempt = ATTEMPT_NEXT;

	if (!named->count ||
	    !is_directory(search, arena_printf(arena, "%sglibc-hwcaps", directory)))
		return ATTEMPT_NEXT;
	for (size_t i = 0; i < named->count && attempt == ATTEMPT_NEXT; i++)
		attempt = try_file(search, arena_printf(arena, "%sglibc-hwcaps/%s/%s", directory,
							named->items[i], search->name));
	return attempt;
}

/* Every combination of the legacy names, the longest first: tls/haswell/x86_64, tls/haswell,
 * tls/x86_64 … */
static enum attempt try_legacy(struct search *search, const char *directory)
{
	struct arena *arena = search->work->host->arena;
	const struct names *legacy = &search->work->hwcaps.legacy;
	enum attempt attempt = ATTEMPT_NEXT;
	unsigned there = 0;

	for (size_t i = 0; i < legacy->count; i++)
		if (is_directory(search, arena_printf(arena, "%s%s", directory, legacy->items[i])))
			there |= 1u << (legacy->count - 1 - i);
	if (!there)
		return ATTEMPT_NEXT;
	for (unsigned mask = (1u << legacy->count) - 1; mask && attempt == ATTEMPT_NEXT; mask--) {
		struct buffer path = buffer_new(arena, ELF_STRING_MAX);
		unsigned top = 1u << (31 - (unsigned)__builtin_clz(mask));

		if (!(there & top))
			continue;
		buffer_text(&path, directory);
		for (size_t i = 0; i < legacy->count; i++)
			if (mask & 1u << (legacy->count - 1 - i))
				buffer_printf(&path, "%s/", legacy->items[i]);
		buffer_text(&path, search->name);
		attempt = try_file(search, buffer_string(&path));
	}
	return attempt;
}

/* One element of a search path: with exactly one slash at its end. An empty one is the current
 * directory. */
static enum attempt try_directory(struct search *search, const char *element)
{
	struct arena *arena = search->work->host->arena;
	size_t size = strlen(element);
	const char *directory;
	enum attempt attempt;

	while (size > 1 && element[size - 1] == '/')
		size--;
	if (size == 0 || element[0] != '/')
		return ATTEMPT_NEXT;
	directory = arena_printf(arena, "%.*s%s", (int)size, element,
				 element[size - 1] == '/' ? "" : "/");
	if (!is_directory(search, directory))
		return ATTEMPT_NEXT;
	attempt = try_named(search, directory);
	if (attempt == ATTEMPT_NEXT)
		attempt = try_legacy(search, directory);
	if (attempt == ATTEMPT_NEXT)
		attempt = try_file(search, arena_printf(arena, "%s%s", directory, search->name));
	return attempt;
}

/* A colon-separated list, of an object ($ORIGIN is its own). */
static enum attempt try_list(struct search *search, const struct loader_object *of,
			     const char *list, const char *separators)
{
	enum attempt attempt = ATTEMPT_NEXT;
	const char *at = list;

	for (unsigned i = 0; at && i < ELEMENTS_MAX && attempt == ATTEMPT_NEXT; i++) {
		size_t size = strcspn(at, separators);
		const char *element = arena_copy(search->work->host->arena, at, size);

		if (*element)
			element = loader_expand(search->work, of, element);
		if (element)
			attempt = try_directory(search, element);
		at = at[size] ? at + size + 1 : NULL;
	}
	return attempt == ATTEMPT_LEAVE ? ATTEMPT_NEXT : attempt;
}

static enum attempt try_rpath(struct search *search, const struct loader_object *of)
{
	if (!of->elf || !of->elf->rpath || of->elf->runpath || !*of->elf->rpath)
		return ATTEMPT_NEXT;
	search->hit->reason = arena_printf(search->work->host->arena, "RPATH of %s", of->path);
	return try_list(search, of, of->elf->rpath, ":");
}

/* RPATH of the object, of the one that asked for it, and so on up; then of the program. */
static enum attempt step_rpath(struct search *search)
{
	const struct loader_object *program = search->work->run->objects[0];
	enum attempt attempt = ATTEMPT_NEXT;
	bool did_program = false;

	if (search->object->elf->runpath)
		return ATTEMPT_NEXT;
	for (const struct loader_object *o = search->object; o && attempt == ATTEMPT_NEXT;
	     o = o->asked_by) {
		attempt = try_rpath(search, o);
		did_program |= o == program;
	}
	return attempt == ATTEMPT_NEXT && !did_program ? try_rpath(search, program) : attempt;
}

static enum attempt step_library_path(struct search *search)
{
	const struct loader_work *work = search->work;

	if (work->run->secure || !work->options->library_path || !*work->options->library_path)
		return ATTEMPT_NEXT;
	search->hit->reason = "LD_LIBRARY_PATH";
	return try_list(search, work->run->objects[0], work->options->library_path, ":;");
}

static enum attempt step_runpath(struct search *search)
{
	const struct elf *elf = search->object->elf;

	if (!elf->runpath || !*elf->runpath)
		return ATTEMPT_NEXT;
	search->hit->reason =
		arena_printf(search->work->host->arena, "RUNPATH of %s", search->object->path);
	return try_list(search, search->object, elf->runpath, ":");
}

static bool cache_find(struct search *search, struct ldso_entry *entry)
{
	struct loader_work *work = search->work;
	const struct loader_options *options = work->options;
	const struct ldso_cache *cache = &work->loader->cache;

	if (options->cache)
		return options->cache(options->context, search->name, work->cache_flags,
				      &work->hwcaps, entry);
	if (is_denied(cache->number))
		loader_unknown(work, "/etc/ld.so.cache", cache->number);
	return !cache->number && !cache->damage &&
	       ldso_cache_find(cache, search->name, work->cache_flags, &work->hwcaps, entry);
}

static enum attempt step_cache(struct search *search)
{
	struct loader_work *work = search->work;
	struct ldso_entry entry;
	enum attempt attempt;

	if (!cache_find(search, &entry))
		return ATTEMPT_NEXT;
	if (search->object->elf->flags_1 & ELF_FLAG_1_NODEFLIB &&
	    loader_is_default(&work->run->layout, entry.path))
		return ATTEMPT_NEXT;
	if (entry.path[0] != '/')
		return ATTEMPT_NEXT;
	search->hit->reason = "/etc/ld.so.cache";
	attempt = try_file(search, entry.path);
	return attempt == ATTEMPT_LEAVE ? ATTEMPT_NEXT : attempt;
}

static enum attempt step_default(struct search *search)
{
	const struct ldso_layout *layout = &search->work->run->layout;
	enum attempt attempt = ATTEMPT_NEXT;

	if (search->object->elf->flags_1 & ELF_FLAG_1_NODEFLIB)
		return ATTEMPT_NEXT;
	search->hit->reason = "default directory";
	for (size_t i = 0; i < layout->dir_count && attempt == ATTEMPT_NEXT; i++)
		attempt = try_directory(search, layout->dirs[i]);
	return attempt == ATTEMPT_LEAVE ? ATTEMPT_NEXT : attempt;
}

static enum attempt step_path(struct search *search)
{
	const char *path = loader_expand(search->work, search->object, search->name);
	enum attempt attempt;

	if (!path || path[0] != '/')
		return ATTEMPT_NEXT;
	search->hit->reason =
		arena_printf(search->work->host->arena, "path in %s", search->object->path);
	attempt = try_file(search, path);
	return attempt == ATTEMPT_LEAVE ? ATTEMPT_NEXT : attempt;
}

bool loader_search(struct loader_work *work, const struct loader_object *object, const char *name,
		   struct loader_hit *hit)
{
	/* ld.so(8), "DESCRIPTION". */
	static enum attempt (*const steps[])(struct search *) = {
		step_rpath, step_library_path, step_runpath, step_cache, step_default,
	};
	struct search search = {.work = work, .object = object, .name = name, .hit = hit};
	enum attempt attempt = ATTEMPT_NEXT;

	*hit = (struct loader_hit){0};
	if (strchr(name, '/'))
		return step_path(&search) != ATTEMPT_FATAL;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && attempt == ATTEMPT_NEXT; i++)
		attempt = steps[i](&search);
	return attempt != ATTEMPT_FATAL;
}
