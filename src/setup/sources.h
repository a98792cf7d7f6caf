// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/plan.h"

struct sandbox;
struct mirror_git;
struct remembered;

/* Of all files that are fetched at once. */
struct downloads {
	const char *name; /* of the one that moved last */
	size_t count, ended;
	uint64_t bytes, total_bytes; /* total_bytes 0: not known */
};

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
	size_t file_count, file_room;
	struct mirror_git *gits; /* repositories and bundles of the mirrors */
	size_t git_count, git_room;
	struct remembered *remembered; /* digests of earlier runs (sources_digests.c) */
	size_t remembered_count;
	bool asked;                  /* digests that are not remembered yet */
	struct names copied;         /* digests of copies that this run has read back */
	struct source_check *checks; /* what sources_fetch() has seen of the cache's files */
	size_t check_count;

	/* For what runs other programs: set by who has the lock. */
	const struct sandbox *sandbox;
	const char *work; /* a directory of the lock's owner, empty */
	/* Told when bytes came, and at least once a second; may be NULL. */
	void (*downloading)(void *context, const struct downloads *downloads);
	void *context;
};

/* A file of the cache whose digest is right. */
struct source_check {
	const char *sha256;
	const char *signature; /* what was seen of it; NULL: upstream does not sign */
};

struct source_file {
	const char *path, *name;
	int64_t size;
	const char *identity; /* changes when the file does */
	const char *sha256;   /* NULL: not asked yet; "": cannot be read */
};

/* A mirror that is no directory that can be read is an error. */
bool sources_open(struct arena *arena, const char *prefix, const struct names *mirrors,
		  bool offline, struct sources *out, struct error *err);
/* The digests and commits of these recipes that are at hand without the network. */
void sources_nearby(struct sources *sources, const struct recipe *const *recipes, size_t count,
		    struct names *out);
/* Brings all that the plan has to build into the cache and checks it: EXIT_VERIFY when bytes or a
 * signature were wrong, EXIT_TROUBLE when something could not be had. Wrong bytes are gone then. */
bool sources_fetch(struct sources *sources, const struct plan *plan, struct error *err);
/* A file of the cache that sources_fetch() has checked, open. *signature: what was seen of it;
 * NULL: upstream does not sign. */
bool sources_take(struct sources *sources, const struct plan_source *source, int *fd,
		  const char **signature, struct error *err);
/* A commit of the cache into an empty directory, as the user of the build. */
bool sources_checkout(struct sources *sources, const struct recipe_git *git, const char *directory,
		      int log, struct error *err);
