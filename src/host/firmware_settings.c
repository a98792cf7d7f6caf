// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/acpi.h"
#include "host/firmware.h"

#include <string.h>

/* Who says what was chosen. The BMC's own list of what waits is redfish.pending. */
enum chooser { BY_SETUP, BY_BMC, CHOOSERS };

/*
 * One setting of the firmware from three sides, each a fact: what was chosen (setup, BMC), what the
 * firmware told the kernel (ACPI), what is in effect. A source that is not there or not known is
 * left out; another one is one more row.
 */
static const struct setting {
	const char *name, *title;
	struct source {
		const char *fact, *who;
		bool waits; /* a choice that a restart brings about */
	} chosen[CHOOSERS], told;
	const char *effect;
	const char *allowed; /* a fact: while it is not true the firmware keeps the setting off */
} settings[] = {
	{.name = "cppc",
	 .title = "CPPC",
	 .chosen = {[BY_SETUP] = {"firmware.cppc-setting", "setup", true},
		    [BY_BMC] = {"redfish.cppc", "the BMC"}},
	 .told = {"acpi.integer(CPCE)", "the DSDT"},
	 .effect = "cppc.state"},
	{.name = "lpi",
	 .title = "LPI",
	 .chosen = {[BY_SETUP] = {"firmware.lpi-setting", "setup", true},
		    [BY_BMC] = {"redfish.lpi", "the BMC"}},
	 .told = {"acpi.integer(LPIE)", "the DSDT"},
	 .effect = "cpuidle.lpi-states"},
	{.name = "apei",
	 .title = "APEI",
	 .chosen = {[BY_SETUP] = {"firmware.apei-setting", "setup", true}},
	 .effect = "acpi.apei-tables"},
	{.name = "anc",
	 .title = "ANC",
	 .chosen = {[BY_BMC] = {"redfish.anc", "the BMC"}},
	 .effect = "firmware.anc"},
	{.name = "slc-as-l3",
	 .title = "SLC as L3",
	 .chosen = {[BY_BMC] = {"redfish.slc-as-l3", "the BMC"}},
	 .effect = "firmware.slc-as-l3",
	 .allowed = "firmware.slc-can-be-l3"},
};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

enum agreement {
	AGREE,
	RESTART, /* chosen, and not told to the kernel yet */
	STRANGE, /* told, and the kernel does otherwise: no restart helps */
	OPEN,    /* which of the two cannot be seen */
};

/* "enabled", "disabled" or a mode; NULL: not known. */
static const char *word_of(const struct value *value)
{
	static const char *const words[] = {"disabled", "enabled"};

	if (!value)
		return NULL;
	switch (value->kind) {
	case VALUE_TEXT:
		return value->text;
	case VALUE_BOOL:
		return words[value->flag];
	case VALUE_LIST:
		return words[value->list.count != 0];
	case VALUE_NUMBER:
		return value->number == 0 || value->number == 1 ? words[value->number] : NULL;
	default:
		return NULL;
	}
}

static bool is_overridden(struct facts *facts, const struct setting *setting)
{
	const struct value *allowed = setting->allowed ? facts_get(facts, setting->allowed) : NULL;

	return allowed && allowed->kind == VALUE_BOOL && !allowed->flag;
}

/* `chosen` or `told` may be NULL; *text says what differs. */
static enum agreement compare(struct arena *arena, const struct source *who, const char *chosen,
			      const struct setting *setting, const char *told, const char *effect,
			      const char **text)
{
	*text = NULL;
	if (!chosen && (!told || !strcmp(told, effect)))
		return AGREE;
	if (chosen && !strcmp(chosen, effect) && (!told || !strcmp(told, chosen)))
		return AGREE;
	if (!chosen) {
		*text = arena_printf(arena, "%s says %s, the kernel sees it %s", setting->told.who,
				     told, effect);
		return STRANGE;
	}
	if (told && !strcmp(told, chosen)) {
		*text = arena_printf(arena, "%s and %s say %s, the kernel sees it %s", who->who,
				     setting->told.who, chosen, effect);
		return STRANGE;
	}
	/* The BMC names what it believes to be in effect; what waits it lists apart. */
	if (!who->waits) {
		*text = strcmp(chosen, effect)
				? arena_printf(arena, "%s says %s, the kernel sees it %s", who->who,
					       chosen, effect)
				: arena_printf(arena, "%s says %s, %s %s", who->who, chosen,
					       setting->told.who, told);
		return STRANGE;
	}
	/* Told otherwise, or off in setup and still there: only a restart brings that about. What
	 * is on in setup and not there can be the kernel's doing. */
	*text = arena_printf(arena, "%s says %s, the kernel sees it %s: restart", who->who, chosen,
			     effect);
	if (told && !strcmp(effect, chosen))
		*text = arena_printf(arena, "%s says %s, %s still %s: restart", who->who, chosen,
				     setting->told.who, told);
	if (told || !setting->told.fact || !strcmp(chosen, "disabled"))
		return RESTART;
	*text = arena_printf(arena, "%s, or the kernel leaves it unused", *text);
	return OPEN;
}

