// SPDX-License-Identifier: BSD-2-Clause
/*
 * One case of dpdk-test-crypto-perf through bench's own functions, for tests:
 *
 *   bench-dpdk [OPTION]… stack
 *   bench-dpdk [OPTION]… verify SUITE CASE DEVICE SIZE…
 *   bench-dpdk [OPTION]… measure SUITE CASE DEVICE OPERATIONS SIZE…
 *   bench-dpdk [OPTION]… argv TEST SUITE CASE DEVICE OPERATIONS SIZE…    the words, one a line
 *
 * Options: --prefix DIR, --sysroot DIR, --cpu MODEL, --helper KAT-BENCH, --vectors DIR, --cores N,
 * --timeout MS, --processes N (as many times the same cores, as if they were nodes).
 * Exit status: 0, 2 could not be run, 4 wrong, 6 does not apply.
 */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "bench/dpdk.h"
#include "bench/stack.h"
#include "bench/suite.h"
#include "engine/eal.h"
#include "host/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POOL_BYTES ((int64_t)8192 * 2 * 4096)

struct test {
	struct arena arena;
	struct bench_stack_request request;
	struct bench_stack stack;
	struct eal_host cpus;
	struct eal_plan plan;
	struct dpdk_work work;
	const char *cores, *timeout, *processes;
};

static void exhausted(void)
{
	abort();
}

static int fail(const struct error *err)
{
	fprintf(stderr, "%s\n", err->text);
	return err->exit_code ? (int)err->exit_code : EXIT_TROUBLE;
}

static void print_piece(struct test *test, const char *name, const struct bench_piece *piece)
{
	printf("%s %s %s %s %s\n", name, piece->path ? piece->path : "-",
	       piece->version ? piece->version : "-", piece->arch ? piece->arch : "-",
	       piece->path ? names_join(&test->arena, &piece->emulator, " ") : piece->why);
}

static int print_stack(struct test *test)
{
	printf("origin %s\n", test->stack.origin);
	print_piece(test, "libcrypto", &test->stack.libcrypto);
	print_piece(test, "openssl", &test->stack.openssl);
	print_piece(test, "dpdk", &test->stack.dpdk);
	printf("devices %s\n", test->stack.devices_known
				       ? names_join(&test->arena, &test->stack.devices, " ")
				       : "not known");
	printf("emulated %d\n", test->stack.emulated);
	return EXIT_OK;
}

static int print_outcome(const struct dpdk_outcome *outcome)
{
	static const int codes[] = {
		[DPDK_DONE] = EXIT_OK,
		[DPDK_MISSING] = EXIT_UNSUPPORTED,
		[DPDK_FAILED] = EXIT_TROUBLE,
		[DPDK_WRONG] = EXIT_VERIFY,
		[DPDK_INTERRUPTED] = EXIT_TROUBLE,
	};

	if (outcome->reason)
		printf("reason %s\n", outcome->reason);
	return codes[outcome->end];
}

static int verify(struct test *test, const struct numbers *sizes)
{
	struct dpdk_outcome outcome;
	struct error err = {0};

	if (!dpdk_verify_published(&test->work, &outcome, &err))
		return fail(&err);
	if (outcome.end == DPDK_DONE)
		printf("published %zu right\n", test->work.options->published.count);
	for (size_t i = 0; i < sizes->count && outcome.end == DPDK_DONE; i++) {
		const char *note;

		if (!dpdk_verify_size(&test->work, sizes->items[i], &note, &outcome, &err))
			return fail(&err);
		if (outcome.end == DPDK_DONE)
			printf("size %" PRId64 " %s\n", sizes->items[i], note ? note : "right");
	}
	return print_outcome(&outcome);
}

static int measure(struct test *test, int64_t operations, const struct numbers *sizes)
{
	struct dpdk_measured measured;
	struct dpdk_outcome outcome;
	struct error err = {0};

	if (!dpdk_measure(&test->work, sizes, operations, &measured, &outcome, &err))
		return fail(&err);
	for (size_t i = 0; outcome.end == DPDK_DONE && i < measured.count; i++)
		printf("row %" PRId64 " %.4f Gbps %.4f MOps %.3f s: %s\n",
		       measured.rows[i].size_bytes, measured.rows[i].bytes_per_s * 8 / 1e9,
		       measured.rows[i].ops_per_s / 1e6, measured.rows[i].seconds,
		       measured.rows[i].dropped ? measured.rows[i].dropped : "kept");
	if (outcome.end == DPDK_DONE)
		printf("workers ran %.1f %% of their time, %" PRId64 " switches\n",
		       100 * measured.cpu_share, measured.switches);
	return print_outcome(&outcome);
}

