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
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char planned[] = "planned", started[] = "started", built[] = "built",
		  failed[] = "failed";

/* What a worker says when it ends. */
struct worker_end {
	bool good, has_log;
	struct error error;
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

/* A tree is made by a process of its own, so that trees which do not need each other are made at
 * once. Each may run as many jobs as are allowed in all: of trees that are ready together one is
 * long, and the others are soon done. */
static bool start_worker(struct execution *execution, size_t index, struct executed *result,
			 struct worker *worker, struct error *err)
{
	int pipes[2];

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return error_errno(err, errno, "cannot start a process");
	worker->pid = fork();
	if (worker->pid == 0) {
		struct worker_end end = {0};
		const char *log = NULL;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		end.good =
			execute_tree(execution, &execution->plan->trees[index], &log, &end.error);
		end.has_log = log != NULL;
		/* Less than a pipe holds: it is there in one piece, or the worker was ended. */
		_exit(write(pipes[1], &end, sizeof(end)) != (ssize_t)sizeof(end));
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

static bool end_worker(struct execution *execution, size_t index, struct executed *result,
		       const struct worker *worker, struct error *err)
{
	const struct plan_tree *tree = &execution->plan->trees[index];
	struct store_tree stored = {result->name, result->version, result->key};
	struct worker_end end = {0};
	struct manifest manifest;
	scoped_fd int reader = worker->reader;

	if (read(reader, &end, sizeof(end)) != (ssize_t)sizeof(end))
		error_set(&end.error, "%s %s: its process was ended", result->name,
			  result->version);
	result->state = end.good ? built : failed;
	if (!end.good) {
		*err = end.error;
		if (!end.has_log)
			return false;
		result->log = arena_printf(execution->arena, "%s/logs/%s.log",
					   execution->store->prefix, tree->name);
		return error_exit(err, err->exit_code, "%s; see %s", end.error.text, result->log);
	}
	if (!store_manifest(execution->store, &stored, &manifest, err))
		return false;
	result->elapsed_s = manifest.elapsed_s;
	result->proof = (struct field_array){manifest.proof.items, manifest.proof.count};
	return true;
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
		close(workers[i].reader);
		workers[i].pid = 0;
	}
}

static bool start_ready(struct execution *execution, struct executed *results,
			struct worker *workers, size_t *running, struct error *err)
{
	const struct plan *plan = execution->plan;

	for (size_t i = 0; i < plan->count; i++) {
		if (!is_ready(plan, results, i))
			continue;
		if (!start_worker(execution, i, &results[i], &workers[i], err))
			return false;
		++*running;
	}
	return true;
}

static bool make_trees(struct execution *execution, struct executed *results, struct error *err)
{
	size_t count = execution->plan->count, running = 0;
	struct worker *workers = arena_array(execution->arena, struct worker, count + 1);
	bool good = start_ready(execution, results, workers, &running, err);

	while (good && running) {
		pid_t pid = waitpid(-1, NULL, 0);

		for (size_t i = 0; i < count && pid > 0; i++) {
			if (workers[i].pid != pid)
				continue;
			workers[i].pid = 0;
			running--;
			good = end_worker(execution, i, &results[i], &workers[i], err) &&
			       start_ready(execution, results, workers, &running, err);
		}
		if (pid < 0 && errno != EINTR)
			good = error_errno(err, errno, "waiting for builds");
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

bool execute_plan(struct execution *execution, struct executed *results, struct error *err)
{
	static const char *const states[] = {
		[PLAN_BUILD] = planned, [PLAN_STORED] = "stored", [PLAN_ACTIVE] = "active"};
	const struct plan *plan = execution->plan;
	const char *cache;

	for (size_t i = 0; i < plan->count; i++)
		results[i] = (struct executed){.name = plan->trees[i].recipe->name,
					       .version = plan->trees[i].version->version,
					       .key = plan->trees[i].key,
					       .path = plan->trees[i].path,
					       .why = plan->trees[i].why,
					       .state = states[plan->trees[i].state]};
	return check_reach(execution, err) &&
	       store_directory(execution->store, "cache", &cache, err) &&
	       sources_fetch(execution->sources, plan, err) &&
	       make_trees(execution, results, err) && activate(execution, err);
}
