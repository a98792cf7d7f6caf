// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "report/html_private.h"
#include "report/markup.h"

#include <math.h>

static void put_legend(struct buffer *out, const struct plot *plot)
{
	buffer_text(out, "<ul class=\"legend\">");
	for (size_t i = 0; i < plot->line_count; i++) {
		buffer_text(out, "<li>");
		svg_swatch(out, &plot->lines[i], i);
		markup_text(out, plot->lines[i].name);
		buffer_text(out, "</li>");
	}
	buffer_text(out, "</ul>\n");
}

static void put_row(struct buffer *out, const struct plot_line *line,
		    const struct plot_point *point)
{
	struct arena *arena = out->arena;

	buffer_text(out, "<tr><th scope=\"row\">");
	markup_text(out, line->name);
	buffer_printf(out, "</th><td class=\"number\">%s</td><td class=\"number\">%s</td>",
		      svg_number(arena, point->x), svg_number(arena, point->y));
	buffer_text(out, "<td class=\"number\">");
	if (isfinite(point->low) && isfinite(point->high))
		buffer_printf(out, "%s to %s", svg_number(arena, point->low),
			      svg_number(arena, point->high));
	buffer_text(out, "</td></tr>\n");
}

static void put_numbers(struct buffer *out, const struct plot *plot)
{
	buffer_text(out, "<details class=\"numbers\"><summary>The numbers</summary>\n"
			 "<div class=\"wide\"><table><thead><tr><th scope=\"col\">line</th>"
			 "<th scope=\"col\" class=\"number\">");
	markup_text(out, plot->x_title);
	buffer_text(out, "</th><th scope=\"col\" class=\"number\">");
	markup_text(out, plot->y_title);
	buffer_text(out, "</th><th scope=\"col\" class=\"number\">interval</th></tr></thead>"
			 "<tbody>\n");
	for (size_t i = 0; i < plot->line_count; i++) {
		for (size_t p = 0; p < plot->lines[i].count; p++)
			put_row(out, &plot->lines[i], &plot->lines[i].points[p]);
	}
	buffer_text(out, "</tbody></table></div></details>\n");
}

void html_plots(struct buffer *out, const struct document *document)
{
	size_t number = 0;

	if (!document->facets.first_plot)
		return;
	buffer_text(out, "<section>\n<h2>Plots</h2>\n<div class=\"plots\">\n");
	for (const struct plot *plot = document->facets.first_plot; plot; plot = plot->next) {
		buffer_text(out, "<figure><figcaption>");
		html_element(out, "h3", NULL, plot->title);
		buffer_text(out, "</figcaption>\n");
		svg_plot(out, plot, number++);
		put_legend(out, plot);
		html_element(out, "p", "remark", plot->note);
		put_numbers(out, plot);
		buffer_text(out, "</figure>\n");
	}
	buffer_text(out, "</div>\n</section>\n");
}
