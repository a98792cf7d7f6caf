// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct field_table;
struct host;

/*
 * The loader policy of `setup --ld-so-conf safe|all|none`: which directories of a prefix the
 * dynamic loader of the whole host is told of. Planned without a change to anything; then one file
 * of /etc/ld.so.conf.d, ldconfig, and the winners read back from the cache. Sources: ld.so(8),
 * ldconfig(8), glibc elf/ldconfig.c.
 */
#define LDCONF_SAFE_FILE "/etc/ld.so.conf.d/ampere-crypto.conf"
/* Sorts before the distribution's own files: the directory named first wins. */
#define LDCONF_ALL_FILE "/etc/ld.so.conf.d/00-ampere-crypto.conf"
#define LDCONF_TREES_MAX 64

extern const char *const ldconf_policies[]; /* safe, all, none; NULL */

/* One tree of the generation that is to be current. */
struct ldconf_tree {
	const char *name;
	/* Its real directory of libraries, read when it exists; entries name PREFIX/current/NAME/…
	 */
	const char *directory;
	const char *below;    /* the directory within the tree, "lib" or "lib64"; NULL: "lib" */
	struct names sonames; /* for a tree that is yet to be built */
};

struct ldconf_request {
	const char *policy, *prefix;
	const struct ldconf_tree *trees;
	size_t tree_count;
};

/* A line that will stand in a file. */
struct ldconf_entry {
	const char *file, *line, *why;
};

/* A directory that gets no entry; a line of ours that goes away. */
struct ldconf_left {
	const char *directory, *why;
	bool stays; /* in the cache, because another file names it, too */
};

/* A library that a program would load from another file than now. */
struct ldconf_change {
	const char *program, *library;
	const char *from, *to; /* NULL: not found */
	const char *cause;     /* "entry", or "ldconfig": it has not run since something changed */
	struct names missing;  /* versions that would not be there any more */
};

/* What the cache must say afterwards. */
struct ldconf_winner {
	const char *soname, *path;
};

struct ldconf_plan {
	const char *policy, *prefix;
	struct {
		struct ldconf_entry *items;
		size_t count;
	} entries;
	struct {
		struct ldconf_left *items;
		size_t count;
	} left_out, taken_away;
	struct {
		struct ldconf_change *items;
		size_t count;
	} changes;
	struct {
		struct ldconf_winner *items;
		size_t count;
	} winners;
	struct names notes;  /* what else is to be known before saying yes */
	const char *refusal; /* why this cannot be applied; NULL */
	enum exit_code refusal_exit;
	bool provisional; /* a tree with an entry is not built: programs were not compared with it
			   */
	bool done;        /* files and cache are already as planned: nothing to do */
	/* For ldconf_apply(): what the two files held, comments left out; NULL: not there. */
	const char *found[2];
	bool kept[2]; /* a file of another prefix that stays */
};

extern const struct field_table ldconf_plan_table;

/* Reads the host and decides; false only for a request that cannot be understood. */
bool ldconf_plan(struct host *host, const struct ldconf_request *request, struct ldconf_plan *plan,
		 struct error *err);

/* Where a plan is applied: "/" or the top of another system, and the ldconfig to run (NULL: this
 * machine's). */
struct ldconf_place {
	const char *root;
	const char *const *ldconfig; /* argv before "-r ROOT" */
};

/*
 * Once PREFIX/current leads to the new generation: writes the file, runs ldconfig, and reads the
 * winners back. Every part of the way must be root's alone to change. On an error the files are as
 * they were before, and the cache too as far as ldconfig still runs. Exit codes: EXIT_LOCKED when
 * another run is at it, EXIT_VERIFY when another file wins than planned.
 */
bool ldconf_apply(struct arena *arena, const struct ldconf_place *place,
		  const struct ldconf_plan *plan, struct error *err);

/* Takes the entries of a prefix away (NULL: of whatever prefix) and runs ldconfig when there were
 * any. */
bool ldconf_remove(struct arena *arena, const struct ldconf_place *place, const char *prefix,
		   struct error *err);

/* What of ours stands in the configuration now. */
struct ldconf_state {
	const char *policy; /* "safe" or "all" by the file that is there; "none" */
	const char *prefix; /* of the entries; NULL */
	struct {
		struct ldconf_entry *items;
		size_t count;
	} entries;
	bool fresh;        /* the cache has every library of the directories named, and no other */
	const char *stale; /* what it has not, or too much; NULL */
};

extern const struct field_table ldconf_state_table;

/* A prefix: whether the cache has something of it that no entry names; NULL: not asked. */
struct ldconf_state ldconf_current(struct host *host, const char *prefix);
