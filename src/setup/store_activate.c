// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "setup/store_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TREES_MAX 1000

static const struct store_tree *find(const struct store_trees *trees, const char *name)
{
	for (size_t i = 0; trees && i < trees->count; i++) {
		if (strcmp(trees->items[i].name, name) == 0)
			return &trees->items[i];
	}
	return NULL;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(((const struct store_tree *)left)->name,
		      ((const struct store_tree *)right)->name);
}

bool generation_same(const struct generation *one, const struct generation *other)
{
	if (one->trees.count != other->trees.count || strcmp(one->target, other->target) != 0)
		return false;
	for (size_t i = 0; i < one->trees.count; i++) {
		const struct store_tree *tree = &one->trees.items[i];
		const struct store_tree *same = find(&other->trees, tree->name);

		if (!same || strcmp(tree->version, same->version) != 0 ||
		    strcmp(tree->key, same->key) != 0)
			return false;
	}
	return true;
}

static bool merge(struct store *store, const struct generation *current,
		  const struct store_trees *trees, const struct names *removed,
		  struct generation *next, struct error *err)
{
	size_t given = trees ? trees->count : 0, kept = current->trees.count;
	bool stay = !current->target || strcmp(current->target, next->target) == 0;

	if (given + kept > TREES_MAX)
		return error_set(err, "more than %d trees", TREES_MAX);
	next->trees.items = arena_array(store->arena, struct store_tree, given + kept + 1);
	for (size_t i = 0; i < given; i++) {
		const struct store_tree *tree = &trees->items[i];

		if (!store_has(store, tree->name, tree->version, tree->key))
			return error_set(err, "%s-%s-%s is not in %s/" STORE_TREES, tree->name,
					 tree->version, tree->key, store->prefix);
		if (find(&next->trees, tree->name))
			return error_set(err, "two trees with the name %s", tree->name);
		next->trees.items[next->trees.count++] = *tree;
	}
	for (size_t i = 0; stay && i < kept; i++) {
		const struct store_tree *tree = &current->trees.items[i];

		if (!find(trees, tree->name) && !(removed && names_has(removed, tree->name)))
			next->trees.items[next->trees.count++] = *tree;
	}
	qsort(next->trees.items, next->trees.count, sizeof(next->trees.items[0]), by_name);
	return true;
}

bool store_activate(struct store *store, const char *target, const struct store_trees *trees,
		    const struct names *removed, struct generation *out, struct error *err)
{
	struct generation current, next = {.target = target};
	struct generations all;

	if (!store_current(store, &current, err) ||
	    !merge(store, &current, trees, removed, &next, err) ||
	    !store_generations(store, &all, err))
		return false;
	if (current.number && generation_same(&current, &next)) {
		*out = current;
		return true;
	}
	if (next.trees.count) {
		const struct generation *newest = all.count ? &all.items[all.count - 1] : NULL;

		/* One that was made just before a run was killed only needs to be switched to. */
		if (newest && newest->number > current.number && generation_same(newest, &next))
			next = *newest;
		next.number = newest == NULL                        ? current.number + 1
			      : next.number != 0                    ? next.number
			      : newest->number + 1 > current.number ? newest->number + 1
								    : current.number + 1;
		if (!next.created && !generation_make(store, &next, err))
			return false;
	}
	if (!generation_switch(store, next.number, err))
		return false;
	next.active = next.number != 0;
	*out = next;
	return true;
}

bool store_rollback(struct store *store, uint32_t to, struct generation *out, struct error *err)
{
	const struct generation *found = NULL;
	struct generations all;
	uint32_t active = 0;

	if (!store_generations(store, &all, err))
		return false;
	for (size_t i = 0; i < all.count; i++) {
		if (all.items[i].active)
			active = all.items[i].number;
	}
	for (size_t i = 0; i < all.count; i++) {
		const struct generation *one = &all.items[i];

		if (to ? one->number == to : !active || one->number < active)
			found = one;
	}
	if (!found && to)
		return error_set(err,
				 "there is no generation %" PRIu32
				 ", see ampere-crypto status for those there are",
				 to);
	if (!found)
		return error_set(err, "there is no generation before the active one");
	for (size_t i = 0; i < found->trees.count; i++) {
		const struct store_tree *tree = &found->trees.items[i];

		if (!store_has(store, tree->name, tree->version, tree->key))
			return error_set(err, "generation %" PRIu32 " has lost its tree %s-%s-%s",
					 found->number, tree->name, tree->version, tree->key);
	}
	if (!found->active && !generation_switch(store, found->number, err))
		return false;
	*out = *found;
	out->active = true;
	return true;
}
