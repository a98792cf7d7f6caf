// SPDX-License-Identifier: BSD-2-Clause
#include "report/diff.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "report/diff_private.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_MAX_BYTES ((size_t)256 << 20)

const char *const change_kinds[] = {"worse", "better", "changed", "added", "removed", NULL};

/* Items of one result by id; of equal ids the first one counts. */
struct index {
	const struct result_item **items;
	size_t count;
};

int diff_rank(const char *outcome)
{
	static const char *const ranks[][2] = {
		{"pass", "na"}, {"waived", NULL}, {"unknown", NULL}, {"fail", NULL}};

	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 2 && ranks[i][j]; j++) {
			if (outcome && strcmp(ranks[i][j], outcome) == 0)
				return i;
		}
	}
	return -1;
}

static int severity_rank(const char *severity)
{
	static const char *const ranks[] = {"info", "low", "medium", "high", "critical"};

	for (int i = 0; i < 5; i++) {
		if (severity && strcmp(ranks[i], severity) == 0)
			return i;
	}
	return -1;
}

static int64_t *counter(struct diff_summary *summary, const char *kind)
{
	int64_t *const counters[] = {&summary->worse, &summary->better, &summary->changed,
				     &summary->added, &summary->removed};

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		if (strcmp(change_kinds[i], kind) == 0)
			return counters[i];
	}
	return &summary->same;
}

void diff_add(struct diff_comparison *comparison, const struct change *change)
{
	struct changes *changes = comparison->changes;

	if (changes->count == changes->room) {
		size_t room = changes->room ? changes->room * 2 : 32;
		struct change *grown = arena_array(comparison->arena, struct change, room);

		if (changes->count)
			memcpy(grown, changes->items, changes->count * sizeof(*grown));
		changes->items = grown;
		changes->room = room;
	}
	changes->items[changes->count++] = *change;
	*counter(&changes->summary, change->kind) += 1;
}

static int by_id(const void *left, const void *right)
{
	const struct result_item *a = *(const struct result_item *const *)left,
				 *b = *(const struct result_item *const *)right;
	int order = strcmp(a->id, b->id);

	return order ? order : (a > b) - (a < b);
}

static struct index index_of(struct arena *arena, const struct results *results)
{
	struct index index = {arena_array(arena, const struct result_item *, results->count),
			      results->count};

	for (size_t i = 0; i < results->count; i++)
		index.items[i] = &results->items[i];
	qsort(index.items, index.count, sizeof(*index.items), by_id);
	return index;
}

static const struct result_item *find(const struct index *index, const char *id)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t half = low + (high - low) / 2;

		if (strcmp(index->items[half]->id, id) < 0)
			low = half + 1;
		else
			high = half;
	}
	return low < index->count && strcmp(index->items[low]->id, id) == 0 ? index->items[low]
									    : NULL;
}

/* "fail: ondemand"; "fail (high): ondemand" where the severity is of interest. */
static const char *verdict(struct arena *arena, const struct result_item *item, bool severity)
{
	const char *found = item->found && *item->found ? item->found : NULL;

	if (item->number)
		return diff_measured(arena, item);
	return arena_printf(arena, "%s%s%s%s%s%s", item->outcome ? item->outcome : "not known",
			    severity ? " (" : "",
			    severity ? item->severity ? item->severity : "no severity" : "",
			    severity ? ")" : "", found ? ": " : "", found ? found : "");
}

static void compare_verdict(struct diff_comparison *comparison, const struct result_item *before,
			    const struct result_item *after)
{
	bool graver = !text_same(before->severity, after->severity);
	int step = diff_rank(after->outcome) - diff_rank(before->outcome);
	struct change change = {.id = after->id,
				.title = after->title,
				.severity = after->severity,
				.before = verdict(comparison->arena, before, graver),
				.after = verdict(comparison->arena, after, graver)};

	if (step == 0 && diff_rank(after->outcome) == 3)
		step = severity_rank(after->severity) - severity_rank(before->severity);
	if (step == 0 && strcmp(change.before, change.after) == 0) {
		comparison->changes->summary.same++;
		return;
	}
	change.kind = step > 0 ? "worse" : step < 0 ? "better" : "changed";
	diff_add(comparison, &change);
}

static const struct result_member *member_of(const struct result_members *members, const char *path)
{
	for (size_t i = 0; i < members->count; i++) {
		if (text_same(members->items[i].path, path))
			return &members->items[i];
	}
	return NULL;
}

/* Whether members stand below this path: "flags" is null in one, an object in the other. */
static bool has_below(const struct result_members *members, const char *path)
{
	size_t size = strlen(path);

	for (size_t i = 0; i < members->count; i++) {
		if (strncmp(members->items[i].path, path, size) == 0 &&
		    members->items[i].path[size] == '.')
			return true;
	}
	return false;
}

static void change_member(struct diff_comparison *comparison, const char *prefix, const char *path,
			  const char *before, const char *after)
{
	struct change change = {.kind = "changed",
				.id = *path ? arena_printf(comparison->arena, "%s.%s", prefix, path)
					    : prefix,
				.before = before,
				.after = after};

	diff_add(comparison, &change);
}

