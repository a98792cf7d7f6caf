// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
	struct arena_chunk *next;
	size_t size, used;
	alignas(max_align_t) char bytes[];
};

struct arena_kept {
	struct arena_kept *next;
	void (*end)(void *kept);
	void *thing;
};

/* The first chunk is small, so that `--version` costs one page; later ones make large audits few
 * mallocs. */
#define FIRST_CHUNK_BYTES ((size_t)16 << 10)
#define CHUNK_BYTES ((size_t)128 << 10)

void arena_init(struct arena *arena, size_t max_bytes)
{
	*arena = (struct arena){.max_bytes = max_bytes};
}

void arena_release(struct arena *arena)
{
	struct arena_chunk *next;

	for (const struct arena_kept *kept = arena->kept; kept; kept = kept->next)
		kept->end(kept->thing);
	arena->kept = NULL;
	for (struct arena_chunk *chunk = arena->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	arena->chunks = NULL;
	arena->total_bytes = 0;
}

static void exhausted(const struct arena *arena)
{
	if (arena->exhausted)
		arena->exhausted();
	abort();
}

static struct arena_chunk *chunk_new(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk;
	size_t room = arena->chunks ? CHUNK_BYTES : FIRST_CHUNK_BYTES;

	if (size > room)
		room = size;
	if (size > arena->max_bytes || arena->total_bytes > arena->max_bytes - size)
		exhausted(arena);
	chunk = malloc(sizeof(*chunk) + room);
	if (!chunk)
		exhausted(arena);
	chunk->size = room;
	chunk->used = 0;
	chunk->next = NULL;
	arena->total_bytes += room;
	/* A large block of its own goes behind the current chunk, whose rest stays usable. */
	if (arena->chunks && room > CHUNK_BYTES) {
		chunk->next = arena->chunks->next;
		arena->chunks->next = chunk;
	} else {
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	return chunk;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk = arena->chunks;
	void *at;

	if (size > SIZE_MAX - alignof(max_align_t) - sizeof(*chunk))
		exhausted(arena);
	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!chunk || chunk->size - chunk->used < size)
		chunk = chunk_new(arena, size);
	at = chunk->bytes + chunk->used;
	chunk->used += size;
	return memset(at, 0, size);
}

void *arena_keep(struct arena *arena, size_t size, void (*end)(void *kept))
{
	struct arena_kept *kept = arena->kept;

	while (kept && kept->end != end)
		kept = kept->next;
	if (kept)
		return kept->thing;
	kept = arena_new(arena, struct arena_kept);
	*kept = (struct arena_kept){arena->kept, end, arena_alloc(arena, size)};
	arena->kept = kept;
	return kept->thing;
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		exhausted(arena);
	return arena_alloc(arena, total);
}

char *arena_copy(struct arena *arena, const void *bytes, size_t size)
{
	char *copy = arena_alloc(arena, size + 1);

	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_copy(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	char *text;
	int size;

	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (size < 0)
		exhausted(arena);
	text = arena_alloc(arena, (size_t)size + 1);
	vsnprintf(text, (size_t)size + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}
