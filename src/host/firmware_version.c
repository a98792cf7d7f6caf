// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/firmware.h"
#include "host/smbios.h"

#include <fnmatch.h>
#include <string.h>

#define DATE_DIGITS 8

/* The first fixed version of each AmpereOne series: CVE-2025-62863. */
static const struct series {
	struct firmware_version fixed;
	const char *family;
} all_series[] = {
	{{{3, 5, 9, 3}}, "ampereone-ac03"},
	{{{4, 4, 5, 2}}, "ampereone-ac04"},
	{{{5, 4, 5, 1}}, "ampereone-ac04"},
};

static int version_order(const struct firmware_version *a, const struct firmware_version *b)
{
	for (size_t i = 0; i < 4; i++) {
		if (a->part[i] != b->part[i])
			return a->part[i] < b->part[i] ? -1 : 1;
	}
	return 0;
}

static const struct series *series_of(const struct firmware_version *version)
{
	for (size_t i = 0; i < sizeof(all_series) / sizeof(all_series[0]); i++) {
		if (all_series[i].fixed.part[0] == version->part[0])
			return &all_series[i];
	}
	return NULL;
}

const struct firmware_version *firmware_version_fixed(const struct firmware_version *version)
{
	const struct series *series = series_of(version);

	return series ? &series->fixed : NULL;
}

/* "3.5.9.3", or with a date behind it: "3.5.9.3.20250801". */
static bool parse_dotted(struct view text, struct firmware_version *out)
{
	struct firmware_version version;
	struct view part;
	size_t count = 0;

	while (view_split(&text, '.', &part)) {
		uint64_t number;

		if (!view_u64(part, 10, &number) || number > 99999999)
			return false;
		if (count == 4 && part.size != DATE_DIGITS)
			return false;
		if (count > 4)
			return false;
		if (count < 4)
			version.part[count] = (unsigned)number;
		count++;
	}
	if (count < 4)
		return false;
	*out = version;
	return true;
}

/* Only firmware that Ampere's code builds, or that names a part of it, uses Ampere's numbers. */
static bool carries_series(const char *vendor, const char *text)
{
	static const char *const marks[] = {"*TianoCore*", "*(SYS:*", "*(SCP:*", "*(ATF:*"};

	if (vendor && fnmatch("Ampere*", vendor, FNM_CASEFOLD) == 0)
		return true;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (fnmatch(marks[i], text, 0) == 0)
			return true;
	}
	return false;
}

bool firmware_version_parse(const char *vendor, const char *text, struct firmware_version *out)
{
	bool found = false;

	if (!text || !carries_series(vendor, text))
		return false;
	while (*text) {
		size_t size = strspn(text, "0123456789.");
		struct firmware_version version;

		if (size == 0) {
			text++;
			continue;
		}
		if (parse_dotted((struct view){text, size}, &version) && series_of(&version) &&
		    (!found || version_order(&version, out) < 0)) {
			*out = version;
			found = true;
		}
		text += size;
	}
	return found;
}

static const char *version_text(struct arena *arena, const struct firmware_version *version)
{
	return arena_printf(arena, "%u.%u.%u.%u", version->part[0], version->part[1],
			    version->part[2], version->part[3]);
}

/* Ampere's version of a processor of that series, with the evidence of the string it stands in. */
static struct value series(struct facts *facts, const char *of)
{
	const struct smbios *smbios = host_smbios(facts->host);
	const struct value *text = facts_get(facts, "firmware.version-string");
	const struct value *family = facts_get(facts, "cpu.family");
	struct firmware_version version;
	struct value value;

	(void)of;
	if (!text || text->kind != VALUE_TEXT)
		return text && text->kind == VALUE_UNKNOWN
			       ? *text
			       : value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
					       "the firmware gives no version");
	if (!firmware_version_parse(smbios->firmware_vendor, text->text, &version)) {
		const char *maker = smbios->board_vendor ? smbios->board_vendor : smbios->vendor;

		return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
				     "'%s' is not Ampere's numbering; see the advisories of %s for "
				     "CVE-2025-62863",
				     text->text, maker ? maker : "the machine's maker");
	}
	if (!family || family->kind != VALUE_TEXT ||
	    strcmp(family->text, series_of(&version)->family) != 0)
		return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
				     "version %s belongs to another processor's firmware",
				     version_text(facts->arena, &version));
	value = value_text(version_text(facts->arena, &version));
	value_cite_all(facts->arena, &value, text);
	return value;
}

static struct value behind(struct facts *facts, const char *of)
{
	const struct value *own = facts_get(facts, "firmware.series-version");
	const struct firmware_version *fixed;
	struct firmware_version version;
	struct names list = {0};
	struct value value;

	(void)of;
	if (!own || own->kind != VALUE_TEXT)
		return own ? *own
			   : value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
					   "the firmware gives no version");
	if (!parse_dotted(view_of(own->text), &version))
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "'%s' is no version",
				     own->text);
	fixed = firmware_version_fixed(&version);
	if (fixed && version_order(&version, fixed) < 0)
		names_add(facts->arena, &list,
			  arena_printf(facts->arena, "%s is older than %s", own->text,
				       version_text(facts->arena, fixed)));
	value = value_list(list);
	value_cite_all(facts->arena, &value, own);
	return value;
}

static const struct fact rows[] = {
	{.name = "firmware.series-version",
	 .summary = "Ampere's own version in the firmware's version string, when it carries one",
	 .read = series},
	{.name = "firmware.behind",
	 .summary = "what is older than the first version with the fix of CVE-2025-62863",
	 .read = behind},
};

const struct fact_table firmware_version_facts = FACT_TABLE(rows);
