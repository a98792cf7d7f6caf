// SPDX-License-Identifier: BSD-2-Clause
#include "cli/progress.h"

#include "base/clock.h"
#include "base/text.h"
#include "cli/command.h"
#include "setup/execute.h"
#include "setup/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define REDRAW_MS 100
#define HEARTBEAT_MS 60000
#define COLUMNS 80
#define COLUMNS_MAX 500
#define BAR_WIDTH 14
#define LINE_MAX_BYTES 2048
#define FD_MAX 1024

/* "1:23", "2:00:05" */
static void add_time(struct buffer *line, int64_t seconds)
{
	if (seconds >= 3600)
		buffer_printf(line, "%" PRId64 ":%02" PRId64 ":%02" PRId64, seconds / 3600,
			      seconds / 60 % 60, seconds % 60);
	else
		buffer_printf(line, "%" PRId64 ":%02" PRId64, seconds / 60, seconds % 60);
}

static void add_bar(struct buffer *line, uint64_t done, uint64_t total)
{
	uint64_t full = done >= total ? BAR_WIDTH : done * BAR_WIDTH / total;

	buffer_char(line, '[');
	for (uint64_t i = 0; i < BAR_WIDTH; i++)
		buffer_char(line, i < full ? '#' : '.');
	buffer_text(line, "] ");
}

/* "fetching [####....] 12.3 of 53.2 MB, 5.1 MB/s, 0:08 left, 1 of 3 files: openssl-3.5.7.tar.gz" */
static void add_downloads(const struct progress *progress, struct buffer *line)
{
	const struct downloads *downloads = &progress->downloads;
	int64_t elapsed_ms = clock_ms() - progress->download_ms;
	uint64_t came = downloads->bytes > progress->download_bytes
				? downloads->bytes - progress->download_bytes
				: 0;
	double rate = elapsed_ms > 0 ? (double)came * 1000 / (double)elapsed_ms : 0;

	buffer_text(line, "fetching ");
	if (!downloads->bytes && !downloads->total_bytes && downloads->name) {
		buffer_printf(line, "%s ",
			      text_printable(&progress->cli->arena, view_of(downloads->name)));
		add_time(line, elapsed_ms / 1000);
		return;
	}
	if (downloads->total_bytes)
		add_bar(line, downloads->bytes, downloads->total_bytes);
	buffer_printf(line, "%.1f", (double)downloads->bytes / 1e6);
	if (downloads->total_bytes)
		buffer_printf(line, " of %.1f", (double)downloads->total_bytes / 1e6);
	buffer_printf(line, " MB, %.1f MB/s", rate / 1e6);
	if (downloads->total_bytes > downloads->bytes && rate >= 1) {
		buffer_text(line, ", ");
		add_time(line,
			 (int64_t)((double)(downloads->total_bytes - downloads->bytes) / rate));
		buffer_text(line, " left");
	}
	buffer_printf(line, ", %zu of %zu files", downloads->ended, downloads->count);
	if (downloads->name && downloads->name[0])
		buffer_printf(line, ": %s",
			      text_printable(&progress->cli->arena, view_of(downloads->name)));
}

/* "openssl 3.5.7: build 1:23 of about 2:47", one after another. */
static void add_trees(const struct progress *progress, struct buffer *line)
{
	const struct plan *plan = progress->execution->plan;
	int64_t now = clock_ms();

	for (size_t i = 0; i < plan->count; i++) {
		const struct progress_tree *tree = &progress->trees[i];

		if (!tree->phase)
			continue;
		buffer_printf(line, "%s%s %s: %s ", line->size ? ", " : "",
			      plan->trees[i].recipe->name, plan->trees[i].version->version,
			      tree->phase);
		add_time(line, (now - tree->began_ms) / 1000);
		if (tree->expected_s) {
			buffer_text(line, " of about ");
			add_time(line, tree->expected_s);
		}
	}
}

/* Who does not read it does not want to know. */
static void say(const struct progress *progress, const struct buffer *line)
{
	if (write(progress->fd, line->at, line->size) < 0)
		return;
}

static size_t columns(int fd)
{
	struct winsize size = {0};

	if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col < 2)
		return COLUMNS;
	return size.ws_col < COLUMNS_MAX ? size.ws_col : COLUMNS_MAX;
}

static void erase(struct progress *progress, struct buffer *line)
{
	if (progress->drawn)
		buffer_text(line, "\r\033[K");
	progress->drawn = false;
}

/* What is going on now; the heartbeat has "still" in front of it. */
static void show(struct progress *progress)
{
	struct buffer *text = &progress->text, *line = &progress->line;
	size_t width = columns(progress->fd) - 1;

	text->size = line->size = 0;
	if (progress->download_ms)
		add_downloads(progress, text);
	add_trees(progress, text);
	if (progress->terminal) {
		erase(progress, line);
		/* ASCII alone: recipes' names are, and text_printable() sees to the rest. */
		buffer_add(line, text->at, text->size < width ? text->size : width);
		progress->drawn = text->size > 0;
	} else if (text->size) {
		buffer_text(line, "still ");
		buffer_add(line, text->at, text->size);
		buffer_char(line, '\n');
	}
	if (line->size)
		say(progress, line);
	progress->told_ms = clock_ms();
}

