// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

struct audit;
struct setup;

/* What each command says to programs that know nothing of ours: report/facets.h. */
void audit_facets(struct document *document, const struct audit *audit);
/* Of document->results, struct bench_result, and of its summary. */
void bench_facets(struct document *document);
/* Throughput by size, share of the limit, core scaling, before and after, where there are two
 * points or more. */
void bench_plots(struct document *document);
/* A verdict per tree: a plan that was only shown says nothing of it. */
void setup_facets(struct document *document, const struct setup *setup);
