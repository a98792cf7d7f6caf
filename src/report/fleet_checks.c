// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "report/fleet_private.h"
#include "report/outcome.h"

#include <stdlib.h>
#include <string.h>

static bool is(const char *text, const char *word)
{
	return text && strcmp(text, word) == 0;
}

/* The place among outcome_severities; behind them for a word that is none. */
static size_t severity_of(const struct result_item *item)
{
	size_t place = 0;

	while (place < outcome_severity_count && !is(item->severity, outcome_severities[place]))
		place++;
	return place;
}

/* Worst first, then what fails on most machines, then by id. */
static int by_weight(const void *left, const void *right)
{
	const struct fleet_check *a = left, *b = right;
	size_t one = severity_of(a->item), other = severity_of(b->item);

	if (one != other)
		return one < other ? -1 : 1;
	if (a->machines.count != b->machines.count)
		return a->machines.count > b->machines.count ? -1 : 1;
	return strcmp(a->item->id, b->item->id);
}

static void add_check(struct arena *arena, struct fleet *fleet, const struct fleet_entries *entries)
{
	struct fleet_check check = {0};

	for (size_t i = 0; i < entries->count; i++) {
		const struct result_item *item = entries->items[i].item;

		if (!is(item->outcome, "fail"))
			continue;
		if (!check.item || severity_of(item) < severity_of(check.item))
			check.item = item;
		names_add(arena, &check.machines,
			  fleet->machines[entries->items[i].machine].from->label);
	}
	if (check.item)
		fleet_append(arena, &fleet->checks, &check, sizeof(check));
}

void fleet_checks(struct arena *arena, struct fleet *fleet)
{
	const struct field_array all = fleet_entries(arena, fleet, FLEET_AUDIT);
	const struct fleet_entries *entries = all.items;

	for (size_t i = 0; i < all.count; i++)
		add_check(arena, fleet, &entries[i]);
	if (fleet->checks.count)
		qsort(fleet->checks.items, fleet->checks.count, sizeof(struct fleet_check),
		      by_weight);
}
