// SPDX-License-Identifier: BSD-2-Clause
#include "cli/command.h"

struct document *cli_document(struct cli *cli, const struct document_kind *kind)
{
	return document_new(&cli->arena, kind, program_version, cli->argc, cli->argv);
}

int cli_finish(struct cli *cli, struct document *document, int exit_code)
{
	struct text_style style = {.all = cli->options.all,
				   .quiet = cli->options.quiet,
				   .verbose = cli->options.verbose};

	output_style(&style, cli->options.color);
	document_finish(document, exit_code);
	if (output_write(document, &cli->options.outputs, &style, &cli->error))
		return exit_code;
	/* Verification comes before trouble, trouble before findings. */
	return exit_code == EXIT_VERIFY ? exit_code : EXIT_TROUBLE;
}

int cli_fail(struct cli *cli, struct document *document)
{
	int exit_code = cli->error.exit_code ? (int)cli->error.exit_code : EXIT_TROUBLE;
	struct error reported = cli->error;

	if (exit_code == EXIT_USAGE || (!cli->options.json && !cli->options.outputs.count))
		return exit_code;
	document_message(document, "error", "%s", reported.text);
	document->first = NULL;
	cli_finish(cli, document, exit_code);
	cli->error = reported;
	return exit_code;
}
