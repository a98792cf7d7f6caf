// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>

struct arena;

/* RFC 4648 section 4, with padding. Decoding refuses other characters and wrong padding; blanks and
 * line ends are passed over. */
const char *base64_encode(struct arena *arena, struct view bytes);
bool base64_decode(struct arena *arena, struct view text, struct view *out);
