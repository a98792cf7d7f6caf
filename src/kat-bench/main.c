// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "kat-bench/measure.h"
#include "kat-bench/request.h"
#include "kat-bench/vector.h"
#include "kat-bench/verify.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Measures one libcrypto, opened by path, or the core alone, in a process of its own: the lines
 * that it prints are in engine/kat.h. Exit status: 0, 2 it could not be done, 4 an answer was
 * wrong, 64 wrong usage.
 */
#define MEMORY_BYTES_MAX ((size_t)1 << 30)

/* They force other code than this machine's: what is timed would not be what users get. */
static const char *const forcing[] = {"OPENSSL_armcap", "OPENSSL_ia32cap"};

struct session {
	struct arena *arena;
	const struct request *request;
	struct library library;
	struct machine machine;
	struct timed *timed;
	size_t count;
};

static void memory_exhausted(void)
{
	static const char text[] = "error out of memory\nend\n";

	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(EXIT_TROUBLE);
	_exit(EXIT_TROUBLE);
}

static bool open_library(struct session *session, struct error *err)
{
	const char *capability;

	if (!library_open(session->arena, session->request->library, &session->library, err))
		return false;
	capability = library_capability(&session->library);
	printf("library %s\n", session->library.path);
	printf("version %s\n", session->library.version(LIBRARY_VERSION));
	if (capability)
		printf("capability %s\n", capability);
	return true;
}

static bool is_repeated(const struct request *request, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (request->cases[i].size == request->cases[at].size &&
		    !strcmp(request->cases[i].name, request->cases[at].name))
			return true;
	return false;
}

/* What the library cannot do is na; a case that does not exist is an error. */
static bool prepare_jobs(struct session *session, struct error *err)
{
	const struct request *request = session->request;

	session->timed = arena_array(session->arena, struct timed, request->case_count);
	for (size_t i = 0; i < request->case_count; i++) {
		const struct request_case *one = &request->cases[i];
		const struct kind *kind = kind_find(one->name);
		struct error absent = {0};

		if (!kind)
			return error_set(err, "%s is no case; kat-bench cases lists them",
					 one->name);
		if (!kind->message_size != (one->size != 0))
			return error_set(err, "%s wants %s", one->name,
					 kind->message_size ? "size 0" : "a size");
		if (is_repeated(request, i))
			return error_set(err, "%s:%zu is there twice", one->name, one->size);
		if (job_prepare(session->arena, &session->library, kind, one->size, NULL,
				&session->timed[session->count].job, &absent))
			session->count++;
		else
			printf("na %s %zu %s\n", one->name, one->size, absent.text);
	}
	return true;
}

/* Whether the row before is of the same case: its vectors were looked at. */
static bool is_first_of_kind(const struct session *session, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (session->timed[i].job->kind == session->timed[at].job->kind)
			return false;
	return true;
}

static bool verify_all(struct session *session, const char *when)
{
	bool last = !strcmp(when, "last"), right = true;

	for (size_t i = 0; i < session->count; i++) {
		struct job *job = session->timed[i].job;

		if (is_first_of_kind(session, i))
			right &= verify_kind(session->arena, &session->library, job->kind, last);
		right &= verify_job(job);
		right &= verify_answer(job, when, &session->timed[i].first);
		/* Should the library crash in the next one, this much is known. */
		fflush(stdout);
	}
	return right;
}

static bool pin(struct session *session, struct error *err)
{
	if (!machine_open(session->request->cpu, &session->machine, err))
		return false;
	if (session->machine.cpu >= 0)
		printf("cpu %lld\n", (long long)session->machine.cpu);
	return true;
}

static bool measure(struct session *session, struct error *err)
{
	bool timing = !strcmp(session->request->mode, "measure");

	for (size_t i = 0; timing && i < sizeof(forcing) / sizeof(forcing[0]); i++)
		if (getenv(forcing[i]))
			return error_set(err, "%s is set: unset it, it forces other code",
					 forcing[i]);
	if (!open_library(session, err) || !pin(session, err) || !prepare_jobs(session, err))
		return false;
	if (!verify_all(session, "first"))
		return error_exit(err, EXIT_VERIFY, "a known answer is wrong, nothing was timed");
	if (timing &&
	    !measure_rounds(session->request, &session->machine, session->timed, session->count))
		return error_set(err, "an operation failed while it was timed");
	if (!verify_all(session, "last"))
		return error_exit(err, EXIT_VERIFY, "an answer is wrong after the batches");
	return true;
}

static bool limit(struct session *session, struct error *err)
{
	return pin(session, err) && (measure_limits(session->request) ||
				     error_set(err, "nobody reads what is measured"));
}

static bool machine(struct session *session, struct error *err)
{
	return pin(session, err) && measure_machine(session->request, &session->machine, err);
}

static bool vector(struct session *session, struct error *err)
{
	const struct request_case *one = &session->request->cases[0];

	return library_open(session->arena, session->request->library, &session->library, err) &&
	       vector_print(session->arena, &session->library, one->name, one->size, stdout, err);
}

static bool list_cases(struct session *session, struct error *err)
{
	(void)session;
	(void)err;
	for (size_t i = 0; i < kind_count; i++)
		printf("%s\n", kinds[i].name);
	return true;
}

static const struct {
	const char *name;
	bool (*run)(struct session *session, struct error *err);
	bool lines; /* "end" comes last */
} modes[] = {
	{"measure", measure, true}, {"answers", measure, true}, {"limit", limit, true},
	{"machine", machine, true}, {"vector", vector, false},  {"cases", list_cases, false},
};

static int run(struct arena *arena, int argc, char **argv)
{
	struct error err = {.exit_code = EXIT_TROUBLE};
	struct session session = {.arena = arena};
	struct request request;
	bool lines = true, done = false;

	if (request_parse(arena, argc, argv, &request, &err)) {
		session.request = &request;
		for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
			if (strcmp(modes[i].name, request.mode))
				continue;
			lines = modes[i].lines;
			done = modes[i].run(&session, &err);
		}
	}
	if (!done)
		printf("error %s\n", text_printable(arena, view_of(err.text)));
	if (lines)
		printf("end\n");
	if (fflush(stdout) || ferror(stdout))
		return EXIT_TROUBLE;
	return done ? EXIT_OK : (int)err.exit_code;
}

int main(int argc, char **argv)
{
	struct arena arena;

	signal(SIGPIPE, SIG_IGN);
	if (!file_keep_standard())
		return EXIT_TROUBLE;
	arena_init(&arena, MEMORY_BYTES_MAX);
	arena.exhausted = memory_exhausted;
	/* A library under test gets no chance to fail, or to be called leaking, on the way out. */
	_exit(run(&arena, argc, argv));
}
