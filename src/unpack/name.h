// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"
#include "unpack/limits.h"

#include <stdbool.h>
#include <stddef.h>

/* A name out of an archive in one spelling: components joined by single slashes, no "." among them.
 * `count` 0 is the directory that is unpacked into. */
struct name {
	char path[UNPACK_PATH_MAX + 1];
	size_t size;
	size_t count;
	uint16_t starts[UNPACK_DEPTH_MAX]; /* of each component in path */
	bool as_directory;                 /* it was written with a slash at the end */
};

/* NULL and the name, or why it is refused: empty, absolute, "..", too long or deep, not UTF-8,
 * control characters. A backslash is a character like others. */
const char *name_parse(struct view raw, struct name *name);
/* Takes away the first component. */
void name_strip(struct name *name);
struct view name_part(const struct name *name, size_t index);
/* Everything before the last component; empty at the top. */
struct view name_parent(const struct name *name);
/*
 * NULL, or why a symbolic link called `name` may not point to `target`. The target is relative and
 * its ".." stand at its start only, fewer than the directories above the link: then no chain of
 * such links leaves the top, whatever they are.
 */
const char *name_check_target(const struct name *name, struct view target);
