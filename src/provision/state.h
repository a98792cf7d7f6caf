// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct error;

/* The directory of a plan's results: STAGE.FORMAT, what a stage printed (STAGE.log), and what need
 * not be done again. One run at a time. */
struct provision_state {
	const char *directory;
	int lock_fd;
};

/* What was measured, and for which inputs: bench.done. It is written last, by a rename. */
struct provision_done {
	const char *inputs; /* SHA-256 of all that decides what would be measured */
	const char *result; /* SHA-256 of the result's JSON */
	const char *finished;
};

#define PROVISION_RESULT_BYTES_MAX ((size_t)256 << 20)

/* Makes the directory and what is missing above it. Taken by another run: EXIT_LOCKED. */
bool provision_state_open(struct arena *arena, const char *directory, struct provision_state *out,
			  struct error *err);
void provision_state_close(struct provision_state *state);
/* An empty file for what a stage prints, or -1. */
int provision_state_log(struct arena *arena, const struct provision_state *state, const char *stage,
			struct error *err);
/* A file is not there afterwards. */
void provision_forget(const char *path);

/* False without an error: there is none, or it cannot be understood. */
bool provision_done_read(struct arena *arena, const struct provision_state *state,
			 struct provision_done *out);
bool provision_done_write(struct arena *arena, const struct provision_state *state,
			  const struct provision_done *done, struct error *err);

/* Puts a result where it is wanted, whole or not at all; a file that holds the same stays as it is.
 * With `append` it goes to the end of the file. */
bool provision_deliver(struct arena *arena, const char *from, const char *to, bool append,
		       struct error *err);
/* Whether provision_deliver() could write there; nothing is changed. */
bool provision_may_write(struct arena *arena, const char *path, struct error *err);
