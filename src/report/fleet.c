// SPDX-License-Identifier: BSD-2-Clause
#include "report/fleet.h"

#include "base/arena.h"
#include "report/fleet_private.h"
#include "report/outcome.h"

#include <stdlib.h>
#include <string.h>

const char *const fleet_commands[] = {[FLEET_AUDIT] = "audit",
				      [FLEET_BENCH] = "bench",
				      [FLEET_SETUP] = "setup",
				      [FLEET_TUNE] = "tune",
				      [FLEET_DETECT] = "detect"};

/* An id of which the place of its first entry is known. */
struct place {
	struct fleet_entries entries;
	const struct result_item *first;
	size_t machine;
};

void fleet_append(struct arena *arena, struct field_array *array, const void *item, size_t size)
{
	size_t count = array->count;

	/* Room is a power of two: an array is full when its count is one. */
	if ((count & (count - 1)) == 0) {
		char *grown = arena_alloc_array(arena, count ? count * 2 : 1, size);

		if (count)
			memcpy(grown, array->items, count * size);
		array->items = grown;
	}
	memcpy((char *)array->items + count * size, item, size);
	array->count++;
}

static int by_id(const void *left, const void *right)
{
	const struct fleet_entry *a = left, *b = right;
	int order = a->item->id == b->item->id ? 0 : strcmp(a->item->id, b->item->id);

	if (!order && a->machine != b->machine)
		return a->machine < b->machine ? -1 : 1;
	return order ? order : (a->item > b->item) - (a->item < b->item);
}

static int by_place(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->machine != b->machine)
		return a->machine < b->machine ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

/* Entries of equal ids, each machine once. */
static struct field_array places_of(struct arena *arena, struct fleet_entry *all, size_t count)
{
	struct field_array places = {0};

	for (size_t i = 0; i < count;) {
		struct place place = {{&all[i], 0}, all[i].item, all[i].machine};
		size_t end = i;

		for (; end < count && strcmp(all[end].item->id, all[i].item->id) == 0; end++) {
			struct fleet_entries *own = &place.entries;

			if (!own->count || own->items[own->count - 1].machine != all[end].machine)
				own->items[own->count++] = all[end];
		}
		fleet_append(arena, &places, &place, sizeof(place));
		i = end;
	}
	return places;
}

struct field_array fleet_entries(struct arena *arena, const struct fleet *fleet,
				 enum fleet_command command)
{
	struct field_array places, result = {0};
	struct fleet_entry *all;
	size_t total = 0, count = 0;

	for (size_t m = 0; m < fleet->count; m++)
		total += fleet->machines[m].newest[command]
				 ? fleet->machines[m].newest[command]->count
				 : 0;
	all = arena_array(arena, struct fleet_entry, total);
	for (size_t m = 0; m < fleet->count; m++) {
		const struct results *results = fleet->machines[m].newest[command];

		for (size_t i = 0; results && i < results->count; i++)
			all[count++] = (struct fleet_entry){&results->items[i], m};
	}
	if (!count)
		return result;
	qsort(all, count, sizeof(*all), by_id);
	places = places_of(arena, all, count);
	qsort(places.items, places.count, sizeof(struct place), by_place);
	for (size_t i = 0; i < places.count; i++)
		fleet_append(arena, &result, &((const struct place *)places.items)[i].entries,
			     sizeof(struct fleet_entries));
	return result;
}

static int by_value(const void *left, const void *right)
{
	const struct fleet_said *a = left, *b = right;
	int order = a->value == b->value ? 0 : strcmp(a->value, b->value);

	return order ? order : (a->machine > b->machine) - (a->machine < b->machine);
}

static int by_frequency(const void *left, const void *right)
{
	const struct fleet_value *a = left, *b = right;

	if (a->machines.count != b->machines.count)
		return a->machines.count > b->machines.count ? -1 : 1;
	return strcmp(a->value, b->value);
}

struct field_array fleet_group(struct arena *arena, const struct fleet *fleet,
			       struct fleet_said *said, size_t count)
{
	struct field_array values = {0};

