// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench.h"

#include "base/error.h"

/* 4 before 2 before 1 before 3, as everywhere. */
int bench_exit_code(const struct cli *cli, const struct bench *bench, int signal)
{
	const struct bench_summary *summary = &bench->summary;

	if (cli->options.dry_run)
		return EXIT_OK;
	if (signal)
		return 128 + signal;
	if (bench->wrong)
		return EXIT_VERIFY;
	if (bench->broken)
		return EXIT_TROUBLE;
	if (summary->fail)
		return EXIT_FINDINGS;
	if (summary->unknown && cli->options.strict)
		return EXIT_UNKNOWN_ONLY;
	return summary->pass || summary->unknown ? EXIT_OK : EXIT_SKIPPED;
}
