// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "tune/kinds.h"
#include "tune/pending.h"
#include "tune/record.h"
#include "tune/tree.h"

#include <errno.h>
#include <string.h>

struct reverting {
	struct arena *arena;
	const struct tune_tree *tree;
	const char *boot;
	bool dry_run;
};

static bool is_kind(const struct tune_change *change, enum tune_kind kind)
{
	return strcmp(change->kind, tune_kind_words[kind]) == 0;
}

/* A file of a scratch tree that was not cut yet behind a shorter line: what follows it is the end
 * of the longer one. */
static void cut(const struct reverting *reverting, const struct tune_change *change)
{
	struct view text;
	size_t size = change->before ? strlen(change->before) + 1 : 0;
	size_t longer = strlen(change->wanted) + 1;

	if (reverting->tree->live || !size || longer <= size ||
	    tune_tree_read(reverting->arena, reverting->tree, change->path, TUNE_LINE_MAX, &text,
			   NULL) ||
	    text.size != longer || text.at[longer - 1] != '\n' ||
	    memcmp(text.at + size, change->wanted + size, longer - 1 - size) != 0)
		return;
	tune_tree_word(reverting->tree, change->path, change->before);
}

/* What a killed run leaves beside a file, or of a mount, or in a file. */
static void clean(const struct reverting *reverting, const struct tune_change *change)
{
	if (is_kind(change, TUNE_FILE))
		tune_tree_clean(reverting->tree, change->path);
	else if (is_kind(change, TUNE_WORD) || is_kind(change, TUNE_PAGES))
		cut(reverting, change);
	else if (is_kind(change, TUNE_MOUNT) && !change->got)
		tune_tree_remove_folder(reverting->tree, change->path);
}

/* After a reboot kernel values are the defaults again; ours stand there only where a file of ours
 * sets them. */
static bool is_somebody_elses(const struct reverting *reverting, const struct tune_change *change,
			      const struct kind *kind)
{
	bool rebooted = change->boot && reverting->boot && !kind->lasts &&
			strcmp(change->boot, reverting->boot) != 0;

	if (!kind_is_ours(change, change->got))
		return true;
	return rebooted && !change->persisted;
}

static void take_back(const struct reverting *reverting, struct tune_change *change,
		      const struct kind *kind)
{
	const char *why = NULL;
	int number = kind->make(reverting->arena, reverting->tree, change, change->before, &why);

	if (number == ENOTEMPTY && is_kind(change, TUNE_FOLDER)) {
		tune_settle(change, "kept", "it is not empty: somebody else uses it");
		return;
	}
	if (kind->read(reverting->arena, reverting->tree, change, &change->got) == 0 &&
	    text_same(change->got, change->before)) {
		tune_settle(change, "restored", NULL);
		return;
	}
	if (!why && number)
		why = number == EBUSY ? "it is in use" : strerror(number);
	if (!why && is_kind(change, TUNE_PAGES))
		why = arena_printf(reverting->arena, "%s pages are still there: programs use them",
				   change->got);
	tune_settle(change, "refused", why ? why : "the kernel did not take it");
}

static void revert_one(const struct reverting *reverting, struct tune_change *change)
{
	const struct kind *kind = kind_of(change->kind);
	int number = kind->read(reverting->arena, reverting->tree, change, &change->got);

	if (number == ENOENT) {
		change->got = NULL;
		tune_settle(change, "kept", "it is not there any more");
	} else if (number) {
		tune_settle(
			change, "refused",
			arena_printf(reverting->arena, "%s: %s", change->path, strerror(number)));
	} else if (text_same(change->got, change->before)) {
		if (!reverting->dry_run)
			clean(reverting, change);
		tune_settle(change, "kept", "it is as it was before");
	} else if (is_somebody_elses(reverting, change, kind)) {
		tune_settle(
			change, "foreign",
			arena_printf(reverting->arena,
				     "it is neither what was set nor what was there before: left; "
				     "before it was %s",
				     change->before ? change->before : "not there"));
		if (change->got && kind_is_ours(change, change->got))
			change->reason = "something set it again after a reboot, and it was not "
					 "this program: left";
	} else if (reverting->dry_run) {
		tune_settle(change, "planned", NULL);
	} else {
		take_back(reverting, change, kind);
	}
}

/* Only what is still to be taken back stays. */
static bool save_rest(const struct reverting *reverting, struct tune_record *record,
		      const struct tune_change *changes, const bool *left, struct error *err)
{
	struct tune_plan rest = {0};

	for (size_t i = 0; i < record->changes.count; i++) {
		if (left[i])
			*tune_add_change(reverting->arena, &rest) = changes[i];
	}
	if (!rest.changes.count)
		return tune_record_remove(reverting->tree, err);
	record->changes = rest.changes;
	return tune_record_save(reverting->arena, reverting->tree, record, err);
}

bool tune_revert(struct arena *arena, const struct tune_tree *tree, bool dry_run,
		 struct tune_plan *out, struct error *err)
{
	struct reverting reverting = {arena, tree, tune_boot(arena, tree), dry_run};
	struct tune_record record;
	struct tune_change *changes;
	scoped_fd int lock = -1;
	bool exists, *left;

	*out = (struct tune_plan){0};
	if (!tune_lock(tree, false, &lock, err))
		return false;
	if (lock < 0)
		return true;
	if (!tune_record_load(arena, tree, &record, &exists, err))
		return false;
	if (!exists)
		return dry_run || tune_record_remove(tree, err);
	changes = record.changes.items;
	left = arena_array(arena, bool, record.changes.count + 1);
	for (size_t i = record.changes.count; i-- > 0;) {
		struct tune_change *change = tune_add_change(arena, out);

		*change = changes[i];
		tune_settle(change, "planned", NULL);
		if (!dry_run && !out->interrupted)
			out->interrupted = pending_signal();
		if (!out->interrupted)
			revert_one(&reverting, change);
		left[i] = out->interrupted || strcmp(change->state, "refused") == 0;
	}
	return dry_run || save_rest(&reverting, &record, changes, left, err);
}
