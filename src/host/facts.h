// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/value.h"

#include <stddef.h>

struct host;
struct cpu_profile;
struct identity;
struct measure;
struct probe;
struct facts;

/*
 * A fact is a named value that rules can use. Each host/ file exports one table of its facts;
 * catalog/ adds those that need the CPU profile. A fact may take a parameter:
 * "crypto.driver(gcm(aes))" reads fact crypto.driver of "gcm(aes)".
 */
struct fact {
	const char *name;
	const char *unit;    /* "Hz", "bytes", "MT/s", "pages"; NULL for none */
	const char *summary; /* what it is and how it is read, one line */
	const char *of;      /* what the parameter names, NULL when there is none */
	struct value (*read)(struct facts *facts, const char *of);
};

struct fact_table {
	const struct fact *facts;
	size_t count;
};

#define FACT_TABLE(rows)                                                                           \
	{                                                                                          \
		(rows), sizeof(rows) / sizeof((rows)[0])                                           \
	}

struct facts {
	struct arena *arena;
	struct host *host;
	const struct identity *identity; /* set by identity_read() (catalog/identity.h) */
	const struct cpu_profile
		*profile;          /* of the identified CPU, NULL when there is none; likewise */
	const struct probe *probe; /* what the compilers here accept; NULL: not asked */
	const struct measure *measure; /* clock and memory of each node; NULL: not asked */
	const char *role;              /* dpdk, ipsec, tls or NULL */
	const struct fact_table *const *tables;
	size_t table_count;
	struct fact_cache *cache;
};

/* The value of a fact, read once; NULL when no table has the name. */
const struct value *facts_get(struct facts *facts, const char *name);
/* Its row, for unit and summary; NULL when there is none. */
const struct fact *facts_find(const struct facts *facts, const char *name);
