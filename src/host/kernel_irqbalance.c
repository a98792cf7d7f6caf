// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/kernel.h"
#include "host/virtualization.h"

#include <errno.h>
#include <string.h>

#define CMDLINE "/proc/cmdline"
#define SLICE "/sys/fs/cgroup/system.slice"
#define SLICE_V1 "/sys/fs/cgroup/systemd/system.slice"

/* A walk of /proc, for machines without systemd. 0: looked at all of it. */
static int process_find(struct facts *facts, const char *name, bool *found)
{
	struct names pids = {0};
	int number = root_list(facts->host->root, "/proc", &pids);

	*found = false;
	if (number)
		return number;
	for (size_t i = 0; i < pids.count && !*found; i++) {
		const char *comm;
		uint64_t pid;

		if (!view_u64(view_of(pids.items[i]), 10, &pid))
			continue;
		comm = host_line(facts->host,
				 arena_printf(facts->arena, "/proc/%s/comm", pids.items[i]),
				 &number);
		*found = comm && strcmp(comm, name) == 0;
		/* A process may end while we look. */
		if (number && number != ENOENT && number != ESRCH)
			return number;
	}
	return 0;
}

/* irqbalance(1): CPUs that are isolated are left alone unless it is told which to leave. */
static struct value irqbalance_running(struct facts *facts, struct value running)
{
	const struct kernel *kernel = host_kernel(facts->host);
	const char *isolated = kernel_parameter(kernel, "isolcpus");
	struct value value;

	if (kernel->cmdline_error == ENOENT)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     CMDLINE " is missing: is /proc mounted?");
	if (kernel->cmdline_error)
		return value_errno(facts->arena, CMDLINE, kernel->cmdline_error);
	if (!isolated)
		return running;
	value = value_text("running, not on isolated CPUs");
	value_cite_all(facts->arena, &value, &running);
	value_cite(facts->arena, &value, CMDLINE,
		   arena_printf(facts->arena, "isolcpus=%s",
				text_printable(facts->arena, view_of(isolated))),
		   CONFIDENCE_INFERRED);
	return value;
}

static struct value irqbalance_process(struct facts *facts)
{
	struct value value;
	bool found;
	int number;
	const char *init = host_line(facts->host, "/proc/1/comm", &number);

	if (init && strcmp(init, "systemd") == 0)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "systemd runs, but " SLICE " does not exist");
	number = process_find(facts, "irqbalance", &found);
	if (number == ENOENT)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "there is no /proc to look in");
	if (number)
		return value_errno(facts->arena, "/proc", number);
	value = value_text(found ? "running" : "not running");
	value_cite(facts->arena, &value, "/proc", found ? "irqbalance" : "no process irqbalance",
		   CONFIDENCE_DIRECT);
	return found ? irqbalance_running(facts, value) : value;
}

/* systemd gives a running service a control group, which anybody may list without a walk of /proc.
 */
struct value kernel_irqbalance_read(struct facts *facts, const char *of)
{
	static const char *const slices[] = {SLICE, SLICE_V1};
	const struct virtualization *virtualization = host_virtualization(facts->host);
	struct root *root = facts->host->root;
	struct root_stat status;
	struct value value;
	int number;

	(void)of;
	if (virtualization->container.kind != VALUE_TEXT ||
	    strcmp(virtualization->container.text, "none") != 0)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "a container does not see the processes of its host");
	for (size_t i = 0; i < 2; i++) {
		number = root_stat(root, slices[i], &status);
		if (number && number != ENOENT)
			return value_errno(facts->arena, slices[i], number);
		if (number)
			continue;
		number = root_stat(root,
				   arena_printf(facts->arena, "%s/irqbalance.service", slices[i]),
				   &status);
		if (number && number != ENOENT)
			return value_errno(facts->arena, slices[i], number);
		value = value_text(number ? "not running" : "running");
		value_cite(facts->arena, &value, slices[i],
			   number ? "no irqbalance.service" : "irqbalance.service",
			   CONFIDENCE_DIRECT);
		return number ? value : irqbalance_running(facts, value);
	}
	return irqbalance_process(facts);
}
