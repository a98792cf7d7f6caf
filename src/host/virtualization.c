// SPDX-License-Identifier: BSD-2-Clause
#include "host/virtualization.h"

#include "base/arena.h"
#include "host/cpu.h"
#include "host/smbios.h"

#include <fnmatch.h>
#include <string.h>

#define DMI_ID "/sys/class/dmi/id"
#define CLOCK "/sys/devices/system/clocksource/clocksource0/available_clocksource"
#define HYPERVISOR_NODE "/proc/device-tree/hypervisor/compatible"
/* QEMU's configuration device (docs/specs/fw_cfg), there whatever SMBIOS strings it was given. */
#define QEMU_DEVICE "/sys/bus/acpi/devices/QEMU0002:00"

/* What SMBIOS says of a machine that only exists in software; globs, NULL fits anything. The first
 * row that fits decides. */
static const struct {
	const char *vendor, *product, *vm;
} machines[] = {
	{NULL, "KVM Virtual Machine*", "kvm"},
	{"QEMU", NULL, "qemu"},
	{"Microsoft Corporation", "Virtual Machine", "hyperv"},
	{"VMware, Inc.", NULL, "vmware"},
	{"Xen", NULL, "xen"},
	{"innotek GmbH", NULL, "virtualbox"},
	{"Parallels*", NULL, "parallels"},
	{"Apple Inc.", "Apple Virtualization*", "apple"},
	{"Amazon EC2", "*.metal*", "none"},
	{"Amazon EC2", NULL, "amazon"},
	{"Hetzner", "vServer", "kvm"},
	{"Alibaba Cloud", "Alibaba Cloud ECS", "kvm"},
	{"OpenStack*", NULL, "kvm"},
	{NULL, "OpenStack*", "kvm"},
	{NULL, "RHEL*KVM*", "kvm"},
	{"Red Hat", "KVM", "kvm"},
	{"KubeVirt", NULL, "kvm"},
	{"Nutanix", "AHV*", "kvm"},
	{NULL, "oVirt*", "kvm"},
	{NULL, "BHYVE", "bhyve"},
	{NULL, "VirtualBox", "virtualbox"},
};

/* Clouds by the tags that cloud-init's ds-identify looks at; a tag says whose machine it is, not
 * that it is virtual. */
static const struct {
	const char *vendor, *product, *tag, *cloud;
} clouds[] = {
	{"Amazon EC2", NULL, NULL, "amazon"},
	{NULL, NULL, "7783-7084-3265-9085-8269-3286-77", "azure"},
	{NULL, "Google Compute Engine", NULL, "google"},
	{NULL, NULL, "OracleCloud.com", "oracle"},
	{"Hetzner", NULL, NULL, "hetzner"},
	{"Alibaba Cloud", NULL, NULL, "alibaba"},
};

static bool fits(const char *glob, const char *text)
{
	return !glob || (text && fnmatch(glob, text, 0) == 0);
}

static struct value found(struct arena *arena, const char *what, const char *path, const char *raw,
			  enum confidence confidence)
{
	struct value value = value_text(what);

	value_cite(arena, &value, path, raw, confidence);
	return value;
}

/* Sources that say it themselves; unknown when none is there. */
static struct value by_hypervisor(struct host *host)
{
	static const char *const paths[] = {"/sys/hypervisor/type", HYPERVISOR_NODE};
	struct root_stat status;
	const char *line;
	int number;

