// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"
#include "report/pool.h"

#include <stdint.h>

struct arena;
struct error;

/*
 * What earlier runs wrote with --json, as much of it as is compared and shown: one small form for
 * audit, bench, detect, setup and tune. Whatever fields a later 1.x adds are passed over. All texts
 * are of one pool.
 */

/* A value by its path, "firmware.version", in words. */
struct result_member {
	const char *path, *words;
};

struct result_members {
	struct result_member *items;
	size_t count, room;
};

/* A number of bench; NaN: not known. */
struct result_number {
	const char *suite, *name, *place, *unit; /* place: the device, else the engine */
	double value, low, high;
	double reference, limit_share, efficiency;
	const char *reference_source, *comparable;
	int64_t size_bytes, cores, suite_version;
	const char *library, *library_version, *capability, *core_list;
	const char *explain; /* what a shortfall may come from, joined */
	bool emulated, verified;
};

/* One of the results: a finding, a measurement, a compiler, a tree, a setting. */
struct result_item {
	const char *id, *title;
	const char *outcome;  /* pass fail na unknown waived, or a later word; NULL: not judged */
	const char *severity; /* NULL: has none */
	const char *found;    /* in words; NULL: nothing */
	const char *wanted, *reason, *why, *fix, *undo, *evidence;
	const struct result_number *number; /* NULL: none */
	struct result_members members;      /* what else is compared */
};

struct results {
	const char *name;    /* of the file, for messages */
	const char *command; /* audit, bench, detect, setup, tune */
	const char *schema, *started, *role;
	int64_t exit_code;
	const char *trouble; /* why the run came to no result at all; NULL: it did its work */
	struct result_members host; /* "firmware.version" …; empty: no machine is told */
	struct result_members also; /* the compiler of setup */
	struct result_item *items;
	size_t count;
};

#define RESULTS_FILE_MAX_BYTES ((size_t)32 << 20)
#define RESULTS_MAX 20000

/*
 * Reads what one run wrote. Another program's file, another major version and what is no result
 * are errors that name the file. `scratch` holds the tree and may be released afterwards; what is
 * kept is in the arena of the pool.
 */
bool results_read(struct arena *scratch, struct pool *pool, const char *name, struct view text,
		  struct results *out, struct error *err);
/* The words of a member, NULL when it is not there or not known. */
const char *results_member(const struct result_members *members, const char *path);
/* "aes-gcm-128, crypto_openssl, 1024 bytes, 1 core" */
const char *results_case(struct arena *arena, const struct result_number *number);
