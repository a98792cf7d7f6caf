// SPDX-License-Identifier: BSD-2-Clause
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/facets.h"
#include "cli/ldconf.h"
#include "cli/setup.h"
#include "setup/manifest.h"

#include <string.h>

/* One tree, as machines get it: the plan of it, and what came of it. */
struct setup_result {
	const char *name, *version, *key, *unpinned, *state, *path, *why, *log;
	int64_t elapsed_s;
	struct names sources, depends, system, steps;
	struct field_array proof;
};

#define ROW(name, field_kind, member, text, ...)                                                   \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct setup_result, member), \
		.doc = (text), ##__VA_ARGS__                                                       \
	}

static const struct field proof_rows[] = {
	{.key = "what",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct manifest_proof, what),
	 .required = true,
	 .doc = "what was proved"},
	{.key = "result",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct manifest_proof, result),
	 .required = true,
	 .doc = "what was seen"},
};

static const struct field_table proof_table = FIELD_TABLE(
	"setup-proof", struct manifest_proof, proof_rows, "something that was proved of a tree");

static const struct field result_rows[] = {
	ROW("name", FIELD_TEXT, name, "the recipe", .required = true),
	ROW("version", FIELD_TEXT, version, "of it", .required = true),
	ROW("key", FIELD_TEXT, key,
	    "digest of all that decides the tree, 16 hex digits; null: not known before every "
	    "source of it, and of what it depends on, has a digest",
	    .required = true, .nullable = true),
	ROW("unpinned", FIELD_TEXT, unpinned,
	    "which source has no digest, why, and what to give; null: every source has one, or is "
	    "a "
	    "commit",
	    .nullable = true),
	ROW("state", FIELD_TEXT, state,
	    "planned (to be built), stored (built before), active, built (now), failed",
	    .required = true),
	ROW("path", FIELD_TEXT, path,
	    "where the tree is, or will be; with KEY in it while the key is not known",
	    .required = true),
	ROW("why", FIELD_TEXT, why, "this version", .required = true),
	ROW("elapsed_s", FIELD_NUMBER, elapsed_s, "of its build, 0 when it was not built"),
	ROW("log", FIELD_TEXT, log, "of a build that failed", .nullable = true),
	ROW("sources", FIELD_TEXTS, sources,
	    "file and SHA-256, or repository and commit; of an unpinned one the file alone"),
	ROW("depends", FIELD_TEXTS, depends, "the trees it is built against"),
	ROW("system", FIELD_TEXTS, system,
	    "libraries of the target's system it is linked with: soname, version, identity, file"),
	ROW("steps", FIELD_TEXTS, steps, "what is run, in order"),
	ROW("proof", FIELD_ARRAY, proof, "what was proved before it was installed",
	    .table = &proof_table),
};

static const struct field_table result_table =
	FIELD_TABLE("tree", struct setup_result, result_rows, "one piece of software");

static const struct field setup_fields[] = {
	DOCUMENT_FIELDS(&result_table, "one per piece of software, dependencies first",
			&toolchain_table),
};

static const struct field_table setup_table = FIELD_TABLE(
	"setup", struct document, setup_fields, "what `ampere-crypto setup --json` writes");

const struct document_kind setup_kind = {"setup", "1.0.0", &setup_table};

static const char *step_text(struct arena *arena, const struct plan_step *step)
{
	return step->kind == STEP_RUN
		       ? names_join(arena, &step->argv, " ")
		       : arena_printf(arena, "%s %s", plan_step_word(step->kind), step->path);
}

static const char *const states[] = {
	[PLAN_BUILD] = "planned", [PLAN_STORED] = "stored", [PLAN_ACTIVE] = "active"};

static struct setup_result make_result(struct cli *cli, const struct setup *setup, size_t index)
{
	const struct plan_tree *tree = &setup->plan.trees[index];
	const struct executed *executed = setup->results ? &setup->results[index] : NULL;
	const struct recipe_git *git = tree->version->git;
	struct setup_result result = {.name = tree->recipe->name,
				      .version = tree->version->version,
				      .key = tree->key,
				      .unpinned = tree->unpinned,
				      .path = tree->path,
				      .why = tree->why,
				      .state = executed ? executed->state : states[tree->state]};