	qsort(said, count, sizeof(*said), by_value);
	for (size_t i = 0; i < count;) {
		struct fleet_value value = {.value = said[i].value};

		for (; i < count && strcmp(said[i].value, value.value) == 0; i++)
			names_add(arena, &value.machines,
				  fleet->machines[said[i].machine].from->label);
		fleet_append(arena, &values, &value, sizeof(value));
	}
	if (values.count)
		qsort(values.items, values.count, sizeof(struct fleet_value), by_frequency);
	return values;
}

static bool is(const char *text, const char *word)
{
	return text && strcmp(text, word) == 0;
}

static struct fleet_counts *count_items(struct arena *arena, const struct results *results)
{
	struct fleet_counts *counts;

	if (!results)
		return NULL;
	counts = arena_new(arena, struct fleet_counts);
	counts->started = results->started;
	counts->role = results->role;
	for (size_t i = 0; i < results->count; i++) {
		const struct result_item *item = &results->items[i];
		bool fail = is(item->outcome, "fail");

		counts->pass += is(item->outcome, "pass");
		counts->fail += fail;
		counts->na += is(item->outcome, "na");
		counts->unknown += is(item->outcome, "unknown");
		counts->waived += is(item->outcome, "waived");
		counts->critical += fail && is(item->severity, "critical");
		counts->high += fail && is(item->severity, "high");
	}
	return counts;
}

static void add_drift(struct arena *arena, struct fleet_machine *machine,
		      enum fleet_command command)
{
	const struct results *before = machine->before[command], *after = machine->newest[command];
	struct changes changes = {0};

	if (!before || !after)
		return;
	diff_results(arena, before, after, DIFF_DRIFT, &changes);
	diff_sort(arena, &changes);
	machine->worse += changes.summary.worse;
	machine->better += changes.summary.better;
	machine->changed +=
		changes.summary.changed + changes.summary.added + changes.summary.removed;
	for (size_t i = 0; i < changes.count; i++) {
		const struct fleet_drift drift = {fleet_commands[command], before->started,
						  after->started, changes.items[i]};

		fleet_append(arena, &machine->drift, &drift, sizeof(drift));
	}
}

static void fill_machine(struct arena *arena, const struct results_machine *from,
			 struct fleet_machine *out)
{
	static const struct result_members nothing;

	*out = (struct fleet_machine){.from = from, .host = &nothing};
	for (size_t i = 0; i < from->count; i++) {
		const struct results *results = from->files[i];

		if (results->host.count)
			out->host = &results->host;
		if (results->trouble)
			continue;
		for (int c = 0; c < FLEET_COMMANDS; c++) {
			if (strcmp(results->command, fleet_commands[c]) != 0)
				continue;
			out->before[c] = out->newest[c];
			out->newest[c] = results;
		}
	}
	out->audit = count_items(arena, out->newest[FLEET_AUDIT]);
	out->bench = count_items(arena, out->newest[FLEET_BENCH]);
	for (int c = 0; c < FLEET_COMMANDS; c++)
		add_drift(arena, out, (enum fleet_command)c);
}

size_t fleet_failing(const struct results *audit, const struct result_item **out, size_t most)
{
	size_t count = 0;

	for (size_t s = 0; audit && s < outcome_severity_count; s++) {
		for (size_t i = 0; i < audit->count && count < most; i++) {
			if (is(audit->items[i].outcome, "fail") &&
			    is(audit->items[i].severity, outcome_severities[s]))
				out[count++] = &audit->items[i];
		}
	}
	return count;
}

void fleet_of(struct arena *arena, const struct results_set *set, struct fleet *out)
{
	*out = (struct fleet){.machines = arena_array(arena, struct fleet_machine, set->count),
			      .count = set->count};
	for (size_t i = 0; i < set->count; i++)
		fill_machine(arena, &set->machines[i], &out->machines[i]);
	fleet_differences(arena, out);
	fleet_checks(arena, out);
	fleet_rates(arena, out);
}
