// SPDX-License-Identifier: BSD-2-Clause
#include "cli/options.h"

#include "base/arena.h"
#include "base/error.h"
#include "cli/command.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

/* Keys of argp: the letter, or this plus the row. */
#define KEY_BASE 0x100

struct parse {
	struct arena *arena;
	const struct command *command;
	struct options *options;
	struct error *err;
};

size_t words_count(const char *const *words)
{
	size_t count = 0;

	while (words[count])
		count++;
	return count;
}

bool usage_unknown(struct error *err, const char *kind, const char *word, const char *const *known,
		   size_t count)
{
	const char *nearest = text_nearest(word, known, count);

	if (nearest)
		return error_exit(err, EXIT_USAGE, "unknown %s '%s', did you mean '%s'?", kind,
				  word, nearest);
	return error_exit(err, EXIT_USAGE, "unknown %s '%s'", kind, word);
}

static bool set_word(const struct option_row *row, const char **member, const char *argument,
		     struct error *err)
{
	char kind[64];

	for (size_t i = 0; row->words[i]; i++) {
		if (strcmp(row->words[i], argument) == 0) {
			*member = row->words[i];
			return true;
		}
	}
	snprintf(kind, sizeof(kind), "%s for --%s", row->argument, row->name);
	return usage_unknown(err, kind, argument, row->words, words_count(row->words));
}

static bool set_option(struct parse *parse, const struct option_row *row, const char *argument)
{
	void *member = (char *)parse->options + row->offset;

	if (argument && !*argument)
		return error_exit(parse->err, EXIT_USAGE,
				  "option '--%s' needs a %s that is not empty", row->name,
				  row->argument);
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)member = true;
		return true;
	case OPTION_TEXT:
		*(const char **)member = argument;
		return true;
	case OPTION_WORD:
		return set_word(row, member, argument, parse->err);
	case OPTION_NAMES:
		names_add(parse->arena, member, argument);
		return true;
	case OPTION_OUTPUTS:
		return output_add(member, argument, parse->err);
	}
	return false;
}

/* What getopt would have said, and the nearest option. `word` is as given: "--rot=x" or "-x". */
static bool bad_option(struct parse *parse, const char *word)
{
	const char *known[OPTION_ROWS_MAX], *equals = strchr(word, '=');
	size_t size = equals ? (size_t)(equals - word) : strlen(word), count = 0, matches = 0;
	const struct option_row *match = NULL;
	char name[80];

	snprintf(name, sizeof(name), "%.*s", size > 70 ? 70 : (int)size, word);
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (!(parse->command->options & row->bit))
			continue;
		known[count++] = row->name;
		if (strncmp(name, "--", 2) == 0 && name[2] &&
		    strncmp(row->name, name + 2, strlen(name + 2)) == 0) {
			match = row;
			matches++;
		}
	}
	if (matches > 1)
		return error_exit(parse->err, EXIT_USAGE, "option '%s' is ambiguous, write it out",
				  name);
	if (match && equals)
		return error_exit(parse->err, EXIT_USAGE, "option '--%s' takes no value",
				  match->name);
	if (match)
		return error_exit(parse->err, EXIT_USAGE, "option '--%s' needs a %s", match->name,
				  match->argument);
	const char *nearest =
		strncmp(name, "--", 2) == 0 ? text_nearest(name + 2, known, count) : NULL;
	if (nearest)
		return error_exit(parse->err, EXIT_USAGE,
				  "unknown option '%s', did you mean '--%s'?", name, nearest);
	return error_exit(parse->err, EXIT_USAGE,
			  "unknown option '%s', see ampere-crypto %s --help", name,
			  parse->command->name);
}

static error_t parse_key(int key, char *argument, struct argp_state *state)
{
	struct parse *parse = state->input;

	if (key == ARGP_KEY_ARG) {
		names_add(parse->arena, &parse->options->arguments, argument);
		while (parse->command->runs_arguments && state->next < state->argc)
			names_add(parse->arena, &parse->options->arguments,
				  state->argv[state->next++]);
		return 0;
	}
	if (key == ARGP_KEY_ERROR) {
		if (!parse->err->text[0] && state->next > 0)
			bad_option(parse, state->argv[state->next - 1]);
		return 0;
	}
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (key == (row->letter ? row->letter : KEY_BASE + (int)i))
			return set_option(parse, row, argument) ? 0 : EINVAL;
	}
	return ARGP_ERR_UNKNOWN;
}

struct option_row option_of(const struct command *command, const struct option_row *row)
{
	struct option_row own = *row;

	for (const struct option_sense *sense = command->senses; sense && sense->bit; sense++) {
		if (sense->bit != row->bit)
			continue;
		own.doc = sense->doc;
		own.completes = sense->completes;
	}
	return own;
}

static void fill_argp(const struct command *command, struct argp_option *options, struct argp *argp)
{
	size_t count = 0;

	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (command->options & row->bit)
			options[count++] = (struct argp_option){
				.name = row->name,
				.key = row->letter ? row->letter : KEY_BASE + (int)i,
				.arg = row->argument,
				.doc = option_of(command, row).doc,
				.group = (int)i + 1};
	}
	options[count] = (struct argp_option){0};
	*argp = (struct argp){.options = options,
			      .parser = parse_key,
			      .args_doc = command->arguments,
			      .doc = command->doc};
}

static bool check_arguments(const struct command *command, const struct options *options,
			    struct error *err)
{
	size_t count = options->arguments.count;

	if (count < command->arguments_min)
		return error_exit(err, EXIT_USAGE, "%s is missing, see ampere-crypto %s --help",
				  command->arguments, command->name);
	if (count > command->arguments_max)
		return error_exit(err, EXIT_USAGE,
				  "'%s' is one argument too many, see ampere-crypto %s --help",
				  options->arguments.items[command->arguments_max], command->name);
	return true;
}

static bool choose_json(struct options *options, struct error *err)
{
	return !options->json || output_add(&options->outputs, "json=-", err);
}

bool options_parse(struct arena *arena, const struct command *command, int argc, char **argv,
		   struct options *options, struct error *err)
{
	unsigned flags = ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP;
	struct argp_option rows[OPTION_ROWS_MAX];
	struct parse parse = {arena, command, options, err};
	struct argp argp;

	fill_argp(command, rows, &argp);
	err->text[0] = '\0';
	if (command->runs_arguments)
		flags |= ARGP_IN_ORDER;
	if (argp_parse(&argp, argc, argv, flags, NULL, &parse) != 0)
		return err->text[0] ? false
				    : error_exit(err, EXIT_USAGE, "the options make no sense");
	if (options->help)
		return true;
	return choose_json(options, err) && check_arguments(command, options, err);
}

void options_help(const struct command *command)
{
	struct argp_option rows[OPTION_ROWS_MAX];
	struct argp argp;
	char name[64];

	fill_argp(command, rows, &argp);
	snprintf(name, sizeof(name), "ampere-crypto %s", command->name);
	argp_help(&argp, stdout,
		  ARGP_HELP_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG | ARGP_HELP_POST_DOC, name);
}
