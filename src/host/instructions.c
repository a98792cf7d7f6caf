// SPDX-License-Identifier: BSD-2-Clause
#include "host/instructions.h"

#include "base/arena.h"
#include "host/code_map.h"
#include "host/elf_archive.h"
#include "host/root.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#define CODE_ROOM ((size_t)64 << 10)
#define WORD 4u
#define RECENT 8u /* functions: code of one may go on after that of another */

enum { SEGMENT_LOAD = 1, SEGMENT_EXECUTABLE = 1 };

struct work {
	struct arena *arena;
	struct elf *elf;
	struct instruction_scan *scan;
	struct code_map map;
	struct elf_window window;
	uint8_t bytes[CODE_ROOM];
	/* By the highest byte of an instruction: the rows that it may be, one bit each. */
	uint64_t candidates[256];
	uint8_t family_of[INSTRUCTION_ROWS_MAX];
};

static void prepare(struct work *work)
{
	struct instruction_scan *scan = work->scan;

	scan->families = arena_array(work->arena, struct instruction_family, instruction_row_count);
	for (size_t i = 0; i < instruction_row_count; i++) {
		const struct instruction_row *row = &instruction_rows[i];

		if (!scan->family_count ||
		    strcmp(scan->families[scan->family_count - 1].name, row->name) != 0)
			scan->families[scan->family_count++] = (struct instruction_family){
				.name = row->name, .extension = row->extension};
		work->family_of[i] = (uint8_t)(scan->family_count - 1);
		for (uint32_t byte = 0; byte < 256; byte++)
			if (((byte ^ row->value >> 24) & row->mask >> 24) == 0)
				work->candidates[byte] |= UINT64_C(1) << i;
	}
}

static struct instruction_function *
function_entry(struct work *work, struct instruction_family *family, struct code_function *function)
{
	size_t count = family->function_count;

	for (size_t i = count; i > 0 && count - i < RECENT; i--)
		if (family->functions[i - 1].key == function)
			return &family->functions[i - 1];
	if (count == INSTRUCTION_FUNCTIONS_MAX)
		return NULL;
	if (count == family->function_room) {
		size_t room = count ? count * 2 : 8;
		struct instruction_function *grown =
			arena_array(work->arena, struct instruction_function, room);

		if (count)
			memcpy(grown, family->functions, count * sizeof(*grown));
		family->functions = grown;
		family->function_room = room;
	}
	family->functions[count] = (struct instruction_function){
		.name = function ? code_function_name(&work->map, function) : NULL,
		.key = function,
	};
	family->function_count++;
	return &family->functions[count];
}

static void found(struct work *work, struct code_cursor *cursor, size_t row, uint64_t address)
{
	struct instruction_family *family = &work->scan->families[work->family_of[row]];
	struct instruction_function *function =
		function_entry(work, family, code_cursor_function(cursor, address));

	family->count++;
	if (function)
		function->count++;
	else
		family->unlisted++;
}

/* Whole words at `at`; a row's bit is taken from the lowest, so the first row that fits counts. */
static void scan_words(struct work *work, struct code_cursor *cursor, const uint8_t *at,
		       size_t size, uint64_t address)
{
	for (size_t i = 0; i + WORD <= size; i += WORD) {
		uint64_t rows = work->candidates[at[i + 3]];

		if (!rows)
			continue;
		uint32_t word = at[i] | (uint32_t)at[i + 1] << 8 | (uint32_t)at[i + 2] << 16 |
				(uint32_t)at[i + 3] << 24;
		for (; rows; rows &= rows - 1) {
			size_t row = (size_t)__builtin_ctzll(rows);

			if ((word & instruction_rows[row].mask) == instruction_rows[row].value) {
				found(work, cursor, row, address + i);
				break;
			}
		}
	}
}

/* A4.1: A64 instructions are words at word addresses, little-endian whatever data is. */
static void scan_code(struct work *work, struct code_cursor *cursor,
		      const struct elf_section *section, uint64_t from, uint64_t to)
{
	while (from < to && !work->scan->damage) {
		size_t size = to - from < CODE_ROOM ? (size_t)(to - from) : CODE_ROOM;
		const uint8_t *at = elf_window_at(&work->window, section->offset + from, size);

		if (!at) {
			work->scan->damage = "an executable section cannot be read";
			return;
		}
		scan_words(work, cursor, at, size, section->address + from);
		work->scan->code_bytes += size;
		from += size;
	}
}

static void scan_section(struct work *work, const struct elf_section *section, uint16_t index)
{
	struct code_cursor cursor = code_cursor_begin(&work->map, index);
	uint64_t from = 0, size = section->size;

	if (section->offset > work->elf->size || work->elf->size - section->offset < size ||
	    section->address > UINT64_MAX - size) {
		work->scan->damage = "an executable section is past the end";
		return;
	}
	while (from < size && !work->scan->damage) {
		uint64_t until, to;
		bool code = code_cursor_is_code(&cursor, section->address + from, &until);

		to = until - section->address < size ? until - section->address : size;
		if (code)
			scan_code(work, &cursor, section, (from + WORD - 1) / WORD * WORD, to);
		from = to;
	}
}

static bool is_executable(const struct elf_section *section)
{
	return section->flags & ELF_SECTION_EXECUTABLE && section->type != ELF_SECTION_NO_BITS &&
	       section->size > 0;
}

