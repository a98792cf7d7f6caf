// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

/*
 * The metrics in the text format of OpenMetrics 1.0, in such a way that the older text format of
 * Prometheus (0.0.4) has the same in it, for node_exporter's textfile directory reads only that:
 * all are gauges (it refuses the types info and stateset), help has no quotation marks, nothing has
 * a time. Every command has its exit status, version, time and duration; the label `command` keeps
 * files of two commands in one directory apart.
 */
void openmetrics_render(struct buffer *out, const struct document *document);
