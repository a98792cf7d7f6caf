// SPDX-License-Identifier: BSD-2-Clause
#include "cli/report.h"

void report_plots(struct document *document, const struct fleet *fleet)
{
	(void)document;
	(void)fleet;
}
