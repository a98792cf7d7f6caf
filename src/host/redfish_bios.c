// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/redfish.h"

#include <string.h>

#define PARTS_MAX 8

/* The settings of one system: what it has, what it will have, and what the names mean. */
struct bios {
	struct host *host;
	struct redfish_document now, next;
	const cJSON *attributes, *pending; /* objects, or NULL */
	struct value no_pending; /* why `pending` is not known; VALUE_NONE: nothing waits */
	const struct redfish_registry *registry;
	struct value no_registry;
};

/* An attribute that is (a part of) a setting; `entry` is the registry's, NULL without one. */
struct part {
	const char *name;
	const cJSON *entry;
};

/* The name people read for a value's name. */
static const char *shown_value(const struct part *part, const char *name)
{
	const cJSON *list = redfish_member(part->entry, "Value"), *at;

	cJSON_ArrayForEach (at, list) {
		const cJSON *known = redfish_member(at, "ValueName");
		const cJSON *shown = redfish_member(at, "ValueDisplayName");

		if (cJSON_IsString(known) && strcmp(known->valuestring, name) == 0)
			return cJSON_IsString(shown) && shown->valuestring[0] ? shown->valuestring
									      : name;
	}
	/* A value that the registry does not know is nobody's. */
	return cJSON_IsArray(list) && list->child ? NULL : name;
}

/* Our word for what an attribute holds, NULL with the reason. */
static const char *word_of(const struct bios *bios, const struct redfish_setting *setting,
			   const struct part *part, const cJSON *holds, struct value *problem)
{
	const char *shown = NULL, *word;

	if (cJSON_IsString(holds))
		shown = shown_value(part, holds->valuestring);
	else if (cJSON_IsBool(holds))
		shown = cJSON_IsTrue(holds) ? "true" : "false";
	word = redfish_word(setting, shown);
	if (word)
		return word;
	*problem = value_unknown(
		bios->host->arena, UNKNOWN_UNCONFIRMED,
		"%s: %s holds %s, which has no known meaning", bios->now.path,
		text_printable(bios->host->arena, view_of(part->name)),
		cJSON_IsString(holds) ? text_printable(bios->host->arena,
						       view_of(shown ? shown : holds->valuestring))
		: cJSON_IsNull(holds) ? "null"
				      : "no name");
	return NULL;
}

/* Of all parts: enabled when each is, disabled when one is; other settings have one part. */
static const char *word_of_parts(const struct bios *bios, const struct redfish_setting *setting,
				 const struct part *parts, size_t count, const cJSON *const *holds,
				 struct value *problem)
{
	const char *all = NULL;

	for (size_t i = 0; i < count; i++) {
		const char *word = word_of(bios, setting, &parts[i], holds[i], problem);

		if (!word)
			return NULL;
		if (!all || strcmp(word, "disabled") == 0)
			all = word;
	}
	return all;
}

static struct value cited(const struct bios *bios, const char *word, const struct part *parts,
			  size_t count, const cJSON *const *holds)
{
	struct arena *arena = bios->host->arena;
	struct value value = value_text(word);

	for (size_t i = 0; i < count; i++) {
		const char *display = redfish_text(arena, parts[i].entry, "DisplayName");
		const char *held = cJSON_IsString(holds[i]) ? holds[i]->valuestring
				   : cJSON_IsTrue(holds[i]) ? "true"
							    : "false";
		const char *shown = cJSON_IsString(holds[i]) ? shown_value(&parts[i], held) : held;

		value_cite(arena, &value, bios->now.path,
			   arena_printf(arena, "%s%s%s%s: %s",
					text_printable(arena, view_of(parts[i].name)),
					display ? " (" : "", display ? display : "",
					display ? ")" : "",
					text_printable(arena, view_of(shown ? shown : held))),
			   CONFIDENCE_DIRECT);
		if (parts[i].entry)
			value_cite(arena, &value, bios->registry->path,
				   display ? display : parts[i].name, CONFIDENCE_DIRECT);
	}
	return value;
}

