// SPDX-License-Identifier: BSD-2-Clause
#include "base/file.h"
#include "bench/import.h"
#include "cli/bench.h"
#include "engine/engine.h"

#include <math.h>
#include <string.h>

static bool read_files(struct cli *cli, struct field_array *results, struct names *notes)
{
	const struct names *files = &cli->options.imports;

	for (size_t i = 0; i < files->count; i++) {
		struct view text;

		if (!file_read(&cli->arena, files->items[i], ENGINE_OUTPUT_MAX_BYTES, &text,
			       &cli->error) ||
		    !bench_import(&cli->arena, files->items[i], text, results, notes, &cli->error))
			return false;
	}
	return true;
}

/* Published numbers for the machine of --root; which machine printed a file is not in its text. */
static bool compare(struct cli *cli, const struct field_array *results)
{
	static const struct identity nobody;
	struct reference_circumstances circumstances = {
		.host = cli->identity ? cli->identity : &nobody, .measured_ghz = NAN};
	struct bench_result *items = results->items;
	struct references references;

	if (!references_load(&cli->arena, &references, &cli->error))
		return false;
	for (size_t i = 0; i < results->count; i++) {
		struct bench_result *result = &items[i];

		if (!result->estimate || strcmp(result->outcome, "pass") != 0)
			continue;
		result->reference = reference_find(
			&cli->arena, &references, result->name, result->device, result->size_bytes,
			result->cores, result->estimate->unit, &circumstances);
		bench_compare(&cli->arena, result);
	}
	return true;
}

static bool any(const struct field_array *results, const char *outcome)
{
	const struct bench_result *items = results->items;

	for (size_t i = 0; i < results->count; i++) {
		if (strcmp(items[i].outcome, outcome) == 0)
			return true;
	}
	return false;
}

/* Text without one usable number is no success. */
static int status_of(const struct cli *cli, const struct document *document,
		     const struct bench_summary *summary, bool wrong)
{
	if (wrong)
		return EXIT_VERIFY;
	if (!document->results.count || (summary->unknown && !summary->pass && !summary->fail))
		return EXIT_TROUBLE;
	if (summary->fail)
		return EXIT_FINDINGS;
	if (summary->unknown && cli->options.strict)
		return EXIT_UNKNOWN_ONLY;
	return summary->pass || summary->unknown ? EXIT_OK : EXIT_SKIPPED;
}

/* Before anything is compared only a known answer can have failed. */
bool bench_import_files(struct cli *cli, struct document *document, int *status)
{
	struct bench_summary *summary = arena_new(&cli->arena, struct bench_summary);
	struct names notes = {0};
	bool wrong;

	if (cli->options.root && !cli_open_host(cli))
		return false;
	if (!read_files(cli, &document->results, &notes))
		return false;
	wrong = any(&document->results, "fail");
	if (!compare(cli, &document->results))
		return false;
	for (size_t i = 0; i < notes.count; i++)
		document_message(document, "note", "%s", notes.items[i]);
	bench_count(summary, &document->results);
	summary->clock_ghz = NAN;
	document->host = cli->identity;
	document->summary = summary;
	*status = status_of(cli, document, summary, wrong);
	return true;
}
