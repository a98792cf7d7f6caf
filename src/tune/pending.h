// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <signal.h>

/* SIGINT or SIGTERM, blocked by the caller, that has come; 0. */
static inline int pending_signal(void)
{
	sigset_t set;

	if (sigpending(&set) < 0)
		return 0;
	return sigismember(&set, SIGINT) == 1    ? SIGINT
	       : sigismember(&set, SIGTERM) == 1 ? SIGTERM
						 : 0;
}
