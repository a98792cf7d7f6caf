// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"

struct arena;
struct error;
struct target;

/*
 * The compiler that builds for a target, the flags it was found to take (the ladder of the CPU
 * profile, each step compiled and assembled, the __ARM_FEATURE_ macros read back), and its
 * identity: the files of its driver and of its compiler proper. Asked once; the answer is cached
 * and holds while these files are the same.
 */
struct toolchain {
	const char *kind;            /* gcc, clang */
	const char *path;            /* the driver */
	struct names cc;             /* the command: driver, and --target= for clang */
	const char *version;         /* first line of --version */
	const char *triplet;         /* what it makes code for */
	const char *tool_prefix;     /* of ar, ranlib, strip: "aarch64-linux-gnu-" or "" */
	struct names flags;          /* for the target */
	struct names user_flags;     /* CFLAGS of the user */
	const char *wanted;          /* the top of the ladder; NULL: no profile */
	struct names refused;        /* "FLAGS: why", the steps above the one taken */
	struct names macros;         /* __ARM_FEATURE_… with the flags */
	const char *driver, *proper; /* identities: "PATH DEVICE:INODE:SIZE:MTIME:CTIME" */
	const char *sysroot;         /* where headers and libraries of the target are, or NULL */
};

extern const struct field_table toolchain_table;

struct toolchain_request {
	const struct target *target;
	const char *cc, *cflags; /* CC and CFLAGS of the user, NULL or empty: not set */
	const char *sysroot;     /* --sysroot */
	const char *cache;       /* a directory with answers; NULL: none */
};

/* Which packages have a compiler is said when there is none; flags for a machine in CFLAGS are
 * refused (they would beat the target's); a compiler without any step of the ladder exits 6. */
bool toolchain_find(struct arena *arena, const struct toolchain_request *request,
		    struct toolchain *out, struct error *err);
/* Under the lock of the prefix: puts the answer into the cache. That it cannot only costs time. */
void toolchain_keep(struct arena *arena, const struct toolchain_request *request,
		    const struct toolchain *toolchain);
