// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stddef.h>
#include <stdint.h>

/* SHA-1 (FIPS 180-4, section 6.1), which SPDX 2.3 wants of every file (section 8.4) beside what is
 * really relied on. Nothing is verified with it. */

#define SHA1_HEX_SIZE 41

struct sha1 {
	uint32_t state[5];
	uint64_t size_bytes;
	unsigned char block[64];
};

void sha1_start(struct sha1 *sha1);
void sha1_add(struct sha1 *sha1, const void *bytes, size_t size);
void sha1_end(struct sha1 *sha1, char hex[SHA1_HEX_SIZE]);
