// SPDX-License-Identifier: BSD-2-Clause
#include "tune/settings.h"

#include "base/arena.h"
#include "check/check.h"
#include "host/host.h"
#include "tune/kinds.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* In the order the changes are made. Without `plan` it is advice of this kind; checks that have no
 * row are advice "by-hand". */
static const struct setting {
	const char *check;
	const char *sets; /* for explain */
	void (*plan)(struct planner *planner);
	const char *advice;
} settings[] = {
	{"cpu.online", "brings the CPUs that are offline online", plan_online, NULL},
	{"cpu.governor",
	 "sets performance on every policy, or loads cppc_cpufreq where firmware offers CPPC and "
	 "no policy exists",
	 plan_governor, NULL},
	{"cpu.max-frequency", "sets scaling_max_freq to cpuinfo_max_freq on every capped policy",
	 plan_max_frequency, NULL},
	{"firmware.lpi", "disables the idle states deeper than WFI on every CPU, until the reboot",
	 plan_idle_states, NULL},
	{"memory.hugepages",
	 "reserves huge pages on each node with CPUs for role dpdk, by its cores and free memory",
	 plan_hugepages, NULL},
	{"memory.hugetlbfs", "mounts hugetlbfs at /dev/hugepages-SIZE for each size that has pages",
	 plan_hugetlbfs, NULL},
	{"memory.thp", "sets transparent huge pages to madvise", plan_thp, NULL},
	{"memory.numa-balancing", "sets kernel.numa_balancing to 0", plan_numa_balancing, NULL},
	{"kernel.watchdog", "sets kernel.nmi_watchdog to 0", plan_watchdog, NULL},
	{"kernel.irqbalance", "stops irqbalance.service, which starts again at the next boot",
	 plan_irqbalance, NULL},
	{"kernel.perf-user-access", "sets kernel.perf_user_access to 1", plan_perf_user_access,
	 NULL},
	{"kernel.memlock", "lifts the limit of locked memory in a file of /etc/security/limits.d",
	 plan_memlock, NULL},
	{"kernel.vfio", "loads vfio-pci where this kernel has it as a module", plan_vfio, NULL},
	{"kernel.crypto.aes-gcm", "loads the module that was found missing", plan_crypto, NULL},
	{"kernel.crypto.aes-cbc", "loads the module that was found missing", plan_crypto, NULL},
	{"kernel.crypto.aes-ctr", "loads the module that was found missing", plan_crypto, NULL},
	{"kernel.crypto.aes-xts", "loads the module that was found missing", plan_crypto, NULL},
	{"kernel.crypto.sha1", "loads the module that was found missing", plan_crypto, NULL},
	{"kernel.crypto.sha256", "loads the module that was found missing", plan_crypto, NULL},
	{"kernel.crypto.sha512", "loads the module that was found missing", plan_crypto, NULL},
	{"kernel.crypto.chacha20-poly1305", "loads the module that was found missing", plan_crypto,
	 NULL},
	{"kernel.isolation", NULL, NULL, "command-line"},
	{"kernel.iommu", NULL, NULL, "command-line"},
	{"pci.payload", NULL, NULL, "command-line"},
	{"cpu.frequency-invariance", NULL, NULL, "command-line"},
	{"memory.speed", NULL, NULL, "firmware"},
};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

const char *tune_setting_of(const char *check)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		if (strcmp(settings[i].check, check) == 0)
			return settings[i].sets;
	}
	return NULL;
}

void planner_advise(struct planner *planner, const char *kind, const char *format, ...)
{
	struct tune_advice *advice = tune_add_advice(planner->facts->arena, planner->plan);
	va_list args;

	va_start(args, format);
	*advice = (struct tune_advice){
		.check = planner->check->id,
		.title = planner->check->title,
		.kind = kind,
		.text = arena_vprintf(planner->facts->arena, format, args),
	};
	va_end(args);
}

void planner_advise_fix(struct planner *planner, const char *kind)
{
	planner_advise(planner, kind, "%s", planner->check->fix);
}

struct tune_change *planner_change(struct planner *planner, enum tune_kind kind, const char *id,
				   const char *path, const char *before, const char *wanted)
{
	struct tune_change *change = tune_add_change(planner->facts->arena, planner->plan);

	change->id = id;
	change->check = planner->check->id;
	change->kind = tune_kind_words[kind];
	change->path = path;
	change->before = before;
	change->wanted = wanted;
	return change;
}

void planner_word(struct planner *planner, const char *id, const char *path, const char *wanted)
{
	int number;
	const char *line = host_line(planner->facts->host, path, &number);

	if (!line) {
		planner_advise(planner, "by-hand", "%s cannot be read (%s), so it is left; %s",
			       path, strerror(number), planner->check->fix);
		return;
	}
	line = kind_choice(planner->facts->arena, line);
	if (strcmp(line, wanted) != 0)
		planner_change(planner, TUNE_WORD, id, path, line, wanted);
}

bool planner_module(struct planner *planner, const char *name, const char *directory)
{
	struct facts *facts = planner->facts;
	const char *release = facts->host->live->kernel;
	const char *prefix = arena_printf(facts->arena, "%s.ko", name);
	struct names names = {0};
	bool found = false;

	if (!release ||
	    root_list(facts->host->root,
		      arena_printf(facts->arena, "/lib/modules/%s/kernel/%s", release, directory),
		      &names))
		return false;
	for (size_t i = 0; i < names.count; i++)
		found |= view_starts(view_of(names.items[i]), prefix);
	if (found)
		planner_change(planner, TUNE_MODULE, arena_printf(facts->arena, "module/%s", name),
			       name, NULL, "loaded");
	return found;
}

static const struct check *find_check(const struct checks *checks, const char *id)
{
	for (size_t i = 0; i < checks->count; i++) {
		if (strcmp(checks->items[i].id, id) == 0)
			return &checks->items[i];
	}
	return NULL;
}

static const char *advice_kind(const char *id)
{
	return view_starts(view_of(id), "firmware.") ? "firmware" : "by-hand";
}

static bool has_row(const char *id)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		if (strcmp(settings[i].check, id) == 0)
			return true;
	}
	return false;
}

void tune_plan(struct facts *facts, const struct checks *checks, const struct names *failing,
	       struct tune_plan *out)
{
	struct planner planner = {.facts = facts, .plan = out};

	*out = (struct tune_plan){0};
	for (size_t i = 0; i < SETTINGS; i++) {
		planner.check = find_check(checks, settings[i].check);
		if (!planner.check || !names_has(failing, settings[i].check))
			continue;
		if (settings[i].plan)
			settings[i].plan(&planner);
		else
			planner_advise_fix(&planner, settings[i].advice);
	}
	for (size_t i = 0; i < failing->count; i++) {
		planner.check = find_check(checks, failing->items[i]);
		if (planner.check && !has_row(failing->items[i]))
			planner_advise_fix(&planner, advice_kind(failing->items[i]));
	}
}
