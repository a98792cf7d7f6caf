// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "cli/progress_line.h"
#include "setup/plan.h"
#include "setup/sources.h"

#include <stdbool.h>
#include <stdint.h>

struct cli;
struct execution;

/* A tree that is being made. */
struct progress_tree {
	const char *phase;  /* NULL: not now */
	int64_t began_ms;   /* the tree, not the phase */
	int64_t expected_s; /* what its recipe took last time; 0: not known */
};

/* What setup is doing, on a line of progress; a tree that is done leaves one that stays. Programs
 * (--progress fd:N) get lines: ampere-crypto-setup(1). */
struct progress {
	struct cli *cli;
	const struct execution *execution;
	struct progress_line line;
	struct buffer text;
	struct progress_tree trees[PLAN_TREES_MAX]; /* as in the plan */
	struct downloads downloads;
	int64_t download_ms;     /* when the first byte was waited for; 0: nothing is fetched */
	uint64_t download_bytes; /* what was there then */
};

/* Fills the callbacks of the execution. */
void progress_start(struct progress *progress, struct cli *cli, struct execution *execution);
void progress_end(struct progress *progress);
