// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/bmc.h"
#include "host/redfish.h"

#include <string.h>

static struct value asked(struct facts *facts, const char *of)
{
	const struct redfish *redfish = host_redfish(facts->host);
	struct value value = value_bool(redfish->asked);

	(void)of;
	if (redfish->asked)
		value_cite(facts->arena, &value, BMC_ROOT_PATH, NULL, CONFIDENCE_DIRECT);
	return value;
}

static struct value access_by(struct facts *facts, const char *of)
{
	(void)of;
	return host_redfish(facts->host)->access;
}

static struct value service(struct facts *facts, const char *of)
{
	(void)of;
	return host_redfish(facts->host)->service;
}

static struct value system_address(struct facts *facts, const char *of)
{
	(void)of;
	return host_redfish(facts->host)->system;
}

static struct value bios_version(struct facts *facts, const char *of)
{
	(void)of;
	return host_redfish(facts->host)->bios_version;
}

#define SETTING(function, id)                                                                      \
	static struct value function(struct facts *facts, const char *of)                          \
	{                                                                                          \
		(void)of;                                                                          \
		return host_redfish(facts->host)->settings[id].now;                                \
	}
SETTING(anc, REDFISH_ANC)
SETTING(slc_as_l3, REDFISH_SLC_AS_L3)
SETTING(slc_replacement, REDFISH_SLC_REPLACEMENT)
SETTING(prefetch, REDFISH_PREFETCH)
SETTING(cppc, REDFISH_CPPC)
SETTING(lpi, REDFISH_LPI)

/* What the kernel shows of a setting, NULL where it shows nothing or that says nothing: LPI that is
 * enabled and not in use can be the kernel's doing. */
static const char *effect(struct facts *facts, enum redfish_setting_id id)
{
	static const char *const names[REDFISH_SETTINGS] = {[REDFISH_ANC] = "firmware.anc",
							    [REDFISH_SLC_AS_L3] =
								    "firmware.slc-as-l3",
							    [REDFISH_CPPC] = "cppc.present",
							    [REDFISH_LPI] = "cpuidle.lpi-states"};
	const struct value *possible = facts_get(facts, "firmware.slc-can-be-l3"), *value;

	if (!names[id] || (id == REDFISH_SLC_AS_L3 &&
			   !(possible && possible->kind == VALUE_BOOL && possible->flag)))
		return NULL;
	value = facts_get(facts, names[id]);
	if (!value)
		return NULL;
	if (value->kind == VALUE_TEXT)
		return value->text;
	if (value->kind == VALUE_BOOL && value->flag)
		return "enabled";
	return value->kind == VALUE_LIST && value->list.count ? "enabled" : NULL;
}

static void add_difference(struct facts *facts, enum redfish_setting_id id, struct names *out)
{
	const struct redfish_found *found = &host_redfish(facts->host)->settings[id];
	const char *title = redfish_settings[id].title, *shown;

	if (found->now.kind != VALUE_TEXT)
		return;
	if (found->next.kind == VALUE_TEXT)
		names_add(facts->arena, out,
			  arena_printf(facts->arena, "%s: %s now, %s after a restart", title,
				       found->now.text, found->next.text));
	shown = effect(facts, id);
	if (shown && strcmp(shown, found->now.text) != 0)
		names_add(facts->arena, out,
			  arena_printf(facts->arena, "%s: %s by the BMC, %s in effect", title,
				       found->now.text, shown));
}

/* Only a guest or another machine's settings can be known and say nothing here. */
static struct value pending(struct facts *facts, const char *of)
{
	const struct redfish *redfish = host_redfish(facts->host);
	const struct value *unknown = NULL;
	struct value value;
	struct names list = {0};
	size_t known = 0;

	(void)of;
	for (size_t i = 0; i < REDFISH_SETTINGS; i++) {
		const struct redfish_found *found = &redfish->settings[i];

		known += found->now.kind == VALUE_TEXT;
		add_difference(facts, (enum redfish_setting_id)i, &list);
		if (!unknown && found->now.kind == VALUE_TEXT && found->next.kind == VALUE_UNKNOWN)
			unknown = &found->next;
	}
	if (!known)
		return redfish->settings[0].now;
	value = list.count || !unknown ? value_list(list) : *unknown;
	for (size_t i = 0; i < REDFISH_SETTINGS; i++) {
		if (redfish->settings[i].now.kind == VALUE_TEXT)
			value_cite_all(facts->arena, &value, &redfish->settings[i].now);
	}
	return value;
}

