// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/eal.h"
#include "machine.h"

#define MB ((int64_t)1 << 20)
#define GB ((int64_t)1 << 30)

/* A machine of `nodes` nodes with `each` CPUs, without SMT. */
static struct eal_host machine_of(struct arena *arena, size_t nodes, uint32_t each)
{
	struct eal_host host = {.nodes = arena_array(arena, struct eal_node, nodes),
				.node_count = nodes,
				.why_no_huge = "no huge pages are reserved"};

	for (size_t i = 0; i < nodes; i++) {
		host.nodes[i] = (struct eal_node){.id = (uint32_t)i,
						  .cpus = arena_array(arena, uint32_t, each),
						  .cpu_count = each,
						  .core_count = each};
		for (uint32_t j = 0; j < each; j++)
			host.nodes[i].cpus[j] = (uint32_t)i * each + j;
	}
	return host;
}

/* "node 0: main 0, workers 1-2 | …", or why not. */
static const char *plan_text(struct arena *arena, const struct eal_host *host, size_t cores,
			     bool spread)
{
	struct buffer text = buffer_new(arena, 16 << 10);
	struct eal_plan plan;

	eal_plan_cores(arena, host, cores, spread, 20 * MB, &plan);
	if (plan.na) {
		assert_int_equal(plan.count, 0);
		return arena_printf(arena, "na: %s", plan.na);
	}
	for (size_t i = 0; i < plan.count; i++)
		buffer_printf(&text, "%snode %u: main %u, workers %s%s", i ? " | " : "",
			      plan.processes[i].node->id, plan.processes[i].main_cpu,
			      text_ranges(arena, plan.processes[i].workers,
					  plan.processes[i].worker_count),
			      plan.processes[i].shares_core ? " (shared)" : "");
	return buffer_string(&text);
}

static void cores_fill_as_few_nodes_as_will_do(void **state)
{
	static const struct {
		size_t nodes;
		uint32_t each;
		size_t cores;
		bool spread;
		const char *want;
	} rows[] = {
		{1, 2, 1, false, "node 0: main 0, workers 1"},
		{1, 2, 2, false,
		 "na: 2 workers want 3 CPUs, as the main lcore spins on one; 2 may be used"},
		{1, 1, 1, false,
		 "na: a worker wants 2 CPUs, as the main lcore spins on one; 1 may be used"},
		{1, 80, 64, false, "node 0: main 0, workers 1-64"},
		{2, 192, 191, false, "node 0: main 0, workers 1-191"},
		{2, 192, 192, false,
		 "node 0: main 0, workers 1-96 | node 1: main 192, workers 193-288"},
		{2, 192, 382, false,
		 "node 0: main 0, workers 1-191 | node 1: main 192, workers 193-383"},
		{2, 192, 383, false,
		 "na: 383 workers want 385 CPUs, as the main lcore of each node spins on one; 384 "
		 "may "
		 "be used"},
		{2, 192, 2, true, "node 0: main 0, workers 1 | node 1: main 192, workers 193"},
		{2, 192, 3, true, "node 0: main 0, workers 1-2 | node 1: main 192, workers 193"},
		{2, 192, 1, true, "node 0: main 0, workers 1"},
		{1, 384, 255, false, "node 0: main 0, workers 1-255"},
		{1, 384, 256, false,
		 "na: 256 workers are more than the 255 of one process per node"},
		{1, 2, 0, false, "na: no cores were asked for"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena arena = {0};
		struct eal_host host;

		arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
		host = machine_of(&arena, rows[i].nodes, rows[i].each);
		assert_string_equal(plan_text(&arena, &host, rows[i].cores, rows[i].spread),
				    rows[i].want);
		arena_release(&arena);
	}
}

/* No worker may ever be a main lcore, and none is there twice. */
static void every_count_is_whole_or_not_at_all(void **state)
{
	struct arena arena = {0};

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t cores = 1; cores <= 24; cores++) {
		struct eal_host host = machine_of(&arena, 3, 8);
		bool seen[24] = {false};
		struct eal_plan plan;
		size_t total = 0;

		eal_plan_cores(&arena, &host, cores, cores % 2, 20 * MB, &plan);
		assert_int_equal(!plan.na, cores <= 21);
		for (size_t i = 0; i < plan.count; i++) {
			const struct eal_process *process = &plan.processes[i];

			total += process->worker_count;
			assert_false(seen[process->main_cpu]);
			seen[process->main_cpu] = true;
			assert_int_equal(process->main_cpu / 8, process->node->id);
			for (size_t j = 0; j < process->worker_count; j++) {
				assert_int_equal(process->workers[j] / 8, process->node->id);
				assert_false(seen[process->workers[j]]);
				seen[process->workers[j]] = true;
			}
		}
		assert_int_equal(total, plan.na ? 0 : cores);
	}
	arena_release(&arena);
}

