// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"

#include "audit/audit.h"
#include "base/arena.h"
#include "base/error.h"
#include "catalog/identity.h"
#include "host/elf_sections.h"
#include "host/facts.h"
#include "host/firmware.h"
#include "host/hide.h"
#include "host/instructions.h"
#include "host/loader.h"
#include "host/redact_redfish.h"
#include "host/smbios.h"

#include <string.h>

#define OUT_MAX ((size_t)1 << 20)
#define CPU "/sys/devices/system/cpu/"
#define NODE "/sys/devices/system/node/"
#define LIB "/usr/lib/aarch64-linux-gnu/"

/* The `host` object is valid JSON whatever the evidence was. */
static void identify(struct facts *facts)
{
	struct buffer out = buffer_new(facts->arena, OUT_MAX);
	struct json_writer writer;
	struct json json;

	json_begin(&writer, &out);
	fields_write(&writer, NULL, &identity_table, facts->identity);
	json_end(&writer);
	PROMISE(json_parse(facts->arena, "host", buffer_view(&out), &json, NULL));
}

/* Every check on the machine: each finding has one of the outcomes, and why when it is not known.
 */
static void judge(struct facts *facts)
{
	const struct audit_options options = {.today = "2027-01-01"};
	const struct finding *finding;
	struct audit audit;
	struct error err;

	PROMISE(audit_run(facts, world_checks(), &options, &audit, &err));
	PROMISE(audit.findings.count > 0);
	finding = audit.findings.items;
	for (size_t i = 0; i < audit.findings.count; i++, finding++)
		PROMISE(finding->outcome && finding->wanted &&
			(strcmp(finding->outcome, "unknown") != 0 || finding->reason));
}

static void look_into_elf(struct facts *facts)
{
	struct elf *elf = elf_read(facts->host->root, LIB "libcrypto.so.3");
	uint64_t address, size;

	PROMISE(elf);
	elf_build_id(elf);
	elf_version_needs(elf);
	elf_version_defs(elf);
	elf_defines(elf, "OPENSSL_3.0.0", elf_version_hash("OPENSSL_3.0.0"));
	elf_symbol(elf, "OpenSSL_version", &address, &size);
	elf_constant(elf, "OPENSSL_version_major", &address);
	elf_string(elf, 1);
}

/* What is in the functions of an instruction is all that there is of it. */
static void look_into_code(struct facts *facts)
{
	struct elf *elf = elf_read(facts->host->root, LIB "libcrypto.so.3");
	const struct instruction_scan *scan = instructions_scan(elf);
	struct elf_sections sections = elf_sections_read(elf);
	struct names foreign = {0}, outside = {0};

	elf_traces_read(elf, &sections);
	for (size_t i = 0; i < sections.count; i++)
		PROMISE(sections.items[i].name);
	for (size_t i = 0; i < scan->family_count; i++) {
		const struct instruction_family *family = &scan->families[i];
		uint64_t sum = family->unlisted;

		for (size_t f = 0; f < family->function_count; f++)
			sum += family->functions[f].count;
		PROMISE(sum == family->count);
		names_add(facts->arena, &foreign, family->name);
	}
	instructions_outside(facts->arena, scan, &foreign, &(struct names){0}, &outside);
}

static void read_cache(struct facts *facts)
{
	struct ldso_cache cache = {0};
	struct ldso_entry entry = {0};

	ldso_cache_read(facts->host->root, &cache);
	for (uint32_t i = 0; i < cache.count; i++)
		ldso_cache_entry(&cache, i, &entry);
}

static void read_conf(struct facts *facts)
{
	struct ldso_conf conf = {0};
	struct names names = {0};

	ldso_conf_read(facts->host->root, &conf);
	for (size_t i = 0; i < conf.problem_count; i++)
		PROMISE(conf.problems[i].file && conf.problems[i].why);
	ldso_preload(facts->host->root, &names);
}