/* What is missing in one of the two is not known there. */
static void compare_members(struct diff_comparison *comparison, const char *prefix,
			    const struct result_members *before, const struct result_members *after)
{
	static const char unknown[] = "not known";

	for (size_t i = 0; i < after->count; i++) {
		const struct result_member *new = &after->items[i];
		const struct result_member *old = member_of(before, new->path);
		const char *words = old ? old->words : unknown;

		if (strcmp(words, new->words) != 0 && (old || !has_below(before, new->path)))
			change_member(comparison, prefix, new->path, words, new->words);
	}
	for (size_t i = 0; i < before->count; i++) {
		const struct result_member *old = &before->items[i];

		if (!member_of(after, old->path) && strcmp(old->words, unknown) != 0 &&
		    !has_below(after, old->path))
			change_member(comparison, prefix, old->path, old->words, unknown);
	}
}

static void compare_item(struct diff_comparison *comparison, const struct result_item *before,
			 const struct result_item *after)
{
	if (after->number && before->number) {
		diff_measurement(comparison, before, after);
		return;
	}
	compare_verdict(comparison, before, after);
	compare_members(comparison, after->id, &before->members, &after->members);
}

static void add_lone(struct diff_comparison *comparison, const struct result_item *item, bool added)
{
	const char *text = item->members.count && item->title
				   ? item->title
				   : verdict(comparison->arena, item, false);
	struct change change = {.kind = added ? "added" : "removed",
				.id = item->id,
				.title = item->title,
				.severity = item->severity,
				.before = added ? NULL : text,
				.after = added ? text : NULL};

	diff_add(comparison, &change);
}

static void note_wholes(struct diff_comparison *comparison)
{
	const struct results *before = comparison->before, *after = comparison->after;
	struct names *notes = &comparison->changes->notes;
	struct arena *arena = comparison->arena;
	const char *machines = diff_machines(arena, before, after);

	if (machines)
		names_add(arena, notes, machines);
	if (strcmp(after->command, "audit") == 0 && !text_same(before->role, after->role))
		names_add(arena, notes,
			  arena_printf(arena,
				       "%s was judged %s%s, %s %s%s: checks and severities are "
				       "those of the role",
				       before->name, before->role ? "for " : "without a role",
				       before->role ? before->role : "", after->name,
				       after->role ? "for " : "without a role",
				       after->role ? after->role : ""));
	if (before->started && after->started && strcmp(before->started, after->started) > 0)
		names_add(arena, notes,
			  arena_printf(arena,
				       "%s is older (%s) than %s (%s): what is called worse was "
				       "so before",
				       after->name, after->started, before->name, before->started));
}

void diff_results(struct arena *arena, const struct results *before, const struct results *after,
		  enum diff_rule rule, struct changes *out)
{
	struct diff_comparison comparison = {arena, before, after, out, rule};
	const struct index old = index_of(arena, before), new = index_of(arena, after);

	for (size_t i = 0; i < after->count; i++) {
		const struct result_item *item = &after->items[i], *other = find(&old, item->id);

		if (other)
			compare_item(&comparison, other, item);
		else
			add_lone(&comparison, item, true);
	}
	for (size_t i = 0; i < before->count; i++) {
		if (!find(&new, before->items[i].id))
			add_lone(&comparison, &before->items[i], false);
	}
	compare_members(&comparison, "setup", &before->also, &after->also);
	compare_members(&comparison, "host", &before->host, &after->host);
	note_wholes(&comparison);
}

void diff_sort(struct arena *arena, struct changes *changes)
{
	struct change *sorted = arena_array(arena, struct change, changes->count);
	size_t done = 0;

	for (size_t k = 0; change_kinds[k]; k++) {
		for (size_t i = 0; i < changes->count; i++) {
			if (strcmp(changes->items[i].kind, change_kinds[k]) == 0)
				sorted[done++] = changes->items[i];
		}
	}
	changes->items = sorted;
}

static bool did_its_work(const struct results *results, struct error *err)
{
	return !results->trouble ||
	       error_set(err, "%s: that %s could not be done, there is nothing to compare: %s",
			 results->name, results->command, results->trouble);
}

bool diff_texts(struct arena *arena, const struct diff_side *before_side,
		const struct diff_side *after_side, struct changes *out, struct error *err)
{
	struct pool pool = pool_new(arena, TEXT_MAX_BYTES);
	struct results before, after;

	if (!results_read(arena, &pool, before_side->name, before_side->text, &before, err) ||
	    !results_read(arena, &pool, after_side->name, after_side->text, &after, err))
		return false;
	if (strcmp(before.command, after.command) != 0)
		return error_set(err, "%s is a report of %s, %s of %s: compare two of one kind",
				 before.name, before.command, after.name, after.command);
	if (!did_its_work(&before, err) || !did_its_work(&after, err))
		return false;
	diff_results(arena, &before, &after, DIFF_TWO, out);
	return true;
}

bool diff_reports(struct arena *arena, const char *before_path, const char *after_path,
		  struct changes *out, struct error *err)
{
	struct diff_side before = {.name = before_path}, after = {.name = after_path};

	if (strcmp(before_path, "-") == 0 && strcmp(after_path, "-") == 0)
		return error_exit(err, EXIT_USAGE, "only one of the reports can be standard input");
	return file_read(arena, before_path, RESULTS_FILE_MAX_BYTES, &before.text, err) &&
	       file_read(arena, after_path, RESULTS_FILE_MAX_BYTES, &after.text, err) &&
	       diff_texts(arena, &before, &after, out, err);
}
