// SPDX-License-Identifier: BSD-2-Clause
#include "host/redact_redfish.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "host/bmc.h"
#include "host/hide.h"
#include "host/redfish.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SERIAL_MIN 8
#define SERIAL_DIGITS 4

/* Sorted: members whose values the model reads, or that lead to them. */
static const char *const kept[] = {
	"@Redfish.Settings",
	"@odata.id",
	"@odata.nextLink",
	"AllowedSpeedsMHz",
	"AttributeName",
	"AttributeRegistry",
	"Attributes",
	"Bios",
	"BiosVersion",
	"CapacityMiB",
	"CoreCount",
	"Count",
	"DeviceLocator",
	"DisplayName",
	"FirmwareInventory",
	"Hidden",
	"Language",
	"Links",
	"Location",
	"Manufacturer",
	"Members",
	"Members@odata.count",
	"Members@odata.nextLink",
	"Memory",
	"MemorySummary",
	"Model",
	"OperatingSpeedMhz",
	"PartNumber",
	"ProcessorSummary",
	"ProcessorType",
	"Processors",
	"Product",
	"RedfishVersion",
	"Registries",
	"Registry",
	"RegistryEntries",
	"Sessions",
	"SettingsObject",
	"State",
	"Status",
	"SystemType",
	"Systems",
	"TotalCores",
	"TotalSystemMemoryGiB",
	"Type",
	"UpdateService",
	"Uri",
	"Value",
	"ValueDisplayName",
	"ValueName",
	"Vendor",
	"Version",
};

struct redaction_state {
	struct arena *arena;
	struct names *settings, *hidden;
	struct json_writer writer;
};

static int by_name(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

static bool is_kept(const char *key)
{
	return bsearch(key, kept, sizeof(kept) / sizeof(kept[0]), sizeof(kept[0]), by_name);
}

/* Serial numbers, service tags, UUIDs, MAC and IP addresses are used as names of resources. */
static bool names_a_machine(struct view part)
{
	size_t digits = 0, upper = 0, hex = 0, dashes = 0, dots = 0;

	for (size_t i = 0; i < part.size; i++) {
		unsigned char c = (unsigned char)part.at[i];

		digits += isdigit(c) != 0;
		upper += isupper(c) != 0;
		hex += isxdigit(c) != 0;
		dashes += c == '-' || c == ':';
		dots += c == '.';
	}
	if (hex + dashes == part.size && hex >= 12)
		return true;
	if (dots == 3 && digits + dots == part.size)
		return true;
	return part.size >= SERIAL_MIN && digits >= SERIAL_DIGITS && digits + upper == part.size;
}

static const char *hide_address(struct redaction_state *state, const char *address)
{
	struct buffer out = buffer_new(state->arena, 4096);
	struct view rest = view_of(address), part;
	bool first = true;

	while (view_split(&rest, '/', &part)) {
		if (!first)
			buffer_char(&out, '/');
		first = false;
		if (names_a_machine(part))
			buffer_text(&out, hide_name(state->arena, state->hidden,
						    view_copy(state->arena, part)));
		else
			buffer_add(&out, part.at, part.size);
	}
	return buffer_string(&out);
}

static void write_text(struct redaction_state *state, const char *key, const char *text)
{
	bool is_address = text[0] == '/';

	json_text(&state->writer, key, is_address ? hide_address(state, text) : text);
}

static void write_kept(struct redaction_state *state, const char *key, const cJSON *from);

/* {"NAME": value} of settings that are looked at; nothing else that a setup menu holds. */
static void write_settings(struct redaction_state *state, const char *key, const cJSON *from)
{
	const cJSON *at;

	json_object(&state->writer, key);
	cJSON_ArrayForEach (at, from) {
		if (cJSON_IsObject(at) || cJSON_IsArray(at))
			continue;
		if (names_has(state->settings, at->string) || redfish_setting_of(at->string))
			json_tree(&state->writer, at->string, at);
	}
	json_close(&state->writer);
}

static const char *text_at(const cJSON *object, const char *key)
{
	const cJSON *at = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(at) ? at->valuestring : NULL;
}

/* [{"AttributeName": …, "DisplayName": …}] of a registry, likewise. */
static void write_registered(struct redaction_state *state, const char *key, const cJSON *from)
{
	const cJSON *at;

	json_array(&state->writer, key);
	cJSON_ArrayForEach (at, from) {
		const char *name = text_at(at, "AttributeName");

		if (!name ||
		    !(redfish_setting_of(name) || redfish_setting_of(text_at(at, "DisplayName"))))
			continue;
		if (!names_has(state->settings, name))
			names_add(state->arena, state->settings, arena_strdup(state->arena, name));
		write_kept(state, NULL, at);
	}
	json_close(&state->writer);
}

static void write_array(struct redaction_state *state, const char *key, const cJSON *from)
{
	const cJSON *at;

	json_array(&state->writer, key);
	cJSON_ArrayForEach (at, from)
		write_kept(state, NULL, at);
	json_close(&state->writer);
}

static void write_kept(struct redaction_state *state, const char *key, const cJSON *from)
{
	const cJSON *at;

	if (cJSON_IsString(from)) {
		write_text(state, key, from->valuestring);
	} else if (cJSON_IsArray(from)) {
		write_array(state, key, from);
	} else if (!cJSON_IsObject(from)) {
		json_tree(&state->writer, key, from);
	} else {
		json_object(&state->writer, key);
		cJSON_ArrayForEach (at, from) {
			bool settings = strcmp(at->string, "Attributes") == 0;

			if (settings && cJSON_IsObject(at))
				write_settings(state, at->string, at);
			else if (settings && cJSON_IsArray(at))
				write_registered(state, at->string, at);
			else if (is_kept(at->string))
				write_kept(state, at->string, at);
		}
		json_close(&state->writer);
	}
}

/* Lines of ours (host/bmc.h), not of the BMC. */
static bool is_own(const char *path)
{
	return strcmp(path, BMC_ACCESS_PATH) == 0;
}

struct view redact_redfish(struct arena *arena, struct names *settings, struct names *hidden,
			   const char *path, struct view raw)
{
	struct redaction_state state = {.arena = arena, .settings = settings, .hidden = hidden};
	struct buffer out = buffer_new(arena, raw.size * 4 + 4096);
	struct json json;

	if (is_own(path))
		return raw;
	if (!json_parse(arena, path, raw, &json, NULL))
		return VIEW("not JSON\n");
	json_begin(&state.writer, &out);
	write_kept(&state, NULL, json.top);
	json_end(&state.writer);
	return out.full ? VIEW("not JSON\n") : buffer_view(&out);
}
