// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>

struct arena;
struct error;
struct host;

/* A library or program that is benched. */
struct bench_piece {
	const char *path; /* NULL: not there */
	const char *version;
	const char *arch;      /* of the file: aarch64, x86_64 */
	struct names emulator; /* words in front of it; empty: it runs natively */
	const char *why;       /* path NULL: why, for people, and what to do */
};

/*
 * What is benched: trees that setup installed, a plain prefix (lib, lib64, bin), or what the
 * distribution has. Nothing is run to find it.
 */
struct bench_stack {
	const char *origin; /* "setup in PREFIX", "prefix DIR", "the distribution" */
	struct bench_piece libcrypto, openssl, dpdk, bssl;
	struct bench_piece answers; /* a libcrypto that runs natively, for expected answers */
	struct names devices;       /* crypto devices this DPDK was built with: "crypto_openssl" */
	bool devices_known;         /* else a run tells */
	bool emulated;              /* any piece has an emulator */
};

struct bench_stack_request {
	struct host *host;
	struct names trees;  /* "NAME=DIRECTORY" of the active generation */
	const char *prefix;  /* a plain prefix, when there are no trees; NULL: the distribution */
	const char *sysroot; /* for foreign programs; NULL */
	const char *cpu;     /* qemu's model for foreign programs; NULL: its default */
};

bool bench_stack_find(struct arena *arena, const struct bench_stack_request *request,
		      struct bench_stack *out, struct error *err);
