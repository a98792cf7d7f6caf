// SPDX-License-Identifier: BSD-2-Clause
#include "cli/command.h"

#include <string.h>

/*
 * Completion scripts are written from the tables of commands and options. Names that live in data
 * (checks, facts, profiles) are asked of `ampere-crypto list … --quiet` when the user presses the
 * key.
 */

#define SCRIPT_MAX_BYTES ((size_t)1 << 20)

static const char list_checks[] = "ampere-crypto list checks --quiet 2>/dev/null";
static const char list_topics[] =
	"{ ampere-crypto list checks --quiet; ampere-crypto list facts --quiet; "
	"ampere-crypto list recipes --quiet; ampere-crypto list cases --quiet; } 2>/dev/null";
static const char list_profiles[] = "ampere-crypto list profiles --quiet 2>/dev/null";
static const char list_suites[] = "ampere-crypto list suites --quiet 2>/dev/null";
static const char list_recipes[] = "ampere-crypto list recipes --quiet 2>/dev/null";

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

/* The shell command that prints the words, or NULL. */
static const char *asking(enum completes completes)
{
	switch (completes) {
	case COMPLETES_CHECKS:
		return list_checks;
	case COMPLETES_TOPICS:
		return list_topics;
	case COMPLETES_PROFILES:
		return list_profiles;
	case COMPLETES_RECIPES:
		return list_recipes;
	case COMPLETES_SUITES:
		return list_suites;
	case COMPLETES_NOTHING:
	case COMPLETES_FILES:
	case COMPLETES_WORDS:
	case COMPLETES_OUTPUTS:
		break;
	}
	return NULL;
}

static void add_words(struct buffer *out, const char *const *words)
{
	for (size_t i = 0; words && words[i]; i++)
		buffer_printf(out, "%s%s", i ? " " : "", words[i]);
}

/* Text inside single quotes of any of the three shells; our own strings hold at most an apostrophe.
 */
static void add_quoted(struct buffer *out, const char *text, const char *apostrophe)
{
	for (; *text; text++) {
		if (*text == '\'')
			buffer_text(out, apostrophe);
		else
			buffer_char(out, *text);
	}
}

static void bash_words(struct buffer *out, enum completes completes, const char *const *words)
{
	/* No reply at all: bash then completes a file, and quotes what its name holds. */
	if (completes == COMPLETES_FILES) {
		buffer_text(out, "compopt -o default");
		return;
	}
	if (completes == COMPLETES_OUTPUTS)
		buffer_text(out, "compopt -o nospace; ");
	buffer_text(out, "COMPREPLY=($(compgen -W \"");
	if (asking(completes))
		buffer_printf(out, "$(%s)", asking(completes));
	else
		add_words(out, words);
	buffer_text(out, "\" -- \"$current\"))");
}

static void bash_options(struct buffer *out, const struct command *command)
{
	for (size_t i = 0; i < option_row_count; i++) {
		if (command->options & option_rows[i].bit)
			buffer_printf(out, "--%s ", option_rows[i].name);
	}
}

/* What an option completes for one command alone goes before what it does for all. */
static void bash_senses(struct buffer *out, const struct command *command)
{
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i], own = option_of(command, row);

		if (!row->argument || own.completes == row->completes)
			continue;
		buffer_printf(out, "\t%s:--%s) ", command->name, row->name);
		bash_words(out, own.completes, row->words);
		buffer_text(out, "; return ;;\n");
	}
}

/* After an equals sign, which is a word of its own, of FORMAT=PATH. */
static void bash_outputs(struct buffer *out)
{
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->completes != COMPLETES_OUTPUTS)
			continue;
		for (size_t j = 0; row->words[j]; j++)
			buffer_printf(out, "%s%s", j ? "|*:" : "\t*:", row->words[j]);
		buffer_text(out, ") ");
		bash_words(out, COMPLETES_FILES, NULL);
		buffer_text(out, "; return ;;\n");
	}
}

