// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "bench/result.h"
#include "cli/bench_cells.h"
#include "cli/facets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLOTS_MAX ((size_t)240)
#define LINES_MAX ((size_t)8) /* more cannot be told apart */

/* What is drawn: results of one case, all in one unit. */
struct picture {
	struct document *document;
	const struct bench_result *results;
	size_t count;
	const char *name; /* of the case */
	bool ops;         /* in MOps/s, where one of them has no throughput in Gbps */
};

/* One kind of plot: `y` gives a point of a result, `beside` one of the line beside it. */
struct plot_row {
	const char *title, *y_title; /* y_title NULL: the unit of the picture */
	bool by_cores;               /* x is their number, else the size */
	double (*y)(const struct picture *picture, const struct bench_result *result);
	double (*beside)(const struct picture *picture, const struct bench_result *result);
	const char *beside_name;
	bool beside_reference, intervals;
	const char *note, *bare_note; /* the latter where no point has an interval */
};

static double rate_of(const struct picture *picture, const struct bench_result *result)
{
	return picture->ops ? result->rates.mops : result->rates.gbps;
}

static double published_of(const struct picture *picture, const struct bench_result *result)
{
	const struct reference_match *reference = result->reference;

	return reference ? rate_of(picture, result) * reference->value / result->estimate->value
			 : NAN;
}

static double share_of(const struct picture *picture, const struct bench_result *result)
{
	(void)picture;
	return 100 * result->limit_share;
}

static double linear_of(const struct picture *picture, const struct bench_result *result)
{
	return rate_of(picture, result) / result->efficiency;
}

static double compared_of(const struct picture *picture, const struct bench_result *result)
{
	return result->change && isfinite(result->change->ratio) ? rate_of(picture, result) : NAN;
}

static double before_of(const struct picture *picture, const struct bench_result *result)
{
	return result->change ? rate_of(picture, result) / result->change->ratio : NAN;
}

static const struct plot_row rows[] = {
	{.title = "throughput by size",
	 .y = rate_of,
	 .beside = published_of,
	 .beside_name = "published",
	 .beside_reference = true,
	 .intervals = true,
	 .note = "Upright lines are 95 % intervals of the median."},
	{.title = "share of the core's limit",
	 .y_title = "% of the limit",
	 .y = share_of,
	 .note = "100 % is what the core could do at most, was there nothing else to do."},
	{.title = "core scaling",
	 .by_cores = true,
	 .y = rate_of,
	 .beside = linear_of,
	 .beside_name = "N times one core",
	 .beside_reference = true,
	 .intervals = true},
	{.title = "before and after",
	 .y = compared_of,
	 .beside = before_of,
	 .beside_name = "before",
	 .intervals = true,
	 .note = "Before is the baseline of --baseline; upright lines are 95 % intervals.",
	 .bare_note = "Before is the baseline of --baseline."},
};

static int by_x(const void *a, const void *b)
{
	const struct plot_point *left = a, *right = b;

	return (left->x > right->x) - (left->x < right->x);
}

static bool is_of(const struct picture *picture, const struct bench_result *result,
		  const char *place)
{
	return result->estimate && strcmp(result->name, picture->name) == 0 &&
	       (!place || strcmp(bench_place(result), place) == 0);
}

static int64_t x_of(const struct plot_row *row, const struct bench_result *result)
{
	return row->by_cores ? result->cores : result->size_bytes;
}

static int64_t other_of(const struct plot_row *row, const struct bench_result *result)
{
	return row->by_cores ? result->size_bytes : result->cores;
}

/* What stays the same along a line: the fewest cores, or the largest size. */
static int64_t fixed_of(const struct picture *picture, const struct plot_row *row,
			const char *place)
{
	int64_t fixed = -1;

	for (size_t i = 0; i < picture->count; i++) {
		const struct bench_result *result = &picture->results[i];
		int64_t other;

		if (!is_of(picture, result, place) || !isfinite(row->y(picture, result)))
			continue;
		other = other_of(row, result);
		if (fixed < 0 || (row->by_cores ? other > fixed : other < fixed))
			fixed = other;
	}
	return fixed;
}

