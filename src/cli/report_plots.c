// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "bench/statistics.h"
#include "cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 8, PLOTS_MAX = 24 };

/* A measurement in a picture. */
struct dot {
	const char *picture; /* its title */
	const char *unit, *source;
	size_t machine;
	double x, y, low, high, reference;
};

struct drawing {
	struct document *document;
	const struct fleet *fleet;
	struct field_array dots; /* struct dot */
	const char *x_title;
	enum plot_scale scale;
	size_t drawn;
};

static int by_picture(const void *left, const void *right)
{
	const struct dot *a = left, *b = right;
	int order = strcmp(a->picture, b->picture);

	if (!order && a->machine != b->machine)
		return a->machine < b->machine ? -1 : 1;
	if (!order)
		order = (a->x > b->x) - (a->x < b->x);
	return order ? order : (a->y > b->y) - (a->y < b->y);
}

static int by_x(const void *left, const void *right)
{
	const struct dot *a = left, *b = right;

	return (a->x > b->x) - (a->x < b->x);
}

static void add_dot(struct drawing *drawing, const struct dot *dot)
{
	fleet_append(drawing->document->arena, &drawing->dots, dot, sizeof(*dot));
}

/* Points of one machine: the dots of a picture as they stand, one for each x. */
static struct plot_line machine_line(struct arena *arena, const char *name, const struct dot *dots,
				     size_t count)
{
	struct plot_line line = {.name = name,
				 .points = arena_array(arena, struct plot_point, count)};

	for (size_t i = 0; i < count; i++)
		if (!line.count || line.points[line.count - 1].x < dots[i].x)
			line.points[line.count++] = (struct plot_point){dots[i].x, dots[i].y,
									dots[i].low, dots[i].high};
	return line;
}

/* Of many machines the middle one, and from the lowest to the highest. Sorts by x. */
static struct plot_line crowd_line(struct arena *arena, struct dot *dots, size_t count,
				   size_t machines)
{
	struct plot_line line = {
		.name = arena_printf(arena, "median of %zu machines, lowest to highest", machines),
		.points = arena_array(arena, struct plot_point, count)};
	double *values = arena_array(arena, double, count);

	qsort(dots, count, sizeof(*dots), by_x);
	for (size_t i = 0; i < count;) {
		struct plot_point *point = &line.points[line.count++];
		size_t n = 0;

		point->x = dots[i].x;
		for (; i < count && dots[i].x <= point->x; i++)
			values[n++] = dots[i].y;
		point->y = statistics_median(values, n);
		point->low = values[0];
		point->high = values[n - 1];
	}
	return line;
}

/* Published numbers; sorts by x. */
static struct plot_line reference_line(struct arena *arena, struct dot *dots, size_t count)
{
	struct plot_line line = {.reference = true,
				 .points = arena_array(arena, struct plot_point, count)};

	qsort(dots, count, sizeof(*dots), by_x);
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(dots[i].reference) ||
		    (line.count && line.points[line.count - 1].x >= dots[i].x))
			continue;
		line.name = arena_printf(arena, "published: %s",
					 dots[i].source ? dots[i].source : "no source given");
		line.points[line.count++] =
			(struct plot_point){dots[i].x, dots[i].reference, NAN, NAN};
	}
	return line;
}

static size_t count_machines(const struct dot *dots, size_t count)
{
	size_t machines = count ? 1 : 0;

	for (size_t i = 1; i < count; i++)
		machines += dots[i].machine != dots[i - 1].machine;
	return machines;
}

static void add_lines(const struct drawing *drawing, struct plot *plot, struct dot *dots,
		      size_t count)
{
	struct arena *arena = drawing->document->arena;
	size_t machines = count_machines(dots, count);

	plot->lines = arena_array(arena, struct plot_line, LINES_MAX + 1);
	if (machines > LINES_MAX) {
		plot->lines[plot->line_count++] = crowd_line(arena, dots, count, machines);
		return;
	}
	for (size_t i = 0; i < count;) {
		size_t end = i;

		while (end < count && dots[end].machine == dots[i].machine)
			end++;
		plot->lines[plot->line_count++] =
			machine_line(arena, drawing->fleet->machines[dots[i].machine].from->label,
				     &dots[i], end - i);
		i = end;
	}
}

/* A line of one point is no line. */
static bool worth(const struct plot *plot)
{
	for (size_t i = 0; i < plot->line_count; i++)
		if (plot->lines[i].count > 1)
			return true;
	return false;
}

static void draw(struct drawing *drawing, struct dot *dots, size_t count)
{
	struct plot plot = {.title = dots[0].picture,
			    .x_title = drawing->x_title,
			    .y_title = dots[0].unit,
			    .x_scale = drawing->scale};
	struct plot_line published;

	add_lines(drawing, &plot, dots, count);
	if (!worth(&plot) || drawing->drawn++ >= PLOTS_MAX)
		return;
	published = reference_line(drawing->document->arena, dots, count);
	if (published.count)
		plot.lines[plot.line_count++] = published;
	document_plot(drawing->document, &plot);
}

