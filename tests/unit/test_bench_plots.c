// SPDX-License-Identifier: BSD-2-Clause
/* The plots of bench, from results made by hand. */
#include "base/arena.h"
#include "bench/result.h"
#include "cli/facets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct document_kind no_kind = {"bench", "1.0.0", NULL};
static const struct reference_match published = {
	.value = 4, .source = "guide", .comparable = "same", .low = 3.9, .high = 4.1};
static struct bench_change half = {.ratio = 0.5, .low = 0.4, .high = 0.6, .verdict = "slower"};
static struct bench_change not_compared = {
	.ratio = NAN, .low = NAN, .high = NAN, .verdict = "not-compared"};

static struct bench_estimate estimates[] = {
	{2, "Gbps", 1.5, 2.5, 9, 0},
	{8, "Gbps", NAN, NAN, 1, 0},
	{6, "Gbps", 5, 7, 9, 0},
};

#define RESULT(row_size, row_cores, number, rate, ...)                                             \
	{                                                                                          \
		.id = "s/c/d", .suite = "s", .name = "c", .device = "d", .outcome = "pass",        \
		.size_bytes = (row_size), .cores = (row_cores), .estimate = &estimates[number],    \
		.rates = {(rate), 1, 1, NAN}, ##__VA_ARGS__                                        \
	}

/* Given from the largest on, with one on two cores, one without a number and one of another case.
 */
static struct bench_result results[] = {
	RESULT(1024, 1, 1, 8, .limit_share = 0.75, .efficiency = NAN, .change = &half),
	RESULT(1024, 2, 2, 6, .limit_share = NAN, .efficiency = 0.375, .change = &not_compared),
	RESULT(64, 1, 0, 2, .limit_share = 0.5, .efficiency = NAN, .change = &half,
	       .reference = &published),
	{.id = "s/c/d/256/1",
	 .name = "c",
	 .device = "d",
	 .outcome = "unknown",
	 .size_bytes = 256,
	 .cores = 1,
	 .limit_share = NAN,
	 .efficiency = NAN},
};

static struct document *document_of(struct arena *arena, size_t count)
{
	static char program[] = "x";
	static char *argv[] = {program};
	struct document *document = document_new(arena, &no_kind, "0", 1, argv);

	document->results = (struct field_array){results, count};
	bench_plots(document);
	return document;
}

static const struct plot *find_plot(const struct document *document, const char *title)
{
	const struct plot *plot = document->facets.first_plot;

	while (plot && strcmp(plot->title, title) != 0)
		plot = plot->next;
	return plot;
}

static void check_line(const struct plot *plot, size_t number, const char *name, bool reference,
		       size_t count, const double xy[][2])
{
	const struct plot_line *line;

	assert_non_null(plot);
	assert_true(number < plot->line_count);
	line = &plot->lines[number];
	assert_string_equal(line->name, name);
	assert_int_equal(line->reference, reference);
	assert_int_equal(line->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_true(fabs(line->points[i].x - xy[i][0]) < 1e-9);
		assert_true(fabs(line->points[i].y - xy[i][1]) < 1e-9);
	}
}

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	arena.exhausted = abort;
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

static void throughput_stands_beside_what_is_published(void **state)
{
	const struct plot *plot = find_plot(document_of(*state, 4), "c: throughput by size");

	check_line(plot, 0, "d", false, 2, (const double[][2]){{64, 2}, {1024, 8}});
	check_line(plot, 1, "d, published", true, 1, (const double[][2]){{64, 4}});
	assert_int_equal(plot->line_count, 2);
	assert_int_equal(plot->x_scale, SCALE_LOG2);
	assert_true(fabs(plot->lines[0].points[0].low - 1.5) < 1e-9);
	assert_true(isnan(plot->lines[0].points[1].low));
	assert_string_equal(plot->y_title, "Gbps");
}

static void shares_of_the_limit_are_percent(void **state)
{
	check_line(find_plot(document_of(*state, 4), "c: share of the core's limit"), 0, "d", false,
		   2, (const double[][2]){{64, 50}, {1024, 75}});
}

static void scaling_stands_beside_n_times_one_core(void **state)
{
	const struct plot *plot = find_plot(document_of(*state, 4), "c: core scaling");

	check_line(plot, 0, "d, 1024 B", false, 2, (const double[][2]){{1, 8}, {2, 6}});
	check_line(plot, 1, "d, N times one core", true, 1, (const double[][2]){{2, 16}});
	assert_int_equal(plot->x_scale, SCALE_LINEAR);
}

static void what_was_before_is_what_the_ratio_says(void **state)
{
	const struct plot *plot = find_plot(document_of(*state, 4), "c: before and after");

	check_line(plot, 0, "d", false, 2, (const double[][2]){{64, 2}, {1024, 8}});
	check_line(plot, 1, "d, before", false, 2, (const double[][2]){{64, 4}, {1024, 16}});
}

static void one_point_is_no_plot(void **state)
{
	assert_null(document_of(*state, 1)->facets.first_plot);
	assert_null(document_of(*state, 0)->facets.first_plot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(throughput_stands_beside_what_is_published),
		cmocka_unit_test(shares_of_the_limit_are_percent),
		cmocka_unit_test(scaling_stands_beside_n_times_one_core),
		cmocka_unit_test(what_was_before_is_what_the_ratio_says),
		cmocka_unit_test(one_point_is_no_plot),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