static void tick(void *context)
{
	struct progress *progress = context;
	int64_t since_ms = clock_ms() - progress->told_ms;

	if (progress->fd >= 0 && !progress->lines &&
	    since_ms >= (progress->terminal ? REDRAW_MS : HEARTBEAT_MS))
		show(progress);
}

/* The newest tree of this recipe says how long it takes. */
static int64_t expected_s(const struct progress *progress, const struct plan_tree *tree)
{
	struct store *store = progress->execution->store;
	struct store_trees trees;
	const char *newest = "";
	int64_t found = 0;

	if (!store_trees(store, &trees, NULL))
		return 0;
	for (size_t i = 0; i < trees.count; i++) {
		struct manifest manifest;

		if (strcmp(trees.items[i].name, tree->recipe->name) == 0 &&
		    store_manifest(store, &trees.items[i], &manifest, NULL) && manifest.built &&
		    strcmp(manifest.built, newest) > 0) {
			newest = manifest.built;
			found = manifest.elapsed_s;
		}
	}
	return found;
}

/* A line that stays. */
static void tell_done(struct progress *progress, const struct plan_tree *tree, int64_t seconds)
{
	struct buffer *line = &progress->line;

	line->size = 0;
	erase(progress, line);
	buffer_printf(line, "%s %s: done in ", tree->recipe->name, tree->version->version);
	add_time(line, seconds);
	buffer_char(line, '\n');
	say(progress, line);
}

static void tell_phase(void *context, const struct plan_tree *tree, const char *phase)
{
	struct progress *progress = context;
	size_t index = (size_t)(tree - progress->execution->plan->trees);
	struct progress_tree *state = &progress->trees[index];

	progress->download_ms = 0;
	if (progress->fd < 0 || index >= PLAN_TREES_MAX)
		return;
	if (!state->phase)
		*state = (struct progress_tree){.began_ms = clock_ms(),
						.expected_s = expected_s(progress, tree)};
	if (progress->lines)
		dprintf(progress->fd, "phase\t%s\t%s\t%s\t%jd\t%jd\n", tree->recipe->name,
			tree->version->version, phase ? phase : "done",
			(intmax_t)(clock_ms() - state->began_ms) / 1000,
			(intmax_t)state->expected_s);
	state->phase = phase;
	if (!phase && progress->terminal)
		tell_done(progress, tree, (clock_ms() - state->began_ms) / 1000);
	tick(progress);
}

static void tell_downloads(void *context, const struct downloads *downloads)
{
	struct progress *progress = context;
	bool first = !progress->download_ms;

	if (progress->fd < 0)
		return;
	progress->downloads = *downloads;
	if (first) {
		progress->download_ms = clock_ms();
		progress->download_bytes = downloads->bytes;
	}
	if (progress->lines && (first || downloads->ended == downloads->count ||
				clock_ms() - progress->told_ms >= REDRAW_MS)) {
		dprintf(progress->fd, "fetch\t%zu\t%zu\t%ju\t%ju\n", downloads->ended,
			downloads->count, (uintmax_t)downloads->bytes,
			(uintmax_t)downloads->total_bytes);
		progress->told_ms = clock_ms();
	}
	tick(progress);
}

/* auto, never, or the descriptor of a program that reads it. */
static bool choose(struct progress *progress, const struct cli *cli)
{
	const char *when = cli->options.progress;
	uint64_t fd;

	if (when && strncmp(when, "fd:", 3) == 0 && view_u64(view_of(when + 3), 10, &fd) &&
	    fd < FD_MAX) {
		progress->lines = true;
		progress->fd = (int)fd;
		return true;
	}
	progress->fd =
		cli->options.quiet || (when && strcmp(when, "never") == 0) ? -1 : STDERR_FILENO;
	progress->terminal = progress->fd >= 0 && isatty(progress->fd);
	return !when || strcmp(when, "never") == 0 || strcmp(when, "auto") == 0;
}

bool progress_check(struct cli *cli)
{
	struct progress progress = {0};

	return choose(&progress, cli) ||
	       error_exit(&cli->error, EXIT_USAGE, "--progress: '%s' is none of auto, never, fd:N",
			  text_printable(&cli->arena, view_of(cli->options.progress)));
}

void progress_start(struct progress *progress, struct cli *cli, struct execution *execution)
{
	/* Two buffers for all lines: a line is drawn thousands of times. */
	*progress = (struct progress){.cli = cli,
				      .execution = execution,
				      .text = buffer_new(&cli->arena, LINE_MAX_BYTES),
				      .line = buffer_new(&cli->arena, LINE_MAX_BYTES + 64)};
	choose(progress, cli);
	progress->told_ms = clock_ms();
	execution->progress = tell_phase;
	execution->downloading = tell_downloads;
	execution->tick = tick;
	execution->context = progress;
}

void progress_end(struct progress *progress)
{
	progress->line.size = 0;
	erase(progress, &progress->line);
	if (progress->fd >= 0 && progress->line.size)
		say(progress, &progress->line);
	progress->fd = -1;
}
