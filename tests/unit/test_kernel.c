// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/hugepages.h"
#include "host/kernel.h"
#include "host/redact_kernel.h"

#include "machine.h"

static const struct fact_table *const tables[] = {&hugepages_facts, &kernel_facts};

/* Planted identifiers: a root file system, an address, a password, words of init. */
static void a_command_line_keeps_settings_only(void **state)
{
	static const struct {
		const char *raw, *want;
	} rows[] = {
		{"BOOT_IMAGE=/vmlinuz root=UUID=1b2c ro quiet iommu.passthrough=1\n",
		 "BOOT_IMAGE=REDACTED root=REDACTED ro quiet iommu.passthrough=1\n"},
		{"ip=10.0.0.2::10.0.0.1::node7 isolcpus=1-40 password=secret",
		 "ip=REDACTED isolcpus=1-40 password=REDACTED\n"},
		{"hugepages=32 nosuchflag secret-word", "hugepages=32 REDACTED REDACTED\n"},
		{"dyndbg=\"file a.c +p\" nohz_full=1-3", "dyndbg=REDACTED nohz_full=1-3\n"},
		{"quiet -- --addr 0.0.0.0:2024 --auth", "quiet -- REDACTED REDACTED REDACTED\n"},
		{"10.0.0.1:/export=x =y", "REDACTED REDACTED\n"},
		{"", "\n"},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct view got = redact_cmdline(&arena, view_of(rows[i].raw));

		assert_string_equal(view_copy(&arena, got), rows[i].want);
		/* Twice is as good as once: a capture is redacted again when it is read as a
		 * directory. */
		got = redact_cmdline(&arena, got);
		assert_string_equal(view_copy(&arena, got), rows[i].want);
	}
	arena_release(&arena);
}

static void limits_keep_no_names(void **state)
{
	static const char raw[] =
		"# alice's limits\n@dpdk\thard memlock unlimited\nalice soft nofile 9\n"
		"bob - memlock 65536\n* hard memlock -1\ncarol hard memlock lots\n";
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_string_equal(
		view_copy(&arena, redact_limits(&arena, view_of(raw))),
		"user hard memlock unlimited\nuser - memlock 65536\n* hard memlock -1\n");
	arena_release(&arena);
}

#define CMDLINE(text) "\"/proc/cmdline\":{\"text\":\"" text "\\n\"}"
#define FILE_AT(path, content) "\"" path "\":{\"text\":\"" content "\\n\"}"
#define NOHZ FILE_AT("/sys/devices/system/cpu/nohz_full", "1-40")
#define LIMITS(soft, hard)                                                                         \
	FILE_AT("/proc/self/limits", "Limit                     Soft Limit           Hard Limit  " \
				     "         Units     \\n"                                      \
				     "Max locked memory         " soft "              " hard       \
				     "              bytes     ")
#define HOST FILE_AT("/proc/1/cgroup", "0::/init.scope") ","
#define MODULES                                                                                    \
	FILE_AT("/sys/module/nvme/refcnt", "0")                                                    \
	"," FILE_AT("/proc/modules", "nvme 1 0 - Live 0x0") ","
#define ARM "\"arch\":\"aarch64\",\"kernel\":\"6.8.0\""

