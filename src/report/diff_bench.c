// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "report/diff_private.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>

enum { DIGITS = 3 };

const char *diff_measured(struct arena *arena, const struct result_item *item)
{
	const struct result_number *number = item->number;
	const char *outcome = item->outcome ? item->outcome : "not known";
	const char *unit = number->unit ? number->unit : "";

	if (!isfinite(number->value))
		return arena_printf(arena, "%s%s%s", outcome, item->reason ? ": " : "",
				    item->reason ? item->reason : "");
	if (!isfinite(number->low) || !isfinite(number->high))
		return arena_printf(arena, "%s: %s %s", outcome,
				    number_digits(arena, number->value, DIGITS), unit);
	return arena_printf(arena, "%s: %s %s (%s to %s)", outcome,
			    number_digits(arena, number->value, DIGITS), unit,
			    number_digits(arena, number->low, DIGITS),
			    number_digits(arena, number->high, DIGITS));
}

/* Why two numbers are not of one thing; NULL: they are. */
static const char *differs(struct arena *arena, const struct result_number *before,
			   const struct result_number *after)
{
	if (before->suite_version != after->suite_version)
		return arena_printf(arena,
				    "not judged: version %" PRId64 " of the suite, it was %" PRId64,
				    after->suite_version, before->suite_version);
	if (!text_same(before->unit, after->unit))
		return "not judged: another unit";
	if (before->emulated || after->emulated)
		return "not judged: measured under an emulator";
	return NULL;
}

static const char *library_differs(struct arena *arena, const struct result_number *before,
				   const struct result_number *after)
{
	const struct {
		const char *what, *before, *after;
	} rows[] = {
		{"the library", before->library_version, after->library_version},
		{"its capability word", before->capability, after->capability},
		{"its path", before->library, after->library},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!text_same(rows[i].before, rows[i].after))
			return arena_printf(arena, "%s was %s, it is %s now", rows[i].what,
					    rows[i].before ? rows[i].before : "not known",
					    rows[i].after ? rows[i].after : "not known");
	}
	return NULL;
}

/* 1: slower, -1: faster, 0: the intervals meet, or one is not known. */
static int slower(const struct result_number *before, const struct result_number *after)
{
	if (!isfinite(before->low) || !isfinite(before->high) || !isfinite(after->low) ||
	    !isfinite(after->high))
		return 0;
	return after->high < before->low ? 1 : after->low > before->high ? -1 : 0;
}

static const char *join(struct arena *arena, const char *one, const char *other)
{
	if (!one || !other)
		return one ? one : other;
	return arena_printf(arena, "%s; %s", one, other);
}

/* Outcomes first; of equal ones the numbers, where both are of one thing. */
void diff_measurement(struct diff_comparison *comparison, const struct result_item *before,
		      const struct result_item *after)
{
	const struct result_number *old = before->number, *new = after->number;
	struct arena *arena = comparison->arena;
	int step = diff_rank(after->outcome) - diff_rank(before->outcome);
	int speed = slower(old, new);
	bool lost = isfinite(old->value) != isfinite(new->value);
	const char *apart = differs(arena, old, new);
	const char *stack = join(arena, library_differs(arena, old, new),
				 diff_system(arena, comparison->before, comparison->after));
	struct change change = {.id = after->id,
				.title = after->title,
				.before = diff_measured(arena, before),
				.after = diff_measured(arena, after)};

	if (!apart && speed && diff_machines(arena, comparison->before, comparison->after))
		apart = "not judged: another machine";
	if (!apart && speed && stack && comparison->rule == DIFF_DRIFT)
		apart = "not judged: not the same circumstances";
	if (!step && !speed && !lost && text_same(before->outcome, after->outcome)) {
		comparison->changes->summary.same++;
		return;
	}
	if (!step && !apart)
		step = speed;
	change.kind = step > 0 ? "worse" : step < 0 ? "better" : "changed";
	change.note = join(arena, speed ? apart : NULL, stack);
	if (step > 0 && new->explain &&*new->explain)
		change.note = join(arena, change.note, new->explain);
	diff_add(comparison, &change);
}
