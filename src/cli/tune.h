// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "audit/audit.h"
#include "report/document.h"
#include "tune/tune.h"

struct checks;
struct cli;

/* One run of tune: the plan or what came of it, and the findings before and after. */
struct tuning {
	struct tune_plan plan;
	struct audit before, after; /* findings of a revert are not asked for */
	bool compared;              /* `after` was judged */
	bool reverting;
	bool verbose; /* every change by itself, and what files hold */
};

/* What tune would do of what this audit found; `out` is the plan. */
void tune_plan_of(struct cli *cli, const struct checks *checks, const struct audit *audit,
		  struct tune_plan *out);
/* Results, summary, verdicts and sections of the document. */
void tune_document(struct cli *cli, struct document *document, const struct tuning *tuning);
/* 1: something was refused, or is somebody else's. */
int tune_exit_code(const struct tune_plan *plan);
/* "performance", "nothing", "3 lines". */
const char *tune_value(struct arena *arena, const char *value);
/* How many of the changes, from the first, differ in one number of their path alone, each by one
 * from that before it, as those of every CPU do; *path is that of all: "…/policy{0..79}/…". 1: the
 * first stands alone. */
size_t tune_fold(struct arena *arena, const struct tune_change *changes, size_t count,
		 const char **path);
