// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check/check.h"
#include "tune/tune.h"

#include "machine.h"

#define TEXT(path, text) "\"" path "\":{\"text\":\"" text "\"}"
#define DENIED(path) "\"" path "\":{\"errno\":\"EACCES\"}"
#define CPU "/sys/devices/system/cpu"
#define NODE "/sys/devices/system/node"
#define PAGES_4K "\"page_size_bytes\":4096"
#define PAGES_64K "\"page_size_bytes\":65536"

#define POLICY(n, governor, max)                                                                   \
	TEXT(CPU "/cpufreq/policy" n "/scaling_governor", governor "\\n")                          \
	"," TEXT(CPU "/cpufreq/policy" n "/scaling_driver", "cppc_cpufreq\\n") "," TEXT(           \
		CPU "/cpufreq/policy" n "/scaling_max_freq",                                       \
		max "\\n") "," TEXT(CPU "/cpufreq/policy" n "/cpuinfo_max_freq", "3000000\\n")
#define THP "/sys/kernel/mm/transparent_hugepage"
#define CPUS(list) TEXT(CPU "/online", list "\\n") "," TEXT(CPU "/present", list "\\n")
#define STATE(cpu, state, desc, latency, disable)                                                  \
	TEXT(CPU "/cpu" cpu "/cpuidle/" state "/desc", desc "\\n")                                 \
	"," TEXT(CPU "/cpu" cpu "/cpuidle/" state "/latency", latency                              \
		 "\\n") "," TEXT(CPU "/cpu" cpu "/cpuidle/" state "/disable", disable "\\n")
#define POOL(top, kb, pages, free)                                                                 \
	TEXT(top "/hugepages-" kb "kB/nr_hugepages", pages "\\n")                                  \
	"," TEXT(top "/hugepages-" kb "kB/free_hugepages",                                         \
		 free "\\n") "," TEXT(top "/hugepages-" kb "kB/surplus_hugepages", "0\\n")
#define SYSTEM "/sys/kernel/mm/hugepages"
#define POOLS_4K(top, pages, free)                                                                 \
	POOL(top, "64", "0", "0")                                                                  \
	"," POOL(top, "2048", pages, free) "," POOL(top, "32768", "0",                             \
						    "0") "," POOL(top, "1048576", "0", "0")
#define POOLS_64K(top)                                                                             \
	POOL(top, "2048", "0", "0")                                                                \
	"," POOL(top, "524288", "0", "0") "," POOL(top, "16777216", "0", "0")
#define NODE_OF(n, cpus, free_kb)                                                                  \
	TEXT(NODE "/node" n "/cpulist", cpus "\\n")                                                \
	"," TEXT(NODE "/node" n "/distance",                                                       \
		 "10 20\\n") "," TEXT(NODE "/node" n "/meminfo",                                   \
				      "Node " n " MemTotal: 99999999 kB\\nNode " n " MemFree: "    \
				      "  " free_kb " kB\\n")
#define MOUNTS(text) TEXT("/proc/mounts", "proc /proc proc rw 0 0\\n" text)

#define TWO_NODES                                                                                  \
	CPUS("0-7")                                                                                \
	"," TEXT(NODE "/online", "0-1\\n") "," NODE_OF("0", "0-3", "16777216") "," NODE_OF(        \
		"1", "4-7",                                                                        \
		"16777216") "," POOLS_4K(SYSTEM, "0",                                              \
					 "0") "," POOLS_4K(NODE "/node0/hugepages", "0",           \
							   "0") "," POOLS_4K(NODE                  \
									     "/node1/hugepages",   \
									     "0",                  \
									     "0") "," MOUNTS("")

