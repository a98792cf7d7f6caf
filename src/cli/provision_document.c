// SPDX-License-Identifier: BSD-2-Clause
#include "cli/documents.h"
#include "cli/provision.h"

#include <inttypes.h>
#include <string.h>

#define ROW(name, field_kind, member, text, ...)                                                   \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .required = true,                             \
		.offset = FIELD(struct provision_result, member), .doc = (text), ##__VA_ARGS__     \
	}

static const char *const outcomes[] = {"pass", "fail", "na", "unknown", NULL};

static const struct field result_rows[] = {
	ROW("stage", FIELD_ENUM, stage, "setup, audit, bench or report", .names = provision_stages),
	ROW("outcome", FIELD_ENUM, outcome,
	    "pass: exit status 0; unknown: 3, or it was not begun; na: 77; else fail",
	    .names = outcomes),
	ROW("text", FIELD_TEXT, text, "what came of it, or why it was not begun"),
	ROW("command", FIELD_TEXTS, command, "its command line"),
	ROW("exit_code", FIELD_MAYBE, exit_code, "null: it was not begun"),
	ROW("elapsed_ms", FIELD_NUMBER, elapsed_ms, "wall-clock time in milliseconds"),
	ROW("as_of", FIELD_TEXT, as_of,
	    "when it was measured, in UTC, when an earlier result still holds; null: in this run",
	    .nullable = true),
	ROW("files", FIELD_TEXTS, files, "what was written of its result"),
};

static const struct field_table result_table =
	FIELD_TABLE("provision-stage", struct provision_result, result_rows, "One stage.");

#define SUM(name, field_kind, member, text, ...)                                                   \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .required = true,                             \
		.offset = FIELD(struct provision_summary, member), .doc = (text), ##__VA_ARGS__    \
	}

static const struct field summary_rows[] = {
	SUM("prefix", FIELD_TEXT, prefix, "where everything is installed"),
	SUM("state", FIELD_TEXT, state, "the directory of the results"),
	SUM("trees", FIELD_TEXTS, trees,
	    "NAME-VERSION-KEY of all that setup installs; KEY stands for one that is not known"),
	SUM("cache_key", FIELD_TEXT, cache_key,
	    "digest of the trees, the prefix and the version of the program: the key of a cache of "
	    "the prefix; null: without setup, or not every key is known",
	    .nullable = true),
	SUM("pass", FIELD_NUMBER, pass, "stages"),
	SUM("fail", FIELD_NUMBER, fail, "stages"),
	SUM("na", FIELD_NUMBER, na, "stages"),
	SUM("unknown", FIELD_NUMBER, unknown, "stages"),
	SUM("needs_root", FIELD_NUMBER, needs_root,
	    "checks of the audit that could not be answered without root"),
};

static const struct field_table summary_table =
	FIELD_TABLE("provision-summary", struct provision_summary, summary_rows,
		    "The stages counted, and what a cache has to know.");

static const struct field provision_fields[] = {
	DOCUMENT_FIELDS(&result_table, "The stages of the plan, in the order in which they run.",
			&summary_table),
};

static const struct field_table provision_table =
	FIELD_TABLE("provision", struct document, provision_fields,
		    "What `ampere-crypto provision --json` writes.");

const struct document_kind provision_kind = {"provision", "1.0.0", &provision_table};

static void count(struct provision_summary *summary, const char *outcome)
{
	int64_t *counts[] = {&summary->pass, &summary->fail, &summary->na, &summary->unknown};

	for (size_t i = 0; outcomes[i]; i++)
		*counts[i] += strcmp(outcome, outcomes[i]) == 0;
}

static const char *say_time(struct arena *arena, const struct provision_result *result)
{
	if (!result->exit_code.known)
		return "";
	if (result->elapsed_ms < 10000)
		return arena_printf(arena, "%" PRId64 " ms", result->elapsed_ms);
	return arena_printf(arena, "%" PRId64 " s", result->elapsed_ms / 1000);
}

void provision_fill(struct provision *provision)
{
	static const enum column_kind kinds[] = {COLUMN_OUTCOME, COLUMN_TEXT, COLUMN_NUMBER,
						 COLUMN_TEXT};
	struct document *document = provision->document;
	struct section *section = document_section(document, NULL, 4, NULL);
	bool quiet = provision->cli->options.quiet;

	section->kinds = kinds;
	for (size_t i = 0; i < provision->count; i++) {
		const struct provision_result *one = &provision->results[i];

		count(&provision->summary, one->outcome);
		document_verdict(document,
				 &(struct verdict){.id = arena_printf(document->arena,
								      "provision.%s", one->stage),
						   .title = one->stage,
						   .outcome = one->outcome,
						   .text = one->text,
						   .elapsed_ms = one->elapsed_ms});
		if (one->exit_code.known)
			document_metric(document,
					&(struct metric){.name = "provision_stage_duration",
							 .unit = "seconds",
							 .help = "wall-clock time of a stage",
							 .labels = {{"stage", one->stage}},
							 .label_count = 1,
							 .value = (double)one->elapsed_ms / 1000});
		if (quiet && strcmp(one->outcome, "fail") != 0)
			continue;
		section_row(document, section, one->outcome, one->stage,
			    say_time(document->arena, one), one->text);
	}
	document->results = (struct field_array){provision->results, provision->count};
	document->summary = &provision->summary;
}
