// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "bench/result.h"
#include "cli/bench_cells.h"
#include "cli/facets.h"
#include "host/value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *number_of(struct arena *arena, const struct bench_result *result)
{
	const struct bench_estimate *estimate = result->estimate;

	if (!estimate)
		return NULL;
	if (!isfinite(estimate->low) || !isfinite(estimate->high))
		return arena_printf(arena, "%s %s", bench_digits(arena, estimate->value),
				    estimate->unit);
	return arena_printf(arena, "%s %s (%s to %s)", bench_digits(arena, estimate->value),
			    estimate->unit, bench_digits(arena, estimate->low),
			    bench_digits(arena, estimate->high));
}

static const char *wanted_of(struct arena *arena, const struct bench_result *result)
{
	const struct reference_match *reference = result->reference;

	if (!reference || !result->estimate)
		return NULL;
	if (!isfinite(reference->low))
		return arena_printf(arena, "published: %s %s, not comparable%s%s",
				    bench_digits(arena, reference->value), result->estimate->unit,
				    reference->why ? ": " : "",
				    reference->why ? reference->why : "");
	return arena_printf(arena, "at least %s %s: published %s%s",
			    bench_digits(arena, reference->low), result->estimate->unit,
			    bench_digits(arena, reference->value),
			    strcmp(reference->comparable, "estimate") == 0 ? ", scaled" : "");
}

static int64_t elapsed_of(const struct bench_result *result)
{
	const struct bench_sample *samples = result->raw.items;
	double seconds = 0;

	for (size_t i = 0; i < result->raw.count; i++)
		seconds += isfinite(samples[i].seconds) ? samples[i].seconds : 0;
	return result->raw.count && seconds < 1e12 ? (int64_t)(seconds * 1000) : -1;
}

static const char *title_of(struct arena *arena, const struct bench_result *result)
{
	struct buffer title = buffer_new(arena, 4096);

	buffer_printf(&title, "%s on %s", result->name, bench_place(result));
	if (result->size_bytes)
		buffer_printf(&title, ", %" PRId64 " bytes", result->size_bytes);
	if (result->cores > 1)
		buffer_printf(&title, ", %" PRId64 " cores", result->cores);
	return buffer_string(&title);
}

static void add_verdict(struct document *document, const struct bench_result *result)
{
	struct arena *arena = document->arena;
	const char *number = number_of(arena, result);
	struct evidence *library = arena_new(arena, struct evidence);
	struct names sources = {0};

	*library = (struct evidence){.path = result->library.path, .raw = result->library.version};
	if (result->reference && result->reference->source)
		names_add(arena, &sources, result->reference->source);
	document_verdict(
		document,
		&(struct verdict){
			.group = result->suite,
			.id = result->id,
			.title = title_of(arena, result),
			.outcome = result->outcome,
			.text = result->reason && number
					? arena_printf(arena, "%s; %s", number, result->reason)
				: result->reason ? result->reason
						 : number,
			.found = number,
			.wanted = wanted_of(arena, result),
			.remark = result->reason,
			.why = result->explain.count ? names_join(arena, &result->explain, "\n")
						     : NULL,
			.evidence = {library, library->path ? 1 : 0},
			.references = sources,
			.elapsed_ms = elapsed_of(result)});
}

/* A number of a result, under the labels that tell it apart from all others. */
static void add_metric(struct document *document, const struct bench_result *result,
		       const char *name, const char *unit, const char *help, double value)
{
	if (!isfinite(value))
		return;
	document_metric(
		document,
		&(struct metric){.name = name,
				 .unit = unit,
				 .help = help,
				 .labels = {{"id", result->id},
					    {"case", result->name},
					    {"device", bench_place(result)},
					    {"size_bytes", arena_printf(document->arena, "%" PRId64,
									result->size_bytes)},
					    {"cores", arena_printf(document->arena, "%" PRId64,
								   result->cores)}},
				 .label_count = 5,
				 .value = value});
}

static void add_metrics(struct document *document, const struct bench_result *result)
{
	const struct reference_match *reference = result->reference;

	if (!result->estimate)
		return;
	add_metric(document, result, "throughput", "bytes_per_second",
		   "Bytes processed in a second, median", result->rates.gbps * 1e9 / 8);
	add_metric(document, result, "operations", "per_second",
		   "Operations done in a second, median", result->rates.mops * 1e6);
	if (reference && isfinite(reference->low))
		add_metric(document, result, "reference", "ratio",
			   "Measured over published, where both can be compared",
			   result->estimate->value / reference->value);
	add_metric(document, result, "limit", "ratio", "Share of what the core could do at most",
		   result->limit_share);
	if (result->change)
		add_metric(document, result, "baseline", "ratio", "Now over the baseline",
			   result->change->ratio);
}

static void count_results(struct document *document)
{
	const struct bench_result *results = document->results.items;

	for (size_t o = 0; bench_outcomes[o]; o++) {
		size_t count = 0;

		for (size_t i = 0; i < document->results.count; i++)
			count += strcmp(results[i].outcome, bench_outcomes[o]) == 0;
		document_metric(document,
				&(struct metric){.name = "results",
						 .help = "Results of the bench, counted",
						 .labels = {{"outcome", bench_outcomes[o]}},
						 .label_count = 1,
						 .value = (double)count});
	}
}

void bench_facets(struct document *document)
{
	const struct bench_result *results = document->results.items;
	const struct bench_summary *summary = document->summary;

	count_results(document);
	if (summary && isfinite(summary->clock_ghz))
		document_metric(document, &(struct metric){.name = "core_clock",
							   .unit = "hertz",
							   .help = "The measured clock of a core",
							   .value = summary->clock_ghz * 1e9});
	for (size_t i = 0; i < document->results.count; i++) {
		add_verdict(document, &results[i]);
		add_metrics(document, &results[i]);
	}
	bench_plots(document);
}
