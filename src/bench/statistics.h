// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Pure functions of samples; no unit matters. What is counted is invocations: a process is laid out
 * in memory once, so what it measures hangs together, and only what differs between processes says
 * how far a number may be off. So each invocation gives one sample, the median of its batches or
 * its one row.
 *
 * The interval is that of the median by order statistics, without any assumption about the
 * distribution: exact binomial coverage of at least the confidence asked for, or not known (low =
 * high = NaN) with too few samples for it.
 */
struct statistics_interval {
	double median, low, high;
	size_t count;
	double coverage; /* what the order statistics really give, 0…1 */
};

/*
 * What is promised, and what the interval is made with. To stop as soon as the interval is narrow
 * favours intervals that are narrow by luck; the difference pays for that and for some drift.
 * tests/statistics holds both against noise of several kinds.
 */
#define STATISTICS_PROMISED 0.95
#define STATISTICS_CONFIDENCE 0.98

/* `samples` is sorted in place. */
void statistics_interval(double *samples, size_t count, double confidence,
			 struct statistics_interval *out);
/* NaN of none; sorts. */
double statistics_median(double *samples, size_t count);

/* One sample and the process that took it. */
struct statistics_sample {
	int64_t invocation;
	double value;
};
/* The median of each invocation, in rising order of their numbers; sorts `samples`. `medians` has
 * room for `count`. Returns how many. */
size_t statistics_invocations(struct statistics_sample *samples, size_t count, double *medians);

/* Whether to go on: narrow enough (half width / median), or all that may be taken is taken. */
struct statistics_stop {
	size_t least, most; /* invocations */
	double narrow;      /* 0.005: half a percent */
};
#define STATISTICS_LEAST 7
#define STATISTICS_MOST 31
#define STATISTICS_NARROW 0.005
bool statistics_enough(const struct statistics_interval *interval,
		       const struct statistics_stop *stop);

/* More than a third was dropped. */
bool statistics_noisy(size_t kept, size_t dropped);

/*
 * Is `now` slower than `before`? Samples are rates: larger is faster. All ratios of one to another
 * are put in order; their median is the ratio, and the exact distribution of the rank sum
 * (Mann-Whitney; the interval is Hodges' and Lehmann's) says which of them bound it with 99 %,
 * whatever the distributions. Slower or faster means both that 1 lies outside, which A/A does in
 * one case of a hundred at most, and that the ratio is nearer to a change of `threshold` than to
 * none: what drifts by less between two runs is no alarm. none: a slow-down and a speed-up of
 * `threshold` lie outside; else undecided. With less than 5 on a side (or 4 against 6) no interval
 * has 99 %.
 */
struct statistics_groups {
	const double *medians; /* of each invocation */
	size_t count;          /* of more than STATISTICS_GROUPS_MAX evenly many are taken */
};
#define STATISTICS_GROUPS_MAX 40
enum statistics_change { CHANGE_NONE, CHANGE_SLOWER, CHANGE_FASTER, CHANGE_UNDECIDED };
struct statistics_comparison {
	enum statistics_change change;
	double ratio, low, high; /* now / before and its interval */
};
void statistics_compare(const struct statistics_groups *before, const struct statistics_groups *now,
			double threshold, struct statistics_comparison *out);
