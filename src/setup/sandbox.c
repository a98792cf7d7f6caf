// SPDX-License-Identifier: BSD-2-Clause
#include "setup/sandbox.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "setup/sandbox_private.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Users that systemd gives to services for the time they run (systemd's UIDS-GIDS): nobody owns
 * files as one of them. The first that no account has is taken. */
#define DYNAMIC_UID_FIRST 61184
#define DYNAMIC_UID_LAST 65519

#define STATUS_TIMED_OUT 124
#define VARIABLES_MAX 64
#define TICK_MS 1000
#define BUILD_PATH "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

static bool free_uid(uid_t *out)
{
	for (uid_t uid = DYNAMIC_UID_FIRST; uid <= DYNAMIC_UID_LAST; uid++) {
		if (!getpwuid(uid) && !getgrgid(uid)) {
			*out = uid;
			return true;
		}
	}
	return false;
}

/* Tried in a child, since some of it cannot be taken back. */
static bool can_unshare(int flags)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(unshare(flags) < 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

bool sandbox_open(struct arena *arena, bool as_root, struct sandbox *out, struct error *err)
{
	struct sandbox sandbox = {.uid = getuid(), .gid = getgid()};

	(void)arena;
	sandbox.drop = geteuid() == 0 && !as_root;
	if (sandbox.drop) {
		if (!free_uid(&sandbox.uid))
			return error_set(err,
					 "no unused user id from %d to %d to build as; "
					 "--build-as-root builds as root",
					 DYNAMIC_UID_FIRST, DYNAMIC_UID_LAST);
		sandbox.gid = sandbox.uid;
	}
	if (!can_unshare(sandbox_namespaces(&sandbox)))
		sandbox.missing = "this kernel gives no namespaces here: builds could reach the "
				  "network";
	*out = sandbox;
	return true;
}

bool sandbox_directory(const struct sandbox *sandbox, const char *path, struct error *err)
{
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return error_errno(err, errno, "%s", path);
	if (sandbox->drop && lchown(path, sandbox->uid, sandbox->gid) < 0)
		return error_errno(err, errno, "%s", path);
	return true;
}

bool sandbox_become(const struct sandbox *sandbox)
{
	return !sandbox->drop || (setgroups(0, NULL) == 0 &&
				  setresgid(sandbox->gid, sandbox->gid, sandbox->gid) == 0 &&
				  setresuid(sandbox->uid, sandbox->uid, sandbox->uid) == 0);
}

void sandbox_follow(pid_t parent)
{
	/* The parent may have ended before it was asked. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(SANDBOX_NOT_STARTED);
}

bool sandbox_call(const struct sandbox *sandbox, bool (*function)(void *context, struct error *err),
		  void *context, struct error *err)
{
	struct error inner = {0};
	int pipes[2], status = 0;
	pid_t pid, parent = getpid();

	if (!sandbox->drop)
		return function(context, err);
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot start a process");
	scoped_fd int reader = pipes[0], writer = pipes[1];
	pid = fork();
	if (pid == 0) {
		umask(022);
		bool good = sandbox_become(sandbox);

		/* Changing the user takes the tie to the parent away. */
		sandbox_follow(parent);
		good = good ? function(context, &inner)
			    : error_errno(&inner, errno, "cannot change user");
		ssize_t wrote = good ? 0 : write(writer, &inner, sizeof(inner));

		_exit(good && wrote == 0 ? 0 : 1);
	}
	if (pid < 0)
		return error_errno(err, errno, "cannot start a process");
	scoped_fd_close(&writer);
	writer = -1;
	/* Less than a pipe holds: it comes in one piece or not at all. */
	ssize_t got;

	do
		got = read(reader, &inner, sizeof(inner));
	while (got < 0 && errno == EINTR);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0)
		return true;
	if (got != (ssize_t)sizeof(inner))
		return error_set(err, "a process of the build ended by itself");
	*err = inner;
	return false;
}

static bool enter(void *context, struct error *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/", (const char *)context);
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		if (access(path, X_OK) < 0)
			return error_errno(
				err, errno,
				"%s: builds do not run as root, and their user %d "
				"cannot enter it; take another place, or --build-as-root",
				path, (int)geteuid());
		*at = '/';
	}
	return true;
}

bool sandbox_reaches(const struct sandbox *sandbox, const char *directory, struct error *err)
{
	return sandbox_call(sandbox, enter, (void *)(uintptr_t)directory, err);
}

static char *const *make_environment(struct arena *arena, const struct sandbox_job *job)
{
	char **variables = arena_array(arena, char *, VARIABLES_MAX + 1);
	size_t count = 0;

	variables[count++] = arena_strdup(arena, "PATH=" BUILD_PATH);
	variables[count++] = arena_strdup(arena, "LC_ALL=C");
	variables[count++] = arena_strdup(arena, "TZ=UTC0");
	/* What is written into files that are built must not tell when that was. */
	variables[count++] = arena_strdup(arena, "SOURCE_DATE_EPOCH=0");
	variables[count++] = arena_printf(arena, "HOME=%s", job->home);
	variables[count++] = arena_printf(arena, "TMPDIR=%s", job->home);
	for (size_t i = 0; job->environment && i < job->environment->count; i++) {
		if (count < VARIABLES_MAX)
			variables[count++] = arena_strdup(arena, job->environment->items[i]);
	}
	return variables;
}

/* False when the process still runs after timeout_s (0: never). */
static bool wait_ticking(const struct sandbox *sandbox, int fd, unsigned timeout_s)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	int64_t end_ms = timeout_s ? clock_ms() + (int64_t)timeout_s * 1000 : INT64_MAX;

	for (;;) {
		int64_t left = end_ms - clock_ms();
		int got;

		if (left <= 0)
			return false;
		got = poll(&wait, 1, left < TICK_MS ? (int)left : TICK_MS);
		if (got > 0 || (got < 0 && errno != EINTR))
			return true;
		if (got == 0 && sandbox->tick)
			sandbox->tick(sandbox->context);
	}
}

/* Waits for the keeper, or ends it when its time is over. */
static int wait_for(const struct sandbox *sandbox, pid_t pid, unsigned timeout_s)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), status = 0;
	bool late = false;

	if (fd >= 0) {
		late = !wait_ticking(sandbox, fd, timeout_s);
		close(fd);
	}
	if (late)
		kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return late ? STATUS_TIMED_OUT : sandbox_exit_status(status);
}

bool sandbox_run(const struct sandbox *sandbox, struct arena *arena, const struct sandbox_job *job,
		 int *exit_status, struct error *err)
{
	char *const *environment = make_environment(arena, job);
	const char *path =
		strchr(job->argv[0], '/') ? job->argv[0] : process_find(arena, job->argv[0]);
	pid_t pid, parent = getpid();

	if (!path)
		return error_set(err, "%s: there is no such program on PATH", job->argv[0]);
	pid = fork();
	if (pid == 0) {
		sandbox_follow(parent);
		sandbox_keep(sandbox, job, path, environment);
	}
	if (pid < 0)
		return error_errno(err, errno, "%s: cannot start", path);
	*exit_status = wait_for(sandbox, pid, job->timeout_s);
	return true;
}
