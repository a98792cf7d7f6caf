// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine.h"

#define N1                                                                                         \
	"Features\t: fp asimd aes pmull sha1 sha2 atomics cpuid\nCPU implementer\t: 0x41\n"        \
	"CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n"

/* What a file of a given shape means: facts of Linux arch/arm64/kernel/cpuinfo.c and of pasted
 * files. */
static const struct {
	const char *what, *text, *arch;
	size_t count;
	bool id_known;
	uint32_t part;
	size_t kinds;
	int64_t bogomips_x100;
	const char *feature; /* one that must be there, NULL: none may be */
} rows[] = {
	{"plain", "processor\t: 0\nBogoMIPS\t: 50.00\n" N1, "aarch64", 1, true, 0xd0c, 1, 5000,
	 "atomics"},
	{"a prompt before it",
	 "user@host:~$ cat /proc/cpuinfo\nprocessor : 0\nBogoMIPS : 50.00\n" N1, "aarch64", 1, true,
	 0xd0c, 1, 5000, "aes"},
	{"no processor line",
	 "BogoMIPS : 2000.00\nFeatures : fp aes sha3\nCPU implementer : 0xc0\n"
	 "CPU architecture: 8\nCPU variant : 0x0\nCPU part : 0xac4\nCPU revision : 0\n",
	 "aarch64", 0, true, 0xac4, 1, 200000, "sha3"},
	{"odd spacing",
	 "processor  : 0\nCPU implementer      : 0x41\nCPU architecture     : 8\n"
	 "CPU variant          : 0x0\nCPU part             : 0xd49\nCPU revision         : 0\n"
	 "Features             : fp   asimd  aes\n",
	 "aarch64", 1, true, 0xd49, 1, 0, "asimd"},
	{"a line wrapped in a word",
	 "processor : 0\nFeatures : fp aes js\ncvt fcma\nCPU implementer : 0xc0\n"
	 "CPU architecture: 8\nCPU variant : 0x0\nCPU part : 0xac3\nCPU revision : 1\n",
	 "aarch64", 1, true, 0xac3, 1, 0, "jscvt"},
	{"a line wrapped between words",
	 "processor : 0\nFeatures : fp aes\npmull fcma\nCPU implementer : 0xc0\n"
	 "CPU architecture: 8\nCPU variant : 0x0\nCPU part : 0xac3\nCPU revision : 1\n",
	 "aarch64", 1, true, 0xac3, 1, 0, "pmull"},
	{"two parts",
	 "processor : 0\n" N1 "\nprocessor : 1\nCPU implementer : 0x41\nCPU architecture: 8\n"
	 "CPU variant : 0x0\nCPU part : 0xd05\nCPU revision : 0\n",
	 "aarch64", 2, true, 0xd0c, 2, 0, "aes"},
	{"two blocks, no processor lines",
	 N1 "CPU implementer : 0x4e\nCPU architecture: 8\nCPU variant : 0x0\n"
	    "CPU part : 0x003\nCPU revision : 0\n",
	 "aarch64", 0, true, 0xd0c, 2, 0, "aes"},
	{"no variant and revision",
	 "processor : 0\nFeatures : fp aes sha3\nCPU implementer : 0xc0\nCPU part : 0xac4\n",
	 "aarch64", 1, true, 0xac4, 1, 0, "sha3"},
	{"a second block cut short",
	 "processor : 0\n" N1 "processor : 1\nCPU implementer : 0x41\nCPU part : 0xd0c\n",
	 "aarch64", 2, true, 0xd0c, 1, 0, "aes"},
	{"quoted in a mail",
	 "> processor : 0\n> Features : fp aes sha3\n> CPU implementer : 0xc0\n> CPU variant : "
	 "0x0\n> CPU part : 0xac4\n> CPU revision : 0\n",
	 "aarch64", 1, true, 0xac4, 1, 0, "sha3"},
	{"cut short",
	 "processor : 0\nBogoMIPS : 50.00\nFeatures : fp aes\nCPU implementer : 0x41\nCPU arch",
	 "aarch64", 1, false, 0, 0, 5000, "aes"},
	{"32-bit",
	 "processor : 0\nmodel name : ARMv6\nFeatures : half thumb fastmult\nCPU implementer : "
	 "0x41\n"
	 "CPU architecture: 7\nCPU variant : 0x0\nCPU part : 0xb76\nCPU revision : 7\n",
	 "arm", 1, true, 0xb76, 1, 0, "thumb"},
	{"x86", "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu aes\n", "x86_64", 1,
	 false, 0, 0, 0, "fpu"},
	{"RISC-V", "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\n", "riscv64", 1, false, 0, 0,
	 0, NULL},
	{"LoongArch",
	 "system type : generic\n\nprocessor : 0\nCPU Family : Loongson-64bit\nModel Name : "
	 "3C6000\n",
	 "loongarch64", 1, false, 0, 0, 0, NULL},
	{"empty", "", NULL, 0, false, 0, 0, 0, NULL},
	{"noise",
	 "\x7f"
	 "ELF:::\n:\n: x\nCPU part : 0xzzz\nCPU part : -1\n",
	 NULL, 0, false, 0, 0, 0, NULL},
};