static void write_bash(struct buffer *out)
{
	buffer_text(
		out,
		"# bash completion of ampere-crypto, written by `ampere-crypto completion bash`\n"
		"_ampere_crypto()\n{\n"
		"\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
		"equals= options=\n"
		"\tCOMPREPLY=()\n"
		"\t[ \"$current\" = = ] && current= equals==\n"
		"\t[ \"$previous\" = = ] && previous=${COMP_WORDS[COMP_CWORD-2]} equals==\n"
		"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \"");
	for (size_t i = 0; i < command_count; i++)
		buffer_printf(out, "%s ", commands[i]->name);
	buffer_text(out, "--help --version\" -- \"$current\"))\n\t\treturn\n\tfi\n\tcase "
			 "${COMP_WORDS[1]}:$previous$equals in\n");
	bash_outputs(out);
	buffer_text(out, "\tesac\n\tcase ${COMP_WORDS[1]}:$previous in\n");
	for (size_t i = 0; i < command_count; i++)
		bash_senses(out, commands[i]);
	for (size_t i = 0; i < option_row_count; i++) {
		if (!option_rows[i].argument)
			continue;
		buffer_printf(out, "\t*:--%s) ", option_rows[i].name);
		bash_words(out, option_rows[i].completes, option_rows[i].words);
		buffer_text(out, "; return ;;\n");
	}
	buffer_text(out, "\tesac\n\tcase ${COMP_WORDS[1]} in\n");
	for (size_t i = 0; i < command_count; i++) {
		buffer_printf(out, "\t%s) options='", commands[i]->name);
		bash_options(out, commands[i]);
		buffer_text(out, "'");
		if (commands[i]->completes != COMPLETES_NOTHING) {
			buffer_text(out, "; [[ $current == -* ]] || { ");
			bash_words(out, commands[i]->completes, commands[i]->words);
			buffer_text(out, "; return; }");
		}
		buffer_text(out, " ;;\n");
	}
	buffer_text(out, "\tesac\n\tCOMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n}\n"
			 "complete -F _ampere_crypto ampere-crypto\n");
}

static void zsh_action(struct buffer *out, enum completes completes, const char *const *words)
{
	if (completes == COMPLETES_FILES)
		buffer_text(out, "_files");
	else if (completes == COMPLETES_OUTPUTS)
		buffer_text(out, "_ampere_crypto_output");
	else if (asking(completes))
		buffer_printf(out, "{compadd -- ${(f)\"$(%s)\"}}", asking(completes));
	else if (completes == COMPLETES_WORDS) {
		buffer_char(out, '(');
		add_words(out, words);
		buffer_char(out, ')');
	}
}

/* In a specification of _arguments, ':' and brackets in texts are escaped. */
static void zsh_text(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(":[]", *text))
			buffer_char(out, '\\');
		if (*text == '\'')
			buffer_text(out, "'\\''");
		else
			buffer_char(out, *text);
	}
}

static void zsh_command(struct buffer *out, const struct command *command)
{
	buffer_printf(out, "\t%s)\n\t\t_arguments -s", command->name);
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i], own = option_of(command, row);
		bool repeated = row->kind == OPTION_NAMES || row->kind == OPTION_OUTPUTS;

		if (!(command->options & row->bit))
			continue;
		buffer_printf(out, " \\\n\t\t\t'%s--%s%s[", repeated ? "*" : "", row->name,
			      row->argument ? "=" : "");
		zsh_text(out, own.doc);
		buffer_char(out, ']');
		if (row->argument) {
			buffer_char(out, ':');
			zsh_text(out, row->argument);
			buffer_char(out, ':');
			zsh_action(out, own.completes, row->words);
		}
		buffer_char(out, '\'');
	}
	if (command->completes != COMPLETES_NOTHING) {
		buffer_text(out, " \\\n\t\t\t'*:");
		zsh_text(out, command->arguments);
		buffer_char(out, ':');
		zsh_action(out, command->completes, command->words);
		buffer_char(out, '\'');
	}
	buffer_text(out, " ;;\n");
}

/* The words of FORMAT=PATH. */
static void add_outputs(struct buffer *out)
{
	for (size_t i = 0; i < option_row_count; i++) {
		if (option_rows[i].completes == COMPLETES_OUTPUTS)
			add_words(out, option_rows[i].words);
	}
}

static void write_zsh(struct buffer *out)
{
	buffer_text(out,
		    "#compdef ampere-crypto\n"
		    "# zsh completion of ampere-crypto, written by `ampere-crypto completion zsh`\n"
		    "_ampere_crypto_output()\n{\n\tif compset -P '*='; then\n\t\t_files\n"
		    "\telse\n\t\tcompadd -S '' -- ");
	add_outputs(out);
	buffer_text(out, "\n\tfi\n}\n"
			 "_ampere_crypto()\n{\n\tlocal -a commands\n\tcommands=(\n");
	for (size_t i = 0; i < command_count; i++) {
		buffer_printf(out, "\t\t'%s:", commands[i]->name);
		add_quoted(out, commands[i]->summary, "'\\''");
		buffer_text(out, "'\n");
	}
	buffer_text(out, "\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n"
			 "\t\tcompadd -- --help --version\n\t\treturn\n\tfi\n"
			 "\tshift words\n\t(( CURRENT-- ))\n\tcase $words[1] in\n");
	for (size_t i = 0; i < command_count; i++)
		zsh_command(out, commands[i]);
	buffer_text(out,
		    "\tesac\n}\n"
		    "if [ \"$funcstack[1]\" = _ampere-crypto ]; then\n\t_ampere_crypto \"$@\"\n"
		    "else\n\tcompdef _ampere_crypto ampere-crypto\nfi\n");
}

