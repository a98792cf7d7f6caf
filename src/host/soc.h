// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/host.h"

/*
 * The SMCCC SOC_ID as the kernel's soc bus shows it (/sys/devices/soc0, else
 * /sys/bus/soc/devices/soc*), readable by anyone: family "jep106:0a16", soc_id "jep106:0a16:0001",
 * revision "0x000000a1". NULL when not given.
 */
struct soc {
	const char *family, *id, *revision;
	const char *id_path; /* the file that gave `id`, or the first one asked */
	int number;          /* 0, or why there is no id */
};

const struct soc *host_soc(struct host *host);

extern const struct fact_table soc_facts;