/* What waits for a restart, when it differs from what is. */
static struct value next_value(const struct bios *bios, const struct redfish_setting *setting,
			       const struct part *parts, size_t count, const cJSON *const *holds,
			       const char *now)
{
	const cJSON *coming[PARTS_MAX];
	struct value problem;
	const char *word;

	if (!bios->pending)
		return bios->no_pending;
	for (size_t i = 0; i < count; i++) {
		const cJSON *at = redfish_member(bios->pending, parts[i].name);

		coming[i] = at && !cJSON_IsNull(at) ? at : holds[i];
	}
	word = word_of_parts(bios, setting, parts, count, coming, &problem);
	if (!word)
		return problem;
	if (strcmp(word, now) == 0)
		return value_none("nothing waits");
	return value_text(word);
}

static bool means(const struct redfish_setting *setting, const char *name)
{
	return name && redfish_setting_of(name) == setting;
}

/* Attributes of this system that are the setting, by what the registry calls them, else by their
 * own names. */
static size_t find_parts(const struct bios *bios, const struct redfish_setting *setting,
			 struct part parts[PARTS_MAX])
{
	const cJSON *at, *list = bios->registry ? bios->registry->attributes : NULL;
	size_t count = 0;

	cJSON_ArrayForEach (at, list) {
		const cJSON *name = redfish_member(at, "AttributeName");
		const cJSON *display = redfish_member(at, "DisplayName");

		if (!cJSON_IsString(name) || !redfish_member(bios->attributes, name->valuestring))
			continue;
		if (count < PARTS_MAX &&
		    (means(setting, cJSON_IsString(display) ? display->valuestring : NULL) ||
		     means(setting, name->valuestring)))
			parts[count++] = (struct part){name->valuestring, at};
	}
	/* One that is named and not to be had would have said more. */
	if (bios->registry || redfish_member(bios->now.top, "AttributeRegistry"))
		return count;
	cJSON_ArrayForEach (at, bios->attributes) {
		if (count < PARTS_MAX && means(setting, at->string))
			parts[count++] = (struct part){at->string, NULL};
	}
	return count;
}

static struct value several(const struct bios *bios, const struct part *parts, size_t count)
{
	struct names names = {0};

	for (size_t i = 0; i < count; i++)
		names_add(bios->host->arena, &names,
			  text_printable(bios->host->arena, view_of(parts[i].name)));
	return value_unknown(bios->host->arena, UNKNOWN_UNCONFIRMED,
			     "%s: several attributes may be it (%s)", bios->now.path,
			     names_join(bios->host->arena, &names, ", "));
}

static struct value none_fits(const struct bios *bios)
{
	if (bios->no_registry.kind == VALUE_UNKNOWN)
		return bios->no_registry;
	return value_unknown(bios->host->arena, UNKNOWN_UNCONFIRMED,
			     "%s: no attribute has a name that is known for it", bios->now.path);
}

/* A setting of L1 and L2 of which only one is to be seen; NULL: both. */
static const char *missing_level(const struct redfish_setting *setting, const struct part *parts,
				 size_t count)
{
	static const char *const levels[] = {"L1", "L2"};
	bool seen[] = {false, false};

	for (size_t i = 0; setting->in_parts && i < count; i++) {
		const cJSON *display = redfish_member(parts[i].entry, "DisplayName");
		const char *shown = cJSON_IsString(display) ? display->valuestring : "";
		bool named[2];

		for (size_t level = 0; level < 2; level++)
			named[level] = strcasestr(shown, levels[level]) ||
				       strcasestr(parts[i].name, levels[level]);
		seen[0] |= named[0] || !named[1];
		seen[1] |= named[1] || !named[0];
	}
	if (!setting->in_parts || (seen[0] && seen[1]))
		return NULL;
	return seen[0] ? levels[1] : levels[0];
}