	line = host_line(host, paths[0], &number);
	if (line && strcmp(line, "xen") == 0)
		return found(host->arena, "xen", paths[0], line, CONFIDENCE_DIRECT);
	line = host_line(host, paths[1], &number);
	if (line && *line)
		return found(host->arena,
			     strstr(line, "kvm")   ? "kvm"
			     : strstr(line, "xen") ? "xen"
						   : "unnamed",
			     paths[1], text_printable(host->arena, view_of(line)),
			     CONFIDENCE_DIRECT);
	line = host_line(host, CLOCK, &number);
	if (line && strstr(line, "kvm-clock"))
		return found(host->arena, "kvm", CLOCK, "kvm-clock", CONFIDENCE_DIRECT);
	if (line && strstr(line, "hyperv"))
		return found(host->arena, "hyperv", CLOCK, "hyperv", CONFIDENCE_DIRECT);
	if (root_lstat(host->root, QEMU_DEVICE, &status) == 0)
		return found(host->arena, "qemu", QEMU_DEVICE, "exists", CONFIDENCE_DIRECT);
	return value_unknown(host->arena, UNKNOWN_NOT_VISIBLE,
			     "no source says whether there is a hypervisor");
}

static struct value by_machine(struct host *host, const struct smbios *smbios)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (fits(machines[i].vendor, smbios->vendor) &&
		    fits(machines[i].product, smbios->product))
			return found(host->arena, machines[i].vm, DMI_ID "/product_name",
				     arena_printf(host->arena, "%s %s",
						  smbios->vendor ? smbios->vendor : "",
						  smbios->product ? smbios->product : ""),
				     CONFIDENCE_INFERRED);
	}
	return value_unknown(host->arena, UNKNOWN_NOT_VISIBLE, "SMBIOS names no virtual machine");
}

/* A whole bus of paravirtual devices behind a cloud's name: only a guest has that. */
static bool has_virtio(struct host *host)
{
	struct names devices;

	return root_list(host->root, "/sys/bus/virtio/devices", &devices) == 0 && devices.count;
}

/* x86 processors tell a guest by a CPUID bit that no bare machine sets. */
static struct value by_flag(struct host *host, const struct cpus *cpus)
{
	if (cpus_have(cpus, "hypervisor"))
		return found(host->arena, "unnamed", "/proc/cpuinfo", "flags: hypervisor",
			     CONFIDENCE_DIRECT);
	return found(host->arena, "none", "/proc/cpuinfo", "flags without hypervisor",
		     CONFIDENCE_DIRECT);
}

static struct value bare(struct host *host, const struct smbios *smbios, const char *cloud)
{
	struct names names;

	if (cloud)
		return value_unknown(host->arena, UNKNOWN_NOT_VISIBLE,
				     "a cloud's machine (%s) that may be virtual or bare metal",
				     cloud);
	if (smbios->vendor || smbios->product)
		return found(host->arena, "none", DMI_ID "/sys_vendor",
			     smbios->vendor ? smbios->vendor : smbios->product,
			     CONFIDENCE_INFERRED);
	if (root_list(host->root, "/proc/device-tree", &names) == 0 && names.count)
		return found(host->arena, "none", "/proc/device-tree", "no hypervisor node",
			     CONFIDENCE_INFERRED);
	return value_unknown(
		host->arena, UNKNOWN_NOT_VISIBLE,
		smbios->present ? "SMBIOS names neither maker nor product, and no hypervisor "
				  "can be seen"
				: "neither SMBIOS nor a device tree nor a hypervisor can be seen");
}

static struct value read_vm(struct host *host, const struct smbios *smbios, const char *cloud)
{
	const struct cpus *cpus = host_cpus(host);
	const char *arch = host_arch(host);
	bool flagged = arch && strcmp(arch, "x86_64") == 0 && cpus->features_known;
	struct value value = by_hypervisor(host);

	if (value.kind != VALUE_UNKNOWN)
		return value;
	value = by_machine(host, smbios);
	if (value.kind != VALUE_UNKNOWN)
		return value;
	if (flagged)
		return by_flag(host, cpus);
	if (cloud && has_virtio(host))
		return found(host->arena, "kvm", "/sys/bus/virtio/devices", cloud,
			     CONFIDENCE_INFERRED);
	return bare(host, smbios, cloud);
}

/* Files that name the engine; systemd.io, "Container Interface". */
static const char *const container_names[] = {"/run/host/container-manager",
					      "/run/systemd/container"};

