// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "host/root.h"

/* What is not a file, asked of the running kernel: uname, auxiliary vector, page size, CNTFRQ_EL0,
 * environment. */
void live_read(struct arena *arena, struct live *live);
extern const struct field_table live_table;

/* Written by hand, "hwcap" without its flag means that it is known. */
void live_settle(struct live *live);
/* The "live" object of a capture or of a directory's live.json; missing keys stay unknown. */
bool live_load(struct arena *arena, const struct json *json, const cJSON *from, struct live *live,
	       struct error *err);
void live_write(struct json_writer *writer, const struct live *live);
