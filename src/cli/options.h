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
	const char *prefix, *target, *jobs, *sysroot, *recipes, *ld_so_conf, *progress;
	const char *pack, *unpack, *to;
	const char *save, *baseline, *threshold, *seconds, *cores, *seed;
	const char *redfish, *credentials, *ca, *plan;
	struct names only, skip, versions, mirrors, without, allow, accept_digest, imports;
	struct outputs outputs;
	bool json, strict, all, quiet, verbose, probe, force, help;
	bool system, offline, dry_run, build_as_root, full, wait, verify, library_path;
	bool measure, revert, persist, yes;
	struct names arguments;
};

/* One bit per row of the table of options; a command names those it takes. */
#define OPTION_BIT(number) (UINT64_C(1) << (number))
#define OPTION_JSON OPTION_BIT(0)
#define OPTION_OUTPUT OPTION_BIT(1)
#define OPTION_ROOT OPTION_BIT(2)
#define OPTION_PROFILE OPTION_BIT(3)
#define OPTION_ROLE OPTION_BIT(4)
#define OPTION_ONLY OPTION_BIT(5)
#define OPTION_SKIP OPTION_BIT(6)
#define OPTION_FAIL_ON OPTION_BIT(7)
#define OPTION_STRICT OPTION_BIT(8)
#define OPTION_WAIVERS OPTION_BIT(9)
#define OPTION_ALL OPTION_BIT(10)
#define OPTION_QUIET OPTION_BIT(11)
#define OPTION_VERBOSE OPTION_BIT(12)
#define OPTION_COLOR OPTION_BIT(13)
#define OPTION_CPUINFO OPTION_BIT(14)
#define OPTION_PROBE OPTION_BIT(15)
#define OPTION_FORCE OPTION_BIT(16)
#define OPTION_HELP OPTION_BIT(17)
#define OPTION_PREFIX OPTION_BIT(18)
#define OPTION_TARGET OPTION_BIT(19)
#define OPTION_VERSION OPTION_BIT(20)
#define OPTION_MIRROR OPTION_BIT(21)
#define OPTION_OFFLINE OPTION_BIT(22)
#define OPTION_DRY_RUN OPTION_BIT(23)
#define OPTION_JOBS OPTION_BIT(24)
#define OPTION_WITHOUT OPTION_BIT(25)
#define OPTION_ALLOW OPTION_BIT(26)
#define OPTION_ACCEPT_DIGEST OPTION_BIT(27)
#define OPTION_SYSROOT OPTION_BIT(28)
#define OPTION_RECIPES OPTION_BIT(29)
#define OPTION_LD_SO_CONF OPTION_BIT(30)
#define OPTION_BUILD_AS_ROOT OPTION_BIT(31)
#define OPTION_PROGRESS OPTION_BIT(32)
#define OPTION_PACK OPTION_BIT(33)
#define OPTION_UNPACK OPTION_BIT(34)
#define OPTION_WAIT OPTION_BIT(35)
#define OPTION_VERIFY OPTION_BIT(36)
#define OPTION_TO OPTION_BIT(37)
#define OPTION_LIBRARY_PATH OPTION_BIT(38)
#define OPTION_SYSTEM OPTION_BIT(39)
#define OPTION_SECONDS OPTION_BIT(40)
#define OPTION_CORES OPTION_BIT(41)
#define OPTION_SEED OPTION_BIT(42)
#define OPTION_IMPORT OPTION_BIT(43)
#define OPTION_SAVE OPTION_BIT(44)
#define OPTION_BASELINE OPTION_BIT(45)
#define OPTION_THRESHOLD OPTION_BIT(46)
#define OPTION_REDFISH OPTION_BIT(47)
#define OPTION_CREDENTIALS OPTION_BIT(48)
#define OPTION_CA OPTION_BIT(49)
#define OPTION_MEASURE OPTION_BIT(50)
#define OPTION_REVERT OPTION_BIT(51)
#define OPTION_PERSIST OPTION_BIT(52)
#define OPTION_YES OPTION_BIT(53)
#define OPTION_PLAN OPTION_BIT(54)
#define OPTIONS_REPORT (OPTION_JSON | OPTION_OUTPUT | OPTION_QUIET | OPTION_COLOR)
#define OPTIONS_HOST (OPTION_ROOT | OPTION_PROFILE)
#define OPTIONS_BMC (OPTION_REDFISH | OPTION_CREDENTIALS | OPTION_CA)

/* What the shell completes after an option or as an argument. */
enum completes {
	COMPLETES_NOTHING,
	COMPLETES_FILES,
	COMPLETES_WORDS,    /* the row's own words */
	COMPLETES_OUTPUTS,  /* one of them, which ends with =, then a file */
	COMPLETES_CHECKS,   /* asked of `list` */
	COMPLETES_PROFILES, /* asked of `list` */
	COMPLETES_TOPICS,   /* checks, facts, recipes, cases */
	COMPLETES_RECIPES,  /* asked of `list` */
	COMPLETES_SUITES,   /* asked of `list` */
};

/* An option of any command; command.h has what it means to one. */
struct option_row {
	uint64_t bit;
	const char *name;
	char letter;          /* 0: none */
	const char *argument; /* as help shows it; NULL: a flag */
	const char *doc;
	size_t offset; /* of the member of struct options, by what kind of argument it is */
	enum { OPTION_FLAG, OPTION_TEXT, OPTION_WORD, OPTION_NAMES, OPTION_OUTPUTS } kind;
	enum completes completes;
	const char *const *words; /* OPTION_WORD: what is allowed */
};

#define OPTION_ROWS_MAX 64

extern const struct option_row option_rows[];
extern const size_t option_row_count;
extern const char *const option_roles[], *const option_severities[];

/* False: a usage error. argv[0] is the command's name. */
bool options_parse(struct arena *arena, const struct command *command, int argc, char **argv,
		   struct options *options, struct error *err);
/* The row as the command means it. */
struct option_row option_of(const struct command *command, const struct option_row *row);
/* The help of a command on standard output. */
void options_help(const struct command *command);
size_t words_count(const char *const *words); /* of a NULL-terminated list */
/* "unknown KIND 'WORD', did you mean 'X'": a usage error. */
bool usage_unknown(struct error *err, const char *kind, const char *word, const char *const *known,
		   size_t count);
