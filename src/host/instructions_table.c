// SPDX-License-Identifier: BSD-2-Clause
#include "host/instructions.h"

#define SIX_OPCODE_BITS 0xfffffc00u /* Rn and Rd free */
#define THREE_REGISTERS 0xffe0fc00u /* Rm, Rn and Rd free */
#define FOUR_REGISTERS 0xffe08000u  /* Rm, Ra, Rn and Rd free */
#define INDEXED 0xffe0cc00u         /* Rm, imm2, Rn and Rd free */
#define SYSTEM_READ 0xffffffe0u     /* Rt free */

/* DDI 0487, chapter C4, "A64 Instruction Set Encoding": the section of each group is named. */
const struct instruction_row instruction_rows[] = {
	/* Data Processing -- Scalar Floating-Point and Advanced SIMD: "Cryptographic AES" */
	{"aese", "aes", SIX_OPCODE_BITS, 0x4e284800},
	{"aesd", "aes", SIX_OPCODE_BITS, 0x4e285800},
	{"aesmc", "aes", SIX_OPCODE_BITS, 0x4e286800},
	{"aesimc", "aes", SIX_OPCODE_BITS, 0x4e287800},
	/* "Advanced SIMD three different", size 11: the polynomials of 64 bits, not those of 8 */
	{"pmull", "pmull", THREE_REGISTERS, 0x0ee0e000},
	{"pmull2", "pmull", THREE_REGISTERS, 0x4ee0e000},
	/* "Cryptographic three-register SHA", "Cryptographic two-register SHA" */
	{"sha1c", "sha1", THREE_REGISTERS, 0x5e000000},
	{"sha1p", "sha1", THREE_REGISTERS, 0x5e001000},
	{"sha1m", "sha1", THREE_REGISTERS, 0x5e002000},
	{"sha1su0", "sha1", THREE_REGISTERS, 0x5e003000},
	{"sha1h", "sha1", SIX_OPCODE_BITS, 0x5e280800},
	{"sha1su1", "sha1", SIX_OPCODE_BITS, 0x5e281800},
	{"sha256h", "sha2", THREE_REGISTERS, 0x5e004000},
	{"sha256h2", "sha2", THREE_REGISTERS, 0x5e005000},
	{"sha256su1", "sha2", THREE_REGISTERS, 0x5e006000},
	{"sha256su0", "sha2", SIX_OPCODE_BITS, 0x5e282800},
	/* "Cryptographic three-register SHA 512", "Cryptographic two-register SHA 512" */
	{"sha512h", "sha512", THREE_REGISTERS, 0xce608000},
	{"sha512h2", "sha512", THREE_REGISTERS, 0xce608400},
	{"sha512su1", "sha512", THREE_REGISTERS, 0xce608800},
	{"sha512su0", "sha512", SIX_OPCODE_BITS, 0xcec08000},
	/* "Cryptographic four-register", "Cryptographic three-register SHA 512", "XAR" */
	{"eor3", "sha3", FOUR_REGISTERS, 0xce000000},
	{"bcax", "sha3", FOUR_REGISTERS, 0xce200000},
	{"rax1", "sha3", THREE_REGISTERS, 0xce608c00},
	{"xar", "sha3", 0xffe00000, 0xce800000},
	/* "Cryptographic four-register", "… three-register SHA 512", "… three-register, imm2" */
	{"sm3ss1", "sm3", FOUR_REGISTERS, 0xce400000},
	{"sm3partw1", "sm3", THREE_REGISTERS, 0xce60c000},
	{"sm3partw2", "sm3", THREE_REGISTERS, 0xce60c400},
	{"sm3tt1a", "sm3", INDEXED, 0xce408000},
	{"sm3tt1b", "sm3", INDEXED, 0xce408400},
	{"sm3tt2a", "sm3", INDEXED, 0xce408800},
	{"sm3tt2b", "sm3", INDEXED, 0xce408c00},
	/* "Cryptographic two-register SHA 512", "Cryptographic three-register SHA 512" */
	{"sm4e", "sm4", SIX_OPCODE_BITS, 0xcec08400},
	{"sm4ekey", "sm4", THREE_REGISTERS, 0xce60c800},
	/* Branches, Exception Generating and System: "System register move", MRS of S3_3_C2_C4_0
	 * and _1 (D24.2, "RNDR", "RNDRRS") */
	{"rndr", "rng", SYSTEM_READ, 0xd53b2400},
	{"rndrrs", "rng", SYSTEM_READ, 0xd53b2420},
	/* The main encoding table: op1 (bits 28:25) 0010; op0 1 and op1 0000 */
	{"sve", "sve", 0x1e000000, 0x04000000},
	{"sme", "sme", 0x9e000000, 0x80000000},
	/* Data Processing -- Register: "Data-processing (2 source)" */
	{"crc32", "crc32", THREE_REGISTERS, 0x1ac04000}, /* CRC32B */
	{"crc32", "crc32", THREE_REGISTERS, 0x1ac04400}, /* CRC32H */
	{"crc32", "crc32", THREE_REGISTERS, 0x1ac04800}, /* CRC32W */
	{"crc32", "crc32", THREE_REGISTERS, 0x9ac04c00}, /* CRC32X */
	{"crc32c", "crc32", THREE_REGISTERS, 0x1ac05000},
	{"crc32c", "crc32", THREE_REGISTERS, 0x1ac05400},
	{"crc32c", "crc32", THREE_REGISTERS, 0x1ac05800},
	{"crc32c", "crc32", THREE_REGISTERS, 0x9ac05c00},
	/* Loads and Stores: "Atomic memory operations" (LDADD … LDUMIN, then SWP), "Compare and
	 * swap", "Compare and swap pair" */
	{"lse", "atomics", 0x3f208c00, 0x38200000},
	{"lse", "atomics", 0x3f20fc00, 0x38208000},
	{"lse", "atomics", 0x3fa07c00, 0x08a07c00},
	{"lse", "atomics", 0xbfa07c00, 0x08207c00},
};

const size_t instruction_row_count = sizeof(instruction_rows) / sizeof(instruction_rows[0]);
_Static_assert(sizeof(instruction_rows) / sizeof(instruction_rows[0]) <= INSTRUCTION_ROWS_MAX,
	       "a row is a bit of a word");
