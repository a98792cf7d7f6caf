// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/redfish.h"

#include <string.h>
#include <strings.h>

#define REGISTRIES_MAX 8

/* Registries of messages and privileges are many and long. */
static bool may_be_attributes(const char *address)
{
	return strcasestr(address, "bios") || strcasestr(address, "attribute");
}

/* English where there is a choice: the names that are looked for are. */
static const char *choose_location(const cJSON *file)
{
	const cJSON *list = redfish_member(file, "Location"), *at;
	const char *chosen = NULL;

	cJSON_ArrayForEach (at, list) {
		const cJSON *uri = redfish_member(at, "Uri");
		const cJSON *language = redfish_member(at, "Language");

		if (!cJSON_IsString(uri))
			continue;
		if (cJSON_IsString(language) && strncasecmp(language->valuestring, "en", 2) == 0)
			return uri->valuestring;
		chosen = chosen ? chosen : uri->valuestring;
	}
	return chosen;
}

static void read_one(struct host *host, const char *address, struct redfish_registries *out)
{
	struct redfish_document file = redfish_read(host, address), document;
	const cJSON *attributes;
	const char *name = redfish_text(host->arena, file.top, "Registry");

	document = file;
	if (file.top && !redfish_member(file.top, "RegistryEntries") && choose_location(file.top))
		document = redfish_read(host, choose_location(file.top));
	attributes = redfish_member(redfish_member(document.top, "RegistryEntries"), "Attributes");
	if (cJSON_IsArray(attributes))
		out->items[out->count++] = (struct redfish_registry){
			.name = name ? name : redfish_last(host->arena, address),
			.path = document.path,
			.attributes = attributes};
	else if (!document.top)
		out->problem = document.problem;
	else
		out->problem = value_unknown(host->arena, UNKNOWN_DAMAGED,
					     "%s: holds no attributes", document.path);
}

struct redfish_registries redfish_registries_read(struct host *host, const cJSON *root)
{
	struct redfish_registries found = {.problem = value_none(NULL)};
	const char *address = redfish_link(root, "Registries");
	struct names members = {0};

	found.items = arena_array(host->arena, struct redfish_registry, REGISTRIES_MAX);
	if (!address) {
		found.problem = value_unknown(host->arena, UNKNOWN_NOT_VISIBLE,
					      "the BMC's service root names no registries");
		return found;
	}
	redfish_members(host, address, &members, &found.problem);
	for (size_t i = 0; i < members.count && found.count < REGISTRIES_MAX; i++) {
		if (may_be_attributes(redfish_last(host->arena, members.items[i])))
			read_one(host, members.items[i], &found);
	}
	return found;
}

/* "BiosAttributeRegistryU46.v1_2_44" and "biosattributeregistryu46": the same but for version and
 * letter case. */
static size_t stem(const char *name)
{
	return strcspn(name, ".");
}

const struct redfish_registry *redfish_registry_find(const struct redfish_registries *registries,
						     const char *name)
{
	const struct redfish_registry *found = NULL;

	for (size_t i = 0; i < registries->count; i++) {
		const struct redfish_registry *registry = &registries->items[i];

		if (strcasecmp(registry->name, name) == 0)
			return registry;
	}
	for (size_t i = 0; i < registries->count; i++) {
		const struct redfish_registry *registry = &registries->items[i];

		if (stem(registry->name) != stem(name) ||
		    strncasecmp(registry->name, name, stem(name)) != 0)
			continue;
		if (found)
			return NULL;
		found = registry;
	}
	return found;
}
