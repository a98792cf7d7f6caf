// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "catalog/version.h"
#include "setup/plan.h"

#include <string.h>

/* The rule of a recipe for the target's family; generic builds take the last, which is for all. */
static const struct recipe_rule *rule_for(const struct recipe *recipe, const struct target *target)
{
	const struct recipe_rule *rules = recipe->rules.items;

	for (size_t i = 0; i < recipe->rules.count; i++) {
		if (!rules[i].with && names_match(&rules[i].families, target->family))
			return &rules[i];
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

/* The first window that a version is outside of, or NULL. */
static const struct plan_limit *outside(const struct plan_limits *limits, const char *version)
{
	for (size_t i = 0; i < limits->count; i++) {
		const struct names *windows = &limits->items[i].depend->versions;

		if (windows->count && !version_fits_any(version, windows))
			return &limits->items[i];
	}
	return NULL;
}

/* "dpdk 24.11.8 needs >=2024.07.08 or 1.4+" */
static const char *limit_text(struct arena *arena, const struct plan_limit *limit)
{
	return arena_printf(arena, "%s %s needs %s", limit->recipe->name, limit->version,
			    names_join(arena, &limit->depend->versions, " or "));
}

static bool is_right(const struct recipe *recipe, const struct plan_request *request,
		     const struct plan_limits *limits, const struct recipe_version *version)
{
	const struct recipe_rule *rule = rule_for(recipe, request->target);

	return !outside(limits, version->version) &&
	       (!rule || recipe_judge(rule, version->version) == VERDICT_GOOD);
}

/* The first supported version that is right; one that is at hand goes before one that is not. */
static const struct recipe_version *preferred(const struct plan_request *request,
					      const struct recipe *recipe,
					      const struct plan_limits *limits, bool nearby)
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
static const struct recipe_version *first_unpinned(const struct plan_request *request,
						   const struct recipe *recipe,
						   const struct plan_limits *limits)
{
	const struct recipe_version *versions = recipe->versions.items;

	for (size_t i = 0; i < recipe->versions.count; i++) {
		if (strcmp(versions[i].status, "unpinned") == 0 &&
		    is_right(recipe, request, limits, &versions[i]))
			return &versions[i];
	}
	return NULL;
}

/* Why it takes --allow to build a version, or NULL. */
static const char *objection(struct arena *arena, const struct plan_request *request,
			     const struct recipe *recipe, const struct recipe_version *version)
{
	const struct recipe_rule *rule = rule_for(recipe, request->target);

	if (strcmp(version->status, "refused") == 0 || strcmp(version->status, "eol") == 0)
		return version->reason;
	if (rule && recipe_judge(rule, version->version) != VERDICT_GOOD)
		return arena_printf(arena, "on %s: %s", request->target->name, rule->why);
	return NULL;
}

/* The user's version, even when it is not right for the target: then permission is asked for. */
static bool named(struct arena *arena, const struct plan_request *request,
		  const struct recipe *recipe, const struct plan_limits *limits, const char *text,
		  struct plan_tree *tree, struct error *err)
{
	const struct plan_limit *limit = outside(limits, text);
	const struct recipe_version *found = recipe->versions.items;
	const char *objected;

	/* It is among them: plan_check_request(). */
	while (strcmp(found->version, text) != 0)
		found++;
	objected = objection(arena, request, recipe, found);
	if (objected && !names_has(&request->allow, recipe->name))
		return error_set(err, "%s %s: %s; to build it all the same: --allow %s",
				 recipe->name, text, objected, recipe->name);
	if (limit)
		return error_set(err, "%s %s: %s; choose another --version of one of them",
				 recipe->name, text, limit_text(arena, limit));
	tree->version = found;
	tree->allowed = objected != NULL;
	tree->why = objected ? arena_printf(arena, "asked for and allowed, although: %s", objected)
			     : "asked for";
	return true;
}

static bool nothing_right(struct arena *arena, const struct plan_request *request,
			  const struct recipe *recipe, const struct plan_limits *limits,
			  struct error *err)
{
	struct names texts = {0};

	for (size_t i = 0; i < limits->count; i++) {
		if (limits->items[i].depend->versions.count)
			names_add(arena, &texts, limit_text(arena, &limits->items[i]));
	}
	if (texts.count)
		return error_set(err, "%s: no version fits: %s", recipe->name,
				 names_join(arena, &texts, ", "));
	return error_exit(err, EXIT_UNSUPPORTED, "%s: no version of it is right for %s",
			  recipe->name, request->target->name);
}

bool plan_choose_version(struct arena *arena, const struct plan_request *request,
			 const struct recipe *recipe, const struct plan_limits *limits,
			 struct plan_tree *tree, struct error *err)
{
	const struct recipe_version *newest = preferred(request, recipe, limits, false);
	const struct recipe_version *nearby = preferred(request, recipe, limits, true);
	const char *wanted = plan_wanted_version(request, recipe->name);

	if (wanted)
		return named(arena, request, recipe, limits, wanted, tree, err);
	tree->version = nearby ? nearby : newest;
	if (!tree->version)
		tree->version = first_unpinned(request, recipe, limits);
	if (!tree->version)
		return nothing_right(arena, request, recipe, limits, err);
	tree->why = nearby && nearby != newest
			    ? arena_printf(arena, "at hand; the recipe prefers %s", newest->version)
			    : "preferred by the recipe";
	return true;
}
