// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "check/finding.h"
#include "report/page.h"

/* How an outcome is shown to people; failing first. */
struct outcome_row {
	const char *outcome, *word;
	enum page_style style;
	bool folded; /* only shown when everything is asked for */
};

extern const struct outcome_row outcome_rows[];
extern const size_t outcome_row_count;
/* Worst first. */
extern const char *const outcome_severities[];
extern const size_t outcome_severity_count;

/* NULL for a word that is none of them. */
const struct outcome_row *outcome_find(const char *outcome);
/* What was found. A list of hundreds of CPUs or DIMMs says in its first items what is wrong. */
const char *outcome_found(struct arena *arena, const struct finding *finding, bool whole);
/* Nothing, or a list of nothing: "none" of a list of faults reads as if something were missing. */
bool outcome_nothing_found(const struct value *found);
/* What an exit status says: "findings". */
const char *outcome_exit_word(int64_t exit_code);
