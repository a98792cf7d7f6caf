// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "catalog/recipe.h"
#include "catalog/version.h"

#include <string.h>

/* What becomes of a version: a value, and whether it is final (other families would say the same).
 */
struct judged {
	enum recipe_verdict verdict;
	const struct recipe_rule *rule;
};

/* TRUTH of "beside": 1 yes, 0 no, -1 not known. */
static int with_fits(struct facts *facts, const struct recipe_rule *rule, const struct value **with)
{
	if (!rule->with)
		return 1;
	*with = facts_get(facts, arena_printf(facts->arena, "software.%s", rule->with));
	if (!*with || (*with)->kind == VALUE_NONE)
		return version_fits_any("0", &rule->with_versions);
	if ((*with)->kind != VALUE_TEXT)
		return -1;
	return version_fits_any((*with)->text, &rule->with_versions);
}

static struct value say(struct facts *facts, const struct value *version, struct judged judged,
			bool distribution)
{
	const char *why = judged.rule->why;
	struct value value;

	switch (judged.verdict) {
	case VERDICT_GOOD:
		value = value_text(arena_printf(facts->arena, "%s meets the rule", version->text));
		break;
	case VERDICT_AVOID:
		value = value_text(
			arena_printf(facts->arena, "%s is to be avoided", version->text));
		break;
	case VERDICT_PATCHED:
		/* Distributions do not carry vendors' patches for speed; who builds for himself
		 * may. */
		if (!distribution)
			return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED, "%s: %s",
					     version->text, why);
		value = value_text(arena_printf(facts->arena, "%s is too old", version->text));
		break;
	case VERDICT_UNCONFIRMED:
		return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED, "%s: %s", version->text,
				     why);
	case VERDICT_OLD:
	default:
		value = value_text(arena_printf(facts->arena, "%s is too old", version->text));
		break;
	}
	value_cite_all(facts->arena, &value, version);
	return value;
}

static bool is_distributions(struct facts *facts, const char *name)
{
	const struct value *value =
		facts_get(facts, arena_printf(facts->arena, "software.%s-of-distribution", name));

	return value && value->kind == VALUE_BOOL && value->flag;
}

/* Without a family, what every rule says alike still holds. */
static struct value judge_without_family(struct facts *facts, const struct recipe *recipe,
					 const struct value *version, const struct value *family)
{
	const struct recipe_rule *rules = recipe->rules.items;
	struct judged first = {.rule = rules, .verdict = recipe_judge(&rules[0], version->text)};

	for (size_t i = 1; i < recipe->rules.count; i++) {
		if (recipe_judge(&rules[i], version->text) != first.verdict)
			return *family;
	}
	return say(facts, version, first, false);
}

static struct value judge(struct facts *facts, const struct recipe *recipe,
			  const struct value *version)
{
	const struct recipe_rule *rules = recipe->rules.items;
	const struct value *family = facts_get(facts, "cpu.family"), *with = NULL;

	if (!family || family->kind != VALUE_TEXT) {
		bool needed = false;

		for (size_t i = 0; i < recipe->rules.count; i++)
			needed |= !names_match(&rules[i].families, "any");
		if (needed && family)
			return judge_without_family(facts, recipe, version, family);
	}
	for (size_t i = 0; i < recipe->rules.count; i++) {
		struct judged judged = {.rule = &rules[i]};
		int beside;

		if (!names_match(&rules[i].families,
				 family && family->kind == VALUE_TEXT ? family->text : "any"))
			continue;
		beside = with_fits(facts, &rules[i], &with);
		if (beside < 0)
			return *with;
		if (!beside)
			continue;
		judged.verdict = recipe_judge(&rules[i], version->text);
		return say(facts, version, judged, is_distributions(facts, recipe->name));
	}
	return value_none(
		arena_printf(facts->arena, "no version rule of %s applies here", recipe->name));
}

static struct value read_verdict(struct facts *facts, const char *name)
{
	const struct value *version =
		facts_get(facts, arena_printf(facts->arena, "software.%s", name));
	const struct recipe *recipe;
	struct error err = {0};

	if (version->kind != VALUE_TEXT)
		return *version;
	if (!recipe_load(facts->arena, name, &recipe, &err))
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s",
				     arena_strdup(facts->arena, err.text));
	if (!recipe->rules.count)
		return value_none(arena_printf(facts->arena, "%s has no version rules", name));
	return judge(facts, recipe, version);
}

static struct value read_openssl(struct facts *facts, const char *of)
{
	(void)of;
	return read_verdict(facts, "openssl");
}

static struct value read_dpdk(struct facts *facts, const char *of)
{
	(void)of;
	return read_verdict(facts, "dpdk");
}

static struct value read_ipsec_mb(struct facts *facts, const char *of)
{
	(void)of;
	return read_verdict(facts, "ipsec-mb");
}

static const struct fact rows[] = {
	{.name = "software.openssl-verdict",
	 .summary = "software.openssl by the version rules of its recipe for this CPU",
	 .read = read_openssl},
	{.name = "software.dpdk-verdict",
	 .summary = "software.dpdk by the version rules of its recipe for this CPU",
	 .read = read_dpdk},
	{.name = "software.ipsec-mb-verdict",
	 .summary = "software.ipsec-mb by the version rules of its recipe, for the DPDK installed",
	 .read = read_ipsec_mb},
};

const struct fact_table recipe_facts = FACT_TABLE(rows);
