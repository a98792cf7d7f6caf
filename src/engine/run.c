// SPDX-License-Identifier: BSD-2-Clause
#include "engine/run.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "engine/engine.h"
#include "engine/run_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAMPLE_MS 100
#define KEEPER_MS 3000 /* a keeper that was told to end has this long */
#define MS_NS 1000000
#define CUT_KEPT_BYTES ((size_t)1 << 20) /* of output without end, which nobody need read */

/* One job that runs. */
struct watched {
	const struct engine_job *job;
	struct engine_ran *ran;
	pid_t keeper, pid; /* 0: not started yet */
	int output, report;
	int64_t deadline_ns;
	bool ending, over;
	int failed;           /* errno value of what kept the program from starting */
	struct arena scratch; /* of its output while that grows */
	struct buffer text;
	struct run_threads threads;
};

static bool start(struct arena *arena, struct watched *watched, struct error *err)
{
	const struct names *words = watched->job->argv;
	const char *name = words->items[0];
	const char **argv = arena_array(arena, const char *, words->count + 1);
	int output[2], report[2];

	memcpy(argv, words->items, words->count * sizeof(*argv));
	arena_init(&watched->scratch, 4 * ENGINE_OUTPUT_MAX_BYTES);
	watched->scratch.exhausted = arena->exhausted;
	watched->text = buffer_new(&watched->scratch, ENGINE_OUTPUT_MAX_BYTES);
	if (pipe2(output, O_CLOEXEC) < 0)
		return error_errno(err, errno, "%s: cannot start", name);
	if (pipe2(report, O_CLOEXEC) < 0) {
		close(output[0]);
		close(output[1]);
		return error_errno(err, errno, "%s: cannot start", name);
	}
	watched->keeper = fork();
	if (watched->keeper == 0) {
		close(output[0]);
		close(report[0]);
		run_keep(watched->job, argv, output[1], report[1]);
	}
	close(output[1]);
	close(report[1]);
	watched->output = output[0];
	watched->report = report[0];
	if (watched->keeper < 0)
		return error_errno(err, errno, "%s: cannot start", name);
	fcntl(watched->output, F_SETFL, O_NONBLOCK);
	watched->deadline_ns = clock_ns() + (int64_t)watched->job->timeout_ms * MS_NS;
	return true;
}

/* The keeper ends the program and all that it started, then tells. */
static void end(struct watched *watched)
{
	if (watched->over || watched->ending)
		return;
	watched->ending = true;
	watched->deadline_ns = clock_ns() + (int64_t)KEEPER_MS * MS_NS;
	kill(watched->keeper, SIGTERM);
}

static void read_output(struct watched *watched)
{
	char piece[64 << 10];
	ssize_t got;

	while ((got = read(watched->output, piece, sizeof(piece))) > 0) {
		buffer_add(&watched->text, piece, (size_t)got);
		if (watched->text.full) {
			watched->ran->cut = true;
			end(watched);
			return;
		}
	}
	/* Closed by all that had it: nothing to wait for but the report. */
	if (got == 0) {
		close(watched->output);
		watched->output = -1;
	}
}

static void close_watched(struct watched *watched)
{
	/* What its keeper could not end, when it was ended itself. */
	kill(-watched->keeper, SIGKILL);
	while (waitpid(watched->keeper, NULL, 0) < 0 && errno == EINTR)
		;
	if (watched->output >= 0)
		close(watched->output);
	close(watched->report);
	watched->over = true;
}

static void read_report(struct watched *watched)
{
	struct run_report report;
	struct engine_ran *ran = watched->ran;
	ssize_t got = read(watched->report, &report, sizeof(report));

	if (got < 0 && errno == EINTR)
		return;
	if (got != (ssize_t)sizeof(report)) {
		ran->status = 128 + SIGKILL; /* the keeper itself was ended */
	} else if (report.news == RUN_STARTED) {
		watched->pid = report.pid;
		return;
	} else if (report.news == RUN_FAILED) {
		watched->failed = report.number;
		return;
	} else {
		ran->status = report.status;
		ran->wall_ns = report.wall_ns;
		ran->cpu_ns = report.cpu_ns;
		ran->involuntary = report.involuntary;
		ran->peak_bytes = report.peak_bytes;
	}
	if (watched->output >= 0 && !ran->cut)
		read_output(watched);
	close_watched(watched);
}

