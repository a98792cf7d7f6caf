// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "kat-bench/clock.h"
#include "kat-bench/machine.h"
#include "kat-bench/request.h"

/* A job and how many of its operations fill a batch. */
struct timed {
	struct job *job;
	const char *first; /* its first answer */
	uint64_t ops;
};

/* Times every job in each round, in an order made from the seed, and prints "batch" and "clock"
 * lines. False: the library failed, or nobody reads. */
bool measure_rounds(const struct request *request, const struct machine *machine,
		    struct timed *timed, size_t count);
/* One "batch" line: what was done between the two moments. */
void measure_print_batch(const char *name, size_t size, uint64_t ops, const struct moment *before,
			 const struct moment *after);
/* Prints "clock" and "batch" lines of this core and of walks through memory, whose sizes are
 * multiples of WALK_SIZE_STEP up to WALK_SIZE_MAX. An error: no such walk, or nobody reads. */
bool measure_machine(const struct request *request, const struct machine *machine,
		     struct error *err);
/* Prints "limit", "clock" and "na" lines of this core. False: nobody reads. */
bool measure_limits(const struct request *request);
