// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "host/facts.h"

/* What machine this is, and how that is known: the `host` object of every command's JSON. NULL and
 * !known are "not known". */
struct identity {
	const char *arch;
	const char *family;  /* altra altramax ampereone-ac03 ampereone-ac04 ampere-unknown emag
				neoverse-n1 other */
	const char *product; /* X, M or NULL */
	const char *family_confidence; /* certain likely unknown */
	const char *sku;
	const char *midr; /* "0x413fd0c1" */
	struct maybe_number implementer, part, variant, revision;
	struct names features;
	struct maybe_number packages, cpus, nodes, page_size_bytes, timer_hz;
	const char *kernel;
	struct identity_firmware {
		const char *vendor, *version, *date;
	} firmware;
	struct identity_machine {
		const char *vendor, *product;
	} machine;
	struct identity_virtualization {
		const char *vm, *container;
	} virtualization;
	struct field_array evidence; /* struct evidence: every piece, in order of trust */
	struct names contradictions;
	struct identity_flags *flags; /* compiler flags; NULL unless there is a profile */
};

/* One compiler's flags: wanted is the top of the profile's ladder; accepted what the compiler here
 * took (detect --probe). */
struct compiler_flags {
	const char *wanted, *accepted, *fallback, *why;
};

struct identity_flags {
	struct compiler_flags gcc, clang;
};

extern const struct field_table identity_table;

struct cpu_profiles;

/* Judges the evidence of a host; sets facts->identity and facts->profile. Never fails: what is not
 * known stays NULL. */
const struct identity *identity_read(struct facts *facts, const struct cpu_profiles *profiles);
/* The evidence of which silicon this is, in order of trust, and what it decides (identity_judge.c).
 */
const struct cpu_profile *identity_judge(struct facts *facts, const struct cpu_profiles *profiles,
					 struct identity *identity);
/* The facts that come from it: cpu.family, cpu.sku, cpu.features-missing … */
extern const struct fact_table identity_facts;
