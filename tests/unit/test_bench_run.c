// SPDX-License-Identifier: BSD-2-Clause
/* The loop over units, with an engine that only writes down what it was asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "bench/statistics.h"
#include "bench_made.h"

#define UNITS 3
#define LOG_MAX 512
#define HOUR_MS 3600000

/* What the stand-in does: each unit has a letter, small when it is verified for the first time,
 * a digit when measured, large when verified again. */
struct stand_in {
	char log[LOG_MAX];
	size_t count;
	size_t interrupt_at, fail_at; /* at which call; 0: never */
	double scatter[UNITS];        /* every second sample is off by this part */
	int64_t cost_ms[UNITS];
	bool lose[UNITS], hang[UNITS], wrong_first[UNITS], wrong_last[UNITS];
};

static bool note(struct bench *bench, const struct bench_unit *unit, char first, struct error *err)
{
	struct stand_in *stand_in = bench->context;

	assert_true(stand_in->count < LOG_MAX - 1);
	stand_in->log[stand_in->count++] = (char)(first + (unit - bench->units));
	if (stand_in->count == stand_in->interrupt_at)
		return bench_interrupt(bench, err);
	if (stand_in->count == stand_in->fail_at)
		return error_set(err, "no such program");
	return true;
}

static bool verify(struct bench *bench, struct bench_unit *unit, bool last, struct error *err)
{
	const struct stand_in *stand_in = bench->context;
	size_t number = (size_t)(unit - bench->units);
	struct bench_result *result = &unit->series[0]->result;

	if (!note(bench, unit, last ? 'A' : 'a', err))
		return false;
	unit->hung |= stand_in->hang[number];
	if (!last && (stand_in->lose[number] || stand_in->hang[number]))
		bench_lose(bench, unit->series[0], "unknown", "it crashed");
	else if (last ? stand_in->wrong_last[number] : stand_in->wrong_first[number])
		bench_wrong(bench, unit->series[0], "wrong: 1 of 3 known answers");
	else if (last)
		result->verified = true;
	return true;
}

static bool measure(struct bench *bench, struct bench_unit *unit, struct error *err)
{
	const struct stand_in *stand_in = bench->context;
	size_t number = (size_t)(unit - bench->units);
	double off = unit->invocations % 2 ? stand_in->scatter[number] : 0;
	const struct bench_sample sample = {.invocation = (int64_t)unit->invocations,
					    .value = 10 * (1 + off)};

	if (!note(bench, unit, '0', err))
		return false;
	bench_sample(bench, unit->series[0], &sample);
	unit->cost_ms = stand_in->cost_ms[number];
	return true;
}

static const struct bench_driver driver = {"stand-in", verify, measure};
static const struct suite_case one_case = {.name = "made", .engine = "stand-in", .unit = "Gbps"};

static struct bench *bench_of(struct arena *arena, struct stand_in *stand_in)
{
	struct bench *bench = made_bench(arena, "altra", "Q80-30");

	bench->context = stand_in;
	bench->units = arena_array(arena, struct bench_unit, UNITS);
	bench->series = arena_array(arena, struct bench_series *, UNITS);
	bench->unit_count = bench->series_count = UNITS;
	for (size_t i = 0; i < UNITS; i++) {
		bench->series[i] = made_series(arena, &one_case);
		bench->units[i] = (struct bench_unit){.driver = &driver,
						      .suite_case = &one_case,
						      .what = "made",
						      .series = &bench->series[i],
						      .count = 1};
	}
	return bench;
}

static size_t times(const struct stand_in *stand_in, char letter)
{
	size_t count = 0;

	for (size_t i = 0; i < stand_in->count; i++)
		count += stand_in->log[i] == letter;
	return count;
}

static const struct bench_result *result_of(const struct bench *bench, size_t i)
{
	return &bench->series[i]->result;
}

