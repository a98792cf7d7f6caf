// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "host/redact.h"
#include "tune/kinds.h"
#include "tune/merge.h"
#include "tune/pending.h"
#include "tune/tree.h"

#include <fnmatch.h>
#include <string.h>

struct run {
	struct arena *arena;
	const struct tune_tree *tree;
	struct tune_plan *plan;
	struct tune_change *changes;
	size_t count;
	struct tune_record record, former; /* former: as it was loaded */
	bool had_record;
	bool *entered; /* changes that this call makes */
};

static bool stands(const struct tune_change *change)
{
	return tune_state_is(change, "applied") || tune_state_is(change, "partly");
}

static const char *shown(const char *value)
{
	return value ? value : "nothing";
}

/* Files were planned by what the root lets in of them; what is taken back is all of it. */
static bool was_planned(struct run *run, struct tune_change *change, const char *now)
{
	if (text_same(now, change->before))
		return true;
	if (!now || !change->before || strcmp(change->kind, tune_kind_words[TUNE_FILE]) != 0 ||
	    !view_is(redact(run->arena, change->path, view_of(now)), change->before))
		return false;
	change->before = now;
	return true;
}

/* What stands there now, under the lock, against what was shown to be there. */
static void look(struct run *run, struct tune_change *change)
{
	const char *now = NULL, *fault;
	int number;

	if (!tune_state_is(change, "planned"))
		return;
	if (!kind_takes(change, &fault)) {
		tune_settle(change, "refused", fault);
		return;
	}
	number = kind_of(change->kind)->read(run->arena, run->tree, change, &now);
	if (number) {
		tune_settle(change, "refused",
			    arena_printf(run->arena, "%s: %s", change->path, strerror(number)));
		return;
	}
	change->got = now;
	if (text_same(now, change->wanted))
		tune_settle(change, "kept", "it was so already");
	else if (!was_planned(run, change, now))
		tune_settle(change, "refused",
			    arena_printf(run->arena, "changed since it was planned: now %s",
					 shown(now)));
}

/* A value that helps nobody goes back to what it was. */
static void roll_back(struct run *run, struct tune_change *change, const char *reason)
{
	const struct kind *kind = kind_of(change->kind);
	const char *why = NULL;
	int number = kind->make(run->arena, run->tree, change, change->before, &why);

	if (kind->read(run->arena, run->tree, change, &change->got) == 0 &&
	    text_same(change->got, change->before)) {
		tune_settle(change, "rolled-back", reason);
		return;
	}
	tune_settle(change, "partly",
		    arena_printf(run->arena, "%s; it could not be set back%s%s", reason,
				 number ? ": " : "", number ? why ? why : strerror(number) : ""));
}

static void judge_pages(struct run *run, struct tune_change *change)
{
	uint64_t got, wanted = 0, before = 0;
	const char *reason;

	view_u64(view_of(change->wanted), 10, &wanted);
	view_u64(view_of(change->before), 10, &before);
	if (!view_u64(view_of(change->got), 10, &got)) {
		tune_settle(change, "refused", "the kernel shows no number there");
		return;
	}
	if (got == wanted) {
		tune_settle(change, "applied", change->reason);
		return;
	}
	reason = arena_printf(run->arena, "the kernel gave %llu of the %llu pages",
			      (unsigned long long)(got > before ? got - before : 0),
			      (unsigned long long)(wanted - before));
	if (got > before && got < wanted && got >= (uint64_t)change->least)
		tune_settle(change, "partly", reason);
	else if (got == before)
		tune_settle(change, "refused", reason);
	else
		roll_back(run, change,
			  arena_printf(run->arena, "%s, too few to work with", reason));
}

static void make(struct run *run, struct tune_change *change)
{
	const struct kind *kind = kind_of(change->kind);
	const char *why = NULL;
	int number = kind->make(run->arena, run->tree, change, change->wanted, &why), read_number;

	read_number = kind->read(run->arena, run->tree, change, &change->got);
	if (number && !why)
		why = strerror(number);
	if (read_number)
		tune_settle(change, "partly",
			    arena_printf(run->arena, "what came of it cannot be read: %s",
					 why ? why : strerror(read_number)));
	else if (!number && strcmp(change->kind, tune_kind_words[TUNE_PAGES]) == 0)
		judge_pages(run, change);
	else if (text_same(change->got, change->wanted))
		tune_settle(change, "applied", change->reason);
	else if (text_same(change->got, change->before))
		tune_settle(
			change, "refused",
			why ? why
			    : arena_printf(run->arena, "the kernel kept %s", shown(change->got)));
	else
		roll_back(run, change,
			  why ? why
			      : arena_printf(run->arena, "the kernel made %s of it",
					     shown(change->got)));
}

