// SPDX-License-Identifier: BSD-2-Clause
#include "host/elf.h"

#include "base/arena.h"
#include "host/root.h"

#include <errno.h>
#include <string.h>

/* System V gABI, "ELF header", "Program header", "Dynamic section"; GNU extensions of the LSB. */
enum {
	SEGMENT_LOAD = 1,
	SEGMENT_DYNAMIC = 2,
	SEGMENT_INTERP = 3,
	SEGMENT_NOTE = 4,
	SEGMENT_GNU_STACK = 0x6474e551,
	SEGMENT_EXECUTABLE = 1,
	FLAG_TEXT_RELOCATIONS = 4, /* DF_TEXTREL in DT_FLAGS */
};
/* Headers, program headers, interpreter and notes usually stand in the first kilobyte. */
#define FIRST_READ 1024u

/* Where the fields stand in each class. */
struct elf_class {
	uint8_t header_size, word;
	uint8_t segments_at, segment_size_at, segment_count_at;
	uint8_t segment_size, offset_at, address_at, size_at, flags_at;
};

static const struct elf_class class_32 = {
	.header_size = 52,
	.word = 4,
	.segments_at = 28,
	.segment_size_at = 42,
	.segment_count_at = 44,
	.segment_size = 32,
	.offset_at = 4,
	.address_at = 8,
	.size_at = 16,
	.flags_at = 24,
};

static const struct elf_class class_64 = {
	.header_size = 64,
	.word = 8,
	.segments_at = 32,
	.segment_size_at = 54,
	.segment_count_at = 56,
	.segment_size = 56,
	.offset_at = 8,
	.address_at = 16,
	.size_at = 32,
	.flags_at = 4,
};

enum dynamic_tag {
	TAG_NEEDED = 1,
	TAG_STRTAB = 5,
	TAG_SYMTAB = 6,
	TAG_STRSZ = 10,
	TAG_SONAME = 14,
	TAG_RPATH = 15,
	TAG_TEXTREL = 22,
	TAG_RUNPATH = 29,
	TAG_FLAGS = 30,
	TAG_GNU_HASH = 0x6ffffef5,
	TAG_FLAGS_1 = 0x6ffffffb,
	TAG_VERDEF = 0x6ffffffc,
	TAG_VERDEFNUM = 0x6ffffffd,
	TAG_VERNEED = 0x6ffffffe,
	TAG_VERNEEDNUM = 0x6fffffff,
};

struct dynamic_row {
	uint32_t tag;
	bool address;  /* the value is a virtual address: stored as an offset in the file */
	size_t member; /* a uint64_t of struct elf_dynamic */
};

struct elf_dynamic {
	uint64_t strtab, strsz, symtab, soname, rpath, runpath, flags, flags_1, gnu_hash;
	uint64_t verdef, verdef_count, verneed, verneed_count;
	uint64_t needed[ELF_NEEDED_MAX];
	size_t needed_count;
	bool text_relocations;
};

#define ROW(t, a, m)                                                                               \
	{                                                                                          \
		.tag = (t), .address = (a), .member = offsetof(struct elf_dynamic, m)              \
	}
static const struct dynamic_row dynamic_rows[] = {
	ROW(TAG_STRTAB, true, strtab),
	ROW(TAG_STRSZ, false, strsz),
	ROW(TAG_SYMTAB, true, symtab),
	ROW(TAG_SONAME, false, soname),
	ROW(TAG_RPATH, false, rpath),
	ROW(TAG_RUNPATH, false, runpath),
	ROW(TAG_FLAGS, false, flags),
	ROW(TAG_FLAGS_1, false, flags_1),
	ROW(TAG_GNU_HASH, true, gnu_hash),
	ROW(TAG_VERDEF, true, verdef),
	ROW(TAG_VERDEFNUM, false, verdef_count),
	ROW(TAG_VERNEED, true, verneed),
	ROW(TAG_VERNEEDNUM, false, verneed_count),
};
#undef ROW

static const struct elf_class *class_of(const struct elf *elf)
{
	return elf->bits == 64 ? &class_64 : &class_32;
}

uint64_t elf_number(const struct elf *elf, const uint8_t *at, unsigned bytes)
{
	uint64_t number = 0;
	for (unsigned i = 0; i < bytes; i++)
		number = number << 8 | at[elf->big_endian ? i : bytes - 1 - i];
	return number;
}

