// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/recipe.h"

#define EXPRESSION "^(\\*|>=[0-9][0-9.]*[a-z]?|[0-9][0-9.]*[a-z]?\\+?)$"
#define NAME "^[a-z0-9-]+$"
#define HEX(digits) "^[0-9a-f]{" #digits "}$"
#define HTTPS "^https://[!-~]+$"
/* A file name: no slash, no leading dot. */
#define FILE_NAME "^[A-Za-z0-9_][A-Za-z0-9._+~-]*$"
/* A path inside the tree: no component may begin with a dot. */
#define INSIDE "^[A-Za-z0-9_+*][A-Za-z0-9._+*-]*(/[A-Za-z0-9_+*][A-Za-z0-9._+*-]*)*$"
#define ASSIGNMENT "^[A-Za-z_][A-Za-z0-9_]*=.*$"

/* One row of a table: key, kind, member, text, and what else there is to say. */
#define ROW(type, name, field_kind, member, text, ...)                                             \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct type, member),         \
		.doc = (text), ##__VA_ARGS__                                                       \
	}

static const char *const builds[] = {"cross", "native", NULL};
static const char *const statuses[] = {"supported", "eol", "refused", "unpinned", NULL};
static const char *const phases[] = {"configure", "build", "stage", NULL};
static const char *const tool_kinds[] = {"program", "perl", "python", "header", "library", NULL};

static const struct field rule_rows[] = {
	ROW(recipe_rule, "families", FIELD_TEXTS, families,
	    "globs of CPU families; the first rule that fits decides", .required = true),
	ROW(recipe_rule, "with", FIELD_TEXT, with, "the rule holds beside this other software only",
	    .nullable = true),
	ROW(recipe_rule, "with-versions", FIELD_TEXTS, with_versions, "of these versions",
	    .pattern = EXPRESSION),
	ROW(recipe_rule, "versions", FIELD_TEXTS, versions,
	    "good versions: * any, >=V that one or newer, V any of that series, V+ that one or "
	    "newer of its series",
	    .required = true, .pattern = EXPRESSION),
	ROW(recipe_rule, "avoid", FIELD_TEXTS, avoid, "versions to be avoided, whatever else fits",
	    .pattern = EXPRESSION),
	ROW(recipe_rule, "backported", FIELD_TEXTS, backported,
	    "versions that are good with a patch, which they do not show", .pattern = EXPRESSION),
	ROW(recipe_rule, "unconfirmed", FIELD_TEXTS, unconfirmed,
	    "versions of which no source says whether they fit", .pattern = EXPRESSION),
	ROW(recipe_rule, "why", FIELD_TEXT, why, "the reason, for people", .required = true),
	ROW(recipe_rule, "references", FIELD_TEXTS, references, "where the rule comes from",
	    .required = true),
};

static const struct field_table rule_table =
	FIELD_TABLE("recipe-rule", struct recipe_rule, rule_rows,
		    "which versions are right on a family of CPUs");

static const struct field when_rows[] = {
	ROW(recipe_when, "families", FIELD_TEXTS, families,
	    "globs of the target's family; generic builds have the family native"),
	ROW(recipe_when, "arches", FIELD_TEXTS, arches, "of the target", .pattern = "^[a-z0-9_]+$"),
	ROW(recipe_when, "versions", FIELD_TEXTS, versions, "of this recipe",
	    .pattern = EXPRESSION),
	ROW(recipe_when, "with", FIELD_TEXTS, with,
	    "recipes of depends that this build has, all of them", .pattern = NAME),
	ROW(recipe_when, "without", FIELD_TEXTS, without,
	    "recipes of depends that this build does without, all of them", .pattern = NAME),
	ROW(recipe_when, "compilers", FIELD_TEXTS, compilers, "gcc, clang",
	    .pattern = "^(gcc|clang)$"),
	ROW(recipe_when, "flags", FIELD_TEXTS, flags,
	    "globs: one of them fits a flag that the compiler takes for the CPU"),
	ROW(recipe_when, "no-flags", FIELD_TEXTS, no_flags, "globs: none of them fits any"),
	ROW(recipe_when, "build", FIELD_ENUM, build, "for another architecture, or for this one",
	    .nullable = true, .names = builds),
};

static const struct field_table when_table =
	FIELD_TABLE("recipe-when", struct recipe_when, when_rows,
		    "when something holds: all that is given must be true");

#define WHEN(type)                                                                                 \
	ROW(type, "when", FIELD_OBJECT, when, "only then; absent: always", .nullable = true,       \
	    .table = &when_table)

