// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "provision/plan.h"

/* How all stages are told to speak. */
struct provision_voice {
	const char *progress; /* of --progress; NULL: not given */
	bool quiet, verbose;
};

/*
 * The command line of a stage, as a person would type it: each is a command of this program that
 * writes its result, and all other formats that are wanted of it, into `state`. `results` are the
 * JSON files that report is to read.
 */
void provision_command(struct arena *arena, const struct provision_plan *plan,
		       enum provision_stage stage, const char *state, const struct names *results,
		       const struct provision_voice *voice, struct names *out);
/* STATE/STAGE.FORMAT: where a stage writes this format; report has no JSON of its own. */
const char *provision_result_path(struct arena *arena, const char *state, const char *stage,
				  const char *format);
/* The words as a POSIX shell reads them. */
const char *provision_shell(struct arena *arena, const struct names *argv);

/* One exit status of several: a signal first, then 4, 2, 5, 6, 64, 1, 3, and 77 only when there
 * is nothing else. */
int provision_worse(int a, int b);
