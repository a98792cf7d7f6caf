// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"
#include "kat-bench/job.h"

struct arena;
struct error;

#define CASES_MAX 1024

/* CASE:SIZE of the command line. */
struct request_case {
	const char *name;
	size_t size;
};

/* The command line. */
struct request {
	const char *mode, *library;
	int64_t cpu; /* -1: not pinned */
	uint64_t batch_us, batches, seed;
	struct request_case *cases;
	size_t case_count;
};

/* An error is wrong usage and says so. */
bool request_parse(struct arena *arena, int argc, char **argv, struct request *out,
		   struct error *err);
