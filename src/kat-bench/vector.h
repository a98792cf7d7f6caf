// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "kat-bench/library.h"

#include <stdio.h>

struct arena;
struct error;

/* Prints a --test-file of dpdk-test-crypto-perf for an algorithm and a size: keys and plaintext are
 * fixed pseudo-random bytes made from both. A digest stands in [expected], at full length. AES, DES
 * and SHA are the library's, SNOW 3G and ZUC our own. */
bool vector_print(struct arena *arena, const struct library *library, const char *algorithm,
		  size_t size, FILE *to, struct error *err);
/* Prints the algorithms' names, one a line. */
void vector_list(FILE *to);
