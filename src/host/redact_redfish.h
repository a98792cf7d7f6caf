// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

struct arena;

/*
 * Of a BMC's document only what the model reads stays: members by a list of names, settings by
 * their names in redfish_settings.c or, where those are a maker's numbers, by what the registry
 * calls them (`settings` remembers which those are). Parts of addresses that look like serial
 * numbers or UUIDs become hidden-N. What is not JSON becomes one line that says so.
 */
struct view redact_redfish(struct arena *arena, struct names *settings, struct names *hidden,
			   const char *path, struct view raw);