/* The first of `sources` choosers that differs, and what it says; *cited gets what was read. */
static enum agreement judge(struct facts *facts, const struct setting *setting, size_t sources,
			    const char **text, struct value *cited)
{
	const struct value *effect = facts_get(facts, setting->effect), *chosen;
	const struct value *told = setting->told.fact ? facts_get(facts, setting->told.fact) : NULL;
	const char *seen = word_of(effect);
	enum agreement worst = AGREE;
	bool any = false;

	*text = NULL;
	for (size_t i = 0; i <= sources; i++) {
		const struct source *source = i < sources ? &setting->chosen[i] : NULL;
		enum agreement one;
		const char *said, *word;

		chosen = source && source->fact ? facts_get(facts, source->fact) : NULL;
		word = word_of(chosen);
		any |= word != NULL;
		/* The last turn compares what was told alone, where nobody says what was chosen. */
		if (!seen || (!word && (source || any)))
			continue;
		if (word)
			value_cite_all(facts->arena, cited, chosen);
		if (is_overridden(facts, setting) && !strcmp(seen, "disabled"))
			continue;
		one = compare(facts->arena, source, word, setting, word_of(told), seen, &said);
		if (one == AGREE || *text)
			continue;
		worst = one;
		*text = said;
	}
	if (told && word_of(told))
		value_cite_all(facts->arena, cited, told);
	return worst;
}

static const struct setting *find_setting(const char *name)
{
	for (size_t i = 0; name && i < SETTINGS; i++) {
		if (strcmp(settings[i].name, name) == 0)
			return &settings[i];
	}
	return NULL;
}

/* What is in effect, with what was chosen and told beside it; `why` says what differs. */
static struct value read_setting(struct facts *facts, const char *of)
{
	const struct setting *setting = find_setting(of);
	const struct value *effect;
	struct value value;
	const char *text;

	if (!setting)
		return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
				     "%s is no setting of the firmware", of ? of : "that");
	effect = facts_get(facts, setting->effect);
	value = *effect;
	judge(facts, setting, CHOOSERS, &text, &value);
	if (value.kind != VALUE_UNKNOWN && text)
		value.why = text;
	return value;
}

/* Settings that were chosen and that the running system does not follow until it restarts. */
static struct value read_pending(struct facts *facts, const char *of)
{
	const struct value *unknown = NULL;
	const char *open = NULL;
	struct names pending = {0};
	struct value cited = {0}, value;
	bool any = false;

	(void)of;
	for (size_t i = 0; i < SETTINGS; i++) {
		const struct setting *setting = &settings[i];
		const struct value *effect = facts_get(facts, setting->effect), *chosen;
		const char *text;
		enum agreement agreement;

		if (!setting->chosen[BY_SETUP].fact)
			continue;
		chosen = facts_get(facts, setting->chosen[BY_SETUP].fact);
		if (!word_of(chosen)) {
			unknown = unknown ? unknown : chosen;
			continue;
		}
		any = true;
		if (!word_of(effect)) {
			unknown = unknown ? unknown : effect;
			continue;
		}
		agreement = judge(facts, setting, BY_SETUP + 1, &text, &cited);
		value_cite_all(facts->arena, &cited, effect);
		if (agreement == RESTART)
			names_add(facts->arena, &pending,
				  arena_printf(facts->arena, "%s: %s", setting->title, text));
		if (agreement != OPEN)
			continue;
		/* What would tell may need root; else it is not there. */
		if (!unknown && facts_get(facts, setting->told.fact)->kind == VALUE_UNKNOWN)
			unknown = facts_get(facts, setting->told.fact);
		open = arena_printf(facts->arena, "%s: %s", setting->title, text);
	}
	if (!pending.count && unknown && unknown->kind == VALUE_UNKNOWN)
		value = *unknown;
	else if (!pending.count && open)
		value = value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE, "%s", open);
	else if (!pending.count && (unknown || !any))
		value = value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				      "what was chosen in setup cannot be compared here");
	else
		value = value_list(pending);
	value.evidence = cited.evidence;
	value.evidence_count = cited.evidence_count;
	return value;
}

static const struct fact rows[] = {
	{.name = "firmware.setting",
	 .of = "a setting: cppc, lpi, apei, anc, slc-as-l3",
	 .summary = "what is in effect, and beside it what was chosen in setup and what the "
		    "firmware told the kernel",
	 .read = read_setting},
	{.name = "firmware.pending",
	 .summary = "settings chosen in the setup that the running system does not follow yet",
	 .read = read_pending},
};

const struct fact_table firmware_setting_facts = FACT_TABLE(rows);
