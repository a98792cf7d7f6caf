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

/*
 * What programs print, judged without running any (prove_output.c). NULL: right; else why not.
 */

/* The table of dpdk-test-crypto-perf --ptest verify, one row per core and size: all operations
 * came back and none failed. The program itself exits 0 whatever came of them. */
const char *output_rows(struct arena *arena, struct view output, uint64_t operations);
/* The number behind `before`, hexadecimal with 0x; bits of `ignored` may differ. */
const char *output_number(struct arena *arena, struct view output, const char *before,
			  const char *wanted, const char *ignored);
/* The paths of the lines that recipes/loaded.c prints, each once. */
void output_loaded(struct arena *arena, struct view output, struct names *out);
/* Of what was loaded, another file of the library `path`, found by its name up to ".so"; whether
 * `path` itself is among it. */
const char *output_other(const struct names *loaded, const char *path, bool *there);
/* The checks of a smoke.c: lines "WHAT: right" or "WHAT: there"; wrong holds whole lines that end
 * with ": WRONG" or ": MISSING". */
void output_checks(struct arena *arena, struct view output, struct names *right,
		   struct names *wrong);
/* The words of pkg-config's last line: a backslash keeps what follows it. */
void output_words(struct arena *arena, struct view output, struct names *out);
