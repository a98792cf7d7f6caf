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

static bool load(struct arena *arena, const char *directory, const char *name, const char *path,
		 struct view text, const struct recipe **out, struct error *err)
{
	struct recipe *recipe = arena_new(arena, struct recipe);
	struct json json;

	if (!json_parse(arena, path, text, &json, err) ||
	    !fields_load(arena, &json, json.top, &recipe_table, recipe, err))
		return false;
	recipe->json = json;
	recipe->directory = directory;
	if (strcmp(recipe->name, name) != 0)
		return json_error(&json, recipe_at(recipe, "name", 0, NULL), err,
				  "the name is %s, its directory %s", recipe->name, name);
	if (!recipe_check(arena, recipe, err))
		return false;
	*out = recipe;
	return true;
}

bool recipe_load(struct arena *arena, const char *name, const struct recipe **out,
		 struct error *err)
{
	const char *directory = file_data_path(arena, arena_printf(arena, "recipes/%s", name));
	const char *path = arena_printf(arena, "%s/recipe.json", directory);
	struct view text;

	return file_read(arena, path, FILE_MAX_BYTES, &text, err) &&
	       load(arena, directory, name, path, text, out, err);
}

bool recipe_load_from(struct arena *arena, const char *directory, const char *name,
		      const struct recipe **out, struct error *err)
{
	const char *own = directory ? arena_printf(arena, "%s/%s", directory, name) : NULL;
	struct error inner = {0};
	bool exists = false;
	struct view text;

	if (own && file_read_owned(arena, directory, name, "recipe.json", FILE_MAX_BYTES, &text,
				   &exists, &inner))
		return load(arena, own, name, arena_printf(arena, "%s/recipe.json", own), text, out,
			    err);
	/* A recipe that is not laid over is no error, and none is said. */
	if (!exists)
		return recipe_load(arena, name, out, err);
	return error_exit(err, inner.exit_code, "%s", inner.text);
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
