// SPDX-License-Identifier: BSD-2-Clause
#include "report/facets.h"

#include "base/arena.h"
#include "report/document.h"

void document_verdict(struct document *document, const struct verdict *verdict)
{
	struct facets *facets = &document->facets;
	struct verdict *copy = arena_new(document->arena, struct verdict);

	*copy = *verdict;
	copy->next = NULL;
	*(facets->last_verdict ? &facets->last_verdict->next : &facets->first_verdict) = copy;
	facets->last_verdict = copy;
}

void document_metric(struct document *document, const struct metric *metric)
{
	struct facets *facets = &document->facets;
	struct metric *copy = arena_new(document->arena, struct metric);

	*copy = *metric;
	copy->next = NULL;
	*(facets->last_metric ? &facets->last_metric->next : &facets->first_metric) = copy;
	facets->last_metric = copy;
}

void document_plot(struct document *document, const struct plot *plot)
{
	struct facets *facets = &document->facets;
	struct plot *copy = arena_new(document->arena, struct plot);

	*copy = *plot;
	copy->next = NULL;
	*(facets->last_plot ? &facets->last_plot->next : &facets->first_plot) = copy;
	facets->last_plot = copy;
}
