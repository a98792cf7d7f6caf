// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "bench/baseline.h"
#include "bench/bench.h"
#include "cli/command.h"

/* The numbers among the options of bench, read and checked. */
struct bench_settings {
	int64_t seconds;      /* 0: what the suites say */
	uint64_t seed;        /* given, or of the kernel's choosing */
	double threshold;     /* 0.03 */
	struct numbers cores; /* empty: what the cases say */
};

/* What ends a run early: SIGINT or SIGTERM, 0 for none. */
struct bench_watch {
	int fd;
	int signal;
};

void bench_watch_start(struct bench_watch *watch);
/* False once a signal came. */
bool bench_watch_goes_on(struct bench_watch *watch);

bool bench_settings_read(struct cli *cli, struct bench_settings *out);
/* What is benched: the store of --prefix when it holds something, else --prefix as it is, else the
 * distribution's own. */
bool bench_stack_choose(struct cli *cli, struct bench_stack *out);
/* --dry-run: what would be measured and on which cores. */
void bench_plan_page(struct cli *cli, struct document *document, struct bench *bench);
/* --import: the results of files, compared for the machine of --root. *status: the exit status. */
bool bench_import_files(struct cli *cli, struct document *document, int *status);
/* --baseline, before anything is measured; *out stays NULL without it. */
bool bench_baseline_read(struct cli *cli, const struct document *document,
			 const struct baseline **out);
/* Sets the changes; what is slower fails, what could not be compared is said. */
void bench_baseline_compare(struct document *document, struct bench *bench,
			    const struct baseline *baseline, double threshold);
/* --save: the JSON of this run goes there too, unless its answers were wrong. */
bool bench_baseline_keep(struct cli *cli, struct document *document, const struct bench *bench);
/* `signal` ended it, or 0. */
int bench_exit_code(const struct cli *cli, const struct bench *bench, int signal);
