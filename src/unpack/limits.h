// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What an archive may ask for. The first ones are options of the program, the rest is fixed. */
struct unpack_limits {
	uint64_t entries; /* members of the archive */
	uint64_t bytes;   /* contents of all files, holes counted */
	uint64_t ratio;   /* bytes out for each byte of the archive, past UNPACK_RATIO_FREE_BYTES */
};

#define UNPACK_ENTRIES 100000
#define UNPACK_BYTES ((uint64_t)4 << 30)
#define UNPACK_RATIO 200

#define UNPACK_RATIO_FREE_BYTES ((uint64_t)16 << 20)
#define UNPACK_DICTIONARY_MAX_BYTES ((uint64_t)64 << 20)
#define UNPACK_PATH_MAX 4096 /* bytes of a path, of a link's target */
#define UNPACK_PART_MAX 255  /* bytes of one component */
#define UNPACK_DEPTH_MAX 64  /* components of a path */
