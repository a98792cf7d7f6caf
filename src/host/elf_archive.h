// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/elf_sections.h"

/*
 * The members of an archive of objects (libX.a), System V's format with GNU's long names (ar(5)):
 * "!<arch>\n", then per member 60 bytes of text and its bytes, each at an even offset. What an
 * archive is to elf_read() is damaged: "not an ELF file".
 */
#define ELF_ARCHIVE_MEMBERS_MAX 65536
#define ELF_ARCHIVE_NAMES_MAX ((size_t)1 << 20)
#define ELF_ARCHIVE_ROOM ((size_t)4 << 10)

struct elf_archive {
	struct elf *file;
	struct elf_window window;
	uint8_t bytes[ELF_ARCHIVE_ROOM];
	uint64_t at;
	size_t count;       /* members so far */
	struct view names;  /* GNU's table of long names */
	const char *name;   /* of the member that came last */
	const char *damage; /* NULL, or why there are no more members */
};

bool elf_is_archive(struct elf *file);
void elf_archive_begin(struct elf_archive *archive, struct elf *file);
/* The next member, its tables left out; NULL at the end, and at damage. A member may be anything.
 */
struct elf *elf_archive_next(struct elf_archive *archive);
