// SPDX-License-Identifier: BSD-2-Clause
#include "provision/run.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 10000
#define SELF "/proc/self/exe"

static void own_signals(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGCHLD);
}

void provision_signals(struct provision_watch *watch)
{
	sigset_t signals;

	*watch = (struct provision_watch){0};
	own_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	/* Ignored by whoever started us, it would never come, and no child could be waited for. */
	signal(SIGCHLD, SIG_DFL);
	/* What a stage leaves behind comes to us. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* The next signal, waiting for at most so long; 0: none came. */
static int next_signal(int64_t wait_ms)
{
	const struct timespec wait = {.tv_sec = wait_ms / 1000,
				      .tv_nsec = wait_ms % 1000 * 1000000};
	sigset_t signals;
	int signal;

	own_signals(&signals);
	signal = sigtimedwait(&signals, NULL, &wait);
	return signal > 0 ? signal : 0;
}

bool provision_goes_on(struct provision_watch *watch)
{
	int signal;

	while (!watch->signal && (signal = next_signal(0))) {
		if (signal != SIGCHLD)
			watch->signal = signal;
	}
	return !watch->signal;
}

/* In the child; returns only when it cannot be. */
static int become(const struct provision_job *job, const char *const *argv, pid_t parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(job->output, STDOUT_FILENO) < 0 ||
	    setpgid(0, 0) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return errno;
	if (getppid() != parent)
		return ESRCH;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	/* It speaks to the terminal from the background; "stty tostop" would stop it for good. */
	signal(SIGTTOU, SIG_IGN);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* execv's prototype lacks the const that its contract keeps. */
	execv(SELF, (char *const *)(uintptr_t)argv);
	return errno;
}

/* 0 or an errno value: what keeps it from starting comes back through a pipe. */
static int start(const struct provision_job *job, pid_t *pid)
{
	const char **argv = calloc(job->argv->count + 1, sizeof(*argv));
	pid_t parent = getpid();
	int pipes[2], number = 0;

	if (!argv || pipe2(pipes, O_CLOEXEC) < 0) {
		number = errno;
		free(argv);
		return number;
	}
	for (size_t i = 0; i < job->argv->count; i++)
		argv[i] = job->argv->items[i];
	*pid = fork();
	if (*pid == 0) {
		number = become(job, argv, parent);
		_exit(write(pipes[1], &number, sizeof(number)) != (ssize_t)sizeof(number));
	}
	if (*pid < 0)
		number = errno;
	free(argv);
	close(pipes[1]);
	while (*pid > 0 && read(pipes[0], &number, sizeof(number)) < 0 && errno == EINTR)
		;
	close(pipes[0]);
	while (*pid > 0 && number && waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
		;
	return number;
}

/* It stays a zombie: until its group is ended, nobody else gets the number. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid;
}

/* A limit that is over and a signal are said once to the stage; twice, or when it does not listen,
 * it is killed. */
static void watch_over(pid_t pid, int64_t deadline_ms, struct provision_watch *watch,
		       struct provision_ran *ran)
{
	bool asked = false;

	while (!has_ended(pid)) {
		int64_t left_ms = deadline_ms - clock_ms();
		int signal = next_signal(left_ms > 0 ? left_ms : 0);

		if (signal == SIGCHLD || (!signal && clock_ms() < deadline_ms))
			continue;
		ran->timed_out |= !signal && !watch->signal;
		if (signal)
			watch->signal = signal;
		kill(asked ? -pid : pid, asked ? SIGKILL : signal ? signal : SIGTERM);
		asked = true;
		deadline_ms = clock_ms() + GRACE_MS;
	}
}

bool provision_run(const struct provision_job *job, struct provision_watch *watch,
		   struct provision_ran *out, struct error *err)
{
	int64_t begin_ms = clock_ms();
	struct provision_ran ran = {0};
	int number, status = 0;
	pid_t pid = -1;

	number = start(job, &pid);
	if (number)
		return error_errno(err, number, "%s: cannot start ampere-crypto %s", SELF,
				   job->argv->items[1]);
	watch_over(pid, begin_ms + job->limit_ms, watch, &ran);
	kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	process_end_children();
	ran.killed = WIFSIGNALED(status);
	ran.status = ran.killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	ran.elapsed_ms = clock_ms() - begin_ms;
	*out = ran;
	return true;
}
