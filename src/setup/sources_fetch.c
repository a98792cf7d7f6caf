// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/sandbox.h"
#include "setup/sources_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A source without a stated size stops there. */
#define FILE_MAX_BYTES ((uint64_t)4 << 30)
#define SIGNATURE_MAX_BYTES ((uint64_t)64 << 10)
#define LINE_MAX_BYTES 16384
#define COMPLAINT_MAX_BYTES 4096
#define TICK_MS 1000
#define WORDS 5

/* The helper at work; its protocol is that of src/fetch/request.h and answer.h. */
struct download {
	struct sources *sources;
	struct wanted_file *files;
	size_t count;
	const char *program;
	int requests, answers, complaint;
	char line[LINE_MAX_BYTES];
	size_t used;
	bool talks_nonsense;
};

static struct view request_text(const struct download *download)
{
	struct sources *sources = download->sources;
	struct buffer text = buffer_new(sources->arena, (size_t)1 << 20);

	for (size_t i = 0; i < download->count; i++) {
		const struct wanted_file *file = &download->files[i];
		const struct plan_source *source = file->source;

		buffer_printf(&text, "get\t%zu\t%d\t", i, file->fd);
		if (file->optional)
			buffer_printf(&text, "-\t-\t%" PRIu64, SIGNATURE_MAX_BYTES);
		else if (source->size)
			buffer_printf(&text, "%jd\t%s\t%jd", (intmax_t)source->size, source->sha256,
				      (intmax_t)source->size);
		else
			buffer_printf(&text, "-\t%s\t%" PRIu64, source->sha256, FILE_MAX_BYTES);
		for (size_t m = 0; m < sources->mirrors.count; m++) {
			const char *mirror = sources->mirrors.items[m];

			if (sources_is_address(mirror))
				buffer_printf(&text, "\t%s%s%s%s", mirror,
					      view_ends(view_of(mirror), "/") ? "" : "/",
					      source->file, file->optional ? ".asc" : "");
		}
		buffer_printf(&text, "\t%s\n",
			      file->optional ? source->signature->url : source->url);
	}
	return buffer_view(&text);
}

/* What decides how the network is reached; nothing else of the user's environment. */
static char **make_environment(struct arena *arena)
{
	static const char *const kept[] = {"https_proxy", "HTTPS_PROXY", "all_proxy",
					   "ALL_PROXY",   "no_proxy",    "NO_PROXY"};
	const size_t most = sizeof(kept) / sizeof(kept[0]);
	char **variables = arena_array(arena, char *, most + 2);
	size_t count = 0;

	variables[count++] = arena_strdup(arena, "LC_ALL=C.UTF-8");
	for (size_t i = 0; i < most; i++) {
		const char *value = getenv(kept[i]);

		if (value)
			variables[count++] = arena_printf(arena, "%s=%s", kept[i], value);
	}
	return variables;
}

