// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>

struct arena;
struct error;
struct sandbox;

/* An archive (open, checked) into an empty directory, by the helper program, as the user of the
 * build. What it says goes to the log; its one line about a bad archive is the error. */
bool unpack_archive(const struct sandbox *sandbox, struct arena *arena, int archive,
		    const char *directory, int log, struct error *err);
/* Likewise, without taking the one directory at the top away. */
bool unpack_whole(const struct sandbox *sandbox, struct arena *arena, int archive,
		  const char *directory, int log, struct error *err);
