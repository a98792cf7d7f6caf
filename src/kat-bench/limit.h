// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stddef.h>
#include <stdint.h>

#define LIMITS_MAX 16

/*
 * A loop of one kind of the core's cryptographic instructions, in as many independent streams as
 * keep it busy: no library, no memory. What it counts are "ops" of engine/kat.h: rounds, products,
 * bytes. Of wider forms of one kind the best counts.
 */
struct limit {
	const char *kind;
	const char *absent;    /* why this core has none; NULL: it has */
	uint64_t ops_per_turn; /* of the loop */
	void (*run)(uint64_t turns);
};

/* Those of this architecture, and what this core has of them. */
size_t limit_list(struct limit limits[LIMITS_MAX]);
