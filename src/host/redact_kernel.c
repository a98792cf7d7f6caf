// SPDX-License-Identifier: BSD-2-Clause
#include "host/redact_kernel.h"

#include "base/arena.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#define REDACTED "REDACTED"

/* Settings whose values are numbers, CPU lists or key words;
 * Documentation/admin-guide/kernel-parameters. Globs. */
static const char *const kept_values[] = {
	"acpi",
	"acpi_*",
	"amd_iommu",
	"amd_pstate",
	"arm-smmu*.*",
	"arm64.*",
	"audit",
	"cgroup_*",
	"clocksource",
	"cppc_cpufreq.*",
	"cpufreq.*",
	"cpuidle.*",
	"crashkernel",
	"cryptomgr.*",
	"default_hugepagesz",
	"efi",
	"fips",
	"hugepages",
	"hugepagesz",
	"hugetlb_*",
	"idle",
	"init_on_alloc",
	"init_on_free",
	"intel_idle.*",
	"intel_iommu",
	"intel_pstate",
	"iommu",
	"iommu.*",
	"irqaffinity",
	"isolcpus",
	"kpti",
	"kvm*.*",
	"lockdown",
	"lsm",
	"maxcpus",
	"mem",
	"mitigations",
	"nmi_watchdog",
	"nohz",
	"nohz_full",
	"nosmt",
	"nr_cpus",
	"numa",
	"numa_balancing",
	"pci",
	"pcie_*",
	"preempt",
	"processor.*",
	"psi",
	"rcu_nocbs",
	"rcupdate.*",
	"rcutree.*",
	"rodata",
	"selinux",
	"skew_tick",
	"spec_store_bypass_disable",
	"spectre_v2",
	"ssbd",
	"swiotlb",
	"systemd.unified_cgroup_hierarchy",
	"transparent_hugepage",
	"tsc",
	"vfio*.*",
	"watchdog_thresh",
	"workqueue.*",
};

static const char *const kept_words[] = {
	"debug",         "nohlt",  "nohz",         "nokaslr",      "nomodule",   "nosmt",
	"nosoftlockup",  "nospec", "nospectre_v1", "nospectre_v2", "nowatchdog", "quiet",
	"rcu_nocb_poll", "rhgb",   "ro",           "rw",           "skew_tick",  "splash",
	"threadirqs",    "nopti",  "noht",         "nosve",        "isolcpus",   "rcu_nocbs",
};

bool cmdline_word(struct view *rest, struct view *word)
{
	while (rest->size > 0 && isspace((unsigned char)rest->at[0])) {
		rest->at++;
		rest->size--;
	}
	if (rest->size == 0)
		return false;
	bool quoted = false;
	size_t size = 0;
	while (size < rest->size && (quoted || !isspace((unsigned char)rest->at[size]))) {
		quoted ^= rest->at[size] == '"';
		size++;
	}
	*word = (struct view){.at = rest->at, .size = size};
	rest->at += size;
	rest->size -= size;
	return true;
}

static bool name_plain(struct view name)
{
	for (size_t i = 0; i < name.size; i++) {
		if (!isalnum((unsigned char)name.at[i]) && !memchr("._-", name.at[i], 3))
			return false;
	}
	return name.size > 0 && name.size <= 64;
}

static bool value_kept(struct arena *arena, struct view name)
{
	const char *text = view_copy(arena, name);
	for (size_t i = 0; i < sizeof(kept_values) / sizeof(kept_values[0]); i++) {
		if (fnmatch(kept_values[i], text, 0) == 0)
			return true;
	}
	return false;
}

static bool word_kept(struct view word)
{
	for (size_t i = 0; i < sizeof(kept_words) / sizeof(kept_words[0]); i++) {
		if (view_is(word, kept_words[i]))
			return true;
	}
	return false;
}

static void redact_parameter(struct arena *arena, struct buffer *out, struct view word)
{
	const char *equals = memchr(word.at, '=', word.size);
	if (!equals) {
		if (word_kept(word))
			buffer_add(out, word.at, word.size);
		else
			buffer_text(out, REDACTED);
		return;
	}
	struct view name = {.at = word.at, .size = (size_t)(equals - word.at)};
	if (!name_plain(name)) {
		buffer_text(out, REDACTED);
	} else if (value_kept(arena, name)) {
		buffer_add(out, word.at, word.size);
	} else {
		buffer_add(out, name.at, name.size);
		buffer_text(out, "=" REDACTED);
	}
}

