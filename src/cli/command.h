// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "cli/options.h"
#include "host/facts.h"
#include "report/document.h"

struct cli;

/* What an option means to one command, where its row speaks of others. A table ends with bit 0. */
struct option_sense {
	uint64_t bit;
	const char *doc;
	enum completes completes;
};

/* A command is a row: its name, what it takes, and the function that builds its document. main.c
 * lists them. */
struct command {
	const char *name;
	const char *arguments; /* "FILE", as help shows it; NULL: none */
	const char *summary;   /* one line */
	const char *doc;       /* for help: the summary in a sentence, then a line feed and more */
	uint64_t options;      /* OPTION_… */
	const struct option_sense *senses; /* NULL: the rows say it */
	size_t arguments_min, arguments_max;
	enum completes completes; /* its arguments */
	const char *const *words; /* COMPLETES_WORDS */
	bool runs_arguments;      /* options end at the first argument: "run CMD --its-own" */
	/* Returns the exit status; problems are left in cli->error, which main() prints. */
	int (*run)(struct cli *cli);
};

/* One run of one command. */
struct cli {
	struct arena arena;
	const struct command *command;
	struct options options;
	int argc;
	char **argv; /* as given to the program */
	struct error error;
	struct root *root; /* cli_open_host() */
	struct bmc *bmc;   /* cli_open_bmc() */
	struct facts *facts;
	const struct identity *identity;
};

extern const struct command *const commands[];
extern const size_t command_count;
extern const char program_version[];

extern const struct command command_audit, command_bench, command_capture, command_completion,
	command_detect, command_diff, command_env, command_explain, command_inspect, command_list,
	command_provision, command_remove, command_report, command_rollback, command_run,
	command_schema, command_setup, command_status, command_tune, command_version;

/* cli->facts with every table but no host: enough to load checks and to list. */
bool cli_open_catalog(struct cli *cli);
/* Opens the root of the options and identifies the machine: cli->root, cli->facts, cli->identity.
 */
bool cli_open_host(struct cli *cli);
struct document *cli_document(struct cli *cli, const struct document_kind *kind);
/* Writes the document where the options say; the exit status, EXIT_TROUBLE when it could not be
 * written. */
int cli_finish(struct cli *cli, struct document *document, int exit_code);
/* The command could not do it: the document, if JSON was asked for, says what cli->error says. */
int cli_fail(struct cli *cli, struct document *document);
