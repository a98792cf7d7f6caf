// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/root.h"

struct arena;

/*
 * A root with the models read from it so far. Each model is read once, on first use, by the
 * host_MODEL() function of its own file; a model never fails as a whole: what could not be read is
 * said in its fields.
 */
struct host {
	struct arena *arena;
	struct root *root;
	const struct live *live;
	const struct cpus *cpus;
	const struct topology *topology;
	const struct cpufreq *cpufreq;
	const struct virtualization *virtualization;
	const struct smbios *smbios;
	const struct soc *soc;
	const struct memory *memory;
	const struct hugepages *hugepages;
	const struct acpi *acpi;
	const struct firmware *firmware;
	const struct kernel *kernel;
	const struct crypto *crypto;
	const struct pci *pci;
	const struct loader *loader;
	const struct software *software;
	const struct tls *tls;
	const struct redfish *redfish;
};

struct host *host_new(struct arena *arena, struct root *root);

/* One line of a small file, trimmed and NUL-terminated, or NULL with *number the errno value. */
const char *host_line(struct host *host, const char *path, int *number);
/* Likewise a number; ERANGE when the content is not one. */
int host_number(struct host *host, const char *path, int64_t *out);
