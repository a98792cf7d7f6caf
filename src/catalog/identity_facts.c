// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "catalog/identity.h"
#include "catalog/profile.h"
#include "host/cpu.h"
#include "host/smbios.h"

#include <inttypes.h>
#include <string.h>

static void cite_identity(struct facts *facts, struct value *value)
{
	const struct evidence *evidence = facts->identity->evidence.items;

	for (size_t i = 0; i < facts->identity->evidence.count; i++)
		value_cite(facts->arena, value, evidence[i].path, evidence[i].raw,
			   evidence[i].confidence);
}

static struct value not_identified(struct facts *facts)
{
	return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE, "the CPU could not be identified");
}

static bool is_doubtful(const struct facts *facts)
{
	return !facts->identity || !facts->identity->family ||
	       strcmp(facts->identity->family_confidence, "unknown") == 0;
}

static struct value read_family(struct facts *facts, const char *of)
{
	struct value value;

	(void)of;
	if (!facts->identity || !facts->identity->family)
		return not_identified(facts);
	if (is_doubtful(facts))
		value = value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				      "Neoverse N1: Altra and other servers look alike, and "
				      "nothing seen decides");
	else
		value = value_text(facts->identity->family);
	cite_identity(facts, &value);
	return value;
}

static struct value read_ampere(struct facts *facts, const char *of)
{
	struct value value = read_family(facts, of);
	bool ampere;

	if (value.kind != VALUE_TEXT)
		return value;
	ampere = (facts->profile && facts->profile->ampere) ||
		 strcmp(value.text, "ampere-unknown") == 0;
	value.kind = VALUE_BOOL;
	value.flag = ampere;
	return value;
}

static struct value read_product(struct facts *facts, const char *of)
{
	(void)of;
	if (!facts->identity || !facts->identity->family)
		return not_identified(facts);
	if (strcmp(facts->identity->family, "ampereone-ac04") != 0)
		return value_none("this family has no X and M products");
	return value_text(facts->identity->product);
}

static struct value read_sku(struct facts *facts, const char *of)
{
	const struct smbios *smbios = host_smbios(facts->host);
	struct value value;

	(void)of;
	if (facts->identity && facts->identity->sku) {
		value = value_text(facts->identity->sku);
		value_cite(facts->arena, &value, SMBIOS_TABLE_PATH, facts->identity->sku,
			   CONFIDENCE_DIRECT);
		return value;
	}
	if (smbios->tables_errno)
		return value_unread(facts->arena, SMBIOS_TABLE_PATH, smbios->tables_errno);
	return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE, "SMBIOS type 4 names no SKU");
}

/* The two digits behind the dash are tenths of GHz: Q80-30 is 3.0 GHz, A192-32X is 3.2 GHz. */
static struct value read_rated_clock(struct facts *facts, const char *of)
{
	struct value value = read_sku(facts, of);
	const char *dash;

	if (value.kind != VALUE_TEXT)
		return value;
	dash = strrchr(value.text, '-');
	value.kind = VALUE_NUMBER;
	value.number = (int64_t)((dash[1] - '0') * 10 + (dash[2] - '0')) * 100000000;
	for (size_t i = 0; i < value.evidence_count; i++)
		value.evidence[i].confidence = CONFIDENCE_INFERRED;
	return value;
}

/* One percent below: frequencies are reported rounded to the reference clock's steps. */
static struct value read_rated_floor(struct facts *facts, const char *of)
{
	struct value value = read_rated_clock(facts, of);

	if (value.kind == VALUE_NUMBER)
		value.number -= value.number / 100;
	return value;
}

/* A guest's SMBIOS says what its hypervisor was told, not how the CPU runs. */
static bool smbios_tells_the_clock(struct facts *facts)
{
	const struct value *vm = facts_get(facts, "virtualization.vm");

	return vm && vm->kind == VALUE_TEXT && strcmp(vm->text, "none") == 0;
}

/* What the OS may use: cpufreq's limit, or less when the cores were seen to run slower; without
 * cpufreq what was measured, or a speed below the SKU's that firmware admits. */
static struct value read_reachable_clock(struct facts *facts, const char *of)
{
	const struct value *limit = facts_get(facts, "cpufreq.limit");
	const struct value *floor = facts_get(facts, "cpu.rated-floor");
	const struct value *measured = facts_get(facts, "cpu.measured-clock");
	const struct smbios_processor *processor = smbios_first_processor(host_smbios(facts->host));
	struct value value;