static void load_program(struct facts *facts)
{
	static const struct loader_options options = {.library_path = "/opt/lib:$ORIGIN/../lib:",
						      .preload = "libcrypto.so.3"};
	const struct loader_run *run;

	run = loader_run(facts->host, "/usr/bin/openssl", &options);
	PROMISE(run);
	for (size_t i = 0; i < run->count; i++)
		PROMISE(run->objects[i]->name);
	loader_object(run, "libcrypto.so*");
}

/* Names in the texts of servers: what is hidden is found again, and hiding twice changes nothing.
 */
static void hide_names(struct facts *facts)
{
	static const char path[] = "/etc/nginx/conf.d/site.conf";
	struct names hidden = {0};
	struct view text, once, twice;

	if (root_read(facts->host->root, path, &text) != 0)
		return;
	once = hide_text(facts->arena, &hidden, path, text);
	twice = hide_text(facts->arena, &hidden, path, once);
	PROMISE(once.size == twice.size &&
		(once.size == 0 || memcmp(once.at, twice.at, once.size) == 0));
	for (size_t i = 0; i < hidden.count; i++) {
		const char *name = hide_name(facts->arena, &hidden, hidden.items[i]);

		PROMISE(strcmp(unhide_path(facts->arena, &hidden, name), hidden.items[i]) == 0);
	}
}

/* Documents of a BMC: what is kept of one is JSON or the line that says it was none, and is kept
 * whole when it comes again. */
static void keep_documents(struct facts *facts)
{
	static const char *const paths[] = {
		"/redfish/v1/index.json", "/redfish/v1/Systems/Self/Bios/index.json",
		"/redfish/v1/Registries/BiosAttributeRegistryMP32.1.0.0.json/index.json"};
	struct names settings = {0}, hidden = {0};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct view text, once, twice;
		struct json json;

		if (root_read(facts->host->root, paths[i], &text) != 0)
			continue;
		once = redact_redfish(facts->arena, &settings, &hidden, paths[i], text);
		twice = redact_redfish(facts->arena, &settings, &hidden, paths[i], once);
		PROMISE(once.size == twice.size && memcmp(once.at, twice.at, once.size) == 0);
		PROMISE(view_is(once, "not JSON\n") ||
			json_parse(facts->arena, paths[i], once, &json, NULL));
	}
}

