// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/limit.h"
#include "kat-bench/measure.h"

#include <stdio.h>

#define CLOCK_NS 2000000
#define TURNS_MAX ((uint64_t)1 << 40)

/* The turns of a batch; CPU time: a neighbour must not make it short. */
static uint64_t calibrate(const struct limit *limit, uint64_t batch_ns)
{
	int64_t took = 0;
	uint64_t turns;

	for (turns = 64; turns < TURNS_MAX; turns *= 2) {
		int64_t begin = machine_cpu_ns();

		limit->run(turns);
		took = machine_cpu_ns() - begin;
		if (took >= (int64_t)batch_ns / 4)
			break;
	}
	return turns * batch_ns / (uint64_t)(took > 0 ? took : 1) + 1;
}

bool measure_limits(const struct request *request)
{
	struct core_clock clock = core_clock_open();
	struct limit limits[LIMITS_MAX];
	size_t count = limit_list(limits);
	uint64_t turns[LIMITS_MAX];

	printf("clock-source %s\n", core_clock_source(&clock));
	for (size_t i = 0; i < count; i++) {
		if (limits[i].absent)
			printf("na limit-%s 0 %s\n", limits[i].kind, limits[i].absent);
		else
			turns[i] = calibrate(&limits[i], request->batch_us * 1000);
	}
	for (uint64_t round = 0; round < request->batches; round++) {
		int64_t hz = core_clock_measure(&clock, CLOCK_NS);

		if (hz > 0)
			printf("clock %lld\n", (long long)hz);
		for (size_t i = 0; i < count; i++) {
			int64_t begin = machine_cpu_ns(), took;

			if (limits[i].absent)
				continue;
			limits[i].run(turns[i]);
			took = machine_cpu_ns() - begin;
			printf("limit %s %llu %lld\n", limits[i].kind,
			       (unsigned long long)(turns[i] * limits[i].ops_per_turn),
			       (long long)(took > 0 ? took : 1));
		}
		/* Nothing is flushed on purpose: a reader that wakes may take this core. */
		if (ferror(stdout))
			return false;
	}
	return true;
}
