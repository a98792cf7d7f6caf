// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "kat-bench/job.h"

/* Prints "known" lines; all return false when something is wrong. */

/* The published vectors of a case, through the code that is timed. `quiet`: only wrong ones. */
bool verify_kind(struct arena *arena, const struct library *library, const struct kind *kind,
		 bool quiet);
/* The job's own data: reversed, and refused when flipped. */
bool verify_job(struct job *job);
/* An answer line; *first is kept from "first" and compared at "last". */
bool verify_answer(struct job *job, const char *when, const char **first);
