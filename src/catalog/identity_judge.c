// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "catalog/identity.h"
#include "catalog/profile.h"
#include "host/cpu.h"
#include "host/smbios.h"
#include "host/soc.h"
#include "host/topology.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#define IMPLEMENTER_AMPERE 0xc0
#define SOC_FAMILY_AMPERE "jep106:0a16"
#define ALTRA_TIMER_HZ                                                                             \
	25000000 /* every Altra dump known, also of guests; Graviton2 has 121.875 MHz */
#define EVIDENCE_MAX 16

/* How far a piece of evidence reaches. */
enum says {
	SAYS_NOTHING, /* worth showing, decides nothing */
	SAYS_AMPERE,  /* made by Ampere, not which */
	SAYS_PROFILE, /* exactly this silicon */
};

struct piece {
	struct evidence evidence;
	enum says says;
	const struct cpu_profile *profile; /* SAYS_PROFILE */
};

struct judging {
	struct facts *facts;
	const struct cpu_profiles *profiles;
	const struct cpus *cpus;
	struct identity *identity;
	const struct cpu_profile *candidates[8]; /* that fit the MIDR */
	size_t candidate_count;
	struct piece pieces[EVIDENCE_MAX];
	size_t piece_count;
};

static void add(struct judging *judging, const char *path, const char *raw,
		enum confidence confidence, enum says says, const struct cpu_profile *profile)
{
	if (judging->piece_count == EVIDENCE_MAX)
		return;
	judging->pieces[judging->piece_count++] = (struct piece){
		.evidence = {.path = path, .raw = raw, .confidence = confidence},
		.says = says,
		.profile = profile,
	};
}

static void contradict(struct judging *judging, const char *text)
{
	names_add(judging->facts->arena, &judging->identity->contradictions, text);
}

/* What is not shown excludes nothing: other evidence decides then. */
static bool field_fits(const struct maybe_number *wanted, uint32_t number)
{
	return !wanted->known || number == CPU_ID_NOT_SHOWN || wanted->number == number;
}

/* Its variant and revision were compared where they matter. */
static bool is_told_apart(const struct cpu_profile *profile, const struct cpu_id *id)
{
	return !(profile->variant.known && id->variant == CPU_ID_NOT_SHOWN) &&
	       !(profile->revision.known && id->revision == CPU_ID_NOT_SHOWN);
}

static bool midr_fits(const struct cpu_profile *profile, const struct cpu_id *id)
{
	return profile->implementer == id->implementer && profile->part == id->part &&
	       field_fits(&profile->variant, id->variant) &&
	       field_fits(&profile->revision, id->revision);
}

/* Cores of different kinds (big.LITTLE) are nobody's server. Steppings of one part are. */
static bool is_mixed(const struct cpus *cpus)
{
	for (size_t i = 1; i < cpus->kind_count; i++) {
		if (cpus->kinds[i].implementer != cpus->kinds[0].implementer ||
		    cpus->kinds[i].part != cpus->kinds[0].part)
			return true;
	}
	return false;
}

static const char *id_text(struct arena *arena, const struct cpu_id *id)
{
	if (id->variant == CPU_ID_NOT_SHOWN || id->revision == CPU_ID_NOT_SHOWN)
		return arena_printf(arena, "implementer 0x%02x part 0x%03x", id->implementer,
				    id->part);
	return arena_printf(arena, "implementer 0x%02x part 0x%03x variant 0x%x revision %u",
			    id->implementer, id->part, id->variant, id->revision);
}

static void find_candidates(struct judging *judging)
{
	const struct cpu_id *id = &judging->cpus->id;
	struct arena *arena = judging->facts->arena;

	if (!judging->cpus->id_known)
		return;
	add(judging, judging->cpus->id_path, id_text(arena, id), CONFIDENCE_DIRECT, SAYS_NOTHING,
	    NULL);
	if (is_mixed(judging->cpus)) {
		contradict(judging, "the CPUs have different MIDRs");
		return;
	}
	for (size_t i = 0; i < judging->profiles->count && judging->candidate_count < 8; i++) {
		if (midr_fits(&judging->profiles->items[i], id))
			judging->candidates[judging->candidate_count++] =
				&judging->profiles->items[i];
	}
}

static bool is_candidate(const struct judging *judging, const struct cpu_profile *profile)
{
	for (size_t i = 0; i < judging->candidate_count; i++) {
		if (judging->candidates[i] == profile)
			return true;
	}
	return false;
}

