// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* SIGINT and SIGTERM wait in a descriptor, so that what was begun ends in a whole document. */
void bench_watch_start(struct bench_watch *watch)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	*watch = (struct bench_watch){.fd = -1};
	if (sigprocmask(SIG_BLOCK, &signals, NULL) == 0)
		watch->fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (watch->fd < 0)
		sigprocmask(SIG_UNBLOCK, &signals, NULL);
}

bool bench_watch_goes_on(struct bench_watch *watch)
{
	struct signalfd_siginfo info;

	if (watch->fd >= 0 && read(watch->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		watch->signal = (int)info.ssi_signo;
	return !watch->signal;
}
