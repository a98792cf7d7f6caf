// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/elf_sections.h"

/*
 * Which bytes of executable sections are instructions, by the mapping symbols $x and $d of "ELF for
 * the Arm 64-bit Architecture (AArch64)" (aaelf64, "Mapping symbols"), and which function an
 * address belongs to: the sized function around it (the inner one of two), else the nearest symbol
 * before it that no sized function ends, named functions and global symbols before local labels.
 * Names come from .symtab, else, for sized functions only, from .dynsym. Everything lives in the
 * root's arena.
 */
struct code_function {
	uint64_t address, size; /* size 0: not known */
	uint32_t index, name;
	uint16_t section;
	uint8_t rank;
	const char *text; /* its name, once it was asked for */
};

struct code_mark {
	uint64_t address;
	uint32_t index;
	uint16_t section;
	bool code;
};

/* Linkers keep the names of one object together or, sharing them, store "$x" once. */
#define CODE_MAP_ROOM ((size_t)8 << 10)

struct code_map {
	uint8_t bytes[CODE_MAP_ROOM];
	struct elf_window strings;
	const struct elf_section *names;
	struct code_mark *marks;
	struct code_function *functions;
	size_t mark_count, function_count;
	bool stripped; /* no .symtab */
	bool mapped;   /* there are mapping symbols */
	const char *damage;
};

void code_map_read(struct code_map *map, struct elf *elf, const struct elf_sections *sections);

/* A walk through one section, addresses going up. */
struct code_cursor {
	struct code_map *map;
	uint16_t section;
	size_t mark, function;
	struct code_function *around, *outer, *named, *label;
};

struct code_cursor code_cursor_begin(struct code_map *map, uint16_t section);
/* Whether there is code at an address, and where that changes next (UINT64_MAX: nowhere). */
bool code_cursor_is_code(struct code_cursor *cursor, uint64_t address, uint64_t *until);
/* NULL: not known. */
struct code_function *code_cursor_function(struct code_cursor *cursor, uint64_t address);
/* NULL: it cannot be read. */
const char *code_function_name(struct code_map *map, struct code_function *function);
