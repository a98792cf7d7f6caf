// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "tune/tune.h"

/*
 * What was there before, on disk before anything is touched: TUNE_RECORD below the tree, JSON,
 * 0600, whole or not there, synced with its directory. Its directory is the lock (flock): one run
 * at a time.
 */
#define TUNE_DIRECTORY "/var/lib/ampere-crypto"
#define TUNE_RECORD TUNE_DIRECTORY "/tune.json"
#define TUNE_RECORD_BYTES_MAX ((size_t)16 << 20)
#define TUNE_CHANGES_MAX 65536

struct tune_record {
	const char *schema; /* "ampere-crypto/tune-record 1.0.0" */
	const char *boot;   /* boot_id of the last run; NULL: not known */
	const char *time;   /* of it, UTC */
	const char *role;   /* NULL */
	struct field_array changes;
};

extern const struct field_table tune_record_table, tune_record_change_table;

/* The lock: a descriptor in *fd that the caller closes. EXIT_LOCKED when another run holds it.
 * `make`: also the directory; else *fd is -1 when there is none. */
bool tune_lock(const struct tune_tree *tree, bool make, int *fd, struct error *err);
/* Strict: what is damaged, too large, not ours or unsafe to follow is an error that says so.
 * *exists is false when there is none. */
bool tune_record_load(struct arena *arena, const struct tune_tree *tree, struct tune_record *out,
		      bool *exists, struct error *err);
bool tune_record_parse(struct arena *arena, const char *name, struct view text,
		       struct tune_record *out, struct error *err);
struct view tune_record_text(struct arena *arena, const struct tune_record *record);
bool tune_record_save(struct arena *arena, const struct tune_tree *tree,
		      const struct tune_record *record, struct error *err);
/* The record, and its directory when nothing else is in it. */
bool tune_record_remove(const struct tune_tree *tree, struct error *err);
/* boot_id of the running kernel, NULL when the tree does not show it. */
const char *tune_boot(struct arena *arena, const struct tune_tree *tree);
