// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "host/bmc_private.h"
#include "host/root.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The helper's own limits are 60 s for a request and 300 s for all. */
#define ANSWER_MS 75000
#define END_MS 15000
#define TICK_MS 20
#define ARGUMENTS_MAX 12

/* In the child. A process group of its own: an interrupt from the terminal ends the command, and
 * the helper, seeing its input end, closes the session. */
static _Noreturn void become(const struct bmc_helper *helper, const char *authorities, int in,
			     int out, int credentials_fd)
{
	char locale[] = "LC_ALL=C.UTF-8";
	char *const environment[] = {locale, NULL};
	const char *const rest[] = {authorities ? "--ca" : NULL, authorities, NULL};
	const char *argv[ARGUMENTS_MAX] = {
		"ampere-crypto-fetch", "--redfish", "--time-limit",      "300",
		"--low-speed",         "1:30",      "--connect-timeout", "15"};

	memcpy(argv + 8, rest, sizeof(rest));
	if (setpgid(0, 0) == 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
	    fcntl(helper->body, F_SETFD, 0) == 0 &&
	    (credentials_fd < 0 || fcntl(credentials_fd, F_SETFD, 0) == 0))
		/* execve's prototype lacks the const that its contract keeps. */
		execve(helper->program, (char *const *)(uintptr_t)argv, environment);
	_exit(EXIT_TROUBLE);
}

static bool make_pipes(int in[2], int out[2], struct error *err)
{
	if (pipe2(in, O_CLOEXEC) < 0)
		return error_errno(err, errno, "pipe");
	if (pipe2(out, O_CLOEXEC) == 0)
		return true;
	error_errno(err, errno, "pipe");
	close(in[0]);
	close(in[1]);
	return false;
}

bool bmc_helper_start(struct bmc_helper *helper, const char *origin, const char *authorities,
		      int credentials_fd, struct error *err)
{
	struct buffer line = buffer_new(helper->arena, BMC_LINE_MAX);
	int in[2], out[2];

	helper->program = file_helper_path(helper->arena, "fetch");
	helper->body = memfd_create("redfish", MFD_CLOEXEC);
	if (helper->body < 0)
		return error_errno(err, errno, "memfd_create");
	if (!make_pipes(in, out, err))
		return false;
	helper->pid = fork();
	if (helper->pid == 0)
		become(helper, authorities, in[0], out[1], credentials_fd);
	close(in[0]);
	close(out[1]);
	helper->questions = in[1];
	helper->answers = out[0];
	if (helper->pid < 0) {
		helper->pid = 0;
		return error_errno(err, errno, "%s: cannot start", helper->program);
	}
	buffer_printf(&line, "bmc\t%s\t", origin);
	if (credentials_fd < 0)
		buffer_char(&line, '-');
	else
		buffer_printf(&line, "%d", credentials_fd);
	buffer_printf(&line, "\t%d\t%zu\n", helper->body, ROOT_FILE_MAX);
	return file_write_fd(helper->questions, helper->program, buffer_view(&line), err);
}

/* One line of the answers; the helper is stopped when it takes longer than its own limits allow. */
static bool read_line(struct bmc_helper *helper, struct view *line)
{
	int64_t deadline_ms = clock_ms() + ANSWER_MS;
	size_t size = 0;

	while (size < sizeof(helper->line)) {
		struct pollfd wait = {.fd = helper->answers, .events = POLLIN};
		int64_t left_ms = deadline_ms - clock_ms();
		ssize_t got;

		if (left_ms <= 0 || poll(&wait, 1, (int)left_ms) == 0)
			break;
		got = read(helper->answers, helper->line + size, 1);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			break;
		if (helper->line[size] == '\n') {
			*line = (struct view){helper->line, size};
			return true;
		}
		size++;
	}
	bmc_helper_end(helper);
	return false;
}

static void cut(struct bmc_helper *helper, struct view line)
{
	helper->word_count = 0;
	while (helper->word_count < 3 &&
	       view_split(&line, '\t', &helper->words[helper->word_count]))
		helper->word_count++;
}

bool bmc_helper_ask(struct bmc_helper *helper, const char *verb, const char *path)
{
	struct view line;

	if (!helper->pid ||
	    !file_write_fd(helper->questions, helper->program,
			   view_of(arena_printf(helper->arena, "%s\t%s\n", verb, path)), NULL))
		return false;
	/* Notes are no answers. */
	do {
		if (!read_line(helper, &line))
			return false;
		cut(helper, line);
	} while (view_is(helper->words[0], "note"));
	return helper->word_count >= 2;
}

bool bmc_helper_body(const struct bmc_helper *helper, uint64_t size_bytes, struct view *out)
{
	size_t size = (size_t)size_bytes, have = 0;
	char *bytes;

	if (size_bytes > ROOT_FILE_MAX)
		return false;
	bytes = arena_alloc(helper->arena, size + 1);
	while (have < size) {
		ssize_t got = pread(helper->body, bytes + have, size - have, (off_t)have);

		if (got <= 0)
			return false;
		have += (size_t)got;
	}
	*out = (struct view){bytes, size};
	return true;
}

static bool has_ended(struct bmc_helper *helper)
{
	pid_t ended = waitpid(helper->pid, NULL, WNOHANG);

	return ended == helper->pid || (ended < 0 && errno != EINTR);
}

void bmc_helper_end(struct bmc_helper *helper)
{
	int64_t deadline_ms = clock_ms() + END_MS;

	if (!helper->pid)
		return;
	close(helper->questions);
	while (!has_ended(helper)) {
		struct pollfd wait = {.fd = helper->answers, .events = POLLIN};
		char byte;

		if (clock_ms() >= deadline_ms) {
			kill(helper->pid, SIGKILL);
			waitpid(helper->pid, NULL, 0);
			break;
		}
		/* The end of its output is the end of the helper, or nearly. */
		if (poll(&wait, 1, TICK_MS) > 0 && read(helper->answers, &byte, 1) <= 0)
			poll(NULL, 0, 1);
	}
	close(helper->answers);
	close(helper->body);
	helper->pid = 0;
}