/* Else a suite of a hundred cases would wait a hundred times as long as a process may take. */
static void a_program_that_hung_twice_is_not_tried_again(void **state)
{
	struct stand_in stand_in = {.hang = {true, true}};
	struct bench *bench = bench_of(*state, &stand_in);
	struct error err = {0};

	assert_true(bench_run(bench, &err));
	assert_string_equal(stand_in.log, "ab");
	assert_string_equal(result_of(bench, 2)->outcome, "unknown");
	assert_string_equal(result_of(bench, 2)->reason,
			    "not tried: stand-in did not end in time in 2 other cases");
	assert_true(bench->broken);
}

/* Equal samples are narrow as soon as the least number of them is there. */
static void verify_measure_in_rounds_verify_again(void **state)
{
	struct stand_in stand_in = {0};
	struct bench *bench = bench_of(*state, &stand_in);
	bool shuffled = false;
	struct error err = {0};

	assert_true(bench_run(bench, &err));
	assert_int_equal(stand_in.count, UNITS + STATISTICS_LEAST * UNITS + UNITS);
	assert_memory_equal(stand_in.log, "abc", UNITS);
	assert_memory_equal(stand_in.log + stand_in.count - UNITS, "ABC", UNITS);
	for (size_t round = 1; round <= STATISTICS_LEAST; round++) {
		const char *order = stand_in.log + round * UNITS;

		for (char unit = '0'; unit < '0' + UNITS; unit++)
			assert_non_null(memchr(order, unit, UNITS));
		shuffled |= memcmp(order, stand_in.log + UNITS, UNITS) != 0;
	}
	assert_true(shuffled);
	for (size_t i = 0; i < UNITS; i++) {
		assert_string_equal(result_of(bench, i)->outcome, "pass");
		assert_true(result_of(bench, i)->estimate->value == 10);
		assert_int_equal(result_of(bench, i)->estimate->samples, STATISTICS_LEAST);
	}
	assert_false(bench->broken || bench->wrong || bench->interrupted);
}

/* 2 % apart is not within half a percent, so all that may be taken is taken. */
static void what_scatters_is_measured_to_the_cap(void **state)
{
	struct stand_in stand_in = {.scatter = {0, 0.02, 0}};
	struct bench *bench = bench_of(*state, &stand_in);
	struct error err = {0};

	assert_true(bench_run(bench, &err));
	assert_int_equal(times(&stand_in, '0'), STATISTICS_LEAST);
	assert_int_equal(times(&stand_in, '1'), STATISTICS_MOST);
	assert_int_equal(times(&stand_in, '2'), STATISTICS_LEAST);
}

/* One that takes an hour has no second round in ten minutes; with no time at all each has one. */
static void the_budget_leaves_every_unit_one_round(void **state)
{
	struct stand_in slow = {.cost_ms = {0, HOUR_MS, 0}}, late = {0};
	struct bench *bench = bench_of(*state, &slow);
	struct error err = {0};

	assert_true(bench_run(bench, &err));
	assert_int_equal(times(&slow, '0'), STATISTICS_LEAST);
	assert_int_equal(times(&slow, '1'), 1);
	assert_int_equal(times(&slow, 'B'), 1);
	assert_true(isnan(result_of(bench, 1)->estimate->low));
	bench = bench_of(*state, &late);
	bench->budget_ms = -HOUR_MS;
	assert_true(bench_run(bench, &err));
	for (char unit = '0'; unit < '0' + UNITS; unit++)
		assert_int_equal(times(&late, unit), 1);
}

static void what_is_over_is_not_run_again(void **state)
{
	struct stand_in stand_in = {.lose = {true}, .wrong_first = {false, true}};
	struct bench *bench = bench_of(*state, &stand_in);
	struct error err = {0};

	assert_true(bench_run(bench, &err));
	assert_int_equal(times(&stand_in, '0') + times(&stand_in, 'A'), 0);
	assert_int_equal(times(&stand_in, '1') + times(&stand_in, 'B'), 0);
	assert_string_equal(result_of(bench, 0)->outcome, "unknown");
	assert_string_equal(result_of(bench, 0)->reason, "it crashed");
	assert_string_equal(result_of(bench, 1)->outcome, "fail");
	assert_string_equal(result_of(bench, 2)->outcome, "pass");
	assert_true(bench->broken && bench->wrong);
}

