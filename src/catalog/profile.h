// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"

#include <stdbool.h>

struct arena;
struct error;

/* One step of a flag ladder: tried from the top, each a set of words for the compiler. */
struct flag_step {
	const char *flags; /* "-mcpu=ampere1a" */
	const char *why;   /* which compilers it is for, and what goes wrong with the step above */
};

/* All that is known of one CPU: profiles/cpu/NAME.json. Numbers that no source gives are absent and
 * stay unknown. */
struct cpu_profile {
	const char *name;                      /* "altra"; the file's name */
	const char *title;                     /* "Ampere Altra" */
	const char *family;                    /* as in the host object */
	int64_t implementer, part;             /* MIDR */
	struct maybe_number variant, revision; /* where other values are other silicon */
	const char *soc_id;                    /* "jep106:0a16:0001" or NULL */
	const char *processor_version;         /* SMBIOS type 4, exact, or NULL */
	const char *part_number;               /* SMBIOS type 4, glob: "Q*-*", or NULL */
	struct maybe_number most_cores;        /* of a package; more is other silicon */
	bool ampere;                    /* made by Ampere: firmware and memory checks apply */
	struct names features;          /* that crypto needs: cpu.features wants all of them */
	struct names features_absent;   /* that this silicon does not have */
	struct field_array gcc, clang;  /* struct flag_step: the ladder, top first */
	struct maybe_number channels;   /* per package */
	struct maybe_number channels_m; /* where product M has more */
	struct maybe_number memory_mts; /* ceiling of the family in MT/s */
	struct maybe_number memory_mts_m;
	struct maybe_number armcap; /* OpenSSL's capability word */
	const char *dpdk_platform;
	struct maybe_number dpdk_lcores;
	struct names expected_instructions;
	const char *emulator; /* qemu -cpu that has its MIDR and features */
	struct names references;
};

struct cpu_profiles {
	struct cpu_profile *items;
	size_t count;
};

extern const struct field_table cpu_profile_table;

/* Every file of profiles/cpu. */
bool cpu_profiles_load(struct arena *arena, struct cpu_profiles *out, struct error *err);
const struct cpu_profile *cpu_profiles_find(const struct cpu_profiles *profiles, const char *name);
