// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "catalog/facts.h"
#include "catalog/identity.h"
#include "catalog/profile.h"
#include "check/check.h"
#include "host/facts.h"
#include "host/host.h"
#include "host/redact.h"
#include "host/root_private.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED_BYTES_MAX ((size_t)32 << 10)
#define REDACT_FIRST 0x8000

/* Lives as long as the process; runs work on copies, whose entries are never written to. */
static struct root *world;
static struct cpu_profiles profiles;
static struct checks checks;
static struct arena world_arena;

static void stop(const struct error *err)
{
	fprintf(stderr, "%s\n", err->text);
	exit(2);
}

void world_load(const char *path)
{
	struct error err;

	arena_init(&world_arena, ARENA_DEFAULT_MAX_BYTES);
	world = root_open(&world_arena, path, &err);
	if (!world || !cpu_profiles_load(&world_arena, &profiles, &err) ||
	    !checks_load(facts_new(&world_arena, host_new(&world_arena, world), NULL), NULL,
			 &checks, &err))
		stop(&err);
}

const struct checks *world_checks(void)
{
	return &checks;
}

/* The files of a target, sorted: those of the machine that its globs fit, and those it names. */
static const struct names *files_of(const struct target *target)
{
	static struct names files;

	if (files.count)
		return &files;
	for (size_t i = 0; i < world->slot_count; i++) {
		const struct entry *entry = world->slots[i];

		for (size_t j = 0; entry && entry->read.asked && target->files[j]; j++)
			if (fnmatch(target->files[j], entry->path, 0) == 0 &&
			    !names_has(&files, entry->path))
				names_add(&world_arena, &files, entry->path);
	}
	for (size_t j = 0; target->files[j]; j++)
		if (!strchr(target->files[j], '*') && !names_has(&files, target->files[j]))
			names_add(&world_arena, &files, target->files[j]);
	if (!files.count) {
		fprintf(stderr, "%s: no file fits\n", target->name);
		exit(2);
	}
	names_sort(&files);
	return &files;
}

/* The machine with `bytes` in place of the file `path`. */
static struct root *copy_world(struct arena *arena, const char *path, struct view bytes)
{
	struct root *root = arena_new(arena, struct root);
	struct entry *entry;

	*root = *world;
	root->arena = arena;
	root->slots = arena_array(arena, struct entry *, world->slot_count);
	memcpy(root->slots, world->slots, world->slot_count * sizeof(*root->slots));
	for (size_t i = 0; i < root->slot_count; i++) {
		if (!root->slots[i] || strcmp(root->slots[i]->path, path) != 0)
			continue;
		entry = arena_new(arena, struct entry);
		entry->path = path;
		root->slots[i] = entry;
	}
	entry = root_entry(root, path);
	entry->read.asked = true;
	entry->bytes = bytes;
	return root;
}

static bool is_wanted(const struct target *target, const char *name)
{
	for (size_t i = 0; i < 4 && target->facts[i]; i++)
		if (fnmatch(target->facts[i], name, 0) == 0)
			return true;
	return false;
}

static void read_table(struct facts *facts, const struct fact_table *table,
		       const struct target *target)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct fact *fact = &table->facts[i];
		const char *name = fact->name;
		const struct value *value;

		if (!is_wanted(target, name))
			continue;
		if (fact->of)
			name = arena_printf(facts->arena, "%s(%s)", fact->name,
					    target->of ? target->of : "0");
		value = facts_get(facts, name);
		PROMISE(value);
		PROMISE(value_format(facts->arena, value, fact->unit));
		for (size_t j = 0; j < value->evidence_count; j++)
			PROMISE(value->evidence[j].path);
	}
}

void world_run(const struct target *target, struct arena *arena, struct view bytes)
{
	const struct names *files = files_of(target);
	struct facts *facts;
	unsigned choice;
	const char *path;

	if (bytes.size < 2)
		return;
	choice = (unsigned)(uint8_t)bytes.at[0] << 8 | (uint8_t)bytes.at[1];
	path = files->items[(choice & ~REDACT_FIRST) % files->count];
	/* its own block, so that the sanitizer sees a read past its end */
	char *own = malloc(bytes.size - 1);
	memcpy(own, bytes.at + 2, bytes.size - 2);
	bytes = (struct view){own, bytes.size - 2};
	if (choice & REDACT_FIRST)
		bytes = redact(arena, path, bytes);
	facts = facts_new(arena, host_new(arena, copy_world(arena, path, bytes)), NULL);
	if (target->identify)
		identity_read(facts, &profiles);
	for (size_t i = 0; i < facts->table_count; i++)
		read_table(facts, facts->tables[i], target);
	if (target->more)
		target->more(facts);
	free(own);
}

void world_seeds(const struct target *target, const char *directory)
{
	const struct names *files = files_of(target);
	struct error err;

	for (size_t i = 0; i < files->count; i++) {
		const struct entry *entry = root_find(world, files->items[i]);
		struct buffer seed = buffer_new(&world_arena, SEED_BYTES_MAX);
		const char *path = arena_printf(&world_arena, "%s/%03zu", directory, i);

		buffer_char(&seed, (char)(i >> 8));
		buffer_char(&seed, (char)i);
		if (entry && entry->read.asked)
			buffer_add(&seed, entry->bytes.at,
				   entry->bytes.size < SEED_BYTES_MAX - 2 ? entry->bytes.size
									  : SEED_BYTES_MAX - 2);
		if (!file_write(path, buffer_view(&seed), &err))
			stop(&err);
	}
}
