// SPDX-License-Identifier: BSD-2-Clause
#include "cli/command.h"
#include "cli/documents.h"

static const struct field version_fields[] = {
	DOCUMENT_FIELDS(&document_tool_table, "The program.", &document_tool_table),
};

static const struct field_table version_table = FIELD_TABLE(
	"version", struct document, version_fields, "What `ampere-crypto version --json` writes.");

const struct document_kind version_kind = {"version", "1.0.0", &version_table};

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &version_kind);
	struct section *section = document_section(document, NULL, 2, NULL);

	section_row(document, section, document->tool.name, document->tool.version);
	document->results = (struct field_array){&document->tool, 1};
	return cli_finish(cli, document, EXIT_OK);
}

const struct command command_version = {
	.name = "version",
	.summary = "the version of this program",
	.doc = "Show the version of this program.",
	.options = OPTIONS_REPORT | OPTION_HELP,
	.run = run,
};
