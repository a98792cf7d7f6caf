// SPDX-License-Identifier: BSD-2-Clause
#include "host/redact_dmi.h"

#include "base/arena.h"
#include "host/smbios_walk.h"

#include <string.h>

#define BLANK '*'
#define HEADER_BYTES 4
#define CHASSIS_ASSET_TAG_AT 0x08

/* The asset tag of every Azure guest: a constant of the platform, not of a machine. */
static const char azure_tag[] = "7783-7084-3265-9085-8269-3286-77";

/*
 * What is kept of a structure type (DSP0134 chapter 7): the strings whose numbers stand at
 * `strings`, and the bytes of the formatted area outside [zero_from, zero_to). Types without a row
 * keep their header alone.
 */
static const struct kept {
	uint8_t type;
	uint8_t zero_from, zero_to; /* both 0: the whole formatted area is kept */
	uint8_t strings[8];         /* ended by 0 */
} kept_types[] = {
	{.type = SMBIOS_FIRMWARE, .strings = {0x04, 0x05, 0x08}},
	/* the UUID stands at 08h-17h */
	{.type = SMBIOS_SYSTEM,
	 .zero_from = 0x08,
	 .zero_to = 0x18,
	 .strings = {0x04, 0x05, 0x06, 0x19, 0x1a}},
	{.type = SMBIOS_BOARD, .strings = {0x04, 0x05, 0x06}},
	{.type = SMBIOS_CHASSIS, .strings = {0x04, 0x06}},
	{.type = SMBIOS_PROCESSOR, .strings = {0x04, 0x07, 0x10, 0x22}},
	{.type = SMBIOS_CACHE, .strings = {0x04}},
	{.type = 9, .strings = {0x04}},
	{.type = SMBIOS_ARRAY},
	{.type = SMBIOS_DEVICE, .strings = {0x10, 0x11, 0x17, 0x1a, 0x2b}},
	{.type = 19},
	{.type = 20},
	{.type = 32},
	{.type = SMBIOS_END_OF_TABLE},
};

bool asset_tag_is_cloud(struct view tag)
{
	return view_is(view_trim(tag), azure_tag);
}

static void blank(char *at, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (at[i] != '\0')
			at[i] = BLANK;
	}
}

static bool string_is_kept(const struct smbios_structure *structure, const struct kept *kept,
			   unsigned number)
{
	for (size_t i = 0; kept && i < sizeof(kept->strings) && kept->strings[i] != 0; i++) {
		if (smbios_number(structure, kept->strings[i], 1) == number)
			return true;
	}
	return structure->type == SMBIOS_CHASSIS &&
	       smbios_number(structure, CHASSIS_ASSET_TAG_AT, 1) == number &&
	       asset_tag_is_cloud(smbios_string_at(structure, number));
}

/* A secret and a kept field may point at the same string; the secret wins. */
static bool string_is_secret(const struct smbios_structure *structure, unsigned number)
{
	static const struct {
		uint8_t type, at[3];
	} secrets[] = {
		{SMBIOS_SYSTEM, {0x07}},       {SMBIOS_BOARD, {0x07, 0x08}},
		{SMBIOS_CHASSIS, {0x07}},      {SMBIOS_PROCESSOR, {0x20, 0x21}},
		{SMBIOS_DEVICE, {0x18, 0x19}},
	};

	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
		for (size_t j = 0; j < 3 && secrets[i].type == structure->type && secrets[i].at[j];
		     j++) {
			if (smbios_number(structure, secrets[i].at[j], 1) == number)
				return true;
		}
	}
	return false;
}

/* Numbers come from the untouched structure: blanking while reading would move nothing, but would
 * compare blanked text. */
static void redact_strings(const struct smbios_structure *structure, const struct kept *kept,
			   char *copy)
{
	size_t at = 0;

	for (unsigned number = 1; at < structure->strings.size; number++) {
		const char *end =
			memchr(structure->strings.at + at, '\0', structure->strings.size - at);
		size_t size = end ? (size_t)(end - structure->strings.at) - at
				  : structure->strings.size - at;

		if (!string_is_kept(structure, kept, number) || string_is_secret(structure, number))
			blank(copy + at, size);
		at += size + 1;
	}
}

/* Type 42 (DSP0270): its kind, the lengths that lead to its protocols, and their kinds stay;
 * addresses and UUIDs go. */
static void redact_host_interface(const struct smbios_structure *structure, char *copy)
{
	size_t data = (size_t)smbios_number(structure, 0x05, 1), at = 6 + data,
	       end = structure->bytes.size;
	unsigned protocols = (unsigned)smbios_number(structure, at, 1);

	if (end <= 6)
		return;
	memset(copy + 6, 0, (at < end ? at : end) - 6);
	at++;
	for (unsigned i = 0; i < protocols && at + 2 <= end; i++) {
		size_t size = (size_t)smbios_number(structure, at + 1, 1);

		at += 2;
		memset(copy + at, 0, at + size < end ? size : end - at);
		at += size;
	}
	if (at < end)
		memset(copy + at, 0, end - at);
}

static void redact_structure(const struct smbios_structure *structure, char *copy)
{
	const struct kept *kept = NULL;
	size_t from = HEADER_BYTES, to = structure->bytes.size;

	for (size_t i = 0; i < sizeof(kept_types) / sizeof(kept_types[0]); i++) {
		if (kept_types[i].type == structure->type)
			kept = &kept_types[i];
	}
	if (kept) {
		from = kept->zero_from;
		to = kept->zero_to < to ? kept->zero_to : to;
	}
	if (structure->type == SMBIOS_HOST_INTERFACE)
		redact_host_interface(structure, copy);
	else if (from < to)
		memset(copy + from, 0, to - from);
	redact_strings(structure, kept, copy + structure->bytes.size);
}

struct view redact_dmi(struct arena *arena, struct view raw)
{
	struct smbios_walk walk = {.rest = raw};
	struct smbios_structure structure;
	size_t done = 0;
	char *copy;

	if (raw.size == 0)
		return raw;
	copy = arena_copy(arena, raw.at, raw.size);
	while (smbios_next(&walk, &structure)) {
		size_t at = (size_t)(structure.bytes.at - raw.at);

		redact_structure(&structure, copy + at);
		done = at + structure.bytes.size + structure.strings.size + 2;
	}
	/* Behind the end and behind damage nothing is known; a torn header stays, so that it is
	 * read as the same damage. */
	if (walk.damage && done < raw.size)
		done += raw.size - done < HEADER_BYTES ? raw.size - done : HEADER_BYTES;
	if (done < raw.size)
		memset(copy + done, 0, raw.size - done);
	return (struct view){copy, raw.size};
}

struct view redact_asset_tag(struct arena *arena, struct view raw)
{
	char *copy;

	if (raw.size == 0 || asset_tag_is_cloud(raw))
		return raw;
	copy = arena_copy(arena, raw.at, raw.size);
	for (size_t i = 0; i < raw.size; i++) {
		if (copy[i] != '\n')
			copy[i] = BLANK;
	}
	return (struct view){copy, raw.size};
}
