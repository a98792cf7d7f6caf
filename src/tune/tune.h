// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/beneath.h"
#include "base/fields.h"
#include "host/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct checks;
struct error;

/*
 * Settings of the operating system that audit found wrong, set so that they can be set back.
 *
 * plan (pure: facts and the failing checks give changes)  ->  record (old and wanted values on
 * disk, synced, before anything is touched)  ->  apply (one change after the other, read back)  ->
 * record (what was got). Revert walks the record backwards. No journal of steps is needed: what
 * stands there says how far a killed run came. The value is the wanted one or one between (pages):
 * ours, set the old one; it is the old one: nothing to do; anything else: somebody changed it
 * meanwhile, reported and left.
 */

/* How a change is read, made and taken back: one row of a table in tune/kinds.c each. */
enum tune_kind {
	TUNE_WORD,   /* a line of a file of /sys or /proc; "always [madvise] never" reads as madvise
		      */
	TUNE_PAGES,  /* nr_hugepages of a pool: the kernel may give fewer */
	TUNE_MODULE, /* loaded or not; path: its name */
	TUNE_MOUNT,  /* hugetlbfs of one page size; path: where */
	TUNE_FILE,   /* a file of our own below /etc: whole, or not there */
	TUNE_FOLDER, /* a directory below /etc that such a file wants; goes when it is empty */
	TUNE_SERVICE, /* of systemd: active or inactive; its files stay as they are */
};

extern const char *const tune_kind_words[]; /* as tune_change.kind, by enum tune_kind */

/* planned (not done, --dry-run), applied, partly (fewer pages than wanted, and the role can work
 * with them), refused (the kernel said no; nothing changed), rolled-back (refused or partly, and
 * useless so), restored, kept (nothing to take back), foreign (somebody else changed it: left). */
extern const char *const tune_states[];

struct tune_change;
/* Whether its state is this one of tune_states. */
bool tune_state_is(const struct tune_change *change, const char *state);
/* What became of it, and why (NULL: nothing is to be said). */
void tune_settle(struct tune_change *change, const char *state, const char *reason);

struct tune_change {
	const char *id;    /* "governor/policy0", "hugepages/node0/2048kB": stable between runs */
	const char *check; /* the check whose finding it mends */
	const char *kind;  /* word of tune/kinds.c */
	const char *path;
	const char *before; /* NULL: was not there */
	const char *wanted;
	const char *got;    /* read back; NULL: not yet, or not there */
	const char *state;  /* of tune_states */
	const char *reason; /* why refused, foreign …; what is to be known; NULL */
	const char
		*group; /* changes that only make sense together are rolled back together; NULL */
	/* Globs of ids: made only where one of these stands, or none of those; NULL. */
	const char *needs, *unless;
	int64_t least;        /* TUNE_PAGES: what the role can work with */
	bool persisted;       /* a file of this plan sets it again at boot (tune/persist.c) */
	const char *boot;     /* boot_id of the run that made it; record only */
	struct names earlier; /* what earlier runs of ours wanted there; record only */
};

/* What tune does not do: firmware (the menu path), kernel command line (the drop-in's text), what
 * has no old value to go back to. */
struct tune_advice {
	const char *check, *title;
	const char *kind; /* firmware, command-line, by-hand */
	const char *text; /* one line: what to do, where, and what it costs */
};

struct tune_plan {
	struct field_array changes; /* struct tune_change, in the order they are made */
	struct field_array advice;  /* struct tune_advice */
	int interrupted; /* SIGINT or SIGTERM came: what was not yet made stays planned; 0 */
};

/* Room at the end of either array, zeroed. */
struct tune_change *tune_add_change(struct arena *arena, struct tune_plan *plan);
struct tune_advice *tune_add_advice(struct arena *arena, struct tune_plan *plan);

extern const struct field_table tune_change_table, tune_advice_table;

/*
 * The tree that is tuned: this machine, or a scratch tree (--root DIR). Writing goes through here
 * alone, beneath the tree. In a scratch tree modules and mounts are not
 * made; their changes are planned and then refused with that reason.
 */
struct tune_tree {
	struct beneath top;
	bool live;
	const char *path; /* for messages; "/" when live */
};

/* NULL: this machine. Close it with tune_tree_close(). */
bool tune_tree_open(const char *path, struct tune_tree *out, struct error *err);
void tune_tree_close(struct tune_tree *tree);

/* A check that tune can mend is a row of tune/settings.c; NULL when it is not one. One line for
 * explain: what tune would set. */
const char *tune_setting_of(const char *check);

/* `failing`: ids of checks that failed. Facts that are unknown give advice, never a change. Pure:
 * only the facts' root is asked. */
void tune_plan(struct facts *facts, const struct checks *checks, const struct names *failing,
	       struct tune_plan *out);

/* What earlier runs made and still stands, as changes that are `kept`: for tune_persist(), which
 * writes files of all that stands. The record is only read. */
bool tune_recorded(struct arena *arena, const struct tune_tree *tree, struct tune_plan *plan,
		   struct error *err);

/* The files that set the applied changes again at boot, as further changes of kind file (and the
 * kernel command line as advice); tune/persist.c. */
bool tune_persist(struct facts *facts, struct tune_plan *plan, struct error *err);

/* Makes the changes, setting got, state and reason in each. False: could not go on (the record
 * cannot be written, another run holds the lock: EXIT_LOCKED); what was made is in the record. Who
 * blocks SIGINT and SIGTERM meanwhile gets a change in hand finished first. */
bool tune_apply(struct arena *arena, const struct tune_tree *tree, struct tune_plan *plan,
		struct error *err);

/* Takes back what the record holds, last first; *out are its changes with their states. A record
 * of which nothing is left to do is removed. No record: an empty plan. */
bool tune_revert(struct arena *arena, const struct tune_tree *tree, bool dry_run,
		 struct tune_plan *out, struct error *err);
