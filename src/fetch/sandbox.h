// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct error;

/* From here on the process gains no privileges, writes no file longer than max_file_bytes, and,
 * where the kernel has Landlock (landlock(7)), opens only what name resolution and TLS read, and
 * `readable`; it opens nothing for writing. False, with the reason, when Landlock is not there:
 * the rest holds. */
bool sandbox_enter(const struct names *readable, uint64_t max_file_bytes, struct error *err);
/* Where this curl looks for authorities by itself, which the sandbox's own list cannot know for
 * every system, and the file given instead (NULL: none). */
void sandbox_add_authorities(struct arena *arena, struct names *readable, const char *given);
