// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct arena;

/*
 * Texts kept once: what thousands of results say alike takes the room of one. Two texts of one pool
 * are the same when their addresses are. Past max_bytes nothing new is kept and `full` is set.
 */
struct pool {
	struct arena *arena;
	const char **slots;
	size_t count, room;
	size_t bytes, max_bytes;
	bool full;
};

struct pool pool_new(struct arena *arena, size_t max_bytes);
/* NULL stays NULL. */
const char *pool_text(struct pool *pool, const char *text);