static struct value contradictions(struct facts *facts, const char *of)
{
	(void)of;
	return redfish_contradictions(facts);
}

static struct value count_of(const struct redfish_parts *parts, struct facts *facts)
{
	struct value value;

	if (parts->problem.kind == VALUE_UNKNOWN)
		return parts->problem;
	value = value_number((int64_t)parts->count);
	value_cite(facts->arena, &value, parts->path, "Members", CONFIDENCE_DIRECT);
	return value;
}

static struct value dimms(struct facts *facts, const char *of)
{
	(void)of;
	return count_of(&host_redfish(facts->host)->memory, facts);
}

static struct value processors(struct facts *facts, const char *of)
{
	(void)of;
	return count_of(&host_redfish(facts->host)->processors, facts);
}

static struct value firmware(struct facts *facts, const char *of)
{
	const struct redfish_parts *parts = &host_redfish(facts->host)->firmware;
	struct names list = {0};
	struct value value;

	(void)of;
	if (parts->problem.kind == VALUE_UNKNOWN)
		return parts->problem;
	for (size_t i = 0; i < parts->count; i++)
		names_add(facts->arena, &list,
			  arena_printf(facts->arena, "%s %s", parts->items[i].name,
				       parts->items[i].number));
	value = value_list(list);
	value_cite(facts->arena, &value, parts->path, "Version", CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "redfish.asked",
	 .summary = "documents of the BMC are there: --redfish, or a capture made with it",
	 .read = asked},
	{.name = "redfish.access",
	 .summary = "how the BMC was asked: session, basic, or none but the service root",
	 .read = access_by},
	{.name = "redfish.service",
	 .summary = "whose Redfish the BMC speaks, and its version (ServiceRoot)",
	 .read = service},
	{.name = "redfish.system",
	 .summary = "the BMC's system that is this machine (Systems)",
	 .read = system_address},
	{.name = "redfish.bios-version",
	 .summary = "the firmware's version as the BMC says it (ComputerSystem.BiosVersion)",
	 .read = bios_version},
	{.name = "redfish.anc",
	 .summary = "ANC mode as the BMC has it (Bios attributes, by display name)",
	 .read = anc},
	{.name = "redfish.slc-as-l3",
	 .summary = "SLC as L3 as the BMC has it (Bios attributes, by display name)",
	 .read = slc_as_l3},
	{.name = "redfish.slc-replacement",
	 .summary = "SLC replacement policy as the BMC has it (Bios attributes, by display name)",
	 .read = slc_replacement},
	{.name = "redfish.prefetch",
	 .summary = "L1 and L2 prefetch as the BMC has it (Bios attributes, by display name)",
	 .read = prefetch},
	{.name = "redfish.cppc",
	 .summary = "CPPC as the BMC has it (Bios attributes, by display name)",
	 .read = cppc},
	{.name = "redfish.lpi",
	 .summary = "LPI as the BMC has it (Bios attributes, by display name)",
	 .read = lpi},
	{.name = "redfish.pending",
	 .summary =
		 "settings of the BMC that wait for a restart, or that the kernel shows otherwise",
	 .read = pending},
	{.name = "redfish.contradictions",
	 .summary = "what the BMC and SMBIOS say differently: product, firmware, processors, DIMMs",
	 .read = contradictions},
	{.name = "redfish.dimms", .summary = "DIMMs the BMC lists (Memory)", .read = dimms},
	{.name = "redfish.processors",
	 .summary = "processors the BMC lists (Processors)",
	 .read = processors},
	{.name = "redfish.firmware",
	 .summary = "versions of firmware the BMC lists (UpdateService, FirmwareInventory)",
	 .read = firmware},
};

const struct fact_table redfish_facts = FACT_TABLE(rows);
