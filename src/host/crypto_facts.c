// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/cpu.h"
#include "host/crypto.h"
#include "host/host.h"

#include <errno.h>
#include <string.h>

#define PATH "/proc/crypto"

static void cite_entry(struct facts *facts, struct value *value, const struct crypto_entry *entry)
{
	value_cite(facts->arena, value, PATH,
		   text_printable(
			   facts->arena,
			   view_of(arena_printf(facts->arena, "%s: %s, priority %lld", entry->name,
						entry->driver, (long long)entry->priority))),
		   CONFIDENCE_DIRECT);
}

static struct value driver_read(struct facts *facts, const char *of)
{
	const struct crypto *crypto = host_crypto(facts->host);
	const struct crypto_entry *winner = crypto_winner(crypto, of);
	struct value value;

	if (crypto->error)
		return value_unread(facts->arena, PATH, crypto->error);
	if (crypto->count == 0)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, PATH " lists no algorithm");
	if (!winner)
		return value_none(arena_printf(
			facts->arena, "%s is not registered; the kernel does so on first use", of));
	value = value_text(text_printable(facts->arena, view_of(winner->driver)));
	cite_entry(facts, &value, winner);
	return value;
}

/* Is NAME.ko (also compressed) among the running kernel's crypto modules? ENOENT: no; any other
 * errno: not known. */
static int module_find(struct facts *facts, const char *module)
{
	const char *release = facts->host->live->kernel, *arch = host_arch(facts->host);
	struct names names = {0};
	const char *prefix = arena_printf(facts->arena, "%s.ko", module);
	int number;

	if (!release || !arch)
		return ENODATA;
	number = root_list(facts->host->root,
			   arena_printf(facts->arena, "/lib/modules/%s/kernel/arch/%s/crypto",
					release, strcmp(arch, "aarch64") == 0 ? "arm64" : "x86"),
			   &names);
	if (number)
		return number == ENOENT ? ENODATA : number;
	for (size_t i = 0; i < names.count; i++) {
		if (view_starts(view_of(names.items[i]), prefix))
			return 0;
	}
	return ENOENT;
}

static bool registered(const struct crypto *crypto, const char *algorithm, enum crypto_tier tier)
{
	for (size_t i = 0; i < crypto->count; i++) {
		const struct crypto_entry *entry = &crypto->entries[i];

		if (!entry->internal && strcmp(entry->name, algorithm) == 0 &&
		    crypto_driver_tier(algorithm, entry->driver, entry->priority) >= tier)
			return true;
	}
	return false;
}

/* Why a worse driver wins, and the command that changes it where there is one. */
static const char *explain(struct facts *facts, const char *algorithm,
			   const struct crypto_best *best)
{
	const struct crypto *crypto = host_crypto(facts->host);
	const char *driver = arena_strdup(facts->arena, best->driver);
	size_t size = strcspn(driver, "*");

	driver = arena_copy(facts->arena, driver, size);
	if (registered(crypto, algorithm, best->tier))
		return arena_printf(facts->arena,
				    "%s is registered, but a lower one wins by priority", driver);
	switch (module_find(facts, best->module)) {
	case 0:
		return arena_printf(facts->arena, "%s is not loaded: run 'modprobe %s'", driver,
				    best->module);
	case ENOENT:
		return arena_printf(facts->arena, "%s: this kernel has no module %s", driver,
				    best->module);
	default:
		return arena_printf(facts->arena, "%s is not registered (module %s)", driver,
				    best->module);
	}
}

static struct value features_read(struct facts *facts)
{
	const struct value *features = facts_get(facts, "cpu.features");

	if (!features)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "the CPU's features are not known");
	if (features->kind == VALUE_LIST)
		return *features;
	return value_unknown(facts->arena, features->unknown,
			     "the CPU's features are not known%s%s", features->why ? ": " : "",
			     features->why ? features->why : "");
}

static struct value better_read(struct facts *facts, const char *of)
{
	const struct crypto *crypto = host_crypto(facts->host);
	struct value value = driver_read(facts, of), features;
	const struct crypto_entry *winner;
	struct crypto_best best;
	enum crypto_tier tier;
	struct names found = {0};

	if (value.kind != VALUE_TEXT)
		return value;
	winner = crypto_winner(crypto, of);
	tier = crypto_driver_tier(of, winner->driver, winner->priority);
	features = features_read(facts);
	if (tier == CRYPTO_UNRECOGNIZED)
		return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
				     "how driver %s of %s compares with the others is not known",
				     value.text, of);
	if (tier != CRYPTO_LIBRARY && features.kind != VALUE_LIST)
		return features;
	if (tier != CRYPTO_LIBRARY) {
		best = crypto_best(of, host_arch(facts->host), &features.list);
		if (best.tier == CRYPTO_UNRECOGNIZED || !host_arch(facts->host))
			return value_unknown(
				facts->arena, UNKNOWN_UNCONFIRMED,
				"the best driver of %s for this architecture is not known", of);
		if (tier < best.tier)
			names_add(facts->arena, &found,
				  arena_printf(facts->arena, "%s serves %s; %s", value.text, of,
					       explain(facts, of, &best)));
	}
	value = value_list(found);
	cite_entry(facts, &value, winner);
	return value;
}

