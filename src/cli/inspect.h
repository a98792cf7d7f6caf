// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* What one file is, needs and holds: a result of `ampere-crypto inspect`. NULL texts are "has none"
 * or "not known", as the tables of inspect_fields.c say. */
struct inspect_function {
	const char *name; /* NULL: not known */
	int64_t count;
};

struct inspect_instruction {
	const char *name, *extension;
	int64_t count;
	struct field_array functions; /* struct inspect_function */
};

struct inspect_code {
	bool stripped, mapped;
	const char *damage;
	int64_t code_bytes;
	struct field_array instructions; /* struct inspect_instruction: those that occur */
	struct names missing;            /* the profile expects them */
	struct names foreign;            /* "eor3 in FUNCTION (3)": the profile's CPUs lack them */
};

struct inspect_library {
	const char *name, *path, *version, *reason, *asked_by;
};

struct inspect_file {
	const char *path;
	const char *problem; /* NULL, or why nothing else is known, or not all of it */
	const char *kind, *machine;
	int64_t bits;
	const char *soname, *interp, *rpath, *runpath;
	struct names needed;
	bool text_relocations;
	const char *stack;
	struct names compilers, flags;
	bool flags_recorded;
	struct inspect_code *code;         /* NULL: not a file of AArch64 */
	struct inspect_library *libcrypto; /* NULL: none is loaded, or not known */
	const char *libcrypto_unknown;     /* why it is not known; NULL */
};

extern const struct field_table inspect_file_table, inspect_summary_table;

struct inspect_summary {
	int64_t files, problems;
	const char *profile; /* NULL: this machine has none */
};

struct document;

/* One file for people, under its path; nothing when it has a problem. */
void inspect_show(struct document *document, const struct inspect_file *file, const char *profile);
