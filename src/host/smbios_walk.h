// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * SMBIOS bytes, trusted in nothing: entry points of 2.x and 3.x and the anchor of the old _DMI_
 * kind, and the walk from structure to structure. Offsets and types are those of DMTF DSP0134
 * (SMBIOS Reference Specification) 3.7, chapters 5-7.
 */
#define SMBIOS_STRUCTURES_MAX 65536
#define SMBIOS_END_OF_TABLE 127

enum smbios_type {
	SMBIOS_FIRMWARE = 0,
	SMBIOS_SYSTEM = 1,
	SMBIOS_BOARD = 2,
	SMBIOS_CHASSIS = 3,
	SMBIOS_PROCESSOR = 4,
	SMBIOS_CACHE = 7,
	SMBIOS_ARRAY = 16,
	SMBIOS_DEVICE = 17,
	SMBIOS_HOST_INTERFACE = 42,
};

struct smbios_entry {
	unsigned major, minor, revision;
	size_t table_bytes; /* the table's length (2.x), its maximum (3.x) */
	size_t structures;  /* 0: to the end-of-table structure (3.x) */
	bool sound;         /* anchor, length and checksum are right */
};

/* False when the bytes are no entry point of any kind; *out is then all zero. */
bool smbios_entry_parse(struct view raw, struct smbios_entry *out);

/* One structure: `bytes` is its formatted area, header included; `strings` what follows, without
 * the last two NULs. */
struct smbios_structure {
	uint8_t type;
	uint16_t handle;
	struct view bytes;
	struct view strings;
};

struct smbios_walk {
	struct view rest; /* what is still to be read */
	size_t count;
	bool ended;         /* the end-of-table structure was read */
	const char *damage; /* why the walk had to stop, NULL when it reached the end */
};

/* The next structure, or false at the end and at the first thing that is wrong (walk->damage). A
 * structure whose strings have no terminator is still given; the walk stops after it. */
bool smbios_next(struct smbios_walk *walk, struct smbios_structure *out);

/* Little-endian number of 1, 2, 4 or 8 bytes; 0 when the structure is too short for it, which
 * SMBIOS reads as "not given". */
uint64_t smbios_number(const struct smbios_structure *structure, size_t offset, size_t size);
/* The string whose number stands at `offset`: empty when the number is 0, out of range, or the
 * structure too short. */
struct view smbios_string(const struct smbios_structure *structure, size_t offset);
/* The string of that number, 1 being the first. */
struct view smbios_string_at(const struct smbios_structure *structure, unsigned number);
