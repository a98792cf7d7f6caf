// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/cpufreq.h"
#include "tune/persist.h"

#include "machine.h"

static const struct fact_table *const tables[] = {&cpufreq_facts};

#define HEAD                                                                                       \
	"# Written by ampere-crypto tune --persist, taken away by ampere-crypto tune --revert.\n"
#define CPUFREQ "/sys/devices/system/cpu/cpufreq"
#define TEXT(path, text) "\"" path "\":{\"text\":\"" text "\\n\"}"
#define FOLDER(path) "\"" path "\":{\"list\":[]}"
#define POLICIES(first, second)                                                                    \
	"\"" CPUFREQ "\":{\"list\":[\"boost\",\"policy0\",\"policy1\"]}," TEXT(                    \
		CPUFREQ "/policy0/scaling_governor",                                               \
		first) "," TEXT(CPUFREQ "/policy1/scaling_governor",                               \
				second) "," TEXT(CPUFREQ "/policy0/scaling_driver",                \
						 "cppc_cpufreq")
#define GOVERNOR_0 CPUFREQ "/policy0/scaling_governor"
#define GOVERNOR_1 CPUFREQ "/policy1/scaling_governor"
#define POOL_1G(node)                                                                              \
	"/sys/devices/system/node/node" node "/hugepages/hugepages-1048576kB/nr_hugepages"
#define POOL_2M "/sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages"
#define LINES "/etc/tmpfiles.d/ampere-crypto.conf"
#define SYSCTLS "/etc/sysctl.d/90-ampere-crypto.conf"
#define MODULES "/etc/modules-load.d/ampere-crypto.conf"
#define UNITS "/etc/systemd/system/"
#define NUMA "/proc/sys/kernel/numa_balancing"

#define LIB "/usr/lib/sysctl.d/"
/* 10-a is read earlier, 99-c is hidden by the file of its name in /run. */
#define LATER LATER_FOLDERS "," LATER_A "," LATER_B "," LATER_C "," LATER_RUN
#define LATER_FOLDERS                                                                              \
	"\"/usr/lib/sysctl.d\":{\"list\":[\"10-a.conf\",\"99-b.conf\",\"99-c.conf\"]},"            \
	"\"/run/sysctl.d\":{\"list\":[\"99-c.conf\"]}"
#define LATER_A TEXT(LIB "10-a.conf", NUMA_IS "1")
#define LATER_B TEXT(LIB "99-b.conf", "#" NUMA_IS "3\\n-kernel/numa_* = 2\\n" NUMA_IS "0")
#define LATER_C TEXT(LIB "99-c.conf", NUMA_IS "1")
#define LATER_RUN TEXT("/run/sysctl.d/99-c.conf", "# nothing")
#define NUMA_IS "kernel.numa_balancing = "

struct row {
	const char *name, *questions;
	struct tune_change changes[3];
	struct {
		const char *path, *text;
	} files[3];
	const char *advice;
};

/* Lines as sysctl.d(5), modules-load.d(5), tmpfiles.d(5), systemd.mount(5) and systemd.unit(5)
 * describe them. */
