// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * How many bytes a log, a CI or a pager put in front of a line; 0: none (more). Called again for
 * what is behind; `stamped` says whether a time stamp stood before.
 */
size_t engine_prefix_size(struct view text, bool *stamped);
