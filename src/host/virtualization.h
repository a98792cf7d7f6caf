// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/host.h"

/*
 * A guest of a hypervisor and a container are separate facts. "none" is known absence. A cloud's
 * DMI tag alone is not a VM: bare-metal instances carry it too.
 */
struct virtualization {
	struct value
		vm; /* text: none kvm qemu xen vmware hyperv amazon google oracle …, or unknown */
	struct value container; /* text: none docker podman lxc systemd-nspawn kubernetes …, or
				   unknown */
	const char *cloud;      /* by DMI: amazon azure google hetzner oracle; NULL */
};

const struct virtualization *host_virtualization(struct host *host);

extern const struct fact_table virtualization_facts; /* virtualization.vm, virtualization.container,
							virtualization.cloud */
