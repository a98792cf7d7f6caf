// SPDX-License-Identifier: BSD-2-Clause
#include "setup/plan.h"

#include "base/arena.h"
#include "base/error.h"
#include "catalog/version.h"

#include <fnmatch.h>
#include <string.h>

static bool fits_glob(const struct names *globs, const char *word)
{
	for (size_t i = 0; i < globs->count; i++) {
		if (fnmatch(globs->items[i], word, 0) == 0)
			return true;
	}
	return false;
}

const struct plan_tree *plan_find(const struct plan *plan, const char *recipe)
{
	for (size_t i = 0; i < plan->count; i++) {
		if (strcmp(plan->trees[i].recipe->name, recipe) == 0)
			return &plan->trees[i];
	}
	return NULL;
}

bool plan_when(const struct plan *plan, const struct plan_tree *tree,
	       const struct recipe_when *when)
{
	const struct target *target = plan->request->target;

	if (!when)
		return true;
	if (when->families.count && !fits_glob(&when->families, target->family))
		return false;
	if (when->arches.count && !names_has(&when->arches, target->arch))
		return false;
	if (when->versions.count && tree->version &&
	    !version_fits_any(tree->version->version, &when->versions))
		return false;
	if (when->compilers.count && !names_has(&when->compilers, plan->request->toolchain->kind))
		return false;
	if (when->build && (strcmp(when->build, "cross") == 0) != target->cross)
		return false;
	for (size_t i = 0; i < when->with.count; i++) {
		if (!plan_find(plan, when->with.items[i]))
			return false;
	}
	for (size_t i = 0; i < when->without.count; i++) {
		if (plan_find(plan, when->without.items[i]))
			return false;
	}
	return true;
}

static const struct recipe *find_recipe(const struct plan_request *request, const char *name)
{
	for (size_t i = 0; i < request->recipe_count; i++) {
		if (strcmp(request->recipes[i]->name, name) == 0)
			return request->recipes[i];
	}
	return NULL;
}

static const struct plan_wanted *find_wanted(const struct plan_request *request, const char *name)
{
	for (size_t i = 0; i < request->wanted_count; i++) {
		if (strcmp(request->wanted[i].name, name) == 0)
			return &request->wanted[i];
	}
	return NULL;
}

static bool unknown_recipe(struct arena *arena, const struct plan_request *request,
			   const char *name, struct error *err)
{
	const char **known = arena_array(arena, const char *, request->recipe_count + 1), *nearest;

	for (size_t i = 0; i < request->recipe_count; i++)
		known[i] = request->recipes[i]->name;
	nearest = text_nearest(name, known, request->recipe_count);
	if (nearest)
		return error_exit(err, EXIT_USAGE, "unknown recipe '%s', did you mean '%s'?", name,
				  nearest);
	return error_exit(err, EXIT_USAGE, "unknown recipe '%s', see ampere-crypto list recipes",
			  name);
}

/* The versions of `name` that the recipes in the plan can use. */
static void collect_limits(struct arena *arena, const struct plan *plan, const char *name,
			   struct names *limits)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct recipe_depend *depends = plan->trees[i].recipe->depends.items;

		for (size_t d = 0; d < plan->trees[i].recipe->depends.count; d++) {
			if (strcmp(depends[d].name, name) != 0 ||
			    !plan_when(plan, &plan->trees[i], depends[d].when))
				continue;
			for (size_t v = 0; v < depends[d].versions.count; v++)
				names_add(arena, limits, depends[d].versions.items[v]);
		}
	}
}

/* Adds a recipe and, after it, what it depends on; order comes later. */
static bool add(struct arena *arena, struct plan *plan, const char *name, const char *asked_by,
		struct error *err)
{
	const struct plan_request *request = plan->request;
	const struct recipe *recipe = find_recipe(request, name);
	const struct plan_wanted *wanted = find_wanted(request, name);
	struct names limits = {0};

	if (plan_find(plan, name))
		return true;
	if (!recipe && asked_by)
		return error_set(err, "recipes/%s: depends on %s, which has no recipe", asked_by,
				 name);
	if (!recipe)
		return unknown_recipe(arena, request, name, err);
	if (!recipe->versions.count)
		return error_exit(err, EXIT_UNSUPPORTED, "%s: its recipe only judges versions",
				  name);
	if (plan->count == PLAN_TREES_MAX)
		return error_set(err, "more than %d recipes", PLAN_TREES_MAX);
	collect_limits(arena, plan, name, &limits);
	struct plan_tree *tree = &plan->trees[plan->count];

