// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "check/check.h"
#include "host/crypto.h"
#include "host/host.h"
#include "tune/kinds.h"
#include "tune/settings.h"

#include <errno.h>
#include <string.h>

#define LIMITS "/etc/security/limits.d"
#define LIMITS_FILE LIMITS "/90-ampere-crypto.conf"
#define LIMITS_TEXT                                                                                \
	"# Written by ampere-crypto tune, taken away by ampere-crypto tune --revert.\n"            \
	"* - memlock unlimited\n"
#define SERVICE "irqbalance.service"
#define THP "/sys/kernel/mm/transparent_hugepage"

/* Only "always" is wrong: "never" is not loosened. */
static void plan_not_always(struct planner *planner, const char *id, const char *path,
			    const char *wanted)
{
	int number;
	const char *line = host_line(planner->facts->host, path, &number);

	if (!line || strcmp(kind_choice(planner->facts->arena, line), "always") == 0)
		planner_word(planner, id, path, wanted);
}

/* Since Linux 6.8 a size may have a choice of its own, which counts whatever that for all says. */
void plan_thp(struct planner *planner)
{
	struct arena *arena = planner->facts->arena;
	struct names names = {0};

	plan_not_always(planner, "thp", THP "/enabled", "madvise");
	if (root_list(planner->facts->host->root, THP, &names))
		return;
	for (size_t i = 0; i < names.count; i++) {
		if (view_starts(view_of(names.items[i]), "hugepages-"))
			plan_not_always(planner, arena_printf(arena, "thp/%s", names.items[i]),
					arena_printf(arena, THP "/%s/enabled", names.items[i]),
					"inherit");
	}
}

void plan_numa_balancing(struct planner *planner)
{
	planner_word(planner, "numa-balancing", "/proc/sys/kernel/numa_balancing", "0");
}

void plan_watchdog(struct planner *planner)
{
	planner_word(planner, "watchdog", "/proc/sys/kernel/nmi_watchdog", "0");
}

void plan_perf_user_access(struct planner *planner)
{
	planner_word(planner, "perf-user-access", "/proc/sys/kernel/perf_user_access", "1");
}

/* Only where systemd has it: what was started by hand cannot be started again as it was. */
void plan_irqbalance(struct planner *planner)
{
	static const char *const slices[] = {"/sys/fs/cgroup/system.slice/" SERVICE,
					     "/sys/fs/cgroup/systemd/system.slice/" SERVICE};
	struct root_stat status;

	for (size_t i = 0; i < 2; i++) {
		struct tune_change *change;

		if (root_stat(planner->facts->host->root, slices[i], &status))
			continue;
		change = planner_change(planner, TUNE_SERVICE, "service/irqbalance", SERVICE,
					"active", "inactive");
		change->reason = "interrupts stay on the CPUs where they are now";
		return;
	}
	planner_advise_fix(planner, "by-hand");
}

void plan_memlock(struct planner *planner)
{
	struct root *root = planner->facts->host->root;
	struct tune_change *change;
	struct names files = {0};
	const char *before = NULL;
	struct view text;
	int number;

	if (root_list(root, LIMITS, &files)) {
		planner_advise_fix(planner, "by-hand");
		return;
	}
	number = root_read(root, LIMITS_FILE, &text);
	if (number && number != ENOENT) {
		planner_advise_fix(planner, "by-hand");
		return;
	}
	if (!number)
		before = view_copy(planner->facts->arena, text);
	change = planner_change(planner, TUNE_FILE, "memlock", LIMITS_FILE, before, LIMITS_TEXT);
	change->reason = "every user may lock all memory from the next login on; name one instead "
			 "of * to narrow it; a service takes LimitMEMLOCK= of its unit instead";
}

void plan_vfio(struct planner *planner)
{
	const struct value *value = facts_get(planner->facts, "kernel.vfio");

	if (!value || value->kind != VALUE_TEXT || strcmp(value->text, "module, not loaded") != 0 ||
	    !planner_module(planner, "vfio-pci", "drivers/vfio/pci"))
		planner_advise_fix(planner, "by-hand");
}

/* The algorithm that stands in parentheses after the fact's name. */
static const char *algorithm_of(struct planner *planner)
{
	static const struct {
		const char *check, *algorithm;
	} rows[] = {
		{"kernel.crypto.aes-gcm", "gcm(aes)"},
		{"kernel.crypto.aes-cbc", "cbc(aes)"},
		{"kernel.crypto.aes-ctr", "ctr(aes)"},
		{"kernel.crypto.aes-xts", "xts(aes)"},
		{"kernel.crypto.sha1", "sha1"},
		{"kernel.crypto.sha256", "sha256"},
		{"kernel.crypto.sha512", "sha512"},
		{"kernel.crypto.chacha20-poly1305", "chacha20"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].check, planner->check->id) == 0)
			return rows[i].algorithm;
	}
	return NULL;
}

/* One module may serve several algorithms. */
static bool is_planned(const struct tune_plan *plan, const char *path)
{
	const struct tune_change *changes = plan->changes.items;

	for (size_t i = 0; i < plan->changes.count; i++) {
		if (strcmp(changes[i].path, path) == 0)
			return true;
	}
	return false;
}

void plan_crypto(struct planner *planner)
{
	const char *algorithm = algorithm_of(planner);
	const char *module = algorithm ? crypto_missing_module(planner->facts, algorithm) : NULL;
	struct tune_change *change;

	if (!module) {
		planner_advise_fix(planner, "by-hand");
		return;
	}
	if (is_planned(planner->plan, module))
		return;
	change = planner_change(planner, TUNE_MODULE,
				arena_printf(planner->facts->arena, "module/%s", module), module,
				NULL, "loaded");
	change->reason = "tunnels and volumes keep the driver they began with: set them up again";
}
