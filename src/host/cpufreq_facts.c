// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/cpufreq.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"
#define CPUFREQ CPU "/cpufreq"
#define CPPC CPU "/cpu0/acpi_cppc"
#define IDLE CPU "/cpuidle/current_driver"

/* Absence of cpufreq and of acpi_cppc says something only where the kernel's CPU directory can be
 * looked into. */
static bool looked(struct facts *facts)
{
	struct names names;

	return root_list(facts->host->root, CPU, &names) == 0 && names.count;
}

static struct value missing(struct facts *facts, const char *path, int number)
{
	if (number == ENOENT && !looked(facts))
		return value_unread(facts->arena, path, number);
	return value_errno(facts->arena, path, number);
}

static struct value read_policies(struct facts *facts, const char *of)
{
	const struct cpufreq *cpufreq = host_cpufreq(facts->host);
	struct value value;

	(void)of;
	if (cpufreq->number)
		return missing(facts, CPUFREQ, cpufreq->number);
	value = value_number((int64_t)cpufreq->policy_count);
	value_cite(facts->arena, &value, CPUFREQ,
		   arena_printf(facts->arena, "%zu policies", cpufreq->policy_count),
		   CONFIDENCE_DIRECT);
	return value;
}

static struct value read_driver(struct facts *facts, const char *of)
{
	const struct cpufreq *cpufreq = host_cpufreq(facts->host);
	struct value value;

	(void)of;
	if (cpufreq->number)
		return missing(facts, CPUFREQ, cpufreq->number);
	value = value_text(cpufreq->driver);
	value_cite(facts->arena, &value, CPUFREQ "/policy*/scaling_driver", cpufreq->driver,
		   CONFIDENCE_DIRECT);
	return value;
}

/* Distinct governors, and the policies of each as evidence: one CPU left on another governor must
 * show. */
static struct value read_governors(struct facts *facts, const char *of)
{
	const struct cpufreq *cpufreq = host_cpufreq(facts->host);
	struct names governors = {0};
	struct value value;

	(void)of;
	if (cpufreq->number)
		return missing(facts, CPUFREQ, cpufreq->number);
	for (size_t i = 0; i < cpufreq->policy_count; i++) {
		const struct cpufreq_policy *policy = &cpufreq->policies[i];

		if (!policy->governor)
			return value_unread(facts->arena,
					    arena_printf(facts->arena,
							 CPUFREQ "/%s/scaling_governor",
							 policy->name),
					    policy->number);
		if (!names_has(&governors, policy->governor))
			names_add(facts->arena, &governors, policy->governor);
	}
	value = value_list(governors);
	for (size_t i = 0; i < governors.count && i < 8; i++) {
		const char *first = NULL;
		size_t count = 0;

		for (size_t j = 0; j < cpufreq->policy_count; j++) {
			if (strcmp(cpufreq->policies[j].governor, governors.items[i]) != 0)
				continue;
			first = first ? first : cpufreq->policies[j].name;
			count++;
		}
		value_cite(facts->arena, &value,
			   arena_printf(facts->arena, CPUFREQ "/%s/scaling_governor", first),
			   arena_printf(facts->arena, "%s (%zu of %zu policies)",
					governors.items[i], count, cpufreq->policy_count),
			   CONFIDENCE_DIRECT);
	}
	return value;
}

/* The lowest of all policies: one that is capped must show. */
static struct value read_lowest(struct facts *facts, bool hardware)
{
	const struct cpufreq *cpufreq = host_cpufreq(facts->host);
	const char *file = hardware ? "cpuinfo_max_freq" : "scaling_max_freq";
	const struct cpufreq_policy *lowest = NULL;
	int64_t lowest_khz = INT64_MAX;
	struct value value;

	if (cpufreq->number)
		return missing(facts, CPUFREQ, cpufreq->number);
	for (size_t i = 0; i < cpufreq->policy_count; i++) {
		const struct cpufreq_policy *policy = &cpufreq->policies[i];
		int64_t khz = hardware ? policy->hardware_max_khz : policy->max_khz;

		if (khz <= 0 || khz > 100000000)
			return value_unread(
				facts->arena,
				arena_printf(facts->arena, CPUFREQ "/%s/%s", policy->name, file),
				policy->number ? policy->number : ERANGE);
		if (khz < lowest_khz) {
			lowest_khz = khz;
			lowest = policy;
		}
	}
	value = value_number(lowest_khz * 1000);
	value_cite(facts->arena, &value,
		   arena_printf(facts->arena, CPUFREQ "/%s/%s", lowest->name, file),
		   arena_printf(facts->arena, "%" PRId64, lowest_khz), CONFIDENCE_DIRECT);
	return value;
}

static struct value read_limit(struct facts *facts, const char *of)
{
	(void)of;
	return read_lowest(facts, false);
}

static struct value read_hardware_limit(struct facts *facts, const char *of)
{
	(void)of;
	return read_lowest(facts, true);
}

static struct value read_cppc(struct facts *facts, const char *of)
{
	const struct cpufreq *cpufreq = host_cpufreq(facts->host);
	struct value value;

