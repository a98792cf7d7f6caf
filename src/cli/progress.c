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
		progress_add_time(line, elapsed_ms / 1000);
		return;
	}
	if (downloads->total_bytes)
		progress_add_bar(line, downloads->bytes, downloads->total_bytes);
	buffer_printf(line, "%.1f", (double)downloads->bytes / 1e6);
	if (downloads->total_bytes)
		buffer_printf(line, " of %.1f", (double)downloads->total_bytes / 1e6);
	buffer_printf(line, " MB, %.1f MB/s", rate / 1e6);
	if (downloads->total_bytes > downloads->bytes && rate >= 1) {
		buffer_text(line, ", ");
		progress_add_time(
			line,
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
		progress_add_time(line, (now - tree->began_ms) / 1000);
		if (tree->expected_s) {
			buffer_text(line, " of about ");
			progress_add_time(line, tree->expected_s);
		}
	}
}

static void tick(void *context)
{
	struct progress *progress = context;
	struct buffer *text = &progress->text;

	if (!progress_line_due(&progress->line))
		return;
	text->size = 0;
	if (progress->download_ms)
		add_downloads(progress, text);
	add_trees(progress, text);
	progress_line_show(&progress->line, buffer_view(text));
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

static void tell_done(struct progress *progress, const struct plan_tree *tree, int64_t seconds)
{
	struct buffer *text = &progress->text;

	text->size = 0;
	buffer_printf(text, "%s %s: done in ", tree->recipe->name, tree->version->version);
	progress_add_time(text, seconds);
	progress_line_keep(&progress->line, buffer_view(text));
}

static void tell_phase(void *context, const struct plan_tree *tree, const char *phase)
{
	struct progress *progress = context;
	size_t index = (size_t)(tree - progress->execution->plan->trees);
	struct progress_tree *state = &progress->trees[index];

	progress->download_ms = 0;
	if (progress->line.fd < 0 || index >= PLAN_TREES_MAX)
		return;
	if (!state->phase)
		*state = (struct progress_tree){.began_ms = clock_ms(),
						.expected_s = expected_s(progress, tree)};
	if (progress->line.lines)
		dprintf(progress->line.fd, "phase\t%s\t%s\t%s\t%jd\t%jd\n", tree->recipe->name,
			tree->version->version, phase ? phase : "done",
			(intmax_t)(clock_ms() - state->began_ms) / 1000,
			(intmax_t)state->expected_s);
	state->phase = phase;
	if (!phase)
		tell_done(progress, tree, (clock_ms() - state->began_ms) / 1000);
	tick(progress);
}

static void tell_downloads(void *context, const struct downloads *downloads)
{
	struct progress *progress = context;
	bool first = !progress->download_ms;

	if (progress->line.fd < 0)
		return;
	progress->downloads = *downloads;
	if (first) {
		progress->download_ms = clock_ms();
		progress->download_bytes = downloads->bytes;
	}
	if (progress->line.lines && (first || downloads->ended == downloads->count ||
				     clock_ms() - progress->line.told_ms >= PROGRESS_REDRAW_MS)) {
		dprintf(progress->line.fd, "fetch\t%zu\t%zu\t%ju\t%ju\n", downloads->ended,
			downloads->count, (uintmax_t)downloads->bytes,
			(uintmax_t)downloads->total_bytes);
		progress->line.told_ms = clock_ms();
	}
	tick(progress);
}

void progress_start(struct progress *progress, struct cli *cli, struct execution *execution)
{
	*progress = (struct progress){.cli = cli,
				      .execution = execution,
				      .text = buffer_new(&cli->arena, PROGRESS_LINE_BYTES)};
	progress_line_start(&progress->line, cli);
	execution->progress = tell_phase;
	execution->downloading = tell_downloads;
	execution->tick = tick;
	execution->context = progress;
}

void progress_end(struct progress *progress)
{
	progress_line_end(&progress->line);
}
