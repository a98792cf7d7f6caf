// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

/* Little-endian number of at most 8 bytes; 0 where the bytes end before it, so callers check
 * lengths first where 0 has a meaning. */
static inline uint64_t bytes_number(struct view bytes, size_t offset, size_t size)
{
	uint64_t number = 0;

	if (offset > bytes.size || size > bytes.size - offset)
		return 0;
	for (size_t i = size; i > 0; i--)
		number = number << 8 | (unsigned char)bytes.at[offset + i - 1];
	return number;
}

static inline unsigned bytes_u8(struct view bytes, size_t offset)
{
	return (unsigned)bytes_number(bytes, offset, 1);
}

static inline unsigned bytes_u16(struct view bytes, size_t offset)
{
	return (unsigned)bytes_number(bytes, offset, 2);
}

static inline uint32_t bytes_u32(struct view bytes, size_t offset)
{
	return (uint32_t)bytes_number(bytes, offset, 4);
}

/* Whether the bytes [offset, offset + size) sum to zero, the checksum of SMBIOS and ACPI; false
 * where they are not all there. */
static inline bool bytes_sum_to_zero(struct view bytes, size_t offset, size_t size)
{
	unsigned sum = 0;

	if (offset > bytes.size || size > bytes.size - offset)
		return false;
	for (size_t i = 0; i < size; i++)
		sum += (unsigned char)bytes.at[offset + i];
	return (sum & 0xff) == 0;
}
