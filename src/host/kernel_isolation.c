// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/kernel.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define CPUS_MAX 8192
#define CMDLINE "/proc/cmdline"
#define PARTITIONS "/sys/fs/cgroup/cpuset.cpus.isolated"
#define NOHZ "/sys/devices/system/cpu/nohz_full"
#define POSSIBLE "/sys/devices/system/cpu/possible"

struct isolation_set {
	bool given, every; /* every: "all" */
	uint32_t *cpus;
	size_t count;
};

/* The flags of isolcpus= ("nohz,domain,managed_irq,1-40") come before the list. */
static struct view without_flags(struct view list)
{
	struct view rest = list, part;

	while (rest.size > 0 && !isdigit((unsigned char)rest.at[0]) && rest.at[0] != 'N' &&
	       !view_is(rest, "all") && view_split(&rest, ',', &part))
		list = rest;
	return list;
}

/* "1-N": N is the last CPU the kernel has room for; kernel-parameters.rst, "cpu lists". */
static struct view with_last_cpu(struct host *host, struct view list)
{
	const char *at = list.size ? memchr(list.at, 'N', list.size) : NULL;
	const char *line;
	uint32_t *cpus;
	size_t count;
	int number;

	if (!at)
		return list;
	line = host_line(host, POSSIBLE, &number);
	if (!line || !text_cpulist(host->arena, view_of(line), CPUS_MAX, &cpus, &count) ||
	    count == 0)
		return list;
	return view_of(arena_printf(host->arena, "%.*s%u%.*s", (int)(at - list.at), list.at,
				    cpus[count - 1], (int)(list.size - (size_t)(at - list.at) - 1),
				    at + 1));
}

static bool set_parse(struct host *host, const char *text, struct isolation_set *set)
{
	struct view list = with_last_cpu(host, without_flags(view_of(text ? text : "")));

	*set = (struct isolation_set){.given = text != NULL, .every = view_is(list, "all")};
	return set->every || text_cpulist(host->arena, list, CPUS_MAX, &set->cpus, &set->count);
}

static bool set_has(const struct isolation_set *set, uint32_t cpu)
{
	if (set->every)
		return true;
	for (size_t i = 0; i < set->count; i++) {
		if (set->cpus[i] == cpu)
			return true;
	}
	return false;
}

/* CPUs of `set` that neither `first` nor `second` (or NULL) has, as "1-4,8"; NULL when there is
 * none. */
static const char *set_lacks(struct arena *arena, const struct isolation_set *set,
			     const struct isolation_set *first, const struct isolation_set *second)
{
	uint32_t *missing = arena_array(arena, uint32_t, set->count + 1);
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++) {
		if (!set_has(first, set->cpus[i]) && !(second && set_has(second, set->cpus[i])))
			missing[count++] = set->cpus[i];
	}
	return count ? text_ranges(arena, missing, count) : NULL;
}

static void add_lacks(struct arena *arena, struct names *problems, const char *format,
		      const char *cpus)
{
	struct view rest = view_of(format), before;

	if (!cpus)
		return;
	view_split(&rest, '*', &before);
	names_add(arena, problems,
		  arena_printf(arena, "%.*s%s%.*s", (int)before.size, before.at, cpus,
			       (int)rest.size, rest.at ? rest.at : ""));
}

static struct names judge(struct arena *arena, const struct isolation_set *isolated,
			  const struct isolation_set *nohz, const struct isolation_set *rcu)
{
	struct names problems = {0};

	if (isolated->count == 0 && nohz->count == 0 && rcu->count == 0 && !rcu->every) {
		names_add(arena, &problems, "no CPU is isolated");
		return problems;
	}
	add_lacks(arena, &problems, "isolated CPUs * are not in nohz_full",
		  set_lacks(arena, isolated, nohz, NULL));
	add_lacks(arena, &problems, "CPUs * of nohz_full are not isolated",
		  set_lacks(arena, nohz, isolated, NULL));
	/* nohz_full takes RCU callbacks off its CPUs too. */
	add_lacks(arena, &problems, "isolated CPUs * are not in rcu_nocbs",
		  set_lacks(arena, isolated, rcu, nohz));
	if (isolated->count == 0 && nohz->count == 0)
		names_add(arena, &problems, "rcu_nocbs is given, but no CPU is isolated");
	return problems;
}

/* Since 6.8 the isolated partitions of cpusets are listed in the top control group. */
static const char *partitions_read(struct facts *facts)
{
	int number;
	const char *line = host_line(facts->host, PARTITIONS, &number);

	return line && line[0] ? line : NULL;
}

struct value kernel_isolation_read(struct facts *facts, const char *of)
{
	static const char *const parameter_names[] = {"isolcpus", "nohz_full", "rcu_nocbs"};
	const struct kernel *kernel = host_kernel(facts->host);
	struct isolation_set sets[3];
	struct names problems, given = {0};
	struct root_stat status;
	struct value value;

	(void)of;
	if (kernel->cmdline_error == ENOENT)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     CMDLINE " is missing: is /proc mounted?");
	if (kernel->cmdline_error)
		return value_errno(facts->arena, CMDLINE, kernel->cmdline_error);
	for (size_t i = 0; i < 3; i++) {
		const char *text = kernel_parameter(kernel, parameter_names[i]);

		if (text)
			names_add(facts->arena, &given,
				  arena_printf(facts->arena, "%s=%s", parameter_names[i],
					       text_printable(facts->arena, view_of(text))));
		if (!text && i == 0)
			text = partitions_read(facts);
		if (!set_parse(facts->host, text, &sets[i]))
			return value_unknown(facts->arena, UNKNOWN_DAMAGED,
					     CMDLINE ": %s=%s is no CPU list", parameter_names[i],
					     text_printable(facts->arena, view_of(text)));
	}
	problems = judge(facts->arena, &sets[0], &sets[1], &sets[2]);
	if (sets[1].given && root_stat(facts->host->root, NOHZ, &status) == ENOENT)
		names_add(facts->arena, &problems,
			  "nohz_full is given, but this kernel is built without NO_HZ_FULL");
	value = value_list(problems);
	value_cite(facts->arena, &value, CMDLINE,
		   given.count ? names_join(facts->arena, &given, " ")
			       : "no isolcpus, nohz_full or rcu_nocbs",
		   CONFIDENCE_DIRECT);
	return value;
}
