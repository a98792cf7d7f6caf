// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/facts.h"

#include "base/arena.h"
#include "catalog/identity.h"
#include "catalog/measure.h"
#include "catalog/probe.h"
#include "catalog/recipe.h"
#include "host/acpi.h"
#include "host/aml.h"
#include "host/cpu.h"
#include "host/cpufreq.h"
#include "host/cpuidle.h"
#include "host/crypto.h"
#include "host/firmware.h"
#include "host/hugepages.h"
#include "host/kernel.h"
#include "host/memory.h"
#include "host/pci.h"
#include "host/redfish.h"
#include "host/smbios.h"
#include "host/soc.h"
#include "host/software.h"
#include "host/tls.h"
#include "host/topology.h"
#include "host/virtualization.h"

/* Every table of facts, one a line, so that additions do not meet. */
/* clang-format off */
static const struct fact_table *const tables[] = {
	&cpu_facts,
	&topology_facts,
	&cpufreq_facts,
	&cpuidle_facts,
	&virtualization_facts,
	&identity_facts,
	&measure_facts,
	&smbios_facts,
	&soc_facts,
	&memory_facts,
	&module_facts,
	&speed_facts,
	&edac_facts,
	&acpi_facts,
	&aml_facts,
	&firmware_facts,
	&firmware_setting_facts,
	&firmware_version_facts,
	&hugepages_facts,
	&kernel_facts,
	&crypto_facts,
	&pci_facts,
	&redfish_facts,
	&tls_facts,
	&probe_facts,
	&software_facts,
	&libcrypto_facts,
	&ldso_facts,
	&dpdk_facts,
	&recipe_facts,
};
/* clang-format on */

struct facts *facts_new(struct arena *arena, struct host *host, const char *role)
{
	struct facts *facts = arena_new(arena, struct facts);

	facts->arena = arena;
	facts->host = host;
	facts->role = role;
	facts->tables = tables;
	facts->table_count = sizeof(tables) / sizeof(tables[0]);
	return facts;
}
