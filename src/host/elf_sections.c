// SPDX-License-Identifier: BSD-2-Clause
#include "host/elf_sections.h"

#include "base/arena.h"
#include "host/root.h"

#include <string.h>

#define NAMES_MAX ((uint64_t)1 << 20) /* bytes of the table of section names */
#define STRING_FIRST 64u

/* Where the fields stand in each class (gABI, "ELF Header", "Section header"). */
struct section_class {
	uint8_t word, header_at, header_size_at, count_at, names_at;
	uint8_t header_size, flags_at, address_at, offset_at, size_at, link_at;
	uint8_t symbol_size;
};

static const struct section_class class_32 = {
	.word = 4,
	.header_at = 32,
	.header_size_at = 46,
	.count_at = 48,
	.names_at = 50,
	.header_size = 40,
	.flags_at = 8,
	.address_at = 12,
	.offset_at = 16,
	.size_at = 20,
	.link_at = 24,
	.symbol_size = 16,
};

static const struct section_class class_64 = {
	.word = 8,
	.header_at = 40,
	.header_size_at = 58,
	.count_at = 60,
	.names_at = 62,
	.header_size = 64,
	.flags_at = 8,
	.address_at = 16,
	.offset_at = 24,
	.size_at = 32,
	.link_at = 40,
	.symbol_size = 24,
};

static const struct section_class *class_of(const struct elf *elf)
{
	return elf->bits == 64 ? &class_64 : &class_32;
}

bool elf_has_sections(const struct elf *elf)
{
	return !elf->number && (!elf->damage || elf->type == ELF_TYPE_REL);
}

static void read_names(struct elf *elf, struct elf_sections *sections, const uint32_t *names,
		       uint64_t index)
{
	const struct elf_section *table = index < sections->count ? &sections->items[index] : NULL;
	const uint8_t *at;

	if (!table || table->type != ELF_SECTION_STRINGS || table->size > NAMES_MAX ||
	    !elf_bytes(elf, table->offset, (size_t)table->size, &at))
		return;
	for (size_t i = 0; i < sections->count; i++) {
		if (names[i] < table->size &&
		    memchr(at + names[i], 0, (size_t)table->size - names[i]))
			sections->items[i].name = (const char *)at + names[i];
	}
}

static void read_headers(struct elf *elf, const uint8_t *at, struct elf_sections *sections,
			 uint32_t *names)
{
	const struct section_class *class = class_of(elf);

	for (size_t i = 0; i < sections->count; i++, at += class->header_size) {
		names[i] = (uint32_t)elf_number(elf, at, 4);
		sections->items[i] = (struct elf_section){
			.name = "",
			.type = (uint32_t)elf_number(elf, at + 4, 4),
			.flags = elf_number(elf, at + class->flags_at, class->word),
			.address = elf_number(elf, at + class->address_at, class->word),
			.offset = elf_number(elf, at + class->offset_at, class->word),
			.size = elf_number(elf, at + class->size_at, class->word),
			.link = (uint32_t)elf_number(elf, at + class->link_at, 4),
		};
	}
}

static struct elf_sections damaged(const char *why)
{
	return (struct elf_sections){.damage = why};
}

struct elf_sections elf_sections_read(struct elf *elf)
{
	const struct section_class *class = class_of(elf);
	struct arena *arena = root_arena(elf->root);
	struct elf_sections sections = {0};
	uint64_t offset, count, index;
	uint32_t *names;
	const uint8_t *at;

	if (!elf_has_sections(elf))
		return damaged("the file cannot be used");
	if (!elf_bytes(elf, 0, class->names_at + 2u, &at))
		return damaged("cut short");
	offset = elf_number(elf, at + class->header_at, class->word);
	count = elf_number(elf, at + class->count_at, 2);
	index = elf_number(elf, at + class->names_at, 2);
	if (offset == 0)
		return sections;
	if (elf_number(elf, at + class->header_size_at, 2) != class->header_size)
		return damaged("section headers of another size");
	/* 0 at an offset: so many that the number stands elsewhere. */
	if (count == 0 || count > ELF_SECTIONS_MAX)
		return damaged("more section headers than 16384");
	if (offset > elf->size || elf->size - offset < count * class->header_size)
		return damaged("section headers past the end");
	if (!elf_bytes(elf, offset, (size_t)count * class->header_size, &at))
		return damaged("section headers cannot be read");
	sections.count = (size_t)count;
	sections.items = arena_array(arena, struct elf_section, sections.count);
	names = arena_array(arena, uint32_t, sections.count);
	read_headers(elf, at, &sections, names);
	read_names(elf, &sections, names, index);
	return sections;
}

