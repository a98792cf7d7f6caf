// SPDX-License-Identifier: BSD-2-Clause
#include "report/pool.h"

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#define FIRST_ROOM ((size_t)1 << 10)

struct pool pool_new(struct arena *arena, size_t max_bytes)
{
	return (struct pool){.arena = arena,
			     .slots = arena_array(arena, const char *, FIRST_ROOM),
			     .room = FIRST_ROOM,
			     .max_bytes = max_bytes};
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return hash ^ hash >> 32;
}

/* Where the text stands, or where it would. */
static const char **slot_of(const char **slots, size_t room, const char *text)
{
	size_t at = (size_t)hash_of(text) & (room - 1);

	while (slots[at] && strcmp(slots[at], text) != 0)
		at = (at + 1) & (room - 1);
	return &slots[at];
}

static void grow(struct pool *pool)
{
	size_t room = pool->room * 2;
	const char **slots = arena_array(pool->arena, const char *, room);

	for (size_t i = 0; i < pool->room; i++)
		if (pool->slots[i])
			*slot_of(slots, room, pool->slots[i]) = pool->slots[i];
	pool->slots = slots;
	pool->room = room;
}

const char *pool_text(struct pool *pool, const char *text)
{
	const char **slot;
	size_t size;

	if (!text)
		return NULL;
	if (pool->count >= pool->room / 2)
		grow(pool);
	slot = slot_of(pool->slots, pool->room, text);
	if (*slot)
		return *slot;
	size = strlen(text);
	if (size > pool->max_bytes - pool->bytes) {
		pool->full = true;
		return "";
	}
	pool->bytes += size;
	pool->count++;
	return *slot = arena_copy(pool->arena, text, size);
}