	(void)of;
	if (cpufreq->cppc_number && cpufreq->cppc_number != ENOENT)
		return value_errno(facts->arena, CPPC, cpufreq->cppc_number);
	if (cpufreq->cppc_number && !looked(facts))
		return value_unread(facts->arena, CPPC, ENOENT);
	value = value_bool(cpufreq->cppc_number == 0);
	value_cite(facts->arena, &value, CPPC, value.flag ? "present" : "absent",
		   value.flag ? CONFIDENCE_DIRECT : CONFIDENCE_INFERRED);
	return value;
}

/* The same as firmware setup spells it. */
static struct value read_cppc_state(struct facts *facts, const char *of)
{
	struct value value = read_cppc(facts, of);

	if (value.kind == VALUE_BOOL) {
		const char *state = value.flag ? "enabled" : "disabled";

		value.kind = VALUE_TEXT;
		value.text = state;
	}
	return value;
}

static struct value read_idle_driver(struct facts *facts, const char *of)
{
	const struct cpufreq *cpufreq = host_cpufreq(facts->host);
	struct value value;

	(void)of;
	if (!cpufreq->idle_driver)
		return missing(facts, IDLE, cpufreq->idle_number);
	value = value_text(cpufreq->idle_driver);
	value_cite(facts->arena, &value, IDLE, cpufreq->idle_driver, CONFIDENCE_DIRECT);
	return value;
}

static bool is_lpi(const char *state)
{
	return strncmp(state, "LPI-", 4) == 0;
}

/* LPI states that firmware offers; empty is known only when the kernel names its idle driver. */
static struct value read_lpi_states(struct facts *facts, const char *of)
{
	const struct cpufreq *cpufreq = host_cpufreq(facts->host);
	struct names states = {0};
	struct value value;

	(void)of;
	if (!cpufreq->idle_driver)
		return value_unread(facts->arena, IDLE, cpufreq->idle_number);
	if (cpufreq->idle_states_number)
		return value_unread(facts->arena, cpufreq->idle_states_unread,
				    cpufreq->idle_states_number);
	if (!cpufreq->idle_states.count && strcmp(cpufreq->idle_driver, "none") != 0)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED,
				     CPU "/cpu0/cpuidle: no states, though %s is the driver",
				     cpufreq->idle_driver);
	for (size_t i = 0; i < cpufreq->idle_states.count; i++) {
		if (is_lpi(cpufreq->idle_states.items[i]))
			names_add(facts->arena, &states, cpufreq->idle_states.items[i]);
	}
	value = value_list(states);
	value_cite(facts->arena, &value, IDLE, cpufreq->idle_driver, CONFIDENCE_DIRECT);
	value_cite(facts->arena, &value, CPU "/cpu0/cpuidle",
		   cpufreq->idle_states.count
			   ? names_join(facts->arena, &cpufreq->idle_states, ", ")
			   : "no states",
		   CONFIDENCE_DIRECT);
	return value;
}

/* A "cppc_fie" kernel thread among the processes: kernel threads are children of kthreadd, with low
 * ids. */
static struct value read_fie(struct facts *facts, const char *of)
{
	struct host *host = facts->host;
	struct value value;
	struct names processes;
	int number = root_list(host->root, "/proc", &processes);
	size_t looked_at = 0;

	(void)of;
	if (number)
		return value_unread(facts->arena, "/proc", number);
	for (size_t i = 0; i < processes.count; i++) {
		const char *path, *name;
		uint64_t id;

		if (!view_u64(view_of(processes.items[i]), 10, &id))
			continue;
		path = arena_printf(facts->arena, "/proc/%s/comm", processes.items[i]);
		name = host_line(host, path, &number);
		looked_at += name != NULL;
		if (name && strcmp(name, "cppc_fie") == 0) {
			value = value_bool(true);
			value_cite(facts->arena, &value, path, name, CONFIDENCE_DIRECT);
			return value;
		}
	}
	if (!looked_at)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE, "/proc shows no process");
	value = value_bool(false);
	value_cite(facts->arena, &value, "/proc/*/comm", "no cppc_fie", CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "cpufreq.policies",
	 .summary = "number of cpufreq policies; none: there is no cpufreq",
	 .read = read_policies},
	{.name = "cpufreq.driver", .summary = "scaling_driver", .read = read_driver},
	{.name = "cpufreq.governors",
	 .summary = "distinct scaling_governor of all policies",
	 .read = read_governors},
	{.name = "cpufreq.limit",
	 .unit = "Hz",
	 .summary = "lowest scaling_max_freq of all policies",
	 .read = read_limit},
	{.name = "cpufreq.hardware-limit",
	 .unit = "Hz",
	 .summary = "lowest cpuinfo_max_freq of all policies",
	 .read = read_hardware_limit},
	{.name = "cppc.present",
	 .summary = "firmware offers CPPC: cpu0/acpi_cppc is there",
	 .read = read_cppc},
	{.name = "cppc.state",
	 .summary = "CPPC as firmware setup spells it: enabled or disabled",
	 .read = read_cppc_state},
	{.name = "cppc.fie-thread",
	 .summary = "a cppc_fie kernel thread exists, /proc/*/comm",
	 .read = read_fie},
	{.name = "cpuidle.driver", .summary = "cpuidle/current_driver", .read = read_idle_driver},
	{.name = "cpuidle.lpi-states",
	 .summary = "LPI idle states of cpu0",
	 .read = read_lpi_states},
};

const struct fact_table cpufreq_facts = FACT_TABLE(rows);
