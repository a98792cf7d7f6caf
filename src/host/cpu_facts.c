// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/cpu.h"

#include <inttypes.h>
#include <string.h>

#define CPUINFO "/proc/cpuinfo"

static struct value not_readable(struct facts *facts, const struct cpus *cpus, const char *what)
{
	if (cpus->number)
		return value_unread(facts->arena, CPUINFO, cpus->number);
	return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s has no \"%s\" line", CPUINFO, what);
}

static struct value read_arch(struct facts *facts, const char *of)
{
	const char *arch = host_arch(facts->host);
	struct value value;

	(void)of;
	if (!arch)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "no uname, and %s does not tell", CPUINFO);
	value = value_text(arch);
	value_cite(facts->arena, &value, facts->host->live->arch ? "uname" : CPUINFO, arch,
		   facts->host->live->arch ? CONFIDENCE_DIRECT : CONFIDENCE_INFERRED);
	return value;
}

static struct value read_features(struct facts *facts, const char *of)
{
	const struct cpus *cpus = host_cpus(facts->host);
	struct value value;

	(void)of;
	if (!cpus->features_known)
		return not_readable(facts, cpus, "Features");
	value = value_list(cpus->features);
	value_cite(facts->arena, &value, cpus->number ? "AT_HWCAP" : CPUINFO, cpus->features_raw,
		   CONFIDENCE_DIRECT);
	return value;
}

static const char *kind_text(struct arena *arena, const struct cpu_id *id)
{
	if (id->variant == CPU_ID_NOT_SHOWN || id->revision == CPU_ID_NOT_SHOWN)
		return arena_printf(arena, "0x%02x/0x%03x", id->implementer, id->part);
	return arena_printf(arena, "0x%02x/0x%03x r%up%u", id->implementer, id->part, id->variant,
			    id->revision);
}

static struct value read_midr(struct facts *facts, const char *of)
{
	const struct cpus *cpus = host_cpus(facts->host);
	struct value value;

	(void)of;
	if (!cpus->id_known)
		return not_readable(facts, cpus, "CPU implementer");
	if (!cpu_midr(facts->arena, &cpus->id))
		return not_readable(facts, cpus, "CPU variant\" and \"CPU revision");
	value = value_text(cpu_midr(facts->arena, &cpus->id));
	value_cite(facts->arena, &value, cpus->id_path, kind_text(facts->arena, &cpus->id),
		   CONFIDENCE_DIRECT);
	return value;
}

/* One entry when all CPUs are alike; the features count as part of the kind. */
static struct value read_kinds(struct facts *facts, const char *of)
{
	const struct cpus *cpus = host_cpus(facts->host);
	struct names kinds = {0};
	struct value value;

	(void)of;
	if (!cpus->id_known)
		return not_readable(facts, cpus, "CPU implementer");
	for (size_t i = 0; i < cpus->kind_count; i++)
		names_add(facts->arena, &kinds, kind_text(facts->arena, &cpus->kinds[i]));
	if (cpus->features_differ)
		names_add(facts->arena, &kinds, "CPUs with other Features");
	value = value_list(kinds);
	value_cite(facts->arena, &value, cpus->id_path, names_join(facts->arena, &kinds, ", "),
		   CONFIDENCE_DIRECT);
	return value;
}

static struct value read_uniform(struct facts *facts, const char *of)
{
	struct value value = read_kinds(facts, of);

	if (value.kind == VALUE_LIST && value.list.count == 1 && host_cpus(facts->host)->ids_cut)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s lacks lines of some CPUs",
				     CPUINFO);
	if (value.kind == VALUE_LIST) {
		size_t count = value.list.count;

		value.kind = VALUE_BOOL;
		value.flag = count == 1;
	}
	return value;
}

/* CNTFRQ_EL0, else what BogoMIPS says: on arm64 it is twice the timer's frequency in MHz (Linux
 * arch/arm64/kernel/cpuinfo.c). A 32-bit kernel may have calibrated a loop instead. */
static struct value read_timer(struct facts *facts, const char *of)
{
	const struct cpus *cpus = host_cpus(facts->host);
	const struct live *live = facts->host->live;
	struct value value;

	(void)of;
	if (live->timer_hz) {
		value = value_number(live->timer_hz);
		value_cite(facts->arena, &value, "CNTFRQ_EL0",
			   arena_printf(facts->arena, "%" PRId64, live->timer_hz),
			   CONFIDENCE_DIRECT);
		return value;
	}
	if (!cpus->bogomips_x100 || !cpus->id_known)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "no CNTFRQ_EL0 and no BogoMIPS line");
	if (cpus->arch && strcmp(cpus->arch, "arm") == 0)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "BogoMIPS of a 32-bit system need not be of the timer");
	value = value_number(cpus->bogomips_x100 * 5000);
	value_cite(facts->arena, &value, CPUINFO,
		   arena_printf(facts->arena, "BogoMIPS %" PRId64 ".%02" PRId64,
				cpus->bogomips_x100 / 100, cpus->bogomips_x100 % 100),
		   CONFIDENCE_INFERRED);
	return value;
}

static const struct fact rows[] = {
	{.name = "cpu.arch",
	 .summary = "architecture: uname, else the keys of /proc/cpuinfo",
	 .read = read_arch},
	{.name = "cpu.features",
	 .summary = "features as the kernel spells HWCAPs, /proc/cpuinfo",
	 .read = read_features},
	{.name = "cpu.midr",
	 .summary = "MIDR_EL1 of the first CPU, /proc/cpuinfo or midr_el1",
	 .read = read_midr},
	{.name = "cpu.kinds",
	 .summary = "every distinct implementer/part/revision, /proc/cpuinfo",
	 .read = read_kinds},
	{.name = "cpu.uniform",
	 .summary = "all CPUs have one MIDR and one set of features",
	 .read = read_uniform},
	{.name = "cpu.timer",
	 .unit = "Hz",
	 .summary = "generic timer: CNTFRQ_EL0, else BogoMIPS / 2",
	 .read = read_timer},
};

const struct fact_table cpu_facts = FACT_TABLE(rows);
