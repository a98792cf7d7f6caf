// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "cli/facets.h"
#include "cli/setup.h"
#include "host/value.h"
#include "setup/manifest.h"

#include <string.h>

/* What a tree is found to be; "planned" is no verdict yet. */
static const char *outcome_of(const char *state)
{
	if (strcmp(state, "failed") == 0)
		return "fail";
	return strcmp(state, "planned") == 0 ? "unknown" : "pass";
}

static struct field_array proof_of(struct arena *arena, const struct executed *executed)
{
	const struct manifest_proof *proofs = executed ? executed->proof.items : NULL;
	size_t count = executed ? executed->proof.count : 0;
	struct evidence *evidence = arena_array(arena, struct evidence, count + 1);

	for (size_t i = 0; i < count; i++)
		evidence[i] = (struct evidence){.path = proofs[i].what, .raw = proofs[i].result};
	return (struct field_array){evidence, count};
}

static void add_tree(struct document *document, const struct plan_tree *tree,
		     const struct executed *executed, const char *state)
{
	struct arena *arena = document->arena;
	const char *name = tree->recipe->name, *version = tree->version->version;
	bool failed = strcmp(state, "failed") == 0;

	document_verdict(
		document,
		&(struct verdict){
			.group = "trees",
			.id = arena_printf(arena, "setup.%s", name),
			.title = arena_printf(arena, "%s %s", name, version),
			.outcome = outcome_of(state),
			.text = strcmp(state, "planned") == 0
					? "planned, nothing was built"
					: arena_printf(arena, "%s: %s", state, tree->path),
			.why = tree->why,
			.fix = failed && executed && executed->log
				       ? arena_printf(arena, "its log says why: %s", executed->log)
				       : NULL,
			.evidence = proof_of(arena, executed),
			.elapsed_ms = executed ? executed->elapsed_s * 1000 : -1});
	document_metric(document, &(struct metric){.name = "tree_info",
						   .help = "A piece of software with its version",
						   .labels = {{"name", name},
							      {"version", version},
							      {"key", tree->key},
							      {"state", state}},
						   .label_count = 4,
						   .value = 1});
	if (executed)
		document_metric(document,
				&(struct metric){.name = "tree_build_duration",
						 .unit = "seconds",
						 .help = "How long its build took, 0 for none",
						 .labels = {{"name", name}},
						 .label_count = 1,
						 .value = (double)executed->elapsed_s});
}

void setup_facets(struct document *document, const struct setup *setup)
{
	static const char *const states[] = {
		[PLAN_BUILD] = "planned", [PLAN_STORED] = "stored", [PLAN_ACTIVE] = "active"};

	for (size_t i = 0; i < setup->plan.count; i++) {
		const struct plan_tree *tree = &setup->plan.trees[i];
		const struct executed *executed = setup->results ? &setup->results[i] : NULL;

		add_tree(document, tree, executed,
			 executed ? executed->state : states[tree->state]);
	}
}
