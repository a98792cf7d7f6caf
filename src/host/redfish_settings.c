// SPDX-License-Identifier: BSD-2-Clause
#include "host/redfish.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#define NAME_MAX_BYTES 200

#define SWITCH                                                                                     \
	{                                                                                          \
		{"enable", "enabled"}, {"enabled", "enabled"}, {"on", "enabled"},                  \
			{"yes", "enabled"}, {"true", "enabled"}, {"disable", "disabled"},          \
			{"disabled", "disabled"}, {"off", "disabled"}, {"no", "disabled"},         \
		{                                                                                  \
			"false", "disabled"                                                        \
		}                                                                                  \
	}

/* The names of Ampere's guide and of TianoCore's menus, and how they are spelled out or shortened;
 * no maker publishes names of attributes for these machines. "NUMA" alone is another setting on
 * many of them. */
const struct redfish_setting redfish_settings[REDFISH_SETTINGS] = {
	[REDFISH_ANC] = {.title = "ANC mode",
			 .fact = "redfish.anc",
			 .names = {"anc", "ancmode*", "amperenumacontrol*", "numacontrolmode*",
				   "cpusubnuma*", "subnumamode*", "subnumacluster*"},
			 .values = {{"mono", "monolithic"},
				    {"monolithic*", "monolithic"},
				    {"hemi", "hemisphere"},
				    {"hemisphere*", "hemisphere"},
				    {"quad", "quadrant"},
				    {"quadrant*", "quadrant"}}},
	[REDFISH_SLC_AS_L3] = {.title = "SLC as L3",
			       .fact = "redfish.slc-as-l3",
			       .names = {"slcasl3*", "cpuslcasl3*", "systemlevelcacheasl3*",
					 "systemcacheasl3*", "enableslcasl3*"},
			       .values = SWITCH},
	[REDFISH_SLC_REPLACEMENT] = {.title = "SLC replacement policy",
				     .fact = "redfish.slc-replacement",
				     .names = {"slcreplacement*", "systemlevelcachereplacement*",
					       "systemcachereplacement*", "cpuslcreplacement*"},
				     .values = {{"enhancedleastrecentlyused*", "enhanced-lru"},
						{"enhancedlru*", "enhanced-lru"},
						{"elru", "enhanced-lru"},
						{"leastrecentlyused*", "lru"},
						{"lru", "lru"},
						{"random*", "random"}}},
	[REDFISH_PREFETCH] = {.title = "L1 and L2 prefetch",
			      .fact = "redfish.prefetch",
			      .names = {"l1l2prefetch*", "l1andl2prefetch*", "l1prefetch*",
					"l2prefetch*", "l1dprefetch*", "l1dataprefetch*",
					"l1hardwareprefetch*", "l2hardwareprefetch*",
					"cpuprefetch*", "hardwareprefetch*"},
			      .values = SWITCH,
			      .in_parts = true},
	[REDFISH_CPPC] = {.title = "CPPC",
			  .fact = "redfish.cppc",
			  .names = {"cppc", "cppcsupport", "cppcenable*", "enablecppc", "cppcmode",
				    "acpicppc*", "collaborativeprocessorperf*"},
			  .values = SWITCH},
	[REDFISH_LPI] = {.title = "LPI",
			 .fact = "redfish.lpi",
			 .names = {"lpi", "lpisupport", "lpienable*", "enablelpi", "lpimode",
				   "acpilpi*", "lowpoweridle*"},
			 .values = SWITCH},
};

/* "L1/L2 Prefetch" is "l1l2prefetch". */
static bool simplify(const char *text, char out[NAME_MAX_BYTES])
{
	size_t size = 0;

	for (; *text; text++) {
		if (!isalnum((unsigned char)*text))
			continue;
		if (size + 1 >= NAME_MAX_BYTES)
			return false;
		out[size++] = (char)tolower((unsigned char)*text);
	}
	out[size] = '\0';
	return size > 0;
}

const struct redfish_setting *redfish_setting_of(const char *name)
{
	const size_t names =
		sizeof(redfish_settings[0].names) / sizeof(redfish_settings[0].names[0]);
	char simple[NAME_MAX_BYTES];

	if (!name || !simplify(name, simple))
		return NULL;
	for (size_t i = 0; i < REDFISH_SETTINGS; i++) {
		const char *const *globs = redfish_settings[i].names;

		for (size_t n = 0; n < names && globs[n]; n++) {
			if (fnmatch(globs[n], simple, 0) == 0)
				return &redfish_settings[i];
		}
	}
	return NULL;
}

const char *redfish_word(const struct redfish_setting *setting, const char *value)
{
	const size_t most = sizeof(setting->values) / sizeof(setting->values[0]);
	char simple[NAME_MAX_BYTES];

	if (!value || !simplify(value, simple))
		return NULL;
	for (size_t i = 0; i < most && setting->values[i].glob; i++) {
		if (fnmatch(setting->values[i].glob, simple, 0) == 0)
			return setting->values[i].word;
	}
	return NULL;
}
