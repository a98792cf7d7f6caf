// SPDX-License-Identifier: BSD-2-Clause
#include "report/robust.h"

#include "bench/statistics.h"

#include <math.h>

struct robust robust_of(double *values, double *scratch, size_t count)
{
	struct robust robust = {statistics_median(values, count), NAN};
	double sum = 0, middle;

	if (count < ROBUST_LEAST)
		return robust;
	for (size_t i = 0; i < count; i++) {
		scratch[i] = fabs(values[i] - robust.median);
		sum += scratch[i];
	}
	middle = statistics_median(scratch, count);
	/* 1 / 0.6745 and sqrt(pi / 2): what makes them the standard deviation of normal values. */
	robust.scale = middle > 0 ? 1.4826 * middle : 1.2533 * sum / (double)count;
	return robust;
}

double robust_score(const struct robust *robust, double value)
{
	return robust->scale > 0 ? (value - robust->median) / robust->scale : (double)NAN;
}
