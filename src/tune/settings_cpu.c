// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "check/check.h"
#include "host/cpufreq.h"
#include "host/cpuidle.h"
#include "host/topology.h"
#include "tune/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"

static bool is_online(const struct topology *topology, uint32_t cpu)
{
	for (size_t i = 0; i < topology->online.count; i++) {
		if (topology->online.cpus[i] == cpu)
			return true;
	}
	return false;
}

void plan_online(struct planner *planner)
{
	struct arena *arena = planner->facts->arena;
	const struct topology *topology = host_topology(planner->facts->host);

	if (topology->online_number || topology->present_number) {
		planner_advise_fix(planner, "by-hand");
		return;
	}
	for (size_t i = 0; i < topology->present.count; i++) {
		uint32_t cpu = topology->present.cpus[i];

		if (!is_online(topology, cpu))
			planner_word(planner, arena_printf(arena, "online/cpu%" PRIu32, cpu),
				     arena_printf(arena, CPU "/cpu%" PRIu32 "/online", cpu), "1");
	}
}

/* Without a policy the driver that makes them may only not be loaded. */
static void load_driver(struct planner *planner)
{
	const struct cpufreq *cpufreq = host_cpufreq(planner->facts->host);

	if (cpufreq->number == ENOENT && cpufreq->cppc_number == 0 &&
	    planner_module(planner, "cppc_cpufreq", "drivers/cpufreq")) {
		struct tune_change *change = (struct tune_change *)planner->plan->changes.items +
					     planner->plan->changes.count - 1;

		change->reason = "makes the policies; then run tune again for their governors";
		return;
	}
	planner_advise_fix(planner, "by-hand");
}

void plan_governor(struct planner *planner)
{
	struct arena *arena = planner->facts->arena;
	const struct cpufreq *cpufreq = host_cpufreq(planner->facts->host);

	if (cpufreq->number)
		load_driver(planner);
	for (size_t i = 0; i < cpufreq->policy_count; i++) {
		const char *name = cpufreq->policies[i].name;

		planner_word(planner, arena_printf(arena, "governor/%s", name),
			     arena_printf(arena, CPU "/cpufreq/%s/scaling_governor", name),
			     "performance");
	}
}

void plan_max_frequency(struct planner *planner)
{
	struct arena *arena = planner->facts->arena;
	const struct cpufreq *cpufreq = host_cpufreq(planner->facts->host);
	bool capped = false;

	for (size_t i = 0; i < cpufreq->policy_count; i++) {
		const struct cpufreq_policy *policy = &cpufreq->policies[i];

		if (policy->max_khz <= 0 || policy->hardware_max_khz <= policy->max_khz)
			continue;
		capped = true;
		planner_word(planner, arena_printf(arena, "max-frequency/%s", policy->name),
			     arena_printf(arena, CPU "/cpufreq/%s/scaling_max_freq", policy->name),
			     arena_printf(arena, "%" PRId64, policy->hardware_max_khz));
	}
	if (!capped)
		planner_advise(planner, "firmware",
			       "no policy is capped: look for a power or frequency limit in "
			       "firmware setup");
}

static bool plan_cpu_states(struct planner *planner, uint32_t cpu, const char **unread)
{
	struct arena *arena = planner->facts->arena;
	struct idle_state states[IDLE_STATES_MAX];
	size_t count;

	if (!cpuidle_read(planner->facts->host, cpu, states, &count, unread))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (states[i].deep)
			planner_word(
				planner,
				arena_printf(arena, "idle/cpu%" PRIu32 "/%s", cpu, states[i].entry),
				cpuidle_disable_path(arena, cpu, states[i].entry), "1");
	}
	return true;
}

void plan_idle_states(struct planner *planner)
{
	const struct topology *topology = host_topology(planner->facts->host);
	const char *unread = CPU "/online";
	size_t planned = 0;

	for (size_t i = 0; !topology->online_number && i < topology->online.count; i++) {
		if (!plan_cpu_states(planner, topology->online.cpus[i], &unread))
			break;
		planned++;
	}
	if (topology->online_number || planned < topology->online.count)
		planner_advise(
			planner, "by-hand",
			"%s cannot be read, so that it is not known which idle state is WFI: "
			"the rest is left",
			unread);
	planner_advise(planner, "firmware", "for good: %s", planner->check->fix);
}
