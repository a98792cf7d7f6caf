// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/hugepages.h"
#include "host/kernel.h"

#include "machine.h"

static const struct fact_table *const tables[] = {&hugepages_facts, &kernel_facts};

static const struct {
	const char *name;
	size_t count;
	int64_t kb[4], page_kb;
} page_rows[] = {
	{"64K kernel", 3, {2048, 524288, 16777216}, 64},
	{"4K kernel", 4, {64, 2048, 32768, 1048576}, 4},
	{"16K kernel", 3, {2048, 32768, 1048576}, 16},
	{"2 MB alone", 1, {2048}, 0},
	{"x86 or old arm64", 2, {2048, 1048576}, 0},
	{"512 MB alone", 1, {524288}, 64},
	{"64 KB alone", 1, {64}, 4},
	{"no pool", 0, {0}, 0},
	{"a size no kernel has", 2, {2048, 4096}, 0},
};

/* Sizes of Documentation/arch/arm64/hugetlbpage; a 64 KB kernel's list is a real one. */
static void the_page_size_follows_from_all_pools_never_from_2_mb_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(page_rows) / sizeof(page_rows[0]); i++) {
		int64_t sizes[4];

		for (size_t j = 0; j < page_rows[i].count; j++)
			sizes[j] = page_rows[i].kb[j] << 10;
		if (hugepages_base_page(sizes, page_rows[i].count) != page_rows[i].page_kb << 10)
			fail_msg("%s", page_rows[i].name);
	}
}

