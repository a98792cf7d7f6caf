// SPDX-License-Identifier: BSD-2-Clause
#include "cli/progress_line.h"

#include "base/clock.h"
#include "cli/command.h"

#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define HEARTBEAT_MS 60000
#define COLUMNS 80
#define COLUMNS_MAX 500
#define BAR_WIDTH 14
#define FD_MAX 1024

void progress_add_time(struct buffer *out, int64_t seconds)
{
	if (seconds >= 3600)
		buffer_printf(out, "%" PRId64 ":%02" PRId64 ":%02" PRId64, seconds / 3600,
			      seconds / 60 % 60, seconds % 60);
	else
		buffer_printf(out, "%" PRId64 ":%02" PRId64, seconds / 60, seconds % 60);
}

void progress_add_bar(struct buffer *out, uint64_t done, uint64_t total)
{
	uint64_t full = done >= total ? BAR_WIDTH : done * BAR_WIDTH / total;

	buffer_char(out, '[');
	for (uint64_t i = 0; i < BAR_WIDTH; i++)
		buffer_char(out, i < full ? '#' : '.');
	buffer_text(out, "] ");
}

static size_t columns(int fd)
{
	struct winsize size = {0};

	if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col < 2)
		return COLUMNS;
	return size.ws_col < COLUMNS_MAX ? size.ws_col : COLUMNS_MAX;
}

static void erase(struct progress_line *line)
{
	line->line.size = 0;
	if (line->drawn)
		buffer_text(&line->line, "\r\033[K");
	line->drawn = false;
}

/* Who does not read it does not want to know. */
static void say(const struct progress_line *line)
{
	if (line->line.size && write(line->fd, line->line.at, line->line.size) < 0)
		return;
}

bool progress_line_due(const struct progress_line *line)
{
	return line->fd >= 0 && !line->lines &&
	       clock_ms() - line->told_ms >= (line->terminal ? PROGRESS_REDRAW_MS : HEARTBEAT_MS);
}

void progress_line_show(struct progress_line *line, struct view text)
{
	size_t width = columns(line->fd) - 1;

	erase(line);
	if (line->terminal) {
		/* ASCII alone: names are, and text_printable() sees to the rest. */
		buffer_add(&line->line, text.at, text.size < width ? text.size : width);
		line->drawn = text.size > 0;
	} else if (text.size) {
		buffer_text(&line->line, "still ");
		buffer_add(&line->line, text.at, text.size);
		buffer_char(&line->line, '\n');
	}
	say(line);
	line->told_ms = clock_ms();
}

void progress_line_keep(struct progress_line *line, struct view text)
{
	if (line->fd < 0 || !line->terminal)
		return;
	erase(line);
	buffer_add(&line->line, text.at, text.size);
	buffer_char(&line->line, '\n');
	say(line);
}

void progress_line_end(struct progress_line *line)
{
	if (line->fd < 0)
		return;
	erase(line);
	say(line);
	line->fd = -1;
}

/* auto, never, or the descriptor of a program that reads it. */
static bool choose(struct progress_line *line, const struct cli *cli)
{
	const char *when = cli->options.progress;
	uint64_t fd;

	if (when && strncmp(when, "fd:", 3) == 0 && view_u64(view_of(when + 3), 10, &fd) &&
	    fd < FD_MAX) {
		line->lines = true;
		line->fd = (int)fd;
		return true;
	}
	line->fd = cli->options.quiet || (when && strcmp(when, "never") == 0) ? -1 : STDERR_FILENO;
	line->terminal = line->fd >= 0 && isatty(line->fd);
	return !when || strcmp(when, "never") == 0 || strcmp(when, "auto") == 0;
}

bool progress_check(struct cli *cli)
{
	struct progress_line line = {0};

	return choose(&line, cli) ||
	       error_exit(&cli->error, EXIT_USAGE, "--progress: '%s' is none of auto, never, fd:N",
			  text_printable(&cli->arena, view_of(cli->options.progress)));
}

void progress_line_start(struct progress_line *line, struct cli *cli)
{
	/* One buffer for all lines: a line is drawn thousands of times. */
	*line = (struct progress_line){.line = buffer_new(&cli->arena, PROGRESS_LINE_BYTES + 64)};
	choose(line, cli);
	line->told_ms = clock_ms();
}
