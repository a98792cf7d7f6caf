// SPDX-License-Identifier: BSD-2-Clause
#include "host/locator.h"

#include "base/arena.h"

#include <fnmatch.h>
#include <string.h>

#define SOCKETS_MAX 16
#define CHANNELS_MAX 32
#define NUMBER_MAX 1024

/* Seen in firmware sources and in dumps of real machines. The first that fits decides, so the
 * narrow ones come first. */
static const struct locator_scheme schemes[] = {
	{.board = "ADLINK Ampere Altra (TianoCore)",
	 .vendor = "ADLINK*",
	 .locator = "Socket {socket} DIMM {number}",
	 .first_number = 0,
	 .slots_per_channel = 1,
	 .slots_per_socket = 6,
	 .channels_wired = 6},
	{.board = "ADLINK Ampere Altra (TianoCore)",
	 .vendor = "ADLINK*",
	 .locator = "DIMM {number}",
	 .first_number = 1,
	 .slots_per_channel = 1,
	 .slots_per_socket = 6,
	 .channels_wired = 6},
	{.board = "Mt. Jade (TianoCore)",
	 .firmware = "TianoCore*",
	 .locator = "Socket {socket} DIMM {number}",
	 .first_number = 0,
	 .slots_per_channel = 2,
	 .slots_per_socket = 16,
	 .board_global = true,
	 .order_inferred = true},
	{.board = "Mt. Jade (WIWYNN, AMI)",
	 .vendor = "WIWYNN*",
	 .locator = "Socket {socket} DIMM {number}",
	 .locator_socket0 = "DIMM {number}",
	 .first_number = 1,
	 .slots_per_channel = 2,
	 .slots_per_socket = 16},
	{.board = "Gigabyte (AMI)", .locator = "DIMM_P{socket}_{letter}{slot}", .letters = true},
	{.board = "ASRock Rack (AMI)", .locator = "DDR4_{letter}{slot}", .letters = true},
	{.board = "ASRock Rack (TianoCore)", .locator = "DIMM {letter}{slot}", .letters = true},
	{.board = "Supermicro",
	 .vendor = "Supermicro*",
	 .locator = "DIMM{letter}{slot}",
	 .letters = true},
	{.board = "HiSilicon, Phytium", .bank = "SOCKET {socket} CHANNEL {channel} DIMM {slot}"},
};

struct reading {
	struct locator_place place;
	unsigned number;
	bool numbered;
};

/* Reads decimal digits; at most four, so that no overflow is possible. */
static bool read_number(const char **text, unsigned max, unsigned *out)
{
	unsigned number = 0, digits = 0;

	for (; **text >= '0' && **text <= '9' && digits < 4; (*text)++, digits++)
		number = number * 10 + (unsigned)(**text - '0');
	if (digits == 0 || number >= max)
		return false;
	*out = number;
	return true;
}

static bool read_field(const char *field, size_t size, const char **text, struct reading *reading)
{
	struct view name = {field, size};

	if (view_is(name, "letter")) {
		if (**text < 'A' || **text > 'P')
			return false;
		reading->place.channel = (unsigned)(*(*text)++ - 'A');
		return true;
	}
	if (view_is(name, "socket"))
		return read_number(text, SOCKETS_MAX, &reading->place.socket);
	if (view_is(name, "channel"))
		return read_number(text, CHANNELS_MAX, &reading->place.channel);
	if (view_is(name, "slot"))
		return read_number(text, NUMBER_MAX, &reading->place.slot);
	reading->numbered = true;
	return read_number(text, NUMBER_MAX, &reading->number);
}

static bool pattern_match(const char *pattern, const char *text, struct reading *reading)
{
	if (!pattern || !text)
		return false;
	while (*pattern) {
		const char *end;

		if (*pattern != '{') {
			if (*pattern++ != *text++)
				return false;
			continue;
		}
		end = strchr(pattern, '}');
		if (!end || !read_field(pattern + 1, (size_t)(end - pattern) - 1, &text, reading))
			return false;
		pattern = end + 1;
	}
	return *text == '\0';
}

/* A running number becomes a channel and a slot of its socket. */
static bool place_number(const struct locator_scheme *scheme, struct reading *reading)
{
	unsigned first = scheme->first_number, index;

	if (!reading->numbered)
		return true;
	if (scheme->board_global)
		first += reading->place.socket * scheme->slots_per_socket;
	if (reading->number < first)
		return false;
	index = reading->number - first;
	if (scheme->slots_per_socket && index >= scheme->slots_per_socket)
		return false;
	reading->place.channel = index / scheme->slots_per_channel;
	reading->place.slot = index % scheme->slots_per_channel;
	return true;
}

static bool scheme_place(const struct locator_scheme *scheme, const struct smbios_device *device,
			 struct locator_place *place)
{
	struct reading reading = {0}, first = {0};

	if (scheme->locator_socket0 &&
	    pattern_match(scheme->locator_socket0, device->locator, &first))
		reading = first;
	else if (scheme->locator && !pattern_match(scheme->locator, device->locator, &reading))
		return false;
	if (scheme->bank && !pattern_match(scheme->bank, device->bank, &reading))
		return false;
	if (!place_number(scheme, &reading))
		return false;
	*place = reading.place;
	return true;
}

static bool glob_is(const char *glob, const char *text)
{
	return text && fnmatch(glob, text, FNM_CASEFOLD) == 0;
}

static bool scheme_applies(const struct locator_scheme *scheme, const struct smbios *smbios)
{
	const char *pattern = scheme->locator ? scheme->locator : scheme->bank;

	if (scheme->vendor && !glob_is(scheme->vendor, smbios->vendor) &&
	    !glob_is(scheme->vendor, smbios->board_vendor))
		return false;
	if (scheme->firmware && !glob_is(scheme->firmware, smbios->firmware_version))
		return false;
	/* text that names no socket cannot tell two of them apart */
	return strstr(pattern, "{socket}") || smbios_populated(smbios) <= 1;
}

/* Two devices in one slot: the text means something else. */
static bool places_are_distinct(const struct locator_place *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (memcmp(&places[i], &places[j], sizeof(*places)) == 0)
				return false;
		}
	}
	return true;
}

const struct locator_scheme *locator_schemes_match(const struct smbios *smbios,
						   const struct smbios_device *const *devices,
						   size_t count, struct locator_place *places)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		size_t placed = 0;

		if (!scheme_applies(&schemes[i], smbios))
			continue;
		while (placed < count &&
		       scheme_place(&schemes[i], devices[placed], &places[placed]))
			placed++;
		if (count != 0 && placed == count && places_are_distinct(places, count))
			return &schemes[i];
	}
	return NULL;
}

const char *locator_channel_name(struct arena *arena, const struct locator_scheme *scheme,
				 unsigned channel)
{
	return scheme->letters ? arena_printf(arena, "%c", (char)('A' + channel))
			       : arena_printf(arena, "%u", channel);
}
