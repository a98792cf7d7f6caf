// SPDX-License-Identifier: BSD-2-Clause
#pragma once
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

/*
 * What a long command is doing. On a terminal one line that is drawn again, at most ten times a
 * second, and one that stays for each tree that is done; elsewhere a line a minute; on --progress
 * fd:N lines for a program (ampere-crypto-setup(1)); nothing with --quiet or --progress never.
 */
struct progress {
	struct cli *cli;
	const struct execution *execution;
	int fd;               /* -1: silent */
	bool terminal, lines; /* neither: a line a minute */
	bool drawn;           /* the line of a terminal is not empty */
	struct buffer text, line;
	int64_t told_ms;
	struct progress_tree trees[PLAN_TREES_MAX]; /* as in the plan */
	struct downloads downloads;
	int64_t download_ms;     /* when the first byte was waited for; 0: nothing is fetched */
	uint64_t download_bytes; /* what was there then */
};

/* Whether --progress says something that is known: a usage error. */
bool progress_check(struct cli *cli);
/* Fills the callbacks of the execution. */
void progress_start(struct progress *progress, struct cli *cli, struct execution *execution);
void progress_end(struct progress *progress);