static void look(struct arena *arena, struct watched *watched, bool sample)
{
	const struct engine_job *job = watched->job;
	struct engine_ran *ran = watched->ran;

	if (watched->over)
		return;
	if (sample && watched->pid && !watched->failed) {
		run_sample(arena, &watched->threads, watched->pid);
		if (job->wants && !ran->mapped)
			ran->mapped = run_maps(arena, watched->pid, job->wants, &ran->mapped_other);
	}
	if (clock_ns() < watched->deadline_ns)
		return;
	if (watched->ending) {
		ran->status = 128 + SIGKILL;
		close_watched(watched);
		return;
	}
	ran->timed_out = true;
	end(watched);
}

/* Waits for anything to read, at most until the next sample. */
static void wait_for_news(struct watched *watched, size_t count, int64_t until_ns)
{
	struct pollfd fds[2 * ENGINE_JOBS_MAX];
	int64_t left_ms = (until_ns - clock_ns()) / MS_NS + 1;

	for (size_t i = 0; i < count; i++) {
		bool over = watched[i].over;

		fds[2 * i] = (struct pollfd){.fd = over ? -1 : watched[i].report, .events = POLLIN};
		fds[2 * i + 1] = (struct pollfd){.events = POLLIN};
		fds[2 * i + 1].fd = over || watched[i].ran->cut ? -1 : watched[i].output;
	}
	if (poll(fds, 2 * count, left_ms > 0 ? (int)left_ms : 0) <= 0)
		return;
	for (size_t i = 0; i < count; i++) {
		if (fds[2 * i + 1].revents)
			read_output(&watched[i]);
		if (fds[2 * i].revents)
			read_report(&watched[i]);
	}
}

static bool all_over(const struct watched *watched, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!watched[i].over)
			return false;
	}
	return true;
}

static void watch(struct arena *arena, struct watched *watched, size_t count)
{
	int64_t next_ns = clock_ns();

	while (!all_over(watched, count)) {
		bool sample = clock_ns() >= next_ns, stop = false;

		for (size_t i = 0; i < count; i++) {
			const struct engine_job *job = watched[i].job;

			look(arena, &watched[i], sample);
			stop |= sample && !watched[i].over && job->tick && !job->tick(job->context);
		}
		for (size_t i = 0; stop && i < count; i++) {
			watched[i].ran->interrupted |= !watched[i].over;
			end(&watched[i]);
		}
		if (sample)
			next_ns = clock_ns() + (int64_t)SAMPLE_MS * MS_NS;
		wait_for_news(watched, count, next_ns);
	}
}

/* Only what can be read stays in the caller's arena. */
static struct view keep_output(struct arena *arena, struct watched *watched)
{
	struct view text = buffer_view(&watched->text);

	if (watched->ran->cut)
		text.size = CUT_KEPT_BYTES;
	text.at = arena_copy(arena, text.at, text.size);
	arena_release(&watched->scratch);
	return text;
}

bool engine_run_jobs(struct arena *arena, const struct engine_job *jobs, size_t count,
		     struct engine_ran *out, struct error *err)
{
	struct watched *watched = arena_array(arena, struct watched, count + 1);
	bool started = count <= ENGINE_JOBS_MAX ||
		       error_set(err, "more than %d programs at once", ENGINE_JOBS_MAX);
	size_t begun = 0;

	for (size_t i = 0; started && i < count; i++) {
		out[i] = (struct engine_ran){0};
		watched[i] = (struct watched){.job = &jobs[i], .ran = &out[i]};
		started = start(arena, &watched[i], err);
		begun += started;
	}
	for (size_t i = 0; !started && i < begun; i++)
		end(&watched[i]);
	watch(arena, watched, begun);
	for (size_t i = 0; i < begun; i++) {
		out[i].output = keep_output(arena, &watched[i]);
		out[i].threads = watched[i].threads.items;
		out[i].thread_count = watched[i].threads.count;
		out[i].steal_ns = run_steal_ns(&watched[i].threads);
		if (started && watched[i].failed)
			started = error_errno(err, watched[i].failed, "%s: cannot start",
					      jobs[i].argv->items[0]);
	}
	return started;
}

bool engine_run_job(struct arena *arena, const struct engine_job *job, struct engine_ran *out,
		    struct error *err)
{
	return engine_run_jobs(arena, job, 1, out, err);
}
