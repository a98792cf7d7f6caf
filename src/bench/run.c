// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/random.h"
#include "bench/statistics.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define SAMPLES_MAX 100000
#define HUNG_MAX 2

void bench_lose(struct bench *bench, struct bench_series *series, const char *outcome,
		const char *format, ...)
{
	va_list args;

	va_start(args, format);
	series->result.reason = arena_vprintf(bench->arena, format, args);
	va_end(args);
	series->over = true;
	series->result.outcome = outcome;
	/* Right before is not right before and after. */
	if (series->result.verified) {
		series->result.verified = false;
		series->result.unverified = "lost before it was verified again";
	}
	if (strcmp(outcome, "unknown") == 0)
		bench->broken = true;
}

bool bench_interrupt(struct bench *bench, struct error *err)
{
	bench->interrupted = true;
	return error_set(err, "interrupted");
}

void bench_wrong(struct bench *bench, struct bench_series *series, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	series->result.reason = arena_vprintf(bench->arena, format, args);
	va_end(args);
	series->over = true;
	series->result.outcome = "fail";
	series->result.verified = false;
	series->result.unverified = series->result.reason;
	bench->wrong = true;
}

void bench_sample(struct bench *bench, struct bench_series *series,
		  const struct bench_sample *sample)
{
	if (series->count == SAMPLES_MAX)
		return;
	if (series->count == series->room) {
		size_t room = series->room ? series->room * 2 : 16;
		struct bench_sample *samples = arena_array(bench->arena, struct bench_sample, room);

		if (series->count)
			memcpy(samples, series->samples, series->count * sizeof(*samples));
		series->samples = samples;
		series->room = room;
	}
	series->samples[series->count++] = *sample;
}

static bool alive(const struct bench_unit *unit)
{
	for (size_t i = 0; i < unit->count; i++) {
		if (!unit->series[i]->over)
			return true;
	}
	return false;
}

static bool open_unit(const struct bench_unit *unit)
{
	return !unit->done && alive(unit);
}

/* Every open unit once, in an order of its own. */
static struct bench_unit **draw_order(struct bench *bench, size_t *count)
{
	struct bench_unit **order =
		arena_array(bench->arena, struct bench_unit *, bench->unit_count + 1);

	*count = 0;
	for (size_t i = 0; i < bench->unit_count; i++) {
		if (open_unit(&bench->units[i]))
			order[(*count)++] = &bench->units[i];
	}
	for (size_t i = *count; i > 1; i--) {
		size_t other = random_next(&bench->random) % i;
		struct bench_unit *swap = order[i - 1];

		order[i - 1] = order[other];
		order[other] = swap;
	}
	return order;
}

static void tell(struct bench *bench, const char *phase, const struct bench_unit *unit, size_t done,
		 size_t total, int64_t left_ms)
{
	struct bench_progress progress = {phase, unit->what, done, total, left_ms};

	if (bench->progress)
		bench->progress(bench->context, &progress);
}

/* A program that hung twice would do so in every case: the others are given up. */
static bool give_up(struct bench *bench, struct bench_unit *unit)
{
	size_t hung = 0;

	for (size_t i = 0; i < bench->unit_count; i++)
		hung += bench->units[i].hung && bench->units[i].driver == unit->driver;
	if (hung < HUNG_MAX)
		return false;
	for (size_t i = 0; i < unit->count; i++) {
		if (!unit->series[i]->over)
			bench_lose(bench, unit->series[i], "unknown",
				   "not tried: %s did not end in time in %zu other cases",
				   unit->driver->engine, hung);
	}
	return true;
}

static bool verify_all(struct bench *bench, bool last, struct error *err)
{
	int64_t began_ms = clock_ms();
	size_t done = 0, total = 0;

	for (size_t i = 0; i < bench->unit_count; i++)
		total += alive(&bench->units[i]);
	for (size_t i = 0; i < bench->unit_count; i++) {
		struct bench_unit *unit = &bench->units[i];

		if (!alive(unit) || give_up(bench, unit))
			continue;
		tell(bench, last ? "verify again" : "verify", unit, done++, total, -1);
		if (!unit->driver->verify(bench, unit, last, err))
			return false;
	}
	bench->summary.verification_ms += clock_ms() - began_ms;
	return true;
}

