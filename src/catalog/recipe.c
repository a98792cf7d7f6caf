// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/recipe.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "catalog/version.h"

#include <string.h>

#define FILE_MAX_BYTES ((size_t)256 << 10)
#define EXPRESSION "^(\\*|>=[0-9][0-9.]*[a-z]?|[0-9][0-9.]*[a-z]?\\+?)$"

#define RULE(member_name) .offset = FIELD(struct recipe_rule, member_name)
#define RECIPE(member_name) .offset = FIELD(struct recipe, member_name)

static const struct field rule_rows[] = {
	{.key = "families",
	 .kind = FIELD_TEXTS,
	 RULE(families),
	 .required = true,
	 .doc = "globs of CPU families; the first rule that fits decides"},
	{.key = "with",
	 .kind = FIELD_TEXT,
	 RULE(with),
	 .nullable = true,
	 .doc = "the rule holds beside this other software only"},
	{.key = "with-versions",
	 .kind = FIELD_TEXTS,
	 RULE(with_versions),
	 .pattern = EXPRESSION,
	 .doc = "of these versions"},
	{.key = "versions",
	 .kind = FIELD_TEXTS,
	 RULE(versions),
	 .required = true,
	 .pattern = EXPRESSION,
	 .doc = "good versions: * any, >=V that one or newer, V any of that series, V+ that one or "
		"newer of its series"},
	{.key = "avoid",
	 .kind = FIELD_TEXTS,
	 RULE(avoid),
	 .pattern = EXPRESSION,
	 .doc = "versions to be avoided, whatever else fits"},
	{.key = "backported",
	 .kind = FIELD_TEXTS,
	 RULE(backported),
	 .pattern = EXPRESSION,
	 .doc = "versions that are good with a patch, which they do not show"},
	{.key = "unconfirmed",
	 .kind = FIELD_TEXTS,
	 RULE(unconfirmed),
	 .pattern = EXPRESSION,
	 .doc = "versions of which no source says whether they fit"},
	{.key = "why",
	 .kind = FIELD_TEXT,
	 RULE(why),
	 .required = true,
	 .doc = "the reason, for people"},
	{.key = "references",
	 .kind = FIELD_TEXTS,
	 RULE(references),
	 .required = true,
	 .doc = "where the rule comes from"},
};

static const struct field_table rule_table =
	FIELD_TABLE("recipe-rule", struct recipe_rule, rule_rows,
		    "which versions are right on a family of CPUs");

static const struct field recipe_rows[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 RECIPE(name),
	 .required = true,
	 .pattern = "^[a-z0-9-]+$",
	 .doc = "the directory's name"},
	{.key = "summary",
	 .kind = FIELD_TEXT,
	 RECIPE(summary),
	 .required = true,
	 .doc = "what it is, one line"},
	{.key = "license",
	 .kind = FIELD_TEXT,
	 RECIPE(license),
	 .required = true,
	 .doc = "SPDX expression"},
	{.key = "rules",
	 .kind = FIELD_ARRAY,
	 RECIPE(rules),
	 .required = true,
	 .table = &rule_table,
	 .doc = "version rules, the first that fits decides"},
};

const struct field_table recipe_table = FIELD_TABLE(
	"recipe", struct recipe, recipe_rows, "one piece of software: recipes/NAME/recipe.json");

bool recipe_names(struct arena *arena, struct names *out, struct error *err)
{
	struct names found, recipes = {0};

	if (!file_list(arena, file_data_path(arena, "recipes"), "", &found, err))
		return false;
	/* A recipe is a directory; what builds them lies beside them and has a dot. */
	for (size_t i = 0; i < found.count; i++) {
		if (!strchr(found.items[i], '.'))
			names_add(arena, &recipes, found.items[i]);
	}
	*out = recipes;
	return true;
}

bool recipe_load(struct arena *arena, const char *name, const struct recipe **out,
		 struct error *err)
{
	const char *path =
		file_data_path(arena, arena_printf(arena, "recipes/%s/recipe.json", name));
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
	*out = recipe;
	return true;
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
