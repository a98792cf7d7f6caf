// SPDX-License-Identifier: BSD-2-Clause
#include "base/file.h"
#include "cli/command.h"
#include "host/root.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char program_version[] = AMPERE_CRYPTO_VERSION;

const struct command *const commands[] = {
	&command_detect,  &command_audit,  &command_explain,    &command_setup,
	&command_status,  &command_remove, &command_rollback,   &command_env,
	&command_run,     &command_bench,  &command_tune,       &command_provision,
	&command_capture, &command_diff,   &command_report,     &command_inspect,
	&command_list,    &command_schema, &command_completion, &command_version,
};

const size_t command_count = sizeof(commands) / sizeof(commands[0]);

#define COMMANDS_MAX 64

static void memory_exhausted(void)
{
	static const char line[] = "ampere-crypto: out of memory\n";

	/* Nothing can be done when standard error is gone as well. */
	if (write(STDERR_FILENO, line, sizeof(line) - 1) < 0)
		_exit(EXIT_TROUBLE);
	_exit(EXIT_TROUBLE);
}

/* One line on standard error. */
static int complain(struct arena *arena, const char *command, const struct error *err)
{
	fprintf(stderr, "ampere-crypto%s%s: %s\n", command ? " " : "", command ? command : "",
		text_printable(arena, view_of(err->text)));
	return err->exit_code ? (int)err->exit_code : EXIT_TROUBLE;
}

static int flush_output(struct arena *arena)
{
	struct error err = {0};

	if (fflush(stdout) == 0)
		return EXIT_OK;
	error_errno(&err, errno, "standard output");
	return complain(arena, NULL, &err);
}

static int print_help(struct arena *arena)
{
	printf("Usage: ampere-crypto COMMAND [OPTION...]\n"
	       "Cryptography on Ampere Altra and AmpereOne servers: what this machine is, what\n"
	       "is set wrong on it, the libraries for it, and how fast they are. Begin with\n"
	       "audit and bench.\n\n");
	for (size_t i = 0; i < command_count; i++)
		printf("  %-12s%s\n", commands[i]->name, commands[i]->summary);
	printf("\n  --help      show this help; after a command, the help of that command\n"
	       "  --version   show the version\n\n"
	       "Exit status: 0 success, 1 findings, 2 trouble, 3 unknown under --strict,\n"
	       "4 verification failed, 5 the prefix is in use, 6 not for this machine,\n"
	       "64 wrong usage, 77 nothing that was asked applies here.\n"
	       "Manual page: ampere-crypto(1).\n");
	return flush_output(arena);
}

static int print_version(struct arena *arena)
{
	printf("ampere-crypto %s\n", program_version);
	return flush_output(arena);
}

static bool unknown_command(const char *word, struct error *err)
{
	const char *names[COMMANDS_MAX];

	for (size_t i = 0; i < command_count; i++)
		names[i] = commands[i]->name;
	if (word[0] != '-')
		return usage_unknown(err, "command", word, names, command_count);
	for (size_t i = 0; i < option_row_count; i++) {
		if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, option_rows[i].name) == 0)
			return error_exit(err, EXIT_USAGE,
					  "'%s' stands after a command, see ampere-crypto --help",
					  word);
	}
	static const char *const known[] = {"--help", "--version"};
	return usage_unknown(err, "option", word, known, 2);
}

static int run_command(struct cli *cli, const struct command *command)
{
	int exit_code;

	cli->command = command;
	/* argp sorts the arguments; the document shows them as given. */
	char **words = arena_array(&cli->arena, char *, (size_t)cli->argc);
	for (int i = 1; i < cli->argc; i++)
		words[i - 1] = cli->argv[i];
	if (!options_parse(&cli->arena, command, cli->argc - 1, words, &cli->options, &cli->error))
		return complain(&cli->arena, command->name, &cli->error);
	if (cli->options.help) {
		options_help(command);
		return flush_output(&cli->arena);
	}
	exit_code = command->run(cli);
	if (cli->root)
		root_close(cli->root);
	if (cli->error.text[0])
		complain(&cli->arena, command->name, &cli->error);
	return exit_code;
}

static int run(struct cli *cli)
{
	const char *word = cli->argc > 1 ? cli->argv[1] : "";

	if (cli->argc < 2) {
		error_exit(&cli->error, EXIT_USAGE,
			   "a command is missing, see ampere-crypto --help");
		return complain(&cli->arena, NULL, &cli->error);
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
		return print_help(&cli->arena);
	if (strcmp(word, "--version") == 0)
		return print_version(&cli->arena);
	for (size_t i = 0; i < command_count; i++) {
		if (strcmp(commands[i]->name, word) == 0)
			return run_command(cli, commands[i]);
	}
	unknown_command(word, &cli->error);
	return complain(&cli->arena, NULL, &cli->error);
}

int main(int argc, char **argv)
{
	struct cli cli = {.argc = argc, .argv = argv};
	int exit_code;

	if (!file_keep_standard())
		return EXIT_TROUBLE;
	/* A reader that went away is an error of the write, with a line and an exit status. */
	signal(SIGPIPE, SIG_IGN);
	/* Likewise a file that may not grow: no half of it stays behind. */
	signal(SIGXFSZ, SIG_IGN);
	arena_init(&cli.arena, ARENA_DEFAULT_MAX_BYTES);
	cli.arena.exhausted = memory_exhausted;
	exit_code = run(&cli);
	arena_release(&cli.arena);
	return exit_code;
}
