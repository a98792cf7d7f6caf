// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

/* All facts of a host; `role` may be NULL. identity_read() completes it. */
struct facts *facts_new(struct arena *arena, struct host *host, const char *role);
