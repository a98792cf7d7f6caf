// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>

struct arena;
struct cpu_profiles;
struct error;
struct identity;

/* What is built for. A named CPU has a profile; `native` is this machine's architecture with flags
 * that every CPU of it has. */
struct target {
	const char *name;    /* altra, altramax, ampereone-ac03, ampereone-ac04, native */
	const char *family;  /* for the conditions of recipes; equals name */
	const char *arch;    /* aarch64, x86_64 */
	const char *triplet; /* aarch64-linux-gnu */
	const struct cpu_profile *profile; /* NULL: native */
	bool cross;                        /* another architecture than this machine's */
};

/*
 * `name` as given to --target, or NULL: the CPU of this machine when it is certain, else native.
 * `arch` is the build machine's, as uname(2) says it. Unknown words are a usage error, CPUs that
 * exist and cannot be built for exit 6.
 */
bool target_choose(struct arena *arena, const struct cpu_profiles *profiles, const char *name,
		   const struct identity *identity, const char *arch, struct target *out,
		   struct error *err);
