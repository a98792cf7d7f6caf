// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "host/facts.h"
#include "host/host.h"
#include "host/redact.h"
#include "host/root_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_BYTES_MAX ((size_t)16 << 20)
#define REDACT_FIRST 0x80

/* Lives as long as the process; runs work on copies, whose entries are never written to. */
static struct root *world;

void world_load(const char *path)
{
	static struct arena arena;
	struct error err;
	struct root *root;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	root = root_open(&arena, path, &err);
	if (!root) {
		fprintf(stderr, "%s\n", err.text);
		exit(2);
	}
	world = root;
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

static void read_facts(struct facts *facts, const struct fact_table *table, const char *of)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct fact *fact = &table->facts[i];
		const char *name = fact->name;
		const struct value *value;

		if (fact->of)
			name = arena_printf(facts->arena, "%s(%s)", fact->name, of ? of : "0");
		value = facts_get(facts, name);
		PROMISE(value);
		PROMISE(value_format(facts->arena, value, fact->unit));
		for (size_t j = 0; j < value->evidence_count; j++)
			PROMISE(value->evidence[j].path);
	}
}

void world_run(const struct target *target, struct arena *arena, struct view bytes)
{
	struct facts facts = {.arena = arena, .tables = target->tables};
	unsigned char choice = bytes.size ? (unsigned char)bytes.at[0] : 0;
	const char *path;
	size_t paths = 0;

	if (bytes.size)
		bytes = (struct view){bytes.at + 1, bytes.size - 1};
	while (target->paths[paths])
		paths++;
	path = target->paths[(choice & ~REDACT_FIRST) % paths];
	bytes = (struct view){arena_copy(arena, bytes.at, bytes.size), bytes.size};
	if (choice & REDACT_FIRST)
		bytes = redact(arena, path, bytes);
	while (facts.table_count < 4 && target->tables[facts.table_count])
		facts.table_count++;
	facts.host = host_new(arena, copy_world(arena, path, bytes));
	for (size_t i = 0; i < facts.table_count; i++)
		read_facts(&facts, target->tables[i], target->of);
}
