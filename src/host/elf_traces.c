// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/elf_sections.h"
#include "host/root.h"

#include <string.h>

/* Text sections are lists of strings that end in NUL; what stands behind this is not looked at. */
#define TRACES_BYTES_MAX ((uint64_t)256 << 10)

/* GCC and clang use the first name; the second is the one of GCC's manual up to release 8. */
static const char *const command_lines[] = {".GCC.command.line", ".GNU.command.line"};
static const char *const traced[] = {"-mcpu=", "-march=", "-mtune="};

static void add_once(struct arena *arena, struct names *names, struct view text)
{
	const char *copy;

	if (!text.size || names->count == ELF_TRACES_MAX)
		return;
	copy = view_copy(arena, text);
	if (!names_has(names, copy))
		names_add(arena, names, copy);
}

static struct view text_of(struct elf *elf, const struct elf_section *section)
{
	uint64_t size = section ? section->size : 0;
	const uint8_t *at;

	if (size > TRACES_BYTES_MAX)
		size = TRACES_BYTES_MAX;
	if (!size || section->type == ELF_SECTION_NO_BITS ||
	    !elf_bytes(elf, section->offset, (size_t)size, &at))
		return (struct view){NULL, 0};
	return (struct view){(const char *)at, (size_t)size};
}

static void add_flags(struct arena *arena, struct names *flags, struct view line)
{
	struct view word;

	while (view_word(&line, &word)) {
		for (size_t i = 0; i < sizeof(traced) / sizeof(traced[0]); i++)
			if (view_starts(word, traced[i]))
				add_once(arena, flags, word);
	}
}

struct elf_traces elf_traces_read(struct elf *elf, const struct elf_sections *sections)
{
	struct arena *arena = root_arena(elf->root);
	struct view rest = text_of(elf, elf_section_named(sections, ".comment"));
	struct elf_traces traces = {0};
	struct view piece;

	while (view_split(&rest, '\0', &piece))
		add_once(arena, &traces.compilers, piece);
	for (size_t i = 0; i < sizeof(command_lines) / sizeof(command_lines[0]); i++) {
		rest = text_of(elf, elf_section_named(sections, command_lines[i]));
		traces.recorded = traces.recorded || rest.size;
		while (view_split(&rest, '\0', &piece))
			add_flags(arena, &traces.flags, piece);
	}
	return traces;
}