static const struct cpu_profile *by_soc_id(const struct judging *judging, const char *id)
{
	for (size_t i = 0; id && i < judging->profiles->count; i++) {
		const char *known = judging->profiles->items[i].soc_id;

		if (known && strcmp(known, id) == 0)
			return &judging->profiles->items[i];
	}
	return NULL;
}

static void add_soc_id(struct judging *judging, const char *path, const char *id,
		       enum confidence confidence)
{
	const struct cpu_profile *profile = by_soc_id(judging, id);
	enum says says = profile                                       ? SAYS_PROFILE
			 : view_starts(view_of(id), SOC_FAMILY_AMPERE) ? SAYS_AMPERE
								       : SAYS_NOTHING;

	add(judging, path, id, confidence, says, profile);
}

/* Strings of a populated socket; "AmpereOne (R)" stands for several parts and so names none. */
static void add_processor(struct judging *judging, const struct smbios_processor *processor)
{
	const struct cpu_profile *named = NULL;
	size_t fits = 0;

	for (size_t i = 0; processor->version && i < judging->profiles->count; i++) {
		const char *known = judging->profiles->items[i].processor_version;

		if (known && strcmp(known, processor->version) == 0) {
			named = &judging->profiles->items[i];
			fits++;
		}
	}
	if (processor->version)
		add(judging, SMBIOS_TABLE_PATH,
		    arena_printf(judging->facts->arena, "type 4 version: %s", processor->version),
		    CONFIDENCE_DIRECT,
		    fits == 1 ? SAYS_PROFILE
		    : fits    ? SAYS_AMPERE
			      : SAYS_NOTHING,
		    fits == 1 ? named : NULL);
	if (processor->id_kind == SMBIOS_ID_SOC && processor->soc_id)
		add_soc_id(judging, SMBIOS_TABLE_PATH, processor->soc_id, CONFIDENCE_INFERRED);
	if (processor->part)
		add(judging, SMBIOS_TABLE_PATH,
		    arena_printf(judging->facts->arena, "type 4 part number: %s", processor->part),
		    CONFIDENCE_DIRECT, SAYS_NOTHING, NULL);
}

static void add_timer(struct judging *judging)
{
	const struct value *timer = facts_get(judging->facts, "cpu.timer");
	bool fits;

	if (!timer || timer->kind != VALUE_NUMBER || !timer->evidence_count)
		return;
	fits = timer->number == ALTRA_TIMER_HZ && judging->candidate_count > 1;
	add(judging, timer->evidence[0].path,
	    arena_printf(judging->facts->arena, "timer %" PRId64 " Hz", timer->number),
	    timer->evidence[0].confidence, fits ? SAYS_AMPERE : SAYS_NOTHING, NULL);
}

static void gather(struct judging *judging)
{
	struct host *host = judging->facts->host;
	const struct soc *soc = host_soc(host);
	const struct smbios *smbios = host_smbios(host);
	const struct smbios_processor *processor = smbios_first_processor(smbios);
	const struct value *root_complex = facts_get(judging->facts, "pci.ampere");

	find_candidates(judging);
	if (soc->id)
		add_soc_id(judging, soc->id_path, soc->id, CONFIDENCE_DIRECT);
	if (processor)
		add_processor(judging, processor);
	if (root_complex && root_complex->kind == VALUE_BOOL && root_complex->flag &&
	    root_complex->evidence_count)
		add(judging, root_complex->evidence[0].path, root_complex->evidence[0].raw,
		    CONFIDENCE_DIRECT, SAYS_AMPERE, NULL);
	add_timer(judging);
	if (smbios->firmware_vendor && strncmp(smbios->firmware_vendor, "Ampere", 6) == 0)
		add(judging,
		    smbios->tables_errno ? "/sys/class/dmi/id/bios_vendor" : SMBIOS_TABLE_PATH,
		    smbios->firmware_vendor, CONFIDENCE_DIRECT, SAYS_AMPERE, NULL);
}

static const struct piece *first(const struct judging *judging, enum says says)
{
	for (size_t i = 0; i < judging->piece_count; i++) {
		if (judging->pieces[i].says == says)
			return &judging->pieces[i];
	}
	return NULL;
}

/* The most CPUs a package has; 0 when not known. */
static size_t package_cores(const struct judging *judging)
{
	const struct topology *topology = host_topology(judging->facts->host);
	size_t most = 0;

	for (size_t i = 0; i < topology->package_count; i++) {
		if (topology->packages[i].cpus.count > most)
			most = topology->packages[i].cpus.count;
	}
	return most;
}

