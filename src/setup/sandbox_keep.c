// SPDX-License-Identifier: BSD-2-Clause
#include "setup/sandbox_private.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WATCH_MS 200

int sandbox_namespaces(const struct sandbox *sandbox)
{
	return (sandbox->drop ? 0 : CLONE_NEWUSER) | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;
}

/* In the child: nothing of ours but the log is open afterwards. */
static bool become(const struct sandbox *sandbox, const struct sandbox_job *job)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(job->log, STDOUT_FILENO) < 0 ||
	    dup2(job->log, STDERR_FILENO) < 0)
		return false;
	/* What the program was given by mistake must not leak into what it builds. */
	if (syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */) < 0 && errno != ENOSYS &&
	    errno != EINVAL)
		return false;
	umask(022);
	return sandbox_become(sandbox) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && chdir(job->in) == 0;
}

static _Noreturn void start(const struct sandbox *sandbox, const struct sandbox_job *job,
			    const char *path, char *const *environment)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (!become(sandbox, job)) {
		dprintf(job->log, "cannot start %s in %s: %s\n", path, job->in, strerror(errno));
		_exit(SANDBOX_NOT_STARTED);
	}
	/* execve's prototype lacks the const that its contract keeps. */
	execve(path, (char *const *)(uintptr_t)job->argv, environment);
	dprintf(job->log, "cannot start %s: %s\n", path, strerror(errno));
	_exit(SANDBOX_NOT_STARTED);
}

int sandbox_exit_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Unprivileged: keeps the own ids inside the new user namespace. */
static void map_ids(uid_t uid, gid_t gid)
{
	const struct {
		const char *path;
		uintmax_t id;
	} files[] = {{"/proc/self/setgroups", 0},
		     {"/proc/self/uid_map", uid},
		     {"/proc/self/gid_map", gid}};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		scoped_fd int fd = open(files[i].path, O_WRONLY | O_CLOEXEC);

		if (fd >= 0 && i == 0)
			dprintf(fd, "deny");
		else if (fd >= 0)
			dprintf(fd, "%ju %ju 1", files[i].id, files[i].id);
	}
}

/* Ends what is left of a job where no namespace does it: what lost its parent has come to us. */
static void end_children(void)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	char path[64], words[4096];

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	for (;;) {
		scoped_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t size = fd < 0 ? -1 : read(fd, words, sizeof(words));
		struct view rest = {words, size < 0 ? 0 : (size_t)size}, word;
		uint64_t pid;

		if (!rest.size)
			return;
		while (view_word(&rest, &word)) {
			if (view_u64(word, 10, &pid) && pid > 1)
				kill((pid_t)pid, SIGKILL);
		}
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		nanosleep(&pause, NULL);
	}
}

/* Until the job ends, or this process is told that its keeper has. */
static int wait_for_job(pid_t job, const sigset_t *signals)
{
	int status = 0;

	for (;;) {
		pid_t ended;

		if (sigwaitinfo(signals, NULL) == SIGTERM)
			return 128 + SIGTERM;
		do {
			ended = waitpid(-1, &status, WNOHANG);
			if (ended == job)
				return sandbox_exit_status(status);
		} while (ended > 0 || (ended < 0 && errno == EINTR));
	}
}

/* The first process of a job's namespaces. It holds the lock of the prefix, which is free when the
 * job is ended, and ends with its keeper: the pipe tells whether that one had ended before it could
 * be followed. With a namespace the kernel ends the rest of the job; without, this does.
 * Signals have no default actions for the first process, so it is not the program: one that calls
 * abort() would go on for ever. */
static _Noreturn void begin(const struct sandbox *sandbox, const struct sandbox_job *job,
			    const char *path, char *const *environment, int keeper)
{
	struct pollfd gone = {.fd = keeper, .events = POLLIN};
	sigset_t signals;
	int status;
	pid_t pid;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	if (prctl(PR_SET_PDEATHSIG, sandbox->missing ? SIGTERM : SIGKILL) < 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 || poll(&gone, 1, 0) != 0)
		_exit(SANDBOX_NOT_STARTED);
	pid = fork();
	if (pid == 0)
		start(sandbox, job, path, environment);
	if (pid < 0)
		_exit(SANDBOX_NOT_STARTED);
	status = wait_for_job(pid, &signals);
	end_children();
	_exit(status);
}

/* Waits for a job and ends it when its log becomes too large. */
static int watch(pid_t pid, int log)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), status = 0;
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	struct stat file;
	bool full = false;

	while (fd >= 0 && !full && poll(&wait, 1, WATCH_MS) <= 0)
		full = fstat(log, &file) == 0 && S_ISREG(file.st_mode) &&
		       file.st_size > SANDBOX_LOG_MAX_BYTES;
	if (full)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	/* Last in the log: nobody is left who writes. */
	if (full)
		dprintf(log, "\nended: this log is larger than %d MiB\n",
			(int)(SANDBOX_LOG_MAX_BYTES >> 20));
	return full ? 128 + SIGXFSZ : sandbox_exit_status(status);
}

_Noreturn void sandbox_keep(const struct sandbox *sandbox, const struct sandbox_job *job,
			    const char *path, char *const *environment)
{
	int flags = sandbox_namespaces(sandbox), pipes[2];
	pid_t pid;

	setpgid(0, 0);
	if (job->network)
		flags &= ~CLONE_NEWNET;
	if (pipe2(pipes, O_CLOEXEC) < 0 || (!sandbox->missing && unshare(flags) < 0)) {
		dprintf(job->log, "cannot start %s apart: %s\n", path, strerror(errno));
		_exit(SANDBOX_NOT_STARTED);
	}
	if (!sandbox->missing && !sandbox->drop)
		map_ids(sandbox->uid, sandbox->gid);
	pid = fork();
	if (pid == 0) {
		close(pipes[1]);
		begin(sandbox, job, path, environment, pipes[0]);
	}
	_exit(pid < 0 ? SANDBOX_NOT_STARTED : watch(pid, job->log));
}
