// SPDX-License-Identifier: BSD-2-Clause
#include "host/code_map.h"

#include "base/arena.h"
#include "host/root.h"

#include <stdlib.h>
#include <string.h>

#define VERDICTS 64u

enum mark { MARK_NONE, MARK_CODE, MARK_DATA };
/* Of two names of one address the later in this order is taken. */
enum rank { RANK_LABEL, RANK_NAMED, RANK_SIZED_LOCAL, RANK_SIZED_WEAK, RANK_SIZED_GLOBAL };

struct verdict {
	bool known;
	uint32_t name;
	enum mark mark;
};

struct filling {
	struct code_map *map;
	const struct elf_sections *sections;
	struct verdict verdicts[VERDICTS];
	bool marks; /* the table has mapping symbols and labels */
};

/* "$x", "$d", and the same with ".ANYTHING" behind. */
static enum mark mark_of(struct filling *filling, uint32_t name)
{
	struct verdict *verdict = &filling->verdicts[name % VERDICTS];
	struct code_map *map = filling->map;
	const uint8_t *at;
	enum mark mark = MARK_NONE;

	if (verdict->known && verdict->name == name)
		return verdict->mark;
	if (name < map->names->size && map->names->size - name >= 3) {
		at = elf_window_at(&map->strings, map->names->offset + name, 3);
		if (at && at[0] == '$' && (at[2] == '\0' || at[2] == '.'))
			mark = at[1] == 'x' ? MARK_CODE : at[1] == 'd' ? MARK_DATA : MARK_NONE;
	}
	*verdict = (struct verdict){true, name, mark};
	return mark;
}

static bool is_executable(const struct elf_sections *sections, uint16_t index)
{
	return index < sections->count && sections->items[index].flags & ELF_SECTION_EXECUTABLE &&
	       sections->items[index].type != ELF_SECTION_NO_BITS;
}

static enum rank rank_of(const struct elf_symbol *symbol)
{
	bool function = symbol->type == ELF_SYMBOL_FUNCTION || symbol->type == ELF_SYMBOL_IFUNC;

	if (!function || !symbol->size)
		return function || symbol->binding != ELF_SYMBOL_LOCAL ? RANK_NAMED : RANK_LABEL;
	return symbol->binding == ELF_SYMBOL_LOCAL  ? RANK_SIZED_LOCAL
	       : symbol->binding == ELF_SYMBOL_WEAK ? RANK_SIZED_WEAK
						    : RANK_SIZED_GLOBAL;
}

static void take(struct filling *filling, const struct elf_symbol *symbol, uint32_t index)
{
	struct code_map *map = filling->map;
	enum rank rank = rank_of(symbol);
	enum mark mark = MARK_NONE;

	if (filling->marks && rank == RANK_LABEL && symbol->type == ELF_SYMBOL_NOTYPE)
		mark = mark_of(filling, symbol->name);
	if (mark != MARK_NONE) {
		map->marks[map->mark_count++] = (struct code_mark){
			.address = symbol->value,
			.index = index,
			.section = symbol->section,
			.code = mark == MARK_CODE,
		};
		return;
	}
	/* Objects in the text, section and file symbols are no functions. */
	if (rank < RANK_SIZED_LOCAL && (!filling->marks || (symbol->type != ELF_SYMBOL_NOTYPE &&
							    symbol->type != ELF_SYMBOL_FUNCTION &&
							    symbol->type != ELF_SYMBOL_IFUNC)))
		return;
	map->functions[map->function_count++] = (struct code_function){
		.address = symbol->value,
		.size = rank >= RANK_SIZED_LOCAL ? symbol->size : 0,
		.index = index,
		.name = symbol->name,
		.section = symbol->section,
		.rank = (uint8_t)rank,
	};
}

static int order_marks(const void *a, const void *b)
{
	const struct code_mark *left = a, *right = b;

	if (left->section != right->section)
		return left->section < right->section ? -1 : 1;
	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return left->index < right->index ? -1 : left->index > right->index;
}

static int order_functions(const void *a, const void *b)
{
	const struct code_function *left = a, *right = b;

	if (left->section != right->section)
		return left->section < right->section ? -1 : 1;
	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	return left->index < right->index ? -1 : left->index > right->index;
}

static void sort(struct code_map *map)
{
	if (map->mark_count > 1)
		qsort(map->marks, map->mark_count, sizeof(*map->marks), order_marks);
	if (map->function_count > 1)
		qsort(map->functions, map->function_count, sizeof(*map->functions),
		      order_functions);
	map->mapped = map->mark_count > 0;
}