/* Among candidates of one maker: the first whose core count can hold what is there. */
static const struct cpu_profile *by_cores(const struct judging *judging)
{
	size_t cores = package_cores(judging);

	for (size_t i = 0; i < judging->candidate_count; i++) {
		const struct cpu_profile *profile = judging->candidates[i];

		if (profile->ampere &&
		    (!profile->most_cores.known || cores <= (size_t)profile->most_cores.number))
			return profile;
	}
	return NULL;
}

static const struct cpu_profile *not_ampere(const struct judging *judging)
{
	for (size_t i = 0; i < judging->candidate_count; i++) {
		if (!judging->candidates[i]->ampere)
			return judging->candidates[i];
	}
	return NULL;
}

/* Several CPUs share this MIDR (Altra, Altra Max, Graviton2): other evidence decides. */
static const struct cpu_profile *decide_shared(struct judging *judging)
{
	const struct piece *exact = first(judging, SAYS_PROFILE);
	const struct value *timer = facts_get(judging->facts, "cpu.timer");

	if (exact && is_candidate(judging, exact->profile)) {
		judging->identity->family_confidence = "certain";
		return exact->profile;
	}
	if (first(judging, SAYS_AMPERE)) {
		judging->identity->family_confidence = "likely";
		return by_cores(judging);
	}
	judging->identity->family_confidence =
		timer && timer->kind == VALUE_NUMBER && timer->number != ALTRA_TIMER_HZ ? "likely"
											: "unknown";
	return not_ampere(judging);
}

/* No profile has this MIDR, or there is none to see. */
static const struct cpu_profile *decide_without(struct judging *judging)
{
	const struct piece *exact = first(judging, SAYS_PROFILE);
	struct identity *identity = judging->identity;

	identity->family_confidence = "certain";
	if (judging->cpus->id_known && !is_mixed(judging->cpus) &&
	    judging->cpus->id.implementer == IMPLEMENTER_AMPERE) {
		identity->family = "ampere-unknown";
		return NULL;
	}
	if (judging->cpus->id_known || (identity->arch && strcmp(identity->arch, "aarch64") != 0)) {
		identity->family = "other";
		return NULL;
	}
	if (exact) {
		identity->family_confidence = "likely";
		return exact->profile;
	}
	identity->family_confidence = "unknown";
	return NULL;
}

static void find_contradictions(struct judging *judging, const struct cpu_profile *profile)
{
	struct arena *arena = judging->facts->arena;

	for (size_t i = 0; i < judging->piece_count; i++) {
		const struct piece *piece = &judging->pieces[i];

		if (piece->says == SAYS_PROFILE && piece->profile != profile)
			contradict(judging,
				   arena_printf(arena, "%s says %s (%s)", piece->evidence.path,
						piece->profile->title, piece->evidence.raw));
		else if (piece->says == SAYS_AMPERE && profile && !profile->ampere)
			contradict(judging,
				   arena_printf(arena, "%s points to Ampere (%s)",
						piece->evidence.path, piece->evidence.raw));
	}
	for (size_t i = 0; profile && i < profile->features_absent.count; i++) {
		if (cpus_have(judging->cpus, profile->features_absent.items[i]))
			contradict(judging,
				   arena_printf(arena, "Features has %s, which %s does not have",
						profile->features_absent.items[i], profile->title));
	}
	if (profile && profile->most_cores.known &&
	    package_cores(judging) > (size_t)profile->most_cores.number)
		contradict(judging,
			   arena_printf(arena, "a package has %zu CPUs, %s has at most %" PRId64,
					package_cores(judging), profile->title,
					profile->most_cores.number));
}

const struct cpu_profile *identity_judge(struct facts *facts, const struct cpu_profiles *profiles,
					 struct identity *identity)
{
	struct judging judging = {
		.facts = facts,
		.profiles = profiles,
		.cpus = host_cpus(facts->host),
		.identity = identity,
	};
	const struct cpu_profile *profile;
	struct evidence *evidence;

	gather(&judging);
	if (judging.candidate_count == 1) {
		identity->family_confidence =
			is_told_apart(judging.candidates[0], &judging.cpus->id) ? "certain"
										: "likely";
		profile = judging.candidates[0];
	} else if (judging.candidate_count) {
		profile = decide_shared(&judging);
	} else {
		profile = decide_without(&judging);
	}
	if (profile)
		identity->family = profile->family;
	find_contradictions(&judging, profile);
	evidence = arena_array(facts->arena, struct evidence, EVIDENCE_MAX);
	for (size_t i = 0; i < judging.piece_count; i++)
		evidence[i] = judging.pieces[i].evidence;
	identity->evidence = (struct field_array){evidence, judging.piece_count};
	return profile;
}
