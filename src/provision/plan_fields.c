// SPDX-License-Identifier: BSD-2-Clause
#include "provision/plan.h"

#define ANYTHING "^.+$"
#define NAME "^[a-z0-9][a-z0-9.+_-]*$"
#define DAY_SECONDS 86400

const char *const provision_stages[] = {"setup", "audit", "bench", "report", NULL};

static const char *const targets[] = {
	"altra", "altramax", "ampereone-ac03", "ampereone-ac04", "ampereone", "native", NULL};
static const char *const policies[] = {"safe", "all", "none", NULL};
static const char *const roles[] = {"dpdk", "ipsec", "tls", NULL};
static const char *const severities[] = {"critical", "high", "medium", "low", "never", NULL};

#define SETUP(name, field_kind, member, text, ...)                                                 \
	{                                                                                          \
		.key = (name), .kind = (field_kind),                                               \
		.offset = FIELD(struct provision_setup, member), .doc = (text), ##__VA_ARGS__      \
	}

static const struct field setup_rows[] = {
	SETUP("target", FIELD_ENUM, target,
	      "the CPU to build for; absent: that of this machine when it is certain, else native",
	      .names = targets),
	SETUP("recipes", FIELD_TEXTS, recipes,
	      "what to build, with what it needs; absent: all that is for the target",
	      .pattern = NAME),
	SETUP("versions", FIELD_TEXTS, versions,
	      "RECIPE=VERSION: this version instead of the preferred one",
	      .pattern = "^[a-z0-9][a-z0-9.+_-]*=[A-Za-z0-9][A-Za-z0-9.+_-]*$"),
	SETUP("without", FIELD_TEXTS, without, "recipes to leave out", .pattern = NAME),
	SETUP("allow", FIELD_TEXTS, allow,
	      "recipes of which a version that is refused or ended may be built", .pattern = NAME),
	SETUP("accept-digests", FIELD_TEXTS, digests,
	      "RECIPE=SHA256: the digest of a source that has none in its recipe; the plan's "
	      "author vouches for it",
	      .pattern = "^([a-z0-9][a-z0-9.+_-]*=)?[0-9a-f]{64}$"),
	SETUP("mirrors", FIELD_TEXTS, mirrors,
	      "directories or https addresses where sources are looked for first",
	      .pattern = ANYTHING),
	SETUP("offline", FIELD_BOOL, offline, "never use the network"),
	SETUP("pack", FIELD_TEXT, pack,
	      "install what `setup --pack` wrote to this file, instead of building; only the "
	      "target goes with it",
	      .pattern = ANYTHING),
	SETUP("jobs", FIELD_NUMBER, jobs, "processes a build may run at once", .minimum = 1,
	      .maximum = 4096),
	SETUP("sysroot", FIELD_TEXT, sysroot,
	      "headers and libraries of the target's system, for cross builds",
	      .pattern = ANYTHING),
	SETUP("recipes-directory", FIELD_TEXT, own_recipes, "recipes that go before the shipped",
	      .pattern = ANYTHING),
	SETUP("ld-so-conf", FIELD_ENUM, loader, "entries for the loader of the whole system",
	      .names = policies),
	SETUP("build-as-root", FIELD_BOOL, build_as_root,
	      "do not become an unprivileged user for builds and proofs"),
};

static const struct field_table setup_table =
	FIELD_TABLE("provision-setup", struct provision_setup, setup_rows,
		    "What `ampere-crypto setup` is asked for.");

#define AUDIT(name, field_kind, member, text, ...)                                                 \
	{                                                                                          \
		.key = (name), .kind = (field_kind),                                               \
		.offset = FIELD(struct provision_audit, member), .doc = (text), ##__VA_ARGS__      \
	}

static const struct field audit_rows[] = {
	AUDIT("role", FIELD_ENUM, role, "what the machine is for", .names = roles),
	AUDIT("fail-on", FIELD_ENUM, fail_on,
	      "the severity from which on findings fail; absent: high", .names = severities),
	AUDIT("strict", FIELD_BOOL, strict, "what is unknown fails, too (exit status 3)"),
	AUDIT("waivers", FIELD_TEXT, waivers, "findings that are accepted: waivers(5)",
	      .pattern = ANYTHING),
	AUDIT("only", FIELD_TEXTS, only, "globs: only checks whose id matches one",
	      .pattern = ANYTHING),
	AUDIT("skip", FIELD_TEXTS, skip, "globs: no checks whose id matches one",
	      .pattern = ANYTHING),
	AUDIT("profile", FIELD_TEXT, profile, "judge by this CPU profile, not the one found",
	      .pattern = NAME),
	AUDIT("probe", FIELD_BOOL, probe, "ask the compilers on PATH, too"),
};

static const struct field_table audit_table =
	FIELD_TABLE("provision-audit", struct provision_audit, audit_rows,
		    "What `ampere-crypto audit` is asked for.");

#define BENCH(name, field_kind, member, text, ...)                                                 \
	{                                                                                          \
		.key = (name), .kind = (field_kind),                                               \
		.offset = FIELD(struct provision_bench, member), .doc = (text), ##__VA_ARGS__      \
	}

