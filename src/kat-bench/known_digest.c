// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/known.h"

/* FIPS 180-4 examples: one block, and two of SHA-256. */
#define ABC "616263"
#define TWO_BLOCKS                                                                                 \
	"6162636462636465636465666465666765666768666768696768696a68696a6b"                         \
	"696a6b6c6a6b6c6d6b6c6d6e6c6d6e6f6d6e6f706e6f7071"

/* NIST SP 800-38B D.1, RFC 4493 section 4: the plaintext of SP 800-38A. */
#define SP_KEY_128 "2b7e151628aed2a6abf7158809cf4f3c"
#define SP_PLAIN_40                                                                                \
	"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"                         \
	"30c81c46a35ce411"
#define SP_PLAIN SP_PLAIN_40 "e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"

/* RFC 2202 and RFC 4231, test case 1: "Hi There". */
#define HI_KEY "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"
#define HI_THERE "4869205468657265"

static const struct known rows[] = {
	{"sha1", "FIPS 180-4, abc", .in = ABC, .out = "a9993e364706816aba3e25717850c26c9cd0d89d"},
	{"sha1", "FIPS 180-4, two blocks", .in = TWO_BLOCKS,
	 .out = "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
	{"sha256", "FIPS 180-4, abc", .in = ABC,
	 .out = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{"sha256", "FIPS 180-4, two blocks", .in = TWO_BLOCKS,
	 .out = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	{"sha512", "FIPS 180-4, abc", .in = ABC,
	 .out = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
		"2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
	{"sha3-256", "FIPS 202, abc", .in = ABC,
	 .out = "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
	{"hmac-sha1", "RFC 2202, test case 1", .key = HI_KEY, .in = HI_THERE,
	 .out = "b617318655057264e28bc0b6fb378c8ef146be00"},
	{"hmac-sha256", "RFC 4231, test case 1", .key = HI_KEY, .in = HI_THERE,
	 .out = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
	{"cmac-aes-128", "RFC 4493, example 3", .key = SP_KEY_128, .in = SP_PLAIN_40,
	 .out = "dfa66747de9ae63030ca32611497c827"},
	{"cmac-aes-128", "RFC 4493, example 4", .key = SP_KEY_128, .in = SP_PLAIN,
	 .out = "51f0bebf7e3b9d92fc49741779363cfe"},
};

const struct known_table known_digests = {rows, sizeof(rows) / sizeof(rows[0])};
