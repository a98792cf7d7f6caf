// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/identity.h"

#include "base/arena.h"
#include "catalog/profile.h"
#include "host/cpu.h"
#include "host/smbios.h"
#include "host/virtualization.h"

#include <ctype.h>
#include <string.h>

/* "Q80-30", "M128-30", "A192-32X": a letter, cores, the clock in tenths of GHz, and on AmpereOne
 * the product. */
static bool is_sku(const char *part)
{
	size_t digits = strspn(part + 1, "0123456789");
	const char *clock = part + 1 + digits + 1;

	if (!isupper((unsigned char)part[0]) || digits < 2 || digits > 3 ||
	    part[1 + digits] != '-' || strspn(clock, "0123456789") != 2)
		return false;
	return clock[2] == '\0' || ((clock[2] == 'X' || clock[2] == 'M') && clock[3] == '\0');
}

static void read_sku(struct identity *identity, const struct cpu_profile *profile,
		     const struct smbios *smbios)
{
	const struct smbios_processor *processor = smbios_first_processor(smbios);
	const char *suffix;

	if (!processor || !processor->part || !is_sku(processor->part) || !profile ||
	    !profile->ampere)
		return;
	identity->sku = processor->part;
	suffix = processor->part + strlen(processor->part) - 1;
	if (strcmp(identity->family, "ampereone-ac04") == 0)
		identity->product = *suffix == 'X' ? "X" : *suffix == 'M' ? "M" : NULL;
}

static struct maybe_number number_of(struct facts *facts, const char *fact)
{
	const struct value *value = facts_get(facts, fact);

	if (!value || value->kind != VALUE_NUMBER)
		return (struct maybe_number){0};
	return (struct maybe_number){.known = true, .number = value->number};
}

static const char *text_of(const struct value *value)
{
	return value->kind == VALUE_TEXT ? value->text : NULL;
}

static struct maybe_number shown(uint32_t number)
{
	return (struct maybe_number){number != CPU_ID_NOT_SHOWN,
				     number == CPU_ID_NOT_SHOWN ? 0 : number};
}

static void read_midr(struct identity *identity, struct arena *arena, const struct cpus *cpus)
{
	if (!cpus->id_known)
		return;
	identity->midr = cpu_midr(arena, &cpus->id);
	identity->implementer = (struct maybe_number){true, cpus->id.implementer};
	identity->part = (struct maybe_number){true, cpus->id.part};
	identity->variant = shown(cpus->id.variant);
	identity->revision = shown(cpus->id.revision);
}

static struct compiler_flags top_of(const struct field_array *ladder)
{
	const struct flag_step *steps = ladder->items;

	if (!ladder->count)
		return (struct compiler_flags){0};
	return (struct compiler_flags){.wanted = steps[0].flags, .why = steps[0].why};
}

static void read_flags(struct identity *identity, struct arena *arena,
		       const struct cpu_profile *profile)
{
	if (!profile)
		return;
	identity->flags = arena_new(arena, struct identity_flags);
	identity->flags->gcc = top_of(&profile->gcc);
	identity->flags->clang = top_of(&profile->clang);
}

const struct identity *identity_read(struct facts *facts, const struct cpu_profiles *profiles)
{
	struct identity *identity = arena_new(facts->arena, struct identity);
	const struct smbios *smbios = host_smbios(facts->host);
	const struct virtualization *virtualization = host_virtualization(facts->host);
	const struct cpus *cpus = host_cpus(facts->host);

	identity->arch = host_arch(facts->host);
	read_midr(identity, facts->arena, cpus);
	facts->profile = identity_judge(facts, profiles, identity);
	read_sku(identity, facts->profile, smbios);
	identity->features = cpus->features;
	identity->packages = number_of(facts, "cpu.packages");
	identity->cpus = number_of(facts, "cpu.count");
	identity->nodes = number_of(facts, "cpu.nodes");
	identity->page_size_bytes = number_of(facts, "kernel.page-size");
	identity->timer_hz = number_of(facts, "cpu.timer");
	identity->kernel = facts->host->live->kernel;
	identity->firmware.vendor = smbios->firmware_vendor;
	identity->firmware.version = smbios->firmware_version;
	identity->firmware.date = smbios->firmware_date;
	identity->machine.vendor = smbios->vendor;
	identity->machine.product = smbios->product;
	identity->virtualization.vm = text_of(&virtualization->vm);
	identity->virtualization.container = text_of(&virtualization->container);
	read_flags(identity, facts->arena, facts->profile);
	facts->identity = identity;
	return identity;
}
