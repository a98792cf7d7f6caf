// SPDX-License-Identifier: BSD-2-Clause
#include "bench/statistics.h"

#include <math.h>
#include <stdlib.h>

#define TAIL 0.005 /* of each side of a comparison's interval */

static int by_value(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

static double middle(const double *sorted, size_t count)
{
	if (!count)
		return NAN;
	return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double statistics_median(double *samples, size_t count)
{
	qsort(samples, count, sizeof(*samples), by_value);
	return middle(samples, count);
}

/* C(count, j - 1) from C(count, j). */
static double term_below(double term, size_t count, size_t j)
{
	return term * (double)j / (double)(count - j + 1);
}

/*
 * The largest k for which the k-th smallest and the k-th largest of n enclose the median with that
 * confidence: from k to n - k of n fall below it with probability sum C(n, j) / 2^n. Terms are
 * relative to the middle one, which is the largest, and divided by the sum of all: what underflows
 * does not count. 0: there is none.
 */
static size_t order_of(size_t count, double confidence, double *coverage)
{
	size_t half = count / 2, order = half;
	/* An odd count has two equal middle terms, an even one a single one. */
	double middles = count % 2 ? 2 : 1, total = middles, inside = middles, term = 1;

	for (size_t j = half; j > 0; j--) {
		term = term_below(term, count, j);
		total += 2 * term;
	}
	term = 1;
	while (order && inside < confidence * total) {
		term = term_below(term, count, order);
		inside += 2 * term;
		order--;
	}
	*coverage = order ? inside / total : 0;
	return order;
}

void statistics_interval(double *samples, size_t count, double confidence,
			 struct statistics_interval *out)
{
	struct statistics_interval interval = {.low = NAN, .high = NAN, .count = count};
	size_t order = order_of(count, confidence, &interval.coverage);

	interval.median = statistics_median(samples, count);
	if (order) {
		interval.low = samples[order - 1];
		interval.high = samples[count - order];
	}
	*out = interval;
}

static int by_invocation(const void *one, const void *other)
{
	const struct statistics_sample *a = one, *b = other;

	if (a->invocation != b->invocation)
		return a->invocation < b->invocation ? -1 : 1;
	return by_value(&a->value, &b->value);
}

size_t statistics_invocations(struct statistics_sample *samples, size_t count, double *medians)
{
	size_t done = 0, end;

	qsort(samples, count, sizeof(*samples), by_invocation);
	for (size_t start = 0; start < count; start = end) {
		size_t size, half;

		for (end = start + 1; end < count; end++) {
			if (samples[end].invocation != samples[start].invocation)
				break;
		}
		size = end - start;
		half = start + size / 2;
		medians[done++] = size % 2 ? samples[half].value
					   : (samples[half - 1].value + samples[half].value) / 2;
	}
	return done;
}

bool statistics_enough(const struct statistics_interval *interval,
		       const struct statistics_stop *stop)
{
	if (interval->count >= stop->most)
		return true;
	/* What is not known is not narrow. */
	return interval->count >= stop->least &&
	       (interval->high - interval->low) / 2 <= stop->narrow * fabs(interval->median);
}

bool statistics_noisy(size_t kept, size_t dropped)
{
	return dropped * 2 > kept;
}

/*
 * How many of the m * n pairs may lie beyond each end: the largest k with P(U < k) <= TAIL. The
 * number of ways that U = u is the coefficient of q^u in the product of (1 - q^(n + i)) / (1 -
 * q^i), i = 1 … m. 0: even k = 1 is too many.
 */
static size_t pairs_beyond(size_t m, size_t n)
{
	double ways[STATISTICS_GROUPS_MAX * STATISTICS_GROUPS_MAX + 1] = {1}, total = 1, below = 0;
	size_t pairs = m * n, k;

	for (size_t i = 1; i <= m; i++) {
		for (size_t u = i; u <= pairs; u++)
			ways[u] += ways[u - i];
		for (size_t u = pairs; u >= n + i; u--)
			ways[u] -= ways[u - n - i];
		total *= (double)(n + i) / (double)i;
	}
	for (k = 0; k < pairs / 2; k++) {
		below += ways[k] / total;
		if (below > TAIL)
			break;
	}
	return k;
}

static size_t thin(const struct statistics_groups *groups, double *out)
{
	size_t count = groups->count;

	if (count > STATISTICS_GROUPS_MAX)
		count = STATISTICS_GROUPS_MAX;
	for (size_t i = 0; i < count; i++)
		out[i] = groups->medians[i * groups->count / count];
	return count;
}

static enum statistics_change judge(const struct statistics_comparison *comparison,
				    double threshold)
{
	if (comparison->high < 1 && comparison->ratio <= 1 - threshold / 2)
		return CHANGE_SLOWER;
	if (comparison->low > 1 && comparison->ratio >= 1 + threshold / 2)
		return CHANGE_FASTER;
	if (comparison->low > 1 - threshold && comparison->high < 1 + threshold)
		return CHANGE_NONE;
	return CHANGE_UNDECIDED;
}

void statistics_compare(const struct statistics_groups *before, const struct statistics_groups *now,
			double threshold, struct statistics_comparison *out)
{
	double first[STATISTICS_GROUPS_MAX], second[STATISTICS_GROUPS_MAX];
	double ratios[STATISTICS_GROUPS_MAX * STATISTICS_GROUPS_MAX];
	size_t m = thin(before, first), n = thin(now, second), count = 0, beyond;
	struct statistics_comparison comparison = {CHANGE_UNDECIDED, NAN, NAN, NAN};

	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < n; j++)
			ratios[count++] = second[j] / first[i];
	}
	comparison.ratio = statistics_median(ratios, count);
	beyond = pairs_beyond(m, n);
	if (count && beyond) {
		comparison.low = ratios[beyond - 1];
		comparison.high = ratios[count - beyond];
		comparison.change = judge(&comparison, threshold);
	}
	*out = comparison;
}
