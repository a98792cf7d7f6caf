// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "report/html_private.h"
#include "report/markup.h"

#include <math.h>
#include <string.h>

/* In units of the picture, which is as wide as there is room. */
#define WIDTH 400
#define HEIGHT 262
#define LEFT 52
#define RIGHT 24
#define TOP 26
#define BOTTOM 44
#define COLORS 6
#define TICKS_MAX 8

struct frame {
	struct buffer *out;
	struct arena *arena;
	bool log;
	double x_low, x_high, y_high; /* of the axes; y begins at 0 */
};

const char *svg_number(struct arena *arena, double number)
{
	double size = fabs(number);
	int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;

	if (!isfinite(number))
		return "";
	if (number == floor(number) && size < 1e15)
		return arena_printf(arena, "%.0f", number);
	/* 0.00042 keeps its three digits */
	while (size > 0 && size < 0.1 && digits < 15) {
		size *= 10;
		digits++;
	}
	return arena_printf(arena, "%.*f", digits, number);
}

static double place_x(const struct frame *frame, double x)
{
	double low = frame->log ? log2(frame->x_low) : frame->x_low,
	       high = frame->log ? log2(frame->x_high) : frame->x_high,
	       at = frame->log ? log2(x) : x;

	return LEFT + (WIDTH - LEFT - RIGHT) * (high > low ? (at - low) / (high - low) : 0.5);
}

static double place_y(const struct frame *frame, double y)
{
	return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y / frame->y_high);
}

/* 1, 2 or 5 times a power of ten, about a fourth of the whole. */
static double step_of(double whole)
{
	double power = pow(10, floor(log10(whole / 4))), parts = whole / 4 / power;

	return power * (parts < 1.5 ? 1 : parts < 3.5 ? 2 : parts < 7.5 ? 5 : 10);
}

static bool is_drawn(const struct frame *frame, const struct plot_point *point)
{
	return isfinite(point->x) && isfinite(point->y) && point->y >= 0 &&
	       (!frame->log || point->x > 0);
}

static void measure(struct frame *frame, const struct plot *plot)
{
	double y_high = 0;

	frame->x_low = INFINITY;
	frame->x_high = -INFINITY;
	for (size_t i = 0; i < plot->line_count; i++) {
		for (size_t p = 0; p < plot->lines[i].count; p++) {
			const struct plot_point *point = &plot->lines[i].points[p];

			if (!is_drawn(frame, point))
				continue;
			frame->x_low = fmin(frame->x_low, point->x);
			frame->x_high = fmax(frame->x_high, point->x);
			y_high = fmax(y_high, isfinite(point->high) ? point->high : point->y);
		}
	}
	if (!isfinite(frame->x_low))
		frame->x_low = frame->x_high = 1;
	if (!frame->log && frame->x_low == frame->x_high)
		frame->x_low = 0;
	y_high = y_high > 0 && y_high < 1e300 ? y_high : 1;
	frame->y_high = ceil(y_high / step_of(y_high) - 1e-9) * step_of(y_high);
}

static void put_text(const struct frame *frame, double x, double y, const char *anchor,
		     const char *text)
{
	buffer_printf(frame->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	markup_text(frame->out, text);
	buffer_text(frame->out, "</text>\n");
}

static void put_y_axis(const struct frame *frame)
{
	double step = step_of(frame->y_high);

	for (int i = 0; i * step <= frame->y_high * 1.001; i++) {
		double y = place_y(frame, i * step);

		buffer_printf(frame->out,
			      "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
			      i ? "grid" : "axis", LEFT, WIDTH - RIGHT, y, y);
		put_text(frame, LEFT - 7, y + 4, "end", svg_number(frame->arena, i * step));
	}
}

static void put_tick(const struct frame *frame, double value)
{
	double x = place_x(frame, value);

	buffer_printf(frame->out,
		      "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x,
		      HEIGHT - BOTTOM, HEIGHT - BOTTOM + 4);
	put_text(frame, x, HEIGHT - BOTTOM + 18, "middle", svg_number(frame->arena, value));
}

/* Powers of two that stand between the ends, or whole numbers. */
static void put_x_axis(const struct frame *frame)
{
	double low = frame->log ? ceil(log2(frame->x_low) - 1e-9) : frame->x_low,
	       high = frame->log ? floor(log2(frame->x_high) + 1e-9) : frame->x_high, step = 1;

	if (frame->log && low > high) {
		put_tick(frame, frame->x_low);
		return;
	}
	if (frame->log)
		step = fmax(1, ceil((high - low + 1) / TICKS_MAX));
	else
		step = fmax(1, step_of(high - low > 0 ? high - low : 1));
	if (!frame->log)
		low = ceil(low / step - 1e-9) * step;
	for (double at = low; at <= high * (1 + 1e-9); at += step)
		put_tick(frame, frame->log ? exp2(at) : at);
}

/* Shapes, so that lines differ without colour. */
static void put_mark(struct buffer *out, double x, double y, size_t index, bool reference)
{
	const char *class = reference || index % 2 ? "hollow" : "mark";

	switch (reference ? 0 : index % 3) {
	case 0:
		buffer_printf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.4\"/>",
			      class, x, y);
		break;
	case 1:
		buffer_printf(out,
			      "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"8\" "
			      "height=\"8\"/>",
			      class, x - 4, y - 4);
		break;
	default:
		buffer_printf(out, "<path class=\"%s\" d=\"M%.1f %.1fl4.4 7.6h-8.8z\"/>", class, x,
			      y - 4.8);
	}
}

