// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stddef.h>
#include <stdint.h>

#define WALK_LINE_BYTES ((size_t)64)
#define WALK_SIZE_STEP ((size_t)128 << 10)
#define WALK_SIZE_MAX ((size_t)64 << 20)

/*
 * How the lines of a buffer follow each other; each is visited once before any is again. A random
 * order is one within WALK_SIZE_STEP bytes, one such window behind the other: as few pages are new
 * to the TLB as in a walk in order, so what differs is what a prefetcher can guess.
 */
struct walk {
	const char *name;
	size_t stride_bytes; /* 0: in random order */
};

/* NULL: there is none of this name. */
const struct walk *walk_find(const char *name);
/* Writes into each line of `size` bytes, a multiple of WALK_SIZE_STEP, the address of the next one.
 * The first line of the walk. */
char *walk_link(const struct walk *walk, char *memory, size_t size);
