// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/kernel.h"
#include "host/redact_kernel.h"

#include <errno.h>
#include <string.h>

#define CMDLINE "/proc/cmdline"
#define SYS_MODULE "/sys/module"

static struct value page_size_read(struct facts *facts, const char *of)
{
	(void)of;
	return kernel_page_size(facts);
}

static struct value release_read(struct facts *facts, const char *of)
{
	const char *release = facts->host->live->kernel;
	struct value value = value_text(release);

	(void)of;
	if (release)
		value_cite(facts->arena, &value, "uname", release, CONFIDENCE_DIRECT);
	return value;
}

static struct value parameter_read(struct facts *facts, const char *of)
{
	const struct kernel *kernel = host_kernel(facts->host);
	const char *text;
	struct value value;

	if (kernel->cmdline_error)
		return value_errno(facts->arena, CMDLINE, kernel->cmdline_error);
	text = kernel_parameter(kernel, of);
	if (!text)
		value = value_none(arena_printf(facts->arena, "%s is not on the command line", of));
	else
		value = value_text(text);
	value_cite(facts->arena, &value, CMDLINE,
		   text ? arena_printf(facts->arena, "%s=%s", of,
				       text_printable(facts->arena, view_of(text)))
			: arena_printf(facts->arena, "no %s", of),
		   CONFIDENCE_DIRECT);
	return value;
}

/* "kernel.numa_balancing" -> /proc/sys/kernel/numa_balancing; a number where the content is one. */
static struct value sysctl_read(struct facts *facts, const char *of)
{
	char *path = arena_printf(facts->arena, "/proc/sys/%s", of);
	const char *line;
	struct value value;
	int64_t number;
	int error;

	for (char *c = path + strlen("/proc/sys/"); *c; c++) {
		if (*c == '.')
			*c = '/';
	}
	line = host_line(facts->host, path, &error);
	if (!line)
		return value_errno(facts->arena, path, error);
	value = view_i64(view_of(line), &number) ? value_number(number) : value_text(line);
	value_cite(facts->arena, &value, path, text_printable(facts->arena, view_of(line)),
		   CONFIDENCE_DIRECT);
	return value;
}

#define THP "/sys/kernel/mm/transparent_hugepage"

/* "always [madvise] never" -> "madvise". */
static struct value choice_read(struct facts *facts, const char *path)
{
	struct view rest, word;
	const char *line;
	struct value value;
	int error;

	line = host_line(facts->host, path, &error);
	if (!line)
		return value_errno(facts->arena, path, error);
	rest = view_of(line);
	while (view_word(&rest, &word)) {
		if (!view_starts(word, "[") || !view_ends(word, "]"))
			continue;
		word = (struct view){.at = word.at + 1, .size = word.size - 2};
		value = value_text(view_copy(facts->arena, word));
		value_cite(facts->arena, &value, path, line, CONFIDENCE_DIRECT);
		return value;
	}
	return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s names no choice in brackets", path);
}

/* How much a choice lets the kernel do; "inherit" adds nothing to the choice for all sizes. */
static int thp_rank(const struct value *value)
{
	if (value->kind != VALUE_TEXT)
		return 0;
	return strcmp(value->text, "always") == 0 ? 2 : strcmp(value->text, "madvise") == 0;
}

/* Since 6.8 each size has a choice of its own, which counts whatever the one for all says. */
static struct value thp_read(struct facts *facts, const char *of)
{
	struct value strongest = choice_read(facts, THP "/enabled");
	struct names names = {0};

	(void)of;
	if (strongest.kind != VALUE_TEXT)
		return strongest;
	if (root_list(facts->host->root, THP, &names) == EACCES)
		return value_errno(facts->arena, THP, EACCES);
	for (size_t i = 0; i < names.count; i++) {
		struct value own;

		if (!view_starts(view_of(names.items[i]), "hugepages-"))
			continue;
		own = choice_read(facts,
				  arena_printf(facts->arena, THP "/%s/enabled", names.items[i]));
		if (own.kind == VALUE_UNKNOWN)
			return own;
		if (thp_rank(&own) > thp_rank(&strongest))
			strongest = own;
	}
	return strongest;
}

static void limits_line(struct facts *facts, const char *path, struct value *value)
{
	struct view text, line, word;
	int number = root_read(facts->host->root, path, &text);

	if (number && number != ENOENT)
		*value = value_errno(facts->arena, path, number);
	if (number)
		return;
	while (view_line(&text, &line)) {
		struct view shown = view_trim(line), last = {0}, type = {0};

		view_word(&line, &word);
		view_word(&line, &type);
		while (view_word(&line, &word))
			last = word;
		if (!limit_is_infinite(last) || view_is(type, "soft"))
			continue;
		*value = value_text("unlimited");
		value_cite(facts->arena, value, path, view_copy(facts->arena, shown),
			   CONFIDENCE_DIRECT);
		return;
	}
}

/* "Max locked memory   8388608   8388608   bytes": the hard limit, third from the right. */
static struct value own_limit(struct facts *facts)
{
	static const char path[] = "/proc/self/limits";
	static const char title[] = "Max locked memory";
	struct view text, line, word, hard = {0};
	int number = root_read(facts->host->root, path, &text);
	struct value value;
	uint64_t bytes;

	if (number == ENOENT)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "%s is missing: is /proc mounted?", path);
	if (number)
		return value_errno(facts->arena, path, number);
	while (view_line(&text, &line)) {
		if (!view_starts(line, title))
			continue;
		word = (struct view){.at = line.at + strlen(title),
				     .size = line.size - strlen(title)};
		if (!view_word(&word, &hard) || !view_word(&word, &hard))
			break;
		if (view_u64(hard, 10, &bytes))
			value = value_text(arena_printf(facts->arena, "%llu KB",
							(unsigned long long)(bytes >> 10)));
		else if (view_is(hard, "unlimited"))
			value = value_text("unlimited");
		else
			break;
		value_cite(facts->arena, &value, path,
			   arena_printf(facts->arena, "%s, hard limit %s", title,
					view_copy(facts->arena, hard)),
			   CONFIDENCE_DIRECT);
		return value;
	}
	return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s has no \"%s\" line", path, title);
}