static const struct field signature_rows[] = {
	ROW(recipe_signature, "url", FIELD_TEXT, url, "the detached signature", .required = true,
	    .pattern = HTTPS),
	ROW(recipe_signature, "fingerprint", FIELD_TEXT, fingerprint,
	    "of the primary key that must have made it, 40 hex digits", .required = true,
	    .pattern = "^[0-9A-F]{40}$"),
};

static const struct field_table signature_table =
	FIELD_TABLE("recipe-signature", struct recipe_signature, signature_rows,
		    "upstream's signature of a file");

static const struct field source_rows[] = {
	ROW(recipe_source, "file", FIELD_TEXT, file, "its name upstream", .required = true,
	    .pattern = FILE_NAME),
	ROW(recipe_source, "url", FIELD_TEXT, url, "where upstream has it", .required = true,
	    .pattern = HTTPS),
	ROW(recipe_source, "sha256", FIELD_TEXT, sha256,
	    "its digest; null: not known, the version is unpinned", .nullable = true,
	    .pattern = HEX(64)),
	ROW(recipe_source, "size", FIELD_NUMBER, size, "bytes, where known", .minimum = 1,
	    .maximum = 4294967296),
	ROW(recipe_source, "signature", FIELD_OBJECT, signature,
	    "where upstream signs; checked beside the digest", .nullable = true,
	    .table = &signature_table),
};

static const struct field_table source_table =
	FIELD_TABLE("recipe-source", struct recipe_source, source_rows, "a file to fetch");

static const struct field git_rows[] = {
	ROW(recipe_git, "url", FIELD_TEXT, url, "the repository", .required = true,
	    .pattern = HTTPS),
	ROW(recipe_git, "commit", FIELD_TEXT, commit, "40 digits; nothing else is taken",
	    .required = true, .pattern = HEX(40)),
};

static const struct field_table git_table =
	FIELD_TABLE("recipe-git", struct recipe_git, git_rows, "one commit of a repository");

static const struct field version_rows[] = {
	ROW(recipe_version, "version", FIELD_TEXT, version, "as upstream names it",
	    .required = true, .pattern = "^[A-Za-z0-9][A-Za-z0-9.+_]*$"),
	ROW(recipe_version, "status", FIELD_ENUM, status,
	    "supported: taken by default; eol: upstream has ended it, built with --allow; refused: "
	    "known to be wrong, built with --allow; unpinned: no digest is known, built with "
	    "--accept-digest",
	    .required = true, .names = statuses),
	ROW(recipe_version, "reason", FIELD_TEXT, reason, "why it has that status",
	    .nullable = true),
	ROW(recipe_version, "sources", FIELD_ARRAY, sources, "the first is the tree",
	    .table = &source_table),
	ROW(recipe_version, "git", FIELD_OBJECT, git, "instead of files", .nullable = true,
	    .table = &git_table),
};

static const struct field_table version_table = FIELD_TABLE(
	"recipe-version", struct recipe_version, version_rows, "a release and where it is had");

static const struct field tool_rows[] = {
	ROW(recipe_tool, "kind", FIELD_ENUM, kind,
	    "program on PATH, perl module, python module, C header, library for -l",
	    .required = true, .names = tool_kinds),
	ROW(recipe_tool, "name", FIELD_TEXT, name, "what is looked for", .required = true,
	    .pattern = "^[A-Za-z0-9_][A-Za-z0-9_.:/+-]*$"),
	ROW(recipe_tool, "debian", FIELD_TEXT, debian, "the package that has it", .required = true),
	ROW(recipe_tool, "rhel", FIELD_TEXT, rhel, "the package that has it", .nullable = true),
	ROW(recipe_tool, "suse", FIELD_TEXT, suse, "the package that has it", .nullable = true),
	ROW(recipe_tool, "of-target", FIELD_BOOL, of_target,
	    "a header or library of the target, not of the build machine"),
	ROW(recipe_tool, "soname", FIELD_TEXT, soname,
	    "of a library of the target's system that is linked with it, as it stands in needed: "
	    "which one is there is part of the key",
	    .nullable = true, .pattern = "^[A-Za-z0-9_][A-Za-z0-9_.+-]*\\.so[A-Za-z0-9_.*+-]*$"),
	WHEN(recipe_tool),
};

static const struct field_table tool_table =
	FIELD_TABLE("recipe-tool", struct recipe_tool, tool_rows,
		    "something the build needs of the system, named before anything starts");