static const struct {
	const char *name, *live, *questions, *fact, *want;
} rows[] = {
	{"the running program's page size", ARM ",\"page_size_bytes\":65536", "",
	 "kernel.page-size", "65536"},
	{"inferred from pools", ARM,
	 FILE_AT("/sys/kernel/mm/hugepages/hugepages-524288kB/nr_hugepages",
		 "0") "," FILE_AT("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0"),
	 "kernel.page-size", "65536"},
	{"a 2048 kB pool does not mean 4K", ARM,
	 FILE_AT("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0"), "kernel.page-size",
	 "unknown: the page size of the running kernel is not recorded and its huge page sizes do "
	 "not decide it"},

	{"the last of two wins", ARM, CMDLINE("hugepages=1 hugepages=2"),
	 "kernel.parameter(hugepages)", "2"},
	{"dash and underscore are the same", ARM, CMDLINE("default-hugepagesz=2M"),
	 "kernel.parameter(default_hugepagesz)", "2M"},
	{"not given", ARM, CMDLINE("quiet"), "kernel.parameter(iommu)",
	 "none: iommu is not on the command line"},
	{"denied", ARM, "\"/proc/cmdline\":{\"errno\":\"EACCES\"}", "kernel.parameter(iommu)",
	 "unknown: /proc/cmdline needs root"},

	/* The settings of FD.io's Altra testbed. */
	{"the three agree", ARM, CMDLINE("isolcpus=1-40 nohz_full=1-40 rcu_nocbs=1-40") "," NOHZ,
	 "kernel.isolation-problems", "none"},
	{"flags of isolcpus", ARM,
	 CMDLINE("isolcpus=nohz,domain,managed_irq,1-40 nohz_full=1-40") "," NOHZ,
	 "kernel.isolation-problems", "none"},
	{"nohz_full lacks some", ARM,
	 CMDLINE("isolcpus=1-40,81-120 nohz_full=1-40 rcu_nocbs=1-40,81-120") "," NOHZ,
	 "kernel.isolation-problems", "isolated CPUs 81-120 are not in nohz_full"},
	{"nohz_full has more", ARM, CMDLINE("isolcpus=1-3 nohz_full=1-4") "," NOHZ,
	 "kernel.isolation-problems", "CPUs 4 of nohz_full are not isolated"},
	{"only isolcpus", ARM, CMDLINE("isolcpus=1-3"), "kernel.isolation-problems",
	 "isolated CPUs 1-3 are not in nohz_full, isolated CPUs 1-3 are not in rcu_nocbs"},
	{"every CPU offloads", ARM, CMDLINE("isolcpus=1-3 nohz_full=1-3 rcu_nocbs=all") "," NOHZ,
	 "kernel.isolation-problems", "none"},
	{"only rcu_nocbs", ARM, CMDLINE("rcu_nocbs=1-3"), "kernel.isolation-problems",
	 "rcu_nocbs is given, but no CPU is isolated"},
	{"none of them", ARM, CMDLINE("quiet"), "kernel.isolation-problems", "no CPU is isolated"},
	{"a cpuset partition", ARM,
	 CMDLINE("nohz_full=1-3") "," NOHZ
				  "," FILE_AT("/sys/fs/cgroup/cpuset.cpus.isolated", "1-3"),
	 "kernel.isolation-problems", "none"},
	{"a kernel without NO_HZ_FULL", ARM, CMDLINE("isolcpus=1-3 nohz_full=1-3"),
	 "kernel.isolation-problems",
	 "nohz_full is given, but this kernel is built without NO_HZ_FULL"},
	{"to the last CPU", ARM,
	 CMDLINE("isolcpus=domain,1-N nohz_full=1-7") "," NOHZ "," FILE_AT(
		 "/sys/devices/system/cpu/possible", "0-7"),
	 "kernel.isolation-problems", "none"},
	{"a last CPU that is not known", ARM, CMDLINE("isolcpus=1-N"), "kernel.isolation-problems",
	 "unknown: /proc/cmdline: isolcpus=1-N is no CPU list"},
	{"not a list", ARM, CMDLINE("isolcpus=3-1"), "kernel.isolation-problems",
	 "unknown: /proc/cmdline: isolcpus=3-1 is no CPU list"},
	{"no command line", ARM, "", "kernel.isolation-problems",
	 "unknown: /proc/cmdline is missing: is /proc mounted?"},

	{"a number", ARM, FILE_AT("/proc/sys/kernel/numa_balancing", "1"),
	 "kernel.sysctl(kernel.numa_balancing)", "1"},
	{"a kernel without it", ARM, "", "kernel.sysctl(kernel.perf_user_access)",
	 "none: /proc/sys/kernel/perf_user_access does not exist"},
	{"the choice in brackets", ARM,
	 FILE_AT("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never"),
	 "kernel.thp", "madvise"},
	{"no choice", ARM, FILE_AT("/sys/kernel/mm/transparent_hugepage/enabled", "always"),
	 "kernel.thp",
	 "unknown: /sys/kernel/mm/transparent_hugepage/enabled names no choice in brackets"},

	{"a running service", ARM,
	 HOST CMDLINE("quiet") "," FILE_AT(
		 "/sys/fs/cgroup/system.slice/irqbalance.service/cgroup.procs", "7"),
	 "kernel.irqbalance", "running"},
	{"a running service, first version of control groups", ARM,
	 HOST CMDLINE("isolcpus=1-3") "," FILE_AT(
		 "/sys/fs/cgroup/systemd/system.slice/irqbalance.service/cgroup.procs", "7"),
	 "kernel.irqbalance", "running, not on isolated CPUs"},
	{"a running service and no command line", ARM,
	 HOST FILE_AT("/sys/fs/cgroup/system.slice/irqbalance.service/cgroup.procs", "7"),
	 "kernel.irqbalance", "unknown: /proc/cmdline is missing: is /proc mounted?"},
	{"other services run", ARM,
	 HOST FILE_AT("/sys/fs/cgroup/system.slice/ssh.service/cgroup.procs", "7"),
	 "kernel.irqbalance", "not running"},
	{"no systemd, a process", ARM,
	 HOST CMDLINE("quiet") "," FILE_AT("/proc/77/comm", "irqbalance"), "kernel.irqbalance",
	 "running"},
	{"no systemd, other processes", ARM, HOST FILE_AT("/proc/77/comm", "sshd"),
	 "kernel.irqbalance", "not running"},
	{"systemd, but nothing of it to see", ARM, HOST FILE_AT("/proc/1/comm", "systemd"),
	 "kernel.irqbalance",
	 "unknown: systemd runs, but /sys/fs/cgroup/system.slice does not exist"},
	{"a process that may not be looked at", ARM,
	 HOST "\"/proc/77/comm\":{\"errno\":\"EACCES\"}", "kernel.irqbalance",
	 "unknown: /proc needs root"},
	{"a container", ARM, FILE_AT("/.dockerenv", "") "," HOST FILE_AT("/proc/77/comm", "sshd"),
	 "kernel.irqbalance", "unknown: a container does not see the processes of its host"},

	{"8 MB", ARM, LIMITS("8388608", "8388608"), "kernel.memlock", "8192 KB"},
	{"no limit", ARM, LIMITS("8388608", "unlimited"), "kernel.memlock", "unlimited"},
	{"limits.conf lifts it", ARM,
	 LIMITS("65536", "65536") "," FILE_AT("/etc/security/limits.d/dpdk.conf",
					      "user - memlock unlimited"),
	 "kernel.memlock", "unlimited"},
	{"a soft limit lifts nothing", ARM,
	 LIMITS("65536", "65536") "," FILE_AT("/etc/security/limits.conf",
					      "* soft memlock unlimited"),
	 "kernel.memlock", "64 KB"},
	{"limits.conf is denied", ARM,
	 LIMITS("65536", "65536") ",\"/etc/security/limits.conf\":{\"errno\":\"EACCES\"}",
	 "kernel.memlock", "unknown: /etc/security/limits.conf needs root"},
	{"no /proc", ARM, "", "kernel.memlock",
	 "unknown: /proc/self/limits is missing: is /proc mounted?"},

	{"loaded", ARM, FILE_AT("/sys/module/vfio_pci/refcnt", "0"), "kernel.vfio", "loaded"},
	{"a module", ARM,
	 MODULES FILE_AT("/lib/modules/6.8.0/kernel/drivers/vfio/pci/vfio-pci.ko.zst", "x"),
	 "kernel.vfio", "module, not loaded"},
	{"not built", ARM, MODULES FILE_AT("/lib/modules/6.8.0/kernel/drivers/net/mdio.ko", "x"),
	 "kernel.vfio", "missing"},
	{"a kernel without modules", ARM, FILE_AT("/sys/module/kernel/x", ""), "kernel.vfio",
	 "missing"},
	{"the modules are elsewhere", ARM, MODULES FILE_AT("/x", ""), "kernel.vfio",
	 "unknown: /lib/modules/6.8.0/kernel does not exist: the running kernel's modules are not "
	 "to be seen here"},
	{"no /sys", ARM, "", "kernel.vfio", "unknown: /sys/module does not exist"},
	{"denied", ARM, "\"/sys/module\":{\"stat_errno\":\"EACCES\"}", "kernel.vfio",
	 "unknown: /sys/module needs root"},
};

static void settings_are_read_as_they_take_effect(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;
		const char *got;

		machine_open(&machine, rows[i].live, rows[i].questions, tables, 2);
		got = machine_fact(&machine, rows[i].fact);
		if (strcmp(got, rows[i].want) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", rows[i].name, rows[i].fact, got,
				 rows[i].want);
		machine_close(&machine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_line_keeps_settings_only),
		cmocka_unit_test(limits_keep_no_names),
		cmocka_unit_test(settings_are_read_as_they_take_effect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
