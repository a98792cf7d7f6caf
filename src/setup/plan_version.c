// SPDX-License-Identifier: BSD-2-Clause
#include "setup/plan.h"

#include "base/arena.h"
#include "base/error.h"
#include "catalog/version.h"

#include <fnmatch.h>
#include <string.h>

/* The rule of a recipe for the target's family; generic builds take the last, which is for all. */
static const struct recipe_rule *rule_for(const struct recipe *recipe, const struct target *target)
{
	const struct recipe_rule *rules = recipe->rules.items;

	for (size_t i = 0; i < recipe->rules.count; i++) {
		if (rules[i].with)
			continue;
		for (size_t f = 0; f < rules[i].families.count; f++) {
			if (fnmatch(rules[i].families.items[f], target->family, 0) == 0)
				return &rules[i];
		}
	}
	return NULL;
}

static bool is_nearby(const struct plan_request *request, const struct recipe_version *version)
{
	const struct recipe_source *sources = version->sources.items;

	if (version->git)
		return names_has(&request->nearby, version->git->commit);
	for (size_t i = 0; i < version->sources.count; i++) {
		if (!sources[i].sha256 || !names_has(&request->nearby, sources[i].sha256))
			return false;
	}
	return true;
}

static bool is_right(const struct recipe *recipe, const struct plan_request *request,
		     const struct names *limits, const struct recipe_version *version)
{
	const struct recipe_rule *rule = rule_for(recipe, request->target);

	if (limits->count && !version_fits_any(version->version, limits))
		return false;
	return !rule || recipe_judge(rule, version->version) == VERDICT_GOOD;
}

/* The first supported version that is right; one that is at hand goes before one that is not. */
static const struct recipe_version *preferred(const struct plan_request *request,
					      const struct recipe *recipe,
					      const struct names *limits, bool nearby)
{
	const struct recipe_version *versions = recipe->versions.items;

	for (size_t i = 0; i < recipe->versions.count; i++) {
		if (strcmp(versions[i].status, "supported") == 0 &&
		    (!nearby || is_nearby(request, &versions[i])) &&
		    is_right(recipe, request, limits, &versions[i]))
			return &versions[i];
	}
	return NULL;
}

/* Where nothing that is pinned is right, the first that the user may vouch for. */
static const struct recipe_version *first_unpinned(const struct recipe *recipe,
						   const struct names *limits)
{
	const struct recipe_version *versions = recipe->versions.items;

	for (size_t i = 0; i < recipe->versions.count; i++) {
		if (strcmp(versions[i].status, "unpinned") == 0 &&
		    (!limits->count || version_fits_any(versions[i].version, limits)))
			return &versions[i];
	}
	return NULL;
}

static bool unknown_version(struct arena *arena, const struct recipe *recipe, const char *version,
			    struct error *err)
{
	const struct recipe_version *versions = recipe->versions.items;
	struct names known = {0};

	for (size_t i = 0; i < recipe->versions.count; i++)
		names_add(arena, &known, versions[i].version);
	return error_exit(err, EXIT_USAGE, "%s has no version %s here, only %s", recipe->name,
			  version, names_join(arena, &known, ", "));
}

/* The user's version, even when it is not right for the target: the reason is asked for. */
static bool named(struct arena *arena, const struct plan_request *request,
		  const struct recipe *recipe, const char *text, struct plan_tree *tree,
		  struct error *err)
{
	const struct recipe_version *versions = recipe->versions.items, *found = NULL;
	const struct recipe_rule *rule = rule_for(recipe, request->target);
	bool allowed = names_has(&request->allow, recipe->name);

	for (size_t i = 0; i < recipe->versions.count && !found; i++) {
		if (strcmp(versions[i].version, text) == 0)
			found = &versions[i];
	}
	if (!found)
		return unknown_version(arena, recipe, text, err);
	if (!allowed &&
	    (strcmp(found->status, "refused") == 0 || strcmp(found->status, "eol") == 0))
		return error_set(err, "%s %s: %s; to build it all the same: --allow %s",
				 recipe->name, text, found->reason, recipe->name);
	if (!allowed && rule && recipe_judge(rule, text) != VERDICT_GOOD)
		return error_set(err, "%s %s on %s: %s; to build it all the same: --allow %s",
				 recipe->name, text, request->target->name, rule->why,
				 recipe->name);
	tree->version = found;
	tree->why = "asked for";
	return true;
}

/* --accept-digest is SHA256, or RECIPE=SHA256 where more than one recipe is unpinned. */
static const char *accepted(const struct plan_request *request, const struct recipe *recipe)
{
	size_t size = strlen(recipe->name);

	for (size_t i = 0; i < request->accepted.count; i++) {
		const char *word = request->accepted.items[i];

		if (strncmp(word, recipe->name, size) == 0 && word[size] == '=')
			return word + size + 1;
		if (!strchr(word, '='))
			return word;
	}
	return NULL;
}

/* Each source gets its digest: the pinned one, or one that the user vouches for. */
static bool pin(struct arena *arena, const struct plan_request *request,
		const struct recipe *recipe, struct plan_tree *tree, struct error *err)
{
	const struct recipe_source *sources = tree->version->sources.items;

	tree->source_count = tree->version->sources.count;
	tree->sources = arena_array(arena, struct plan_source, tree->source_count + 1);
	for (size_t i = 0; i < tree->source_count; i++) {
		const char *digest = sources[i].sha256;

		if (!digest)
			digest = accepted(request, recipe);
		if (!digest)
			return error_set(err,
					 "%s %s: no digest of %s is known (%s); check it yourself "
					 "and say --accept-digest SHA256, or leave it out with "
					 "--without %s",
					 recipe->name, tree->version->version, sources[i].file,
					 tree->version->reason, recipe->name);
		tree->sources[i] = (struct plan_source){.file = sources[i].file,
							.url = sources[i].url,
							.sha256 = digest,
							.size = sources[i].size,
							.signature = sources[i].signature};
	}
	return true;
}

bool plan_choose_version(struct arena *arena, const struct plan_request *request,
			 const struct recipe *recipe, const struct names *limits,
			 const char *version, struct plan_tree *tree, struct error *err)
{
	const struct recipe_version *newest = preferred(request, recipe, limits, false);
	const struct recipe_version *nearby = preferred(request, recipe, limits, true);

	if (version)
		return named(arena, request, recipe, version, tree, err) &&
		       pin(arena, request, recipe, tree, err);
	tree->version = nearby ? nearby : newest;
	if (!tree->version)
		tree->version = first_unpinned(recipe, limits);
	if (!tree->version)
		return error_exit(err, EXIT_UNSUPPORTED, "%s: no version of it is right for %s",
				  recipe->name, request->target->name);
	tree->why = nearby && nearby != newest
			    ? arena_printf(arena, "at hand; the recipe prefers %s", newest->version)
			    : "preferred by the recipe";
	return pin(arena, request, recipe, tree, err);
}
