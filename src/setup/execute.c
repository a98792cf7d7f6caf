// SPDX-License-Identifier: BSD-2-Clause
#include "setup/execute.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/sandbox.h"
#include "setup/sources.h"
#include "setup/store.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char planned[] = "planned", started[] = "started", built[] = "built",
		  failed[] = "failed";

#define PHASE_SIZE 32
#define TICK_MS 1000
#define SILENCE_MS 5000

/* What a worker says: a phase begins, or it ends. Less than a pipe holds: it is there in one piece,
 * or the worker was ended. */
struct worker_word {
	char phase[PHASE_SIZE]; /* "": the tree is done */
	bool ended, good, has_log;
	struct error error;
};

/* The worker's side of the pipe. */
struct speaker {
	int writer;
};

struct worker {
	pid_t pid; /* 0: none */
	int reader;
};

static bool activate(struct execution *execution, struct error *err)
{
	const struct plan *plan = execution->plan;
	struct store_trees trees = {
		.items = arena_array(execution->arena, struct store_tree, plan->count + 1)};
	struct generation generation;

	for (size_t i = 0; i < plan->count; i++)
		trees.items[trees.count++] =
			(struct store_tree){plan->trees[i].recipe->name,
					    plan->trees[i].version->version, plan->trees[i].key};
	return store_activate(execution->store, plan->request->target->name, &trees, NULL,
			      &generation, err);
}

static bool is_ready(const struct plan *plan, const struct executed *results, size_t index)
{
	const struct plan_tree *tree = &plan->trees[index];

	for (size_t i = 0; i < tree->depend_count; i++) {
		size_t other = (size_t)(tree->depends[i] - plan->trees);

		if (results[other].state == planned || results[other].state == started)
			return false;
	}
	return results[index].state == planned;
}

static void say_phase(void *context, const struct plan_tree *tree, const char *phase)
{
	const struct speaker *speaker = context;
	struct worker_word word = {0};

	(void)tree;
	snprintf(word.phase, sizeof(word.phase), "%s", phase ? phase : "");
	/* Who does not listen does not want to know. */
	if (write(speaker->writer, &word, sizeof(word)) < 0)
		return;
}

static _Noreturn void work(const struct execution *execution, size_t index, int writer)
{
	struct speaker speaker = {writer};
	struct sandbox sandbox = *execution->sandbox;
	struct execution own = *execution;
	struct worker_word word = {.ended = true};
	const char *log = NULL;

	sandbox.tick = NULL;
	own.sandbox = own.sources->sandbox = &sandbox;
	own.progress = say_phase;
	own.context = &speaker;
	word.good = execute_tree(&own, &execution->plan->trees[index], &log, &word.error);
	word.has_log = log != NULL;
	_exit(write(writer, &word, sizeof(word)) != (ssize_t)sizeof(word));
}

/* A tree is made by a process of its own, so that trees which do not need each other are made at
 * once. Each may run as many jobs as are allowed in all: of trees that are ready together one is
 * long, and the others are soon done. */
static bool start_worker(struct execution *execution, size_t index, struct executed *result,
			 struct worker *worker, struct error *err)
{
	int pipes[2];
	pid_t parent = getpid();

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot start a process");
	worker->pid = fork();
	if (worker->pid == 0) {
		sandbox_follow(parent);
		work(execution, index, pipes[1]);
	}
	close(pipes[1]);
	worker->reader = pipes[0];
	if (worker->pid < 0) {
		close(pipes[0]);
		return error_errno(err, errno, "cannot start a process");
	}
	result->state = started;
	return true;
}

static bool judge_end(struct execution *execution, const struct plan_tree *tree,
		      struct executed *result, const struct worker_word *word, struct error *err)
{
	struct store_tree stored = {result->name, result->version, result->key};
	struct manifest manifest;

	result->state = word->good ? built : failed;
	if (!word->good) {
		*err = word->error;
		if (!word->has_log)
			return false;
		result->log = arena_printf(execution->arena, "%s/logs/%s.log",
					   execution->store->prefix, tree->name);
		return error_exit(err, err->exit_code, "%s; see %s", word->error.text, result->log);
	}
	if (!store_manifest(execution->store, &stored, &manifest, err))
		return false;
	result->elapsed_s = manifest.elapsed_s;
	result->proof = (struct field_array){manifest.proof.items, manifest.proof.count};
	return true;
}

/* One word of a worker that has something to say. */
static bool hear(struct execution *execution, size_t index, struct executed *result,
		 struct worker *worker, struct error *err)
{
	const struct plan_tree *tree = &execution->plan->trees[index];
	struct worker_word word = {0};

	ssize_t got;