const char *elf_string(struct elf *elf, uint64_t index)
{
	if (index >= elf->strings_size)
		return NULL;
	uint64_t left = elf->strings_size - index;
	static const size_t tries[] = {64, 256, ELF_STRING_MAX};
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		size_t size = left < tries[i] ? (size_t)left : tries[i];
		const uint8_t *at;
		if (!elf_bytes(elf, elf->strings + index, size, &at))
			return NULL;
		if (memchr(at, 0, size))
			return (const char *)at;
	}
	return NULL;
}

bool elf_offset(const struct elf *elf, uint64_t address, uint64_t *offset)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if (s->type != SEGMENT_LOAD || address < s->address ||
		    address - s->address >= s->size)
			continue;
		if (s->offset > elf->size || address - s->address > elf->size - s->offset)
			return false;
		*offset = s->offset + (address - s->address);
		return true;
	}
	return false;
}

static const char *header_read(struct elf *elf)
{
	const uint8_t *at;
	if (elf->size < class_32.header_size)
		return "cut short";
	/* One read for the header and what usually follows it. */
	int number = elf_range_read(elf, 0, FIRST_READ);
	if (number) {
		elf->number = number;
		return strerrordesc_np(number);
	}
	if (!elf_bytes(elf, 0, class_32.header_size, &at))
		return "cut short";
	if (memcmp(at, "\177ELF", 4) != 0)
		return "not an ELF file";
	if ((at[4] != 1 && at[4] != 2) || (at[5] != 1 && at[5] != 2) || at[6] != 1)
		return "neither ELF32 nor ELF64";
	elf->bits = at[4] == 2 ? 64 : 32;
	elf->big_endian = at[5] == 2;
	elf->type = (uint16_t)elf_number(elf, at + 16, 2);
	elf->machine = (uint16_t)elf_number(elf, at + 18, 2);
	if (elf->type != ELF_TYPE_EXEC && elf->type != ELF_TYPE_DYN)
		return "neither a program nor a library";
	return NULL;
}

static const char *segments_read(struct elf *elf)
{
	const struct elf_class *class = class_of(elf);
	const uint8_t *at;
	if (!elf_bytes(elf, 0, class->header_size, &at))
		return "cut short";
	uint64_t offset = elf_number(elf, at + class->segments_at, class->word);
	uint64_t count = elf_number(elf, at + class->segment_count_at, 2);
	if (elf_number(elf, at + class->segment_size_at, 2) != class->segment_size)
		return "program headers of another size";
	if (count > ELF_SEGMENTS_MAX)
		return "more program headers than 64";
	if (!elf_bytes(elf, offset, (size_t)count * class->segment_size, &at))
		return "program headers past the end";
	elf->segments = arena_array(root_arena(elf->root), struct elf_segment, (size_t)count + 1);
	for (size_t i = 0; i < count; i++, at += class->segment_size) {
		struct elf_segment segment = {
			.type = (uint32_t)elf_number(elf, at, 4),
			.flags = (uint32_t)elf_number(elf, at + class->flags_at, 4),
			.offset = elf_number(elf, at + class->offset_at, class->word),
			.address = elf_number(elf, at + class->address_at, class->word),
			.size = elf_number(elf, at + class->size_at, class->word),
		};
		if (segment.type == SEGMENT_GNU_STACK)
			elf->stack = segment.flags & SEGMENT_EXECUTABLE ? ELF_STACK_EXECUTABLE
									: ELF_STACK_PLAIN;
		if (segment.type >= SEGMENT_LOAD && segment.type <= SEGMENT_NOTE)
			elf->segments[elf->segment_count++] = segment;
	}
	return NULL;
}

static const struct elf_segment *segment_of(const struct elf *elf, uint32_t type)
{
	for (size_t i = 0; i < elf->segment_count; i++)
		if (elf->segments[i].type == type)
			return &elf->segments[i];
	return NULL;
}

static const char *interp_read(struct elf *elf)
{
	const struct elf_segment *segment = segment_of(elf, SEGMENT_INTERP);
	const uint8_t *at;
	if (!segment)
		return NULL;
	if (segment->size == 0 || segment->size > ELF_STRING_MAX ||
	    !elf_bytes(elf, segment->offset, (size_t)segment->size, &at) ||
	    at[segment->size - 1] != 0)
		return "the interpreter's name is damaged";
	elf->interp = (const char *)at;
	return NULL;
}