	*tree = (struct plan_tree){.recipe = recipe};
	if (!plan_when(plan, tree, recipe->when))
		return error_exit(err, EXIT_UNSUPPORTED, "%s: not for %s on %s", name,
				  request->target->name, request->target->arch);
	if (!plan_choose_version(arena, request, recipe, &limits, wanted ? wanted->version : NULL,
				 tree, err))
		return false;
	plan->count++;
	const struct recipe_depend *depends = recipe->depends.items;

	for (size_t d = 0; d < recipe->depends.count; d++) {
		if (!plan_when(plan, tree, depends[d].when))
			continue;
		if (depends[d].optional && names_has(&request->without, depends[d].name)) {
			names_add(arena, &plan->notes,
				  arena_printf(arena, "%s is built without %s", name,
					       depends[d].name));
			continue;
		}
		if (!add(arena, plan, depends[d].name, name, err))
			return false;
	}
	return true;
}

/* Every recipe for the target that is not there for others only. */
static bool add_all(struct arena *arena, struct plan *plan, struct error *err)
{
	const struct plan_request *request = plan->request;

	for (size_t i = 0; i < request->recipe_count; i++) {
		const struct recipe *recipe = request->recipes[i];
		struct plan_tree alone = {.recipe = recipe};

		if (!recipe->versions.count || !plan_when(plan, &alone, recipe->when) ||
		    names_has(&request->without, recipe->name))
			continue;
		if (!add(arena, plan, recipe->name, NULL, err))
			return false;
	}
	return true;
}

/* A known position of each tree's dependencies among those already placed. */
static bool is_ready(const struct plan *plan, const struct plan_tree *tree,
		     const struct plan *placed)
{
	const struct recipe_depend *depends = tree->recipe->depends.items;

	for (size_t d = 0; d < tree->recipe->depends.count; d++) {
		if (plan_when(plan, tree, depends[d].when) && plan_find(plan, depends[d].name) &&
		    !plan_find(placed, depends[d].name))
			return false;
	}
	return true;
}

static bool sort(struct arena *arena, struct plan *plan, struct error *err)
{
	struct plan placed = {.request = plan->request};

	placed.trees = arena_array(arena, struct plan_tree, PLAN_TREES_MAX);
	while (placed.count < plan->count) {
		size_t before = placed.count;

		for (size_t i = 0; i < plan->count; i++) {
			struct plan_tree *tree = &plan->trees[i];

			if (!plan_find(&placed, tree->recipe->name) &&
			    is_ready(plan, tree, &placed))
				placed.trees[placed.count++] = *tree;
		}
		if (placed.count == before)
			return error_set(err, "recipes depend on each other in a circle");
	}
	plan->trees = placed.trees;
	return true;
}

static void link_depends(struct arena *arena, const struct plan *plan, struct plan_tree *tree)
{
	const struct recipe_depend *depends = tree->recipe->depends.items;

	tree->depends = arena_array(arena, const struct plan_tree *, PLAN_TREES_MAX);
	for (size_t d = 0; d < tree->recipe->depends.count; d++) {
		const struct plan_tree *other = plan_find(plan, depends[d].name);

		if (other && plan_when(plan, tree, depends[d].when))
			tree->depends[tree->depend_count++] = other;
	}
}

static enum plan_state state_of(const struct plan_request *request, const struct plan_tree *tree)
{
	if (request->rebuild || !names_has(&request->stored, tree->name))
		return PLAN_BUILD;
	return names_has(&request->active, tree->name) ? PLAN_ACTIVE : PLAN_STORED;
}

bool plan_make(struct arena *arena, const struct plan_request *request, struct plan *out,
	       struct error *err)
{
	struct plan plan = {.request = request};

	plan.trees = arena_array(arena, struct plan_tree, PLAN_TREES_MAX);
	if (!request->roots && !add_all(arena, &plan, err))
		return false;
	for (size_t i = 0; i < request->roots; i++) {
		if (!add(arena, &plan, request->wanted[i].name, NULL, err))
			return false;
	}
	if (!plan.count)
		return error_exit(err, EXIT_UNSUPPORTED, "no recipe is for %s",
				  request->target->name);
	if (!sort(arena, &plan, err))
		return false;
	for (size_t i = 0; i < plan.count; i++) {
		struct plan_tree *tree = &plan.trees[i];

		link_depends(arena, &plan, tree);
		if (!plan_fill(arena, &plan, tree, err))
			return error_context(err, "%s/recipe.json", tree->recipe->directory);
		tree->state = state_of(request, tree);
	}
	*out = plan;
	return true;
}

bool plan_is_done(const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->trees[i].state != PLAN_ACTIVE)
			return false;
	}
	return true;
}
