// SPDX-License-Identifier: BSD-2-Clause
#include "cli/options.h"

#include "base/arena.h"
#include "base/error.h"
#include "cli/command.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

const char *const option_roles[] = {"dpdk", "ipsec", "tls", NULL};
const char *const option_severities[] = {"critical", "high", "medium", "low", "never", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const targets[] = {
	"altra", "altramax", "ampereone-ac03", "ampereone-ac04", "ampereone", "native", NULL};
static const char *const progresses[] = {"auto", "never", NULL};
static const char *const policies[] = {"safe", "all", "none", NULL};
static const char *const formats[] = {"text=", "json=", "csv=", "markdown=", NULL};

#define MEMBER(name) offsetof(struct options, name)

/* Help, completions and manual pages show options in this order. */
const struct option_row option_rows[] = {
	{OPTION_CPUINFO, "cpuinfo", 0, "FILE",
	 "judge a copy of /proc/cpuinfo ('-': standard input), nothing else", MEMBER(cpuinfo),
	 OPTION_TEXT, COMPLETES_FILES, NULL},
	{OPTION_PROBE, "probe", 0, NULL, "ask the compilers on PATH which of the flags they take",
	 MEMBER(probe), OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_FORCE, "force", 0, NULL, "replace FILE when it exists", MEMBER(force), OPTION_FLAG,
	 COMPLETES_NOTHING, NULL},
	{OPTION_ROOT, "root", 0, "DIR|CAPTURE",
	 "read this directory tree or capture instead of this machine", MEMBER(root), OPTION_TEXT,
	 COMPLETES_FILES, NULL},
	{OPTION_PROFILE, "profile", 0, "NAME", "judge by this CPU profile, not the one found",
	 MEMBER(profile), OPTION_TEXT, COMPLETES_PROFILES, NULL},
	{OPTION_ROLE, "role", 0, "ROLE", "what the machine is for: dpdk, ipsec or tls",
	 MEMBER(role), OPTION_WORD, COMPLETES_WORDS, option_roles},
	{OPTION_ONLY, "only", 0, "GLOB", "only checks whose id matches; repeatable", MEMBER(only),
	 OPTION_NAMES, COMPLETES_CHECKS, NULL},
	{OPTION_SKIP, "skip", 0, "GLOB", "no checks whose id matches; repeatable", MEMBER(skip),
	 OPTION_NAMES, COMPLETES_CHECKS, NULL},
	{OPTION_FAIL_ON, "fail-on", 0, "SEVERITY",
	 "exit 1 for findings from this severity up: critical, high (default), medium, low or "
	 "never",
	 MEMBER(fail_on), OPTION_WORD, COMPLETES_WORDS, option_severities},
	{OPTION_STRICT, "strict", 0, NULL, "exit 3 when something is unknown, nothing worse",
	 MEMBER(strict), OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_WAIVERS, "waivers", 0, "FILE",
	 "findings that are accepted, by whom and until when: waivers(5)", MEMBER(waivers),
	 OPTION_TEXT, COMPLETES_FILES, NULL},
	{OPTION_ALL, "all", 'a', NULL, "show what passes and what does not apply too", MEMBER(all),
	 OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_TARGET, "target", 0, "CPU",
	 "build for altra, altramax, ampereone-ac03, ampereone-ac04 (ampereone) or native",
	 MEMBER(target), OPTION_TEXT, COMPLETES_WORDS, targets},
	{OPTION_PREFIX, "prefix", 0, "DIR",
	 "where everything is installed: /opt/ampere-crypto for root, else "
	 "~/.local/share/ampere-crypto",
	 MEMBER(prefix), OPTION_TEXT, COMPLETES_FILES, NULL},
	{OPTION_VERSION, "version", 0, "RECIPE=VERSION",
	 "this version instead of the preferred one; repeatable", MEMBER(versions), OPTION_NAMES,
	 COMPLETES_RECIPES, NULL},
	{OPTION_MIRROR, "mirror", 0, "DIR|URL",
	 "where to look for sources first: files of a directory are known by their digest; "
	 "repeatable",
	 MEMBER(mirrors), OPTION_NAMES, COMPLETES_FILES, NULL},
	{OPTION_OFFLINE, "offline", 0, NULL, "never use the network", MEMBER(offline), OPTION_FLAG,
	 COMPLETES_NOTHING, NULL},
	{OPTION_DRY_RUN, "dry-run", 'n', NULL, "show what would be done, do nothing",
	 MEMBER(dry_run), OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_JOBS, "jobs", 0, "N", "processes a build may run at once", MEMBER(jobs),
	 OPTION_TEXT, COMPLETES_NOTHING, NULL},
	{OPTION_WITHOUT, "without", 0, "RECIPE", "leave out what can be left out; repeatable",
	 MEMBER(without), OPTION_NAMES, COMPLETES_RECIPES, NULL},
	{OPTION_ALLOW, "allow", 0, "RECIPE",
	 "build a version of it that is refused or ended; repeatable", MEMBER(allow), OPTION_NAMES,
	 COMPLETES_RECIPES, NULL},
	{OPTION_ACCEPT_DIGEST, "accept-digest", 0, "[RECIPE=]SHA256",
	 "the digest of a source that has none in its recipe: you vouch for it; repeatable",
	 MEMBER(accept_digest), OPTION_NAMES, COMPLETES_NOTHING, NULL},
	{OPTION_SYSROOT, "sysroot", 0, "DIR",
	 "headers and libraries of the target's system, for cross builds", MEMBER(sysroot),
	 OPTION_TEXT, COMPLETES_FILES, NULL},
	{OPTION_RECIPES, "recipes", 0, "DIR", "recipes that go before the shipped ones",
	 MEMBER(recipes), OPTION_TEXT, COMPLETES_FILES, NULL},
	{OPTION_LD_SO_CONF, "ld-so-conf", 0, "POLICY",
	 "entries for the loader: safe (default for root), all or none", MEMBER(ld_so_conf),
	 OPTION_WORD, COMPLETES_WORDS, policies},
	{OPTION_BUILD_AS_ROOT, "build-as-root", 0, NULL,
	 "do not become an unprivileged user for builds and proofs", MEMBER(build_as_root),
	 OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_PROGRESS, "progress", 0, "WHEN", "auto (default), never or fd:N", MEMBER(progress),
	 OPTION_TEXT, COMPLETES_WORDS, progresses},
	{OPTION_PACK, "pack", 0, "FILE", "write what is active into FILE, for other machines",
	 MEMBER(pack), OPTION_TEXT, COMPLETES_FILES, NULL},
	{OPTION_UNPACK, "unpack", 0, "FILE", "install what --pack wrote", MEMBER(unpack),
	 OPTION_TEXT, COMPLETES_FILES, NULL},
	{OPTION_WAIT, "wait", 0, NULL, "wait for another run to end instead of exit status 5",
	 MEMBER(wait), OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_VERIFY, "verify", 0, NULL, "compare every file with the manifests", MEMBER(verify),
	 OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_TO, "to", 0, "N", "the generation to go back to", MEMBER(to), OPTION_TEXT,
	 COMPLETES_NOTHING, NULL},
	{OPTION_LIBRARY_PATH, "library-path", 0, NULL,
	 "LD_LIBRARY_PATH too: it goes before every RUNPATH", MEMBER(library_path), OPTION_FLAG,
	 COMPLETES_NOTHING, NULL},
	{OPTION_SYSTEM, "system", 0, NULL,
	 "measure the distribution's own libraries, whatever setup installed", MEMBER(system),
	 OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_SECONDS, "seconds", 0, "N",
	 "at most this long for all suites together, instead of what they say", MEMBER(seconds),
	 OPTION_TEXT, COMPLETES_NOTHING, NULL},
	{OPTION_CORES, "cores", 0, "N,N...", "measure DPDK on so many cores, one after the other",
	 MEMBER(cores), OPTION_TEXT, COMPLETES_NOTHING, NULL},
	{OPTION_SEED, "seed", 0, "N", "the order of measurements, to repeat it", MEMBER(seed),
	 OPTION_TEXT, COMPLETES_NOTHING, NULL},
	{OPTION_IMPORT, "import", 0, "FILE",
	 "read what dpdk-test-crypto-perf, openssl speed or bssl speed printed elsewhere; "
	 "repeatable",
	 MEMBER(imports), OPTION_NAMES, COMPLETES_FILES, NULL},
	{OPTION_SAVE, "save", 0, "FILE", "keep the results as a baseline", MEMBER(save),
	 OPTION_TEXT, COMPLETES_FILES, NULL},
	{OPTION_BASELINE, "baseline", 0, "FILE", "compare with what --save kept", MEMBER(baseline),
	 OPTION_TEXT, COMPLETES_FILES, NULL},
	{OPTION_THRESHOLD, "threshold", 0, "PERCENT",
	 "a slow-down against the baseline that fails: 3% unless given", MEMBER(threshold),
	 OPTION_TEXT, COMPLETES_NOTHING, NULL},
	{OPTION_JSON, "json", 'j', NULL, "JSON on standard output", MEMBER(json), OPTION_FLAG,
	 COMPLETES_NOTHING, NULL},
	{OPTION_OUTPUT, "output", 'o', "FORMAT=PATH",
	 "also write text, json, csv or markdown to a file; repeatable", MEMBER(outputs),
	 OPTION_OUTPUTS, COMPLETES_WORDS, formats},
	{OPTION_COLOR, "color", 0, "WHEN", "auto (default), always or never; NO_COLOR is honoured",
	 MEMBER(color), OPTION_WORD, COMPLETES_WORDS, colors},
	{OPTION_QUIET, "quiet", 'q', NULL,
	 "only what matters to a script: no heading, footer or next step", MEMBER(quiet),
	 OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_VERBOSE, "verbose", 'v', NULL, "with evidence, reason, fix and undo",
	 MEMBER(verbose), OPTION_FLAG, COMPLETES_NOTHING, NULL},
	{OPTION_HELP, "help", 'h', NULL, "show this help", MEMBER(help), OPTION_FLAG,
	 COMPLETES_NOTHING, NULL},
};

const size_t option_row_count = sizeof(option_rows) / sizeof(option_rows[0]);

#define ROWS_MAX 64
_Static_assert(sizeof(option_rows) / sizeof(option_rows[0]) < ROWS_MAX,
	       "argp's table holds every option");

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
	const char *known[ROWS_MAX], *equals = strchr(word, '=');
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
	struct argp_option rows[ROWS_MAX];
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
	struct argp_option rows[ROWS_MAX];
	struct argp argp;
	char name[64];

	fill_argp(command, rows, &argp);
	snprintf(name, sizeof(name), "ampere-crypto %s", command->name);
	argp_help(&argp, stdout,
		  ARGP_HELP_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG | ARGP_HELP_POST_DOC, name);
}
