// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "bench/result.h"
#include "report/document.h"

/* What the page of bench is made of. */
struct bench_page {
	const struct bench_result *results;
	size_t count;
	const struct bench_summary *summary; /* NULL: nothing was measured, as with --import */
	const char *machine;                 /* identity_line(), NULL */
	const char *origin;                  /* what is benched: "setup in PREFIX", NULL */
	bool quiet;                          /* only what fails */
	bool all;                            /* a line for each result that was not measured */
	bool verbose;                        /* id, samples and source under each number */
};

/*
 * The sections for people: a heading (machine, libraries, clock, known answers), what failed
 * without a number, one table for each case and device with what explains a shortfall below it,
 * failing ones first, and what was not measured, one line for each reason. Sets document->next when
 * it is NULL.
 */
void bench_text(struct document *document, const struct bench_page *page);
/* Results without a number in a table, of these outcomes (NULL-terminated): a line for each reason.
 */
void bench_folded(struct document *document, const struct bench_page *page, const char *title,
		  const char *const *outcomes);
