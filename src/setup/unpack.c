// SPDX-License-Identifier: BSD-2-Clause
#include "setup/unpack.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMPLAINT_MAX_BYTES 4096

struct unpacking {
	const char *program;
	int archive, directory, log, complaint;
	bool keep_top;
};

/* The descriptors of the helper: the archive, the log, where it complains, the destination. */
static bool start(void *context, struct error *err)
{
	const struct unpacking *job = context;
	char name[] = "ampere-crypto-unpack", locale[] = "LC_ALL=C.UTF-8";
	char keep_top[] = "--keep-top";
	char *const argv[] = {name, job->keep_top ? keep_top : NULL, NULL}, *const environment[] = {
										    locale, NULL};
	int complaint = fcntl(job->complaint, F_DUPFD_CLOEXEC, 10);
	int directory = fcntl(job->directory, F_DUPFD_CLOEXEC, 10);
	int log = fcntl(job->log, F_DUPFD_CLOEXEC, 10);
	int archive = fcntl(job->archive, F_DUPFD_CLOEXEC, 10);

	if (dup2(archive, 0) < 0 || dup2(log, 1) < 0 || dup2(complaint, 2) < 0 ||
	    dup2(directory, 3) < 0 || lseek(0, 0, SEEK_SET) < 0)
		return error_errno(err, errno, "%s", job->program);
	execve(job->program, argv, environment);
	return error_errno(err, errno, "%s", job->program);
}

static bool judge(struct arena *arena, const struct sandbox *sandbox, const struct unpacking *job,
		  int reader, struct error *err)
{
	struct view complaint = {0}, line = {0};
	int status = 0;
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		struct error inner = {0};
		bool good = sandbox_become(sandbox);

		sandbox_follow(parent);
		if (!good)
			error_errno(&inner, errno, "cannot change user");
		else
			start((void *)(uintptr_t)job, &inner);
		dprintf(job->complaint, "%s\n", inner.text);
		_exit(EXIT_TROUBLE);
	}
	close(job->complaint);
	if (pid < 0)
		return error_errno(err, errno, "%s", job->program);
	file_read_fd(arena, reader, job->program, COMPLAINT_MAX_BYTES, &complaint, NULL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0)
		return true;
	view_line(&complaint, &line);
	return error_exit(err,
			  WIFEXITED(status) ? (enum exit_code)WEXITSTATUS(status) : EXIT_TROUBLE,
			  "%s", line.size ? text_printable(arena, line) : "unpacking failed");
}

static bool unpack(const struct sandbox *sandbox, struct arena *arena, struct unpacking job,
		   const char *directory, struct error *err)
{
	scoped_fd int destination = open(directory, O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	int pipes[2];

	job.program = file_helper_path(arena, "unpack");
	if (destination < 0)
		return error_errno(err, errno, "%s", directory);
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return error_errno(err, errno, "%s", job.program);
	scoped_fd int reader = pipes[0];
	job.directory = destination;
	job.complaint = pipes[1];
	return judge(arena, sandbox, &job, reader, err);
}

bool unpack_archive(const struct sandbox *sandbox, struct arena *arena, int archive,
		    const char *directory, int log, struct error *err)
{
	return unpack(sandbox, arena, (struct unpacking){.archive = archive, .log = log}, directory,
		      err);
}

bool unpack_whole(const struct sandbox *sandbox, struct arena *arena, int archive,
		  const char *directory, int log, struct error *err)
{
	return unpack(sandbox, arena,
		      (struct unpacking){.archive = archive, .log = log, .keep_top = true},
		      directory, err);
}
