// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "report/fleet_private.h"

#include <stdlib.h>
#include <string.h>

/* Members of the host that tell machines of a fleet apart. */
static const char *const members[] = {
	"family",
	"product",
	"sku",
	"arch",
	"midr",
	"features",
	"packages",
	"cpus",
	"nodes",
	"page_size_bytes",
	"timer_hz",
	"kernel",
	"firmware.vendor",
	"firmware.version",
	"firmware.date",
	"machine.vendor",
	"machine.product",
	"virtualization.vm",
	"virtualization.container",
};

/* What is compared: a check or a member. */
struct subject {
	const char *id, *title, *severity, *what;
};

static void add_outliers(struct arena *arena, struct fleet *fleet, const struct subject *subject,
			 const struct fleet_value *usual, const struct fleet_value *others,
			 size_t count, size_t total)
{
	const char *rule = arena_printf(arena, "%zu of %zu agree", usual->machines.count, total);

	for (size_t v = 0; v < count; v++) {
		for (size_t m = 0; m < others[v].machines.count; m++) {
			const struct fleet_outlier outlier = {others[v].machines.items[m],
							      subject->id,
							      subject->title,
							      others[v].value,
							      usual->value,
							      rule};

			fleet_append(arena, &fleet->outliers, &outlier, sizeof(outlier));
		}
	}
}

/* The few that differ from what at least three quarters of five or more machines have. */
static bool find_outliers(struct arena *arena, struct fleet *fleet, const struct subject *subject,
			  const struct field_array *values, size_t total)
{
	const struct fleet_value *all = values->items;

	if (total < FLEET_LEAST || values->count < 2 ||
	    (double)all[0].machines.count < FLEET_MAJORITY * (double)total)
		return false;
	add_outliers(arena, fleet, subject, &all[0], &all[1], values->count - 1, total);
	return true;
}

static void add_difference(struct arena *arena, struct fleet *fleet, const struct subject *subject,
			   const struct field_array *values)
{
	const struct fleet_difference difference = {subject->id, subject->title, subject->severity,
						    subject->what, *values};

	fleet_append(arena, &fleet->differences, &difference, sizeof(difference));
}

static void compare_member(struct arena *arena, struct fleet *fleet, const char *path)
{
	struct fleet_said *said = arena_array(arena, struct fleet_said, fleet->count);
	const struct subject subject = {.id = arena_printf(arena, "host.%s", path),
					.what = "machine"};
	struct field_array values;
	size_t count = 0;

	for (size_t m = 0; m < fleet->count; m++) {
		const char *words = results_member(fleet->machines[m].host, path);

		if (words)
			said[count++] = (struct fleet_said){words, m};
	}
	values = fleet_group(arena, fleet, said, count);
	if (values.count < 2)
		return;
	add_difference(arena, fleet, &subject, &values);
	find_outliers(arena, fleet, &subject, &values, count);
}

static const char *outcome_of(const struct result_item *item)
{
	return item->outcome ? item->outcome : "not known";
}

static const char *verdict(struct arena *arena, const struct result_item *item)
{
	if (!item->found || !*item->found)
		return outcome_of(item);
	return arena_printf(arena, "%s: %s", outcome_of(item), item->found);
}

/* Texts are of one pool, but found and outcome of trees are ours. */
static bool all_same(const struct fleet_entries *entries, bool *outcomes)
{
	const struct result_item *first = entries->items[0].item;
	bool same = true;

	*outcomes = true;
	for (size_t i = 1; i < entries->count; i++) {
		const struct result_item *item = entries->items[i].item;

		if (strcmp(outcome_of(item), outcome_of(first)) != 0)
			*outcomes = same = false;
		if (item->found != first->found &&
		    (!item->found || !first->found || strcmp(item->found, first->found) != 0))
			same = false;
	}
	return same;
}

static void compare_check(struct arena *arena, struct fleet *fleet,
			  const struct fleet_entries *entries)
{
	struct fleet_said *said = arena_array(arena, struct fleet_said, entries->count);
	const struct result_item *first = entries->items[0].item;
	struct subject subject = {first->id, first->title, first->severity, "found"};
	struct field_array values;
	bool outcomes;

	if (all_same(entries, &outcomes))
		return;
	subject.what = outcomes ? "found" : "outcome";
	for (size_t i = 0; i < entries->count; i++)
		said[i] = (struct fleet_said){verdict(arena, entries->items[i].item),
					      entries->items[i].machine};
	values = fleet_group(arena, fleet, said, entries->count);
	add_difference(arena, fleet, &subject, &values);
	if (find_outliers(arena, fleet, &subject, &values, entries->count) || outcomes)
		return;
	/* What is found may be different everywhere and the outcome of one still apart. */
	for (size_t i = 0; i < entries->count; i++)
		said[i] = (struct fleet_said){outcome_of(entries->items[i].item),
					      entries->items[i].machine};
	values = fleet_group(arena, fleet, said, entries->count);
	find_outliers(arena, fleet, &subject, &values, entries->count);
}

/* Members first, then checks with different outcomes, then with different findings. */
static int order_of(const struct fleet_difference *difference)
{
	static const char *const order[] = {"machine", "outcome", "found"};

	for (int i = 0; i < 3; i++)
		if (strcmp(order[i], difference->what) == 0)
			return i;
	return 3;
}

static void sort_differences(struct arena *arena, struct field_array *differences)
{
	const struct fleet_difference *all = differences->items;
	struct field_array sorted = {0};

	for (int order = 0; order <= 3; order++)
		for (size_t i = 0; i < differences->count; i++)
			if (order_of(&all[i]) == order)
				fleet_append(arena, &sorted, &all[i], sizeof(all[i]));
	*differences = sorted;
}

static void compare_versions(struct arena *arena, struct fleet *fleet,
			     const struct fleet_entries *entries)
{
	struct fleet_said *said = arena_array(arena, struct fleet_said, entries->count);
	const struct subject subject = {.id = entries->items[0].item->id, .what = "found"};
	struct field_array values;

	for (size_t i = 0; i < entries->count; i++) {
		const struct result_item *item = entries->items[i].item;

		said[i] = (struct fleet_said){arena_printf(arena, "%s, %s",
							   item->title ? item->title : "not known",
							   item->found ? item->found : "not known"),
					      entries->items[i].machine};
	}
	values = fleet_group(arena, fleet, said, entries->count);
	if (values.count < 2)
		return;
	add_difference(arena, fleet, &subject, &values);
	find_outliers(arena, fleet, &subject, &values, entries->count);
}

void fleet_differences(struct arena *arena, struct fleet *fleet)
{
	const struct field_array checks = fleet_entries(arena, fleet, FLEET_AUDIT);
	const struct field_array trees = fleet_entries(arena, fleet, FLEET_SETUP);
	const struct fleet_entries *of_checks = checks.items, *of_trees = trees.items;

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		compare_member(arena, fleet, members[i]);
	for (size_t i = 0; i < checks.count; i++)
		compare_check(arena, fleet, &of_checks[i]);
	for (size_t i = 0; i < trees.count; i++)
		compare_versions(arena, fleet, &of_trees[i]);
	sort_differences(arena, &fleet->differences);
}
