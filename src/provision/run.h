// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct error;

/* Signals that end a run: blocked from provision_signals() on, and then only looked at here. */
struct provision_watch {
	int signal; /* SIGINT or SIGTERM that came; 0: none */
};

struct provision_job {
	const struct names *argv; /* argv[0] is a name only: this program itself is run */
	int output;               /* its standard output */
	int64_t limit_ms;
};

struct provision_ran {
	int status;     /* 0…255; 128 + signal when a signal ended it */
	bool killed;    /* by a signal */
	bool timed_out; /* its limit was over */
	int64_t elapsed_ms;
};

void provision_signals(struct provision_watch *watch);
/* Whether none came. */
bool provision_goes_on(struct provision_watch *watch);
/*
 * Runs this program with a command line and waits for it: a process group of its own, nothing to
 * read, the same environment and standard error. A signal that comes is handed on, a limit that is
 * over is SIGTERM; who does not end within ten seconds is killed, and so is all that it left
 * behind. It ends with this process, however that ends.
 */
bool provision_run(const struct provision_job *job, struct provision_watch *watch,
		   struct provision_ran *out, struct error *err);
