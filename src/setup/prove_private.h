// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/prove.h"

/* For the prove_*.c files only: one tree that is being proved. */
struct proof {
	struct execution *execution;
	const struct plan_tree *tree;
	int log;
	struct manifest *manifest;
};

void proof_held(struct proof *proof, const char *what, const char *result);

/* A program run as the build's user; what it prints goes to the log and comes back. */
struct proof_run {
	const char *name;
	const struct names *argv, *environment;
	bool emulated; /* a program of the target */
	int status;    /* out, as sandbox_run() gives it */
	struct view output;
};

bool proof_run(struct proof *proof, struct proof_run *run, struct error *err);
/* How it ended, for people: "ended with status 1: LAST LINE". */
const char *proof_ending(struct proof *proof, const struct proof_run *run);

bool prove_elf(struct proof *proof, struct error *err);
bool prove_instructions(struct proof *proof, struct error *err);
bool prove_smoke(struct proof *proof, struct error *err);
