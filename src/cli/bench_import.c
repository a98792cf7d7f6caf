// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench.h"

bool bench_import_files(struct cli *cli, struct document *document, struct field_array *results)
{
	(void)document;
	(void)results;
	return error_set(&cli->error, "--import is not in this version");
}
