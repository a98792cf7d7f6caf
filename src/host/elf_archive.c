// SPDX-License-Identifier: BSD-2-Clause
#include "host/elf_archive.h"

#include "base/arena.h"
#include "host/root.h"

#include <string.h>

#define MAGIC "!<arch>\n"
#define MAGIC_SIZE (sizeof(MAGIC) - 1)

/* ar(5): where the fields of a member's header stand. */
enum { HEADER_SIZE = 60, NAME_SIZE = 16, SIZE_AT = 48, SIZE_SIZE = 10, END_AT = 58 };

bool elf_is_archive(struct elf *file)
{
	const uint8_t *at;

	return !file->number && elf_bytes(file, 0, MAGIC_SIZE, &at) &&
	       memcmp(at, MAGIC, MAGIC_SIZE) == 0;
}

void elf_archive_begin(struct elf_archive *archive, struct elf *file)
{
	*archive = (struct elf_archive){.file = file, .at = MAGIC_SIZE};
	archive->window = (struct elf_window){
		.elf = file, .bytes = archive->bytes, .room = sizeof(archive->bytes)};
}

/* "name/", or "/123": a place in the table, where names end in "/\n". */
static const char *member_name(const struct elf_archive *archive, struct view raw)
{
	struct arena *arena = root_arena(archive->file->root);
	struct view rest, name;
	uint64_t place;

	if (!view_starts(raw, "/"))
		return view_copy(arena, (struct view){raw.at, raw.size - view_ends(raw, "/")});
	if (!view_u64((struct view){raw.at + 1, raw.size - 1}, 10, &place) ||
	    place >= archive->names.size)
		return "?";
	rest = (struct view){archive->names.at + place, archive->names.size - (size_t)place};
	view_line(&rest, &name);
	return view_copy(arena, (struct view){name.at, name.size - view_ends(name, "/")});
}

static bool is_table(struct view name)
{
	return view_is(name, "/") || view_is(name, "/SYM64/") || view_is(name, "//");
}

static void keep_names(struct elf_archive *archive, uint64_t offset, uint64_t size)
{
	const uint8_t *at;

	if (!archive->names.size && size <= ELF_ARCHIVE_NAMES_MAX &&
	    elf_bytes(archive->file, offset, (size_t)size, &at))
		archive->names = (struct view){(const char *)at, (size_t)size};
}

struct elf *elf_archive_next(struct elf_archive *archive)
{
	struct elf *file = archive->file;
	uint64_t offset, size;
	struct view name;
	const uint8_t *at;

	while (!archive->damage && archive->at < file->size) {
		at = elf_window_at(&archive->window, archive->at, HEADER_SIZE);
		if (!at || memcmp(at + END_AT, "`\n", 2) != 0 ||
		    !view_u64(view_trim((struct view){(const char *)at + SIZE_AT, SIZE_SIZE}), 10,
			      &size)) {
			archive->damage = "the header of a member is damaged";
			break;
		}
		name = view_trim((struct view){(const char *)at, NAME_SIZE});
		offset = archive->at + HEADER_SIZE;
		if (file->size - offset < size) {
			archive->damage = "a member is past the end";
			break;
		}
		archive->at = offset + size + (size & 1);
		if (view_is(name, "//"))
			keep_names(archive, offset, size);
		if (is_table(name))
			continue;
		if (archive->count++ == ELF_ARCHIVE_MEMBERS_MAX) {
			archive->damage = "more members than 65536";
			break;
		}
		archive->name = member_name(archive, name);
		return elf_read_member(file, offset, size);
	}
	return NULL;
}
