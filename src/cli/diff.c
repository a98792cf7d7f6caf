// SPDX-License-Identifier: BSD-2-Clause
#include "report/diff.h"
#include "cli/command.h"
#include "cli/documents.h"

#include <inttypes.h>
#include <string.h>

#define SHOWN_MAX_BYTES ((size_t)200)

static const struct field change_fields[] = {
	{.key = "kind",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct change, kind),
	 .required = true,
	 .names = change_kinds,
	 .doc = "in which way it changed"},
	{.key = "id",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct change, id),
	 .required = true,
	 .doc = "a check's id, a measurement's, tree.RECIPE, compiler.NAME, a setting's, or the "
		"path "
		"of a member of the host"},
	{.key = "title",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct change, title),
	 .nullable = true,
	 .doc = "of the check"},
	{.key = "severity",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct change, severity),
	 .nullable = true,
	 .doc = "of the check, in the newer report"},
	{.key = "before",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct change, before),
	 .nullable = true,
	 .doc = "in the first report, in words"},
	{.key = "after",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct change, after),
	 .nullable = true,
	 .doc = "in the second report, in words"},
	{.key = "note",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct change, note),
	 .nullable = true,
	 .doc = "what else changed, or why it is neither worse nor better"},
};

static const struct field_table change_table = FIELD_TABLE(
	"change", struct change, change_fields, "Something that differs between two reports.");

static const struct field summary_fields[] = {
	{.key = "worse",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct diff_summary, worse),
	 .required = true,
	 .doc = "whose outcome or severity got worse, or whose rate is below what it was"},
	{.key = "better",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct diff_summary, better),
	 .required = true,
	 .doc = "whose outcome or severity got better, or whose rate is above what it was"},
	{.key = "changed",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct diff_summary, changed),
	 .required = true,
	 .doc = "what is different, neither better nor worse"},
	{.key = "added",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct diff_summary, added),
	 .required = true,
	 .doc = "only in the second report"},
	{.key = "removed",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct diff_summary, removed),
	 .required = true,
	 .doc = "only in the first report"},
	{.key = "same",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct diff_summary, same),
	 .required = true,
	 .doc = "what did not change"},
};

static const struct field_table summary_table =
	FIELD_TABLE("summary", struct diff_summary, summary_fields, "The changes counted.");

static const struct field diff_fields[] = {
	DOCUMENT_FIELDS(&change_table, "What changed: worse first.", &summary_table),
};

static const struct field_table diff_table = FIELD_TABLE(
	"diff", struct document, diff_fields, "What `ampere-crypto diff --json` writes.");

const struct document_kind diff_kind = {"diff", "1.1.0", &diff_table};

/* A list of evidence can be long; JSON has it whole. */
static const char *shorten(struct arena *arena, const char *text)
{
	size_t size = SHOWN_MAX_BYTES;

	if (!text)
		return "(not there)";
	if (strlen(text) <= SHOWN_MAX_BYTES)
		return text;
	while (size && ((unsigned char)text[size] & 0xc0) == 0x80)
		size--;
	return arena_printf(arena, "%.*s ...", (int)size, text);
}

static void show(struct cli *cli, struct document *document, const struct changes *changes)
{
	static const char *const header[] = {"change", "id", "before -> after"};
	struct section *section = document_section(document, NULL, 3, header);
	const struct diff_summary *sum = &changes->summary;
	struct arena *arena = &cli->arena;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->items[i];

		if (cli->options.quiet && strcmp(change->kind, "worse") != 0)
			continue;
		section_row(document, section, change->kind, change->id,
			    arena_printf(arena, "%s -> %s", shorten(arena, change->before),
					 shorten(arena, change->after)));
		if (change->note)
			section_note(document, section, shorten(arena, change->note));
	}
	if (cli->options.quiet)
		return;
	section = document_section(document, NULL, 1, NULL);
	section_row(document, section,
		    arena_printf(arena,
				 "%" PRId64 " worse, %" PRId64 " better, %" PRId64
				 " changed, %" PRId64 " added, %" PRId64 " removed, %" PRId64
				 " the same",
				 sum->worse, sum->better, sum->changed, sum->added, sum->removed,
				 sum->same));
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &diff_kind);
	struct changes *changes = arena_new(&cli->arena, struct changes);
	const struct names *files = &cli->options.arguments;

	if (!diff_reports(&cli->arena, files->items[0], files->items[1], changes, &cli->error))
		return cli_fail(cli, document);
	diff_sort(&cli->arena, changes);
	document->results = (struct field_array){changes->items, changes->count};
	document->summary = &changes->summary;
	for (size_t i = 0; i < changes->notes.count; i++)
		document_message(document, "note", "%s", changes->notes.items[i]);
	show(cli, document, changes);
	return cli_finish(cli, document, changes->summary.worse ? EXIT_FINDINGS : EXIT_OK);
}

const struct command command_diff = {
	.name = "diff",
	.arguments = "A.json B.json",
	.summary = "what changed between two reports",
	.doc = "Show what changed from report A to report B, both written with --json by one "
	       "command: audit, bench, detect, setup or tune ('-': standard input). Exit 1 when "
	       "something got worse: an outcome, a severity, or a rate beyond both intervals.",
	.options = OPTIONS_REPORT | OPTION_HELP,
	.arguments_min = 2,
	.arguments_max = 2,
	.completes = COMPLETES_FILES,
	.run = run,
};
