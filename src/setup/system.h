// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stddef.h>

struct arena;
struct recipe;
struct target;
struct toolchain;

/*
 * Libraries of the target's system that trees are linked with beside what is built: those that the
 * tools of recipes name by soname. Found where the linker looks, by the name it takes (libX.so),
 * through the file system alone.
 */
struct system_library {
	const char *soname;   /* as the recipe has it: a name or a glob */
	const char *path;     /* of the file, links resolved */
	const char *version;  /* what its name says behind ".so.": "1.3.0" */
	const char *identity; /* "build-id HEX" (GNU build id), "sha256 HEX" where there is none */
};

/* What is not there, is no library of the target or cannot be read is left out: whether the build
 * has what it needs is asked of the compiler (setup/tools.h). */
void system_libraries(struct arena *arena, const struct recipe *const *recipes, size_t recipe_count,
		      const struct target *target, const struct toolchain *toolchain,
		      const struct system_library **out, size_t *count);
