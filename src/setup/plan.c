// SPDX-License-Identifier: BSD-2-Clause
#include "setup/plan.h"

#include "base/arena.h"
#include "base/error.h"
#include "catalog/version.h"

#include <string.h>

/* Versions only become fixed from dependents downwards, one level a pass. */
#define PASSES_MAX (PLAN_TREES_MAX + 1)

const struct plan_tree *plan_find(const struct plan *plan, const char *recipe)
{
	for (size_t i = 0; i < plan->count; i++) {
		if (strcmp(plan->trees[i].recipe->name, recipe) == 0)
			return &plan->trees[i];
	}
	return NULL;
}

static bool is_linked(const struct plan_tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->depend_count; i++) {
		if (strcmp(tree->depends[i]->recipe->name, name) == 0)
			return true;
	}
	return false;
}

static bool fits_flags(const struct recipe_when *when, const struct names *flags)
{
	bool fits = !when->flags.count;

	for (size_t i = 0; i < flags->count; i++) {
		fits = fits || names_match(&when->flags, flags->items[i]);
		if (names_match(&when->no_flags, flags->items[i]))
			return false;
	}
	return fits;
}

bool plan_when(const struct plan *plan, const struct plan_tree *tree,
	       const struct recipe_when *when)
{
	const struct target *target = plan->request->target;
	const struct toolchain *toolchain = plan->request->toolchain;

	if (!when)
		return true;
	if (when->families.count && !names_match(&when->families, target->family))
		return false;
	if (when->arches.count && !names_has(&when->arches, target->arch))
		return false;
	if (when->versions.count && !version_fits_any(tree->version->version, &when->versions))
		return false;
	if (when->compilers.count && !names_has(&when->compilers, toolchain->kind))
		return false;
	if (when->build && (strcmp(when->build, "cross") == 0) != target->cross)
		return false;
	for (size_t i = 0; i < when->with.count; i++) {
		if (!is_linked(tree, when->with.items[i]))
			return false;
	}
	for (size_t i = 0; i < when->without.count; i++) {
		if (is_linked(tree, when->without.items[i]))
			return false;
	}
	return fits_flags(when, &toolchain->flags);
}

/* The windows that the trees of a plan set to the versions of `name`. */
static struct plan_limits collect_limits(struct arena *arena, const struct plan *plan,
					 const char *name)
{
	struct plan_limits limits = {0};
	size_t rows = 0;

	for (size_t i = 0; i < plan->count; i++)
		rows += plan->trees[i].recipe->depends.count;
	limits.items = arena_array(arena, struct plan_limit, rows + 1);
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_tree *tree = &plan->trees[i];
		const struct recipe_depend *depends = tree->recipe->depends.items;

		for (size_t d = 0; d < tree->recipe->depends.count; d++) {
			if (strcmp(depends[d].name, name) == 0 &&
			    plan_when(plan, tree, depends[d].when))
				limits.items[limits.count++] = (struct plan_limit){
					tree->recipe, tree->version->version, &depends[d]};
		}
	}
	return limits;
}

/* One pass over what is asked for: versions fit the windows that `before` knows of. */
struct gathering {
	struct arena *arena;
	struct plan *plan;
	const struct plan *before; /* the pass before; in the first one the plan itself */
};

static bool add(struct gathering *gathering, const struct recipe *recipe, struct error *err);

static bool add_depends(struct gathering *gathering, const struct plan_tree *tree,
			struct error *err)
{
	struct plan *plan = gathering->plan;
	const struct recipe *recipe = tree->recipe;
	const struct recipe_depend *depends = recipe->depends.items;

	for (size_t d = 0; d < recipe->depends.count; d++) {
		const char *name = depends[d].name;
		const struct recipe *other = plan_recipe(plan->request, name);

		if (!other)
			return json_error(&recipe->json, recipe_at(recipe, "depends", d, "name"),
					  err, "there is no recipe %s", name);
		if (!plan_when(plan, tree, depends[d].when))
			continue;
		if (names_has(&plan->request->without, name)) {
			if (!depends[d].optional)
				return error_exit(err, EXIT_USAGE, "--without %s: %s needs it",
						  name, recipe->name);
			names_add(gathering->arena, &plan->notes,
				  arena_printf(gathering->arena, "%s is built without %s",
					       recipe->name, name));
			continue;
		}
		if (!add(gathering, other, err))
			return false;
	}
	return true;
}

/* A recipe and, after it, what it depends on; order comes later. */
static bool add(struct gathering *gathering, const struct recipe *recipe, struct error *err)
{
	struct plan *plan = gathering->plan;
	const struct target *target = plan->request->target;
	struct plan_tree *tree = &plan->trees[plan->count];
	struct plan_limits limits;

	if (plan_find(plan, recipe->name))
		return true;
	if (!recipe->versions.count)
		return error_exit(err, EXIT_UNSUPPORTED, "%s: its recipe only judges versions",
				  recipe->name);
	if (plan->count == PLAN_TREES_MAX)
		return error_set(err, "more than %d recipes", PLAN_TREES_MAX);
	*tree = (struct plan_tree){.recipe = recipe};
	if (!plan_when(plan, tree, recipe->when))
		return error_exit(err, EXIT_UNSUPPORTED, "%s: not for %s on %s", recipe->name,
				  target->name, target->arch);
	limits = collect_limits(gathering->arena, gathering->before, recipe->name);
	if (!plan_choose_version(gathering->arena, plan->request, recipe, &limits, tree, err))
		return false;
	plan->count++;
	return add_depends(gathering, tree, err);
}

