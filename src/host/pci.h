// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host;

/* One end's view of a link: PCI Express Base Specification 7.5.3.6 (LnkCap) and 7.5.3.8 (LnkSta).
 */
struct pci_link_end {
	bool known;
	unsigned speed, width; /* what it can do; speed as the specification counts, 4 is 16 GT/s */
	unsigned current_speed, current_width;
	bool reports_active, active; /* data link layer; meaningful on ports only */
};

/* Device Control, 7.5.3.4. Sizes in bytes. */
struct pci_control {
	bool known;
	unsigned payload, read_request;
	bool relaxed_ordering;
};

enum pci_port { PCI_NO_EXPRESS, PCI_ENDPOINT, PCI_DOWNSTREAM, PCI_UPSTREAM, PCI_INTEGRATED };

struct pci_device {
	const char *name; /* 0000:01:00.0 */
	uint32_t domain;
	unsigned bus, device, function;
	uint16_t vendor,
		product; /* vendor 0xffff: a virtual function, whose registers are its parent's */
	uint32_t class_code; /* 0x020000: base class, subclass, interface */
	int class_error;     /* errno of its class in sysfs */
	unsigned secondary;  /* bus below a bridge, 0: no bridge */
	int error;           /* errno of reading its configuration space */
	bool cut;            /* only the first 64 bytes were to be had: needs root */
	int link_error;      /* errno of its link in sysfs, other than ENOENT */
	enum pci_port port;
	struct pci_link_end link;
	struct pci_control control;
	struct pci_device *parent; /* the bridge above, NULL on a root bus */
};

/*
 * Devices of /sys/bus/pci/devices with their class, which the kernel keeps; once registers are
 * asked for, with the first 256 bytes of their configuration space, where the PCI Express
 * capability is: each word is a trip to the device, and in a guest to the hypervisor. Extended
 * space is never read, and with it no Device Serial Number; Vital Product Data is never asked for.
 * Others than root see 64 bytes; then a link's speeds come from sysfs.
 */
struct pci {
	int error;                  /* errno of listing the devices; ENOENT: no PCI */
	struct pci_device *devices; /* in the order of their names */
	size_t count;
	bool registers; /* configuration space has been read */
};

/* Names and classes; and with what the registers say. */
const struct pci *host_pci(struct host *host);
const struct pci *host_pci_registers(struct host *host);

/* The first function below a port: each link is judged once, by its two ends. */
bool pci_is_link(const struct pci *pci, const struct pci_device *device);

/* Fills in what the bytes of configuration space say, device by device; bytes may be cut or
 * hostile, devices with an error are left alone. */
void pci_parse(struct arena *arena, const struct view *configs, struct pci_device *devices,
	       size_t count);
/* "8 GT/s x4". */
const char *pci_rate(struct arena *arena, unsigned speed, unsigned width);
/* "16.0 GT/s PCIe" -> 4; 0 when it is none of the specification's. */
unsigned pci_speed(struct view text);

bool pci_is_network(const struct pci_device *device);

/* False when the devices cannot be judged; *out then says why. */
bool pci_judgeable(struct facts *facts, const struct pci *pci, struct value *out);

/* Network cards: where they are, and whether an IOMMU translates for their kernel driver. In
 * host/pci_nics.c. */
struct value pci_nics_misplaced_read(struct facts *facts, const char *of);
struct value pci_nics_translated_read(struct facts *facts, const char *of);

extern const struct fact_table pci_facts;
