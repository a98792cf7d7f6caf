// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench.h"

#include "base/error.h"
#include "bench/stack.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void bench_sections(struct cli *cli, struct document *document, const struct bench *bench)
{
	struct section *section = document_section(document, NULL, 4, NULL);

	for (size_t i = 0; i < bench->series_count; i++) {
		const struct bench_result *result = &bench->series[i]->result;

		section_row(document, section, result->outcome, result->id,
			    result->estimate
				    ? arena_printf(&cli->arena, "%.4g %s", result->estimate->value,
						   result->estimate->unit)
				    : "",
			    result->reason);
	}
}

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