static void wrong_after_it_was_measured_has_no_number(void **state)
{
	struct stand_in stand_in = {.wrong_last = {false, true}};
	struct bench *bench = bench_of(*state, &stand_in);
	struct error err = {0};

	assert_true(bench_run(bench, &err));
	assert_string_equal(result_of(bench, 1)->outcome, "fail");
	assert_string_equal(result_of(bench, 1)->unverified, "wrong: 1 of 3 known answers");
	assert_false(result_of(bench, 1)->verified);
	assert_null(result_of(bench, 1)->estimate);
	assert_int_equal(result_of(bench, 1)->raw.count, 0);
	assert_true(bench->wrong);
	assert_non_null(result_of(bench, 2)->estimate);
}

/* Known answers were right before it was measured; then its program died. */
static void what_is_lost_between_the_verifications_is_not_verified(void **state)
{
	struct stand_in stand_in = {0};
	struct bench *bench = bench_of(*state, &stand_in);
	struct bench_result *result = &bench->series[0]->result;

	result->verified = true;
	result->unverified = NULL;
	bench_lose(bench, bench->series[0], "unknown", "it died of signal 9");
	assert_false(result->verified);
	assert_string_equal(result->unverified, "lost before it was verified again");
	assert_string_equal(result->reason, "it died of signal 9");
}

/* Two units are alive. In the first verification, in the sixth round, in the last verification when
 * one has been checked: nothing is started after it, and no number is left. */
static void interruption_leaves_no_number(void **state)
{
	static const size_t calls[] = {2, 2 + 5 * 2 + 1, 2 + STATISTICS_LEAST * 2 + 2};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct stand_in stand_in = {.interrupt_at = calls[i]};
		struct bench *bench = bench_of(*state, &stand_in);
		struct error err = {0};

		bench_lose(bench, bench->series[2], "na", "not on this host");
		assert_true(bench_run(bench, &err));
		assert_true(bench->interrupted);
		assert_int_equal(stand_in.count, calls[i]);
		for (size_t j = 0; j < 2; j++) {
			const struct bench_result *result = result_of(bench, j);

			assert_string_equal(result->outcome, "unknown");
			assert_string_equal(result->reason, "interrupted");
			assert_false(result->verified);
			assert_string_equal(result->unverified,
					    "interrupted before the last verification");
			assert_null(result->estimate);
			assert_int_equal(result->raw.count, 0);
		}
		assert_string_equal(result_of(bench, 2)->outcome, "na");
		assert_string_equal(result_of(bench, 2)->reason, "not on this host");
	}
}

static void an_error_ends_the_run(void **state)
{
	struct stand_in stand_in = {.fail_at = UNITS + 2};
	struct bench *bench = bench_of(*state, &stand_in);
	struct error err = {0};

	assert_false(bench_run(bench, &err));
	assert_string_equal(err.text, "no such program");
	assert_int_equal(stand_in.count, UNITS + 2);
	assert_false(bench->interrupted);
}

/* The published outputs of SplitMix64 for this seed. */
static void the_order_is_drawn_by_splitmix64(void **state)
{
	static const uint64_t outputs[] = {6457827717110365317u, 3203168211198807973u,
					   9817491932198370423u, 4593380528125082431u,
					   16408922859458223821u};
	uint64_t random = 1234567;

	(void)state;
	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		assert_true(random_next(&random) == outputs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_that_hung_twice_is_not_tried_again),
		cmocka_unit_test(verify_measure_in_rounds_verify_again),
		cmocka_unit_test(what_scatters_is_measured_to_the_cap),
		cmocka_unit_test(the_budget_leaves_every_unit_one_round),
		cmocka_unit_test(what_is_over_is_not_run_again),
		cmocka_unit_test(wrong_after_it_was_measured_has_no_number),
		cmocka_unit_test(what_is_lost_between_the_verifications_is_not_verified),
		cmocka_unit_test(interruption_leaves_no_number),
		cmocka_unit_test(an_error_ends_the_run),
		cmocka_unit_test(the_order_is_drawn_by_splitmix64),
	};

	return cmocka_run_group_tests_name("bench_run", tests, made_setup, made_teardown);
}
