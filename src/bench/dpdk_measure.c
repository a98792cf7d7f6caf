// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "bench/dpdk.h"

#include <inttypes.h>
#include <math.h>

#define SHARE_LEAST 0.97
#define STEAL_MOST 0.01
#define OVERLAP_LEAST 0.9
#define SECONDS_LEAST 0.2

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double seconds_of(const struct engine_row *row)
{
	return isfinite(row->seconds) && row->seconds > 0 ? row->seconds
							  : (double)row->enqueued / row->ops_per_s;
}

/* All workers begin together: when one takes longer than another, the rates of both are of
 * different times. */
static const char *sum(struct arena *arena, const struct dpdk_work *work,
		       const struct dpdk_ran *ran, int64_t operations, struct dpdk_row *out)
{
	size_t rows = 0;
	double shortest = INFINITY;

	for (size_t i = 0; i < ran->count; i++) {
		for (size_t j = 0; j < ran->runs[i].row_count; j++) {
			const struct engine_row *row = &ran->runs[i].rows[j];

			if (row->size_bytes != out->size_bytes)
				continue;
			if (row->void_reason && !out->dropped)
				out->dropped = row->void_reason;
			if (row->enqueued != operations || !(row->ops_per_s > 0) ||
			    !(row->bytes_per_s > 0))
				return arena_printf(arena,
						    "%" PRId64
						    " bytes: its row does not count %" PRId64
						    " operations",
						    out->size_bytes, operations);
			rows++;
			out->bytes_per_s += row->bytes_per_s;
			out->ops_per_s += row->ops_per_s;
			out->ticks_per_op = row->ticks_per_op;
			shortest = smaller(shortest, seconds_of(row));
			out->seconds = larger(out->seconds, seconds_of(row));
		}
	}
	if (rows != work->cores->cores)
		return arena_printf(arena, "%" PRId64 " bytes: %zu rows of %zu workers",
				    out->size_bytes, rows, work->cores->cores);
	if (shortest < OVERLAP_LEAST * out->seconds && !out->dropped)
		out->dropped = arena_printf(
			arena, "the workers ran together for %.0f %% of their time only",
			100 * shortest / out->seconds);
	if (out->seconds < SECONDS_LEAST && !out->dropped)
		out->dropped =
			arena_printf(arena, "measured for %.0f ms only", 1000 * out->seconds);
	return NULL;
}

static const struct engine_thread *worker(const struct engine_ran *ran, uint32_t cpu)
{
	const struct engine_thread *best = NULL;

	for (size_t i = 0; i < ran->thread_count; i++) {
		const struct engine_thread *thread = &ran->threads[i];

		if (thread->pinned && thread->cpu == cpu &&
		    (!best || thread->cpu_ns > best->cpu_ns))
			best = thread;
	}
	return best;
}

/* Windows in which the workers of all processes were at work. */
struct window {
	int64_t first_ns, last_ns, first_end_ns, last_begin_ns;
};

static void widen(struct window *window, const struct engine_thread *thread)
{
	if (!thread->busy_from_ns)
		return;
	if (!window->first_ns || thread->busy_from_ns < window->first_ns)
		window->first_ns = thread->busy_from_ns;
	if (thread->busy_from_ns > window->last_begin_ns)
		window->last_begin_ns = thread->busy_from_ns;
	if (thread->busy_to_ns > window->last_ns)
		window->last_ns = thread->busy_to_ns;
	if (!window->first_end_ns || thread->busy_to_ns < window->first_end_ns)
		window->first_end_ns = thread->busy_to_ns;
}

static const char *look_at_workers(const struct dpdk_work *work, const struct dpdk_ran *ran,
				   struct dpdk_measured *out)
{
	struct window window = {0};
	int64_t steal_ns = 0, wall_ns = 1;

	for (size_t i = 0; i < ran->count; i++) {
		const struct eal_process *process = &work->cores->processes[i];
		const struct engine_ran *mine = &ran->rans[i];

		steal_ns = mine->steal_ns > steal_ns ? mine->steal_ns : steal_ns;
		wall_ns = mine->wall_ns > wall_ns ? mine->wall_ns : wall_ns;
		for (size_t j = 0; j < process->worker_count; j++) {
			const struct engine_thread *thread = worker(mine, process->workers[j]);

			if (!thread)
				continue;
			widen(&window, thread);
			out->switches += thread->involuntary;
			if (thread->waited_ns >= 0 && thread->cpu_ns > 0)
				out->cpu_share = smaller(
					out->cpu_share,
					(double)thread->cpu_ns /
						(double)(thread->cpu_ns + thread->waited_ns));
		}
	}
	if (out->cpu_share < SHARE_LEAST)
		return arena_printf(work->arena,
				    "another process was busy on a core: a worker ran for %.0f %% "
				    "of its time",
				    100 * out->cpu_share);
	if ((double)steal_ns > STEAL_MOST * (double)wall_ns)
		return arena_printf(work->arena, "the host of this VM took %.0f ms away (steal)",
				    (double)steal_ns / 1e6);
	if (ran->count > 1 && (double)(window.first_end_ns - window.last_begin_ns) <
				      OVERLAP_LEAST * (double)(window.last_ns - window.first_ns))
		return "the processes of the nodes did not run at the same time";
	return NULL;
}

bool dpdk_measure(const struct dpdk_work *work, const struct numbers *sizes, int64_t operations,
		  struct dpdk_measured *out, struct dpdk_outcome *outcome, struct error *err)
{
	struct cperf_request request = {.options = work->options,
					.test = CPERF_THROUGHPUT,
					.sizes = sizes,
					.operations = operations};
	struct dpdk_ran ran;
	const char *dropped;

	*out = (struct dpdk_measured){
		.rows = arena_array(work->arena, struct dpdk_row, sizes->count + 1),
		.count = sizes->count,
		.cpu_share = INFINITY};
	if (!dpdk_run(work, &request, -1, &ran, outcome, err))
		return false;
	if (outcome->end != DPDK_DONE)
		return true;
	dropped = look_at_workers(work, &ran, out);
	if (!isfinite(out->cpu_share))
		out->cpu_share = NAN;
	for (size_t i = 0; i < ran.count; i++)
		out->debug_build |= ran.runs[i].debug_build;
	for (size_t i = 0; i < sizes->count; i++) {
		struct dpdk_row *row = &out->rows[i];
		const char *torn;

		*row = (struct dpdk_row){.size_bytes = sizes->items[i], .dropped = dropped};
		torn = sum(work->arena, work, &ran, operations, row);
		if (torn && outcome->end == DPDK_DONE)
			*outcome = (struct dpdk_outcome){DPDK_FAILED, torn};
	}
	return true;
}
