// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "bench/stack.h"
#include "host/elf.h"
#include "host/host.h"

/* What every piece is found with. */
struct stack_search {
	struct arena *arena;
	struct host *host;
	const struct bench_stack_request *request;
	struct bench_stack *out;
};

bool stack_is_file(struct stack_search *search, const char *path);
/* Crypto devices that the program, or its plugins, were built with. */
void stack_devices(struct stack_search *search);
/* The version of the DPDK that the program of this directory, or its libraries, are of; NULL. */
const char *stack_dpdk_version(struct stack_search *search, const char *directory,
			       struct elf *program);
