// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define SECONDS_MAX 86400
#define CORES_MAX 8192
#define CORE_COUNTS_MAX 64
#define BASELINE_THRESHOLD 0.03
#define PERCENT_DIGITS_MAX 12

static bool read_whole(struct cli *cli, const char *option, const char *text, uint64_t least,
		       uint64_t most, uint64_t *out)
{
	if (view_u64(view_of(text), 10, out) && *out >= least && *out <= most)
		return true;
	return error_exit(&cli->error, EXIT_USAGE,
			  "--%s: '%s' is no number from %" PRIu64 " to %" PRIu64, option, text,
			  least, most);
}

/* "3%", "2.5%" or "3": percent, with digits and one point whatever the locale. */
static bool read_percent(struct cli *cli, const char *text, double *out)
{
	struct view whole = view_of(text), fraction = {0}, part;
	uint64_t left = 0, right = 0;
	double scale = 1;
	bool point = view_find(whole, ".");

	if (view_ends(whole, "%"))
		whole.size--;
	part = whole;
	view_split(&whole, '.', &part);
	fraction = whole;
	if (part.size > PERCENT_DIGITS_MAX || fraction.size > PERCENT_DIGITS_MAX ||
	    !view_u64(part, 10, &left) || (point && !view_u64(fraction, 10, &right)))
		return error_exit(&cli->error, EXIT_USAGE,
				  "--threshold: '%s' is no percentage, as 3%% or 2.5%%", text);
	for (size_t i = 0; i < fraction.size; i++)
		scale *= 10;
	*out = ((double)left + (double)right / scale) / 100;
	if (*out <= 0 || *out >= 1)
		return error_exit(&cli->error, EXIT_USAGE,
				  "--threshold: '%s' is not between 0%% and 100%%", text);
	return true;
}

/* "1,2,4": how many cores to measure on, one after the other. */
static bool read_cores(struct cli *cli, const char *text, struct numbers *out)
{
	struct view rest = view_of(text), word;
	uint64_t number;

	out->items = arena_array(&cli->arena, int64_t, CORE_COUNTS_MAX);
	while (view_split(&rest, ',', &word)) {
		if (out->count == CORE_COUNTS_MAX)
			return error_exit(&cli->error, EXIT_USAGE, "--cores: more than %d numbers",
					  CORE_COUNTS_MAX);
		if (!read_whole(cli, "cores", view_copy(&cli->arena, word), 1, CORES_MAX, &number))
			return false;
		for (size_t i = 0; i < out->count; i++) {
			if (out->items[i] == (int64_t)number)
				return error_exit(&cli->error, EXIT_USAGE,
						  "--cores: %" PRIu64 " stands twice", number);
		}
		out->items[out->count++] = (int64_t)number;
	}
	return true;
}

bool bench_settings_read(struct cli *cli, struct bench_settings *out)
{
	const struct options *options = &cli->options;
	uint64_t seconds = 0;

	*out = (struct bench_settings){.threshold = BASELINE_THRESHOLD};
	if (options->seconds &&
	    !read_whole(cli, "seconds", options->seconds, 1, SECONDS_MAX, &seconds))
		return false;
	out->seconds = (int64_t)seconds;
	if (options->threshold && !read_percent(cli, options->threshold, &out->threshold))
		return false;
	if (options->cores && !read_cores(cli, options->cores, &out->cores))
		return false;
	if (options->seed)
		return read_whole(cli, "seed", options->seed, 0, UINT64_MAX, &out->seed);
	if (getrandom(&out->seed, sizeof(out->seed), GRND_NONBLOCK) != (ssize_t)sizeof(out->seed))
		out->seed = (uint64_t)cli->argc; /* any will do: it is written down */
	return true;
}
