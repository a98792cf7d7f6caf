// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct error;

/*
 * Writes a tar archive that depends on nothing but what is put into it: regular files only, owner
 * root, ustar headers (POSIX.1-2017, pax), with a pax header before names that do not fit. The
 * caller gives exactly the bytes it announced.
 */
struct tar_writer {
	struct arena *arena;
	int fd;
	const char *name;    /* of the archive, for messages */
	uint64_t left_bytes; /* of the current file */
	uint64_t size_bytes; /* of the current file */
};

bool tar_file(struct tar_writer *tar, const char *path, bool executable, uint64_t size_bytes,
	      int64_t modified_s, struct error *err);
bool tar_bytes(struct tar_writer *tar, struct view bytes, struct error *err);
/* After the last byte of each file; false when some are missing. */
bool tar_file_end(struct tar_writer *tar, struct error *err);
bool tar_end(struct tar_writer *tar, struct error *err);
