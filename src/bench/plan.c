// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Pools of dpdk-test-crypto-perf: 8192 operations, each with a source and a destination buffer of
 * the largest size and its headers. */
#define POOL_OPERATIONS 8192
#define POOL_HEADER_BYTES 1024

static const struct bench_driver *const drivers[] = {&bench_kat_driver, &bench_dpdk_driver,
						     &bench_openssl_driver, &bench_bssl_driver};

struct planning {
	struct bench *bench;
	const struct bench_choice *choice;
	const struct suite *suite;
	const struct suite_case *suite_case;
	const struct bench_driver *driver;
	size_t unit_room, series_room;
};

static const struct bench_driver *find_driver(const char *engine)
{
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (strcmp(drivers[i]->engine, engine) == 0)
			return drivers[i];
	}
	return NULL;
}

static bool wanted(const struct bench_choice *choice, const char *id)
{
	return (!choice->only->count || names_match(choice->only, id)) &&
	       !names_match(choice->skip, id);
}

static struct bench_result blank(const struct planning *planning, const char *id,
				 const char *device, int64_t size_bytes, int64_t cores)
{
	const struct suite_case *suite_case = planning->suite_case;

	return (struct bench_result){
		.id = id,
		.suite = planning->suite->name,
		.suite_version = planning->suite->version,
		.name = suite_case->name,
		.engine = suite_case->engine,
		.device = device,
		.size_bytes = size_bytes,
		.cores = cores,
		.outcome = "unknown",
		.unverified = "not run",
		.rates = {.gbps = NAN, .mops = NAN, .ns_per_op = NAN, .ticks_per_op = NAN},
		.cycles_per_byte = NAN,
		.limit_share = NAN,
		.efficiency = NAN};
}

/* The series of one size, or NULL when its id was not asked for. */
static struct bench_series *add_series(struct planning *planning, const char *device,
				       int64_t size_bytes, int64_t cores)
{
	struct bench *bench = planning->bench;
	const char *id =
		arena_printf(bench->arena, "%s/%s/%s/%" PRId64 "/%" PRId64, planning->suite->name,
			     planning->suite_case->name,
			     device ? device : planning->suite_case->engine, size_bytes, cores);
	struct bench_series *series;

	if (!wanted(planning->choice, id) || bench->series_count == planning->series_room)
		return NULL;
	series = arena_new(bench->arena, struct bench_series);
	series->suite_case = planning->suite_case;
	series->result = blank(planning, id, device, size_bytes, cores);
	bench->series[bench->series_count++] = series;
	return series;
}

static struct bench_unit *add_unit(struct planning *planning, const char *what, size_t room)
{
	struct bench *bench = planning->bench;
	struct bench_unit *unit = &bench->units[bench->unit_count++];

	*unit = (struct bench_unit){.driver = planning->driver,
				    .suite_case = planning->suite_case,
				    .what = what,
				    .series =
					    arena_array(bench->arena, struct bench_series *, room)};
	return unit;
}

/* All cases of the in-process engine share one process: it draws their order batch by batch. */
static struct bench_unit *shared_unit(struct planning *planning)
{
	struct bench *bench = planning->bench;

	for (size_t i = 0; i < bench->unit_count; i++) {
		if (bench->units[i].driver == planning->driver)
			return &bench->units[i];
	}
	return add_unit(planning, "libcrypto", planning->series_room);
}

static size_t size_count(const struct suite_case *suite_case)
{
	return suite_case->sizes.count ? suite_case->sizes.count : 1;
}

static int64_t size_at(const struct suite_case *suite_case, size_t i)
{
	return suite_case->sizes.count ? suite_case->sizes.items[i] : 0;
}

/* One process per size for programs that measure one after the other. */
static void plan_library(struct planning *planning)
{
	const struct suite_case *suite_case = planning->suite_case;
	bool shared = planning->driver == &bench_kat_driver;

	for (size_t i = 0; i < size_count(suite_case); i++) {
		struct bench_series *series = add_series(planning, NULL, size_at(suite_case, i), 1);

		if (!series)
			continue;
		struct bench_unit *unit =
			shared ? shared_unit(planning) : add_unit(planning, series->result.id, 1);
		unit->series[unit->count++] = series;
	}
}

