// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct root;

/*
 * One ELF file (System V gABI, ELF32 and ELF64, both byte orders), read through the root in small
 * ranges, never whole: what a dynamic loader and an audit ask of it. Offsets and sizes in the file
 * are bytes. Everything lives in the root's arena. A file that cannot be used says why in `damage`;
 * nothing in it is trusted.
 */
#define ELF_SEGMENTS_MAX 64
#define ELF_DYNAMIC_MAX 4096  /* entries of the dynamic section */
#define ELF_VERSIONS_MAX 4096 /* version definitions, and needs, of one file */
#define ELF_STRING_MAX 4096   /* bytes of one string, its NUL included */
#define ELF_NEEDED_MAX 1024

/* A relocatable object is damaged to elf_read(), which serves loaders; its sections can be read. */
enum elf_type { ELF_TYPE_REL = 1, ELF_TYPE_EXEC = 2, ELF_TYPE_DYN = 3 };
/* Whether PT_GNU_STACK wants the stack executable; without one the system decides. */
enum elf_stack { ELF_STACK_NOT_SAID, ELF_STACK_PLAIN, ELF_STACK_EXECUTABLE };
enum elf_machine {
	ELF_MACHINE_386 = 3,
	ELF_MACHINE_ARM = 40,
	ELF_MACHINE_X86_64 = 62,
	ELF_MACHINE_AARCH64 = 183,
};
#define ELF_FLAG_ORIGIN 0x1u /* DF_ORIGIN in DT_FLAGS, DF_1_ORIGIN is 0x80 in DT_FLAGS_1 */
#define ELF_FLAG_1_NODEFLIB 0x800u
#define ELF_FLAG_1_PIE 0x8000000u

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, address, size; /* size in the file */
};

struct elf_range;

struct elf {
	const char *path;
	int number;         /* errno value of reading it, 0 */
	const char *damage; /* NULL when usable: "not an ELF file", "cut short" … */
	unsigned bits;      /* 32, 64 */
	bool big_endian, dynamic;
	uint16_t type, machine;
	uint64_t size, device, inode;
	uint32_t mode;       /* permission bits, set-user-ID and set-group-ID among them */
	const char *interp;  /* PT_INTERP, NULL: a library, or static */
	struct names needed; /* in file order, not sorted */
	const char *soname, *rpath, *runpath;
	uint64_t flags, flags_1;
	bool text_relocations; /* DT_TEXTREL, or DF_TEXTREL in DT_FLAGS */
	enum elf_stack stack;
	uint64_t base; /* of a member of an archive: where it begins in the file; else 0 */
	/* For the elf_*.c files only. */
	struct root *root;
	struct elf_range *ranges;
	struct elf_segment *segments;
	size_t segment_count;
	uint64_t strings, strings_size; /* offsets in the file, 0: none */
	uint64_t symbols, gnu_hash;
	uint64_t version_needs, version_needs_count, version_defs, version_defs_count;
	struct elf_needs *needs;
	struct elf_defs *defs;
};

/* Never NULL; `number` or `damage` is set when it could not be read. */
struct elf *elf_read(struct root *root, const char *path);
/* A part of a file that is one itself; the bytes are there. */
struct elf *elf_read_member(const struct elf *file, uint64_t offset, uint64_t size);

/* Bytes at an offset of the file; false when the file has not that many, or could not be read. */
bool elf_bytes(struct elf *elf, uint64_t offset, size_t size, const uint8_t **out);
/* Reads a range into memory, if the file reaches so far; an errno value. For elf.c. */
int elf_range_read(struct elf *elf, uint64_t offset, size_t size);
uint64_t elf_number(const struct elf *elf, const uint8_t *at, unsigned bytes);
/* A string of the dynamic string table; NULL when it is outside or has no end. */
const char *elf_string(struct elf *elf, uint64_t index);
/* The file offset of a virtual address; false when no segment of the file holds it. */
bool elf_offset(const struct elf *elf, uint64_t address, uint64_t *offset);
/* GNU build id in lower case hex, NULL when there is none. */
const char *elf_build_id(struct elf *elf);

/* A version that this file wants from another one (DT_VERNEED). */
struct elf_need {
	const char *file, *version;
	uint32_t hash;
	bool weak;
};

struct elf_needs {
	struct elf_need *items;
	size_t count;
	bool damaged;
};

const struct elf_needs *elf_version_needs(struct elf *elf);

/* The versions this file defines (DT_VERDEF), the base entry (its own name) left out. */
struct elf_def {
	uint32_t hash;
	uint32_t name; /* for elf_string() */
};

struct elf_defs {
	struct elf_def *items;
	size_t count;
	bool damaged;
};

const struct elf_defs *elf_version_defs(struct elf *elf);
bool elf_defines(struct elf *elf, const char *version, uint32_t hash);
uint32_t elf_version_hash(const char *version);

/* A defined symbol, found through DT_GNU_HASH: its address and size; false when it is not there. */
bool elf_symbol(struct elf *elf, const char *name, uint64_t *address, uint64_t *size);
/* What a function that only returns a constant returns (x86-64 and aarch64 code); false for any
 * other function. */
bool elf_constant(struct elf *elf, const char *function, uint64_t *number);
