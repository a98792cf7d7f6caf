// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/diff.h"

struct diff_comparison {
	struct arena *arena;
	const struct results *before, *after;
	struct changes *changes;
	enum diff_rule rule;
};

/* How bad an outcome is; -1 for a word this version does not know. */
int diff_rank(const char *outcome);
/* Counts and adds it. */
void diff_add(struct diff_comparison *comparison, const struct change *change);
/* "another machine: altra Q80-30, 80 CPUs; altramax …"; NULL: nothing says so (diff_machine.c). */
const char *diff_machines(struct arena *arena, const struct results *before,
			  const struct results *after);
/* What of kernel and firmware is another; NULL. */
const char *diff_system(struct arena *arena, const struct results *before,
			const struct results *after);
/* Two measurements of one id (diff_bench.c). */
void diff_measurement(struct diff_comparison *comparison, const struct result_item *before,
		      const struct result_item *after);
/* "pass: 33.1 Gbps (32.9 to 33.2)" */
const char *diff_measured(struct arena *arena, const struct result_item *item);
