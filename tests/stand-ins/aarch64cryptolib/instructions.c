// SPDX-License-Identifier: BSD-2-Clause
#include <stdint.h>

/*
 * Upstream's library consists of these instructions; a proof that looks for them must find them
 * here, and must find a compiler that cannot assemble them. Nobody calls this.
 */
void stand_in_instructions(void);

void stand_in_instructions(void)
{
#ifdef __aarch64__
	__asm__ volatile("aese v0.16b, v1.16b\n\t"
			 "aesmc v0.16b, v0.16b\n\t"
			 "pmull v0.1q, v1.1d, v2.1d\n\t"
			 "sha1c q0, s1, v2.4s\n\t"
			 "sha256h q0, q1, v2.4s\n\t"
#ifdef PERF_GCM_BIGGEREOR3
			 "eor3 v0.16b, v1.16b, v2.16b, v3.16b\n\t"
#endif
			 ::
				 : "v0");
#endif
}