/* Files and words that container engines leave inside. */
static const struct {
	const char *path, *word, *container;
} container_signs[] = {
	{"/.dockerenv", NULL, "docker"},
	{"/run/.containerenv", NULL, "podman"},
	{"/run/secrets/kubernetes.io", NULL, "kubernetes"},
	{"/proc/1/cgroup", "kubepods", "kubernetes"},
	{"/proc/1/cgroup", "docker", "docker"},
	{"/proc/1/cgroup", "libpod", "podman"},
	{"/proc/1/cgroup", "/lxc", "lxc"},
	{"/proc/1/cgroup", "/machine.slice/", "systemd-nspawn"},
	{"/proc/version", "Microsoft", "wsl"},
	{"/proc/version", "microsoft", "wsl"},
};

static struct value read_container(struct host *host)
{
	const char *named;
	struct root_stat status;
	struct view text;
	int number;

	for (size_t i = 0; i < sizeof(container_names) / sizeof(container_names[0]); i++) {
		named = host_line(host, container_names[i], &number);
		if (named && *named)
			return found(host->arena, text_printable(host->arena, view_of(named)),
				     container_names[i], NULL, CONFIDENCE_DIRECT);
	}
	for (size_t i = 0; i < sizeof(container_signs) / sizeof(container_signs[0]); i++) {
		const char *path = container_signs[i].path, *word = container_signs[i].word;

		if (!word && root_stat(host->root, path, &status) == 0)
			return found(host->arena, container_signs[i].container, path, "exists",
				     CONFIDENCE_DIRECT);
		if (word && root_read(host->root, path, &text) == 0 && view_find(text, word))
			return found(host->arena, container_signs[i].container, path, word,
				     CONFIDENCE_DIRECT);
	}
	number = root_read(host->root, "/proc/1/cgroup", &text);
	if (number)
		return value_unread(host->arena, "/proc/1/cgroup", number);
	return found(host->arena, "none", "/proc/1/cgroup", "no container engine's mark",
		     CONFIDENCE_INFERRED);
}

static const char *read_cloud(const struct smbios *smbios)
{
	for (size_t i = 0; i < sizeof(clouds) / sizeof(clouds[0]); i++) {
		if (fits(clouds[i].vendor, smbios->vendor) &&
		    fits(clouds[i].product, smbios->product) &&
		    fits(clouds[i].tag, smbios->chassis_tag))
			return clouds[i].cloud;
	}
	return NULL;
}

const struct virtualization *host_virtualization(struct host *host)
{
	const struct smbios *smbios = host_smbios(host);
	struct virtualization *virtualization;

	if (host->virtualization)
		return host->virtualization;
	virtualization = arena_new(host->arena, struct virtualization);
	virtualization->cloud = read_cloud(smbios);
	virtualization->vm = read_vm(host, smbios, virtualization->cloud);
	virtualization->container = read_container(host);
	host->virtualization = virtualization;
	return virtualization;
}

static struct value fact_vm(struct facts *facts, const char *of)
{
	(void)of;
	return host_virtualization(facts->host)->vm;
}

static struct value fact_container(struct facts *facts, const char *of)
{
	(void)of;
	return host_virtualization(facts->host)->container;
}

static struct value fact_cloud(struct facts *facts, const char *of)
{
	const char *cloud = host_virtualization(facts->host)->cloud;
	struct value value;

	(void)of;
	if (!cloud)
		return value_none("SMBIOS carries no cloud's tag");
	value = value_text(cloud);
	value_cite(facts->arena, &value, DMI_ID, cloud, CONFIDENCE_INFERRED);
	return value;
}

static const struct fact rows[] = {
	{.name = "virtualization.vm",
	 .summary = "hypervisor this machine is a guest of, or \"none\"",
	 .read = fact_vm},
	{.name = "virtualization.container",
	 .summary = "container engine this runs in, or \"none\"",
	 .read = fact_container},
	{.name = "virtualization.cloud",
	 .summary = "whose cloud, by SMBIOS strings",
	 .read = fact_cloud},
};

const struct fact_table virtualization_facts = FACT_TABLE(rows);
