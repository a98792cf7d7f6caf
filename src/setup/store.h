// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/manifest.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct error;

/*
 * The store below PREFIX: immutable trees store/NAME-VERSION-KEY, generations (which trees are
 * active together), the lock. Everything is opened relative to the descriptor of PREFIX, links of
 * others are never followed. Results live in the arena of store_open().
 */

enum store_access {
	STORE_READ,  /* status, env, run: no lock, nothing is made */
	STORE_WRITE, /* PREFIX is made when it is not there; call store_lock() next */
};

struct store {
	struct arena *arena;
	const char *prefix; /* its real path */
	enum store_access access;
	int fd;        /* of PREFIX (O_DIRECTORY); -1: nothing is installed */
	int lock_fd;   /* -1: not locked */
	unsigned made; /* levels of directories that store_open() made: PREFIX and above */
	/* Told once when store_lock() has waited for a second; may be NULL. */
	void (*note)(const char *text);
};

/* A tree by name; the key is 16 hex digits. */
struct store_tree {
	const char *name, *version, *key;
};

struct store_trees {
	struct store_tree *items;
	size_t count;
};

/* Trees that are active together, sorted by name; all for one target. */
struct generation {
	uint32_t number;     /* 0: none */
	const char *created; /* UTC */
	const char *target;
	struct store_trees trees;
	bool active;
};

struct generations {
	struct generation *items;
	size_t count;
};

/* /opt/ampere-crypto for root, else $XDG_DATA_HOME/ampere-crypto or ~/.local/share/ampere-crypto;
 * NULL without HOME. */
const char *store_default_prefix(struct arena *arena);

/*
 * Links in the path of PREFIX are resolved once. Refused: PREFIX (or cache, store, generations,
 * work, logs in it) that is a link, world-writable, or owned by someone other than root and the
 * caller; a directory above it that others can write to, unless it is sticky. NULL: the default
 * prefix. For STORE_READ a prefix that is not there is no error: store->fd is -1.
 */
bool store_open(struct arena *arena, const char *prefix, enum store_access access,
		struct store *store, struct error *err);
/* Unlocks too. */
void store_close(struct store *store);
/* One lock per PREFIX, gone with its owner (and with children that keep lock_fd, which is
 * close-on-exec). Taken by another: EXIT_LOCKED and the process, or wait for it. */
bool store_lock(struct store *store, bool wait, struct error *err);
/* Whether this program has used PREFIX; `remove` touches no other. */
bool store_is_ours(struct store *store);
/* Under the lock: removes work/…, trees without a whole manifest, half generations, and finishes a
 * removal that was interrupted. What cannot be removed stays. */
void store_clean(struct store *store);

/* Makes (0755) and returns an absolute path below PREFIX/work, cache or logs: "work/NAME/build". */
bool store_directory(struct store *store, const char *relative, const char **path,
		     struct error *err);

/* Whether the tree is there with a whole manifest. */
bool store_has(struct store *store, const char *name, const char *version, const char *key);
/* PREFIX/store/NAME-VERSION-KEY, there or not. */
const char *store_tree_path(struct arena *arena, const struct store *store, const char *name,
			    const char *version, const char *key);
bool store_manifest(struct store *store, const struct store_tree *tree, struct manifest *out,
		    struct error *err);
/* All whole trees in store/, active or not, sorted by the names of their directories. */
bool store_trees(struct store *store, struct store_trees *out, struct error *err);

/*
 * Under the lock: `staged`, a directory below PREFIX/work, becomes store/NAME-VERSION-KEY. It turns
 * the caller's own, without write permission for others, setuid and setgid; every file is digested
 * into manifest->files; manifest and SBOM are written into .ampere-crypto; all is synced, then
 * renamed. Special files and links that leave the tree are refused, other than those listed in
 * manifest->outside and those into a dependency ("../../NAME-VERSION-KEY/lib/x"). A tree that is
 * there already is kept, and `staged` stays in work as garbage.
 */
bool store_install(struct store *store, const char *staged, struct manifest *manifest,
		   struct error *err);

extern const struct field_table store_tree_table;

/* The active generation; number 0 when there is none. */
bool store_current(struct store *store, struct generation *out, struct error *err);
/* All of them, by number. */
bool store_generations(struct store *store, struct generations *out, struct error *err);
/* Why generations/NUMBER/NAME does not lead to the tree, or NULL. */
const char *generation_link_fault(struct store *store, const struct generation *generation,
				  const struct store_tree *tree);
/*
 * Under the lock: makes and activates the generation of the active trees, with `trees` in place of
 * those of the same names and without the names `removed` (NULL: none). Trees for another target
 * than `target` do not stay. Nothing new when it equals the active one; *out is what is active
 * afterwards (number 0 when no tree is left).
 */
bool store_activate(struct store *store, const char *target, const struct store_trees *trees,
		    const struct names *removed, struct generation *out, struct error *err);
/* Under the lock; to = 0: the one before the active one. */
bool store_rollback(struct store *store, uint32_t to, struct generation *out, struct error *err);

/* Files left in place, as absolute paths with why: "PATH: changed since it was installed". */
struct store_removal {
	struct store_trees removed;
	struct names left;
	bool prefix_gone; /* nothing is left of PREFIX */
};

/*
 * Under the lock: deactivates and deletes all trees of these names, exactly what their manifests
 * list; older generations that hold one go with them. Refused while another active tree depends on
 * one. names NULL or empty: everything this program made below PREFIX, and PREFIX itself when this
 * program made it and it is empty then (killed before that very last step, an empty PREFIX stays).
 */
bool store_remove(struct store *store, const struct names *names, struct store_removal *out,
		  struct error *err);

/* One difference between a tree and its manifest. */
struct store_difference {
	const char *path; /* absolute */
	const char *what; /* missing, changed, added */
	const char *why;  /* "content", "mode 0777, was 0755" … */
	bool foreign;     /* content, type or target is somebody's own: store_remove() leaves it */
};

struct store_differences {
	struct store_difference *items;
	size_t count;
};

/* Compares every file of a tree with its manifest; differences are no error. */
bool store_verify(struct store *store, const struct store_tree *tree, struct store_differences *out,
		  struct error *err);