static int print_argv(struct test *test, const char *name, int64_t operations,
		      const struct numbers *sizes)
{
	static const char *const names[] = {"throughput", "latency", "pmd-cyclecount"};
	struct cperf_request request = {.program = test->stack.dpdk.path,
					.options = test->work.options,
					.device = test->work.device,
					.process = &test->plan.processes[0],
					.prefix = EAL_PREFIX "test-0",
					.sizes = sizes,
					.burst = test->work.burst,
					.operations = operations};
	struct names argv = {0};
	struct error err = {0};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		request.test = strcmp(name, names[i]) == 0 ? (enum cperf_test)i : request.test;
	if (!cperf_argv(&test->arena, &request, &argv, &err))
		return fail(&err);
	printf("%s\n", names_join(&test->arena, &argv, "\n"));
	return EXIT_OK;
}

static bool take_option(struct test *test, const char *name, const char *value)
{
	const struct {
		const char *name;
		const char **into;
	} options[] = {
		{"--prefix", &test->request.prefix}, {"--sysroot", &test->request.sysroot},
		{"--cpu", &test->request.cpu},       {"--helper", &test->work.helper},
		{"--vectors", &test->work.vectors},  {"--cores", &test->cores},
		{"--timeout", &test->timeout},       {"--processes", &test->processes},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(name, options[i].name) == 0) {
			*options[i].into = value;
			return true;
		}
	}
	return false;
}

/* The same cores once more, as a machine of two nodes has them. */
static void multiply(struct test *test)
{
	struct eal_plan *plan = &test->plan;
	size_t times = strtoul(test->processes, NULL, 10);
	struct eal_process *processes;

	if (times < 2 || plan->count != 1)
		return;
	processes = arena_array(&test->arena, struct eal_process, times);
	for (size_t i = 0; i < times; i++)
		processes[i] = plan->processes[0];
	plan->processes = processes;
	plan->count = times;
	plan->cores *= times;
}

static bool prepare(struct test *test, char **words, struct error *err)
{
	const struct suite *suite;
	const struct suite_case *found;
	uint64_t cores;

	if (!view_u64(view_of(test->cores), 10, &cores) ||
	    !suite_load(&test->arena, words[0], &suite, err) ||
	    !eal_host_read(test->request.host, &test->cpus, err))
		return false;
	found = suite_find(suite, words[1]);
	if (!found || !found->dpdk)
		return error_set(err, "%s: no case of DPDK in %s", words[1], words[0]);
	eal_plan_cores(&test->arena, &test->cpus, (size_t)cores, false, POOL_BYTES, &test->plan);
	multiply(test);
	test->work.options = found->dpdk;
	test->work.name = found->name;
	test->work.device = words[2];
	test->work.burst = SUITE_BURST;
	test->work.cores = &test->plan;
	return true;
}

static int run(struct test *test, int count, char **words)
{
	struct numbers sizes = {0};
	struct error err = {0};
	const char *argv = NULL;
	bool timed;

	if (!bench_stack_find(&test->arena, &test->request, &test->stack, &err))
		return fail(&err);
	if (count == 1 && strcmp(words[0], "stack") == 0)
		return print_stack(test);
	if (count > 1 && strcmp(words[0], "argv") == 0) {
		argv = words[1];
		words++;
		count--;
	}
	timed = argv || (count > 0 && strcmp(words[0], "measure") == 0);
	if (count < 5)
		return EXIT_USAGE;
	test->work.stack = &test->stack;
	test->work.timeout_ms = (unsigned)strtoul(test->timeout, NULL, 10);
	if (!prepare(test, words + 1, &err))
		return fail(&err);
	if (test->plan.na || !test->stack.dpdk.path) {
		printf("reason %s\n", test->plan.na ? test->plan.na : test->stack.dpdk.why);
		return EXIT_UNSUPPORTED;
	}
	sizes.items = arena_array(&test->arena, int64_t, (size_t)count);
	for (int i = timed ? 5 : 4; i < count; i++)
		sizes.items[sizes.count++] = strtol(words[i], NULL, 10);
	if (argv)
		return print_argv(test, argv, strtol(words[4], NULL, 10), &sizes);
	return timed ? measure(test, strtol(words[4], NULL, 10), &sizes) : verify(test, &sizes);
}

int main(int argc, char **argv)
{
	struct test test = {.cores = "1", .timeout = "0", .processes = "1"};
	struct error err = {0};
	struct root *root;
	int i = 1, status;

	arena_init(&test.arena, ARENA_DEFAULT_MAX_BYTES);
	test.arena.exhausted = exhausted;
	test.work.arena = &test.arena;
	test.work.vectors = SOURCE_ROOT "/recipes/dpdk/vectors";
	root = root_open(&test.arena, NULL, &err);
	if (!root)
		return fail(&err);
	test.request.host = host_new(&test.arena, root);
	for (; i + 1 < argc && take_option(&test, argv[i], argv[i + 1]); i += 2)
		;
	status = run(&test, argc - i, argv + i);
	root_close(root);
	arena_release(&test.arena);
	return status;
}