static void map_files_are_told_by_their_name(void **state)
{
	static const struct {
		const char *name;
		bool map;
	} rows[] = {
		{"rtemap_0", true}, {"nwlrbbmqbhmap_12", true}, {"map_1", false},
		{"rtemap_", false}, {"rtemap_1x", false},       {"libvirt", false},
		{"", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(hugepages_is_map_file(rows[i].name), rows[i].map);
}

#define POOL(where, kb, pages, free)                                                               \
	"\"" where "/hugepages-" kb "kB/nr_hugepages\":{\"text\":\"" pages "\\n\"},"               \
	"\"" where "/hugepages-" kb "kB/free_hugepages\":{\"text\":\"" free "\\n\"},"              \
	"\"" where "/hugepages-" kb "kB/surplus_hugepages\":{\"text\":\"0\\n\"}"
#define SYSTEM "/sys/kernel/mm/hugepages"
#define NODE(n) "/sys/devices/system/node/node" n "/hugepages"
#define NODE_FILE(path, text) "\"/sys/devices/system/node/" path "\":{\"text\":\"" text "\\n\"}"
#define NODE_0 NODE_FILE("online", "0") "," NODE_FILE("node0/cpulist", "0-79")
#define NODES_0_1                                                                                  \
	NODE_FILE("online", "0-1")                                                                 \
	"," NODE_FILE("node0/cpulist", "0-79") "," NODE_FILE("node1/cpulist", "80-159")
#define NODE_1_WITHOUT_CPUS                                                                        \
	NODE_FILE("online", "0-1")                                                                 \
	"," NODE_FILE("node0/cpulist", "0-79") "," NODE_FILE("node1/cpulist", "")
#define MOUNTS(lines) "\"/proc/mounts\":{\"text\":\"" lines "\"}"
#define ALTRA "\"arch\":\"aarch64\",\"page_size_bytes\":4096"

struct row {
	const char *name, *questions, *fact, *want;
};

static const struct row rows_4k[] = {
	{"no huge pages in this kernel", NODE_0, "hugepages.free",
	 "none: this kernel has no huge pages (no /sys/kernel/mm/hugepages)"},
	{"free counts, not the total: 16 of 9000 after a failed start",
	 POOL(SYSTEM, "2048", "9000", "16") "," POOL(NODE("0"), "2048", "9000", "16") "," NODE_0,
	 "hugepages.nodes-short", "node 0 has 32 MB free, wants 1 GB"},
	{"an empty 1 GB pool beside a filled 2 MB pool is no fault",
	 POOL(SYSTEM, "2048", "1024", "1024") "," POOL(SYSTEM, "1048576", "0", "0") "," POOL(
		 NODE("0"), "2048", "1024", "1024") "," POOL(NODE("0"), "1048576", "0",
							     "0") "," NODE_0,
	 "hugepages.nodes-short", "none"},
	{"every page on one of two nodes with CPUs",
	 POOL(SYSTEM, "2048", "1024", "1024") "," POOL(NODE("0"), "2048", "1024", "1024") "," POOL(
		 NODE("1"), "2048", "0", "0") "," NODES_0_1,
	 "hugepages.nodes-short", "node 1 has 0 KB free, wants 1 GB"},
	{"a node without CPUs needs none",
	 POOL(SYSTEM, "2048", "1024", "1024") "," POOL(NODE("0"), "2048", "1024",
						       "1024") "," NODE_1_WITHOUT_CPUS,
	 "hugepages.nodes-short", "none"},
	{"a kernel without NUMA", POOL(SYSTEM, "2048", "1024", "256"), "hugepages.nodes-short",
	 "512 MB free, wants 1 GB"},
	{"no node with CPUs",
	 POOL(SYSTEM, "2048", "0", "0") "," NODE_FILE("online", "0") "," NODE_FILE("node0/cpulist",
										   ""),
	 "hugepages.nodes-short", "unknown: no node of /sys/devices/system/node/online has CPUs"},
	{"the nodes are denied",
	 POOL(SYSTEM, "2048", "0",
	      "0") ",\"/sys/devices/system/node/online\":{\"errno\":\"EACCES\"}",
	 "hugepages.nodes-short", "unknown: /sys/devices/system/node/online needs root"},
	{"nodes whose list is gone",
	 POOL(SYSTEM, "2048", "1024", "1024") "," NODE_FILE("node0/cpulist", "0-79"),
	 "hugepages.nodes-short",
	 "unknown: /sys/devices/system/node/online does not hold what it should"},
	{"two sizes count together",
	 POOL(SYSTEM, "2048", "256", "256") "," POOL(SYSTEM, "1048576", "1", "1") "," POOL(
		 NODE("0"), "2048", "256", "256") "," POOL(NODE("0"), "1048576", "1",
							   "1") "," NODE_0,
	 "hugepages.nodes-short", "none"},
	{"a node without memory has no pools", POOL(SYSTEM, "2048", "1024", "1024") "," NODE_0,
	 "hugepages.nodes-short", "node 0 has 0 KB free, wants 1 GB"},
	{"a pool of the system is missing",
	 POOL(SYSTEM, "2048", "1024", "1024") "," POOL(NODE("0"), "2048", "1024", "1024") "," POOL(
		 NODE("0"), "1048576", "0", "0") "," NODE_0,
	 "hugepages.nodes-short",
	 "unknown: /sys/devices/system/node/node0/hugepages does not hold what it should"},
	{"a pool that is not a number", POOL(SYSTEM, "2048", "many", "1024") "," NODE_0,
	 "hugepages.nodes-short",
	 "unknown: /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages does not hold what "
	 "it should"},
	{"a denied pool",
	 "\"" SYSTEM "/hugepages-2048kB/nr_hugepages\":{\"errno\":\"EACCES\"}," NODE_0,
	 "hugepages.free",
	 "unknown: /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages needs root"},
	{"no pages, no opinion on their size", POOL(SYSTEM, "2048", "0", "0") "," NODE_0,
	 "hugepages.small", "none: no huge page is reserved"},
	{"pages of 64 KB where one entry maps 2 MB",
	 POOL(SYSTEM, "64", "100", "100") "," POOL(NODE("0"), "64", "100", "100") "," NODE_0,
	 "hugepages.small", "100 pages of 64 KB, wants 2 MB or more"},
	{"pages without a mount of their size",
	 POOL(SYSTEM, "2048", "1", "1") "," POOL(SYSTEM, "1048576", "1", "1") "," POOL(
		 NODE("0"), "2048", "1",
		 "1") "," POOL(NODE("0"), "1048576", "1",
			       "1") "," NODE_0
				    "," MOUNTS("hugetlbfs /dev/hugepages hugetlbfs "
					       "rw,relatime,pagesize=2M 0 0\\n") ",\"/dev/"
										 "hugepages\":{"
										 "\"list\":[]}",
	 "hugepages.not-mounted", "1 GB"},
	{"an older mount line without pagesize is of the default size",
	 POOL(SYSTEM, "2048", "1", "1") "," POOL(
		 NODE("0"), "2048", "1",
		 "1") "," NODE_0 ","
		      "\"/proc/meminfo\":{\"text\":\"HugePages_Total:       1\\nHugepagesize:      "
		      " 2048 kB\\n\"}," MOUNTS(
			      "none /mnt/huge hugetlbfs rw 0 0\\n") ",\"/mnt/huge\":{\"list\":[]}",
	 "hugepages.not-mounted", "none"},
	{"map files keep their pages",
	 POOL(SYSTEM, "2048", "1", "0") "," POOL(NODE("0"), "2048", "1", "0") "," NODE_0 "," MOUNTS(
		 "none /mnt/huge hugetlbfs rw 0 0\\n") ",\"/mnt/"
						       "huge\":{\"list\":[\"rtemap_0\",\"rtemap_"
						       "1\",\"libvirt\"]}",
	 "hugepages.map-files", "2 map files in /mnt/huge, possibly stale"},
	{"a mount that only root may list",
	 NODE_0
	 "," MOUNTS("none /mnt/huge hugetlbfs rw 0 0\\n") ",\"/mnt/huge\":{\"errno\":\"EACCES\"}",
	 "hugepages.map-files", "unknown: /mnt/huge needs root"},
	{"no /proc", NODE_0, "hugepages.map-files",
	 "unknown: /proc/mounts is missing: is /proc mounted?"},
};

/* EAL reads only free pages, so a filled 2 MB pool works on a 64 KB kernel; it is the size that is
 * poor. */
static const struct row rows_64k[] = {
	{"2 MB pages on a 64 KB kernel",
	 POOL(SYSTEM, "2048", "8192", "8192") "," POOL(SYSTEM, "524288", "0", "0") "," POOL(
		 SYSTEM, "16777216", "0",
		 "0") "," POOL(NODE("0"), "2048", "8192",
			       "8192") "," POOL(NODE("0"), "524288", "0",
						"0") "," POOL(NODE("0"), "16777216", "0",
							      "0") "," NODE_0,
	 "hugepages.small", "8192 pages of 2 MB, wants 512 MB or more"},
	{"512 MB pages on a 64 KB kernel",
	 POOL(SYSTEM, "2048", "0", "0") "," POOL(SYSTEM, "524288", "100", "100") "," POOL(
		 NODE("0"), "524288", "100", "100") "," POOL(NODE("0"), "2048", "0",
							     "0") "," NODE_0,
	 "hugepages.small", "none"},
};

static void judge(const struct row *rows, size_t count, const char *live)
{
	for (size_t i = 0; i < count; i++) {
		struct machine machine;
		const char *got;

		machine_open(&machine, live, rows[i].questions, tables, 2);
		got = machine_fact(&machine, rows[i].fact);
		if (strcmp(got, rows[i].want) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", rows[i].name, rows[i].fact, got,
				 rows[i].want);
		machine_close(&machine);
	}
}

static void pools_are_judged_by_what_is_free_on_nodes_with_cpus(void **state)
{
	(void)state;
	judge(rows_4k, sizeof(rows_4k) / sizeof(rows_4k[0]), ALTRA);
	judge(rows_64k, sizeof(rows_64k) / sizeof(rows_64k[0]), "\"arch\":\"aarch64\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_size_follows_from_all_pools_never_from_2_mb_alone),
		cmocka_unit_test(map_files_are_told_by_their_name),
		cmocka_unit_test(pools_are_judged_by_what_is_free_on_nodes_with_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
