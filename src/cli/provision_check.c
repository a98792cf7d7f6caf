// SPDX-License-Identifier: BSD-2-Clause
#include "base/file.h"
#include "bench/suite.h"
#include "catalog/recipe.h"
#include "cli/provision.h"

#include <string.h>

/* "FILE:LINE:COLUMN: KEY: unknown KIND …, did you mean …?" */
static bool unknown(struct provision *provision, const cJSON *at, const char *kind,
		    const char *word, const char *const *known, size_t count)
{
	const char *nearest = text_nearest(word, known, count);

	if (nearest)
		return json_error(&provision->json, at, &provision->cli->error,
				  "unknown %s \"%s\"; did you mean \"%s\"?", kind, word, nearest);
	return json_error(&provision->json, at, &provision->cli->error, "unknown %s \"%s\"", kind,
			  word);
}

/* RECIPE or RECIPE=… in a list of setup. */
static bool check_recipes(struct provision *provision, const struct names *all, const char *key,
			  const struct names *words)
{
	for (size_t i = 0; i < words->count; i++) {
		struct view rest = view_of(words->items[i]), name;
		const char *word;

		/* A digest without a recipe's name. */
		if (strcmp(key, "accept-digests") == 0 && !strchr(words->items[i], '='))
			continue;
		view_split(&rest, '=', &name);
		word = view_copy(&provision->cli->arena, name);
		if (!names_has(all, word))
			return unknown(provision,
				       provision_plan_at(&provision->json, "setup", key, i),
				       "recipe", word, all->items, all->count);
	}
	return true;
}

static bool check_setup(struct provision *provision)
{
	struct cli *cli = provision->cli;
	const struct provision_setup *setup = provision->plan.setup;
	struct names all;

	return recipe_names(&cli->arena, setup->own_recipes, &all, &cli->error) &&
	       check_recipes(provision, &all, "recipes", &setup->recipes) &&
	       check_recipes(provision, &all, "versions", &setup->versions) &&
	       check_recipes(provision, &all, "without", &setup->without) &&
	       check_recipes(provision, &all, "allow", &setup->allow) &&
	       check_recipes(provision, &all, "accept-digests", &setup->digests);
}

static bool check_suites(struct provision *provision)
{
	struct cli *cli = provision->cli;
	const struct names *suites = &provision->plan.bench->suites;
	struct names all = {0};

	if (!suite_names(&cli->arena, &all, &cli->error))
		return false;
	for (size_t i = 0; i < suites->count; i++) {
		if (!strchr(suites->items[i], '/') && !names_has(&all, suites->items[i]))
			return unknown(provision,
				       provision_plan_at(&provision->json, "bench", "suites", i),
				       "suite", suites->items[i], all.items, all.count);
	}
	return true;
}

static bool has_command(const char *name)
{
	for (size_t i = 0; i < command_count; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return true;
	}
	return false;
}

static bool check_outputs(struct provision *provision)
{
	const struct provision_outputs *outputs = &provision->plan.outputs;

	for (size_t i = 0; i < outputs->count; i++) {
		const cJSON *at = provision_plan_at(&provision->json, NULL, "outputs", i);
		const char *format = outputs->items[i].format;
		struct names known = {0};

		for (size_t k = 0; output_formats[k]; k++)
			names_add(&provision->cli->arena, &known, output_formats[k]);
		if (!names_has(&known, format))
			return unknown(provision, cJSON_GetObjectItemCaseSensitive(at, "format"),
				       "format", format, known.items, known.count);
		if (!has_command(outputs->items[i].of))
			return json_error(&provision->json,
					  cJSON_GetObjectItemCaseSensitive(at, "of"),
					  &provision->cli->error, "this version has no command %s",
					  outputs->items[i].of);
	}
	return true;
}

bool provision_check(struct provision *provision)
{
	return (!provision->plan.setup || check_setup(provision)) &&
	       (!provision->plan.bench || check_suites(provision)) && check_outputs(provision);
}