/* "ID BEFORE>WANTED[>=LEAST]" of each change, "+CHECK KIND" of each advice, in order. */
static const struct {
	const char *name, *role, *check, *live, *questions, *want;
} rows[] = {
	{"each policy but the one that is right", NULL, "cpu.governor", "",
	 POLICY("0", "schedutil", "3000000") "," POLICY("1", "performance", "3000000") "," POLICY(
		 "10", "powersave", "3000000"),
	 "governor/policy0 schedutil>performance; governor/policy10 powersave>performance; "},
	{"a governor that cannot be read is left", NULL, "cpu.governor", "",
	 POLICY("0", "schedutil", "3000000") "," DENIED(CPU "/cpufreq/policy1/scaling_governor"),
	 "governor/policy0 schedutil>performance; +cpu.governor by-hand; "},
	{"no policy though firmware offers CPPC: the driver", NULL, "cpu.governor",
	 "\"kernel\":\"6.8.0\"",
	 TEXT(CPU "/cpu0/acpi_cppc/highest_perf", "300\\n") "," TEXT(
		 "/lib/modules/6.8.0/kernel/drivers/cpufreq/cppc_cpufreq.ko.zst", ""),
	 "module/cppc_cpufreq nothing>loaded; "},
	{"no policy and no module", NULL, "cpu.governor", "\"kernel\":\"6.8.0\"",
	 TEXT(CPU "/cpu0/acpi_cppc/highest_perf", "300\\n"), "+cpu.governor by-hand; "},
	{"a capped policy", NULL, "cpu.max-frequency", "",
	 POLICY("0", "performance", "2800000") "," POLICY("1", "performance", "3000000"),
	 "max-frequency/policy0 2800000>3000000; "},
	{"no policy is capped: firmware", NULL, "cpu.max-frequency", "",
	 POLICY("0", "performance", "3000000"), "+cpu.max-frequency firmware; "},
	{"what is deeper than WFI", NULL, "firmware.lpi", "",
	 CPUS("0-1") "," STATE("0", "state0", "WFI", "1", "0") "," STATE(
		 "0", "state1", "Standby", "2900",
		 "0") "," STATE("1", "state0", "WFI", "1", "0") "," STATE("1", "state1", "Standby",
									  "2900", "1"),
	 "idle/cpu0/state1 0>1; +firmware.lpi firmware; "},
	{"without a description the shallowest stays", NULL, "firmware.lpi", "",
	 CPUS("0") "," STATE("0", "state0", "<null>", "1",
			     "0") "," STATE("0", "state1", "<null>", "100",
					    "0") "," STATE("0", "state2", "<null>", "2900", "0"),
	 "idle/cpu0/state1 0>1; idle/cpu0/state2 0>1; +firmware.lpi firmware; "},
	{"a latency that is no number", NULL, "firmware.lpi", "",
	 CPUS("0") "," STATE("0", "state0", "WFI", "1", "0") "," STATE("0", "state1", "Standby",
								       "long", "0"),
	 "+firmware.lpi by-hand; +firmware.lpi firmware; "},
	{"the chosen word of a line", NULL, "memory.thp", "",
	 TEXT("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\\n"),
	 "thp always>madvise; "},
	{"sizes that have a choice of their own", NULL, "memory.thp", "",
	 TEXT(THP "/enabled", "always madvise [never]\\n") "," TEXT(
		 THP "/hugepages-64kB/enabled",
		 "[always] inherit madvise never\\n") "," TEXT(THP "/hugepages-2048kB/enabled",
							       "always [inherit] madvise never\\n"),
	 "thp/hugepages-64kB always>inherit; "},
	{"huge pages without the role that uses them", NULL, "memory.hugepages", PAGES_4K,
	 MOUNTS(""), "+memory.hugepages by-hand; "},
	/* 4 cores: 64 + 3 * 48 MiB, less than 1 GiB */
	{"few cores: 1 GiB on each node", "dpdk", "memory.hugepages", PAGES_4K, TWO_NODES,
	 "hugepages/node0/2048kB 0>512>=512; hugepages/node1/2048kB 0>512>=512; "
	 "hugetlbfs/2M nothing>pagesize=2M; "},
	/* 80 cores: 64 + 79 * 48 = 3856 MiB; 100 pages are there and 40 of them free: 3776 MiB
	 * more, 1888 pages; to 1 GiB 944 MiB, 472 pages */
	{"what is free in huge pages counts, what is there stays", "dpdk", "memory.hugepages",
	 PAGES_4K,
	 CPUS("0-79") "," TEXT(NODE "/online", "0\\n") "," NODE_OF(
		 "0", "0-79",
		 "67108864") "," POOLS_4K(SYSTEM, "100",
					  "40") "," POOLS_4K(NODE "/node0/hugepages", "100",
							     "40") "," MOUNTS("none /dev/hugepages "
									      "hugetlbfs "
									      "rw,pagesize=2M 0 "
									      "0\\n"),
	 "hugepages/node0/2048kB 100>1988>=572; "},
	/* half of 4 GiB is 1024 pages */
	{"never more than half of what is free", "dpdk", "memory.hugepages", PAGES_4K,
	 CPUS("0-79") "," TEXT(NODE "/online", "0\\n") "," NODE_OF(
		 "0", "0-79",
		 "4194304") "," POOLS_4K(SYSTEM, "0",
					 "0") "," POOLS_4K(NODE "/node0/hugepages", "0",
							   "0") "," MOUNTS("none /dev/hugepages "
									   "hugetlbfs "
									   "rw,pagesize=2M 0 0\\n"),
	 "hugepages/node0/2048kB 0>1024>=512; "},
	{"a node without memory to spare", "dpdk", "memory.hugepages", PAGES_4K,
	 CPUS("0-3") "," TEXT(NODE "/online", "0\\n") "," NODE_OF(
		 "0", "0-3",
		 "2000000") "," POOLS_4K(SYSTEM, "0",
					 "0") "," POOLS_4K(NODE "/node0/hugepages", "0",
							   "0") "," MOUNTS("none /dev/hugepages "
									   "hugetlbfs "
									   "rw,pagesize=2M 0 0\\n"),
	 "+memory.hugepages by-hand; "},
	{"free memory that is not known", "dpdk", "memory.hugepages", PAGES_4K,
	 CPUS("0-3") "," TEXT(NODE "/online", "0\\n") "," TEXT(
		 NODE "/node0/cpulist",
		 "0-3\\n") "," POOLS_4K(SYSTEM, "0", "0") "," POOLS_4K(NODE "/node0/hugepages", "0",
								       "0") "," MOUNTS(""),
	 "+memory.hugepages by-hand; "},
	/* 3856 MiB in pages of 512 MB are 8; 1 GiB are 2 */
	{"a kernel of 64 KB: 512 MB, and 2 MB in case", "dpdk", "memory.hugepages", PAGES_64K,
	 CPUS("0-79") "," TEXT(NODE "/online", "0\\n") "," NODE_OF(
		 "0", "0-79",
		 "67108864") "," POOLS_64K(SYSTEM) "," POOLS_64K(NODE
								 "/node0/hugepages") "," MOUNTS(""),
	 "hugepages/node0/524288kB 0>8>=2; hugepages/node0/2048kB 0>1928>=512 unless "
	 "hugepages/node0/524288kB; hugetlbfs/512M nothing>pagesize=512M; hugetlbfs/2M "
	 "nothing>pagesize=2M; "},
	{"sizes that have pages and no mount", NULL, "memory.hugetlbfs", PAGES_4K,
	 CPUS("0-3") "," POOLS_4K(SYSTEM, "8", "8") "," MOUNTS(""),
	 "hugetlbfs/2M nothing>pagesize=2M; "},
	{"irqbalance of systemd", "dpdk", "kernel.irqbalance", "",
	 TEXT("/sys/fs/cgroup/system.slice/irqbalance.service/cgroup.procs", "7\\n"),
	 "service/irqbalance active>inactive; "},
	{"irqbalance of nobody knows who", "dpdk", "kernel.irqbalance", "",
	 TEXT("/proc/7/comm", "irqbalance\\n"), "+kernel.irqbalance by-hand; "},
	{"no limits of PAM", "dpdk", "kernel.memlock", "", TEXT("/proc/7/comm", "x\\n"),
	 "+kernel.memlock by-hand; "},
	{"a check that tune has nothing for", NULL, "firmware.anc", "",
	 TEXT("/proc/7/comm", "x\\n"), "+firmware.anc firmware; "},
	{"a parameter of the kernel", "dpdk", "kernel.isolation", "", TEXT("/proc/7/comm", "x\\n"),
	 "+kernel.isolation command-line; "},
};

