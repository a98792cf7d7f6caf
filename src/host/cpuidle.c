// SPDX-License-Identifier: BSD-2-Clause
#include "host/cpuidle.h"

#include "base/arena.h"
#include "host/host.h"
#include "host/topology.h"

#include <inttypes.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"

/* The first of equals: the kernel has them from shallow to deep. */
static size_t find_shallowest(const struct idle_state *states, size_t count)
{
	size_t shallowest = 0;

	for (size_t i = 0; i < count; i++) {
		if (states[i].wfi)
			return i;
		if (states[i].latency_us < states[shallowest].latency_us)
			shallowest = i;
	}
	return shallowest;
}

bool cpuidle_read(struct host *host, uint32_t cpu, struct idle_state *states, size_t *count,
		  const char **unread)
{
	const char *directory = arena_printf(host->arena, CPU "/cpu%" PRIu32 "/cpuidle", cpu);
	struct names names = {0};
	int number = root_list(host->root, directory, &names);
	size_t shallowest;

	*count = 0;
	*unread = directory;
	if (number)
		return false;
	for (size_t i = 0; i < names.count; i++) {
		struct idle_state *state = &states[*count];
		const char *base = arena_printf(host->arena, "%s/%s", directory, names.items[i]);
		const char *desc;

		if (!view_starts(view_of(names.items[i]), "state"))
			continue;
		*unread = arena_printf(host->arena, "%s/latency", base);
		if (*count == IDLE_STATES_MAX || host_number(host, *unread, &state->latency_us))
			return false;
		desc = host_line(host, arena_printf(host->arena, "%s/desc", base), &number);
		state->entry = names.items[i];
		state->wfi = desc && strstr(desc, "WFI");
		(*count)++;
	}
	shallowest = find_shallowest(states, *count);
	for (size_t i = 0; i < *count; i++)
		states[i].deep =
			i != shallowest && states[i].latency_us > states[shallowest].latency_us;
	return *count > 0;
}

const char *cpuidle_disable_path(struct arena *arena, uint32_t cpu, const char *entry)
{
	return arena_printf(arena, CPU "/cpu%" PRIu32 "/cpuidle/%s/disable", cpu, entry);
}

/* Whether every one of the CPUs is kept out of the state; else *value says which is not, or why it
 * is not known. A CPU that may enter it ends the search: on a machine as it was shipped that is the
 * first. */
static bool is_disabled(struct facts *facts, const struct cpu_set *cpus, const char *entry,
			struct value *value)
{
	for (size_t i = 0; i < cpus->count; i++) {
		const char *path = cpuidle_disable_path(facts->arena, cpus->cpus[i], entry);
		struct names enabled = {0};
		int64_t disabled;
		int number = host_number(facts->host, path, &disabled);

		if (number) {
			*value = value_unread(facts->arena, path, number);
			return false;
		}
		if (disabled)
			continue;
		names_add(facts->arena, &enabled,
			  arena_printf(facts->arena, "%s of cpu%" PRIu32, entry, cpus->cpus[i]));
		*value = value_list(enabled);
		value_cite(facts->arena, value, path, "0", CONFIDENCE_DIRECT);
		return false;
	}
	return true;
}

/* The states of the first CPU stand for those of all: firmware gives the cores of a machine the
 * same ones. */
static struct value read_deep(struct facts *facts, const char *of)
{
	const struct value *offered = facts_get(facts, "cpuidle.lpi-states");
	const struct topology *topology = host_topology(facts->host);
	const struct cpu_set *online = &topology->online;
	struct idle_state states[IDLE_STATES_MAX];
	struct value value;
	const char *unread;
	size_t count, deep = 0;

	(void)of;
	if (offered->kind != VALUE_LIST || !offered->list.count)
		return *offered;
	if (topology->online_number || !online->count)
		return value_unread(facts->arena, CPU "/online", topology->online_number);
	if (!cpuidle_read(facts->host, online->cpus[0], states, &count, &unread))
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "%s cannot be read: which state is WFI is not known", unread);
	for (size_t i = 0; i < count; i++) {
		if (!states[i].deep)
			continue;
		deep++;
		if (!is_disabled(facts, online, states[i].entry, &value))
			return value;
	}
	value = value_list((struct names){0});
	value.why =
		deep ? arena_printf(facts->arena,
				    "%s: what is deeper than WFI is disabled on all %zu CPUs, "
				    "until the next boot",
				    names_join(facts->arena, &offered->list, ", "), online->count)
		     : "firmware offers WFI alone";
	value_cite_all(facts->arena, &value, offered);
	if (deep)
		value_cite(facts->arena, &value, CPU "/cpu*/cpuidle/state*/disable", "1",
			   CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "cpuidle.deep-states",
	 .summary = "an idle state deeper than WFI that a CPU may enter: LPI states whose "
		    "cpuidle/stateN/disable is 0; empty when all are disabled",
	 .read = read_deep},
};

const struct fact_table cpuidle_facts = FACT_TABLE(rows);