static void put_color(struct buffer *out, const struct plot_line *line, size_t index)
{
	if (line->reference)
		buffer_text(out, "<g class=\"ref\">");
	else
		buffer_printf(out, "<g class=\"c%zu\">", index % COLORS);
}

static void put_span(const struct frame *frame, const struct plot_point *point)
{
	double x = place_x(frame, point->x);

	if (isfinite(point->low) && isfinite(point->high))
		buffer_printf(frame->out,
			      "<line class=\"span\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
			      "y2=\"%.1f\"/>",
			      x, x, place_y(frame, fmax(0, point->low)),
			      place_y(frame, point->high));
}

static void put_line(const struct frame *frame, const struct plot_line *line, size_t index)
{
	struct buffer *out = frame->out;
	char command = 'M';

	put_color(out, line, index);
	buffer_printf(out, "<path class=\"curve%s\" d=\"", line->reference ? " published" : "");
	for (size_t p = 0; p < line->count; p++) {
		if (!is_drawn(frame, &line->points[p]))
			continue;
		buffer_printf(out, "%c%.1f %.1f", command, place_x(frame, line->points[p].x),
			      place_y(frame, line->points[p].y));
		command = 'L';
	}
	buffer_text(out, command == 'M' ? "M0 0\"/>" : "\"/>");
	for (size_t p = 0; p < line->count; p++) {
		if (!is_drawn(frame, &line->points[p]))
			continue;
		put_span(frame, &line->points[p]);
		put_mark(out, place_x(frame, line->points[p].x), place_y(frame, line->points[p].y),
			 index, line->reference);
	}
	buffer_text(out, "</g>\n");
}

void svg_swatch(struct buffer *out, const struct plot_line *line, size_t index)
{
	buffer_text(out, "<svg viewBox=\"0 0 42 18\" aria-hidden=\"true\">");
	put_color(out, line, index);
	buffer_printf(out, "<path class=\"curve%s\" d=\"M1 9H41\"/>",
		      line->reference ? " published" : "");
	put_mark(out, 21, 9, index, line->reference);
	buffer_text(out, "</g></svg>");
}

void svg_plot(struct buffer *out, const struct plot *plot, size_t number)
{
	struct frame frame = {.out = out, .arena = out->arena, .log = plot->x_scale == SCALE_LOG2};

	measure(&frame, plot);
	buffer_printf(out, "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\"", WIDTH, HEIGHT);
	markup_attribute(out, "aria-label", plot->title);
	buffer_printf(out, " aria-describedby=\"plot-%zu\"><title>", number);
	markup_text(out, plot->title);
	buffer_printf(out, "</title><desc id=\"plot-%zu\">", number);
	markup_printf(out, "%s over %s: %zu line%s; the numbers are in the table below",
		      plot->y_title, plot->x_title, plot->line_count,
		      plot->line_count == 1 ? "" : "s");
	buffer_text(out, "</desc>\n");
	put_y_axis(&frame);
	put_x_axis(&frame);
	put_text(&frame, 4, 14, "start", plot->y_title);
	put_text(&frame, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 7, "middle", plot->x_title);
	/* What is published lies below what was measured, the first line above all. */
	for (int measured = 0; measured < 2; measured++) {
		for (size_t i = plot->line_count; i > 0; i--) {
			if (plot->lines[i - 1].reference == !measured)
				put_line(&frame, &plot->lines[i - 1], i - 1);
		}
	}
	buffer_text(out, "</svg>\n");
}