static bool dynamic_take(struct elf_dynamic *dynamic, const struct elf *elf, uint64_t tag,
			 uint64_t value)
{
	if (tag == TAG_TEXTREL)
		dynamic->text_relocations = true;
	if (tag == TAG_NEEDED) {
		if (dynamic->needed_count == ELF_NEEDED_MAX)
			return false;
		dynamic->needed[dynamic->needed_count++] = value;
		return true;
	}
	for (size_t i = 0; i < sizeof(dynamic_rows) / sizeof(dynamic_rows[0]); i++) {
		const struct dynamic_row *row = &dynamic_rows[i];
		uint64_t offset = value;
		if (row->tag != tag)
			continue;
		if (row->address && !elf_offset(elf, value, &offset))
			return false;
		memcpy((char *)dynamic + row->member, &offset, sizeof(offset));
	}
	return true;
}

/* Index 0 of a string table is the empty string, so that 0 says "no such entry" too. */
static bool dynamic_strings(struct elf *elf, const struct elf_dynamic *dynamic)
{
	struct arena *arena = root_arena(elf->root);
	const struct {
		uint64_t index;
		const char **out;
	} texts[] = {
		{dynamic->soname, &elf->soname},
		{dynamic->rpath, &elf->rpath},
		{dynamic->runpath, &elf->runpath},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!texts[i].index)
			continue;
		*texts[i].out = elf_string(elf, texts[i].index);
		if (!*texts[i].out)
			return false;
	}
	for (size_t i = 0; i < dynamic->needed_count; i++) {
		const char *name = elf_string(elf, dynamic->needed[i]);
		if (!name)
			return false;
		names_add(arena, &elf->needed, name);
	}
	return true;
}

static const char *dynamic_read(struct elf *elf)
{
	const struct elf_segment *segment = segment_of(elf, SEGMENT_DYNAMIC);
	unsigned word = class_of(elf)->word;
	const uint8_t *at;
	if (!segment)
		return NULL;
	uint64_t count = segment->size / (2 * word);
	if (count > ELF_DYNAMIC_MAX)
		return "more dynamic entries than 4096";
	if (!elf_bytes(elf, segment->offset, (size_t)count * 2 * word, &at))
		return "the dynamic section is past the end";
	struct elf_dynamic dynamic = {0};
	for (size_t i = 0; i < count; i++, at += 2 * word) {
		uint64_t tag = elf_number(elf, at, word);
		if (tag == 0)
			break;
		if (!dynamic_take(&dynamic, elf, tag, elf_number(elf, at + word, word)))
			return "a dynamic entry points outside the file";
	}
	elf->dynamic = true;
	elf->strings = dynamic.strtab;
	elf->strings_size = dynamic.strsz;
	elf->flags = dynamic.flags;
	elf->flags_1 = dynamic.flags_1;
	elf->text_relocations = dynamic.text_relocations || dynamic.flags & FLAG_TEXT_RELOCATIONS;
	elf->symbols = dynamic.symtab;
	elf->gnu_hash = dynamic.gnu_hash;
	elf->version_defs = dynamic.verdef;
	elf->version_defs_count = dynamic.verdef_count;
	elf->version_needs = dynamic.verneed;
	elf->version_needs_count = dynamic.verneed_count;
	return dynamic_strings(elf, &dynamic) ? NULL : "a name in the dynamic section is damaged";
}

static struct elf *parse(struct elf *elf)
{
	static const char *(*const steps[])(struct elf *) = {
		header_read,
		segments_read,
		interp_read,
		dynamic_read,
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && !elf->damage; i++)
		elf->damage = steps[i](elf);
	return elf;
}

struct elf *elf_read(struct root *root, const char *path)
{
	struct elf *elf = arena_new(root_arena(root), struct elf);
	struct root_stat stat;
	elf->root = root;
	elf->path = path;
	elf->number = root_stat(root, path, &stat);
	if (elf->number == 0 && stat.type != ROOT_FILE)
		elf->damage = "not a regular file";
	if (elf->number || elf->damage)
		return elf;
	elf->size = stat.size;
	elf->device = stat.device;
	elf->inode = stat.inode;
	elf->mode = stat.mode;
	return parse(elf);
}

struct elf *elf_read_member(const struct elf *file, uint64_t offset, uint64_t size)
{
	struct elf *elf = arena_new(root_arena(file->root), struct elf);
	*elf = (struct elf){
		.root = file->root, .path = file->path, .base = file->base + offset, .size = size};
	return parse(elf);
}
