// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/digest.h"

/* SHA-256 (FIPS 180-4) of a short text, as digest_view() gives it, without libcrypto: opening that
 * takes longer than all else that a run with nothing to do does. */
void sha256_text(struct view text, char hex[DIGEST_HEX_SIZE]);