const struct target host_targets[] = {
	{
		.name = "cpuinfo",
		.files = {"/proc/cpuinfo", CPU "*midr_el1"},
		.facts = {"cpu.*"},
		.identify = true,
		.more = identify,
	},
	{
		.name = "identity",
		.files = {"/sys/devices/soc0/*", "/sys/devices/virtual/dmi/id/*", "/proc/version",
			  "/sys/firmware/dmi/tables/DMI", "/proc/device-tree/compatible"},
		.facts = {"soc.*", "cpu.*", "firmware.*"},
		.identify = true,
		.more = identify,
	},
	{
		.name = "virtualization",
		.files = {"/proc/1/*", "/proc/cpuinfo", "/sys/devices/virtual/dmi/id/*",
			  "/sys/hypervisor/type", "/proc/self/mountinfo", "/run/systemd/container",
			  "/proc/device-tree/hypervisor/compatible", "/.dockerenv"},
		.facts = {"virtualization.*"},
	},
	{
		.name = "topology",
		.files = {CPU "cpu0/topology/*", CPU "cpu0/cache/*", CPU "*line", CPU "present",
			  CPU "possible", CPU "kernel_max", NODE "*online", NODE "has_*",
			  NODE "*cpulist", NODE "*distance"},
		.facts = {"topology.*", "cpu.*"},
	},
	{
		.name = "cpufreq",
		.files = {CPU "*cpufreq*", CPU "*cpuidle*", CPU "cpu0/acpi_cppc/highest_perf"},
		.facts = {"cpufreq.*", "cpuidle.*", "cppc.*"},
	},
	{
		.name = "hugepages",
		.files = {"/proc/mounts", "/proc/self/mounts", "/proc/meminfo", NODE "*meminfo",
			  "*/hugepages-2048kB/*", "/sys/kernel/mm/transparent_hugepage/*"},
		.facts = {"memory.*", "hugepages.*"},
	},
	{
		.name = "kernel",
		.files = {"/proc/cmdline", "/proc/modules", "/proc/self/limits", "/proc/version",
			  "/etc/security/limits.conf", "/proc/sys/*", "/proc/interrupts",
			  "/proc/1/*", "/proc/2/*"},
		.facts = {"kernel.*"},
	},
	{
		.name = "crypto",
		.files = {"/proc/crypto", "/proc/modules", "/proc/cpuinfo", "*/modules.alias",
			  "*/modules.builtin", "*/modules.dep"},
		.facts = {"crypto.*"},
		.of = "gcm(aes)",
	},
	{
		.name = "smbios",
		.files = {"/sys/firmware/dmi/tables/*"},
		.facts = {"smbios.*", "memory.*", "firmware.*", "dmi.*"},
		.identify = true,
	},
	{
		.name = "acpi",
		.files = {"/sys/firmware/acpi/tables/PPTT", "/sys/firmware/acpi/tables/SRAT",
			  "/sys/firmware/acpi/tables/SLIT", "/sys/firmware/acpi/tables/DSDT"},
		.facts = {"acpi.*", "firmware.*"},
		.of = "CPCE",
	},
	{
		.name = "firmware",
		.files = {ACPI_CONFIG_PATH, "/sys/devices/virtual/dmi/id/*", "*/cpu0/cache/*",
			  "/sys/firmware/efi/fw_platform_size", "/sys/firmware/dmi/tables/DMI"},
		.facts = {"firmware.*", "dmi.*"},
		.identify = true,
	},
	{
		.name = "edac",
		.files = {"/sys/devices/system/edac/*"},
		.facts = {"memory.*", "edac.*"},
	},
	{
		.name = "tls",
		.files = {"/etc/nginx/*", "/etc/haproxy/*", "/etc/ssl/*"},
		.facts = {"tls.*"},
	},
	{
		.name = "software",
		.files = {"*.pc", "/usr/local/*", "/etc/environment", "/etc/os-release",
			  "/etc/systemd/*", "/etc/default/*", "/etc/ssl/openssl.cnf", "/opt/*",
			  "/etc/ld.so.*", "/proc/self/maps"},
		.facts = {"software.*"},
		.identify = true,
	},
	{.name = "elf", .files = {LIB "libcrypto.so.3"}, .more = look_into_elf},
	{.name = "instructions", .files = {LIB "libcrypto.so.3"}, .more = look_into_code},
	{.name = "ldso-cache", .files = {"/etc/ld.so.cache"}, .more = read_cache},
	{
		.name = "ldso-conf",
		.files = {"/etc/ld.so.conf", "/etc/ld.so.conf.d/*", "/etc/ld.so.preload"},
		.more = read_conf,
	},
	{
		.name = "loader",
		.files = {"/usr/bin/openssl", LIB "*.so*", "/etc/ld.so.*", "/proc/cpuinfo"},
		.more = load_program,
	},
	{
		.name = "pci",
		.files = {"/sys/devices/pci*/config", "/sys/devices/pci*_link_*",
			  "/sys/devices/pci*/numa_node", "/sys/devices/pci*/class",
			  "/sys/devices/pci*/net/*", "/sys/kernel/iommu_groups/*"},
		.facts = {"pci.*"},
	},
	{
		.name = "tls",
		.files = {"/etc/nginx/*", "/etc/haproxy/*", "/etc/ssl/*"},
		.facts = {"tls.*"},
		.more = hide_names,
	},
	{
		.name = "redfish",
		.files = {"/redfish/*"},
		.facts = {"redfish.*"},
		.more = keep_documents,
	},
	{.name = "audit", .files = {"*"}, .identify = true, .more = judge},
	{.name = NULL},
};
