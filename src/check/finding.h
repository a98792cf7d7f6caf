// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "host/value.h"

/* Why a finding is not judged: who accepted it, for how long. From a waivers file, waivers(5). */
struct waiver {
	const char *id; /* a check id or glob */
	const char *owner;
	const char *reason;
	const char *expires; /* YYYY-MM-DD, in UTC; the waiver holds to the end of that day */
};

/* A check judged on a host. outcome: pass fail na unknown waived. */
struct finding {
	const char *id, *title, *outcome, *severity;
	struct value found;
	const char *wanted, *unit;
	const char *reason;          /* why na, why unknown, what else was seen; NULL */
	struct field_array evidence; /* struct evidence */
	const char *why, *cost, *fix, *undo;
	struct names references;
	struct waiver *waiver; /* NULL */
};

extern const struct field_table finding_table, waiver_table;
