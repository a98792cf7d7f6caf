// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "unpack/name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What this run has made, by the hash of its path: enough to refuse what would come twice, under
 * another case (ASCII letters) or below something that is no directory. Two paths of one hash cost
 * a refusal, never a write to the wrong place: that is the writer's and the kernel's to hold. The
 * seed is random, so that an archive cannot aim at it. Memory is the heap's; tree_release frees it.
 */
enum tree_kind { TREE_ABSENT, TREE_DIRECTORY, TREE_FILE, TREE_LINK };

struct tree {
	struct tree_slot {
		uint64_t folded;
		uint64_t exact; /* the kind in the lowest two bits */
	} * slots;
	size_t count, room;
	uint64_t seed;
};

bool tree_init(struct tree *tree, uint64_t seed);
void tree_release(struct tree *tree);
/* The kind of exactly this path. */
enum tree_kind tree_find(const struct tree *tree, const struct name *name);
/* How many leading components are directories already, or why `name` cannot be made as `kind`: then
 * NULL is not returned. A directory may come again. `*known` counts the last component too when it
 * is there. */
const char *tree_check(const struct tree *tree, const struct name *name, enum tree_kind kind,
		       size_t *known);
/* Notes the path and its directories; false when memory ran out. */
bool tree_add(struct tree *tree, const struct name *name, enum tree_kind kind);
