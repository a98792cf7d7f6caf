// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/sandbox.h"

/*
 * The processes of one job: the keeper, whom the caller waits for, makes the namespaces and watches
 * the log; the first process in them has the job as its child and ends what it leaves behind; the
 * job. Each ends with the one before it, so that nothing outlives the caller, however it ends.
 */
#define SANDBOX_NOT_STARTED 126

int sandbox_namespaces(const struct sandbox *sandbox);
int sandbox_exit_status(int status);
_Noreturn void sandbox_keep(const struct sandbox *sandbox, const struct sandbox_job *job,
			    const char *path, char *const *environment);
