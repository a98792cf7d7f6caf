// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct error;

/* Runs a program (argv, no shell), with `input` on its standard input, a scrubbed environment
 * (PATH, LC_ALL=C, HOME=/), a time limit, and at most `max` bytes kept of its output (stdout and
 * stderr together). */
struct process_result {
	int exit_status; /* 0…255, 128 + signal when killed */
	bool timed_out;
	struct view output;
};

bool process_run(struct arena *arena, const char *const *argv, struct view input,
		 unsigned timeout_ms, size_t max, struct process_result *result, struct error *err);
/* Kills and waits for all children of a process that takes in what lost its parent
 * (PR_SET_CHILD_SUBREAPER), until there are none; nothing without /proc. */
void process_end_children(void);
/* Full path of a program on PATH, or NULL. */
const char *process_find(struct arena *arena, const char *name);
