// SPDX-License-Identifier: BSD-2-Clause
#include "host/smbios_walk.h"

#include "host/bytes.h"

#include <string.h>

#define HEADER_BYTES 4

/* The three kinds of entry point; DSP0134 5.2.1, 5.2.2, and the _DMI_ half of 5.2.1 that old
 * firmware gives alone. */
struct anchor {
	const char *text;
	size_t least_bytes; /* a shorter one cannot hold the fields read */
	size_t length_at;   /* where it states its own length; 0: always least_bytes */
	void (*read)(struct view at, struct smbios_entry *out);
};

static void entry_read_v3(struct view at, struct smbios_entry *out)
{
	out->major = bytes_u8(at, 0x07);
	out->minor = bytes_u8(at, 0x08);
	out->revision = bytes_u8(at, 0x09);
	out->table_bytes = bytes_u32(at, 0x0c);
}

static void entry_read_v2(struct view at, struct smbios_entry *out)
{
	out->major = bytes_u8(at, 0x06);
	out->minor = bytes_u8(at, 0x07);
	out->table_bytes = bytes_u16(at, 0x16);
	out->structures = bytes_u16(at, 0x1c);
	if (memcmp(at.at + 0x10, "_DMI_", 5) != 0 || !bytes_sum_to_zero(at, 0x10, 0x0f))
		out->sound = false;
}

static void entry_read_legacy(struct view at, struct smbios_entry *out)
{
	out->major = bytes_u8(at, 0x0e) >> 4;
	out->minor = bytes_u8(at, 0x0e) & 0x0f;
	out->table_bytes = bytes_u16(at, 0x06);
	out->structures = bytes_u16(at, 0x0c);
}

/* A 2.x length of 0x1e is a misprint of the 2.1 specification that firmware followed. */
static const struct anchor anchors[] = {
	{.text = "_SM3_", .least_bytes = 0x18, .length_at = 0x06, .read = entry_read_v3},
	{.text = "_SM_", .least_bytes = 0x1e, .length_at = 0x05, .read = entry_read_v2},
	{.text = "_DMI_", .least_bytes = 0x0f, .read = entry_read_legacy},
};

bool smbios_entry_parse(struct view raw, struct smbios_entry *out)
{
	*out = (struct smbios_entry){0};
	for (size_t i = 0; i < sizeof(anchors) / sizeof(anchors[0]); i++) {
		const struct anchor *anchor = &anchors[i];
		size_t length;

		if (!view_starts(raw, anchor->text) || raw.size < anchor->least_bytes)
			continue;
		length = anchor->length_at ? bytes_u8(raw, anchor->length_at) : anchor->least_bytes;
		out->sound = length >= anchor->least_bytes && length <= raw.size &&
			     bytes_sum_to_zero(raw, 0, length);
		anchor->read(raw, out);
		return true;
	}
	return false;
}

/* Where the string set of a structure ends: at its two NULs, or at the end of the table. */
static size_t strings_length(struct view rest, bool *terminated)
{
	for (size_t i = 0; i + 1 < rest.size; i++) {
		if (rest.at[i] == '\0' && rest.at[i + 1] == '\0') {
			*terminated = true;
			return i;
		}
	}
	*terminated = false;
	return rest.size;
}

static bool walk_stop(struct smbios_walk *walk, const char *damage)
{
	walk->damage = damage;
	walk->rest = (struct view){0};
	return false;
}

bool smbios_next(struct smbios_walk *walk, struct smbios_structure *out)
{
	struct view after;
	bool terminated;
	size_t length, text;

	if (walk->ended || walk->damage || walk->rest.size == 0)
		return false;
	if (walk->count == SMBIOS_STRUCTURES_MAX)
		return walk_stop(walk, "more than 65536 structures");
	if (walk->rest.size < HEADER_BYTES)
		return walk_stop(walk, "the table ends inside a header");
	length = bytes_u8(walk->rest, 1);
	if (length < HEADER_BYTES)
		return walk_stop(walk, "a structure states a length below 4");
	if (length > walk->rest.size)
		return walk_stop(walk, "a structure runs past the end of the table");

	after = (struct view){walk->rest.at + length, walk->rest.size - length};
	text = strings_length(after, &terminated);
	*out = (struct smbios_structure){
		.type = (uint8_t)bytes_u8(walk->rest, 0),
		.handle = (uint16_t)bytes_u16(walk->rest, 2),
		.bytes = {walk->rest.at, length},
		.strings = {after.at, text},
	};
	walk->count++;
	walk->ended = out->type == SMBIOS_END_OF_TABLE;
	if (!terminated) {
		walk_stop(walk, walk->ended ? NULL : "a structure's strings have no end");
		return true;
	}
	walk->rest = (struct view){after.at + text + 2, after.size - text - 2};
	return true;
}

uint64_t smbios_number(const struct smbios_structure *structure, size_t offset, size_t size)
{
	return bytes_number(structure->bytes, offset, size);
}

struct view smbios_string_at(const struct smbios_structure *structure, unsigned number)
{
	struct view rest = structure->strings, text;

	for (unsigned i = 1; number > 0 && view_split(&rest, '\0', &text); i++) {
		if (i == number)
			return text;
	}
	return (struct view){0};
}

struct view smbios_string(const struct smbios_structure *structure, size_t offset)
{
	return smbios_string_at(structure, (unsigned)smbios_number(structure, offset, 1));
}
