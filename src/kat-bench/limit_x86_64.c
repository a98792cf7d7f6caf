// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/limit.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdbool.h>

#define TIMES_4(text) text text text text

/* Registers: 0-11 are written, 12-15 are only read. */
#define ALL_12(one)                                                                                \
	one(0) one(1) one(2) one(3) one(4) one(5) one(6) one(7) one(8) one(9) one(10) one(11)

#define AES_128(n) "aesenc %%xmm15, %%xmm" #n "\n"
#define AES_256(n) "vaesenc %%ymm15, %%ymm" #n ", %%ymm" #n "\n"
#define AES_512(n) "vaesenc %%zmm15, %%zmm" #n ", %%zmm" #n "\n"
#define PRODUCT_128(n) "pclmulqdq $0x10, %%xmm15, %%xmm" #n "\n"
#define PRODUCT_256(n) "vpclmulqdq $0x10, %%ymm14, %%ymm15, %%ymm" #n "\n"
#define PRODUCT_512(n) "vpclmulqdq $0x10, %%zmm14, %%zmm15, %%zmm" #n "\n"

/* One step of three streams; the message schedule is not computed in the last steps of a block.
 * Register 0 is an operand of SHA256RNDS2. */
#define STREAMS(step) step(1, 2, 3) step(4, 5, 6) step(7, 8, 9)

/* Four rounds a step, 20 steps for 64 bytes, of which 16 compute the schedule. */
#define SHA1_ROUNDS(a, b, c)                                                                       \
	"sha1nexte %%xmm15, %%xmm" #b "\nsha1rnds4 $0, %%xmm" #b ", %%xmm" #a "\n"
#define SHA1_SCHEDULE(a, b, c) "sha1msg1 %%xmm14, %%xmm" #c "\nsha1msg2 %%xmm15, %%xmm" #c "\n"
#define SHA1_16_BYTES TIMES_4(STREAMS(SHA1_ROUNDS) STREAMS(SHA1_SCHEDULE)) STREAMS(SHA1_ROUNDS)

/* Two times two rounds a step, 16 steps for 64 bytes, of which 12 compute the schedule. */
#define SHA256_ROUNDS(a, b, c)                                                                     \
	"sha256rnds2 %%xmm" #b ", %%xmm" #a "\nsha256rnds2 %%xmm" #a ", %%xmm" #b "\n"
#define SHA256_SCHEDULE(a, b, c)                                                                   \
	"sha256msg1 %%xmm14, %%xmm" #c "\nsha256msg2 %%xmm15, %%xmm" #c "\n"
#define SHA256_STEP STREAMS(SHA256_ROUNDS) STREAMS(SHA256_SCHEDULE)
#define SHA256_16_BYTES SHA256_STEP SHA256_STEP SHA256_STEP STREAMS(SHA256_ROUNDS)

#define WRITTEN                                                                                    \
	"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",   \
		"xmm11", "xmm14", "xmm15", "cc"

/* `end` leaves the state of wide registers clean, which slows SSE down otherwise. */
#define LOOP(name, body, end)                                                                      \
	static void name(uint64_t turns)                                                           \
	{                                                                                          \
		__asm__ volatile("1:\n" body "sub $1, %0\n"                                        \
				 "jnz 1b\n" end                                                    \
				 : "+r"(turns)::WRITTEN);                                          \
	}

LOOP(limit_aes_128, TIMES_4(ALL_12(AES_128)), "")
LOOP(limit_aes_256, TIMES_4(ALL_12(AES_256)), "vzeroupper\n")
LOOP(limit_aes_512, TIMES_4(ALL_12(AES_512)), "vzeroupper\n")
LOOP(limit_pmull_128, TIMES_4(ALL_12(PRODUCT_128)), "")
LOOP(limit_pmull_256, TIMES_4(ALL_12(PRODUCT_256)), "vzeroupper\n")
LOOP(limit_pmull_512, TIMES_4(ALL_12(PRODUCT_512)), "vzeroupper\n")
LOOP(limit_sha1, SHA1_16_BYTES, "")
LOOP(limit_sha256, SHA256_16_BYTES, "")

/* What CPUID and XCR0 (Intel SDM volume 1, 13.3) say. */
struct features {
	bool aes, pclmul, sha, vaes, vpclmul, avx2, avx512, sha512;
};

static uint64_t read_xcr0(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

static struct features find_features(void)
{
	unsigned a, b, c, d;
	struct features has = {0};
	uint64_t xcr0 = 0;

	if (!__get_cpuid(1, &a, &b, &c, &d))
		return has;
	has.aes = c & bit_AES;
	has.pclmul = c & bit_PCLMUL;
	if (c & bit_OSXSAVE)
		xcr0 = read_xcr0();
	if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
		return has;
	has.sha = b & bit_SHA;
	has.avx2 = (b & bit_AVX2) && (xcr0 & 0x6) == 0x6;
	has.avx512 = (b & bit_AVX512F) && (xcr0 & 0xe6) == 0xe6;
	has.vaes = c & bit_VAES;
	has.vpclmul = c & bit_VPCLMULQDQ;
	if (__get_cpuid_count(7, 1, &a, &b, &c, &d))
		has.sha512 = a & 1;
	return has;
}

size_t limit_list(struct limit limits[LIMITS_MAX])
{
	struct features has = find_features();
	const struct {
		struct limit limit;
		bool has, extra; /* extra: a wider form, which is not missed */
	} rows[] = {
		{{"aes", "this core has no AES-NI", 48, limit_aes_128}, has.aes, false},
		{{"aes", NULL, 96, limit_aes_256}, has.vaes && has.avx2, true},
		{{"aes", NULL, 192, limit_aes_512}, has.vaes && has.avx512, true},
		{{"pmull", "this core has no PCLMULQDQ", 48, limit_pmull_128}, has.pclmul, false},
		{{"pmull", NULL, 96, limit_pmull_256}, has.vpclmul && has.avx2, true},
		{{"pmull", NULL, 192, limit_pmull_512}, has.vpclmul && has.avx512, true},
		{{"sha1", "this core has no SHA-NI", 48, limit_sha1}, has.sha, false},
		{{"sha256", "this core has no SHA-NI", 48, limit_sha256}, has.sha, false},
		{{"sha512",
		  has.sha512 ? "its SHA-512 instructions are not measured"
			     : "this core has no SHA-512 instructions",
		  0, NULL},
		 false,
		 false},
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!rows[i].has && rows[i].extra)
			continue;
		limits[count] = rows[i].limit;
		if (rows[i].has)
			limits[count].absent = NULL;
		count++;
	}
	return count;
}
#endif