static const struct field depend_rows[] = {
	ROW(recipe_depend, "name", FIELD_TEXT, name, "another recipe", .required = true,
	    .pattern = NAME),
	ROW(recipe_depend, "versions", FIELD_TEXTS, versions, "of it that fit; empty: any",
	    .pattern = EXPRESSION),
	ROW(recipe_depend, "optional", FIELD_BOOL, optional, "can be left out by --without"),
	WHEN(recipe_depend),
};

static const struct field_table depend_table = FIELD_TABLE(
	"recipe-depend", struct recipe_depend, depend_rows, "a recipe that must be built before");

static const struct field item_rows[] = {
	ROW(recipe_item, "text", FIELD_TEXT, text, "a word", .required = true),
	WHEN(recipe_item),
};

static const struct field_table item_table =
	FIELD_TABLE("recipe-item", struct recipe_item, item_rows, "a word of a list");

static const struct field list_rows[] = {
	ROW(recipe_list, "name", FIELD_TEXT, name, "used as {list:NAME}", .required = true,
	    .pattern = NAME),
	ROW(recipe_list, "separator", FIELD_TEXT, separator,
	    "between the items; null: each is a word of its own", .nullable = true),
	ROW(recipe_list, "items", FIELD_ARRAY, items, "in order", .required = true,
	    .table = &item_table),
};

static const struct field_table list_table =
	FIELD_TABLE("recipe-list", struct recipe_list, list_rows, "words that depend on the plan");

static const struct field step_rows[] = {
	ROW(recipe_step, "name", FIELD_TEXT, name, "for people: configure", .required = true),
	ROW(recipe_step, "phase", FIELD_ENUM, phase, "configure, build or stage", .required = true,
	    .names = phases),
	ROW(recipe_step, "argv", FIELD_TEXTS, argv,
	    "a program and its arguments; no shell looks at them"),
	ROW(recipe_step, "in", FIELD_TEXT, in, "working directory; {build} when absent",
	    .nullable = true),
	ROW(recipe_step, "environment", FIELD_TEXTS, environment, "for this step",
	    .pattern = ASSIGNMENT),
	ROW(recipe_step, "write", FIELD_TEXT, write, "the file to be written", .nullable = true),
	ROW(recipe_step, "lines", FIELD_TEXTS, lines, "its lines"),
	ROW(recipe_step, "edit", FIELD_TEXT, edit, "the file to be changed", .nullable = true),
	ROW(recipe_step, "after", FIELD_TEXT, after,
	    "a whole line of it, which must be there exactly once", .nullable = true),
	ROW(recipe_step, "insert", FIELD_TEXTS, insert, "lines put behind it"),
	ROW(recipe_step, "replace", FIELD_TEXT, replace, "text of it, every occurrence …",
	    .nullable = true),
	ROW(recipe_step, "by", FIELD_TEXT, by, "… becomes this", .nullable = true),
	ROW(recipe_step, "unless-file", FIELD_TEXT, unless_file,
	    "the change is not needed when this file exists", .nullable = true),
	ROW(recipe_step, "check", FIELD_TEXT, check, "a file that must hold …", .nullable = true),
	ROW(recipe_step, "has", FIELD_TEXTS, has, "… each of these lines"),
	ROW(recipe_step, "link", FIELD_TEXT, link, "the symbolic link to be made …",
	    .nullable = true),
	ROW(recipe_step, "to", FIELD_TEXTS, to,
	    "… to the first of these that exists on the build machine, else to the first"),
	WHEN(recipe_step),
};

static const struct field_table step_table =
	FIELD_TABLE("recipe-step", struct recipe_step, step_rows,
		    "one step: exactly one of argv, write, edit, check and link");

static const struct field proof_rows[] = {
	ROW(recipe_proof, "name", FIELD_TEXT, name, "what is proved", .required = true),
	ROW(recipe_proof, "argv", FIELD_TEXTS, argv,
	    "a program of the staged tree; emulated when it is foreign", .required = true),
	ROW(recipe_proof, "environment", FIELD_TEXTS, environment, "for this run",
	    .pattern = ASSIGNMENT),
	ROW(recipe_proof, "has", FIELD_TEXTS, has, "text its output must hold"),
	ROW(recipe_proof, "lacks", FIELD_TEXTS, lacks, "text its output must not hold"),
	ROW(recipe_proof, "operations", FIELD_NUMBER, operations,
	    "of dpdk-test-crypto-perf --ptest verify, in each row: all came back, none failed",
	    .minimum = 1, .maximum = 1000000000),
	ROW(recipe_proof, "number", FIELD_TEXT, number,
	    "the text before a hexadecimal number of its output …", .nullable = true),
	ROW(recipe_proof, "equals", FIELD_TEXT, equals, "… that must be this …", .nullable = true),
	ROW(recipe_proof, "ignored", FIELD_TEXT, ignored, "… but for these bits", .nullable = true,
	    .pattern = "^0x[0-9a-f]+$"),
	ROW(recipe_proof, "status", FIELD_NUMBER, status, "exit status wanted", .minimum = 0,
	    .maximum = 255),
	WHEN(recipe_proof),
};

