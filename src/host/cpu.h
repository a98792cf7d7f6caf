// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/host.h"

/* MIDR_EL1 without its architecture field (Arm ARM D19.2.95), as /proc/cpuinfo gives it. Variant
 * and revision may be lines that a pasted file lacks. */
struct cpu_id {
	uint32_t implementer, part, variant, revision;
};

#define CPU_ID_NOT_SHOWN UINT32_MAX

/* /proc/cpuinfo (or a pasted part of one) and cpu0's midr_el1. */
struct cpus {
	int number; /* errno of /proc/cpuinfo; 0 when it was read */
	const char
		*arch; /* derived from its keys: aarch64 arm x86_64 riscv64 loongarch64 …; NULL */
	size_t count;  /* "processor" lines; 0: not known */
	bool id_known;
	struct cpu_id id;     /* of the first CPU that has one */
	const char *id_path;  /* where it was read */
	struct cpu_id *kinds; /* every distinct id, in order of appearance */
	size_t kind_count;
	bool ids_cut; /* a CPU lacks a line that others have */
	bool features_known;
	struct names
		features; /* of the first CPU, in the kernel's spelling; x86 "flags", RISC-V none */
	bool features_differ; /* between CPUs */
	const char *features_raw;
	int64_t bogomips_x100;  /* "50.00" is 5000; 0: not shown */
	const char *model_name; /* x86 "model name"; NULL */
};

/* The pure part: the text of a cpuinfo file into a zeroed struct. */
void cpus_parse(struct arena *arena, struct view text, struct cpus *cpus);
const struct cpus *host_cpus(struct host *host);
bool cpus_have(const struct cpus *cpus, const char *feature);
/* "0x413fd0c1": architecture field 0xf, as Linux prints midr_el1. */
const char *cpu_midr(struct arena *arena, const struct cpu_id *id); /* NULL when not all is shown */
/* live arch, else what cpuinfo's keys say; NULL when neither is known. */
const char *host_arch(struct host *host);

extern const struct fact_table cpu_facts;
