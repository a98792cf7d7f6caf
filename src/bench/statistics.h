// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Pure functions of samples; no unit matters. The interval is that of the median by order
 * statistics, without any assumption about the distribution: exact binomial coverage of at least
 * the confidence asked for, or not known (low = high = NaN) with too few samples for it.
 */
struct statistics_interval {
	double median, low, high;
	size_t count;
	double coverage; /* what the order statistics really give, 0…1 */
};

#define STATISTICS_CONFIDENCE 0.95

/* `samples` is sorted in place. */
void statistics_interval(double *samples, size_t count, double confidence,
			 struct statistics_interval *out);

/* Whether to go on: narrow enough (half width / median), or all that may be taken is taken. */
struct statistics_stop {
	size_t least, most;
	double narrow; /* 0.005: half a percent */
};
bool statistics_enough(const struct statistics_interval *interval,
		       const struct statistics_stop *stop);

/* More than a third was dropped, or another process was busy on the core. */
bool statistics_noisy(size_t kept, size_t dropped, bool busy);

/*
 * Is `now` slower than `before` by at least `threshold` (0.03)? With the error probability below
 * one percent for A/A whatever the distributions; a group is one invocation, so drift between
 * invocations counts. Samples are rates: larger is faster.
 */
struct statistics_groups {
	const double *medians; /* of each invocation */
	size_t count;
};
enum statistics_change { CHANGE_NONE, CHANGE_SLOWER, CHANGE_FASTER, CHANGE_UNDECIDED };
struct statistics_comparison {
	enum statistics_change change;
	double ratio, low, high; /* now / before and its interval */
};
void statistics_compare(const struct statistics_groups *before, const struct statistics_groups *now,
			double threshold, struct statistics_comparison *out);
