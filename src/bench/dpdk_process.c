// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "bench/dpdk.h"
#include "bench/stack.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define TIMEOUT_BASE_MS 30000
#define TIMEOUT_PER_SIZE_MS 30000 /* a row is planned for about a second */
#define EMULATED_FACTOR 4

static const char *end_text(const struct dpdk_work *work, const struct engine_job *job,
			    const struct engine_ran *ran)
{
	if (ran->timed_out)
		return arena_printf(work->arena, "%s did not end within %u s", work->device,
				    job->timeout_ms / 1000);
	if (ran->cut)
		return arena_printf(work->arena, "%s printed more than %zu MB", work->device,
				    ENGINE_OUTPUT_MAX_BYTES >> 20);
	return NULL;
}

static enum dpdk_end end_of(enum engine_end end)
{
	switch (end) {
	case ENGINE_DONE:
		return DPDK_DONE;
	case ENGINE_MISSING:
		return DPDK_MISSING;
	case ENGINE_WRONG:
		return DPDK_WRONG;
	case ENGINE_NOTHING:
	case ENGINE_UNABLE:
	case ENGINE_MISUSED:
	case ENGINE_BROKEN:
		break;
	}
	return DPDK_FAILED;
}

/* The worst of all processes counts, the first of them names the reason. */
static void judge(const struct dpdk_work *work, const struct engine_job *job,
		  const struct engine_ran *ran, const struct engine_run *run,
		  struct dpdk_outcome *outcome)
{
	struct dpdk_outcome mine = {.end = end_of(run->end), .reason = run->reason};

	if (ran->interrupted)
		mine.end = DPDK_INTERRUPTED;
	else if (end_text(work, job, ran))
		mine = (struct dpdk_outcome){DPDK_FAILED, end_text(work, job, ran), ran->timed_out};
	else if (ran->mapped_other && !ran->mapped)
		mine = (struct dpdk_outcome){DPDK_WRONG,
					     arena_printf(work->arena, "it loaded %s instead of %s",
							  ran->mapped_other, job->wants)};
	else if (mine.end == DPDK_DONE && ran->status != 0)
		mine = (struct dpdk_outcome){
			DPDK_FAILED,
			arena_printf(work->arena, "it ended with status %d", ran->status)};
	if (mine.end != DPDK_DONE && !mine.reason)
		mine.reason = "it said nothing that is known here";
	if (mine.end > outcome->end)
		*outcome = mine;
}

static bool fill(const struct dpdk_work *work, const struct cperf_request *request, size_t which,
		 struct names *argv, struct engine_job *job, struct error *err)
{
	const struct bench_piece *piece = &work->stack->dpdk;
	struct cperf_request mine = *request;
	unsigned timeout_ms =
		TIMEOUT_BASE_MS + TIMEOUT_PER_SIZE_MS * (unsigned)request->sizes->count;

	mine.program = piece->path;
	mine.emulator = piece->emulator.count ? &piece->emulator : NULL;
	mine.device = work->device;
	mine.burst = work->burst;
	mine.process = &work->cores->processes[which];
	mine.prefix = arena_printf(work->arena, EAL_PREFIX "%d-%zu", (int)getpid(), which);
	*argv = (struct names){0};
	job->argv = argv;
	job->timeout_ms = piece->emulator.count ? timeout_ms * EMULATED_FACTOR : timeout_ms;
	if (work->timeout_ms)
		job->timeout_ms = work->timeout_ms;
	return cperf_argv(work->arena, &mine, argv, err);
}

bool dpdk_run(const struct dpdk_work *work, const struct cperf_request *request, int keep,
	      struct dpdk_ran *out, struct dpdk_outcome *outcome, struct error *err)
{
	size_t count = work->cores->count;
	struct engine_job *jobs = arena_array(work->arena, struct engine_job, count + 1);
	struct names *argv = arena_array(work->arena, struct names, count + 1), environment = {0};
	bool openssl = strcmp(work->device, "crypto_openssl") == 0;
	struct error trouble = {0};

	*outcome = (struct dpdk_outcome){0};
	*out = (struct dpdk_ran){.rans = arena_array(work->arena, struct engine_ran, count + 1),
				 .runs = arena_array(work->arena, struct engine_run, count + 1),
				 .count = count};
	/* Where no runtime directory can be made, whatever this release calls it. */
	names_add(work->arena, &environment, "XDG_RUNTIME_DIR=/dev/null");
	names_add(work->arena, &environment, "RUNTIME_DIRECTORY=/dev/null");
	for (size_t i = 0; i < count; i++) {
		jobs[i] = (struct engine_job){.environment = &environment,
					      .keep = &keep,
					      .keep_count = keep >= 0,
					      .cpu = -1,
					      .no_directories = true,
					      .wants = openssl ? work->stack->libcrypto.path : NULL,
					      .tick = work->tick,
					      .context = work->context};
		if (!fill(work, request, i, &argv[i], &jobs[i], err))
			return false;
	}
	if (!engine_run_jobs(work->arena, jobs, count, out->rans, &trouble)) {
		*outcome =
			(struct dpdk_outcome){DPDK_FAILED, arena_strdup(work->arena, trouble.text)};
		out->count = 0;
		return true;
	}
	eal_clean(EAL_RUNTIME_DIRECTORY);
	for (size_t i = 0; i < count; i++) {
		engine_parse_run(work->arena, "dpdk-crypto-perf", out->rans[i].output,
				 out->rans[i].status, &out->runs[i]);
		judge(work, &jobs[i], &out->rans[i], &out->runs[i], outcome);
	}
	return true;
}
