// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/output.h"

#include <stdbool.h>
#include <stdint.h>

struct command;
struct error;

/* What was asked on the command line. NULL and false: not given. */
struct options {
	const char *root, *profile, *role, *waivers, *cpuinfo, *fail_on, *color;
	struct names only, skip;
	struct outputs outputs;
	bool json, strict, all, quiet, verbose, probe, force, help;
	struct names arguments;
};

/* One bit per row of the table of options; a command names those it takes. */
enum option_bit {
	OPTION_JSON = 1 << 0,
	OPTION_OUTPUT = 1 << 1,
	OPTION_ROOT = 1 << 2,
	OPTION_PROFILE = 1 << 3,
	OPTION_ROLE = 1 << 4,
	OPTION_ONLY = 1 << 5,
	OPTION_SKIP = 1 << 6,
	OPTION_FAIL_ON = 1 << 7,
	OPTION_STRICT = 1 << 8,
	OPTION_WAIVERS = 1 << 9,
	OPTION_ALL = 1 << 10,
	OPTION_QUIET = 1 << 11,
	OPTION_VERBOSE = 1 << 12,
	OPTION_COLOR = 1 << 13,
	OPTION_CPUINFO = 1 << 14,
	OPTION_PROBE = 1 << 15,
	OPTION_FORCE = 1 << 16,
	OPTION_HELP = 1 << 17,
	OPTIONS_REPORT = OPTION_JSON | OPTION_OUTPUT | OPTION_QUIET | OPTION_COLOR,
	OPTIONS_HOST = OPTION_ROOT | OPTION_PROFILE,
};

/* What the shell completes after an option or as an argument. */
enum completes {
	COMPLETES_NOTHING,
	COMPLETES_FILES,
	COMPLETES_WORDS,    /* the row's own words */
	COMPLETES_CHECKS,   /* asked of `list` */
	COMPLETES_PROFILES, /* asked of `list` */
	COMPLETES_TOPICS,   /* checks and facts */
};

struct option_row {
	enum option_bit bit;
	const char *name;
	char letter;          /* 0: none */
	const char *argument; /* as help shows it; NULL: a flag */
	const char *doc;
	size_t offset; /* of the member of struct options, by what kind of argument it is */
	enum { OPTION_FLAG, OPTION_TEXT, OPTION_WORD, OPTION_NAMES, OPTION_OUTPUTS } kind;
	enum completes completes;
	const char *const *words; /* OPTION_WORD: what is allowed */
};

extern const struct option_row option_rows[];
extern const size_t option_row_count;
extern const char *const option_roles[], *const option_severities[];

/* False: a usage error. argv[0] is the command's name. */
bool options_parse(struct arena *arena, const struct command *command, int argc, char **argv,
		   struct options *options, struct error *err);
/* The help of a command on standard output. */
void options_help(const struct command *command);
size_t words_count(const char *const *words); /* of a NULL-terminated list */
/* "unknown KIND 'WORD', did you mean 'X'": a usage error. */
bool usage_unknown(struct error *err, const char *kind, const char *word, const char *const *known,
		   size_t count);
