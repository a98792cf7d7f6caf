// SPDX-License-Identifier: BSD-2-Clause
#include "host/cpufreq.h"

#include "base/arena.h"

#include <errno.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"
#define POLICIES_MAX 8192

static void read_policy(struct host *host, struct cpufreq_policy *policy)
{
	struct arena *arena = host->arena;
	const char *base = arena_printf(arena, CPU "/cpufreq/%s/", policy->name);
	int number;

	policy->governor =
		host_line(host, arena_printf(arena, "%sscaling_governor", base), &policy->number);
	if (policy->governor && !*policy->governor) {
		policy->governor = NULL;
		policy->number = EBADMSG;
	}
	number = host_number(host, arena_printf(arena, "%sscaling_max_freq", base),
			     &policy->max_khz);
	if (number && !policy->number)
		policy->number = number;
	number = host_number(host, arena_printf(arena, "%scpuinfo_max_freq", base),
			     &policy->hardware_max_khz);
	if (number && !policy->number)
		policy->number = number;
}

static void read_policies(struct host *host, struct cpufreq *cpufreq)
{
	struct names names;
	int ignored;

	cpufreq->number = root_list(host->root, CPU "/cpufreq", &names);
	if (cpufreq->number)
		return;
	cpufreq->policies = arena_array(host->arena, struct cpufreq_policy, names.count + 1);
	for (size_t i = 0; i < names.count && cpufreq->policy_count < POLICIES_MAX; i++) {
		if (strncmp(names.items[i], "policy", 6) != 0)
			continue;
		cpufreq->policies[cpufreq->policy_count].name = names.items[i];
		read_policy(host, &cpufreq->policies[cpufreq->policy_count++]);
	}
	if (!cpufreq->policy_count) {
		/* The directory alone is there when no driver has made a policy. */
		cpufreq->number = ENOENT;
		return;
	}
	cpufreq->driver = host_line(host,
				    arena_printf(host->arena, CPU "/cpufreq/%s/scaling_driver",
						 cpufreq->policies[0].name),
				    &ignored);
}

/* Without a driver there is no directory; with one, its absence says nothing. */
static bool states_are_absent(const struct cpufreq *cpufreq, int number)
{
	return number == ENOENT && cpufreq->idle_driver &&
	       strcmp(cpufreq->idle_driver, "none") == 0;
}

static void read_idle(struct host *host, struct cpufreq *cpufreq)
{
	struct names states;
	int number;

	cpufreq->idle_driver =
		host_line(host, CPU "/cpuidle/current_driver", &cpufreq->idle_number);
	number = root_list(host->root, CPU "/cpu0/cpuidle", &states);
	if (number) {
		cpufreq->idle_states_number = states_are_absent(cpufreq, number) ? 0 : number;
		cpufreq->idle_states_unread = CPU "/cpu0/cpuidle";
		return;
	}
	for (size_t i = 0; i < states.count; i++) {
		const char *path =
			arena_printf(host->arena, CPU "/cpu0/cpuidle/%s/name", states.items[i]);
		const char *name = host_line(host, path, &number);

		if (name && *name) {
			names_add(host->arena, &cpufreq->idle_states, name);
		} else if (!cpufreq->idle_states_number) {
			cpufreq->idle_states_number = number ? number : EIO;
			cpufreq->idle_states_unread = path;
		}
	}
}

const struct cpufreq *host_cpufreq(struct host *host)
{
	struct cpufreq *cpufreq;
	struct names cppc;

	if (host->cpufreq)
		return host->cpufreq;
	cpufreq = arena_new(host->arena, struct cpufreq);
	read_policies(host, cpufreq);
	cpufreq->cppc_number = root_list(host->root, CPU "/cpu0/acpi_cppc", &cppc);
	read_idle(host, cpufreq);
	host->cpufreq = cpufreq;
	return cpufreq;
}