static struct plot_point point_of(const struct picture *picture, const struct plot_row *row,
				  const struct bench_result *result, bool beside)
{
	double y = beside ? row->beside(picture, result) : row->y(picture, result),
	       unit = y / result->estimate->value;

	return (struct plot_point){
		.x = (double)x_of(row, result),
		.y = y,
		.low = row->intervals && !beside ? result->estimate->low * unit : NAN,
		.high = row->intervals && !beside ? result->estimate->high * unit : NAN};
}

/* The points of one place, sorted and without a second one at the same x. */
static struct plot_line make_line(const struct picture *picture, const struct plot_row *row,
				  const char *place, bool beside)
{
	struct arena *arena = picture->document->arena;
	int64_t fixed = fixed_of(picture, row, place);
	struct plot_line line = {.reference = beside && row->beside_reference};
	size_t kept = 0;

	line.points = arena_array(arena, struct plot_point, picture->count + 1);
	for (size_t i = 0; i < picture->count; i++) {
		const struct bench_result *result = &picture->results[i];

		if (!is_of(picture, result, place) || other_of(row, result) != fixed ||
		    !x_of(row, result))
			continue;
		line.points[line.count] = point_of(picture, row, result, beside);
		line.count += isfinite(line.points[line.count].y) ? 1 : 0;
	}
	qsort(line.points, line.count, sizeof(*line.points), by_x);
	for (size_t i = 0; i < line.count; i++) {
		if (!kept || line.points[i].x > line.points[kept - 1].x)
			line.points[kept++] = line.points[i];
	}
	line.count = kept;
	line.name = !beside ? row->by_cores
				      ? arena_printf(arena, "%s, %lld B", place, (long long)fixed)
				      : place
			    : arena_printf(arena, "%s, %s", place, row->beside_name);
	return line;
}

static bool any_interval(const struct plot_line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t p = 0; p < lines[i].count; p++) {
			if (isfinite(lines[i].points[p].low))
				return true;
		}
	}
	return false;
}

static void add_plot(const struct picture *picture, const struct plot_row *row,
		     const struct names *places)
{
	struct arena *arena = picture->document->arena;
	struct plot_line *lines = arena_array(arena, struct plot_line, LINES_MAX);
	size_t count = 0;

	for (size_t i = 0; i < places->count; i++) {
		for (int beside = 0; beside < (row->beside ? 2 : 1) && count < LINES_MAX;
		     beside++) {
			struct plot_line line = make_line(picture, row, places->items[i], beside);

			/* One point is in the table already. */
			if (line.count > (beside ? 0 : 1))
				lines[count++] = line;
			else if (!beside)
				break;
		}
	}
	if (!count)
		return;
	document_plot(picture->document,
		      &(struct plot){
			      .title = arena_printf(arena, "%s: %s", picture->name, row->title),
			      .x_title = row->by_cores ? "cores" : "bytes",
			      .y_title = row->y_title   ? row->y_title
					 : picture->ops ? "MOps/s"
							: "Gbps",
			      .x_scale = row->by_cores ? SCALE_LINEAR : SCALE_LOG2,
			      .lines = lines,
			      .line_count = count,
			      .note = row->intervals && !any_interval(lines, count) ? row->bare_note
										    : row->note});
}

/* The picture of the case of a result; its places, in the order of the results. */
static void look_at(struct picture *picture, struct names *places)
{
	for (size_t i = 0; i < picture->count; i++) {
		const struct bench_result *result = &picture->results[i];

		if (!is_of(picture, result, NULL))
			continue;
		picture->ops |= !isfinite(result->rates.gbps);
		if (!names_has(places, bench_place(result)))
			names_add(picture->document->arena, places, bench_place(result));
	}
}

void bench_plots(struct document *document)
{
	struct picture picture = {.document = document,
				  .results = document->results.items,
				  .count = document->results.count};
	struct names done = {0};

	for (size_t i = 0; i < picture.count && done.count < PLOTS_MAX; i++) {
		struct names places = {0};

		if (!picture.results[i].estimate || names_has(&done, picture.results[i].name))
			continue;
		names_add(document->arena, &done, picture.results[i].name);
		picture.name = picture.results[i].name;
		picture.ops = false;
		look_at(&picture, &places);
		for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
			add_plot(&picture, &rows[r], &places);
	}
}