static const char *core_text(struct arena *arena, const struct eal_plan *plan)
{
	struct buffer text = buffer_new(arena, 64 << 10);

	for (size_t i = 0; i < plan->count; i++) {
		const struct eal_process *process = &plan->processes[i];

		buffer_printf(&text, "%snode %" PRIu32 ": main %" PRIu32 ", workers %s",
			      i ? "; " : "", process->node->id, process->main_cpu,
			      text_ranges(arena, process->workers, process->worker_count));
	}
	return buffer_string(&text);
}

/* One device on one number of cores: a row per size from each process. */
static void plan_device(struct planning *planning, const char *device, int64_t cores)
{
	struct bench *bench = planning->bench;
	const struct suite_case *suite_case = planning->suite_case;
	struct eal_plan *plan = arena_new(bench->arena, struct eal_plan);
	struct bench_unit *unit;
	int64_t largest = 0;

	for (size_t i = 0; i < suite_case->sizes.count; i++)
		largest =
			suite_case->sizes.items[i] > largest ? suite_case->sizes.items[i] : largest;
	eal_plan_cores(bench->arena, bench->cpus, (size_t)cores, false,
		       POOL_OPERATIONS * (largest + POOL_HEADER_BYTES) * 2, plan);
	unit = add_unit(planning, arena_printf(bench->arena, "%s %s", suite_case->name, device),
			size_count(suite_case));
	unit->cores = plan;
	for (size_t i = 0; i < size_count(suite_case); i++) {
		struct bench_series *series =
			add_series(planning, device, size_at(suite_case, i), cores);

		if (!series)
			continue;
		unit->series[unit->count++] = series;
		if (plan->na)
			bench_lose(bench, series, "na", "%s", plan->na);
		else
			series->result.core_list = core_text(bench->arena, plan);
	}
	if (!unit->count)
		bench->unit_count--;
}

static void plan_devices(struct planning *planning)
{
	const struct suite_case *suite_case = planning->suite_case;
	int64_t one = 1;
	struct numbers cores =
		suite_case->cores.count ? suite_case->cores : (struct numbers){&one, 1};

	if (planning->choice->cores->count)
		cores = *planning->choice->cores;
	for (size_t d = 0; d < suite_case->devices.count; d++) {
		for (size_t i = 0; i < cores.count; i++)
			plan_device(planning, suite_case->devices.items[d], cores.items[i]);
	}
}

/* Upper bounds of what the suites can hold. */
static bool count_all(struct planning *planning, struct error *err)
{
	const struct bench_choice *choice = planning->choice;

	for (size_t s = 0; s < choice->suite_count; s++) {
		const struct suite_case *cases = choice->suites[s]->cases.items;

		for (size_t i = 0; i < choice->suites[s]->cases.count; i++) {
			size_t cores =
				choice->cores->count ? choice->cores->count : cases[i].cores.count;
			/* Only devices are measured on several cores. */
			size_t each = cases[i].devices.count
					      ? cases[i].devices.count * (cores ? cores : 1)
					      : 1;

			planning->unit_room += each * size_count(&cases[i]);
			planning->series_room += each * size_count(&cases[i]);
		}
	}
	if (planning->series_room > BENCH_SERIES_MAX)
		return error_exit(err, EXIT_USAGE,
				  "%zu measurements are more than %d: choose fewer suites or cores",
				  planning->series_room, BENCH_SERIES_MAX);
	return true;
}

bool bench_plan(struct bench *bench, const struct bench_choice *choice, struct error *err)
{
	struct planning planning = {.bench = bench, .choice = choice};

	if (!count_all(&planning, err))
		return false;
	bench->units = arena_array(bench->arena, struct bench_unit, planning.unit_room + 1);
	bench->series = arena_array(bench->arena, struct bench_series *, planning.series_room + 1);
	for (size_t s = 0; s < choice->suite_count; s++) {
		const struct suite_case *cases = choice->suites[s]->cases.items;

		planning.suite = choice->suites[s];
		bench->budget_ms += planning.suite->seconds * 1000;
		for (size_t i = 0; i < planning.suite->cases.count; i++) {
			planning.suite_case = &cases[i];
			planning.driver = find_driver(cases[i].engine);
			if (!planning.driver)
				continue;
			if (cases[i].devices.count)
				plan_devices(&planning);
			else
				plan_library(&planning);
		}
	}
	return true;
}
