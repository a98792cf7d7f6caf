// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "report/fleet_private.h"
#include "report/number.h"
#include "report/robust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 3 };

/* A number that counts, and what it may be compared with: alike machines, the same unit. */
struct rate {
	const char *family, *sku, *cpus;
	const struct result_item *item;
	size_t machine;
};

static const char *known(const char *text)
{
	return text ? text : "";
}

bool fleet_is_rate(const struct result_item *item)
{
	const struct result_number *number = item->number;

	return number && isfinite(number->value) && number->value > 0 && number->unit &&
	       !number->emulated && item->outcome &&
	       (strcmp(item->outcome, "pass") == 0 || strcmp(item->outcome, "fail") == 0);
}

static int by_kind(const void *left, const void *right)
{
	const struct rate *a = left, *b = right;
	int order = strcmp(a->family, b->family);

	if (!order)
		order = strcmp(a->sku, b->sku);
	if (!order)
		order = strcmp(a->cpus, b->cpus);
	if (!order)
		order = strcmp(a->item->number->unit, b->item->number->unit);
	return order ? order : (a->machine > b->machine) - (a->machine < b->machine);
}

static bool alike(const struct rate *a, const struct rate *b)
{
	return strcmp(a->family, b->family) == 0 && strcmp(a->sku, b->sku) == 0 &&
	       strcmp(a->cpus, b->cpus) == 0 &&
	       strcmp(a->item->number->unit, b->item->number->unit) == 0;
}

static void add_outlier(struct arena *arena, struct fleet *fleet, const struct rate *rate,
			const struct robust *robust, size_t count)
{
	const struct result_number *number = rate->item->number;
	double score = robust_score(robust, number->value);
	double off = number->value / robust->median - 1;
	struct fleet_outlier outlier = {.machine = fleet->machines[rate->machine].from->label,
					.id = rate->item->id,
					.title = results_case(arena, number)};

	if (!(fabs(score) > ROBUST_APART) || fabs(off) < FLEET_NEAR)
		return;
	/* An interval that holds the median does not say that the machine is another. */
	if (isfinite(number->low) && isfinite(number->high) && number->low <= robust->median &&
	    number->high >= robust->median)
		return;
	outlier.value = arena_printf(arena, "%s %s", number_digits(arena, number->value, DIGITS),
				     number->unit);
	outlier.usual = arena_printf(arena, "%s %s", number_digits(arena, robust->median, DIGITS),
				     number->unit);
	outlier.rule = arena_printf(arena, "%+.0f %% of the median of %zu alike, score %+.0f",
				    100 * off, count, score);
	fleet_append(arena, &fleet->outliers, &outlier, sizeof(outlier));
}

static void judge(struct arena *arena, struct fleet *fleet, const struct rate *rates, size_t count)
{
	double *values = arena_array(arena, double, count);
	double *scratch = arena_array(arena, double, count);
	struct robust robust;

	for (size_t i = 0; i < count; i++)
		values[i] = rates[i].item->number->value;
	robust = robust_of(values, scratch, count);
	for (size_t i = 0; i < count; i++)
		add_outlier(arena, fleet, &rates[i], &robust, count);
}

static void compare_case(struct arena *arena, struct fleet *fleet,
			 const struct fleet_entries *entries)
{
	struct rate *rates = arena_array(arena, struct rate, entries->count);
	size_t count = 0;

	for (size_t i = 0; i < entries->count; i++) {
		const struct fleet_entry *entry = &entries->items[i];
		const struct result_members *host =
			&fleet->machines[entry->machine].newest[FLEET_BENCH]->host;

		if (fleet_is_rate(entry->item))
			rates[count++] = (struct rate){known(results_member(host, "family")),
						       known(results_member(host, "sku")),
						       known(results_member(host, "cpus")),
						       entry->item, entry->machine};
	}
	qsort(rates, count, sizeof(*rates), by_kind);
	for (size_t i = 0; i < count;) {
		size_t end = i + 1;

		while (end < count && alike(&rates[i], &rates[end]))
			end++;
		if (end - i >= ROBUST_LEAST)
			judge(arena, fleet, &rates[i], end - i);
		i = end;
	}
}

/* The measurement that most machines have; of equal ones that of the most bytes, then the first. */
static const char *choose_headline(const struct field_array *all)
{
	const struct fleet_entries *entries = all->items;
	const struct result_item *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct result_item *item = NULL;
		size_t count = 0;

		for (size_t j = 0; j < entries[i].count; j++) {
			if (fleet_is_rate(entries[i].items[j].item)) {
				item = entries[i].items[j].item;
				count++;
			}
		}
		if (count > most || (count && count == most &&
				     item->number->size_bytes > best->number->size_bytes)) {
			best = item;
			most = count;
		}
	}
	return best ? best->id : NULL;
}

void fleet_rates(struct arena *arena, struct fleet *fleet)
{
	const struct field_array all = fleet_entries(arena, fleet, FLEET_BENCH);
	const struct fleet_entries *entries = all.items;

	fleet->headline = choose_headline(&all);
	for (size_t i = 0; i < all.count; i++) {
		compare_case(arena, fleet, &entries[i]);
		for (size_t j = 0; fleet->headline && j < entries[i].count; j++) {
			const struct fleet_entry *entry = &entries[i].items[j];

			if (strcmp(entry->item->id, fleet->headline) == 0 &&
			    fleet_is_rate(entry->item))
				fleet->machines[entry->machine].headline = entry->item;
		}
	}
}
