// SPDX-License-Identifier: BSD-2-Clause
#include "tune/merge.h"

#include "base/arena.h"
#include "tune/kinds.h"

#include <string.h>

static bool is_about(const struct tune_change *left, const struct tune_change *right)
{
	return strcmp(left->kind, right->kind) == 0 && strcmp(left->path, right->path) == 0;
}

struct tune_change *record_find(struct tune_record *record, const struct tune_change *change)
{
	struct tune_change *changes = record->changes.items;

	for (size_t i = 0; i < record->changes.count; i++) {
		if (is_about(&changes[i], change))
			return &changes[i];
	}
	return NULL;
}

static void add_earlier(struct arena *arena, struct tune_change *entry, const char *value)
{
	if (!names_has(&entry->earlier, value) && entry->earlier.count < TUNE_EARLIER_MAX)
		names_add(arena, &entry->earlier, value);
}

void record_enter(struct arena *arena, struct tune_record *record, const struct tune_change *change)
{
	struct tune_change *entry = record_find(record, change);
	struct tune_change next = *change;

	if (!entry) {
		struct tune_plan grown = {.changes = record->changes};

		entry = tune_add_change(arena, &grown);
		record->changes = grown.changes;
	} else if (kind_is_ours(entry, change->before) ||
		   text_same(entry->before, change->before)) {
		next.before = entry->before;
		next.earlier = (struct names){0};
		for (size_t i = 0; i < entry->earlier.count; i++)
			add_earlier(arena, &next, entry->earlier.items[i]);
		if (!text_same(entry->wanted, change->wanted))
			add_earlier(arena, &next, entry->wanted);
	}
	next.boot = record->boot;
	*entry = next;
}

void record_leave(struct tune_record *record, const struct tune_change *change)
{
	struct tune_change *changes = record->changes.items;
	size_t kept = 0;

	for (size_t i = 0; i < record->changes.count; i++) {
		if (!is_about(&changes[i], change))
			changes[kept++] = changes[i];
	}
	record->changes.count = kept;
}
