// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/elf.h"

/*
 * Instructions of AArch64 that matter to cryptography, counted in the executable sections of an ELF
 * file: which ones, how many, and in which functions. Encodings are those of the Arm Architecture
 * Reference Manual for A-profile architecture (DDI 0487), extensions are spelled as the kernel
 * spells HWCAPs. Everything lives in the root's arena.
 */
#define INSTRUCTION_FUNCTIONS_MAX 4096 /* of one family; what is in others is counted together */
#define INSTRUCTION_CODE_MAX ((uint64_t)1 << 30)

struct instruction_function {
	const char *name; /* NULL: not known */
	uint64_t count;
	const void *key;
};

/* One mnemonic ("eor3"), or a set of them that only matters as a whole ("sve"). */
struct instruction_family {
	const char *name, *extension;
	uint64_t count;
	struct instruction_function *functions; /* by address */
	size_t function_count, function_room;
	uint64_t unlisted; /* of count: in functions past the maximum */
};

struct instruction_scan {
	bool applicable;    /* a 64-bit little-endian file of AArch64; else nothing was looked at */
	bool stripped;      /* no .symtab: functions are those of .dynsym, or not known */
	bool mapped;        /* mapping symbols tell code from data; else data may be counted */
	const char *damage; /* NULL, or why the counts are not all of it */
	uint64_t code_bytes;                 /* looked at */
	struct instruction_family *families; /* every one, in a fixed order */
	size_t family_count;
};

/* Never NULL. Also of relocatable objects, and of all members of an archive of them. */
const struct instruction_scan *instructions_scan(struct elf *elf);
/* NULL: no family of that name. */
const struct instruction_family *instructions_find(const struct instruction_scan *scan,
						   const char *name);
/*
 * Families (or all of an extension) that `foreign` names and that occur outside functions whose
 * names match the globs `dispatched`: "eor3 in FUNCTION (3)". Where the function is not known that
 * is said, and it counts as outside; whether data was counted is for the caller to see (`mapped`).
 */
void instructions_outside(struct arena *arena, const struct instruction_scan *scan,
			  const struct names *foreign, const struct names *dispatched,
			  struct names *out);

/* Encodings, for instructions.c: an instruction is one when its bits under `mask` are `value`. Rows
 * of one family stand together. */
struct instruction_row {
	const char *name, *extension;
	uint32_t mask, value;
};

#define INSTRUCTION_ROWS_MAX 64
extern const struct instruction_row instruction_rows[];
extern const size_t instruction_row_count;
