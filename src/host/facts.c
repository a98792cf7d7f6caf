// SPDX-License-Identifier: BSD-2-Clause
#include "host/facts.h"

#include "base/arena.h"

#include <string.h>

/* Facts read so far, newest first; a host has a few hundred at most. */
struct fact_cache {
	struct fact_cache *next;
	const char *name;
	struct value value;
};

/* "crypto.driver(gcm(aes))" is fact "crypto.driver" of "gcm(aes)"; *of is NULL without a parameter.
 */
static struct view split_name(struct arena *arena, const char *name, const char **of)
{
	const char *open = strchr(name, '(');
	size_t size = strlen(name);

	*of = NULL;
	if (!open || name[size - 1] != ')')
		return view_of(name);
	*of = arena_copy(arena, open + 1, size - (size_t)(open - name) - 2);
	return (struct view){name, (size_t)(open - name)};
}

static const struct fact *find(const struct facts *facts, struct view base)
{
	for (size_t i = 0; i < facts->table_count; i++) {
		const struct fact_table *table = facts->tables[i];

		for (size_t j = 0; j < table->count; j++) {
			if (view_is(base, table->facts[j].name))
				return &table->facts[j];
		}
	}
	return NULL;
}

const struct fact *facts_find(const struct facts *facts, const char *name)
{
	const char *of;
	struct view base = split_name(facts->arena, name, &of);
	const struct fact *fact = find(facts, base);

	return fact && !fact->of == !of ? fact : NULL;
}

const struct value *facts_get(struct facts *facts, const char *name)
{
	struct fact_cache *entry;
	const struct fact *fact;
	const char *of;

	for (entry = facts->cache; entry; entry = entry->next) {
		if (strcmp(entry->name, name) == 0)
			return &entry->value;
	}
	fact = facts_find(facts, name);
	if (!fact)
		return NULL;
	split_name(facts->arena, name, &of);
	entry = arena_new(facts->arena, struct fact_cache);
	entry->name = arena_strdup(facts->arena, name);
	entry->value = fact->read(facts, of);
	entry->next = facts->cache;
	facts->cache = entry;
	return &entry->value;
}