static void describe(const struct tune_plan *plan, struct buffer *out)
{
	const struct tune_change *changes = plan->changes.items;
	const struct tune_advice *advice = plan->advice.items;
	size_t a = 0;

	/* Advice about a place comes before the mounts in the text that is wanted. */
	for (size_t i = 0; i < plan->changes.count; i++) {
		if (strncmp(changes[i].id, "hugetlbfs/", 10) == 0) {
			for (; a < plan->advice.count; a++)
				buffer_printf(out, "+%s %s; ", advice[a].check, advice[a].kind);
		}
		buffer_printf(out, "%s %s>%s", changes[i].id,
			      changes[i].before ? changes[i].before : "nothing", changes[i].wanted);
		if (changes[i].least)
			buffer_printf(out, ">=%lld", (long long)changes[i].least);
		if (changes[i].unless)
			buffer_printf(out, " unless %s", changes[i].unless);
		buffer_text(out, "; ");
	}
	for (; a < plan->advice.count; a++)
		buffer_printf(out, "+%s %s; ", advice[a].check, advice[a].kind);
}

static void failing_checks_give_changes_and_advice(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct check check = {.id = rows[i].check, .title = "t", .fix = "by hand"};
		struct checks checks = {&check, 1};
		struct names failing = {0};
		struct machine machine;
		struct tune_plan plan;
		struct buffer out;

		machine_open(&machine, rows[i].live, rows[i].questions, NULL, 0);
		machine.facts.role = rows[i].role;
		out = buffer_new(&machine.arena, 4096);
		names_add(&machine.arena, &failing, rows[i].check);
		tune_plan(&machine.facts, &checks, &failing, &plan);
		describe(&plan, &out);
		if (strcmp(buffer_string(&out), rows[i].want) != 0)
			fail_msg("%s: %s", rows[i].name, buffer_string(&out));
		machine_close(&machine);
	}
}

static void what_does_not_fail_is_left(void **state)
{
	struct check check = {.id = "memory.thp", .title = "t", .fix = "f"};
	struct checks checks = {&check, 1};
	struct names failing = {0};
	struct machine machine;
	struct tune_plan plan;

	(void)state;
	machine_open(&machine, "",
		     TEXT("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise\\n"),
		     NULL, 0);
	tune_plan(&machine.facts, &checks, &failing, &plan);
	assert_int_equal(plan.changes.count, 0);
	assert_int_equal(plan.advice.count, 0);
	machine_close(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failing_checks_give_changes_and_advice),
		cmocka_unit_test(what_does_not_fail_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