	do
		got = read(worker->reader, &word, sizeof(word));
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)sizeof(word)) {
		word = (struct worker_word){.ended = true};
		error_set(&word.error, "%s %s: its process was ended", result->name,
			  result->version);
	}
	if (!word.ended) {
		if (execution->progress)
			execution->progress(
				execution->context, tree,
				word.phase[0] ? arena_strdup(execution->arena, word.phase) : NULL);
		return true;
	}
	while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(worker->reader);
	worker->pid = 0;
	return judge_end(execution, tree, result, &word, err);
}

/* Everything that a worker started has the other end of its pipe, but programs that ran. */
static void wait_for_silence(int reader)
{
	struct pollfd wait = {.fd = reader, .events = POLLIN};
	char words[4096];

	while (poll(&wait, 1, SILENCE_MS) != 0 &&
	       (read(reader, words, sizeof(words)) > 0 || errno == EINTR))
		errno = 0;
}

/* The others end too: what failed is not waited for, and nothing is installed half. */
static void stop_workers(struct worker *workers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (workers[i].pid <= 0)
			continue;
		kill(workers[i].pid, SIGKILL);
		while (waitpid(workers[i].pid, NULL, 0) < 0 && errno == EINTR)
			;
		wait_for_silence(workers[i].reader);
		close(workers[i].reader);
		workers[i].pid = 0;
	}
}

static bool start_ready(struct execution *execution, struct executed *results,
			struct worker *workers, struct error *err)
{
	const struct plan *plan = execution->plan;

	for (size_t i = 0; i < plan->count; i++) {
		if (is_ready(plan, results, i) &&
		    !start_worker(execution, i, &results[i], &workers[i], err))
			return false;
	}
	return true;
}

/* Waits until workers speak, for a second at most; how many there are. */
static size_t listen_to(const struct worker *workers, struct pollfd *waits, size_t count)
{
	size_t running = 0;

	for (size_t i = 0; i < count; i++) {
		waits[i] = (struct pollfd){.fd = workers[i].pid > 0 ? workers[i].reader : -1,
					   .events = POLLIN};
		running += workers[i].pid > 0;
	}
	if (running && poll(waits, count, TICK_MS) <= 0) {
		for (size_t i = 0; i < count; i++)
			waits[i].revents = 0;
	}
	return running;
}

static bool make_trees(struct execution *execution, struct executed *results, struct error *err)
{
	size_t count = execution->plan->count;
	struct worker *workers = arena_array(execution->arena, struct worker, count + 1);
	struct pollfd *waits = arena_array(execution->arena, struct pollfd, count + 1);
	bool good = start_ready(execution, results, workers, err);

	while (good && listen_to(workers, waits, count)) {
		for (size_t i = 0; i < count && good; i++) {
			if (waits[i].revents)
				good = hear(execution, i, &results[i], &workers[i], err) &&
				       start_ready(execution, results, workers, err);
		}
		if (execution->tick)
			execution->tick(execution->context);
	}
	stop_workers(workers, count);
	return good;
}

/* The build's user must come to where it works, and to what recipes bring along. */
static bool check_reach(struct execution *execution, struct error *err)
{
	const struct plan *plan = execution->plan;

	for (size_t i = 0; i < plan->count; i++) {
		if (plan->trees[i].state == PLAN_BUILD &&
		    (!sandbox_reaches(execution->sandbox, execution->store->prefix, err) ||
		     !sandbox_reaches(execution->sandbox, plan->trees[i].recipe->directory, err)))
			return false;
	}
	return true;
}

/* All that the network gives, before the first build begins. */
static bool fetch(struct execution *execution, struct error *err)
{
	struct sources *sources = execution->sources;
	const char *cache;

	sources->sandbox = execution->sandbox;
	sources->downloading = execution->downloading;
	sources->context = execution->context;
	return store_directory(execution->store, "cache", &cache, err) &&
	       store_directory(execution->store, "work/sources", &sources->work, err) &&
	       sources_fetch(sources, execution->plan, err);
}

bool execute_plan(struct execution *execution, struct executed *results, struct error *err)
{
	static const char *const states[] = {
		[PLAN_BUILD] = planned, [PLAN_STORED] = "stored", [PLAN_ACTIVE] = "active"};
	const struct plan *plan = execution->plan;

	for (size_t i = 0; i < plan->count; i++)
		results[i] = (struct executed){.name = plan->trees[i].recipe->name,
					       .version = plan->trees[i].version->version,
					       .key = plan->trees[i].key,
					       .path = plan->trees[i].path,
					       .why = plan->trees[i].why,
					       .state = states[plan->trees[i].state]};
	return plan_is_pinned(plan, err) && check_reach(execution, err) && fetch(execution, err) &&
	       make_trees(execution, results, err) && activate(execution, err);
}