static const struct row rows[] = {
	{.name = "sysctls, as they were read back",
	 .changes = {{.kind = "word", .path = NUMA, .wanted = "0", .got = "0", .state = "applied"},
		     {.kind = "word",
		      .path = "/proc/sys/net/ipv4/conf/eth0.5/rp_filter",
		      .wanted = "2",
		      .got = "1",
		      .state = "applied"}},
	 .files = {{SYSCTLS,
		    HEAD "kernel.numa_balancing = 0\nnet/ipv4/conf/eth0.5/rp_filter = 1\n"}}},
	{.name = "what was refused, rolled back or is of others is not kept",
	 .changes =
		 {{.kind = "word", .path = NUMA, .wanted = "0", .got = "1", .state = "refused"},
		  {.kind = "pages",
		   .path = POOL_2M,
		   .wanted = "8",
		   .got = "0",
		   .state = "rolled-back"},
		  {.kind = "module", .path = "vfio-pci", .wanted = "loaded", .state = "foreign"}}},
	{.name = "what is only planned beside what was made is not kept",
	 .changes = {{.kind = "word", .path = NUMA, .wanted = "0", .got = "0", .state = "applied"},
		     {.kind = "pages", .path = POOL_2M, .wanted = "8", .state = "planned"}},
	 .files = {{SYSCTLS, HEAD "kernel.numa_balancing = 0\n"}}},
	{.name = "a plan of which nothing is made yet, without its ways out",
	 .changes =
		 {{.kind = "module", .path = "ghash-ce", .wanted = "loaded", .state = "planned"},
		  {.kind = "pages", .path = POOL_2M, .wanted = "8", .state = "planned"},
		  {.kind = "word", .path = NUMA, .wanted = "0", .state = "planned", .unless = "x"}},
	 .files = {{MODULES, HEAD "ghash-ce\n"}, {LINES, HEAD "w! " POOL_2M " - - - - 8\n"}}},
	{.name = "fewer pages than wanted: those that there were",
	 .changes = {{.kind = "pages",
		      .path = POOL_2M,
		      .wanted = "512",
		      .got = "300",
		      .state = "partly"}},
	 .files = {{LINES, HEAD "w! " POOL_2M " - - - - 300\n"}}},
	{.name = "every policy holds it: one glob",
	 .questions = POLICIES("powersave", "powersave"),
	 .changes =
		 {{.kind = "word", .path = GOVERNOR_0, .got = "performance", .state = "applied"},
		  {.kind = "word", .path = GOVERNOR_1, .got = "performance", .state = "applied"}},
	 .files = {{LINES,
		    HEAD "w! " CPUFREQ "/policy[0-9]*/scaling_governor - - - - performance\n"}}},
	{.name = "one policy had it before: the glob says what was verified",
	 .questions = POLICIES("powersave", "performance"),
	 .changes =
		 {{.kind = "word", .path = GOVERNOR_0, .got = "performance", .state = "applied"}},
	 .files = {{LINES,
		    HEAD "w! " CPUFREQ "/policy[0-9]*/scaling_governor - - - - performance\n"}}},
	{.name = "one policy refused it: a line for the other",
	 .questions = POLICIES("powersave", "powersave"),
	 .changes = {{.kind = "word", .path = GOVERNOR_0, .got = "performance", .state = "applied"},
		     {.kind = "word", .path = GOVERNOR_1, .got = "powersave", .state = "refused"}},
	 .files = {{LINES, HEAD "w! " GOVERNOR_0 " - - - - performance\n"}}},
	{.name = "a driver that is a module is loaded before its policies are set",
	 .questions = POLICIES("powersave", "powersave") "," TEXT(
		 "/proc/modules", "cppc_cpufreq 32768 0 - Live 0x0"),
	 .changes =
		 {{.kind = "word", .path = GOVERNOR_0, .got = "performance", .state = "applied"}},
	 .files = {{MODULES, HEAD
		    "# before tmpfiles.d/ampere-crypto.conf sets its policies\ncppc_cpufreq\n"},
		   {UNITS "systemd-tmpfiles-setup.service.d/ampere-crypto.conf",
		    HEAD "[Unit]\nAfter=systemd-modules-load.service\n"},
		   {LINES, HEAD "w! " GOVERNOR_0 " - - - - performance\n"}}},
	{.name = "a mount, named as systemd-escape(1) names it",
	 .changes = {{.kind = "mount",
		      .path = "/dev/hugepages-1G",
		      .got = "pagesize=1G",
		      .state = "applied"}},
	 .files = {{UNITS "dev-hugepages\\x2d1G.mount",
		    HEAD "[Unit]\nDescription=Huge pages at /dev/hugepages-1G\n"
			 "ConditionPathExists=/sys/kernel/mm/hugepages\n\n[Mount]\nWhat=hugetlbfs\n"
			 "Where=/dev/hugepages-1G\nType=hugetlbfs\nOptions=pagesize=1G\n"},
		   {UNITS "local-fs.target.d/ampere-crypto.conf",
		    HEAD "[Unit]\nWants=dev-hugepages\\x2d1G.mount\n"}}},
	{.name = "a stopped service is not started at boot",
	 .changes =
		 {{.kind = "service", .path = "irqbalance", .got = "inactive", .state = "applied"}},
	 .files = {{UNITS "irqbalance.service.d/ampere-crypto.conf",
		    HEAD "[Unit]\nConditionPathExists=!/\n"}}},
	{.name = "pages of 1 GB on two nodes, Debian",
	 .questions = TEXT("/etc/os-release", "ID=debian"),
	 .changes = {{.kind = "pages", .path = POOL_1G("0"), .got = "4", .state = "applied"},
		     {.kind = "pages", .path = POOL_1G("1"), .got = "3", .state = "partly"}},
	 .files = {{LINES, HEAD "w! " POOL_1G("0") " - - - - 4\nw! " POOL_1G("1") " - - - - 3\n"}},
	 .advice = "write GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX hugepagesz=1G "
		   "hugepages=0:4,1:3\" into "
		   "/etc/default/grub.d/ampere-crypto.cfg, then run update-grub"},
	{.name = "pages of 1 GB, a relative of RHEL",
	 .questions = TEXT("/usr/lib/os-release",
			   "ID=\\\"rocky\\\"\\nID_LIKE=\\\"rhel centos fedora\\\""),
	 .changes = {{.kind = "pages", .path = POOL_1G("0"), .got = "4", .state = "applied"}},
	 .files = {{LINES, HEAD "w! " POOL_1G("0") " - - - - 4\n"}},
	 .advice = "grubby --update-kernel=ALL --args=\"hugepagesz=1G hugepages=0:4\""},
	{.name = "a file that is read later sets it otherwise",
	 .questions = LATER,
	 .changes = {{.kind = "word", .path = NUMA, .got = "0", .state = "applied"}},
	 .files = {{SYSCTLS, HEAD "kernel.numa_balancing = 0\n"}},
	 .advice = LIB "99-b.conf is read later at boot and sets " NUMA " to 2"},
	{.name = "interrupts have other numbers at the next boot",
	 .changes = {{.kind = "word",
		      .path = "/proc/irq/77/smp_affinity_list",
		      .got = "0",
		      .state = "applied"}}},
	{.name = "a file that holds it already",
	 .questions = "\"" SYSCTLS
		      "\":{\"text\":\"# Written by ampere-crypto tune --persist, taken away by "
		      "ampere-crypto tune --revert.\\nkernel.numa_balancing = 0\\n\"}",
	 .changes = {{.kind = "word", .path = NUMA, .got = "0", .state = "applied"}}},
};

