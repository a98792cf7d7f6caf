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

#define CPU0 "/sys/devices/system/cpu/cpu0/"
#define NODE0 "/sys/devices/system/node/node0/"

const struct target host_targets[] = {
	{
		.name = "cpuinfo",
		.paths = {"/proc/cpuinfo", CPU0 "regs/identification/midr_el1"},
		.tables = {&cpu_facts},
	},
	{
		.name = "soc",
		.paths = {"/sys/devices/soc0/soc_id", "/sys/devices/soc0/family",
			  "/sys/devices/soc0/machine", "/sys/devices/soc0/revision"},
		.tables = {&soc_facts},
	},
	{
		.name = "cpulist",
		.paths = {"/sys/devices/system/cpu/online", "/sys/devices/system/cpu/present",
			  "/sys/devices/system/cpu/possible", "/sys/devices/system/node/online",
			  "/sys/devices/system/node/has_cpu", NODE0 "cpulist",
			  CPU0 "topology/package_cpus_list", CPU0 "cache/index2/shared_cpu_list",
			  CPU0 "cache/index2/size", NODE0 "distance", NODE0 "meminfo"},
		.tables = {&topology_facts, &cpu_facts},
	},
	{
		.name = "cpufreq",
		.paths = {CPU0 "cpufreq/scaling_governor", CPU0 "cpufreq/cpuinfo_max_freq",
			  CPU0 "cpufreq/affected_cpus", CPU0 "cpuidle/state0/name"},
		.tables = {&cpufreq_facts},
	},
	{
		.name = "hugepages",
		.paths = {"/proc/mounts", "/proc/meminfo", NODE0 "meminfo",
			  NODE0 "hugepages/hugepages-2048kB/nr_hugepages",
			  "/sys/kernel/mm/transparent_hugepage/enabled"},
		.tables = {&hugepages_facts},
	},
	{
		.name = "kernel",
		.paths = {"/proc/cmdline", "/proc/modules", "/etc/security/limits.conf",
			  "/proc/sys/kernel/numa_balancing", "/proc/interrupts", "/proc/version"},
		.tables = {&kernel_facts},
	},
	{
		.name = "crypto",
		.paths = {"/proc/crypto", "/proc/modules", "/proc/cpuinfo",
			  "/lib/modules/6.12.48+deb13-arm64/modules.alias",
			  "/lib/modules/6.12.48+deb13-arm64/modules.builtin"},
		.tables = {&crypto_facts},
		.of = "gcm(aes)",
	},
	{
		.name = "smbios",
		.paths = {"/sys/firmware/dmi/tables/DMI", "/sys/firmware/dmi/tables/smbios_entry_point"},
		.tables = {&smbios_facts},
	},
	{.name = NULL},
};