static void cpuinfo_of_every_shape(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cpus cpus = {0};

		cpus_parse(&arena, view_of(rows[i].text), &cpus);
		if (cpus.count != rows[i].count || cpus.id_known != rows[i].id_known ||
		    cpus.kind_count != rows[i].kinds ||
		    cpus.bogomips_x100 != rows[i].bogomips_x100 ||
		    (cpus.id_known && cpus.id.part != rows[i].part))
			fail_msg("%s: count %zu, part %x, kinds %zu, BogoMIPS %ld", rows[i].what,
				 cpus.count, cpus.id.part, cpus.kind_count,
				 (long)cpus.bogomips_x100);
		if (!rows[i].arch != !cpus.arch ||
		    (cpus.arch && strcmp(cpus.arch, rows[i].arch) != 0))
			fail_msg("%s: architecture %s", rows[i].what,
				 cpus.arch ? cpus.arch : "none");
		if (rows[i].feature ? !cpus_have(&cpus, rows[i].feature) : cpus.features.count)
			fail_msg("%s: features %s", rows[i].what,
				 names_join(&arena, &cpus.features, " "));
	}
	arena_release(&arena);
}

static void midr_is_as_linux_prints_it(void **state)
{
	static const struct cpu_id altra = {
		.implementer = 0x41, .part = 0xd0c, .variant = 3, .revision = 1};
	static const struct cpu_id cut = {
		.implementer = 0xc0, .part = 0xac4, .variant = CPU_ID_NOT_SHOWN, .revision = 0};
	static const struct cpu_id ac04 = {.implementer = 0xc0, .part = 0xac4};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_string_equal(cpu_midr(&arena, &altra), "0x413fd0c1");
	assert_string_equal(cpu_midr(&arena, &ac04), "0xc00fac40");
	assert_null(cpu_midr(&arena, &cut));
	arena_release(&arena);
}

/* /proc/cpuinfo hidden, midr_el1 not: seen where a container masks one of them. */
static void the_id_register_serves_without_cpuinfo(void **state)
{
	static const struct fact_table *const tables[] = {&cpu_facts};
	struct machine machine;

	(void)state;
	machine_open(&machine, "",
		     "\"/proc/cpuinfo\":{\"errno\":\"EACCES\"},"
		     "\"/sys/devices/system/cpu/cpu0/regs/identification/midr_el1\":"
		     "{\"text\":\"0x00000000413fd0c1\\n\"}",
		     tables, 1);
	assert_string_equal(machine_fact(&machine, "cpu.midr"), "0x413fd0c1");
	assert_int_equal(host_cpus(machine.host)->kind_count, 1);
	machine_close(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpuinfo_of_every_shape),
		cmocka_unit_test(midr_is_as_linux_prints_it),
		cmocka_unit_test(the_id_register_serves_without_cpuinfo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
