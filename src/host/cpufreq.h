// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/host.h"

struct cpufreq_policy {
	const char *name;                  /* "policy0" */
	const char *governor;              /* NULL when not readable */
	int64_t max_khz, hardware_max_khz; /* scaling_max_freq, cpuinfo_max_freq; 0: not readable */
	int number;                        /* errno of the first file that could not be read */
};

/* Frequency and idle control: /sys/devices/system/cpu/{cpufreq,cpuidle}, cpu0/acpi_cppc,
 * cpu0/cpuidle. */
struct cpufreq {
	int number; /* errno of the policy list; ENOENT: there is no cpufreq */
	struct cpufreq_policy *policies;
	size_t policy_count;
	const char *driver;       /* scaling_driver of the first policy */
	int cppc_number;          /* errno of cpu0/acpi_cppc; 0: it is there, ENOENT: it is not */
	const char *idle_driver;  /* cpuidle/current_driver: "none", "acpi_idle" …; NULL */
	int idle_number;          /* errno of the above */
	struct names idle_states; /* cpu0/cpuidle/stateN/name */
	/* What hid states: errno and path of the first that could not be read. */
	int idle_states_number;
	const char *idle_states_unread;
};

const struct cpufreq *host_cpufreq(struct host *host);

extern const struct fact_table cpufreq_facts;
