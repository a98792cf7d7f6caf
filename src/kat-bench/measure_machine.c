// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/measure.h"

#include "base/error.h"
#include "kat-bench/walk.h"

#include <stdio.h>
#include <sys/mman.h>

#define STEPS_MAX ((uint64_t)1 << 40)

/* Every step waits for the one before. */
static void *follow(void *at, uint64_t steps)
{
	while (steps--)
		at = *(void *volatile *)at;
	return at;
}

/* Every batch goes on where the one before ended. */
static void time_walk(const struct request *request, const struct machine *machine,
		      const struct walk *walk, size_t size, char *memory)
{
	int64_t batch_ns = (int64_t)request->batch_us * 1000, took = 0;
	void *at = walk_link(walk, memory, size);
	uint64_t steps;

	for (steps = 256; steps < STEPS_MAX && took < batch_ns / 8; steps *= 2) {
		int64_t begin = machine_cpu_ns();

		at = follow(at, steps);
		took = machine_cpu_ns() - begin;
	}
	steps = (uint64_t)((double)steps / 2 * (double)batch_ns / (double)(took > 0 ? took : 1));
	for (uint64_t i = 0; i < request->batches; i++) {
		struct moment before = machine_before(machine), after;

		at = follow(at, steps + 1);
		after = machine_after(machine);
		measure_print_batch(walk->name, size, steps + 1, &before, &after);
	}
}

static void time_clock(const struct request *request, const struct machine *machine)
{
	struct core_clock clock = core_clock_open();
	int64_t batch_ns = (int64_t)request->batch_us * 1000;

	printf("clock-source %s\n", core_clock_source(&clock));
	/* A governor that follows the load needs to see one. */
	core_clock_measure(&clock, 4 * batch_ns);
	for (uint64_t i = 0; i < request->batches; i++) {
		struct moment before = machine_before(machine), after;
		int64_t hz = core_clock_measure(&clock, batch_ns);

		after = machine_after(machine);
		if (hz > 0)
			printf("clock %lld\n", (long long)hz);
		measure_print_batch("clock", 0, 1, &before, &after);
	}
}

bool measure_machine(const struct request *request, const struct machine *machine,
		     struct error *err)
{
	size_t largest = 0;
	char *memory = MAP_FAILED;

	for (size_t i = 0; i < request->case_count; i++) {
		size_t size = request->cases[i].size;

		if (!walk_find(request->cases[i].name))
			return error_set(err, "%s is no walk: want chase, stride-64 or stride-256",
					 request->cases[i].name);
		if (size == 0 || size % WALK_SIZE_STEP)
			return error_set(err, "%s:%zu: want a multiple of %zu bytes",
					 request->cases[i].name, size, WALK_SIZE_STEP);
		largest = size > largest ? size : largest;
	}
	if (largest)
		memory = mmap(NULL, largest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
	/* Refused or not: what it changes is how often the TLB misses. */
	if (memory != MAP_FAILED)
		madvise(memory, largest, MADV_HUGEPAGE);
	time_clock(request, machine);
	for (size_t i = 0; i < request->case_count; i++) {
		const struct request_case *one = &request->cases[i];

		if (memory == MAP_FAILED)
			printf("na %s %zu no memory\n", one->name, one->size);
		else
			time_walk(request, machine, walk_find(one->name), one->size, memory);
	}
	return !ferror(stdout) || error_set(err, "nobody reads what is measured");
}
