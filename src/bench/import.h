// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "engine/engine.h"

struct arena;
struct error;

/*
 * `bench --import FILE`: what measuring programs printed elsewhere (engine/engine.h) as results.
 * Adds to `results` (struct bench_result) and to `notes`, which are of the document; ids stay
 * unique over all files of one command ("…#2"). `name` is the file's, for notes. References are
 * left NULL: which machine it was is not in the text. False only when the text is too large.
 */
bool bench_import(struct arena *arena, const char *name, struct view text,
		  struct field_array *results, struct names *notes, struct error *err);

/* The name that references and suites use for what a row measured, where it is the same thing:
 * "aes-cbc-128+sha1-hmac", "aes-128-gcm-seal", "rsa-2048-sign"; sizes of keys only as far as the
 * output or its command says them. */
const char *bench_import_name(struct arena *arena, const struct engine_run *run,
			      const struct engine_row *row);

/* What the name of a file tells where its text does not: that it was made under QEMU (not KVM). */
bool bench_import_says_emulated(const char *path);
/* A note on rows of the same algorithm and size that are far from each other; NULL: none are. */
const char *bench_import_spread(struct arena *arena, const struct engine_run *run);