static struct redfish_found read_setting(const struct bios *bios,
					 const struct redfish_setting *setting)
{
	struct redfish_found found = {0};
	struct part parts[PARTS_MAX];
	const cJSON *holds[PARTS_MAX];
	size_t count = find_parts(bios, setting, parts);
	const char *word, *missing;

	if (count == 0)
		found.now = none_fits(bios);
	else if (count > 1 && !setting->in_parts)
		found.now = several(bios, parts, count);
	found.next = found.now;
	if (count == 0 || (count > 1 && !setting->in_parts))
		return found;
	for (size_t i = 0; i < count; i++)
		holds[i] = redfish_member(bios->attributes, parts[i].name);
	word = word_of_parts(bios, setting, parts, count, holds, &found.now);
	missing =
		word && strcmp(word, "enabled") == 0 ? missing_level(setting, parts, count) : NULL;
	if (missing)
		found.now = value_unknown(
			bios->host->arena, UNKNOWN_UNCONFIRMED,
			"%s: %s is enabled, and nothing tells of %s", bios->now.path,
			text_printable(bios->host->arena, view_of(parts[0].name)), missing);
	found.next = found.now;
	if (!word || missing)
		return found;
	found.now = cited(bios, word, parts, count, holds);
	found.next = next_value(bios, setting, parts, count, holds, word);
	return found;
}

static void read_pending(struct bios *bios)
{
	const cJSON *settings = redfish_member(bios->now.top, "@Redfish.Settings");
	const char *address = redfish_link(settings, "SettingsObject");

	bios->no_pending = value_none("the BMC keeps no settings for later");
	if (!address)
		return;
	bios->next = redfish_read(bios->host, address);
	bios->no_pending = bios->next.problem;
	bios->pending = redfish_member(bios->next.top, "Attributes");
	if (!cJSON_IsObject(bios->pending))
		bios->pending = NULL;
	if (bios->next.top && !bios->pending)
		bios->no_pending = value_none("nothing waits");
}

static void choose_registry(struct bios *bios, const struct redfish_registries *registries)
{
	struct arena *arena = bios->host->arena;
	const char *name = redfish_text(arena, bios->now.top, "AttributeRegistry");

	bios->no_registry = value_none(NULL);
	if (name)
		bios->registry = redfish_registry_find(registries, name);
	else if (registries->count == 1)
		bios->registry = &registries->items[0];
	if (bios->registry)
		return;
	if (registries->problem.kind == VALUE_UNKNOWN)
		bios->no_registry = registries->problem;
	else
		bios->no_registry =
			value_unknown(arena, UNKNOWN_NOT_VISIBLE,
				      "%s: the registry that explains it (%s) is not there",
				      bios->now.path, name ? name : "it names none");
}

static void set_settings(struct redfish *redfish, struct value why)
{
	for (size_t i = 0; i < REDFISH_SETTINGS; i++)
		redfish->settings[i] = (struct redfish_found){.now = why, .next = why};
}

void redfish_read_settings(struct host *host, struct redfish *redfish, const cJSON *root)
{
	struct bios bios = {.host = host};
	const char *address = redfish_link(redfish->system_top, "Bios");
	struct redfish_registries registries;

	if (!redfish->system_top) {
		set_settings(redfish, redfish->system);
		return;
	}
	if (!address) {
		set_settings(redfish,
			     value_unknown(host->arena, UNKNOWN_NOT_VISIBLE,
					   "%s: has no firmware settings", redfish->system_path));
		return;
	}
	registries = redfish_registries_read(host, root);
	bios.now = redfish_read(host, address);
	bios.attributes = redfish_member(bios.now.top, "Attributes");
	if (!bios.now.top) {
		set_settings(redfish, bios.now.problem);
	} else if (!cJSON_IsObject(bios.attributes)) {
		set_settings(redfish,
			     value_unknown(host->arena, UNKNOWN_NOT_VISIBLE,
					   "%s: the BMC shows no attributes there", bios.now.path));
	} else if (redfish->other_machine) {
		set_settings(redfish,
			     value_unknown(host->arena, UNKNOWN_DAMAGED,
					   "%s: product and firmware are those of another machine",
					   redfish->system_path));
	} else {
		choose_registry(&bios, &registries);
		read_pending(&bios);
		for (size_t i = 0; i < REDFISH_SETTINGS; i++)
			redfish->settings[i] = read_setting(&bios, &redfish_settings[i]);
	}
}