static void scan_sections(struct work *work, const struct elf_sections *sections)
{
	uint64_t total = 0;

	for (size_t i = 0; i < sections->count && !work->scan->damage; i++) {
		const struct elf_section *section = &sections->items[i];

		if (!is_executable(section))
			continue;
		/* Sections that lie over each other would make little bytes much work. */
		if (section->size > work->elf->size - total)
			work->scan->damage = "executable sections overlap";
		else if (total + section->size > INSTRUCTION_CODE_MAX)
			work->scan->damage = "more code than 1 GiB";
		else
			scan_section(work, section, (uint16_t)i);
		total += section->size;
	}
}

/* Without section headers: what is mapped executable, constants among it. */
static void scan_segments(struct work *work)
{
	uint64_t total = 0;

	for (size_t i = 0; i < work->elf->segment_count && !work->scan->damage; i++) {
		const struct elf_segment *segment = &work->elf->segments[i];
		struct elf_section section = {
			.address = segment->address,
			.offset = segment->offset,
			.size = segment->size,
		};

		if (segment->type != SEGMENT_LOAD || !(segment->flags & SEGMENT_EXECUTABLE))
			continue;
		if (segment->size > work->elf->size - total)
			work->scan->damage = "executable segments overlap";
		else if (total + segment->size > INSTRUCTION_CODE_MAX)
			work->scan->damage = "more code than 1 GiB";
		else
			scan_section(work, &section, 0);
		total += segment->size;
	}
}

/* Adds what is in one file, which may be a member of an archive. */
static void scan_file(struct work *work, struct elf *elf)
{
	struct instruction_scan *scan = work->scan;
	uint64_t before = scan->code_bytes;
	struct elf_sections sections;
	bool executable = false;

	if (!elf_has_sections(elf) || elf->machine != ELF_MACHINE_AARCH64 || elf->bits != 64 ||
	    elf->big_endian)
		return;
	scan->applicable = true;
	sections = elf_sections_read(elf);
	code_map_read(&work->map, elf, &sections);
	work->elf = elf;
	work->window =
		(struct elf_window){.elf = elf, .bytes = work->bytes, .room = sizeof(work->bytes)};
	for (size_t i = 0; i < sections.count; i++)
		executable = executable || is_executable(&sections.items[i]);
	scan->damage = sections.damage;
	if (executable)
		scan_sections(work, &sections);
	else if (!scan->damage)
		scan_segments(work);
	scan->stripped = scan->stripped || work->map.stripped;
	if (scan->code_bytes > before && !work->map.mapped)
		scan->mapped = false;
	if (!scan->damage)
		scan->damage = work->map.damage;
}

static void scan_archive(struct work *work, struct elf *file)
{
	struct instruction_scan *scan = work->scan;
	struct elf_archive archive;
	struct elf *member;

	elf_archive_begin(&archive, file);
	while (!scan->damage && (member = elf_archive_next(&archive))) {
		scan_file(work, member);
		/* Such as the compiler's own form of code, of which nobody knows what it becomes.
		 */
		if (!elf_has_sections(member))
			scan->damage = "not an object";
		if (scan->damage)
			scan->damage = arena_printf(work->arena, "member %s: %s", archive.name,
						    scan->damage);
	}
	if (!scan->damage)
		scan->damage = archive.damage;
}

const struct instruction_scan *instructions_scan(struct elf *elf)
{
	struct arena *arena = root_arena(elf->root);
	struct instruction_scan *scan = arena_new(arena, struct instruction_scan);
	struct work work = {.arena = arena, .scan = scan};

	prepare(&work);
	scan->mapped = true;
	if (elf_is_archive(elf))
		scan_archive(&work, elf);
	else
		scan_file(&work, elf);
	return scan;
}

const struct instruction_family *instructions_find(const struct instruction_scan *scan,
						   const char *name)
{
	for (size_t i = 0; i < scan->family_count; i++)
		if (strcmp(scan->families[i].name, name) == 0)
			return &scan->families[i];
	return NULL;
}

static bool is_dispatched(const char *name, const struct names *globs)
{
	for (size_t i = 0; name && i < globs->count; i++)
		if (fnmatch(globs->items[i], name, 0) == 0)
			return true;
	return false;
}

static void family_outside(struct arena *arena, const struct instruction_family *family,
			   const struct names *dispatched, struct names *out)
{
	for (size_t i = 0; i < family->function_count; i++) {
		const struct instruction_function *function = &family->functions[i];

		if (is_dispatched(function->name, dispatched))
			continue;
		names_add(arena, out,
			  arena_printf(arena, "%s in %s (%" PRIu64 ")", family->name,
				       function->name ? function->name : "an unknown function",
				       function->count));
	}
	if (family->unlisted)
		names_add(arena, out,
			  arena_printf(arena, "%s in functions past the first %d (%" PRIu64 ")",
				       family->name, INSTRUCTION_FUNCTIONS_MAX, family->unlisted));
}

void instructions_outside(struct arena *arena, const struct instruction_scan *scan,
			  const struct names *foreign, const struct names *dispatched,
			  struct names *out)
{
	for (size_t i = 0; i < scan->family_count; i++) {
		const struct instruction_family *family = &scan->families[i];

		if (names_has(foreign, family->name) || names_has(foreign, family->extension))
			family_outside(arena, family, dispatched, out);
	}
}
