// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench_progress.h"

#include "base/clock.h"
#include "base/text.h"
#include "cli/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void bench_display_text(struct buffer *out, const struct bench_progress *progress)
{
	const char *what = progress->what ? progress->what : "";
	size_t done = progress->done < progress->total ? progress->done : progress->total;

	buffer_printf(out, "%s%s%s ", what, *what ? ": " : "", progress->phase);
	if (progress->total) {
		progress_add_bar(out, done, progress->total);
		buffer_printf(out, "%zu %%", done * 100 / progress->total);
	}
	if (progress->left_ms >= 0) {
		buffer_text(out, progress->total ? ", " : "");
		progress_add_time(out, (progress->left_ms + 999) / 1000);
		buffer_text(out, " left");
	}
}

void bench_display_start(struct bench_display *display, struct cli *cli)
{
	*display = (struct bench_display){.cli = cli,
					  .text = buffer_new(&cli->arena, PROGRESS_LINE_BYTES)};
	progress_line_start(&display->line, cli);
}

/* One line when the phase, the unit or how many are done changes. */
static void tell_program(const struct bench_display *display, const struct bench_progress *progress)
{
	dprintf(display->line.fd, "bench\t%s\t%s\t%zu\t%zu\t%" PRId64 "\n", progress->phase,
		display->what ? display->what : "", progress->done, progress->total,
		progress->left_ms < 0 ? (int64_t)-1 : (progress->left_ms + 999) / 1000);
}

void bench_display_tell(struct bench_display *display, const struct bench_progress *progress)
{
	const struct bench_progress *now = &display->now;
	bool moved = !text_same(now->phase, progress->phase) || now->done != progress->done;

	if (display->line.fd < 0 || !progress->phase)
		return;
	if (!text_same(display->raw, progress->what)) {
		display->raw =
			progress->what ? arena_strdup(&display->cli->arena, progress->what) : NULL;
		display->what = text_printable(&display->cli->arena, view_of(progress->what));
		moved = true;
	}
	if (display->line.lines && moved)
		tell_program(display, progress);
	display->now = *progress;
	display->now.what = display->what;
	display->now_ms = clock_ms();
	bench_display_tick(display);
}

void bench_display_tick(struct bench_display *display)
{
	struct bench_progress now = display->now;

	if (!now.phase || !progress_line_due(&display->line))
		return;
	/* The clock runs on while one thing is measured. */
	if (now.left_ms >= 0) {
		now.left_ms -= clock_ms() - display->now_ms;
		now.left_ms = now.left_ms > 0 ? now.left_ms : 0;
	}
	display->text.size = 0;
	bench_display_text(&display->text, &now);
	progress_line_show(&display->line, buffer_view(&display->text));
}

void bench_display_end(struct bench_display *display)
{
	progress_line_end(&display->line);
}