	(void)of;
	if (measured->kind == VALUE_NUMBER &&
	    (limit->kind == VALUE_NONE ||
	     (limit->kind == VALUE_NUMBER && measured->number < limit->number)))
		return *measured;
	if (limit->kind != VALUE_NONE)
		return *limit;
	if (!smbios_tells_the_clock(facts) || !processor || !processor->current_mhz ||
	    floor->kind != VALUE_NUMBER ||
	    (int64_t)processor->current_mhz * 1000000 >= floor->number)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "there is no cpufreq and %s", measured->why);
	value = value_number((int64_t)processor->current_mhz * 1000000);
	value_cite(
		facts->arena, &value, SMBIOS_TABLE_PATH,
		arena_printf(facts->arena, "type 4 current speed %u MHz", processor->current_mhz),
		CONFIDENCE_INFERRED);
	return value;
}

/* What cryptography and DPDK need on any AArch64; a profile adds what its CPU has beyond. */
static const char *const base_features[] = {"aes", "pmull", "sha1", "sha2", "atomics"};

static struct names wanted_features(struct facts *facts)
{
	struct names wanted = {0};

	for (size_t i = 0; i < sizeof(base_features) / sizeof(base_features[0]); i++)
		names_add(facts->arena, &wanted, base_features[i]);
	for (size_t i = 0; facts->profile && i < facts->profile->features.count; i++) {
		if (!names_has(&wanted, facts->profile->features.items[i]))
			names_add(facts->arena, &wanted, facts->profile->features.items[i]);
	}
	return wanted;
}

static struct value read_wanted_features(struct facts *facts, const char *of)
{
	(void)of;
	return value_list(wanted_features(facts));
}

static struct value read_missing_features(struct facts *facts, const char *of)
{
	const struct value *features = facts_get(facts, "cpu.features");
	struct names wanted = wanted_features(facts), missing = {0};
	struct value value;

	(void)of;
	if (features->kind != VALUE_LIST)
		return *features;
	for (size_t i = 0; i < wanted.count; i++) {
		if (!names_has(&features->list, wanted.items[i]))
			names_add(facts->arena, &missing, wanted.items[i]);
	}
	value = value_list(missing);
	value_cite_all(facts->arena, &value, features);
	return value;
}

static struct value from_profile(struct facts *facts, struct maybe_number of_x,
				 struct maybe_number of_m, const char *what)
{
	bool has_products = of_m.known && (!of_x.known || of_m.number != of_x.number);
	const char *product = facts->identity ? facts->identity->product : NULL;
	struct maybe_number number = product && *product == 'M' ? of_m : of_x;

	if (!facts->profile)
		return value_none("no profile for this CPU");
	if (has_products && !product)
		return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
				     "%s depends on the product, X or M", what);
	if (!number.known)
		return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
				     "no source gives the %s of %s", what, facts->profile->title);
	return value_number(number.number);
}

static const struct cpu_profile *profile_or_empty(const struct facts *facts)
{
	static const struct cpu_profile empty;

	return facts->profile ? facts->profile : &empty;
}

static struct value read_channels(struct facts *facts, const char *of)
{
	const struct cpu_profile *profile = profile_or_empty(facts);

	(void)of;
	return from_profile(facts, profile->channels, profile->channels_m,
			    "number of memory channels");
}

static struct value read_memory_ceiling(struct facts *facts, const char *of)
{
	const struct cpu_profile *profile = profile_or_empty(facts);

	(void)of;
	return from_profile(facts, profile->memory_mts, profile->memory_mts_m,
			    "memory speed ceiling");
}

static const struct fact rows[] = {
	{.name = "cpu.family", .summary = "silicon, judged from all evidence", .read = read_family},
	{.name = "cpu.ampere", .summary = "the silicon is Ampere's", .read = read_ampere},
	{.name = "cpu.product",
	 .summary = "X or M, by the suffix of the part number",
	 .read = read_product},
	{.name = "cpu.sku", .summary = "part number of SMBIOS type 4", .read = read_sku},
	{.name = "cpu.rated-clock",
	 .unit = "Hz",
	 .summary = "clock that the SKU promises",
	 .read = read_rated_clock},
	{.name = "cpu.rated-floor",
	 .unit = "Hz",
	 .summary = "rated clock less one percent of rounding",
	 .read = read_rated_floor},
	{.name = "cpu.reachable-clock",
	 .unit = "Hz",
	 .summary = "cpufreq's limit or the measured clock, or a lower speed that SMBIOS admits",
	 .read = read_reachable_clock},
	{.name = "cpu.wanted-features",
	 .summary = "features that cryptography needs on this CPU",
	 .read = read_wanted_features},
	{.name = "cpu.features-missing",
	 .summary = "wanted features that the CPU or its hypervisor lacks",
	 .read = read_missing_features},
	{.name = "cpu.memory-channels",
	 .summary = "memory channels of a package",
	 .read = read_channels},
	{.name = "cpu.memory-ceiling",
	 .unit = "MT/s",
	 .summary = "fastest memory the family runs",
	 .read = read_memory_ceiling},
};

const struct fact_table identity_facts = FACT_TABLE(rows);
