// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Which of several values lies apart: the modified z-score of Iglewicz and Hoaglin ("How to Detect
 * and Handle Outliers", ASQC 1993), distance from the median in units of 1.4826 times the median of
 * the absolute deviations, apart from 3.5 up. Where more than half of the values are equal, that
 * median is 0 and 1.2533 times their mean stands in. One value in a crowd does not move either.
 */
#define ROBUST_LEAST 5
#define ROBUST_APART 3.5

struct robust {
	double median;
	double scale; /* 0: all values are equal; NaN: less than ROBUST_LEAST values */
};

/* Sorts `values`, of which none is NaN; `scratch` has room for as many. */
struct robust robust_of(double *values, double *scratch, size_t count);
/* NaN: there is no scale. */
double robust_score(const struct robust *robust, double value);
