// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "cli/tune.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Where two paths differ: in one number, which starts at `start` in both. */
struct difference {
	size_t start, size, other_size;
	uint64_t number, other;
};

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

static bool find_difference(const char *path, const char *other, struct difference *out)
{
	size_t at = 0;

	while (path[at] && path[at] == other[at])
		at++;
	while (at > 0 && isdigit((unsigned char)path[at - 1]))
		at--;
	*out = (struct difference){
		.start = at, .size = digits(path + at), .other_size = digits(other + at)};
	return view_u64((struct view){path + at, out->size}, 10, &out->number) &&
	       view_u64((struct view){other + at, out->other_size}, 10, &out->other) &&
	       strcmp(path + at + out->size, other + at + out->other_size) == 0;
}

static bool alike(const struct tune_change *a, const struct tune_change *b)
{
	return text_same(a->kind, b->kind) && text_same(a->state, b->state) &&
	       text_same(a->check, b->check) && text_same(a->before, b->before) &&
	       text_same(a->wanted, b->wanted) && text_same(a->reason, b->reason);
}

/* Whether `next` goes on where `first` and those behind it came to, at number `last`. */
static bool goes_on(const struct tune_change *first, const struct tune_change *next, size_t count,
		    uint64_t step, struct difference *difference)
{
	return alike(first, next) && find_difference(first->path, next->path, difference) &&
	       difference->other == difference->number + step * count;
}

size_t tune_fold(struct arena *arena, const struct tune_change *changes, size_t count,
		 const char **path)
{
	struct difference first, found;
	size_t alike_count = 1;
	uint64_t step;

	*path = changes[0].path;
	if (count < 2 || !alike(&changes[0], &changes[1]) ||
	    !find_difference(changes[0].path, changes[1].path, &first))
		return 1;
	/* Back, last first, the numbers fall: unsigned arithmetic wraps both ways. */
	step = first.other - first.number;
	if (step != 1 && step != UINT64_MAX)
		return 1;
	while (alike_count < count &&
	       goes_on(&changes[0], &changes[alike_count], alike_count, step, &found) &&
	       found.start == first.start)
		alike_count++;
	*path = arena_printf(arena, "%.*s{%" PRIu64 "..%" PRIu64 "}%s", (int)first.start,
			     changes[0].path, first.number, first.number + step * (alike_count - 1),
			     changes[0].path + first.start + first.size);
	return alike_count;
}
