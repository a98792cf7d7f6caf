// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

#include <stdbool.h>
#include <stddef.h>

struct host;

/* One word of /proc/cmdline; value NULL for a bare word, "REDACTED" where the value was not kept
 * (host/redact_text.c). */
struct kernel_parameter {
	const char *name, *value;
};

/*
 * The running kernel's settings. Parameters stand in the order given: the last one of a name wins.
 * Everything else (sysctl, limits, modules) is asked by the facts that need it.
 */
struct kernel {
	int cmdline_error;
	const struct kernel_parameter *parameters;
	size_t parameter_count;
};

const struct kernel *host_kernel(struct host *host);

/* The value of the last parameter of this name; "" for a bare word, NULL when it was not given. '-'
 * and '_' are the same. */
const char *kernel_parameter(const struct kernel *kernel, const char *name);

/* Bytes of a base page: what the running program saw, else inferred from the huge page sizes, else
 * unknown. */
struct value kernel_page_size(struct facts *facts);

/* A list of sentences: where isolcpus, nohz_full and rcu_nocbs disagree. In
 * host/kernel_isolation.c. */
struct value kernel_isolation_read(struct facts *facts, const char *of);

/* Whether irqbalance runs, and on which CPUs. In host/kernel_irqbalance.c. */
struct value kernel_irqbalance_read(struct facts *facts, const char *of);

extern const struct fact_table kernel_facts;