static const char *text_of(const struct tune_plan *plan, const char *path, size_t *files)
{
	const struct tune_change *changes = plan->changes.items;
	const char *text = NULL;

	*files = 0;
	for (size_t i = 0; i < plan->changes.count; i++) {
		if (strncmp(changes[i].path, "/etc/", 5) != 0 ||
		    strcmp(changes[i].kind, "file") != 0)
			continue;
		++*files;
		if (strcmp(changes[i].path, path) == 0)
			text = changes[i].wanted;
	}
	return text;
}

static void check_row(const struct row *row)
{
	static const char etc[] = FOLDER("/etc/sysctl.d") "," FOLDER("/etc/tmpfiles.d");
	struct machine machine;
	struct tune_plan plan = {0};
	struct error err = {0};
	const struct tune_advice *advice;
	size_t files = 0, wanted = 0;
	char questions[4096];

	snprintf(questions, sizeof(questions), "%s%s%s", etc, row->questions ? "," : "",
		 row->questions ? row->questions : "");
	machine_open(&machine, "\"kernel\":\"6.1.0-18-arm64\"", questions, tables, 1);
	for (size_t i = 0; i < 3 && row->changes[i].kind; i++) {
		struct tune_change *change = tune_add_change(&machine.arena, &plan);

		*change = row->changes[i];
		change->id = change->path;
		change->check = "check";
	}
	if (!tune_persist(&machine.facts, &plan, &err))
		fail_msg("%s: %s", row->name, err.text);
	text_of(&plan, "", &files);
	for (; wanted < 3 && row->files[wanted].path; wanted++) {
		const char *text = text_of(&plan, row->files[wanted].path, &files);

		if (!text || strcmp(text, row->files[wanted].text) != 0)
			fail_msg("%s: %s is: %s", row->name, row->files[wanted].path, text);
	}
	if (files != wanted)
		fail_msg("%s: %zu files, want %zu", row->name, files, wanted);
	advice = plan.advice.items;
	if (plan.advice.count != (row->advice ? 1u : 0u) ||
	    (row->advice && !strstr(advice->text, row->advice)))
		fail_msg("%s: advice: %s", row->name, plan.advice.count ? advice->text : "none");
	machine_close(&machine);
}

static void each_change_is_said_again_where_the_distribution_reads_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

/* What a folder lacks comes before its file, and only there. */
static void folders_that_are_missing_are_changes_of_their_own(void **state)
{
	static const char *const wanted[] = {"/etc", "/etc/modules-load.d", MODULES};
	struct machine machine;
	struct tune_plan plan = {0};
	const struct tune_change *changes;

	(void)state;
	machine_open(&machine, "", "", tables, 1);
	*tune_add_change(&machine.arena, &plan) = (struct tune_change){.id = "a",
								       .check = "c",
								       .kind = "module",
								       .path = "ghash-ce",
								       .got = "loaded",
								       .state = "applied"};
	assert_true(tune_persist(&machine.facts, &plan, NULL));
	changes = plan.changes.items;
	assert_int_equal(plan.changes.count, 4);
	assert_true(changes[0].persisted);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(changes[i + 1].path, wanted[i]);
		assert_string_equal(changes[i + 1].kind, i == 2 ? "file" : "folder");
		assert_string_equal(changes[i + 1].state, "planned");
	}
	machine_close(&machine);
}

/* Escapes of systemd.unit(5); each was checked with systemd-escape(1) --path --suffix=mount. */
static void units_of_mounts_have_the_names_that_systemd_looks_for(void **state)
{
	static const char *const names[][2] = {
		{"/dev/hugepages", "dev-hugepages.mount"},
		{"/dev/hugepages-512M", "dev-hugepages\\x2d512M.mount"},
		{"//mnt//huge/", "mnt-huge.mount"},
		{"/", "-.mount"},
		{"/.a/b c", "\\x2ea-b\\x20c.mount"},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_string_equal(persist_unit_of(&arena, names[i][0]), names[i][1]);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_change_is_said_again_where_the_distribution_reads_it),
		cmocka_unit_test(folders_that_are_missing_are_changes_of_their_own),
		cmocka_unit_test(units_of_mounts_have_the_names_that_systemd_looks_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