static void draw_all(struct drawing *drawing)
{
	struct dot *dots = drawing->dots.items;
	size_t count = drawing->dots.count;

	if (count)
		qsort(dots, count, sizeof(*dots), by_picture);
	for (size_t i = 0; i < count;) {
		size_t end = i;

		while (end < count && strcmp(dots[end].picture, dots[i].picture) == 0)
			end++;
		draw(drawing, &dots[i], end - i);
		i = end;
	}
	if (drawing->drawn > PLOTS_MAX)
		document_message(drawing->document, "note",
				 "%d of %zu pictures over %s are drawn, the JSON of bench has all",
				 PLOTS_MAX, drawing->drawn, drawing->x_title);
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static struct dot dot_of(const struct result_number *number, size_t machine, double x)
{
	return (struct dot){.unit = number->unit,
			    .source = number->reference_source,
			    .machine = machine,
			    .x = x,
			    .y = number->value,
			    .low = number->low,
			    .high = number->high,
			    .reference = number->reference};
}

static void draw_sizes(struct document *document, const struct fleet *fleet)
{
	struct drawing drawing = {document, fleet, .x_title = "bytes", .scale = SCALE_LOG2};

	for (size_t m = 0; m < fleet->count; m++) {
		const struct results *bench = fleet->machines[m].newest[FLEET_BENCH];

		for (size_t i = 0; bench && i < bench->count; i++) {
			const struct result_number *number = bench->items[i].number;
			struct dot dot;

			if (!fleet_is_rate(&bench->items[i]) || number->size_bytes <= 0)
				continue;
			dot = dot_of(number, m, (double)number->size_bytes);
			dot.picture =
				arena_printf(document->arena, "%s: %s, %s, %" PRId64 " %s, %s",
					     or_empty(number->suite), or_empty(number->name),
					     or_empty(number->place), number->cores,
					     number->cores == 1 ? "core" : "cores", number->unit);
			add_dot(&drawing, &dot);
		}
	}
	draw_all(&drawing);
}

static void draw_scaling(struct document *document, const struct fleet *fleet)
{
	struct drawing drawing = {document, fleet, .x_title = "cores", .scale = SCALE_LINEAR};

	for (size_t m = 0; m < fleet->count; m++) {
		const struct results *bench = fleet->machines[m].newest[FLEET_BENCH];

		for (size_t i = 0; bench && i < bench->count; i++) {
			const struct result_number *number = bench->items[i].number;
			struct dot dot;

			if (!fleet_is_rate(&bench->items[i]) || number->cores <= 0)
				continue;
			dot = dot_of(number, m, (double)number->cores);
			dot.picture = arena_printf(
				document->arena, "Scaling of %s: %s, %s, %" PRId64 " bytes, %s",
				or_empty(number->suite), or_empty(number->name),
				or_empty(number->place), number->size_bytes, number->unit);
			add_dot(&drawing, &dot);
		}
	}
	draw_all(&drawing);
}

/* Days since 1970-01-01 of "2026-01-31T12:00:00Z", in the proleptic Gregorian calendar. */
static double days_of(const char *started)
{
	uint64_t part[6] = {0};
	static const size_t starts[] = {0, 5, 8, 11, 14, 17};
	int64_t year, month;

	for (size_t i = 0; i < 6; i++)
		view_u64((struct view){started + starts[i], i ? 2 : 4}, 10, &part[i]);
	year = (int64_t)part[0] - (part[1] <= 2);
	month = ((int64_t)part[1] + 9) % 12; /* from March on */
	return (double)(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 +
			(int64_t)part[2] - 719469) +
	       ((double)part[3] + (double)part[4] / 60 + (double)part[5] / 3600) / 24;
}

static const char *first_day(const struct fleet *fleet)
{
	const char *first = NULL;

	for (size_t m = 0; m < fleet->count; m++) {
		const char *started = fleet->machines[m].from->files[0]->started;

		if (!first || strcmp(started, first) < 0)
			first = started;
	}
	return first;
}

static double failing(const struct results *audit)
{
	size_t count = 0;

	for (size_t i = 0; i < audit->count; i++)
		count += audit->items[i].outcome && strcmp(audit->items[i].outcome, "fail") == 0;
	return (double)count;
}

/* The headline and the number of checks that fail, of every result of a machine. */
static void add_times(struct drawing *drawing, size_t machine, double start)
{
	const struct results_machine *from = drawing->fleet->machines[machine].from;
	const char *headline = drawing->fleet->headline;

	for (size_t f = 0; f < from->count; f++) {
		const struct results *results = from->files[f];
		double x = days_of(results->started) - start;

		/* A crowd is drawn together day by day. */
		if (drawing->fleet->count > LINES_MAX)
			x = floor(x);

		if (strcmp(results->command, "audit") == 0)
			add_dot(drawing, &(struct dot){.picture = "Checks that fail, over time",
						       .unit = "checks",
						       .machine = machine,
						       .x = x,
						       .y = failing(results),
						       .low = NAN,
						       .high = NAN,
						       .reference = NAN});
		for (size_t i = 0; i < results->count && headline; i++) {
			struct dot dot;

			if (!fleet_is_rate(&results->items[i]) ||
			    strcmp(results->items[i].id, headline) != 0)
				continue;
			dot = dot_of(results->items[i].number, machine, x);
			dot.picture = arena_printf(drawing->document->arena, "%s over time, %s",
						   headline, dot.unit);
			add_dot(drawing, &dot);
		}
	}
}

static void draw_times(struct document *document, const struct fleet *fleet)
{
	const char *first = first_day(fleet);
	struct drawing drawing = {document, fleet,
				  .x_title =
					  arena_printf(document->arena, "days since %.10s", first),
				  .scale = SCALE_LINEAR};

	for (size_t m = 0; m < fleet->count; m++)
		add_times(&drawing, m, floor(days_of(first)));
	draw_all(&drawing);
}

void report_plots(struct document *document, const struct fleet *fleet)
{
	draw_sizes(document, fleet);
	draw_scaling(document, fleet);
	draw_times(document, fleet);
}