static void fish_words(struct buffer *out, enum completes completes, const char *const *words)
{
	if (completes == COMPLETES_FILES) {
		buffer_text(out, " -F");
		return;
	}
	buffer_text(out, " -a '");
	if (completes == COMPLETES_OUTPUTS)
		buffer_text(out, "(__ampere_crypto_output)");
	else if (completes == COMPLETES_TOPICS)
		buffer_text(out, "(ampere-crypto list checks --quiet 2>/dev/null; "
				 "ampere-crypto list facts --quiet 2>/dev/null; "
				 "ampere-crypto list recipes --quiet 2>/dev/null; "
				 "ampere-crypto list cases --quiet 2>/dev/null)");
	else if (asking(completes))
		buffer_printf(out, "(%s)", asking(completes));
	else
		add_words(out, words);
	buffer_char(out, '\'');
}

static void fish_command(struct buffer *out, const struct command *command)
{
	const char *name = command->name;

	buffer_printf(out, "complete -c ampere-crypto -n __fish_use_subcommand -a %s -d '", name);
	add_quoted(out, command->summary, "\\'");
	buffer_text(out, "'\n");
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i], own = option_of(command, row);

		if (!(command->options & row->bit))
			continue;
		buffer_printf(out,
			      "complete -c ampere-crypto -n '__fish_seen_subcommand_from %s' -l %s",
			      name, row->name);
		if (row->letter)
			buffer_printf(out, " -s %c", row->letter);
		if (row->argument) {
			buffer_text(out, " -r");
			fish_words(out, own.completes, row->words);
		}
		buffer_text(out, " -d '");
		add_quoted(out, own.doc, "\\'");
		buffer_text(out, "'\n");
	}
	if (command->completes == COMPLETES_NOTHING)
		return;
	buffer_printf(out, "complete -c ampere-crypto -n '__fish_seen_subcommand_from %s'", name);
	fish_words(out, command->completes, command->words);
	buffer_char(out, '\n');
}

static void write_fish(struct buffer *out)
{
	buffer_text(
		out,
		"# fish completion of ampere-crypto, written by `ampere-crypto completion fish`\n"
		"function __ampere_crypto_output\n"
		"    set -l word (string replace -r -- '^--output=' '' (commandline -ct))\n"
		"    set -l parts (string split -m 1 = -- $word)\n"
		"    if set -q parts[2]\n"
		"        printf '%s\\n' $parts[1]=(__fish_complete_path $parts[2])\n"
		"    else\n"
		"        string split ' ' '");
	add_outputs(out);
	buffer_text(out,
		    "'\n"
		    "    end\n"
		    "end\n"
		    "complete -c ampere-crypto -f\n"
		    "complete -c ampere-crypto -n __fish_use_subcommand -l help -d 'show help'\n"
		    "complete -c ampere-crypto -n __fish_use_subcommand -l version -d 'show the "
		    "version'\n");
	for (size_t i = 0; i < command_count; i++)
		fish_command(out, commands[i]);
}

static int run(struct cli *cli)
{
	static void (*const writers[])(struct buffer * out) = {write_bash, write_zsh, write_fish};
	const char *shell = cli->options.arguments.items[0];
	struct buffer out = buffer_new(&cli->arena, SCRIPT_MAX_BYTES);

	_Static_assert(sizeof(writers) / sizeof(writers[0]) + 1 ==
			       sizeof(shells) / sizeof(shells[0]),
		       "one writer per shell");
	for (size_t i = 0; shells[i]; i++) {
		if (strcmp(shells[i], shell) != 0)
			continue;
		writers[i](&out);
		return output_bytes(buffer_view(&out), &cli->error) ? EXIT_OK : EXIT_TROUBLE;
	}
	usage_unknown(&cli->error, "shell", shell, shells, words_count(shells));
	return EXIT_USAGE;
}

const struct command command_completion = {
	.name = "completion",
	.arguments = "SHELL",
	.summary = "the completion script for bash, zsh or fish",
	.doc = "Print the completion script for a shell: bash, zsh or fish. For bash: eval "
	       "\"$(ampere-crypto completion bash)\".",
	.options = OPTION_HELP,
	.arguments_min = 1,
	.arguments_max = 1,
	.completes = COMPLETES_WORDS,
	.words = shells,
	.run = run,
};
