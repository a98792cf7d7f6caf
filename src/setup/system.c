// SPDX-License-Identifier: BSD-2-Clause
#include "setup/system.h"

#include "base/arena.h"
#include "base/digest.h"
#include "base/file.h"
#include "catalog/recipe.h"
#include "host/bytes.h"
#include "host/elf.h"
#include "setup/target.h"
#include "setup/toolchain.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD_BYTES 4096 /* linkers put program headers and notes first */
#define LIBRARIES_MAX 64
#define BUILD_ID_BYTES_MAX 64

/* ELF64, little-endian (System V gABI): offsets in the file header and in a program header. */
enum {
	HEADER_SIZE = 64,
	HEADER_MACHINE = 18,
	HEADER_SEGMENTS = 32,
	HEADER_SEGMENT_COUNT = 56,
	SEGMENT_SIZE = 56,
	SEGMENT_OFFSET = 8,
	SEGMENT_BYTES = 32,
	SEGMENT_NOTE = 4,
	NOTE_HEADER = 12,
	NOTE_BUILD_ID = 3,
};

/* Where linkers look, in the order of gcc and GNU ld. */
static const struct {
	const char *path;
	bool by_triplet; /* PATH/TRIPLET */
} directories[] = {
	{"/usr/lib", true},        {"/lib", true},           {"/usr/lib64", false},
	{"/lib64", false},         {"/usr/local/lib", true}, {"/usr/local/lib64", false},
	{"/usr/local/lib", false}, {"/usr/lib", false},      {"/lib", false},
};

static const struct {
	const char *arch;
	enum elf_machine machine;
} machines[] = {{"aarch64", ELF_MACHINE_AARCH64}, {"x86_64", ELF_MACHINE_X86_64}};

static bool is_for(struct view head, const struct target *target)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (strcmp(machines[i].arch, target->arch) == 0)
			return head.size >= HEADER_SIZE && memcmp(head.at, "\177ELF\2\1", 6) == 0 &&
			       bytes_u16(head, HEADER_MACHINE) == machines[i].machine;
	}
	return false;
}

/* Notes: sizes of name and descriptor, type, then both padded to 4 (gABI, "Note Section"). */
static const char *find_build_id(struct arena *arena, struct view notes)
{
	while (notes.size >= NOTE_HEADER) {
		size_t name = bytes_u32(notes, 0), text = bytes_u32(notes, 4);
		size_t start = NOTE_HEADER + ((name + 3) & ~(size_t)3);
		size_t whole = start + ((text + 3) & ~(size_t)3);

		if (start + text > notes.size)
			return NULL;
		if (bytes_u32(notes, 8) == NOTE_BUILD_ID && name == 4 && text &&
		    text <= BUILD_ID_BYTES_MAX && memcmp(notes.at + NOTE_HEADER, "GNU", 4) == 0) {
			struct buffer hex = buffer_new(arena, 2 * BUILD_ID_BYTES_MAX + 1);

			for (size_t i = 0; i < text; i++)
				buffer_printf(&hex, "%02x", bytes_u8(notes, start + i));
			return buffer_string(&hex);
		}
		/* The last one may lack its padding. */
		if (whole >= notes.size)
			return NULL;
		notes = (struct view){notes.at + whole, notes.size - whole};
	}
	return NULL;
}

static const char *build_id(struct arena *arena, struct view head)
{
	uint64_t table = bytes_number(head, HEADER_SEGMENTS, 8);
	unsigned count = bytes_u16(head, HEADER_SEGMENT_COUNT);
	const char *found = NULL;

	for (size_t i = 0; i < count && !found; i++) {
		uint64_t at = table + i * SEGMENT_SIZE, offset, size;

		if (table > head.size || at + SEGMENT_SIZE > head.size)
			return NULL;
		offset = bytes_number(head, at + SEGMENT_OFFSET, 8);
		size = bytes_number(head, at + SEGMENT_BYTES, 8);
		if (bytes_u32(head, at) == SEGMENT_NOTE && offset <= head.size &&
		    size <= head.size - offset)
			found = find_build_id(arena, (struct view){head.at + offset, size});
	}
	return found;
}

static const char *identity_of(struct arena *arena, int fd, struct view head)
{
	const char *id = build_id(arena, head);
	char hex[DIGEST_HEX_SIZE];

	if (id)
		return arena_printf(arena, "build-id %s", id);
	return digest_fd(arena, fd, "a library", hex, NULL, NULL)
		       ? arena_printf(arena, "sha256 %s", hex)
		       : NULL;
}

static bool read_library(struct arena *arena, const struct target *target, const char *path,
			 struct system_library *out)
{
	char bytes[HEAD_BYTES], real[PATH_MAX];
	scoped_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = fd < 0 ? -1 : pread(fd, bytes, sizeof(bytes), 0), size;
	struct view head = {bytes, got > 0 ? (size_t)got : 0};
	const char *digits;

	if (!is_for(head, target))
		return false;
	size = readlink(arena_printf(arena, "/proc/self/fd/%d", fd), real, sizeof(real));
	if (size > 0)
		path = arena_copy(arena, real, (size_t)size);
	digits = strstr(strrchr(path, '/'), ".so.");
	out->path = path;
	out->version = digits ? digits + 4 : "not said";
	out->identity = identity_of(arena, fd, head);
	return out->identity != NULL;
}

/* The linker's name of "libIPSec_MB.so.*": libIPSec_MB.so */
static bool find(struct arena *arena, const struct target *target,
		 const struct toolchain *toolchain, const char *soname, struct system_library *out)
{
	const char *end = strstr(soname, ".so");
	const char *name = view_copy(
		arena, (struct view){soname, end ? (size_t)(end - soname) + 3 : strlen(soname)});
	const char *root = toolchain->sysroot ? toolchain->sysroot : "";
	size_t count = sizeof(directories) / sizeof(directories[0]);

	*out = (struct system_library){.soname = soname};
	/* Cross compilers bring libraries along, outside of the sysroot. */
	if (target->cross &&
	    read_library(arena, target,
			 arena_printf(arena, "/usr/%s/lib/%s", target->triplet, name), out))
		return true;
	for (size_t i = 0; i < count; i++) {
		const char *triplet = directories[i].by_triplet
					      ? arena_printf(arena, "/%s", target->triplet)
					      : "";

		if (read_library(arena, target,
				 arena_printf(arena, "%s%s%s/%s", root, directories[i].path,
					      triplet, name),
				 out))
			return true;
	}
	return false;
}

static bool is_known(const struct system_library *items, size_t count, const char *soname)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(items[i].soname, soname) == 0)
			return true;
	}
	return false;
}

void system_libraries(struct arena *arena, const struct recipe *const *recipes, size_t recipe_count,
		      const struct target *target, const struct toolchain *toolchain,
		      const struct system_library **out, size_t *count)
{
	struct system_library *items = arena_array(arena, struct system_library, LIBRARIES_MAX);
	size_t found = 0;

	for (size_t r = 0; r < recipe_count; r++) {
		const struct recipe_tool *tools = recipes[r]->tools.items;

		for (size_t t = 0; t < recipes[r]->tools.count && found < LIBRARIES_MAX; t++) {
			if (tools[t].soname && !is_known(items, found, tools[t].soname) &&
			    find(arena, target, toolchain, tools[t].soname, &items[found]))
				found++;
		}
	}
	*out = items;
	*count = found;
}
