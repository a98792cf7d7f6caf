// SPDX-License-Identifier: BSD-2-Clause
#include "base/process.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int input_file(struct view input)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (!file_write_fd(fd, "input", input, NULL) || lseek(fd, 0, SEEK_SET) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* In the child. A process group of its own, so that a timeout also ends what the program started;
 * it ends with its parent, which may have ended before it was asked. */
static int become(const char *const *argv, int input, int output, pid_t parent)
{
	char path[] = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
	char locale[] = "LC_ALL=C", home[] = "HOME=/";
	char *const environment[] = {path, locale, home, NULL};

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || setpgid(0, 0) < 0 || getppid() != parent ||
	    dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
	    dup2(output, STDERR_FILENO) < 0)
		return errno ? errno : ESRCH;
	signal(SIGPIPE, SIG_DFL);
	/* execve's prototype lacks the const that its contract keeps. */
	execve(argv[0], (char *const *)(uintptr_t)argv, environment);
	return errno;
}

/* 0 or an errno value: what keeps the program from starting comes back through a pipe. */
static int start(const char *const *argv, int input, int output, pid_t *pid)
{
	pid_t parent = getpid();
	int pipes[2], number = 0;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return errno;
	scoped_fd int reader = pipes[0];
	*pid = fork();
	if (*pid == 0) {
		number = become(argv, input, output, parent);
		_exit(write(pipes[1], &number, sizeof(number)) != (ssize_t)sizeof(number));
	}
	if (*pid < 0)
		number = errno;
	close(pipes[1]);
	while (*pid > 0 && read(reader, &number, sizeof(number)) < 0 && errno == EINTR)
		;
	while (*pid > 0 && number && waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
		;
	return number;
}

/* Reads until end of file or the deadline; output past the maximum is read and dropped. */
static bool collect(int fd, int64_t deadline_ms, struct buffer *out)
{
	char piece[16 << 10];

	for (;;) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		int64_t left = deadline_ms - clock_ms();
		ssize_t got;

		if (left <= 0 || poll(&wait, 1, (int)left) == 0)
			return false;
		got = read(fd, piece, sizeof(piece));
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return true;
		buffer_add(out, piece, (size_t)got);
	}
}

bool process_run(struct arena *arena, const char *const *argv, struct view input,
		 unsigned timeout_ms, size_t max, struct process_result *result, struct error *err)
{
	struct buffer output = buffer_new(arena, max);
	int pipes[2], number, status = 0;
	pid_t pid = -1;

	scoped_fd int in = input_file(input);
	if (in < 0 || pipe2(pipes, O_CLOEXEC) < 0)
		return error_errno(err, errno, "%s: cannot start", argv[0]);
	scoped_fd int reader = pipes[0];
	number = start(argv, in, pipes[1], &pid);
	close(pipes[1]);
	if (number)
		return error_errno(err, number, "%s: cannot start", argv[0]);
	*result = (struct process_result){0};
	if (!collect(reader, clock_ms() + timeout_ms, &output)) {
		result->timed_out = true;
		kill(-pid, SIGKILL);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	result->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	result->output = buffer_view(&output);
	return true;
}

void process_end_children(void)
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

const char *process_find(struct arena *arena, const char *name)
{
	struct view rest = view_of(getenv("PATH")), directory;

	while (view_split(&rest, ':', &directory)) {
		const char *path;

		if (!directory.size || directory.at[0] != '/')
			continue;
		path = arena_printf(arena, "%s/%s", view_copy(arena, directory), name);
		if (access(path, X_OK) == 0)
			return path;
	}
	return NULL;
}
