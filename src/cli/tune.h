// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "audit/audit.h"
#include "report/document.h"
#include "tune/tune.h"

struct cli;

/* One run of tune: the plan or what came of it, and the findings before and after. */
struct tuning {
	struct tune_plan plan;
	struct audit before, after; /* findings of a revert are not asked for */
	bool compared;              /* `after` was judged */
	bool reverting;
};

/* Results, summary, verdicts and sections of the document. */
void tune_document(struct cli *cli, struct document *document, const struct tuning *tuning);
/* 1: something was refused, or is somebody else's. */
int tune_exit_code(const struct tune_plan *plan);
/* "performance", "nothing", "3 lines". */
const char *tune_value(struct arena *arena, const char *value);