static const struct field_table proof_table = FIELD_TABLE(
	"recipe-proof", struct recipe_proof, proof_rows, "a run of the staged tree that must pass");

static const struct field provides_rows[] = {
	ROW(recipe_provides, "pkg-config", FIELD_TEXTS, pkg_config, "names of .pc files"),
	ROW(recipe_provides, "libraries", FIELD_TEXTS, libraries, "sonames"),
	ROW(recipe_provides, "commands", FIELD_TEXTS, commands, "programs in bin"),
};

static const struct field_table provides_table = FIELD_TABLE(
	"recipe-provides", struct recipe_provides, provides_rows, "what others can use of it");

static const struct field recipe_rows[] = {
	ROW(recipe, "name", FIELD_TEXT, name, "the directory's name", .required = true,
	    .pattern = NAME),
	ROW(recipe, "summary", FIELD_TEXT, summary, "what it is, one line", .required = true),
	ROW(recipe, "homepage", FIELD_TEXT, homepage, "upstream's page", .nullable = true,
	    .pattern = HTTPS),
	ROW(recipe, "license", FIELD_TEXT, license, "SPDX expression", .required = true),
	ROW(recipe, "rules", FIELD_ARRAY, rules, "version rules, the first that fits decides",
	    .required = true, .table = &rule_table),
	ROW(recipe, "versions", FIELD_ARRAY, versions, "releases, the preferred first",
	    .table = &version_table),
	ROW(recipe, "when", FIELD_OBJECT, when, "targets it can be built for", .nullable = true,
	    .table = &when_table),
	ROW(recipe, "depends", FIELD_ARRAY, depends, "recipes that are built before",
	    .table = &depend_table),
	ROW(recipe, "tools", FIELD_ARRAY, tools, "what the build needs of the system",
	    .table = &tool_table),
	ROW(recipe, "lists", FIELD_ARRAY, lists, "words that depend on the plan",
	    .table = &list_table),
	ROW(recipe, "environment", FIELD_TEXTS, environment, "of all steps", .pattern = ASSIGNMENT),
	ROW(recipe, "steps", FIELD_ARRAY, steps, "in order", .table = &step_table),
	ROW(recipe, "relocatable", FIELD_BOOL, relocatable,
	    "the built tree holds no path of its own, it works wherever it lies"),
	ROW(recipe, "products", FIELD_TEXTS, products, "files that must exist in the tree",
	    .pattern = INSIDE),
	ROW(recipe, "outside", FIELD_TEXTS, outside,
	    "links of the tree that may lead out of it (to the host's certificates)",
	    .pattern = INSIDE),
	ROW(recipe, "needed", FIELD_TEXTS, needed, "globs of the NEEDED entries that are allowed"),
	ROW(recipe, "scanned", FIELD_TEXTS, scanned,
	    "files whose instructions are compared with the CPU's", .pattern = INSIDE),
	ROW(recipe, "instructions", FIELD_TEXTS, instructions,
	    "those that must be in one of these files where the CPU has them"),
	ROW(recipe, "dispatched", FIELD_TEXTS, dispatched,
	    "globs of functions that are chosen at run time: they may hold instructions that "
	    "the CPU lacks"),
	ROW(recipe, "probes", FIELD_TEXTS, probes,
	    "globs of functions that only try an instruction: what no other function holds is not "
	    "there"),
	ROW(recipe, "smoke", FIELD_TEXTS, smoke, "pkg-config names that smoke.c is built with"),
	ROW(recipe, "proofs", FIELD_ARRAY, proofs, "runs of the staged tree that must pass",
	    .table = &proof_table),
	ROW(recipe, "provides", FIELD_INSIDE, provides, "what others can use of it",
	    .table = &provides_table),
};

const struct field_table recipe_table = FIELD_TABLE(
	"recipe", struct recipe, recipe_rows, "one piece of software: recipes/NAME/recipe.json");
