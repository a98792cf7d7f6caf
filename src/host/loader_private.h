// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/loader.h"

/* Shared by loader.c (objects, breadth first), loader_search.c (where a name is found),
 * loader_versions.c. */
struct loader_work {
	struct host *host;
	const struct loader *loader;
	const struct loader_options *options;
	struct loader_run *run;
	struct ldso_hwcaps hwcaps;
	uint32_t cache_flags;
	size_t room, version_room, lookups;
};

/* What became of one search. */
struct loader_hit {
	struct elf *elf; /* NULL: not found */
	const char *path, *reason;
};

/* Finds the file for a name that `object` needs; false when the loader would stop with an error
 * (run->failure). */
bool loader_search(struct loader_work *work, const struct loader_object *object, const char *name,
		   struct loader_hit *hit);
/* Dynamic string tokens ($ORIGIN, $LIB, $PLATFORM) replaced; NULL: the element is dropped. */
const char *loader_expand(struct loader_work *work, const struct loader_object *object,
			  const char *text);
void loader_unknown(struct loader_work *work, const char *path, int number);
void loader_check_versions(struct loader_work *work);
