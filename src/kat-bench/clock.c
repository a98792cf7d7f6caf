// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/clock.h"

#include "kat-bench/machine.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TIMES_8(text) text text text text text text text text
#define LINKS_PER_TURN 64

/* Over the CPU time of the thread: what else runs on the core does not slow the clock.
 * The loop's own count runs beside the chain and is never waited for. */
static uint64_t run_chain(uint64_t turns)
{
	uint64_t sum = 0, step = 1;

#if defined(__aarch64__)
	__asm__ volatile("1:\n" TIMES_8(TIMES_8("eor %0, %0, %2\n")) "subs %1, %1, #1\n"
								     "b.ne 1b\n"
			 : "+r"(sum), "+r"(turns)
			 : "r"(step)
			 : "cc");
#elif defined(__x86_64__)
	__asm__ volatile("1:\n" TIMES_8(TIMES_8("add %2, %0\n")) "sub $1, %1\n"
								 "jnz 1b\n"
			 : "+r"(sum), "+r"(turns)
			 : "r"(step)
			 : "cc");
#else
	for (uint64_t i = 0; i < turns * LINKS_PER_TURN; i++)
		__asm__ volatile("" : "+r"(sum) : "r"(step));
#endif
	return sum;
}

/* User mode only, which needs no right at perf_event_paranoid 2 and less. */
static int open_counter(void)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.pinned = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool read_counter(const struct core_clock *clock, uint64_t *cycles)
{
	return read(clock->counter, cycles, sizeof(*cycles)) == (ssize_t)sizeof(*cycles);
}

/* The links of a chain of about that time, and how long it took. */
static uint64_t time_chain(int64_t wall_ns, int64_t *took_ns)
{
	uint64_t turns = 256;
	int64_t begin = machine_cpu_ns(), took = 0;

	run_chain(turns);
	took = machine_cpu_ns() - begin;
	turns = turns * (uint64_t)wall_ns / (uint64_t)(took > 0 ? took : 1) + 1;
	begin = machine_cpu_ns();
	run_chain(turns);
	took = machine_cpu_ns() - begin;
	*took_ns = took > 0 ? took : 1;
	return turns * LINKS_PER_TURN;
}

struct core_clock core_clock_open(void)
{
	struct core_clock clock = {.counter = open_counter()};
	uint64_t cycles;

	/* In some guests it opens and never counts. */
	if (clock.counter >= 0 &&
	    (core_clock_measure(&clock, 100000) < 1000000 || !read_counter(&clock, &cycles))) {
		close(clock.counter);
		clock.counter = -1;
	}
	return clock;
}

const char *core_clock_source(const struct core_clock *clock)
{
	return clock->counter >= 0 ? "pmu" : "chain";
}

int64_t core_clock_measure(const struct core_clock *clock, int64_t wall_ns)
{
	uint64_t before = 0, after = 0, links;
	int64_t begin, took;

	if (clock->counter < 0) {
		links = time_chain(wall_ns, &took);
		return (int64_t)((double)links * 1e9 / (double)took);
	}
	begin = machine_cpu_ns();
	if (!read_counter(clock, &before))
		return 0;
	time_chain(wall_ns, &took);
	if (!read_counter(clock, &after))
		return 0;
	took = machine_cpu_ns() - begin;
	return (int64_t)((double)(after - before) * 1e9 / (double)took);
}
