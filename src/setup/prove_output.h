// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* What programs of a proof print, judged without running any. Text that is returned says why it is
 * wrong, NULL that it is right; it lives in the arena. */

/* The table of dpdk-test-crypto-perf --ptest verify, one row per core and size: all operations
 * came back and none failed. The program itself exits 0 whatever came of them. */
const char *output_rows(struct arena *arena, struct view output, uint64_t operations);
/* The number behind `before`, hexadecimal with 0x; bits of `ignored` may differ. */
const char *output_number(struct arena *arena, struct view output, const char *before,
			  const char *wanted, const char *ignored);
/* The paths of the lines that recipes/loaded.c prints, each once. */
void output_loaded(struct arena *arena, struct view output, struct names *out);
/* Of what was loaded, another file of the library `path`, found by its name up to ".so"; whether
 * `path` itself is among it. */
const char *output_other(const struct names *loaded, const char *path, bool *there);
/* The checks of a smoke.c: lines "WHAT: right" or "WHAT: there"; wrong holds whole lines that end
 * with ": WRONG" or ": MISSING". */
void output_checks(struct arena *arena, struct view output, struct names *right,
		   struct names *wrong);
/* The words of pkg-config's last line: a backslash keeps what follows it. */
void output_words(struct arena *arena, struct view output, struct names *out);
