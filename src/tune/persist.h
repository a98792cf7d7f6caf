// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"
#include "tune/tune.h"

#include <stdbool.h>

/*
 * What stands after a run, said again in the files that a distribution with systemd reads at boot:
 * sysctl.d(5), modules-load.d(5), tmpfiles.d(5), systemd.mount(5) and drop-ins of systemd.unit(5).
 * Links and enabled units are not needed: a drop-in's Wants= pulls a mount in, so that all that we
 * add are plain files, which revert takes away again. A file holds values as they were read back.
 */
#define PERSIST_NAME "ampere-crypto.conf"
#define PERSIST_SYSCTL_ROOT "/proc/sys/"
#define PERSIST_FILE_MAX ((size_t)64 << 10)

struct persist {
	struct facts *facts;
	struct tune_plan *plan;
	size_t count; /* changes of the plan that are no files of ours for the next boot */
	bool planned; /* nothing was made yet: what is wanted counts as got */
	struct error *err;
};

/* The value that a change left there; NULL: none that is to be set again. */
const char *persist_value(const struct persist *persist, const struct tune_change *change);
/* Of this kind, with a value and without letters that the files of systemd read otherwise. */
bool persist_is(const struct persist *persist, const struct tune_change *change,
		enum tune_kind kind);
/* A text that begins by saying whose file it is. */
struct buffer persist_text(const struct persist *persist);
/* The file, with the folders it lacks, as changes of the plan; none when it holds that already. An
 * error when the text did not fit. `check`: of the first change in it. */
bool persist_file(const struct persist *persist, const char *path, struct buffer *text,
		  const char *check);

bool persist_lines(const struct persist *persist);  /* tmpfiles.d: persist_lines.c */
bool persist_mounts(const struct persist *persist); /* mount units: persist_units.c */
/* tmpfiles.d after modules-load.d: persist_units.c */
bool persist_order(const struct persist *persist, const char *check);
bool persist_services(const struct persist *persist);     /* drop-ins: persist_units.c */
void persist_command_line(const struct persist *persist); /* advice: persist_boot.c */
/* Advice for each value of sysctl.d that a file whose name comes after `own` sets otherwise:
 * persist_later.c. */
void persist_later(const struct persist *persist, const char *own);
/* The name of the unit that systemd gives to a mount point: systemd.unit(5), "String Escaping for
 * Inclusion in Unit Names". */
const char *persist_unit_of(struct arena *arena, const char *path);
/* The advice how to add words to the kernel's command line on this distribution. */
const char *persist_words_advice(struct facts *facts, const char *words);
