// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/file.h"
#include "tune/kinds.h"
#include "tune/merge.h"
#include "tune/tree.h"

#include <string.h>

static bool is_in(const struct tune_plan *plan, const struct tune_change *change)
{
	const struct tune_change *changes = plan->changes.items;

	for (size_t i = 0; i < plan->changes.count; i++) {
		if (strcmp(changes[i].kind, change->kind) == 0 &&
		    strcmp(changes[i].path, change->path) == 0)
			return true;
	}
	return false;
}

bool tune_recorded(struct arena *arena, const struct tune_tree *tree, struct tune_plan *plan,
		   struct error *err)
{
	struct tune_record record;
	const struct tune_change *changes;
	bool exists;

	if (!tune_record_load(arena, tree, &record, &exists, err))
		return false;
	changes = record.changes.items;
	for (size_t i = 0; i < record.changes.count; i++) {
		const struct kind *kind = kind_of(changes[i].kind);
		const char *now = NULL;
		struct tune_change *change;

		/* Files stand at the next boot by themselves. */
		if (kind->lasts || is_in(plan, &changes[i]) ||
		    kind->read(arena, tree, &changes[i], &now) || !kind_is_ours(&changes[i], now))
			continue;
		change = tune_add_change(arena, plan);
		*change = changes[i];
		change->wanted = change->got = now;
		change->state = "kept";
		change->reason = "an earlier run made it";
	}
	return true;
}