static bool narrow(struct bench *bench, const struct bench_series *series)
{
	static const struct statistics_stop stop = {STATISTICS_LEAST, STATISTICS_MOST,
						    STATISTICS_NARROW};
	struct statistics_interval interval;

	bench_interval(bench, series, &interval);
	return statistics_enough(&interval, &stop);
}

static bool measure(struct bench *bench, struct bench_unit *unit, struct error *err)
{
	int64_t began_ms = clock_ms(), cost_ms;

	if (!unit->driver->measure(bench, unit, err))
		return false;
	cost_ms = clock_ms() - began_ms;
	unit->cost_ms = cost_ms > unit->cost_ms ? cost_ms : unit->cost_ms;
	unit->invocations++;
	unit->done = true;
	for (size_t i = 0; i < unit->count; i++) {
		struct bench_series *series = unit->series[i];

		series->enough |= unit->invocations >= STATISTICS_MOST || narrow(bench, series);
		unit->done &= series->over || series->enough;
	}
	return true;
}

/* What the least number of rounds still needs, or the rest of the budget when that is less. */
static int64_t time_left(const struct bench *bench, int64_t end_ms)
{
	int64_t rest_ms = end_ms - clock_ms(), needed_ms = 0;

	for (size_t i = 0; i < bench->unit_count; i++) {
		const struct bench_unit *unit = &bench->units[i];

		if (open_unit(unit) && unit->invocations < STATISTICS_LEAST)
			needed_ms +=
				unit->cost_ms * (int64_t)(STATISTICS_LEAST - unit->invocations);
	}
	if (!needed_ms || needed_ms > rest_ms)
		needed_ms = rest_ms;
	return needed_ms > 0 ? needed_ms : 0;
}

/* Rounds over all units, so that drift of the machine meets all of them alike. The first round of
 * a unit is always taken; after that none that would not end in time. */
static bool measure_all(struct bench *bench, struct error *err)
{
	int64_t began_ms = clock_ms();
	int64_t end_ms = began_ms + bench->budget_ms - 2 * bench->summary.verification_ms;
	bool any = true;

	while (any) {
		size_t count;
		struct bench_unit **order = draw_order(bench, &count);

		any = false;
		for (size_t i = 0; i < count; i++) {
			if (give_up(bench, order[i]))
				continue;
			if (order[i]->invocations && clock_ms() + order[i]->cost_ms > end_ms)
				continue;
			tell(bench, "measure", order[i], i, count, time_left(bench, end_ms));
			if (!measure(bench, order[i], err))
				return false;
			any = true;
		}
	}
	bench->summary.measurement_ms = clock_ms() - began_ms;
	return true;
}

/* Without the last verification there is no number. */
static void abandon(struct bench *bench)
{
	for (size_t i = 0; i < bench->series_count; i++) {
		struct bench_series *series = bench->series[i];

		if (series->over)
			continue;
		bench_lose(bench, series, "unknown", "interrupted");
		series->result.verified = false;
		series->result.unverified = "interrupted before the last verification";
	}
}

/* A signal that came as the last process ended: what says it was interrupted has no number. */
static bool goes_on(struct bench *bench, struct error *err)
{
	return !bench->tick || bench->tick(bench->context) || bench_interrupt(bench, err);
}

bool bench_run(struct bench *bench, struct error *err)
{
	bool done = bench_core(bench, err) && verify_all(bench, false, err) &&
		    measure_all(bench, err) && verify_all(bench, true, err) && goes_on(bench, err);

	if (!done && !bench->interrupted)
		return false;
	if (!done)
		abandon(bench);
	bench_judge(bench);
	return true;
}
