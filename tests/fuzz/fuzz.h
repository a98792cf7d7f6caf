// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

struct arena;
struct checks;
struct facts;

/*
 * One row per parser: hostile bytes go in, nothing may crash, hang, leak or take more than the
 * arena's limit. Either `parse` is called with the bytes, or they take the place of one file of a
 * small described machine, one that a glob of `files` fits or an absent one it names ('*' matches
 * '/' too), of which the facts that fit `facts` are read and what `more` does. The first two bytes
 * say which file, and whether it is redacted first.
 */
struct target {
	const char *name;
	void (*parse)(struct arena *arena, struct view bytes);
	const char *files[12];
	const char *facts[4];
	const char *of; /* for facts with a parameter */
	bool identify;  /* judge the identity first: some facts need the CPU's profile */
	void (*more)(struct facts *facts);
};

/* The last row of each has no name. */
extern const struct target bench_targets[], text_targets[], host_targets[], store_targets[],
	unpack_targets[], engine_targets[];

/* The described machine: a complete capture, read once. */
void world_load(const char *path);
const struct checks *world_checks(void);
void world_run(const struct target *target, struct arena *arena, struct view bytes);
/* One input per file of the target, as it stands in the described machine, into `directory`. */
void world_seeds(const struct target *target, const char *directory);

/* A broken promise is a crash. */
#define PROMISE(condition)                                                                         \
	do {                                                                                       \
		if (!(condition))                                                                  \
			__builtin_trap();                                                          \
	} while (0)
