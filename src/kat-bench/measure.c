// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/measure.h"

#include "base/random.h"

#include <stdio.h>

#define CLOCK_NS 2000000
#define OPS_MAX ((uint64_t)1 << 40)

/* CPU time of some operations, negative when they failed. A neighbour must not make it longer. */
static int64_t time_ops(struct job *job, uint64_t ops)
{
	const struct scheme *scheme = job->kind->scheme;
	int64_t begin;

	if (!scheme->rewind(job))
		return -1;
	begin = machine_cpu_ns();
	if (!scheme->run(job, ops))
		return -1;
	return machine_cpu_ns() - begin;
}

/*
 * Doubles until a quarter of a batch is filled, which also warms up caches, branches and clock.
 * Twice with that count and the shorter time: one page fault must not make all batches short.
 */
static bool calibrate(struct timed *timed, int64_t batch_ns)
{
	int64_t took = 0;
	uint64_t ops;

	for (ops = 1; ops < OPS_MAX; ops *= 2) {
		took = time_ops(timed->job, ops);
		if (took >= batch_ns / 4) {
			int64_t again = time_ops(timed->job, ops);

			took = again < took ? again : took;
		}
		if (took < 0)
			return false;
		if (took >= batch_ns / 4)
			break;
	}
	timed->ops = (uint64_t)((double)ops * (double)batch_ns / (double)(took > 0 ? took : 1));
	if (!timed->ops)
		timed->ops = 1;
	return true;
}

void measure_print_batch(const char *name, size_t size, uint64_t ops, const struct moment *before,
			 const struct moment *after)
{
	printf("batch %s %zu %llu %lld %lld %lld %lld\n", name, size, (unsigned long long)ops,
	       (long long)(after->wall_ns - before->wall_ns),
	       (long long)(after->cpu_ns - before->cpu_ns),
	       (long long)(after->switches - before->switches),
	       before->steal < 0 || after->steal < 0 ? -1LL
						     : (long long)(after->steal - before->steal));
}

static bool run_batch(const struct machine *machine, const struct timed *timed)
{
	const struct scheme *scheme = timed->job->kind->scheme;
	const struct job *job = timed->job;
	struct moment before, after;
	bool good;

	if (!scheme->rewind(timed->job))
		return false;
	before = machine_before(machine);
	good = scheme->run(timed->job, timed->ops);
	after = machine_after(machine);
	if (!good)
		return false;
	measure_print_batch(job->kind->name, job->kind->message_size ? 0 : job->size, timed->ops,
			    &before, &after);
	return true;
}

static void shuffle(size_t *order, size_t count, uint64_t *state)
{
	for (size_t i = count; i > 1; i--) {
		size_t other = (size_t)(random_next(state) % i), kept = order[i - 1];

		order[i - 1] = order[other];
		order[other] = kept;
	}
}

bool measure_rounds(const struct request *request, const struct machine *machine,
		    struct timed *timed, size_t count)
{
	struct core_clock clock = core_clock_open();
	uint64_t state = request->seed;
	size_t order[CASES_MAX];

	printf("clock-source %s\n", core_clock_source(&clock));
	for (size_t i = 0; i < count; i++) {
		order[i] = i;
		if (!calibrate(&timed[i], (int64_t)request->batch_us * 1000))
			return false;
	}
	for (uint64_t round = 0; round < request->batches; round++) {
		int64_t hz = core_clock_measure(&clock, CLOCK_NS);

		if (hz > 0)
			printf("clock %lld\n", (long long)hz);
		shuffle(order, count, &state);
		for (size_t i = 0; i < count; i++)
			if (!run_batch(machine, &timed[order[i]]))
				return false;
		/* Nothing is flushed on purpose: a reader that wakes may take this core. */
		if (ferror(stdout))
			return false;
	}
	return true;
}