	if (executed) {
		result.log = executed->log;
		result.elapsed_s = executed->elapsed_s;
		result.proof = executed->proof;
	}
	if (git)
		names_add(&cli->arena, &result.sources,
			  arena_printf(&cli->arena, "%s %s", git->url, git->commit));
	for (size_t i = 0; i < tree->source_count; i++)
		names_add(&cli->arena, &result.sources,
			  arena_printf(&cli->arena, "%s%s%s", tree->sources[i].url,
				       tree->sources[i].sha256 ? " " : "",
				       tree->sources[i].sha256 ? tree->sources[i].sha256 : ""));
	for (size_t i = 0; i < tree->depend_count; i++)
		names_add(&cli->arena, &result.depends, tree->depends[i]->name);
	for (size_t i = 0; i < tree->library_count; i++)
		names_add(&cli->arena, &result.system,
			  arena_printf(&cli->arena, "%s %s %s %s", tree->libraries[i]->soname,
				       tree->libraries[i]->version, tree->libraries[i]->identity,
				       tree->libraries[i]->path));
	for (size_t i = 0; i < tree->step_count; i++)
		names_add(&cli->arena, &result.steps, step_text(&cli->arena, &tree->steps[i]));
	return result;
}

static void show_toolchain(struct cli *cli, struct document *document, const struct setup *setup)
{
	struct section *section = document_section(document, "target", 2, NULL);
	const struct toolchain *toolchain = &setup->toolchain;

	section_row(document, section, "target",
		    arena_printf(&cli->arena, "%s (%s%s)", setup->target.name, setup->target.arch,
				 setup->target.cross ? ", cross" : ""));
	section_row(document, section, "compiler", toolchain->version);
	section_row(document, section, "flags",
		    toolchain->flags.count ? names_join(&cli->arena, &toolchain->flags, " ")
					   : "none: every CPU of this architecture");
	for (size_t i = 0; i < toolchain->refused.count; i++)
		section_row(document, section, "not taken", toolchain->refused.items[i]);
	section_row(document, section, "prefix", setup->store.prefix);
}

static void show_details(struct document *document, const struct setup_result *result)
{
	struct section *section = document_section(document, result->name, 2, NULL);

	section_row(document, section, "tree", result->path);
	if (!result->key)
		section_row(document, section, "key", "not known before every source has a digest");
	section_row(document, section, "version", result->why);
	for (size_t i = 0; i < result->sources.count; i++)
		section_row(document, section, "source", result->sources.items[i]);
	for (size_t i = 0; i < result->depends.count; i++)
		section_row(document, section, "depends", result->depends.items[i]);
	for (size_t i = 0; i < result->system.count; i++)
		section_row(document, section, "system", result->system.items[i]);
	for (size_t i = 0; i < result->steps.count; i++)
		section_row(document, section, "step", result->steps.items[i]);
}

static void show_proof(struct document *document, struct section *section,
		       const struct setup_result *result)
{
	const struct manifest_proof *proofs = result->proof.items;

	for (size_t i = 0; i < result->proof.count; i++)
		section_row(document, section, "", proofs[i].what, proofs[i].result);
}

void setup_sections(struct cli *cli, struct document *document, const struct setup *setup)
{
	struct setup_result *results =
		arena_array(&cli->arena, struct setup_result, setup->plan.count);
	struct section *section;

	show_toolchain(cli, document, setup);
	section = document_section(document, "trees", 3, NULL);
	for (size_t i = 0; i < setup->plan.count; i++) {
		results[i] = make_result(cli, setup, i);
		section_row(document, section, results[i].name, results[i].version,
			    results[i].state);
		show_proof(document, section, &results[i]);
	}
	for (size_t i = 0; i < setup->plan.count; i++) {
		if (cli->options.dry_run || cli->options.verbose)
			show_details(document, &results[i]);
		/* A run that is not dry is refused with these words. */
		if (cli->options.dry_run && results[i].unpinned)
			document_message(document, "note", "%s", results[i].unpinned);
	}
	for (size_t i = 0; i < setup->plan.notes.count; i++)
		document_message(document, "note", "%s", setup->plan.notes.items[i]);
	for (size_t i = 0; i < setup->sources.notes.count; i++)
		document_message(document, "note", "%s", setup->sources.notes.items[i]);
	if (setup->results && setup->sandbox.missing)
		document_message(document, "warning", "%s", setup->sandbox.missing);
	if (setup->loader.policy)
		ldconf_sections(document, &setup->loader);
	setup_facets(document, setup);
	document->results = (struct field_array){results, setup->plan.count};
	document->summary = &setup->toolchain;
}
