// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "tune/record.h"
#include "tune/tree.h"

#include <string.h>

const char *const tune_kind_words[] = {[TUNE_WORD] = "word",       [TUNE_PAGES] = "pages",
				       [TUNE_MODULE] = "module",   [TUNE_MOUNT] = "mount",
				       [TUNE_FILE] = "file",       [TUNE_FOLDER] = "folder",
				       [TUNE_SERVICE] = "service", NULL};

const char *const tune_states[] = {"planned",  "applied", "partly",  "refused", "rolled-back",
				   "restored", "kept",    "foreign", NULL};

#define ROW(name, field_kind, member, text, ...)                                                   \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct tune_change, member),  \
		.doc = (text), ##__VA_ARGS__                                                       \
	}
/* Also those of the record. */
#define COMMON_ROWS                                                                                \
	ROW("id", FIELD_TEXT, id, "its name, the same in every run", .required = true),            \
		ROW("check", FIELD_TEXT, check, "the check whose finding it mends",                \
		    .required = true),                                                             \
		ROW("kind", FIELD_ENUM, kind,                                                      \
		    "word (a line of a file of the kernel), pages (a pool of huge pages), module " \
		    "(loaded), mount (of hugetlbfs), file, folder, service (running)",             \
		    .required = true, .names = tune_kind_words),                                   \
		ROW("path", FIELD_TEXT, path, "of the file; the name of a module or service",      \
		    .required = true),                                                             \
		ROW("before", FIELD_TEXT, before, "what was there; null: nothing",                 \
		    .required = true, .nullable = true),                                           \
		ROW("wanted", FIELD_TEXT, wanted, "what is to be there", .required = true),        \
		ROW("got", FIELD_TEXT, got, "what was read back; null: not read, or nothing",      \
		    .required = true, .nullable = true),                                           \
		ROW("state", FIELD_ENUM, state,                                                    \
		    "planned (not made), applied, partly (fewer pages than wanted, enough to "     \
		    "work with), refused (the kernel said no), rolled-back (made and of no use, "  \
		    "so taken back), restored, kept (nothing to take back), foreign (changed by "  \
		    "somebody else meanwhile, and left)",                                          \
		    .required = true, .names = tune_states),                                       \
		ROW("reason", FIELD_TEXT, reason, "why, or what is to be known; null: nothing",    \
		    .required = true, .nullable = true),                                           \
		ROW("group", FIELD_TEXT, group,                                                    \
		    "changes of one group are rolled back together; null: it stands alone",        \
		    .required = true, .nullable = true),                                           \
		ROW("persisted", FIELD_BOOL, persisted, "a file sets it again at boot",            \
		    .required = true)

static const struct field change_rows[] = {COMMON_ROWS};

static const struct field record_rows[] = {
	COMMON_ROWS,
	ROW("boot", FIELD_TEXT, boot, "boot_id of the run that made it; null: not known",
	    .required = true, .nullable = true),
	ROW("earlier", FIELD_TEXTS, earlier, "what earlier runs wanted there", .required = true),
};

const struct field_table tune_change_table = FIELD_TABLE(
	"tune_change", struct tune_change, change_rows, "One setting: what was, what is wanted.");

const struct field_table tune_record_change_table = FIELD_TABLE(
	"tune_record_change", struct tune_change, record_rows, "A setting as the record keeps it.");

/* The array has room for the next power of two. */
static void *add(struct arena *arena, struct field_array *array, size_t size)
{
	char *items = array->items;

	if ((array->count & (array->count - 1)) == 0) {
		items = arena_alloc_array(arena, array->count ? 2 * array->count : 1, size);
		if (array->count)
			memcpy(items, array->items, array->count * size);
		array->items = items;
	}
	return items + size * array->count++;
}

struct tune_change *tune_add_change(struct arena *arena, struct tune_plan *plan)
{
	struct tune_change *change = add(arena, &plan->changes, sizeof(*change));

	change->state = "planned";
	return change;
}

struct tune_advice *tune_add_advice(struct arena *arena, struct tune_plan *plan)
{
	return add(arena, &plan->advice, sizeof(struct tune_advice));
}

bool tune_state_is(const struct tune_change *change, const char *state)
{
	return strcmp(change->state, state) == 0;
}

void tune_settle(struct tune_change *change, const char *state, const char *reason)
{
	change->state = state;
	change->reason = reason;
}