const struct elf_section *elf_section_typed(const struct elf_sections *sections, uint32_t type)
{
	for (size_t i = 0; i < sections->count; i++)
		if (sections->items[i].type == type)
			return &sections->items[i];
	return NULL;
}

const struct elf_section *elf_section_named(const struct elf_sections *sections, const char *name)
{
	for (size_t i = 0; i < sections->count; i++)
		if (strcmp(sections->items[i].name, name) == 0)
			return &sections->items[i];
	return NULL;
}

const uint8_t *elf_window_at(struct elf_window *window, uint64_t offset, size_t size)
{
	if (offset < window->offset || offset - window->offset > window->size ||
	    window->size - (size_t)(offset - window->offset) < size) {
		window->offset = offset;
		window->size = 0;
		if (size > window->room || offset > window->elf->size ||
		    root_copy(window->elf->root, window->elf->path, window->elf->base + offset,
			      window->bytes, window->room, &window->size) != 0)
			return NULL;
		if (window->elf->size - offset < window->size)
			window->size = (size_t)(window->elf->size - offset);
	}
	if (window->size - (size_t)(offset - window->offset) < size)
		return NULL;
	return window->bytes + (offset - window->offset);
}

void elf_symbols_begin(struct elf_symbols *symbols, struct elf *elf,
		       const struct elf_sections *sections, const struct elf_section *table)
{
	const struct elf_section *strings =
		table->link < sections->count ? &sections->items[table->link] : NULL;

	symbols->window = (struct elf_window){
		.elf = elf, .bytes = symbols->bytes, .room = sizeof(symbols->bytes)};
	symbols->strings = strings;
	symbols->offset = table->offset;
	symbols->index = 0;
	symbols->count = table->size / class_of(elf)->symbol_size;
	symbols->damage = NULL;
	if (table->offset > elf->size || elf->size - table->offset < table->size)
		symbols->damage = "symbols past the end";
	else if (symbols->count > ELF_SYMBOLS_MAX)
		symbols->damage = "more symbols than 2097152";
	else if (!strings || strings->type != ELF_SECTION_STRINGS || strings->offset > elf->size ||
		 elf->size - strings->offset < strings->size)
		symbols->damage = "the names of symbols are past the end";
}

bool elf_symbols_next(struct elf_symbols *symbols, struct elf_symbol *out)
{
	const struct elf *elf = symbols->window.elf;
	const uint8_t *at;

	if (symbols->damage || symbols->index == symbols->count)
		return false;
	bool wide = elf->bits == 64;
	size_t entry = class_of(elf)->symbol_size, word = class_of(elf)->word;
	at = elf_window_at(&symbols->window, symbols->offset + symbols->index * entry, entry);
	if (!at) {
		symbols->damage = "a symbol cannot be read";
		return false;
	}
	symbols->index++;
	*out = (struct elf_symbol){
		.name = (uint32_t)elf_number(elf, at, 4),
		.type = at[wide ? 4 : 12] & 15,
		.binding = at[wide ? 4 : 12] >> 4,
		.section = (uint16_t)elf_number(elf, at + (wide ? 6 : 14), 2),
		.value = elf_number(elf, at + (wide ? 8 : 4), (unsigned)word),
		.size = elf_number(elf, at + (wide ? 16 : 8), (unsigned)word),
	};
	return true;
}

const char *elf_section_string(struct elf_window *window, const struct elf_section *strings,
			       uint64_t index)
{
	uint64_t left = index < strings->size ? strings->size - index : 0;

	for (size_t size = STRING_FIRST; left; size = ELF_STRING_MAX) {
		size_t wanted = left < size ? (size_t)left : size;
		const uint8_t *at = elf_window_at(window, strings->offset + index, wanted);
		const uint8_t *end = at ? memchr(at, 0, wanted) : NULL;

		if (end)
			return arena_copy(root_arena(window->elf->root), at, (size_t)(end - at));
		if (!at || wanted < size || size == ELF_STRING_MAX)
			break;
	}
	return NULL;
}
