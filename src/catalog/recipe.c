// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/recipe.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "catalog/version.h"

#include <string.h>

#define FILE_MAX_BYTES ((size_t)256 << 10)
/* A recipe is a directory; what builds them lies beside them and has a dot. */
static bool add_names(struct arena *arena, const char *directory, struct names *recipes,
		      struct error *err)
{
	struct names found;

	if (!file_list(arena, directory, "", &found, err))
		return false;
	for (size_t i = 0; i < found.count; i++) {
		if (!strchr(found.items[i], '.') && !names_has(recipes, found.items[i]))
			names_add(arena, recipes, found.items[i]);
	}
	return true;
}

bool recipe_names(struct arena *arena, const char *directory, struct names *out, struct error *err)
{
	struct names recipes = {0};

	if (!add_names(arena, file_data_path(arena, "recipes"), &recipes, err) ||
	    (directory && !add_names(arena, directory, &recipes, err)))
		return false;
	names_sort(&recipes);
	*out = recipes;
	return true;
}

/* What the table cannot say: a step is one thing, a version is pinned or says that it is not. */
static bool check_step(const struct recipe_step *step, struct error *err)
{
	int kinds = (step->argv.count > 0) + (step->write != NULL) + (step->edit != NULL) +
		    (step->check != NULL) + (step->link != NULL);

	if (kinds != 1)
		return error_set(err, "step %s: exactly one of argv, write, edit, check and link",
				 step->name);
	if (!step->link != !step->to.count)
		return error_set(err, "step %s: a link leads to something", step->name);
	if (step->edit && !step->after == !step->replace)
		return error_set(err, "step %s: an edit has either after or replace", step->name);
	if (step->replace && (!*step->replace || !step->by))
		return error_set(err, "step %s: replace needs a text, and by", step->name);
	return true;
}

static bool check_version(const struct recipe_version *version, struct error *err)
{
	const struct recipe_source *sources = version->sources.items;
	bool pinned = version->git != NULL;

	if (!version->git == !version->sources.count)
		return error_set(err, "version %s: either sources or git", version->version);
	for (size_t i = 0; i < version->sources.count; i++)
		pinned = pinned || sources[i].sha256;
	for (size_t i = 0; i < version->sources.count; i++)
		pinned = pinned && sources[i].sha256;
	if (pinned == (strcmp(version->status, "unpinned") == 0))
		return error_set(err, "version %s: it is unpinned exactly when a digest is missing",
				 version->version);
	if (strcmp(version->status, "supported") != 0 && !version->reason)
		return error_set(err, "version %s: %s needs a reason", version->version,
				 version->status);
	return true;
}

static bool check_proof(const struct recipe_proof *proof, struct error *err)
{
	return (!proof->number == !proof->equals && (proof->number || !proof->ignored)) ||
	       error_set(err, "proof %s: number and equals go together", proof->name);
}

static bool check_recipe(const struct recipe *recipe, struct error *err)
{
	const struct recipe_version *versions = recipe->versions.items;
	const struct recipe_step *steps = recipe->steps.items;
	const struct recipe_proof *proofs = recipe->proofs.items;

	for (size_t i = 0; i < recipe->versions.count; i++) {
		if (!check_version(&versions[i], err))
			return false;
	}
	for (size_t i = 0; i < recipe->steps.count; i++) {
		if (!check_step(&steps[i], err))
			return false;
	}
	for (size_t i = 0; i < recipe->proofs.count; i++) {
		if (!check_proof(&proofs[i], err))
			return false;
	}
	return true;
}

static bool load(struct arena *arena, const char *directory, const char *name,
		 const struct recipe **out, struct error *err)
{
	const char *path = arena_printf(arena, "%s/recipe.json", directory);
	struct recipe *recipe = arena_new(arena, struct recipe);
	struct view text;
	struct json json;

	if (!file_read(arena, path, FILE_MAX_BYTES, &text, err) ||
	    !json_parse(arena, path, text, &json, err) ||
	    !fields_load(arena, &json, json.top, &recipe_table, recipe, err))
		return false;
	if (strcmp(recipe->name, name) != 0)
		return json_error(&json, json.top, err, "the name is %s, its directory %s",
				  recipe->name, name);
	if (!check_recipe(recipe, err))
		return error_context(err, "%s", path);
	recipe->directory = directory;
	*out = recipe;
	return true;
}

bool recipe_load(struct arena *arena, const char *name, const struct recipe **out,
		 struct error *err)
{
	return load(arena, file_data_path(arena, arena_printf(arena, "recipes/%s", name)), name,
		    out, err);
}

bool recipe_load_from(struct arena *arena, const char *directory, const char *name,
		      const struct recipe **out, struct error *err)
{
	const char *own = directory ? arena_printf(arena, "%s/%s", directory, name) : NULL;

	if (own && file_exists(own))
		return load(arena, own, name, out, err);
	return recipe_load(arena, name, out, err);
}

enum recipe_verdict recipe_judge(const struct recipe_rule *rule, const char *version)
{
	const struct {
		const struct names *expressions;
		enum recipe_verdict verdict;
	} steps[] = {
		{&rule->avoid, VERDICT_AVOID},
		{&rule->unconfirmed, VERDICT_UNCONFIRMED},
		{&rule->versions, VERDICT_GOOD},
		{&rule->backported, VERDICT_PATCHED},
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (version_fits_any(version, steps[i].expressions))
			return steps[i].verdict;
	}
	return VERDICT_OLD;
}
