// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/elf.h"
#include "host/root.h"

#include <string.h>

enum { SEGMENT_NOTE = 4, NOTE_BUILD_ID = 3 };

#define NOTES_MAX 4096u

/* Notes: name size, descriptor size, type, then both padded to 4 (gABI, "Note section"). */
const char *elf_build_id(struct elf *elf)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *segment = &elf->segments[i];
		const uint8_t *at;
		if (segment->type != SEGMENT_NOTE || segment->size > NOTES_MAX ||
		    !elf_bytes(elf, segment->offset, (size_t)segment->size, &at))
			continue;
		for (uint64_t left = segment->size; left >= 16;) {
			uint64_t name = elf_number(elf, at, 4), text = elf_number(elf, at + 4, 4);
			uint64_t whole = 12 + ((name + 3) & ~3ull) + ((text + 3) & ~3ull);
			if (whole > left)
				break;
			if (elf_number(elf, at + 8, 4) == NOTE_BUILD_ID && name == 4 &&
			    text <= 64 && memcmp(at + 12, "GNU", 4) == 0) {
				struct buffer hex = buffer_new(root_arena(elf->root), 160);
				for (uint64_t b = 0; b < text; b++)
					buffer_printf(&hex, "%02x", at[16 + b]);
				return buffer_string(&hex);
			}
			at += whole;
			left -= whole;
		}
	}
	return NULL;
}