static const struct field bench_rows[] = {
	BENCH("suites", FIELD_TEXTS, suites,
	      "names, or paths of own files (with a slash in them); absent: smoke",
	      .pattern = ANYTHING),
	BENCH("baseline", FIELD_TEXT, baseline, "what `bench --save` kept, to compare with",
	      .pattern = ANYTHING),
	BENCH("threshold-percent", FIELD_REAL, threshold_percent,
	      "a slow-down against the baseline that fails; absent: 3", .minimum = 0,
	      .maximum = 99),
	BENCH("seconds", FIELD_NUMBER, seconds,
	      "at most this long for all suites together, instead of what they say", .minimum = 1,
	      .maximum = DAY_SECONDS),
	BENCH("strict", FIELD_BOOL, strict,
	      "what is unknown, as noise, fails, too (exit status 3)"),
	BENCH("system", FIELD_BOOL, system,
	      "measure the distribution's own libraries, whatever setup installed"),
	BENCH("only", FIELD_TEXTS, only, "globs: only results whose id matches one",
	      .pattern = ANYTHING),
	BENCH("skip", FIELD_TEXTS, skip, "globs: no results whose id matches one",
	      .pattern = ANYTHING),
	BENCH("cores", FIELD_NUMBERS, cores, "numbers of cores to measure DPDK on", .minimum = 1,
	      .maximum = 8192),
};

static const struct field_table bench_table =
	FIELD_TABLE("provision-bench", struct provision_bench, bench_rows,
		    "What `ampere-crypto bench` is asked for.");

#define OUTPUT(name, field_kind, member, text, ...)                                                \
	{                                                                                          \
		.key = (name), .kind = (field_kind),                                               \
		.offset = FIELD(struct provision_output, member), .doc = (text), ##__VA_ARGS__     \
	}

static const struct field output_rows[] = {
	OUTPUT("of", FIELD_ENUM, of,
	       "the stage; report is one page made of the results of all others", .required = true,
	       .names = provision_stages),
	OUTPUT("format", FIELD_TEXT, format,
	       "a format of --output: text, json, markdown, and what `ampere-crypto STAGE --help` "
	       "names",
	       .required = true, .pattern = "^[a-z]+$"),
	OUTPUT("path", FIELD_TEXT, path, "the file, whole or not written at all", .required = true,
	       .pattern = ANYTHING),
	OUTPUT("append", FIELD_BOOL, append,
	       "put it at the end of the file, as a job summary wants it"),
};

static const struct field_table output_table = FIELD_TABLE(
	"provision-output", struct provision_output, output_rows, "A file made of a result.");

#define LIMIT(name, member, text)                                                                  \
	{                                                                                          \
		.key = (name), .kind = FIELD_NUMBER,                                               \
		.offset = FIELD(struct provision_limits, member), .doc = (text), .minimum = 1,     \
		.maximum = 7 * DAY_SECONDS                                                         \
	}

static const struct field limit_rows[] = {
	LIMIT("setup", stages[STAGE_SETUP], "of setup; absent: 7200"),
	LIMIT("audit", stages[STAGE_AUDIT], "of audit; absent: 300"),
	LIMIT("bench", stages[STAGE_BENCH], "of bench; absent: 7200"),
	LIMIT("report", stages[STAGE_REPORT], "of report; absent: 300"),
	LIMIT("all", all, "of all stages together; absent: 14400"),
};

static const struct field_table limits_table =
	FIELD_TABLE("provision-limits", struct provision_limits, limit_rows,
		    "Seconds after which a stage is stopped.");

#define PLAN(name, field_kind, member, text, ...)                                                  \
	{                                                                                          \
		.key = (name), .kind = (field_kind),                                               \
		.offset = FIELD(struct provision_plan, member), .doc = (text), ##__VA_ARGS__       \
	}

static const struct field plan_rows[] = {
	PLAN("prefix", FIELD_TEXT, prefix,
	     "where everything is installed; absent: the default of `ampere-crypto setup`",
	     .pattern = ANYTHING),
	PLAN("setup", FIELD_OBJECT, setup, "fetch, build and install; absent: not done",
	     .table = &setup_table),
	PLAN("audit", FIELD_OBJECT, audit, "judge the settings of this machine; absent: not done",
	     .table = &audit_table),
	PLAN("bench", FIELD_OBJECT, bench,
	     "verify and measure; absent: not done. It is not repeated while nothing changed",
	     .table = &bench_table),
	PLAN("outputs", FIELD_ARRAY, outputs, "files made of the results", .table = &output_table),
	PLAN("stop-on", FIELD_TEXTS, stop_on,
	     "stages after which nothing but report is begun when their exit status is not 0; "
	     "setup is always one",
	     .pattern = "^(setup|audit|bench)$"),
	PLAN("limits", FIELD_INSIDE, limits, "seconds after which a stage is stopped",
	     .table = &limits_table),
	PLAN("state", FIELD_TEXT, state,
	     "the directory of results and of what need not be repeated; absent: "
	     "provision/PLAN below the prefix",
	     .pattern = ANYTHING),
};
_Static_assert(offsetof(struct provision_outputs, count) -
			       offsetof(struct provision_outputs, items) ==
		       offsetof(struct field_array, count),
	       "struct provision_outputs begins with a field_array");

const struct field_table provision_plan_table =
	FIELD_TABLE("provision-plan", struct provision_plan, plan_rows,
		    "What `ampere-crypto provision` provides.");
