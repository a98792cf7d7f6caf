// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "host/facts.h"

struct arena;
struct error;

/*
 * What is known of one piece of software: recipes/NAME/recipe.json. Its version rules stand here
 * once; installed software is judged by the same. How it is had, built and proved stands beside
 * them: a recipe without versions can be judged, not built.
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

/* All that is given must hold; nothing given: always. */
struct recipe_when {
	struct names families;  /* globs of the target's family; "native" has none but that */
	struct names arches;    /* aarch64, x86_64 */
	struct names versions;  /* of this recipe; catalog/version.h */
	struct names with;      /* recipes of its depends that it is built against */
	struct names without;   /* those that it is not built against */
	struct names compilers; /* gcc, clang */
	struct names flags;     /* globs; one word of the target's flags fits */
	struct names no_flags;  /* no word of them fits any */
	const char *build;      /* cross, native */
};

/* One file to fetch. It counts only with these bytes, wherever it comes from. */
struct recipe_source {
	const char *file, *url, *sha256;
	int64_t size; /* bytes; 0: not known */
	struct recipe_signature {
		const char *url, *fingerprint; /* of the primary key, 40 hex digits */
	} * signature;                         /* NULL: upstream does not sign */
};

struct recipe_git {
	const char *url, *commit;
};

struct recipe_version {
	const char *version;
	const char *status;         /* supported, eol, refused, unpinned */
	const char *reason;         /* for people; required unless supported */
	struct field_array sources; /* struct recipe_source; the first is the tree */
	struct recipe_git *git;     /* instead of sources */
};

/* A program, module or header of the build machine, and the package that has it. */
struct recipe_tool {
	const char *kind; /* program, perl, python, header, library */
	const char *name, *debian, *rhel, *suse;
	bool of_target; /* a header or library of the target, from --sysroot when that is given */
	const char *soname; /* of the library that is linked with it, as in `needed`; NULL */
	struct recipe_when *when;
};

struct recipe_depend {
	const char *name;
	struct names versions; /* that fit; empty: any */
	bool optional;         /* --without NAME is possible */
	struct recipe_when *when;
};

/* A word, or words, that depend on the plan: {list:NAME}. */
struct recipe_list {
	const char *name, *separator; /* NULL: separate words */
	struct field_array items;     /* struct recipe_item */
};

struct recipe_item {
	const char *text;
	struct recipe_when *when;
};

/*
 * One step; exactly one of argv, write, edit, check, link. Placeholders are in braces:
 * setup/expand.h. No shell anywhere.
 */
struct recipe_step {
	const char *name, *phase; /* configure, build, stage */
	struct names argv;        /* a program */
	const char *in;           /* working directory; NULL: {build} */
	struct names environment; /* "NAME=VALUE", beside the recipe's */
	const char *write;        /* a file … */
	struct names lines;       /* … of these lines */
	const char *edit, *after; /* a file; the line to find, exactly once … */
	struct names insert;      /* … behind which these are put … */
	const char *replace, *by; /* … or every occurrence of this text by that */
	const char *unless_file;  /* the edit is not needed when this exists */
	const char *check;        /* a file that must hold … */
	struct names has;         /* … each of these lines */
	const char *link;         /* a symbolic link … */
	struct names to; /* … to the first of these that is there, or to the first of all */
	struct recipe_when *when;
};

/* What is run of the staged tree before it is installed, under emulation when it is foreign. */
struct recipe_proof {
	const char *name;
	struct names argv, environment;
	struct names has, lacks; /* text of its output */
	int64_t operations;      /* of dpdk-test-crypto-perf --ptest verify; 0: it is another */
	const char *number;      /* the text before a hexadecimal number of its output … */
	const char *equals;      /* … which is this, "0xbd" … */
	const char *ignored;     /* … but for these bits, or NULL */
	int64_t status;          /* exit status wanted */
	struct recipe_when *when;
};

struct recipe_provides {
	struct names pkg_config, libraries, commands;
};

struct recipe {
	const char *name, *summary, *homepage, *license;
	struct field_array rules;    /* struct recipe_rule */
	struct field_array versions; /* struct recipe_version, the preferred first */
	struct recipe_when *when;    /* targets it is for at all */
	struct field_array depends;  /* struct recipe_depend */
	struct field_array tools;    /* struct recipe_tool */
	struct field_array lists;    /* struct recipe_list */
	struct names environment;
	struct field_array steps;  /* struct recipe_step */
	bool relocatable;          /* holds no path of its own */
	struct names products;     /* files that must be there, from the tree's top */
	struct names outside;      /* links that may lead out of the tree */
	struct names needed;       /* globs of the NEEDED entries that are allowed */
	struct names scanned;      /* files whose instructions are judged */
	struct names instructions; /* of the profile's, those that it must hold */
	struct names dispatched;   /* globs of functions chosen at run time */
	struct names probes;       /* globs of functions that only try whether the CPU has one */
	struct names smoke;        /* pkg-config names that smoke.c is built with */
	struct field_array proofs; /* struct recipe_proof */
	struct recipe_provides provides;
	const char *directory; /* where it lies */
	struct json json;      /* its text, for messages */
};

extern const struct field_table recipe_table;

/* The words in braces that recipes are written with, beside {list:NAME} and {dep:NAME},
 * {dep-tree:NAME} and {dep-version:NAME} of dependencies. */
struct recipe_placeholder {
	const char *name, *doc;
};

extern const struct recipe_placeholder recipe_placeholders[]; /* ends with a NULL name */

#define RECIPE_LISTS_MAX 64

/* The placeholder that begins at `at` in `text`: its name, or false when there is none. */
bool recipe_placeholder_at(const char *text, const char *at, struct view *name);
/* Where something stands, for json_error(): an item of an array (its member `key` when it has it),
 * or a member of the top. */
const cJSON *recipe_at(const struct recipe *recipe, const char *array, size_t index,
		       const char *key);
/* What the field table cannot say; done by recipe_load(). */
bool recipe_check(struct arena *arena, const struct recipe *recipe, struct error *err);

/*
 * The shipped recipes, or those of a directory laid over them (NULL: none). Shipped ones are
 * trusted as the program beside them is; those of another directory are file_read_owned().
 */
bool recipe_load(struct arena *arena, const char *name, const struct recipe **out,
		 struct error *err);
bool recipe_load_from(struct arena *arena, const char *directory, const char *name,
		      const struct recipe **out, struct error *err);

/* Names of all recipes, sorted; those of `directory` (NULL: none) among them. */
bool recipe_names(struct arena *arena, const char *directory, struct names *out, struct error *err);

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
