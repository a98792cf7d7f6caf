// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "tune/tune.h"

#define TUNE_EARLIER_MAX 16

/*
 * How a kind of change is read, made and judged. Values are texts, NULL is "not there". A row:
 * 0 or an errno value; *why, where set, says more than the number does.
 */
struct kind {
	int (*read)(struct arena *arena, const struct tune_tree *tree,
		    const struct tune_change *change, const char **value);
	/* Makes it `value`; NULL takes it away. */
	int (*make)(struct arena *arena, const struct tune_tree *tree,
		    const struct tune_change *change, const char *value, const char **why);
	bool lasts; /* a reboot does not take it away */
};

/* NULL: a word that is none. */
const struct kind *kind_of(const char *word);
/* Whether tune has changes of this kind at this path: a record is not followed anywhere else. */
bool kind_takes(const struct tune_change *change, const char **fault);
/* Ours: what this or an earlier run wanted, or pages on the way there. */
bool kind_is_ours(const struct tune_change *change, const char *value);
/* "always [madvise] never" -> "madvise"; a line without brackets is itself. */
const char *kind_choice(struct arena *arena, const char *line);
/* The same line with the brackets around another of its words; that word where it has none. */
const char *kind_choose(struct arena *arena, const char *line, const char *word);
