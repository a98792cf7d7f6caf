// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host;

/* One block of /proc/crypto. A name stands there once per driver. */
struct crypto_entry {
	const char *name, *driver, *module, *type;
	int64_t priority;
	bool internal; /* only for other drivers' use */
	bool usable;   /* its self test has passed */
};

/*
 * The algorithms registered with the kernel now. Templates such as authenc(…) are there only once
 * something has used them, so that an absent one says nothing. AF_ALG is never opened: asking it
 * would load modules.
 */
struct crypto {
	int error; /* errno of /proc/crypto */
	struct crypto_entry *entries;
	size_t count;
};

const struct crypto *host_crypto(struct host *host);
void crypto_parse(struct arena *arena, struct view text, struct crypto *crypto);
/* Who serves a new user of this name: the usable entry of the highest priority that is not
 * internal; NULL. */
const struct crypto_entry *crypto_winner(const struct crypto *crypto, const char *name);

enum crypto_tier {
	CRYPTO_UNRECOGNIZED,
	CRYPTO_GENERIC,      /* C, or scalar assembly where vectors do better */
	CRYPTO_VECTOR,       /* the best that is possible without instructions for it */
	CRYPTO_INSTRUCTIONS, /* instructions made for the algorithm */
	CRYPTO_LIBRARY,      /* lib/crypto picks the best code for the CPU by itself */
};

/* Which kind of code a driver of this algorithm is; cryptd(…) around it does not matter. */
enum crypto_tier crypto_driver_tier(const char *algorithm, const char *driver, int64_t priority);

/* The best tier that a CPU with these features allows, and one driver and module that give it. */
struct crypto_best {
	enum crypto_tier tier;
	const char *driver, *module;
};
struct crypto_best crypto_best(const char *algorithm, const char *arch,
			       const struct names *features);

/* The module, among those of the running kernel, whose driver would serve `algorithm` better than
 * the one that does; NULL: none is known to. */
const char *crypto_missing_module(struct facts *facts, const char *algorithm);

extern const struct fact_table crypto_facts;
