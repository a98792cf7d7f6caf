// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/manifest.h"
#include "setup/plan.h"

#include <time.h>

struct downloads;
struct sandbox;
struct sources;
struct store;

/*
 * Does what a plan says, tree by tree: unpack, steps, proof, install; then activates them all at
 * once. No journal: what is staged is garbage until it is renamed into the store, and the active
 * generation is what is true. Nothing is active that was not proved.
 */
struct execution {
	struct arena *arena;
	const struct plan *plan;
	struct store *store; /* open for writing, locked */
	struct sources *sources;
	const struct sandbox *sandbox;
	/* Told what is going on: "openssl 3.5.7", "build"; NULL phase: the tree is done. */
	void (*progress)(void *context, const struct plan_tree *tree, const char *phase);
	/* Told of the downloads, and every second while trees are made; may be NULL. */
	void (*downloading)(void *context, const struct downloads *downloads);
	void (*tick)(void *context);
	void *context;
	unsigned proof_timeout_s; /* of one program of a proof; 0: five minutes */
};

/* What came of one tree. */
struct executed {
	const char *name, *version, *key;
	const char *state; /* active, stored, built */
	const char *path;
	const char *why;          /* this version */
	int64_t elapsed_s;        /* of its build */
	const char *log;          /* of a build that failed; NULL */
	struct field_array proof; /* struct manifest_proof */
};

/* results: one per tree of the plan. Exit 2 when a build failed, 4 when a proof did. */
bool execute_plan(struct execution *execution, struct executed *results, struct error *err);

/* One tree, from its sources to the store. *log: of a build that failed, in PREFIX/logs. */
bool execute_tree(struct execution *execution, const struct plan_tree *tree, const char **log,
		  struct error *err);
/* All of its manifest but what was proved and its files. */
bool execute_manifest(struct execution *execution, const struct plan_tree *tree, time_t started,
		      struct manifest *manifest, struct error *err);
/* One step of a tree (execute_step.c). */
bool execute_step(struct execution *execution, const struct plan_tree *tree,
		  const struct plan_step *step, int log, struct error *err);
