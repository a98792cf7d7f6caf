// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

/* Names of arm64 features as /proc/cpuinfo spells them, by bit of AT_HWCAP and AT_HWCAP2
 * (Linux arch/arm64/include/uapi/asm/hwcap.h). */
bool hwcap_is_name(struct view word);
struct names hwcap_names(struct arena *arena, int64_t hwcap, int64_t hwcap2);
