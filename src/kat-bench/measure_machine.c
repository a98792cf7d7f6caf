// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/measure.h"

#include "base/error.h"
#include "base/random.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define LINE_BYTES ((size_t)64)
/* Lines are in random order within a window, and windows one behind the other: as few pages are
 * new to the TLB as in a walk in order, so what differs is what a prefetcher can guess. */
#define WINDOW_LINES (WALK_SIZE_STEP / LINE_BYTES)
#define STEPS_MAX ((uint64_t)1 << 40)

/* How the lines of a buffer follow each other; each line is visited once before any is again. */
static const struct walk {
	const char *name;
	size_t stride_bytes; /* 0: in random order */
} walks[] = {{"chase", 0}, {"stride-64", 64}, {"stride-256", 256}};

struct order {
	const struct walk *walk;
	size_t size;
	uint64_t state;
	uint16_t window[WINDOW_LINES];
};

static const struct walk *find_walk(const char *name)
{
	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++)
		if (!strcmp(walks[i].name, name))
			return &walks[i];
	return NULL;
}

static void shuffle_window(struct order *order)
{
	for (size_t i = 0; i < WINDOW_LINES; i++)
		order->window[i] = (uint16_t)i;
	for (size_t i = WINDOW_LINES; i > 1; i--) {
		size_t other = (size_t)(random_next(&order->state) % i);
		uint16_t kept = order->window[i - 1];

		order->window[i - 1] = order->window[other];
		order->window[other] = kept;
	}
}

/* Where the line visited as the number `turn` stands. */
static size_t offset_of(struct order *order, size_t turn)
{
	size_t stride = order->walk->stride_bytes, rows;

	if (stride) {
		rows = order->size / stride;
		return turn % rows * stride + turn / rows * LINE_BYTES;
	}
	if (turn % WINDOW_LINES == 0)
		shuffle_window(order);
	return turn / WINDOW_LINES * WALK_SIZE_STEP +
	       order->window[turn % WINDOW_LINES] * LINE_BYTES;
}

/* Each line begins with the address of the next one. */
static void link_lines(char *memory, struct order *order)
{
	char *first = NULL, *last = NULL;

	for (size_t turn = 0; turn < order->size / LINE_BYTES; turn++) {
		char *line = memory + offset_of(order, turn);

		if (last)
			memcpy(last, &line, sizeof(line));
		else
			first = line;
		last = line;
	}
	memcpy(last, &first, sizeof(first));
}

/* Every step waits for the one before. */
static void *follow(void *at, uint64_t steps)
{
	while (steps--)
		at = *(void *volatile *)at;
	return at;
}

static void time_walk(const struct machine *machine, const struct walk *walk, size_t size,
		      char *memory, int64_t batch_ns)
{
	struct order order = {.walk = walk, .size = size};
	struct moment before, after;
	int64_t took = 0;
	uint64_t steps;
	void *at;

	link_lines(memory, &order);
	at = memory + offset_of(&order, 0);
	for (steps = 256; steps < STEPS_MAX && took < batch_ns / 8; steps *= 2) {
		int64_t begin = machine_cpu_ns();

		at = follow(at, steps);
		took = machine_cpu_ns() - begin;
	}
	steps = (uint64_t)((double)steps / 2 * (double)batch_ns / (double)(took > 0 ? took : 1));
	before = machine_before(machine);
	follow(at, steps + 1);
	after = machine_after(machine);
	measure_print_batch(walk->name, size, steps + 1, &before, &after);
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

		if (!find_walk(request->cases[i].name))
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
			time_walk(machine, find_walk(one->name), one->size, memory,
				  (int64_t)request->batch_us * 1000);
	}
	return !ferror(stdout) || error_set(err, "nobody reads what is measured");
}
