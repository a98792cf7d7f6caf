// SPDX-License-Identifier: BSD-2-Clause
#include "host/hwcap.h"

#include "base/arena.h"

/* Linux arch/arm64/include/uapi/asm/hwcap.h: bit numbers of AT_HWCAP … */
static const char *const hwcap_bits[] = {
	"fp",      "asimd", "evtstrm", "aes",   "pmull",    "sha1",   "sha2", "crc32",
	"atomics", "fphp",  "asimdhp", "cpuid", "asimdrdm", "jscvt",  "fcma", "lrcpc",
	"dcpop",   "sha3",  "sm3",     "sm4",   "asimddp",  "sha512", "sve",  "asimdfhm",
	"dit",     "uscat", "ilrcpc",  "flagm", "ssbs",     "sb",     "paca", "pacg",
};

/* … and of AT_HWCAP2. */
static const char *const hwcap2_bits[] = {
	"dcpodp",    "sve2",      "sveaes",  "svepmull",  "svebitperm", "svesha3",    "svesm4",
	"flagm2",    "frint",     "svei8mm", "svef32mm",  "svef64mm",   "svebf16",    "i8mm",
	"bf16",      "dgh",       "rng",     "bti",       "mte",        "ecv",        "afp",
	"rpres",     "mte3",      "sme",     "smei16i64", "smef64f64",  "smei8i32",   "smef16f32",
	"smeb16f32", "smef32f32", "smefa64", "wfxt",      "ebf16",      "sveebf16",   "cssc",
	"rprfm",     "sve2p1",    "sme2",    "sme2p1",    "smei16i32",  "smebi32i32", "smeb16b16",
	"smef16f16", "mops",      "hbc",     "sveb16b16", "lrcpc3",     "lse128",
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

bool hwcap_is_name(struct view word)
{
	for (size_t i = 0; i < COUNT(hwcap_bits); i++) {
		if (view_is(word, hwcap_bits[i]))
			return true;
	}
	for (size_t i = 0; i < COUNT(hwcap2_bits); i++) {
		if (view_is(word, hwcap2_bits[i]))
			return true;
	}
	return false;
}

struct names hwcap_names(struct arena *arena, int64_t hwcap, int64_t hwcap2)
{
	struct names names = {0};

	for (size_t i = 0; i < COUNT(hwcap_bits); i++) {
		if ((uint64_t)hwcap >> i & 1)
			names_add(arena, &names, hwcap_bits[i]);
	}
	for (size_t i = 0; i < COUNT(hwcap2_bits); i++) {
		if ((uint64_t)hwcap2 >> i & 1)
			names_add(arena, &names, hwcap2_bits[i]);
	}
	return names;
}