struct view redact_cmdline(struct arena *arena, struct view raw)
{
	struct buffer out = buffer_new(arena, raw.size * 9 + 16);
	struct view word;
	bool init_words = false;
	while (cmdline_word(&raw, &word)) {
		if (out.size > 0)
			buffer_char(&out, ' ');
		/* What follows "--" are the words of init. */
		if (init_words)
			buffer_text(&out, REDACTED);
		else if (view_is(word, "--"))
			buffer_text(&out, "--");
		else
			redact_parameter(arena, &out, word);
		init_words = init_words || view_is(word, "--");
	}
	buffer_char(&out, '\n');
	return buffer_view(&out);
}

/* limits.conf(5): "unlimited", "infinity" and -1 mean no limit. */
bool limit_is_infinite(struct view value)
{
	return view_is(value, "unlimited") || view_is(value, "infinity") || view_is(value, "-1");
}

struct view redact_limits(struct arena *arena, struct view raw)
{
	struct buffer out = buffer_new(arena, raw.size * 2 + 16);
	struct view line, domain, type, item, value;
	uint64_t number;

	while (view_line(&raw, &line)) {
		if (!view_word(&line, &domain) || view_starts(domain, "#") ||
		    !view_word(&line, &type) || !view_word(&line, &item) ||
		    !view_word(&line, &value) || !view_is(item, "memlock"))
			continue;
		if (!view_u64(value, 10, &number) && !limit_is_infinite(value))
			continue;
		buffer_text(&out, view_is(domain, "*") ? "*" : "user");
		buffer_text(&out, view_is(type, "soft")   ? " soft memlock "
				  : view_is(type, "hard") ? " hard memlock "
							  : " - memlock ");
		buffer_add(&out, value.at, value.size);
		buffer_char(&out, '\n');
	}
	return buffer_view(&out);
}

struct view redact_version(struct arena *arena, struct view raw)
{
	const char *open = memchr(raw.at, '(', raw.size);
	const char *close = open ? memchr(open, ')', raw.size - (size_t)(open - raw.at)) : NULL;

	/* Without brackets nothing says where the name ends: only the first words are known. */
	if (!close)
		return view_of("Linux version " REDACTED "\n");
	return view_of(arena_printf(arena, "%.*s(" REDACTED "%.*s", (int)(open - raw.at), raw.at,
				    (int)(raw.size - (size_t)(close - raw.at)), close));
}

struct view redact_mounts(struct arena *arena, struct view raw)
{
	struct buffer out = buffer_new(arena, raw.size + 1);
	struct view line;

	while (view_line(&raw, &line)) {
		struct view rest = line, device, path, type;

		if (!view_word(&rest, &device) || !view_word(&rest, &path) ||
		    !view_word(&rest, &type) || !view_is(type, "hugetlbfs"))
			continue;
		buffer_add(&out, line.at, line.size);
		buffer_char(&out, '\n');
	}
	return buffer_view(&out);
}

struct view redact_comm(struct arena *arena, struct view raw)
{
	/* What facts ask for: cppc.fie-thread and kernel.irqbalance. */
	static const char *const kept[] = {"cppc_fie", "irqbalance"};

	(void)arena;
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (view_is(view_trim(raw), kept[i]))
			return raw;
	}
	return view_of(REDACTED "\n");
}

struct view redact_cpuinfo(struct arena *arena, struct view raw)
{
	struct buffer out;
	struct view rest = raw, line, key;

	if (!view_find(raw, "Serial"))
		return raw;
	out = buffer_new(arena, raw.size * 4 + 64);
	while (rest.size) {
		const char *start = rest.at;

		view_line(&rest, &line);
		key = line;
		view_split(&line, ':', &key);
		if (view_is(view_trim(key), "Serial"))
			buffer_text(&out, "Serial\t\t: " REDACTED "\n");
		else
			buffer_add(&out, start,
				   rest.size ? (size_t)(rest.at - start)
					     : (size_t)(raw.at + raw.size - start));
	}
	return buffer_view(&out);
}

struct view redact_comments(struct arena *arena, struct view raw)
{
	struct buffer out = buffer_new(arena, raw.size + 1);
	bool comment = false;

	for (size_t i = 0; i < raw.size; i++) {
		if (raw.at[i] == '\n')
			comment = false;
		if (!comment)
			buffer_char(&out, raw.at[i]);
		if (raw.at[i] == '#')
			comment = true;
	}
	return buffer_view(&out);
}