static bool is_unlimited(const struct value *value)
{
	return value->kind == VALUE_TEXT && strcmp(value->text, "unlimited") == 0;
}

static struct value memlock_read(struct facts *facts, const char *of)
{
	static const char directory[] = "/etc/security/limits.d";
	struct value value = own_limit(facts);
	struct names files = {0};
	int number;

	(void)of;
	if (is_unlimited(&value))
		return value;
	limits_line(facts, "/etc/security/limits.conf", &value);
	number = root_list(facts->host->root, directory, &files);
	if (number && number != ENOENT && !is_unlimited(&value))
		return value_errno(facts->arena, directory, number);
	for (size_t i = 0; i < files.count && !is_unlimited(&value); i++) {
		if (view_ends(view_of(files.items[i]), ".conf"))
			limits_line(facts,
				    arena_printf(facts->arena, "%s/%s", directory, files.items[i]),
				    &value);
	}
	return value;
}

static bool names_start(const struct names *names, const char *prefix)
{
	for (size_t i = 0; i < names->count; i++) {
		if (view_starts(view_of(names->items[i]), prefix))
			return true;
	}
	return false;
}

static struct value vfio_text(struct facts *facts, const char *text, const char *path,
			      const char *raw)
{
	struct value value = value_text(text);

	value_cite(facts->arena, &value, path, raw, CONFIDENCE_DIRECT);
	return value;
}

/* What is not loaded may be a file below /lib/modules, unless this kernel has no modules at all. */
static struct value vfio_module(struct facts *facts)
{
	struct root *root = facts->host->root;
	const char *release = facts->host->live->kernel, *modules, *vfio;
	struct names names = {0};
	struct root_stat status;
	struct view text;
	int number;

	if (root_read(root, "/proc/modules", &text) == ENOENT)
		return vfio_text(facts, "missing", SYS_MODULE,
				 "no vfio_pci; a kernel without modules");
	if (!release)
		return value_unknown(
			facts->arena, UNKNOWN_NOT_VISIBLE,
			"which kernel runs is not recorded, so its modules are not known");
	modules = arena_printf(facts->arena, "/lib/modules/%s/kernel", release);
	vfio = arena_printf(facts->arena, "%s/drivers/vfio/pci", modules);
	number = root_list(root, vfio, &names);
	if (number == 0 && names_start(&names, "vfio-pci.ko"))
		return vfio_text(facts, "module, not loaded", vfio, "vfio-pci.ko");
	if (number && number != ENOENT)
		return value_errno(facts->arena, vfio, number);
	number = root_stat(root, modules, &status);
	if (number == ENOENT)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "%s does not exist: the running kernel's modules are not to "
				     "be seen here",
				     modules);
	if (number)
		return value_errno(facts->arena, modules, number);
	return vfio_text(facts, "missing", modules, "no drivers/vfio/pci/vfio-pci.ko");
}

/* A driver that is loaded or built in has a directory in /sys/module. */
static struct value vfio_read(struct facts *facts, const char *of)
{
	struct root *root = facts->host->root;
	struct root_stat status;
	int number = root_stat(root, SYS_MODULE "/vfio_pci", &status);

	(void)of;
	if (number == 0)
		return vfio_text(facts, "loaded", SYS_MODULE, "vfio_pci");
	if (number != ENOENT)
		return value_errno(facts->arena, SYS_MODULE, number);
	number = root_stat(root, SYS_MODULE, &status);
	if (number == ENOENT)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     SYS_MODULE " does not exist");
	if (number)
		return value_errno(facts->arena, SYS_MODULE, number);
	return vfio_module(facts);
}

static const struct fact rows[] = {
	{.name = "kernel.release",
	 .summary = "release of the running kernel, uname",
	 .read = release_read},
	{.name = "kernel.page-size",
	 .unit = "bytes",
	 .summary =
		 "page size of the running kernel, AT_PAGESZ or inferred from its huge page sizes",
	 .read = page_size_read},
	{.name = "kernel.parameter",
	 .of = "a parameter, iommu.passthrough",
	 .summary = "its last value on /proc/cmdline, none when it is not there",
	 .read = parameter_read},
	{.name = "kernel.sysctl",
	 .of = "a setting, kernel.nmi_watchdog",
	 .summary = "its content below /proc/sys, none when this kernel does not have it",
	 .read = sysctl_read},
	{.name = "kernel.thp",
	 .summary = "transparent huge pages: always, madvise or never, the most that one of the "
		    "sizes allows",
	 .read = thp_read},
	{.name = "kernel.isolation-problems",
	 .summary = "where isolcpus, nohz_full and rcu_nocbs on /proc/cmdline disagree, or that no "
		    "CPU is isolated",
	 .read = kernel_isolation_read},
	{.name = "kernel.irqbalance",
	 .summary = "whether it runs, and keeps off isolated CPUs: from systemd's control groups, "
		    "else from /proc",
	 .read = kernel_irqbalance_read},
	{.name = "kernel.memlock",
	 .summary = "highest limit of locked memory found in /proc/self/limits and limits.conf",
	 .read = memlock_read},
	{.name = "kernel.vfio",
	 .summary = "vfio-pci: loaded (or built in), a module that is not loaded, or missing",
	 .read = vfio_read},
};

const struct fact_table kernel_facts = FACT_TABLE(rows);
