// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "engine/cperf.h"

/*
 * A suite is a file of profiles/suites: its cases, what they measure and with which engine. A case
 * is named as references name it. Each is measured for every library or device of its engine that
 * is there.
 */
struct suite_case {
	const char *name;        /* "aes-gcm-128", "aes-128-gcm-update" */
	const char *title;       /* one line for people */
	const char *engine;      /* kat, dpdk-crypto-perf, openssl-speed, bssl-speed */
	struct names devices;    /* DPDK: those it can run on, the one of the guide first */
	struct cperf_case *dpdk; /* DPDK */
	struct names words;      /* openssl-speed: "-evp", "aes-128-gcm"; bssl-speed: the filter */
	const char *verify;      /* openssl-speed, bssl-speed: the case of kat-bench whose known
				  * answers stand for it */
	const char *unit;        /* Gbps; MOps for operations without a size */
	struct numbers sizes;    /* bytes; empty: it has none */
	struct numbers cores;    /* rising; 1 when absent */
	int64_t burst;           /* DPDK; 32 */
	struct names limits;     /* what it asks of the core for every byte: aes-128,
				  * ghash, sha1 … (bench/limit.c) */
	struct names checks;     /* ids (globs) of audit's checks that are known to slow it down */
};

struct suite {
	const char *name, *summary;
	int64_t version;          /* raised when a case comes to mean another thing */
	int64_t seconds;          /* it must not take longer on an idle machine */
	struct field_array cases; /* struct suite_case */
	const char *path;         /* its file */
};

extern const struct field_table suite_table, suite_case_table;

#define SUITE_CASES_MAX 512
#define SUITE_BURST 32

/* The shipped suite of this name, or an error that names the nearest (EXIT_USAGE). A path with a
 * slash is a suite of the user's own, which must not have the name of a shipped one. */
bool suite_load(struct arena *arena, const char *name, const struct suite **out, struct error *err);
/* The same from bytes; `path` is for messages. */
bool suite_read(struct arena *arena, const char *path, struct view text, const struct suite **out,
		struct error *err);
/* What the field table cannot say; done by suite_read(). */
bool suite_check(struct arena *arena, const struct json *json, const struct suite *suite,
		 struct error *err);
/* Names of the shipped ones, sorted. */
bool suite_names(struct arena *arena, struct names *out, struct error *err);
const struct suite_case *suite_find(const struct suite *suite, const char *name);