static bool one_stands(const struct run *run, const char *glob)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct tune_change *change = &run->changes[i];

		if (fnmatch(glob, change->id, 0) == 0 &&
		    (stands(change) ||
		     (tune_state_is(change, "kept") && text_same(change->got, change->wanted))))
			return true;
	}
	return false;
}

static bool is_called_for(struct run *run, struct tune_change *change)
{
	if (change->needs && !one_stands(run, change->needs))
		tune_settle(change, "kept", "not needed: what it serves was not made");
	else if (change->unless && one_stands(run, change->unless))
		tune_settle(change, "kept", "not needed: what it stands in for was made");
	else
		return true;
	return false;
}

static void roll_back_groups(struct run *run)
{
	for (size_t i = run->count; i-- > 0;) {
		struct tune_change *change = &run->changes[i];
		bool failed = false;

		if (!change->group || !stands(change))
			continue;
		for (size_t j = 0; j < run->count; j++)
			failed |= text_same(run->changes[j].group, change->group) &&
				  (tune_state_is(&run->changes[j], "refused") ||
				   tune_state_is(&run->changes[j], "rolled-back"));
		if (failed)
			roll_back(run, change, "another change that belongs to it failed");
	}
}

/* Also those of an earlier call with this plan, for what is new of them. */
static size_t enter_all(struct run *run)
{
	size_t planned = 0;

	for (size_t i = 0; i < run->count; i++) {
		look(run, &run->changes[i]);
		run->entered[i] = tune_state_is(&run->changes[i], "planned");
		if (run->entered[i])
			record_enter(run->arena, &run->record, &run->changes[i]);
		else if (record_find(&run->record, &run->changes[i]))
			record_find(&run->record, &run->changes[i])->persisted |=
				run->changes[i].persisted;
		planned += run->entered[i];
	}
	return planned;
}

/* What was not made is no business of revert; an earlier run's value still is. */
static void enter_results(struct run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct tune_change *change = &run->changes[i];
		struct tune_change *entry = record_find(&run->record, change);
		const struct tune_change *former = record_find(&run->former, change);

		if (!entry || !run->entered[i])
			continue;
		if (stands(change)) {
			entry->state = change->state;
			entry->got = change->got;
			entry->reason = change->reason;
		} else if (former && kind_is_ours(former, change->got)) {
			*entry = *former;
		} else {
			record_leave(&run->record, change);
		}
	}
}

static bool save(struct run *run, struct error *err)
{
	if (!run->record.changes.count)
		return tune_record_remove(run->tree, err);
	return tune_record_save(run->arena, run->tree, &run->record, err);
}

static bool load(struct run *run, struct error *err)
{
	struct tune_record *record = &run->record;
	struct tune_change *copy;

	if (!tune_record_load(run->arena, run->tree, record, &run->had_record, err))
		return false;
	run->former = *record;
	record->changes = (struct field_array){0};
	for (size_t i = 0; i < run->former.changes.count; i++) {
		struct tune_plan grown = {.changes = record->changes};

		copy = tune_add_change(run->arena, &grown);
		*copy = ((struct tune_change *)run->former.changes.items)[i];
		record->changes = grown.changes;
	}
	record->boot = tune_boot(run->arena, run->tree);
	record->time = clock_utc(run->arena);
	return true;
}

static void make_all(struct run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		struct tune_change *change = &run->changes[i];

		if (!tune_state_is(change, "planned"))
			continue;
		run->plan->interrupted = pending_signal();
		if (run->plan->interrupted)
			return;
		if (is_called_for(run, change))
			make(run, change);
	}
}

bool tune_apply(struct arena *arena, const struct tune_tree *tree, struct tune_plan *plan,
		struct error *err)
{
	struct run run = {.arena = arena,
			  .tree = tree,
			  .plan = plan,
			  .changes = plan->changes.items,
			  .count = plan->changes.count,
			  .entered = arena_array(arena, bool, plan->changes.count + 1)};
	scoped_fd int lock = -1;
	bool saved;

	if (!tune_lock(tree, true, &lock, err))
		return false;
	if (!load(&run, err))
		return false;
	if (!enter_all(&run) && !run.had_record)
		return tune_record_remove(tree, err);
	saved = tune_record_save(arena, tree, &run.record, err);
	if (!saved) {
		if (!run.had_record)
			tune_record_remove(tree, NULL);
		return false;
	}
	make_all(&run);
	roll_back_groups(&run);
	enter_results(&run);
	return save(&run, err);
}
