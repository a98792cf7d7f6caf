// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/elf_sections.h"
#include "host/instructions.h"

#include "elf_file.h"
#include "elf_object.h"
#include "machine.h"

/* An object with a function of every kind, data among them, and traces of compilers. */

/* DDI 0487, C7.2: AESE v0.16b, v1.16b; EOR3 and BCAX of v0 to v3; SHA1H s0, s1; C6.2: RET. */
#define AESE 0x4e284820u
#define EOR3 0xce020c20u
#define BCAX 0xce220c20u
#define SHA1H 0x5e280820u
#define RET 0xd65f03c0u

static const uint32_t code[] = {
	AESE,  AESE,  RET,        /* 0x00 crypt, sized, global */
	EOR3,                     /* 0x0c after it: nothing is known */
	SHA1H,                    /* 0x10 label */
	SHA1H, SHA1H,             /* 0x14 entry, unsized */
	EOR3,  EOR3,  AESE,       /* 0x1c data */
	BCAX,  BCAX,  BCAX, EOR3, /* 0x28 outer; the second and third are inner's */
};

static inline void build(struct object *object)
{
	static const char comment[] = "\0GCC: (X) 1\0GCC: (X) 1\0clang 2";
	static const char line[] = "\0GNU C17 -mcpu=a -O2\0-march=b\0-mcpu=a";

	object_begin(object);
	object_symbol(object, "$x", OBJECT_LOCAL, 0, 0);
	object_symbol(object, "outer", OBJECT_GLOBAL | OBJECT_FUNC, 0x28, 16);
	object_symbol(object, "inner", OBJECT_LOCAL | OBJECT_FUNC, 0x2c, 8);
	object_symbol(object, "within", OBJECT_LOCAL, 4, 0);
	object_symbol(object, "crypt", OBJECT_GLOBAL | OBJECT_FUNC, 0, 12);
	object_symbol(object, "crypt_alias", OBJECT_LOCAL | OBJECT_FUNC, 0, 12);
	object_symbol(object, "label", OBJECT_LOCAL, 0x10, 0);
	object_symbol(object, "entry", OBJECT_GLOBAL, 0x14, 0);
	object_symbol(object, "another", OBJECT_LOCAL, 0x18, 0);
	object_symbol(object, "$d.1", OBJECT_LOCAL, 0x1c, 0);
	object_symbol(object, "table", OBJECT_GLOBAL | OBJECT_DATA, 0x1c, 12);
	object_symbol(object, "$x.2", OBJECT_LOCAL, 0x28, 0);
	object_end(object, code, sizeof(code) / sizeof(code[0]), comment, sizeof(comment), line,
		   sizeof(line));
}

static inline struct elf *read_bytes(struct machine *machine, const void *bytes, size_t size)
{
	struct arena scratch;

	arena_init(&scratch, ARENA_DEFAULT_MAX_BYTES);
	machine_open(machine, "", elf_file_question(&scratch, "/x", bytes, size), NULL, 0);
	arena_release(&scratch);
	return elf_read(machine->root, "/x");
}
