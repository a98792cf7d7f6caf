// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "catalog/identity.h"
#include "catalog/measure.h"
#include "catalog/profile.h"

#include "machine.h"

#include <string.h>

#define MHZ 1000000

/* What the facts judged here look at beside what was measured; the role carries the hypervisor. */
static struct value read_vm(struct facts *facts, const char *of)
{
	(void)of;
	return facts->role ? value_text(facts->role)
			   : value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE, "no sign seen");
}

static struct value no_limit(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_none("there is no cpufreq");
}

static struct value limit_2600(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_number((int64_t)2600 * MHZ);
}

static struct value floor_2970(struct facts *facts, const char *of)
{
	(void)facts;
	(void)of;
	return value_number((int64_t)2970 * MHZ);
}

static const struct fact free_rows[] = {
	{.name = "virtualization.vm", .read = read_vm},
	{.name = "cpufreq.limit", .read = no_limit},
	{.name = "cpu.rated-floor", .read = floor_2970},
};

static const struct fact limited_rows[] = {
	{.name = "virtualization.vm", .read = read_vm},
	{.name = "cpufreq.limit", .read = limit_2600},
	{.name = "cpu.rated-floor", .read = floor_2970},
};

static const struct fact_table free_table = FACT_TABLE(free_rows),
			       limited_table = FACT_TABLE(limited_rows);
static const struct fact_table *const free_tables[] = {&free_table, &measure_facts,
						       &identity_facts};
static const struct fact_table *const limited_tables[] = {&limited_table, &measure_facts,
							  &identity_facts};
static const struct cpu_profile ampere = {.ampere = true};

static void open_measured(struct machine *machine, bool limited, const char *vm,
			  const struct measure *measure)
{
	machine_open(machine, "", "", limited ? limited_tables : free_tables, 3);
	machine->facts.role = vm;
	machine->facts.measure = measure;
	machine->facts.profile = &ampere;
}

#define CLOCKS(hz) ((const double[]){(hz)*0.999, (hz), (hz)*1.001})
/* Ten ms, all of them its own. */
#define QUIET                                                                                      \
	{                                                                                          \
		"clock", 0, 1, 10000000, 10000000, 0, 0                                            \
	}

#define NODE(id, mhz, ...)                                                                         \
	{                                                                                          \
		.node = (id), .cpu = (id) + 3, .clock_source = "chain",                            \
		.clocks_hz = CLOCKS((mhz)*1e6), .clock_count = 3,                                  \
		.batches = (const struct measure_batch[]){__VA_ARGS__},                            \
		.batch_count = sizeof((const struct measure_batch[]){__VA_ARGS__}) /               \
			       sizeof(struct measure_batch),                                       \
	}

static void the_clock_is_that_of_the_slowest_node(void **state)
{
	struct measure_node nodes[] = {NODE(0, 3000, QUIET), NODE(1, 2800, QUIET)};
	const struct measure measure = {nodes, 2, NULL};
	const struct value *value;
	struct machine machine;

	(void)state;
	open_measured(&machine, false, "none", &measure);
	value = facts_get(&machine.facts, "cpu.measured-clock");
	assert_int_equal(value->kind, VALUE_NUMBER);
	assert_int_equal(value->number, (int64_t)2800 * MHZ);
	assert_int_equal(value->evidence_count, 2);
	assert_string_equal(value->evidence[0].path, "measured on CPU 3");
	assert_int_equal(value->evidence[0].confidence, CONFIDENCE_INFERRED);
	assert_string_equal(value->evidence[1].raw, "2800 MHz, from 2797 to 2803, by a chain of "
						    "dependent operations");
	/* No cpufreq: this is what the cores reach. */
	value = facts_get(&machine.facts, "cpu.reachable-clock");
	assert_int_equal(value->number, (int64_t)2800 * MHZ);
	machine_close(&machine);
	/* Counted by the core itself it is direct, and of cpufreq's limit and it the lower counts.
	 */
	nodes[0].clock_source = nodes[1].clock_source = "pmu";
	open_measured(&machine, true, "none", &measure);
	value = facts_get(&machine.facts, "cpu.measured-clock");
	assert_int_equal(value->evidence[0].confidence, CONFIDENCE_DIRECT);
	value = facts_get(&machine.facts, "cpu.reachable-clock");
	assert_int_equal(value->number, (int64_t)2600 * MHZ);
	machine_close(&machine);
	nodes[1].clocks_hz = CLOCKS(2e9);
	open_measured(&machine, true, "none", &measure);
	value = facts_get(&machine.facts, "cpu.reachable-clock");
	assert_int_equal(value->number, (int64_t)2000 * MHZ);
	machine_close(&machine);
}