static void isolated_cores_are_workers_first(void **state)
{
	struct arena arena = {0};
	struct eal_host host;
	uint32_t cpus[] = {6, 7, 0, 1, 2, 3, 4, 5};

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	host = machine_of(&arena, 1, 8);
	host.nodes[0].cpus = cpus;
	host.nodes[0].isolated = 2;
	assert_string_equal(plan_text(&arena, &host, 1, false), "node 0: main 0, workers 6");
	assert_string_equal(plan_text(&arena, &host, 3, false), "node 0: main 0, workers 1,6-7");
	host.nodes[0].isolated = 8;
	assert_string_equal(plan_text(&arena, &host, 1, false), "node 0: main 5, workers 6");
	arena_release(&arena);
}

/* Two threads a core: 0-3 and 4-7 are siblings. */
static void siblings_stay_idle_unless_they_are_asked_for(void **state)
{
	struct arena arena = {0};
	struct eal_host host;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	host = machine_of(&arena, 1, 8);
	host.nodes[0].core_count = 4;
	assert_string_equal(plan_text(&arena, &host, 3, false), "node 0: main 0, workers 1-3");
	assert_string_equal(plan_text(&arena, &host, 4, false),
			    "na: 4 workers want 5 cores, as the main lcore spins on one; 4 may be "
			    "used");
	host.threads = true;
	assert_string_equal(plan_text(&arena, &host, 7, false),
			    "node 0: main 0, workers 1-7 (shared)");
	host = machine_of(&arena, 1, 2);
	host.nodes[0].core_count = 1;
	assert_string_equal(plan_text(&arena, &host, 1, false),
			    "node 0: main 1, workers 0 (shared)");
	arena_release(&arena);
}

