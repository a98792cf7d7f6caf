// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/elf.h"

/*
 * Sections and symbols of an ELF file (System V gABI, "Sections", "Symbol Table"), for a look at
 * one file: loaders need neither. Also of relocatable objects. Read in windows, never whole, and
 * not remembered by the root. Everything lives in the root's arena; nothing in the file is trusted.
 */
#define ELF_SECTIONS_MAX 16384
#define ELF_SYMBOLS_MAX ((uint64_t)1 << 21) /* of one table */

enum elf_section_type {
	ELF_SECTION_SYMBOLS = 2,
	ELF_SECTION_STRINGS = 3,
	ELF_SECTION_NO_BITS = 8,
	ELF_SECTION_DYNAMIC_SYMBOLS = 11,
};
#define ELF_SECTION_EXECUTABLE 0x4u

struct elf_section {
	const char *name; /* "" when it has none that can be read */
	uint32_t type, link;
	uint64_t flags, address, offset, size; /* what is NO_BITS has no bytes in the file */
};

struct elf_sections {
	struct elf_section *items; /* by their index */
	size_t count;              /* 0: the file has none */
	const char *damage;        /* NULL, or why they cannot be used */
};

/* Whether the file can be looked at: usable, or damaged only by being an object. */
bool elf_has_sections(const struct elf *elf);
struct elf_sections elf_sections_read(struct elf *elf);
/* The first of a type or of a name; NULL. */
const struct elf_section *elf_section_typed(const struct elf_sections *sections, uint32_t type);
const struct elf_section *elf_section_named(const struct elf_sections *sections, const char *name);

/* A part of the file in memory of the caller, which moves. */
struct elf_window {
	struct elf *elf;
	uint8_t *bytes;
	size_t room, size;
	uint64_t offset;
};

/* `size` bytes (at most `room`) at an offset, valid until the next call; NULL when they are not
 * there. */
const uint8_t *elf_window_at(struct elf_window *window, uint64_t offset, size_t size);

struct elf_symbol {
	uint64_t value, size;
	uint32_t name; /* in the string table */
	uint16_t section;
	uint8_t type, binding;
};

enum elf_symbol_type { ELF_SYMBOL_NOTYPE = 0, ELF_SYMBOL_FUNCTION = 2, ELF_SYMBOL_IFUNC = 10 };
enum elf_symbol_binding { ELF_SYMBOL_LOCAL = 0, ELF_SYMBOL_GLOBAL = 1, ELF_SYMBOL_WEAK = 2 };

#define ELF_SYMBOLS_ROOM ((size_t)24 << 10)

struct elf_symbols {
	uint8_t bytes[ELF_SYMBOLS_ROOM];
	struct elf_window window;
	const struct elf_section *strings;
	uint64_t offset, index, count;
	const char *damage; /* NULL, or why the table cannot be used, or not to its end */
};

void elf_symbols_begin(struct elf_symbols *symbols, struct elf *elf,
		       const struct elf_sections *sections, const struct elf_section *table);
/* False at the end, and at damage. */
bool elf_symbols_next(struct elf_symbols *symbols, struct elf_symbol *out);
/* A string of a table of strings, copied; NULL when it is outside, or has no end within
 * ELF_STRING_MAX. */
const char *elf_section_string(struct elf_window *window, const struct elf_section *strings,
			       uint64_t index);

/* What compilers left in .comment and, asked to (-frecord-gcc-switches), in .GCC.command.line. */
struct elf_traces {
	struct names compilers; /* "GCC: (Debian 12.2.0-14) 12.2.0", each once */
	bool recorded;          /* whether there is a record of command lines */
	struct names flags;     /* their -mcpu=, -march= and -mtune=, each once */
};

#define ELF_TRACES_MAX 64

struct elf_traces elf_traces_read(struct elf *elf, const struct elf_sections *sections);