static void what_disturbs_makes_it_unknown(void **state)
{
	const struct {
		const char *vm;
		struct measure_node node;
		const char *why;
	} rows[] = {
		{"kvm", NODE(0, 3000, QUIET),
		 "this is a virtual machine (kvm), so what was measured is not the core's clock"},
		{"qemu", NODE(0, 90, QUIET),
		 "this is a virtual machine (qemu), so what was measured is not the core's clock"},
		{NULL, NODE(0, 3000, QUIET),
		 "whether this is a virtual machine is not known, so what was measured is not the "
		 "core's clock"},
		{"none", NODE(0, 3000, {"clock", 0, 1, 10000000, 9600000, 0, -1}),
		 "CPU 3 was busy: 96 % of it was to be had"},
		{"none", NODE(0, 3000, {"clock", 0, 1, 10000000, 9990000, 2, 0}),
		 "CPU 3 was busy: 2 times something else ran"},
		{"none", NODE(0, 3000, {"clock", 0, 1, 10000000, 9990000, 0, 1}),
		 "the hypervisor gave CPU 3 to others meanwhile"},
		{"none",
		 {.node = 0,
		  .cpu = 3,
		  .clock_source = "chain",
		  .clocks_hz = (const double[]){1e9, 2.9e9, 3e9},
		  .clock_count = 3,
		  .batches = (const struct measure_batch[]){QUIET},
		  .batch_count = 1},
		 "the clock of CPU 3 went from 1000 to 3000 MHz"},
		{"none", {.node = 0, .cpu = 3, .clock_source = "chain"}, "CPU 3 gave no clock"},
		{"none",
		 {.node = 0, .cpu = 3, .error = "CPU 3 is not given to this process"},
		 "CPU 3 is not given to this process"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct measure_node nodes[] = {NODE(1, 3000, QUIET), rows[i].node};
		const struct measure measure = {nodes, 2, NULL};
		const struct value *value;
		struct machine machine;

		open_measured(&machine, false, rows[i].vm, &measure);
		value = facts_get(&machine.facts, "cpu.measured-clock");
		assert_int_equal(value->kind, VALUE_UNKNOWN);
		assert_string_equal(value->why, rows[i].why);
		value = facts_get(&machine.facts, "cpu.reachable-clock");
		assert_int_equal(value->kind, VALUE_UNKNOWN);
		assert_non_null(strstr(value->why, rows[i].why));
		machine_close(&machine);
	}
}

static void nothing_measured_is_unknown(void **state)
{
	const struct measure none = {NULL, 0, "cpu/online: cannot be read"};
	struct machine machine;

	(void)state;
	open_measured(&machine, false, "none", NULL);
	assert_string_equal(machine_fact(&machine, "cpu.measured-clock"),
			    "unknown: the clock was not measured, add --measure");
	assert_string_equal(machine_fact(&machine, "firmware.prefetch"),
			    "unknown: this setting leaves no trace that the kernel shows");
	machine_close(&machine);
	open_measured(&machine, false, "none", &none);
	assert_string_equal(machine_fact(&machine, "cpu.measured-clock"),
			    "unknown: cpu/online: cannot be read");
	machine_close(&machine);
}

#define MIB(n) ((int64_t)(n) << 20)
/* A million steps of so many tenths of a ns. */
#define WALK(name, mib, tenths)                                                                    \
	{                                                                                          \
		(name), MIB(mib), 1000000, (tenths)*100000, (tenths)*100000, 0, 0                  \
	}

/* Limits of measure.c: a third of a random step is guessed, 4/5 of it and more is not. */
static void walks_are_evidence_and_never_a_verdict(void **state)
{
	const struct {
		const char *vm;
		struct measure_node node;
		const char *end; /* of the reason */
	} rows[] = {
		{"none",
		 NODE(0, 3000, QUIET, WALK("stride-64", 8, 15), WALK("stride-256", 8, 21),
		      WALK("chase", 8, 310), WALK("chase", 64, 1100)),
		 "; measured: node 0, CPU 3: a stride of 256 bytes over 8 MiB 2.1 ns, a random "
		 "chase over 8 MiB 31.0 ns: prefetching is likely on"},
		{"none",
		 NODE(0, 3000, QUIET, WALK("stride-64", 8, 300), WALK("stride-256", 8, 305),
		      WALK("chase", 8, 310)),
		 "31.0 ns: no sign of prefetching"},
		{"none",
		 NODE(0, 3000, QUIET, WALK("stride-64", 8, 200), WALK("stride-256", 8, 305),
		      WALK("chase", 8, 310)),
		 "31.0 ns: which decides nothing"},
		{"kvm",
		 NODE(0, 3000, QUIET, WALK("stride-64", 8, 15), WALK("stride-256", 8, 21),
		      WALK("chase", 8, 310)),
		 "31.0 ns"},
		{"none",
		 NODE(0, 3000, QUIET, WALK("stride-256", 8, 21),
		      {"chase", MIB(8), 1000000, 62000000, 31000000, 9, 0}),
		 "31.0 ns: CPU 3 was busy: 58 % of it was to be had"},
		/* Of all batches 43.1 of 74.1 ms were its own. Another size is no comparison;
		   nothing measured says nothing. */
		{"none", NODE(0, 3000, QUIET, WALK("stride-256", 8, 21), WALK("chase", 64, 310)),
		 "no trace that the kernel shows"},
		{"none", {.node = 0, .cpu = 3, .error = "x"}, "no trace that the kernel shows"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct measure_node node = rows[i].node;
		const struct measure measure = {&node, 1, NULL};
		const struct value *value;
		struct machine machine;
		size_t size;

		open_measured(&machine, false, rows[i].vm, &measure);
		value = facts_get(&machine.facts, "firmware.prefetch");
		assert_int_equal(value->kind, VALUE_UNKNOWN);
		size = strlen(value->why);
		assert_true(size >= strlen(rows[i].end));
		assert_string_equal(value->why + size - strlen(rows[i].end), rows[i].end);
		value = facts_get(&machine.facts, "firmware.slc-replacement");
		assert_int_equal(value->kind, VALUE_UNKNOWN);
		machine_close(&machine);
	}
}

static void all_numbers_are_described(void **state)
{
	const struct measure_node node =
		NODE(0, 3000, QUIET, WALK("chase", 8, 330), WALK("chase", 8, 310),
		     WALK("chase", 8, 320), WALK("chase", 64, 1100));
	const struct measure_node none = {.node = -1, .cpu = 7, .error = "it failed"};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_string_equal(measure_describe(&arena, &node),
			    "node 0, CPU 3: 3000 MHz (chain); a random chase over 8 MiB 31.0 ns; a "
			    "random chase over 64 MiB 110.0 ns");
	assert_string_equal(measure_describe(&arena, &none), "CPU 7: it failed");
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_clock_is_that_of_the_slowest_node),
		cmocka_unit_test(what_disturbs_makes_it_unknown),
		cmocka_unit_test(nothing_measured_is_unknown),
		cmocka_unit_test(walks_are_evidence_and_never_a_verdict),
		cmocka_unit_test(all_numbers_are_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
