// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/arena.h"
#include "base/base64.h"
#include "base/text.h"

#include <stdint.h>
#include <string.h>

/*
 * A small ELF file of either class and byte order, by the gABI: header, program headers at 64,
 * interpreter at 0x200, strings at 0x240, versions at 0x400 and 0x440, dynamic section at 0x480,
 * symbols, hash and code behind; 0x800 bytes, one segment that maps address 0x10000 to offset 0.
 */
enum { ELF_FILE_SIZE = 0x800, ELF_FILE_BASE = 0x10000 };
enum {
	AT_INTERP = 0x200,
	AT_STRINGS = 0x240,
	AT_NEEDS = 0x400,
	AT_DEFS = 0x440,
	AT_DYNAMIC = 0x480
};
enum { AT_SYMBOLS = 0x600, AT_HASH = 0x640, AT_CODE = 0x680 };

struct elf_file {
	unsigned char bytes[ELF_FILE_SIZE];
	unsigned bits;
	bool big;
	size_t dynamic, strings; /* ends so far */
};

static inline void put(struct elf_file *file, size_t at, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		file->bytes[at + (file->big ? size - 1 - i : i)] = (unsigned char)(number >> 8 * i);
}

static inline uint64_t put_string(struct elf_file *file, const char *text)
{
	size_t at = file->strings;

	memcpy(file->bytes + at, text, strlen(text) + 1);
	file->strings += strlen(text) + 1;
	return at - AT_STRINGS;
}

static inline void put_dynamic(struct elf_file *file, uint64_t tag, uint64_t value)
{
	unsigned word = file->bits / 8;

	put(file, file->dynamic, tag, word);
	put(file, file->dynamic + word, value, word);
	file->dynamic += 2 * (size_t)word;
}

static inline void put_segment(struct elf_file *file, unsigned index, uint32_t type,
			       uint64_t offset, uint64_t size)
{
	bool wide = file->bits == 64;
	size_t at = (wide ? 64 : 52) + index * (size_t)(wide ? 56 : 32);
	unsigned word = file->bits / 8;

	put(file, at, type, 4);
	put(file, at + (wide ? 4 : 24), 5, 4);
	put(file, at + (wide ? 8 : 4), offset, word);
	put(file, at + (wide ? 16 : 8), ELF_FILE_BASE + offset, word);
	put(file, at + (wide ? 32 : 16), size, word);
	put(file, at + (wide ? 40 : 20), size, word);
}

static inline void put_header(struct elf_file *file, unsigned machine)
{
	bool wide = file->bits == 64;

	memcpy(file->bytes, "\177ELF", 4);
	file->bytes[4] = wide ? 2 : 1;
	file->bytes[5] = file->big ? 2 : 1;
	file->bytes[6] = 1;
	put(file, 16, 3, 2);
	put(file, 18, machine, 2);
	put(file, wide ? 32 : 28, wide ? 64 : 52, wide ? 8 : 4);
	put(file, wide ? 54 : 42, wide ? 56 : 32, 2);
	put(file, wide ? 56 : 44, 3, 2);
}

/* One needed version: VERSION of FILE. */
static inline void put_need(struct elf_file *file, const char *name, const char *version,
			    uint32_t hash, unsigned flags)
{
	put(file, AT_NEEDS, 1, 2);
	put(file, AT_NEEDS + 2, 1, 2);
	put(file, AT_NEEDS + 4, put_string(file, name), 4);
	put(file, AT_NEEDS + 8, 16, 4);
	put(file, AT_NEEDS + 16, hash, 4);
	put(file, AT_NEEDS + 20, flags, 2);
	put(file, AT_NEEDS + 24, put_string(file, version), 4);
	put_dynamic(file, 0x6ffffffe, ELF_FILE_BASE + AT_NEEDS);
	put_dynamic(file, 0x6fffffff, 1);
}

/* The base entry and one version. */
static inline void put_def(struct elf_file *file, const char *name, const char *version,
			   uint32_t hash)
{
	for (unsigned i = 0; i < 2; i++) {
		size_t at = AT_DEFS + i * 28;

		put(file, at, 1, 2);
		put(file, at + 2, i == 0, 2);
		put(file, at + 4, i + 1, 2);
		put(file, at + 6, 1, 2);
		put(file, at + 8, i == 0 ? 0 : hash, 4);
		put(file, at + 12, 20, 4);
		put(file, at + 16, i == 0 ? 28 : 0, 4);
		put(file, at + 20, put_string(file, i == 0 ? name : version), 4);
	}
	put_dynamic(file, 0x6ffffffc, ELF_FILE_BASE + AT_DEFS);
	put_dynamic(file, 0x6ffffffd, 2);
}

/* One defined function, the only one of its hash table, with its code. */
static inline void put_function(struct elf_file *file, const char *name, uint32_t hash,
				const void *code, size_t size)
{
	bool wide = file->bits == 64;
	size_t at = AT_SYMBOLS + (wide ? 24 : 16);
	const uint32_t table[] = {1, 1, 1, 0};

	put(file, at, put_string(file, name), 4);
	put(file, at + (wide ? 6 : 14), 1, 2);
	put(file, at + (wide ? 8 : 4), ELF_FILE_BASE + AT_CODE, wide ? 8 : 4);
	put(file, at + (wide ? 16 : 8), size, wide ? 8 : 4);
	for (size_t i = 0; i < 4; i++)
		put(file, AT_HASH + i * 4, table[i], 4);
	put(file, AT_HASH + 16 + file->bits / 8, 1, 4);
	put(file, AT_HASH + 20 + file->bits / 8, hash | 1, 4);
	memcpy(file->bytes + AT_CODE, code, size);
	put_dynamic(file, 6, ELF_FILE_BASE + AT_SYMBOLS);
	put_dynamic(file, 0x6ffffef5, ELF_FILE_BASE + AT_HASH);
}

static inline void elf_file_begin(struct elf_file *file, unsigned bits, bool big, unsigned machine)
{
	*file = (struct elf_file){
		.bits = bits, .big = big, .dynamic = AT_DYNAMIC, .strings = AT_STRINGS + 1};
	put_header(file, machine);
}

static inline void elf_file_end(struct elf_file *file, const char *interp)
{
	unsigned word = file->bits / 8;

	put_dynamic(file, 5, ELF_FILE_BASE + AT_STRINGS);
	put_dynamic(file, 10, file->strings - AT_STRINGS);
	put_segment(file, 0, 1, 0, ELF_FILE_SIZE);
	put_segment(file, 1, 2, AT_DYNAMIC, file->dynamic + 2 * (size_t)word - AT_DYNAMIC);
	if (interp) {
		memcpy(file->bytes + AT_INTERP, interp, strlen(interp) + 1);
		put_segment(file, 2, 3, AT_INTERP, strlen(interp) + 1);
	}
}

/* "\"PATH\":{\"base64\":\"…\"}" */
static inline const char *elf_file_question(struct arena *arena, const char *path,
					    const void *bytes, size_t size)
{
	return arena_printf(arena, "\"%s\":{\"base64\":\"%s\"}", path,
			    base64_encode(arena, (struct view){bytes, size}));
}
