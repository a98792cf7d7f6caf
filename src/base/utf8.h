// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One character at the start of `text`: its length in bytes (1…4) and code point, or 0 when the
 * bytes there are not UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
 * Then utf8_bad() says how many bytes one U+FFFD stands for: the longest beginning of a well-formed
 * character (Unicode 15, section 3.9, table 3-7), at least 1.
 */
size_t utf8_next(struct view text, uint32_t *code);
size_t utf8_bad(struct view text);
/* Characters that drive or reorder a terminal line: C0, DEL, C1 and the bidirectional controls. */
bool utf8_is_control(uint32_t code);