/* Every recipe for the target that is not there for others only. */
static bool add_all(struct gathering *gathering, struct error *err)
{
	const struct plan_request *request = gathering->plan->request;

	for (size_t i = 0; i < request->recipe_count; i++) {
		const struct recipe *recipe = request->recipes[i];
		const struct plan_tree alone = {.recipe = recipe};

		if (!recipe->versions.count || !plan_when(gathering->plan, &alone, recipe->when) ||
		    names_has(&request->without, recipe->name))
			continue;
		if (!add(gathering, recipe, err))
			return false;
	}
	return true;
}

static bool gather(struct arena *arena, const struct plan *before, struct plan *plan,
		   struct error *err)
{
	const struct plan_request *request = before->request;
	struct gathering gathering = {arena, plan, before->count ? before : plan};

	*plan = (struct plan){.request = request,
			      .trees = arena_array(arena, struct plan_tree, PLAN_TREES_MAX)};
	if (!request->roots && !add_all(&gathering, err))
		return false;
	for (size_t i = 0; i < request->roots; i++) {
		if (!add(&gathering, plan_recipe(request, request->wanted[i].name), err))
			return false;
	}
	return plan->count || error_exit(err, EXIT_UNSUPPORTED, "no recipe is for %s on %s",
					 request->target->name, request->target->arch);
}

static bool is_same(const struct plan *a, const struct plan *b)
{
	for (size_t i = 0; i < a->count && a->count == b->count; i++) {
		if (a->trees[i].version != b->trees[i].version)
			return false;
	}
	return a->count == b->count;
}

/* A dependent can come after what it depends on, so it is gathered until nothing changes. */
static bool settle(struct arena *arena, const struct plan_request *request, struct plan *plan,
		   struct error *err)
{
	struct plan before = {.request = request};

	for (size_t pass = 0; pass < PASSES_MAX; pass++) {
		if (!gather(arena, &before, plan, err))
			return false;
		if (is_same(plan, &before))
			return true;
		before = *plan;
	}
	return error_set(err, "recipes: the versions they want of each other never fit");
}

/* The first dependency that is in the plan and has no place yet, or NULL. */
static const struct recipe_depend *awaited(const struct plan *plan, const struct plan_tree *tree,
					   const struct plan *placed)
{
	const struct recipe_depend *depends = tree->recipe->depends.items;

	for (size_t d = 0; d < tree->recipe->depends.count; d++) {
		if (plan_when(plan, tree, depends[d].when) && plan_find(plan, depends[d].name) &&
		    !plan_find(placed, depends[d].name))
			return &depends[d];
	}
	return NULL;
}

/* Follows what waits for each other until it is back where it was. */
static bool circle(struct arena *arena, const struct plan *plan, const struct plan *placed,
		   struct error *err)
{
	const struct plan_tree *tree = plan->trees;
	const struct recipe_depend *depend;
	struct names way = {0};

	while (plan_find(placed, tree->recipe->name))
		tree++;
	while (!names_has(&way, tree->recipe->name)) {
		names_add(arena, &way, tree->recipe->name);
		tree = plan_find(plan, awaited(plan, tree, placed)->name);
	}
	while (strcmp(way.items[0], tree->recipe->name) != 0) {
		way.items++;
		way.count--;
	}
	names_add(arena, &way, tree->recipe->name);
	depend = awaited(plan, tree, placed);
	return json_error(
		&tree->recipe->json,
		recipe_at(tree->recipe, "depends",
			  (size_t)(depend -
				   (const struct recipe_depend *)tree->recipe->depends.items),
			  "name"),
		err, "recipes depend on each other in a circle: %s", names_join(arena, &way, ", "));
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
			    !awaited(plan, tree, &placed))
				placed.trees[placed.count++] = *tree;
		}
		if (placed.count == before)
			return circle(arena, plan, &placed, err);
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

		if (other && !is_linked(tree, depends[d].name) &&
		    plan_when(plan, tree, depends[d].when))
			tree->depends[tree->depend_count++] = other;
	}
}

static enum plan_state state_of(const struct plan_request *request, const struct plan_tree *tree)
{
	if (request->rebuild || !tree->key || !names_has(&request->stored, tree->name))
		return PLAN_BUILD;
	return names_has(&request->active, tree->name) ? PLAN_ACTIVE : PLAN_STORED;
}

bool plan_make(struct arena *arena, const struct plan_request *request, struct plan *out,
	       struct error *err)
{
	struct plan plan;

	if (!plan_check_request(arena, request, err) || !settle(arena, request, &plan, err) ||
	    !sort(arena, &plan, err) || !plan_pin(arena, &plan, err))
		return false;
	for (size_t i = 0; i < plan.count; i++) {
		struct plan_tree *tree = &plan.trees[i];

		link_depends(arena, &plan, tree);
		if (!plan_fill(arena, &plan, tree, err))
			return false;
		tree->state = state_of(request, tree);
	}
	plan_note_unused(arena, &plan);
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
