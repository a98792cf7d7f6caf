// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/limit.h"

#if defined(__aarch64__)
#include <stdbool.h>
#include <sys/auxv.h>

/* asm/hwcap.h of arm64 Linux. */
#define HAS_AES (1UL << 3)
#define HAS_PMULL (1UL << 4)
#define HAS_SHA1 (1UL << 5)
#define HAS_SHA2 (1UL << 6)
#define HAS_SHA512 (1UL << 21)

#define TIMES_4(text) text text text text

/* Registers: 0-15 are written, 28-31 are only read. A round is a pair that cores fuse. */
#define AES_ROUND(n) "aese v" #n ".16b, v31.16b\naesmc v" #n ".16b, v" #n ".16b\n"
#define AES_4(a, b, c, d) AES_ROUND(a) AES_ROUND(b) AES_ROUND(c) AES_ROUND(d)
#define AES_16 AES_4(0, 1, 2, 3) AES_4(4, 5, 6, 7) AES_4(8, 9, 10, 11) AES_4(12, 13, 14, 15)

#define PMULL_LOW(n) "pmull v" #n ".1q, v30.1d, v31.1d\n"
#define PMULL_HIGH(n) "pmull2 v" #n ".1q, v30.2d, v31.2d\n"
#define PMULL_4(a, b, c, d) PMULL_LOW(a) PMULL_HIGH(b) PMULL_LOW(c) PMULL_HIGH(d)
#define PMULL_16                                                                                   \
	PMULL_4(0, 1, 2, 3) PMULL_4(4, 5, 6, 7) PMULL_4(8, 9, 10, 11) PMULL_4(12, 13, 14, 15)

/* One step of four streams; the message schedule is not computed in the last steps of a block. */
#define STREAMS(step) step(0, 4, 8) step(1, 5, 9) step(2, 6, 10) step(3, 7, 11)

/* Four rounds a step, 20 steps for 64 bytes, of which 16 compute the schedule. */
#define SHA1_ROUNDS(a, b, c) "sha1c q" #a ", s" #b ", v31.4s\nsha1h s" #b ", s" #a "\n"
#define SHA1_SCHEDULE(a, b, c) "sha1su0 v" #c ".4s, v29.4s, v30.4s\nsha1su1 v" #c ".4s, v31.4s\n"
#define SHA1_16_BYTES TIMES_4(STREAMS(SHA1_ROUNDS) STREAMS(SHA1_SCHEDULE)) STREAMS(SHA1_ROUNDS)

/* Four rounds a step, 16 steps for 64 bytes, of which 12 compute the schedule. */
#define SHA256_ROUNDS(a, b, c)                                                                     \
	"sha256h q" #a ", q" #b ", v31.4s\nsha256h2 q" #b ", q" #a ", v31.4s\n"
#define SHA256_SCHEDULE(a, b, c)                                                                   \
	"sha256su0 v" #c ".4s, v30.4s\nsha256su1 v" #c ".4s, v30.4s, v31.4s\n"
#define SHA256_STEP STREAMS(SHA256_ROUNDS) STREAMS(SHA256_SCHEDULE)
#define SHA256_16_BYTES SHA256_STEP SHA256_STEP SHA256_STEP STREAMS(SHA256_ROUNDS)

/* Two rounds a step, 40 steps for 128 bytes, of which 32 compute the schedule. */
#define SHA512_ROUNDS(a, b, c)                                                                     \
	"sha512h q" #a ", q" #b ", v31.2d\nsha512h2 q" #b ", q" #a ", v31.2d\n"
#define SHA512_SCHEDULE(a, b, c)                                                                   \
	"sha512su0 v" #c ".2d, v30.2d\nsha512su1 v" #c ".2d, v30.2d, v31.2d\n"
#define SHA512_16_BYTES                                                                            \
	TIMES_4(STREAMS(SHA512_ROUNDS) STREAMS(SHA512_SCHEDULE)) STREAMS(SHA512_ROUNDS)

#define WRITTEN                                                                                    \
	"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13",    \
		"v14", "v15", "v28", "v29", "v30", "v31", "cc"

#define LOOP(name, extension, body)                                                                \
	static void name(uint64_t turns)                                                           \
	{                                                                                          \
		__asm__ volatile(".arch_extension " extension "\n"                                 \
				 "movi v29.16b, #29\nmovi v30.16b, #30\nmovi v31.16b, #31\n"       \
				 "1:\n" body "subs %0, %0, #1\n"                                   \
				 "b.ne 1b\n"                                                       \
				 : "+r"(turns)::WRITTEN);                                          \
	}

LOOP(limit_aes, "aes", TIMES_4(AES_16))
LOOP(limit_pmull, "aes", TIMES_4(PMULL_16))
LOOP(limit_sha1, "sha2", SHA1_16_BYTES)
LOOP(limit_sha256, "sha2", SHA256_16_BYTES)
LOOP(limit_sha512, "sha3", SHA512_16_BYTES)

static const struct {
	struct limit limit;
	unsigned long has;
} rows[] = {
	{{"aes", "this core has no AES instructions", 64, limit_aes}, HAS_AES},
	{{"pmull", "this core has no PMULL of 64 bits", 64, limit_pmull}, HAS_PMULL},
	{{"sha1", "this core has no SHA-1 instructions", 64, limit_sha1}, HAS_SHA1},
	{{"sha256", "this core has no SHA-256 instructions", 64, limit_sha256}, HAS_SHA2},
	{{"sha512", "this core has no SHA-512 instructions", 64, limit_sha512}, HAS_SHA512},
};

size_t limit_list(struct limit limits[LIMITS_MAX])
{
	unsigned long has = getauxval(AT_HWCAP);
	size_t count = sizeof(rows) / sizeof(rows[0]);

	for (size_t i = 0; i < count; i++) {
		limits[i] = rows[i].limit;
		if (has & rows[i].has)
			limits[i].absent = NULL;
	}
	return count;
}
#endif
