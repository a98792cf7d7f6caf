// SPDX-License-Identifier: BSD-2-Clause
#include "cli/progress.h"

#include "base/text.h"
#include "cli/command.h"
#include "setup/execute.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void tell(void *context, const struct plan_tree *tree, const char *phase)
{
	struct progress *progress = context;
	int64_t seconds = (now_ms() - progress->started_ms) / 1000;

	if (progress->fd < 0)
		return;
	dprintf(progress->fd, "%4jd:%02jd  %s %s: %s\n", (intmax_t)seconds / 60,
		(intmax_t)seconds % 60, tree->recipe->name, tree->version->version,
		phase ? phase : "done");
}

/* auto, never, or the descriptor of someone who reads it. */
static int choose(const struct cli *cli)
{
	const char *when = cli->options.progress;
	uint64_t fd;

	if (when && strncmp(when, "fd:", 3) == 0 && view_u64(view_of(when + 3), 10, &fd) &&
	    fd < 1024)
		return (int)fd;
	return cli->options.quiet || (when && strcmp(when, "never") == 0) ? -1 : STDERR_FILENO;
}

void progress_start(struct progress *progress, struct cli *cli, struct execution *execution)
{
	progress->fd = choose(cli);
	progress->terminal = progress->fd >= 0 && isatty(progress->fd);
	progress->started_ms = progress->told_ms = now_ms();
	execution->progress = tell;
	execution->context = progress;
}

void progress_end(struct progress *progress)
{
	progress->fd = -1;
}
