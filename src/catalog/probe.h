// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "host/facts.h"

struct cpu_profile;
struct identity;

/*
 * What the compilers on PATH make of the flags of a CPU: which step of the profile's ladder each
 * accepts, whether it then assembles aese (and eor3 where the CPU has it), and which __ARM_FEATURE_
 * macros it defines. Never -mcpu=native: the answer is about the CPU of the profile, not about the
 * machine the compiler runs on.
 */
struct probe_compiler {
	const char *name, *path;
	const char *kind;     /* gcc, clang: whose ladder it was given */
	const char *version;  /* first line of --version; NULL */
	const char *target;   /* "aarch64-linux-gnu"; NULL */
	const char *accepted; /* the first step that works; NULL: none */
	struct names refused; /* "FLAGS: why", the steps above it */
	struct names macros;  /* __ARM_FEATURE_… with the accepted flags */
	struct names words;   /* of its command, behind path: of "ccache gcc", gcc */
	bool silent;          /* ran over its time: not asked again */
	const char *why;      /* why nothing was accepted; NULL */
};

struct probe {
	struct probe_compiler *compilers;
	size_t count;
};

extern const struct field_table probe_compiler_table;

/* Runs the compilers; `profile` may be NULL. Never fails: what does not work is said of the
 * compiler. */
const struct probe *probe_run(struct arena *arena, const struct cpu_profile *profile);
/* One compiler by its command, for a profile. */
void probe_one(struct arena *arena, const char *kind, const struct names *command,
	       const struct cpu_profile *profile, struct probe_compiler *out);
/* Names the flags a compiler here accepted in the identity's flags. */
void probe_apply(struct arena *arena, const struct probe *probe, struct identity *identity);

extern const struct fact_table probe_facts; /* software.compiler */
