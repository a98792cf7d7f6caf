// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/store.h"

#include <sys/types.h>

/* Names below PREFIX, and what the files of the store share. */

#define STORE_TREES "store"
#define STORE_GENERATIONS "generations"
#define STORE_WORK "work"
#define STORE_CACHE "cache"
#define STORE_LOGS "logs"
/* What `provision` keeps; the store only knows that it is ours. */
#define STORE_PROVISION "provision"
#define STORE_CURRENT "current"
#define STORE_LOCK "lock"
/* The manifest of a tree that is being removed stands under this name: it is no tree any more. */
#define STORE_REMOVING ".removing.json"
/* What a generation is, beside its links; it stands there when the generation is whole. */
#define STORE_GENERATION_FILE ".generation.json"
/* One that is being made. */
#define STORE_HALF_GENERATION ".new"
#define STORE_TREE_NAME_MAX 256

/* One thing found in a tree; paths are sorted by bytes. */
struct scan_entry {
	struct manifest_file file; /* type NULL: neither file, link nor directory */
	char sha1[41];             /* when asked for */
	const char *trouble;       /* why it could not be read, or NULL */
	bool failed;               /* that was an error of the machine, not of who changed it */
	uid_t owner;
	ino_t inode;
	nlink_t links;
};

struct scan {
	struct scan_entry *items;
	size_t count, room;
};

enum scan_mode {
	SCAN_LOOK, /* nothing is changed, what cannot be read is no error */
	SCAN_OWN,  /* all becomes the caller's own, 0644 or 0755; oddities are errors; with SHA-1 */
};

bool scan_tree(struct arena *arena, int tree, const char *name, enum scan_mode mode,
	       struct scan *out, struct error *err);
/* Manifest and tree side by side. `root` is the tree's absolute path; entries whose content, type
 * or target is not the manifest's own are `foreign`. */
void scan_compare(struct arena *arena, const char *root, const struct manifest *manifest,
		  const struct scan *scan, struct store_differences *out);
/* Every link stays in the tree, leads into a dependency or is listed as leading out. */
bool manifest_links_fit(const struct manifest *manifest, struct error *err);

struct view sbom_text(struct arena *arena, const struct manifest *manifest,
		      const struct scan *scan);

/* "NAME-VERSION-KEY" and back; false for other names. */
const char *store_tree_name(struct arena *arena, const char *name, const char *version,
			    const char *key);
/* The manifest of a directory in store/ under one of its two names; -1, ENOENT: none. */
bool store_load_manifest(struct store *store, int tree, const char *tree_name, const char *file,
			 struct manifest *out, struct error *err);
/* Whether a directory in store/ is a whole tree. What could not be looked at is unknown: that is no
 * reason to delete it. */
enum store_whole { STORE_BROKEN, STORE_WHOLE, STORE_UNKNOWN };
enum store_whole store_is_whole(int tree);
/* A directory in PREFIX, made when missing. */
int store_open_directory(struct store *store, const char *name, struct error *err);
/* Moves a checked directory to store/ and makes it last. */
bool store_place(struct store *store, const char *staged, int tree, const struct manifest *manifest,
		 struct error *err);
int store_open_staged(struct store *store, const char *staged, struct error *err);
/* Ends what store_remove() began with one directory of store/; adds to left. */
bool store_finish_removal(struct store *store, int trees, const char *tree_name,
			  struct names *left);
/* Whether PREFIX is safe: see store_open(). */
bool store_safe(struct arena *arena, const char *prefix, int *fd, struct error *err);

/* Writes generations/NUMBER; sets when it was created. */
bool generation_make(struct store *store, struct generation *generation, struct error *err);
/* One rename; 0: nothing is active. */
bool generation_switch(struct store *store, uint32_t number, struct error *err);
bool generation_same(const struct generation *one, const struct generation *other);
/* Removes its links and its file; a directory with something of others in it stays. */
bool generation_delete(struct store *store, int generations, const char *name);

/* out->removed.items has room for the tree. */
bool store_remove_tree(struct store *store, int trees, const struct store_tree *one,
		       struct store_removal *out, struct error *err);
bool store_remove_all(struct store *store, struct store_removal *out, struct error *err);
