// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"

#include "host/cpu.h"
#include "host/cpufreq.h"
#include "host/crypto.h"
#include "host/hugepages.h"
#include "host/kernel.h"
#include "host/smbios.h"
#include "host/soc.h"
#include "host/topology.h"

#define CPU "/sys/devices/system/cpu/"
#define NODE "/sys/devices/system/node/"

const struct target host_targets[] = {
	{
		.name = "cpuinfo",
		.files = {"/proc/cpuinfo", CPU "*midr_el1"},
		.tables = {&cpu_facts},
	},
	{
		.name = "soc",
		.files = {"/sys/devices/soc0/*"},
		.tables = {&soc_facts},
	},
	{
		.name = "topology",
		.files = {CPU "cpu0/topology/*", CPU "cpu0/cache/*", CPU "*line", CPU "present",
			  CPU "possible", CPU "kernel_max", NODE "*online", NODE "has_*",
			  NODE "*cpulist", NODE "*distance"},
		.tables = {&topology_facts, &cpu_facts},
	},
	{
		.name = "cpufreq",
		.files = {CPU "*cpufreq*", CPU "*cpuidle*"},
		.tables = {&cpufreq_facts},
	},
	{
		.name = "hugepages",
		.files = {"/proc/mounts", "/proc/self/mounts", "/proc/meminfo", NODE "*meminfo",
			  "*/hugepages-2048kB/*", "/sys/kernel/mm/transparent_hugepage/*"},
		.tables = {&hugepages_facts},
	},
	{
		.name = "kernel",
		.files = {"/proc/cmdline", "/proc/modules", "/proc/self/limits", "/proc/version",
			  "/etc/security/limits.conf", "/proc/sys/*", "/proc/interrupts",
			  "/proc/1/*", "/proc/2/*"},
		.tables = {&kernel_facts},
	},
	{
		.name = "crypto",
		.files = {"/proc/crypto", "/proc/modules", "/proc/cpuinfo", "*/modules.alias",
			  "*/modules.builtin", "*/modules.dep"},
		.tables = {&crypto_facts},
		.of = "gcm(aes)",
	},
	{
		.name = "smbios",
		.files = {"/sys/firmware/dmi/tables/*"},
		.tables = {&smbios_facts},
	},
	{.name = NULL},
};
