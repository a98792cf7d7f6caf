// SPDX-License-Identifier: BSD-2-Clause
#include "base/error.h"
#include "base/file.h"
#include "bench/baseline.h"
#include "cli/bench.h"
#include "cli/documents.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool bench_baseline_read(struct cli *cli, const struct document *document,
			 const struct baseline **out)
{
	struct baseline *baseline = arena_new(&cli->arena, struct baseline);

	if (!cli->options.baseline)
		return true;
	if (!baseline_load(&cli->arena, cli->options.baseline, document->schema, baseline,
			   &cli->error))
		return error_context(&cli->error, "--baseline");
	*out = baseline;
	return true;
}

/* What is slower than it was fails; what was not certain stays so. */
static void judge(struct bench *bench, struct bench_series *series, double threshold)
{
	struct bench_result *result = &series->result;
	const struct bench_change *change = result->change;

	if (strcmp(change->verdict, "slower") != 0 || strcmp(result->outcome, "pass") != 0)
		return;
	result->outcome = "fail";
	result->reason = arena_printf(
		bench->arena,
		"%.1f %% of the baseline (%.1f to %.1f), a slow-down of %g %% fails%s%s",
		100 * change->ratio, 100 * change->low, 100 * change->high, 100 * threshold,
		change->why ? "; " : "", change->why ? change->why : "");
	bench_explain(bench, series);
}

/* One line for each reason why results were not compared, with how many it kept. */
static void say_refusals(struct document *document, const struct bench *bench)
{
	struct names reasons = {0};

	for (size_t i = 0; i < bench->series_count; i++) {
		const struct bench_change *change = bench->series[i]->result.change;

		if (change && change->why && strcmp(change->verdict, "not-compared") == 0 &&
		    !names_has(&reasons, change->why))
			names_add(bench->arena, &reasons, change->why);
	}
	for (size_t i = 0; i < reasons.count; i++) {
		size_t count = 0;

		for (size_t j = 0; j < bench->series_count; j++) {
			const struct bench_change *change = bench->series[j]->result.change;

			count +=
				change && change->why && strcmp(change->why, reasons.items[i]) == 0;
		}
		document_message(document, "warning", "%zu result%s not compared: %s", count,
				 count == 1 ? "" : "s", reasons.items[i]);
	}
}

/* What a baseline has and this run has not: a gate that measures nothing finds nothing. */
static void say_missing(struct document *document, const struct baseline *baseline,
			const struct bench *bench)
{
	size_t missing = 0;
	const char *first = NULL;

	for (size_t i = 0; i < baseline->count; i++) {
		bool found = !baseline->results[i].estimate;

		for (size_t j = 0; j < bench->series_count && !found; j++) {
			const struct bench_result *result = &bench->series[j]->result;

			found = result->estimate &&
				strcmp(result->id, baseline->results[i].id) == 0;
		}
		if (!found && !missing++)
			first = baseline->results[i].id;
	}
	if (missing)
		document_message(document, "warning",
				 "%zu result%s of the baseline got no number now, the first is %s",
				 missing, missing == 1 ? "" : "s", first);
}

void bench_baseline_compare(struct document *document, struct bench *bench,
			    const struct baseline *baseline, double threshold)
{
	if (!baseline)
		return;
	for (size_t i = 0; i < bench->series_count; i++) {
		struct bench_result *result = &bench->series[i]->result;

		result->change =
			baseline_change(bench->arena, baseline, bench->identity, result, threshold);
		if (result->change)
			judge(bench, bench->series[i], threshold);
	}
	say_refusals(document, bench);
	say_missing(document, baseline, bench);
}

bool bench_baseline_keep(struct cli *cli, struct document *document, const struct bench *bench)
{
	size_t numbers = 0;

	if (!cli->options.save)
		return true;
	if (bench->wrong || bench->broken) {
		document_message(document, "warning",
				 "no baseline was saved: a run with wrong answers is none");
		return true;
	}
	for (size_t i = 0; i < bench->series_count; i++)
		numbers += bench->series[i]->result.estimate != NULL;
	if (!numbers)
		document_message(
			document, "warning",
			"%s: this baseline holds no number, nothing can be compared with it",
			cli->options.save);
	return output_add(&cli->options.outputs,
			  arena_printf(&cli->arena, "json=%s", cli->options.save), &cli->error);
}
