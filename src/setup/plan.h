// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "catalog/recipe.h"
#include "setup/system.h"
#include "setup/target.h"
#include "setup/toolchain.h"

/*
 * What would be done, before anything is: pure functions of what was asked, the recipes, the
 * target, the compiler and what is installed. --dry-run prints exactly this.
 */
struct plan_wanted {
	const char *name;
	const char *version; /* NULL: the preferred one that is right for the target */
};

struct plan_request {
	const struct recipe *const *recipes; /* all that are known */
	size_t recipe_count;
	/* The first `roots` are asked for (none: every recipe that is for the target); the others
	 * only say which version, should they be needed. */
	const struct plan_wanted *wanted;
	size_t wanted_count, roots;
	struct names without;  /* recipes to leave out; nothing that is needed */
	struct names allow;    /* recipes of which eol and refused versions are built */
	struct names accepted; /* digests of unpinned sources that the user vouches for */
	struct names nearby;   /* digests (and commits) that mirrors and cache hold */
	bool offline;
	const struct target *target;
	const struct toolchain *toolchain;
	const struct system_library *libraries; /* that are there; of the recipes' tools */
	size_t library_count;
	const char *prefix;  /* PREFIX, real path */
	struct names stored; /* "NAME-VERSION-KEY" of trees in the store */
	struct names active; /* likewise, of the current generation */
	unsigned jobs;
	bool rebuild; /* build what is stored already, too */
};

enum plan_state { PLAN_BUILD, PLAN_STORED, PLAN_ACTIVE };

enum plan_step_kind { STEP_RUN, STEP_WRITE, STEP_EDIT, STEP_LINK, STEP_CHECK };

/* A step with its placeholders filled in. */
struct plan_step {
	enum plan_step_kind kind;
	const char *name, *phase, *in;
	struct names argv, environment; /* a program … */
	const char *path;               /* … or a file: of write, edit, check, link */
	struct names lines;             /* of write, edit (insert), check (has), link (to) */
	const char *after, *replace, *by, *unless_file;
};

struct plan_source {
	const char *file, *url;
	const char *sha256; /* pinned, or accepted by the user; NULL: the tree is `unpinned` */
	int64_t size;       /* 0: not known */
	const struct recipe_signature *signature;
};

struct plan_tree {
	const struct recipe *recipe;
	const struct recipe_version *version;
	const char *why; /* this version */
	bool allowed;    /* it took --allow */
	/* Which source has no digest, why, and what to give; NULL: every source has one. */
	const char *unpinned;
	/* 16 hex digits of the digest of all that decides the tree; NULL when it, or what it
	 * depends on, is unpinned: then names and paths have KEY in its place, which is no key. */
	const char *key;
	const char *name;   /* NAME-VERSION-KEY */
	const char *path;   /* PREFIX/store/NAME-VERSION-KEY */
	const char *work;   /* PREFIX/work/NAME-VERSION-KEY: source, build, stage, trees */
	const char *staged; /* where the tree stands before it is installed: WORK/trees/NAME… */
	enum plan_state state;
	struct plan_source *sources;
	size_t source_count;
	const struct plan_tree **depends;
	size_t depend_count;
	const struct system_library **libraries; /* of the target's system that it is linked with */
	size_t library_count;
	struct plan_step *steps;
	size_t step_count;
	struct names environment;  /* of all steps */
	struct names emulator;     /* command in front of programs of the target; empty: none */
	struct field_array proofs; /* struct plan_proof */
};

struct plan_proof {
	const struct recipe_proof *recipe;
	struct names argv, environment, has, lacks;
	const char *equals;
};

struct plan {
	const struct plan_request *request;
	struct plan_tree *trees; /* dependencies first */
	size_t count;
	struct names notes; /* for people: what was left out, and why */
};

#define PLAN_TREES_MAX 16

/*
 * Exit codes: 64 for names, versions and digests that are wrong in themselves or contradict each
 * other, 6 for recipes that are not for this target, 2 for refused versions, versions that do not
 * go together, and mistakes of recipes.
 */
bool plan_make(struct arena *arena, const struct plan_request *request, struct plan *out,
	       struct error *err);
const struct plan_tree *plan_find(const struct plan *plan, const char *recipe);
/* Whether anything is to be built, or another set of trees to be active. */
bool plan_is_done(const struct plan *plan);

/* What may be executed; an unpinned tree can only be looked at. Exit 2 with what to give. */
bool plan_is_pinned(const struct plan *plan, struct error *err);

/* "argv", "write" …: the key of the recipe that says what is done. */
const char *plan_step_word(enum plan_step_kind kind);

/* Whether a condition of this tree's recipe holds, once its dependencies are linked. */
bool plan_when(const struct plan *plan, const struct plan_tree *tree,
	       const struct recipe_when *when);

/* For the files of the planner only. */

/* A window that a dependent sets to a version. */
struct plan_limit {
	const struct recipe *recipe;
	const char *version; /* of the dependent */
	const struct recipe_depend *depend;
};

struct plan_limits {
	struct plan_limit *items;
	size_t count;
};

bool plan_check_request(struct arena *arena, const struct plan_request *request, struct error *err);
const struct recipe *plan_recipe(const struct plan_request *request, const char *name);
const char *plan_wanted_version(const struct plan_request *request, const char *name);
bool plan_choose_version(struct arena *arena, const struct plan_request *request,
			 const struct recipe *recipe, const struct plan_limits *limits,
			 struct plan_tree *tree, struct error *err);
/* Each source gets its digest: the pinned one, or one that the user vouches for, where there is. */
bool plan_pin(struct arena *arena, struct plan *plan, struct error *err);
/* Notes for permissions that nothing needed. */
void plan_note_unused(struct arena *arena, struct plan *plan);
/* Kind, names, file and, apart, lines of a step, placeholders unfilled. A recipe says one kind. */
struct plan_step plan_step_of(const struct recipe_step *recipe, const struct names **lines);
/* Fills key, paths, steps, environment and proofs. */
bool plan_fill(struct arena *arena, const struct plan *plan, struct plan_tree *tree,
	       struct error *err);
