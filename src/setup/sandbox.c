// SPDX-License-Identifier: BSD-2-Clause
#include "setup/sandbox.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"

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
#include <time.h>
#include <unistd.h>

/* Users that systemd gives to services for the time they run (systemd's UIDS-GIDS): nobody owns
 * files as one of them. The first that no account has is taken. */
#define DYNAMIC_UID_FIRST 61184
#define DYNAMIC_UID_LAST 65519

#define STATUS_TIMED_OUT 124
#define STATUS_NOT_STARTED 126
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

static int namespaces(const struct sandbox *sandbox)
{
	return (sandbox->drop ? 0 : CLONE_NEWUSER) | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;
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
	if (!can_unshare(namespaces(&sandbox)))
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

bool sandbox_call(const struct sandbox *sandbox, bool (*function)(void *context, struct error *err),
		  void *context, struct error *err)
{
	struct error inner = {0};
	int pipes[2], status = 0;
	pid_t pid;

	if (!sandbox->drop)
		return function(context, err);
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot start a process");
	scoped_fd int reader = pipes[0], writer = pipes[1];
	pid = fork();
	if (pid == 0) {
		umask(022);
		bool good = sandbox_become(sandbox)
				    ? function(context, &inner)
				    : error_errno(&inner, errno, "cannot change user");
		ssize_t wrote = good ? 0 : write(writer, &inner, sizeof(inner));

		_exit(good && wrote == 0 ? 0 : 1);
	}
	if (pid < 0)
		return error_errno(err, errno, "cannot start a process");
	scoped_fd_close(&writer);
	writer = -1;
	/* Less than a pipe holds: it comes in one piece or not at all. */
	ssize_t got = read(reader, &inner, sizeof(inner));

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
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (!become(sandbox, job)) {
		dprintf(job->log, "cannot start %s in %s: %s\n", path, job->in, strerror(errno));
		_exit(STATUS_NOT_STARTED);
	}
	/* execve's prototype lacks the const that its contract keeps. */
	execve(path, (char *const *)(uintptr_t)job->argv, environment);
	dprintf(job->log, "cannot start %s: %s\n", path, strerror(errno));
	_exit(STATUS_NOT_STARTED);
}

static int exit_status_of(int status)
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

/* The first process of the PID namespace. Signals have no default actions for it, so it is not the
 * program: one that calls abort() would go on for ever. */
static _Noreturn void be_first(const struct sandbox *sandbox, const struct sandbox_job *job,
			       const char *path, char *const *environment)
{
	int status = 0;
	pid_t pid, ended;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pid = fork();
	if (pid == 0)
		start(sandbox, job, path, environment);
	if (pid < 0)
		_exit(STATUS_NOT_STARTED);
	while ((ended = waitpid(-1, &status, 0)) != pid) {
		if (ended < 0 && errno != EINTR)
			_exit(STATUS_NOT_STARTED);
	}
	_exit(exit_status_of(status));
}

/* The keeper of the namespaces: everything in them ends when it does, however that comes. */
static _Noreturn void keep(const struct sandbox *sandbox, const struct sandbox_job *job,
			   const char *path, char *const *environment)
{
	int flags = namespaces(sandbox), status = 0;
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	if (job->network)
		flags &= ~CLONE_NEWNET;
	if (!sandbox->missing && unshare(flags) == 0 && !sandbox->drop)
		map_ids(sandbox->uid, sandbox->gid);
	pid = fork();
	if (pid == 0)
		be_first(sandbox, job, path, environment);
	if (pid < 0)
		_exit(STATUS_NOT_STARTED);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	_exit(exit_status_of(status));
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* False when the process still runs after timeout_s (0: never). */
static bool wait_ticking(const struct sandbox *sandbox, int fd, unsigned timeout_s)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	int64_t end_ms = timeout_s ? now_ms() + (int64_t)timeout_s * 1000 : INT64_MAX;

	for (;;) {
		int64_t left = end_ms - now_ms();
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
	return late ? STATUS_TIMED_OUT : exit_status_of(status);
}

bool sandbox_run(const struct sandbox *sandbox, struct arena *arena, const struct sandbox_job *job,
		 int *exit_status, struct error *err)
{
	char *const *environment = make_environment(arena, job);
	const char *path =
		strchr(job->argv[0], '/') ? job->argv[0] : process_find(arena, job->argv[0]);
	pid_t pid;

	if (!path)
		return error_set(err, "%s: there is no such program on PATH", job->argv[0]);
	pid = fork();
	if (pid == 0)
		keep(sandbox, job, path, environment);
	if (pid < 0)
		return error_errno(err, errno, "%s: cannot start", path);
	*exit_status = wait_for(sandbox, pid, job->timeout_s);
	return true;
}
