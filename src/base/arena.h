// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdarg.h>
#include <stddef.h>

/*
 * One arena per command: everything a command learns lives until the command ends, so nothing is
 * freed alone. arena_alloc() never returns NULL: past max_bytes, or when the system has no memory,
 * it calls `exhausted`, which must not return (the command line prints one line and exits 2; tests
 * abort).
 */
struct arena {
	struct arena_chunk *chunks;
	struct arena_kept *kept;
	size_t total_bytes;
	size_t max_bytes;
	void (*exhausted)(void);
};

#define ARENA_DEFAULT_MAX_BYTES ((size_t)512 << 20)

void arena_init(struct arena *arena, size_t max_bytes);
void arena_release(struct arena *arena);

/* Zeroed, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((returns_nonnull));
/* arena_array(a, struct cpu, n): n zeroed elements, size checked against overflow. */
void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
	__attribute__((returns_nonnull));
#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_alloc_array((arena), (count), sizeof(type)))

char *arena_copy(struct arena *arena, const void *bytes, size_t size)
	__attribute__((returns_nonnull)); /* adds a NUL */
char *arena_strdup(struct arena *arena, const char *text) __attribute__((returns_nonnull));
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((returns_nonnull, format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args)
	__attribute__((returns_nonnull, format(printf, 2, 0)));
/* What a module keeps as long as the arena: zeroed when it is first asked for, the same from then
 * on. `end` frees what lies outside of the arena. */
void *arena_keep(struct arena *arena, size_t size, void (*end)(void *kept))
	__attribute__((returns_nonnull));