static _Noreturn void start(const struct download *download, char **environment)
{
	struct arena *arena = download->sources->arena;
	char name[] = "ampere-crypto-fetch", option[] = "--ca";
	const char *authorities = getenv("SSL_CERT_FILE");
	char *argv[] = {name, NULL, NULL, NULL};

	if (authorities && authorities[0]) {
		argv[1] = option;
		argv[2] = arena_strdup(arena, authorities);
	}
	for (size_t i = 0; i < download->count; i++)
		fcntl(download->files[i].fd, F_SETFD, 0);
	if (dup2(download->requests, STDIN_FILENO) < 0 ||
	    dup2(download->answers, STDOUT_FILENO) < 0 ||
	    dup2(download->complaint, STDERR_FILENO) < 0)
		_exit(EXIT_TROUBLE);
	if (!sandbox_become(download->sources->sandbox) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		dprintf(STDERR_FILENO, "cannot change user: %s\n", strerror(errno));
	else
		execve(download->program, argv, environment);
	dprintf(STDERR_FILENO, "%s: %s\n", download->program, strerror(errno));
	_exit(EXIT_TROUBLE);
}

static void tell(const struct download *download, const struct wanted_file *last)
{
	struct sources *sources = download->sources;
	struct downloads sum = {.name = last ? last->name : ""};
	bool known = true;

	if (!sources->downloading)
		return;
	for (size_t i = 0; i < download->count; i++) {
		const struct wanted_file *file = &download->files[i];

		if (file->optional)
			continue;
		sum.count++;
		sum.ended += file->ended;
		sum.bytes += file->bytes;
		sum.total_bytes += file->total_bytes;
		known = known && file->total_bytes;
	}
	if (!known)
		sum.total_bytes = 0;
	sources->downloading(sources->context, &sum);
}

static void end_file(struct download *download, struct wanted_file *file, const struct view *words,
		     bool done)
{
	struct arena *arena = download->sources->arena;

	file->ended = true;
	file->done = done;
	if (done) {
		view_u64(words[2], 10, &file->bytes);
		file->from = view_copy(arena, words[4]);
	} else {
		file->failure = view_copy(arena, words[2]);
		file->text = text_printable(arena, words[3]);
	}
}

/* One answer; anything else than the protocol allows ends the run. */
static bool answer(struct download *download, struct view line)
{
	struct view words[WORDS] = {{0}}, rest = line;
	struct wanted_file *file = NULL;
	uint64_t id;
	size_t count = 0;

	while (count < WORDS && view_split(&rest, '\t', &words[count]))
		count++;
	if (count > 1 && view_u64(words[1], 10, &id) && id < download->count)
		file = &download->files[id];
	if (count == 3 && view_is(words[0], "note")) {
		if (!file || !file->optional)
			sources_note(download->sources, "%s%s%s", file ? file->name : "",
				     file ? ": " : "",
				     view_copy(download->sources->arena, words[2]));
		return true;
	}
	if (!file || file->ended)
		return false;
	if (count == 4 && view_is(words[0], "progress")) {
		if (!view_u64(words[2], 10, &file->bytes) ||
		    (!view_is(words[3], "-") && !view_u64(words[3], 10, &file->total_bytes)))
			return false;
	} else if (count == 5 && view_is(words[0], "done")) {
		if (!file->optional && !view_is(words[3], file->source->sha256))
			return false;
		end_file(download, file, words, true);
	} else if (count == 4 && view_is(words[0], "failed")) {
		end_file(download, file, words, false);
	} else {
		return false;
	}
	tell(download, file);
	return true;
}

/* Whole lines of what has been read; the rest stays. */
static bool answer_lines(struct download *download)
{
	struct view rest = {download->line, download->used};
	const char *end;

	while (rest.size && (end = memchr(rest.at, '\n', rest.size))) {
		size_t size = (size_t)(end - rest.at);

		if (!answer(download, (struct view){rest.at, size}))
			return false;
		rest.at += size + 1;
		rest.size -= size + 1;
	}
	if (rest.size == sizeof(download->line))
		return false;
	memmove(download->line, rest.at, rest.size);
	download->used = rest.size;
	return true;
}

static void listen_to(struct download *download, int reader)
{
	struct pollfd wait = {.fd = reader, .events = POLLIN};

	for (;;) {
		int got = poll(&wait, 1, TICK_MS);
		ssize_t size;

		if (got == 0)
			tell(download, NULL);
		if (got <= 0)
			continue;
		size = read(reader, download->line + download->used,
			    sizeof(download->line) - download->used);
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			return;
		download->used += (size_t)size;
		if (!answer_lines(download)) {
			download->talks_nonsense = true;
			return;
		}
	}
}

/* Exit status of the helper, which has ended; no process writes the files any more. */
static bool run_helper(struct download *download, int *status, struct error *err)
{
	char **environment = make_environment(download->sources->arena);
	int pipes[2];
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return error_errno(err, errno, "%s", download->program);
	scoped_fd int reader = pipes[0];
	download->answers = pipes[1];
	pid = fork();
	if (pid == 0)
		start(download, environment);
	close(pipes[1]);
	if (pid < 0)
		return error_errno(err, errno, "%s", download->program);
	listen_to(download, reader);
	if (download->talks_nonsense)
		kill(pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	return true;
}

static bool open_parts(struct download *download, struct error *err)
{
	for (size_t i = 0; i < download->count; i++) {
		struct wanted_file *file = &download->files[i];
		struct stat status;

		file->fd = open(file->part,
				O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK,
				0644);
		if (file->fd < 0 || fstat(file->fd, &status) < 0 || fchmod(file->fd, 0644) < 0)
			return error_errno(err, errno, "%s", file->part);
		if (!S_ISREG(status.st_mode))
			return error_set(err, "%s is no regular file: remove it", file->part);
		file->bytes = (uint64_t)status.st_size;
		file->total_bytes = (uint64_t)file->source->size;
	}
	return true;
}

/* What was right gets its name; what was wrong goes; what is on its way stays for the next run. */
static bool settle(struct download *download, struct error *err)
{
	const struct wanted_file *failed = NULL;

	for (size_t i = 0; i < download->count; i++) {
		struct wanted_file *file = &download->files[i];
		bool wrong = file->failure && strcmp(file->failure, "digest") == 0;

		if (file->done && rename(file->part, file->path) < 0)
			return error_errno(err, errno, "%s", file->path);
		if (file->done && !file->optional)
			sources_note(download->sources, "%s: from %s", file->name,
				     strcmp(file->from, "-") == 0 ? "an earlier run" : file->from);
		if (!file->done && (wrong || file->optional || !file->bytes))
			unlink(file->part);
		if (!file->done && !file->optional && (!failed || wrong))
			failed = file;
	}
	if (!failed || !failed->failure)
		return true;
	return error_exit(
		err, strcmp(failed->failure, "digest") == 0 ? EXIT_VERIFY : EXIT_TROUBLE,
		"%s: %s; put the file into a directory and name that: --mirror DIR "
		"(contrib/mirror-from-distro fills one), with --offline nothing is fetched",
		failed->name, failed->text);
}

/* The helper ended without a word about a file. */
static bool check_whole(const struct download *download, int status, struct error *err)
{
	struct arena *arena = download->sources->arena;
	struct view complaint = {0}, line = {0};

	for (size_t i = 0; i < download->count; i++) {
		const struct wanted_file *file = &download->files[i];

		if (file->ended || file->optional)
			continue;
		lseek(download->complaint, 0, SEEK_SET);
		file_read_fd(arena, download->complaint, download->program, COMPLAINT_MAX_BYTES,
			     &complaint, NULL);
		view_line(&complaint, &line);
		if (line.size)
			return error_set(err, "%s: %s", file->name, text_printable(arena, line));
		return error_set(err, "%s: %s %s (status %#x)", file->name, download->program,
				 download->talks_nonsense ? "does not keep to its protocol"
							  : "ended by itself",
				 (unsigned)status);
	}
	return true;
}

static bool download_all(struct download *download, struct error *err)
{
	int status = 0;

	scoped_fd int requests = memfd_create("requests", MFD_CLOEXEC);
	scoped_fd int complaint = memfd_create("complaint", MFD_CLOEXEC);
	if (requests < 0 || complaint < 0)
		return error_errno(err, errno, "%s", download->program);
	if (!file_write_fd(requests, "requests", request_text(download), err) ||
	    lseek(requests, 0, SEEK_SET) < 0)
		return false;
	download->requests = requests;
	download->complaint = complaint;
	tell(download, NULL);
	return run_helper(download, &status, err) && settle(download, err) &&
	       check_whole(download, status, err);
}

bool download_files(struct sources *sources, struct wanted_file *files, size_t count,
		    struct error *err)
{
	struct download *download = arena_new(sources->arena, struct download);
	bool good;

	*download = (struct download){.sources = sources,
				      .files = files,
				      .count = count,
				      .program = file_helper_path(sources->arena, "fetch")};
	good = open_parts(download, err) && download_all(download, err);
	for (size_t i = 0; i < count; i++) {
		scoped_fd_close(&files[i].fd);
		files[i].fd = -1;
	}
	return good;
}
