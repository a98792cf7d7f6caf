// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/plan.h"

struct sandbox;

/*
 * Sources by digest: PREFIX/cache/DIGEST, then the mirrors the user named (directories, files are
 * known by their digest, whatever their name; or https addresses), then upstream. What comes out is
 * an open file whose digest and, where upstream signs and the key is at hand, signature were
 * checked. Git sources are kept as PREFIX/cache/COMMIT.git.
 */
struct sources {
	struct arena *arena;
	const char *cache;    /* PREFIX/cache */
	struct names mirrors; /* directories and https addresses */
	bool offline;
	struct names notes;        /* for people: where things came from, what was not checked */
	struct source_file *files; /* of the mirrors' directories */
	size_t file_count;
};

struct source_file {
	const char *path;
	int64_t size;
	const char *sha256; /* NULL: not asked yet */
};

bool sources_open(struct arena *arena, const char *prefix, const struct names *mirrors,
		  bool offline, struct sources *out, struct error *err);
/* The digests and commits of these recipes that are at hand without the network. */
void sources_nearby(struct sources *sources, const struct recipe *const *recipes, size_t count,
		    struct names *out);
/* Brings all that the plan has to build into the cache. */
bool sources_fetch(struct sources *sources, const struct plan *plan, struct error *err);
/* A file of the cache, open and checked: wrong bytes are EXIT_VERIFY, and the file is gone. */
bool sources_take(struct sources *sources, const struct plan_source *source, int *fd,
		  struct error *err);
/* A commit of the cache into an empty directory, as the user of the build. */
bool sources_checkout(struct sources *sources, const struct recipe_git *git, const char *directory,
		      const struct sandbox *sandbox, int log, struct error *err);
