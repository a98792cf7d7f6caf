// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

struct audit;
struct bench_result;
struct setup;

/* What each command says to programs that know nothing of ours: report/facets.h. */
void audit_facets(struct document *document, const struct audit *audit);
