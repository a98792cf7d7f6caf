// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/error.h"
#include "unpack/limits.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Unpacks a tar archive (ustar, pax, GNU) below one directory: libarchive reads it, struct writer
 * makes the files. Whatever libarchive is not content with, warnings included, is an error that
 * names the entry; what was made by then stays, for the caller to remove.
 */
struct unpack_request {
	int archive;     /* a regular file, read from its start */
	int destination; /* an empty directory; -1: everything is checked and nothing made */
	bool keep_top;   /* otherwise the one directory at the top is taken away */
	struct unpack_limits limits;
	void (*progress)(uint64_t read_bytes); /* at most five times a second; or NULL */
};

struct unpack_result {
	uint64_t entries; /* of the archive, without its top */
	uint64_t bytes;   /* of contents */
};

bool unpack_run(const struct unpack_request *request, struct unpack_result *result,
		struct error *err);
