// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "host/facts.h"

struct arena;
struct error;

/*
 * What is known of one piece of software: recipes/NAME/recipe.json. Its version rules stand here
 * once; installed software is judged by the same.
 */
struct recipe_rule {
	struct names families;      /* globs of cpu.family; the first rule that fits decides */
	const char *with;           /* only beside this other software … */
	struct names with_versions; /* … of these versions */
	struct names versions;      /* good ones; catalog/version.h */
	struct names avoid;         /* named as to be avoided, not as too old */
	struct names backported;    /* may be good: a patch that the version does not show */
	struct names unconfirmed;   /* no source says */
	const char *why;
	struct names references;
};

struct recipe {
	const char *name, *summary, *license;
	struct field_array rules; /* struct recipe_rule */
};

extern const struct field_table recipe_table;

/* recipes/NAME/recipe.json. */
bool recipe_load(struct arena *arena, const char *name, const struct recipe **out,
		 struct error *err);

/* Names of all recipes, sorted. */
bool recipe_names(struct arena *arena, struct names *out, struct error *err);

enum recipe_verdict {
	VERDICT_GOOD,
	VERDICT_OLD,
	VERDICT_AVOID,
	VERDICT_PATCHED,
	VERDICT_UNCONFIRMED
};

/* A version against one rule. */
enum recipe_verdict recipe_judge(const struct recipe_rule *rule, const char *version);

/* software.openssl-verdict and the like: "3.4.0 meets the rule", "3.0.13 is to be avoided: …". */
extern const struct fact_table recipe_facts;