/* Symbols of executable sections: counted first, so that memory is what they need. */
static size_t count(struct elf *elf, const struct elf_sections *sections,
		    const struct elf_section *table)
{
	struct elf_symbols symbols;
	struct elf_symbol symbol;
	size_t found = 0;

	elf_symbols_begin(&symbols, elf, sections, table);
	while (elf_symbols_next(&symbols, &symbol))
		found += is_executable(sections, symbol.section);
	return found;
}

void code_map_read(struct code_map *map, struct elf *elf, const struct elf_sections *sections)
{
	struct arena *arena = root_arena(elf->root);
	const struct elf_section *table = elf_section_typed(sections, ELF_SECTION_SYMBOLS);
	struct filling filling = {.map = map, .sections = sections, .marks = table != NULL};
	struct elf_symbols symbols;
	struct elf_symbol symbol;
	size_t room;

	*map = (struct code_map){.stripped = !table};
	if (!table)
		table = elf_section_typed(sections, ELF_SECTION_DYNAMIC_SYMBOLS);
	if (!table)
		return;
	elf_symbols_begin(&symbols, elf, sections, table);
	map->damage = symbols.damage;
	if (map->damage)
		return;
	room = count(elf, sections, table);
	map->names = symbols.strings;
	map->strings =
		(struct elf_window){.elf = elf, .bytes = map->bytes, .room = sizeof(map->bytes)};
	map->marks = arena_array(arena, struct code_mark, room + 1);
	map->functions = arena_array(arena, struct code_function, room + 1);
	for (uint32_t i = 0; elf_symbols_next(&symbols, &symbol); i++)
		if (is_executable(sections, symbol.section) &&
		    map->mark_count + map->function_count < room)
			take(&filling, &symbol, i);
	map->damage = symbols.damage;
	sort(map);
}

struct code_cursor code_cursor_begin(struct code_map *map, uint16_t section)
{
	struct code_cursor cursor = {.map = map, .section = section};
	size_t low = 0, high = map->mark_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->marks[middle].section < section)
			low = middle + 1;
		else
			high = middle;
	}
	cursor.mark = low;
	for (low = 0, high = map->function_count; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (map->functions[middle].section < section)
			low = middle + 1;
		else
			high = middle;
	}
	cursor.function = low;
	return cursor;
}

bool code_cursor_is_code(struct code_cursor *cursor, uint64_t address, uint64_t *until)
{
	const struct code_map *map = cursor->map;
	size_t next = cursor->mark;
	const struct code_mark *marks = map->marks;

	while (next < map->mark_count && marks[next].section == cursor->section &&
	       marks[next].address <= address)
		next++;
	cursor->mark = next;
	*until = next < map->mark_count && marks[next].section == cursor->section
			 ? marks[next].address
			 : UINT64_MAX;
	/* What stands before the first mark is code, as in a section without any. */
	return next == 0 || marks[next - 1].section != cursor->section || marks[next - 1].code;
}

static bool holds(const struct code_function *function, uint64_t address)
{
	return function && address - function->address < function->size;
}

struct code_function *code_cursor_function(struct code_cursor *cursor, uint64_t address)
{
	struct code_map *map = cursor->map;

	for (; cursor->function < map->function_count; cursor->function++) {
		struct code_function *function = &map->functions[cursor->function];

		if (function->section != cursor->section || function->address > address)
			break;
		if (function->rank < RANK_SIZED_LOCAL &&
		    (holds(cursor->around, function->address) ||
		     holds(cursor->outer, function->address)))
			continue;
		if (function->rank == RANK_LABEL) {
			cursor->label = function;
		} else if (function->rank == RANK_NAMED) {
			cursor->named = function;
			cursor->label = NULL;
		} else {
			if (holds(cursor->around, function->address) &&
			    cursor->around->address != function->address)
				cursor->outer = cursor->around;
			cursor->around = function;
			cursor->named = cursor->label = NULL;
		}
	}
	if (holds(cursor->around, address))
		return cursor->around;
	if (holds(cursor->outer, address))
		return cursor->outer;
	return cursor->named ? cursor->named : cursor->label;
}

const char *code_function_name(struct code_map *map, struct code_function *function)
{
	if (!function->text)
		function->text = elf_section_string(&map->strings, map->names, function->name);
	return function->text && *function->text ? function->text : NULL;
}