const char *crypto_missing_module(struct facts *facts, const char *algorithm)
{
	const struct crypto *crypto = host_crypto(facts->host);
	const struct crypto_entry *winner = crypto_winner(crypto, algorithm);
	struct value features = features_read(facts);
	struct crypto_best best;

	if (crypto->error || !winner || features.kind != VALUE_LIST || !host_arch(facts->host))
		return NULL;
	best = crypto_best(algorithm, host_arch(facts->host), &features.list);
	if (best.tier == CRYPTO_UNRECOGNIZED ||
	    crypto_driver_tier(algorithm, winner->driver, winner->priority) >= best.tier ||
	    registered(crypto, algorithm, best.tier) || module_find(facts, best.module))
		return NULL;
	return best.module;
}

/* The arguments of a name or driver, "authenc(hmac(sha256),cbc(aes))" -> itself, "hmac(sha256)",
 * "sha256", "cbc(aes)", "aes". */
static void parts_of(struct arena *arena, const char *text, struct names *parts)
{
	const char *open = strchr(text, '('), *start;
	unsigned depth = 0;

	names_add(arena, parts, text);
	if (!open || parts->count > 16)
		return;
	start = open + 1;
	for (const char *at = start; *at; at++) {
		if (*at == '(')
			depth++;
		if ((*at == ',' || *at == ')') && depth == 0) {
			parts_of(arena, arena_copy(arena, start, (size_t)(at - start)), parts);
			start = at + 1;
		}
		if (*at == ')' && depth > 0)
			depth--;
	}
}

static int64_t driver_priority(const struct crypto *crypto, const char *driver)
{
	for (size_t i = 0; i < crypto->count; i++) {
		if (strcmp(crypto->entries[i].driver, driver) == 0)
			return crypto->entries[i].priority;
	}
	return 0;
}

static const char *template_problem(struct facts *facts, const struct crypto_entry *entry,
				    const struct names *features)
{
	struct names names = {0}, drivers = {0};

	parts_of(facts->arena, entry->name, &names);
	parts_of(facts->arena, entry->driver, &drivers);
	for (size_t n = 1; n < names.count; n++) {
		struct crypto_best best =
			crypto_best(names.items[n], host_arch(facts->host), features);

		for (size_t d = 0; d < drivers.count && best.tier != CRYPTO_UNRECOGNIZED; d++) {
			enum crypto_tier tier = crypto_driver_tier(
				names.items[n], drivers.items[d],
				driver_priority(host_crypto(facts->host), drivers.items[d]));

			if (tier != CRYPTO_UNRECOGNIZED && tier < best.tier)
				return arena_printf(facts->arena, "%s was made with %s",
						    entry->name, drivers.items[d]);
		}
	}
	return NULL;
}

/* What ESP asks for, RFC 4106, RFC 7634 and authenc: they keep the drivers that won when they were
 * made. */
static struct value templates_read(struct facts *facts, const char *of)
{
	static const char *const templates[] = {"rfc4106(", "rfc4543(",    "rfc7539esp(",
						"authenc(", "authencesn(", "seqiv(",
						"echainiv("};
	const struct crypto *crypto = host_crypto(facts->host);
	struct value value, features = features_read(facts);
	struct names problems = {0};
	size_t seen = 0;

	(void)of;
	if (crypto->error)
		return value_unread(facts->arena, PATH, crypto->error);
	for (size_t i = 0; i < crypto->count; i++) {
		const struct crypto_entry *entry = &crypto->entries[i];
		const char *problem;
		bool is_template = false;

		for (size_t t = 0; t < sizeof(templates) / sizeof(templates[0]); t++)
			is_template =
				is_template || view_starts(view_of(entry->name), templates[t]);
		if (!is_template || entry->internal)
			continue;
		seen++;
		problem = features.kind == VALUE_LIST
				  ? template_problem(facts, entry, &features.list)
				  : NULL;
		if (problem)
			names_add(facts->arena, &problems,
				  text_printable(facts->arena, view_of(problem)));
	}
	if (seen == 0)
		return value_none("no ESP template is in use");
	if (features.kind != VALUE_LIST)
		return features;
	value = value_list(problems);
	value_cite(facts->arena, &value, PATH,
		   arena_printf(facts->arena, "%zu templates of ESP registered", seen),
		   CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "crypto.driver",
	 .of = "an algorithm of /proc/crypto, gcm(aes)",
	 .summary = "driver that serves it now: usable, not internal, highest priority",
	 .read = driver_read},
	{.name = "crypto.better",
	 .of = "an algorithm of /proc/crypto, gcm(aes)",
	 .summary = "why a worse driver than this CPU's features allow serves it; empty when none "
		    "is better",
	 .read = better_read},
	{.name = "crypto.slow-templates",
	 .summary = "ESP templates in /proc/crypto made with a worse driver than this CPU's "
		    "features allow",
	 .read = templates_read},
};

const struct fact_table crypto_facts = FACT_TABLE(rows);
