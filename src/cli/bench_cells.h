// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "bench/result.h"
#include "report/document.h"

/* Results that stand in one table: a case on one device or library, by size and cores. */
struct bench_group {
	const struct bench_result **results; /* those with a number, by size, then cores */
	size_t count;
	double scale;                   /* of the rates shown */
	const char *unit;               /* "Gbps", "MOps/s", "kOps/s" */
	double best;                    /* the highest rate, unscaled */
	bool failed, compared, changed; /* any fails; all have a reference; any has a baseline */
	bool cores;                     /* their number varies */
};

/* What a column of such a table shows. */
struct bench_column {
	const char *header; /* NULL: the unit of the group */
	enum column_kind kind;
	/* NULL: nothing to show; a column without any cell is left out. */
	const char *(*cell)(struct arena *arena, const struct bench_group *group,
			    const struct bench_result *result);
};

extern const struct bench_column bench_columns[];
extern const size_t bench_column_count;

/* Three significant digits without an exponent: "0.00123", "9.87", "812000"; "n/a" for what is no
 * number. */
const char *bench_digits(struct arena *arena, double number);
/* A row of a table needs a number and a verdict. */
bool bench_in_table(const struct bench_result *result);
const char *bench_place(const struct bench_result *result); /* the device, else the engine */