static void memory_comes_from_free_huge_pages_of_the_node(void **state)
{
	static const struct {
		int64_t page, free, available;
		size_t cores;
		bool huge;
		int64_t bytes;
		const char *why;
	} rows[] = {
		{2 * MB, GB, 0, 1, true, 84 * MB, NULL},
		{512 * MB, GB, 0, 1, true, 512 * MB, NULL},
		{GB, GB, 0, 7, true, GB, NULL},
		{2 * MB, 82 * MB, 0, 1, false, 84 * MB,
		 "node 0 has 82 MB of free huge pages, 84 MB are needed"},
		{0, 0, GB, 1, false, 84 * MB, "no huge pages are reserved"},
		{0, 0, 200 * MB, 7, false, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena arena = {0};
		struct eal_host host;
		struct eal_plan plan;

		arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
		host = machine_of(&arena, 1, 8);
		host.nodes[0].huge_page_bytes = rows[i].page;
		host.nodes[0].huge_bytes = rows[i].free;
		host.available_bytes = rows[i].available;
		eal_plan_cores(&arena, &host, rows[i].cores, false, 20 * MB, &plan);
		if (!rows[i].bytes) {
			assert_string_equal(plan.na, "the pools need 204 MB, 200 MB are available");
			arena_release(&arena);
			continue;
		}
		assert_null(plan.na);
		assert_int_equal(plan.processes[0].huge, rows[i].huge);
		assert_int_equal(plan.processes[0].memory_bytes, rows[i].bytes);
		assert_int_equal(!plan.processes[0].why_no_huge, !rows[i].why);
		if (rows[i].why)
			assert_string_equal(plan.processes[0].why_no_huge, rows[i].why);
		arena_release(&arena);
	}
}

static void huge_pages_of_one_node_do_not_serve_the_other(void **state)
{
	struct arena arena = {0};
	struct eal_host host;
	struct eal_plan plan;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	host = machine_of(&arena, 2, 4);
	host.nodes[1].huge_page_bytes = 2 * MB;
	host.nodes[1].huge_bytes = GB;
	host.why_no_huge = NULL;
	eal_plan_cores(&arena, &host, 2, true, 20 * MB, &plan);
	assert_false(plan.processes[0].huge);
	assert_string_equal(plan.processes[0].why_no_huge, "node 0 has no free huge pages");
	assert_true(plan.processes[1].huge);
	arena_release(&arena);
}

#define TEXT(path, text) "\"" path "\":{\"text\":\"" text "\\n\"}"
#define CPU(path, text) TEXT("/sys/devices/system/cpu/" path, text)
#define NODE(path, text) TEXT("/sys/devices/system/node/" path, text)
#define SIBLINGS(n, text) CPU("cpu" n "/topology/core_cpus_list", text)
#define PAIRS                                                                                      \
	SIBLINGS("0", "0,4")                                                                       \
	"," SIBLINGS("1", "1,5") "," SIBLINGS("2", "2,6") "," SIBLINGS("3", "3,7") "," SIBLINGS(   \
		"4", "0,4") "," SIBLINGS("5", "1,5") "," SIBLINGS("6", "2,6") "," SIBLINGS("7",    \
											   "3,7")
#define POOL(where, kb, pages, free)                                                               \
	TEXT(where "/hugepages-" kb "kB/nr_hugepages", pages)                                      \
	"," TEXT(where "/hugepages-" kb "kB/free_hugepages",                                       \
		 free) "," TEXT(where "/hugepages-" kb "kB/surplus_hugepages", "0")
#define SYSTEM "/sys/kernel/mm/hugepages"
#define NODE_POOL(n, kb, pages, free)                                                              \
	POOL("/sys/devices/system/node/node" n "/hugepages", kb, pages, free)
#define EMPTY POOL(SYSTEM, "2048", "0", "0")
#define ONE_NODE(cpus) NODE("online", "0") "," NODE("node0/cpulist", cpus)

/* The third node has memory only; the second has all huge pages. */
#define THREE_NODES                                                                                \
	CPU("online", "0-3")                                                                       \
	"," SIBLINGS("0", "0") "," NODE("online", "0-2") "," NODE(                                 \
		"node0/cpulist", "0-1") "," NODE("node1/cpulist", "2-3") "," NODE("node2/cpulist", \
										  "")
#define ONE_POOL                                                                                   \
	POOL(SYSTEM, "2048", "512", "256")                                                         \
	"," NODE_POOL("0", "2048", "0", "0") "," NODE_POOL(                                        \
		"1", "2048", "512", "256") "," NODE_POOL("2", "2048", "0", "0")

static const struct {
	const char *name, *questions;
	uint32_t allowed[8];
	size_t allowed_count; /* 0: all */
	const char *want;
} hosts[] = {
	{"Altra with 80 cores",
	 CPU("online", "0-79") "," SIBLINGS("0", "0") "," ONE_NODE("0-79") "," EMPTY,
	 .want = "node 0: 0-79, 80 cores, 0 isolated, no huge pages (no huge pages are reserved)"},
	{"a cpuset of 2 of 8",
	 CPU("online", "0-7") "," SIBLINGS("0", "0") "," ONE_NODE("0-7") "," EMPTY,
	 .allowed = {3, 5}, .allowed_count = 2,
	 .want = "node 0: 3 5, 2 cores, 0 isolated, no huge pages (no huge pages are reserved)"},
	{"two threads a core", CPU("online", "0-7") "," PAIRS "," ONE_NODE("0-7") "," EMPTY,
	 .want = "node 0: 0-7, 4 cores, 0 isolated, no huge pages (no huge pages are reserved)"},
	{"the second threads alone are cores",
	 CPU("online", "0-7") "," PAIRS "," ONE_NODE("0-7") "," EMPTY, .allowed = {1, 4, 5, 6},
	 .allowed_count = 4,
	 .want = "node 0: 1 4 6 5, 3 cores, 0 isolated, no huge pages (no huge pages are "
		 "reserved)"},
	{"isolated CPUs stand first",
	 CPU("online", "0-7") "," CPU("isolated",
				      "2,6-7") "," SIBLINGS("0", "0") "," ONE_NODE("0-7") "," EMPTY,
	 .want = "node 0: 2 6-7 0-1 3-5, 8 cores, 3 isolated, no huge pages (no huge pages are "
		 "reserved)"},
	{"offline CPUs are not there",
	 CPU("online", "0-2,5") "," SIBLINGS("0", "0") "," ONE_NODE("0-7") "," EMPTY,
	 .want = "node 0: 0-2 5, 4 cores, 0 isolated, no huge pages (no huge pages are reserved)"},
	{"a node without CPUs, pages on one node", THREE_NODES "," ONE_POOL,
	 .want = "node 0: 0-1, 2 cores, 0 isolated, no huge pages | node 1: 2-3, 2 cores, 0 "
		 "isolated, 512 MB of 2 MB"},
	{"pages of 512 MB",
	 CPU("online", "0-3") "," SIBLINGS("0", "0") "," ONE_NODE("0-3") "," POOL(
		 SYSTEM, "524288", "4", "3") "," NODE_POOL("0", "524288", "4", "3"),
	 .want = "node 0: 0-3, 4 cores, 0 isolated, 1536 MB of 512 MB"},
	{"all pages in use",
	 CPU("online", "0-3") "," SIBLINGS("0", "0") "," ONE_NODE("0-3") "," POOL(
		 SYSTEM, "2048", "512", "0") "," NODE_POOL("0", "2048", "512", "0"),
	 .want = "node 0: 0-3, 4 cores, 0 isolated, no huge pages (all huge pages are in use)"},
	{"a kernel without NUMA",
	 CPU("online", "0-1") "," SIBLINGS("0", "0") "," POOL(SYSTEM, "2048", "8", "8"),
	 .want = "node 0: 0-1, 2 cores, 0 isolated, 16 MB of 2 MB"},
};

static const char *host_text(struct arena *arena, const struct eal_host *host)
{
	struct buffer text = buffer_new(arena, 16 << 10);

	for (size_t i = 0; i < host->node_count; i++) {
		const struct eal_node *node = &host->nodes[i];

		buffer_printf(&text, "%snode %u:", i ? " | " : "", node->id);
		/* Runs of numbers that follow each other, in the order given. */
		for (size_t j = 0, end; j < node->cpu_count; j = end) {
			for (end = j + 1;
			     end < node->cpu_count && node->cpus[end] == node->cpus[end - 1] + 1;)
				end++;
			buffer_printf(&text, end - j > 1 ? " %u-%u" : " %u", node->cpus[j],
				      node->cpus[end - 1]);
		}
		buffer_printf(&text, ", %zu cores, %zu isolated, ", node->core_count,
			      node->isolated);
		if (node->huge_bytes)
			buffer_printf(&text, "%d MB of %d MB", (int)(node->huge_bytes / MB),
				      (int)(node->huge_page_bytes / MB));
		else
			buffer_text(&text, "no huge pages");
	}
	if (host->why_no_huge)
		buffer_printf(&text, " (%s)", host->why_no_huge);
	return buffer_string(&text);
}

static void a_host_gives_its_cores_and_pages(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		struct machine machine;
		struct eal_host host;
		struct error err = {0};

		machine_open(&machine, "\"arch\":\"aarch64\"", hosts[i].questions, NULL, 0);
		if (!eal_host_of(machine.host, hosts[i].allowed_count ? hosts[i].allowed : NULL,
				 hosts[i].allowed_count, &host, &err))
			fail_msg("%s: %s", hosts[i].name, err.text);
		if (strcmp(host_text(&machine.arena, &host), hosts[i].want) != 0)
			fail_msg("%s: %s", hosts[i].name, host_text(&machine.arena, &host));
		machine_close(&machine);
	}
}

static void a_host_without_cpus_is_an_error(void **state)
{
	struct machine machine;
	struct eal_host host;
	struct error err = {0};
	const uint32_t other = 9;

	(void)state;
	machine_open(&machine, "", ONE_NODE("0"), NULL, 0);
	assert_false(eal_host_of(machine.host, NULL, 0, &host, &err));
	assert_non_null(strstr(err.text, "cpu/online"));
	machine_close(&machine);
	machine_open(&machine, "", CPU("online", "0-1") "," ONE_NODE("0-1"), NULL, 0);
	assert_false(eal_host_of(machine.host, &other, 1, &host, &err));
	machine_close(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_fill_as_few_nodes_as_will_do),
		cmocka_unit_test(every_count_is_whole_or_not_at_all),
		cmocka_unit_test(isolated_cores_are_workers_first),
		cmocka_unit_test(siblings_stay_idle_unless_they_are_asked_for),
		cmocka_unit_test(memory_comes_from_free_huge_pages_of_the_node),
		cmocka_unit_test(huge_pages_of_one_node_do_not_serve_the_other),
		cmocka_unit_test(a_host_gives_its_cores_and_pages),
		cmocka_unit_test(a_host_without_cpus_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
