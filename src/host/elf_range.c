// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/elf.h"
#include "host/root.h"

#define READ_ALIGN 256u
#define READ_SIZE 1024u

struct elf_range {
	struct elf_range *next;
	uint64_t offset;
	struct view bytes;
};

static const uint8_t *range_find(const struct elf *elf, uint64_t offset, size_t size)
{
	for (const struct elf_range *r = elf->ranges; r; r = r->next) {
		if (offset < r->offset || offset - r->offset > r->bytes.size)
			continue;
		if (r->bytes.size - (size_t)(offset - r->offset) >= size)
			return (const uint8_t *)r->bytes.at + (offset - r->offset);
	}
	return NULL;
}

int elf_range_read(struct elf *elf, uint64_t offset, size_t size)
{
	struct view bytes;
	int number = root_range(elf->root, elf->path, elf->base + offset, size, &bytes);
	if (number)
		return number;
	/* A member of an archive ends before its file does. */
	if (elf->size - offset < bytes.size)
		bytes.size = (size_t)(elf->size - offset);
	struct elf_range *range = arena_new(root_arena(elf->root), struct elf_range);
	*range = (struct elf_range){.next = elf->ranges, .offset = offset, .bytes = bytes};
	elf->ranges = range;
	return 0;
}

bool elf_bytes(struct elf *elf, uint64_t offset, size_t size, const uint8_t **out)
{
	if (offset > elf->size || elf->size - offset < size)
		return false;
	const uint8_t *found = range_find(elf, offset, size);
	if (!found) {
		uint64_t start = offset - offset % READ_ALIGN;
		size_t wanted = (size_t)(offset - start) + size;
		if (elf_range_read(elf, start, wanted < READ_SIZE ? READ_SIZE : wanted))
			return false;
		found = range_find(elf, offset, size);
	}
	if (!found)
		return false;
	*out = found;
	return true;
}
