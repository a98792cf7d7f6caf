// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/results.h"

/*
 * Results of many machines and dates. A machine is what a label stands for; host names are removed
 * from results, so the label comes from the command line: LABEL=PATH, else the name of the file
 * without .json, or of the directory. Results with one label are of one machine.
 */
struct results_machine {
	const char *label;
	const struct results **files; /* by the time they were started, then as given */
	size_t count;
};

struct results_set {
	struct results_machine *machines; /* by label, numbers in it by value */
	size_t count;
	size_t file_count; /* that were read */
	struct names bad;  /* "FILE: what is wrong with it", those that were not */
	size_t bad_count;  /* of which at most RESULTS_BAD_SHOWN stand in `bad` */
};

#define RESULTS_FILES_MAX 10000
#define RESULTS_TOTAL_MAX 1000000
#define RESULTS_TEXT_MAX_BYTES ((size_t)128 << 20)
#define RESULTS_LABEL_MAX_BYTES 200
#define RESULTS_BAD_SHOWN 100

/*
 * `arguments`: [LABEL=]PATH each; a path is a file, "-" once, or a directory, whose *.json are the
 * results of one machine. What stands before a '=' is a label unless there is a '/' in it. One file
 * twice and two machines of one name are usage errors. A file that cannot be read goes to `bad`.
 */
bool results_load(struct arena *arena, const struct names *arguments, struct results_set *out,
		  struct error *err);
