// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

struct arena;

/*
 * Row of host/redact.c for PCI configuration space. The data register of Vital Product Data
 * (PCI 3.0, appendix I) keeps the last four bytes somebody read, which may be of a serial number;
 * extended space holds the Device Serial Number. Both become zeroes.
 */
struct view redact_pci_config(struct arena *arena, struct view raw);
