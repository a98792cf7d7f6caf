// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/known.h"

/* NIST SP 800-38A appendix F: one plaintext, a key per length. */
#define SP_KEY_128 "2b7e151628aed2a6abf7158809cf4f3c"
#define SP_KEY_256 "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
#define SP_PLAIN                                                                                   \
	"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"                         \
	"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
#define CTR_IV "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
#define CBC_IV "000102030405060708090a0b0c0d0e0f"
#define CBC_128                                                                                    \
	"7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"                         \
	"73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
#define CBC_256                                                                                    \
	"f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"                         \
	"39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"

/* McGrew, Viega: The Galois/Counter Mode of Operation, appendix B. */
#define GCM_KEY_128 "feffe9928665731c6d6a8f9467308308"
#define GCM_KEY_256 GCM_KEY_128 GCM_KEY_128
#define GCM_IV "cafebabefacedbaddecaf888"
#define GCM_AAD "feedfacedeadbeeffeedfacedeadbeefabaddad2"
#define GCM_PLAIN_60                                                                               \
	"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"                         \
	"1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
#define GCM_PLAIN GCM_PLAIN_60 "1aafd255"
#define GCM_128_60                                                                                 \
	"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"                         \
	"21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
#define GCM_256_60                                                                                 \
	"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"                         \
	"8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
#define GCM_TAG_3 "4d5c2af327cd64a62cf35abd2ba6fab4"
#define GCM_TAG_4 "5bc94fbc3221a5db94fae95ae7121a47"
#define GCM_TAG_15 "b094dac5d93471bdec1a502270e3cc6c"
#define GCM_TAG_16 "76fc6ece0f4e1768cddf8853bb2d551b"

/* RFC 8439 section 2.8.2. */
#define CHACHA_KEY "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
#define CHACHA_IV "070000004041424344454647"
#define CHACHA_AAD "50515253c0c1c2c3c4c5c6c7"
#define CHACHA_PLAIN                                                                               \
	"4c616469657320616e642047656e746c656d656e206f662074686520636c6173"                         \
	"73206f66202739393a204966204920636f756c64206f6666657220796f75206f"                         \
	"6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"                         \
	"637265656e20776f756c642062652069742e"
#define CHACHA_CIPHER                                                                              \
	"d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"                         \
	"3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"                         \
	"92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"                         \
	"3ff4def08e4b7a9de576d26586cec64b6116"
#define CHACHA_TAG "1ae10b594f09e26a7e902ecbd0600691"

static const struct known rows[] = {
	{"aes-128-gcm-update", "GCM specification, test case 3", .key = GCM_KEY_128, .iv = GCM_IV,
	 .in = GCM_PLAIN, .out = GCM_128_60 "473f5985" GCM_TAG_3},
	{"aes-256-gcm-update", "GCM specification, test case 15", .key = GCM_KEY_256, .iv = GCM_IV,
	 .in = GCM_PLAIN, .out = GCM_256_60 "898015ad" GCM_TAG_15},
	{"aes-128-gcm-rekey", "GCM specification, test case 3", .key = GCM_KEY_128, .iv = GCM_IV,
	 .in = GCM_PLAIN, .out = GCM_128_60 "473f5985" GCM_TAG_3},
	{"aes-256-gcm-rekey", "GCM specification, test case 15", .key = GCM_KEY_256, .iv = GCM_IV,
	 .in = GCM_PLAIN, .out = GCM_256_60 "898015ad" GCM_TAG_15},
	{"aes-128-gcm-seal", "GCM specification, test case 4", .key = GCM_KEY_128, .iv = GCM_IV,
	 .aad = GCM_AAD, .in = GCM_PLAIN_60, .out = GCM_128_60 GCM_TAG_4},
	{"aes-256-gcm-seal", "GCM specification, test case 16", .key = GCM_KEY_256, .iv = GCM_IV,
	 .aad = GCM_AAD, .in = GCM_PLAIN_60, .out = GCM_256_60 GCM_TAG_16},
	{"aes-128-gcm-open", "GCM specification, test case 4", .key = GCM_KEY_128, .iv = GCM_IV,
	 .aad = GCM_AAD, .in = GCM_128_60, .tag = GCM_TAG_4, .out = GCM_PLAIN_60},
	{"aes-256-gcm-open", "GCM specification, test case 16", .key = GCM_KEY_256, .iv = GCM_IV,
	 .aad = GCM_AAD, .in = GCM_256_60, .tag = GCM_TAG_16, .out = GCM_PLAIN_60},
	{"chacha20-poly1305-seal", "RFC 8439 section 2.8.2", .key = CHACHA_KEY, .iv = CHACHA_IV,
	 .aad = CHACHA_AAD, .in = CHACHA_PLAIN, .out = CHACHA_CIPHER CHACHA_TAG},
	{"chacha20-poly1305-open", "RFC 8439 section 2.8.2", .key = CHACHA_KEY, .iv = CHACHA_IV,
	 .aad = CHACHA_AAD, .in = CHACHA_CIPHER, .tag = CHACHA_TAG, .out = CHACHA_PLAIN},
	{"aes-128-ctr", "NIST SP 800-38A F.5.1", .key = SP_KEY_128, .iv = CTR_IV, .in = SP_PLAIN,
	 .out = "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
		"5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
	{"aes-256-ctr", "NIST SP 800-38A F.5.5", .key = SP_KEY_256, .iv = CTR_IV, .in = SP_PLAIN,
	 .out = "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
		"2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"},
	{"aes-128-cbc-encrypt", "NIST SP 800-38A F.2.1", .key = SP_KEY_128, .iv = CBC_IV,
	 .in = SP_PLAIN, .out = CBC_128},
	{"aes-128-cbc-decrypt", "NIST SP 800-38A F.2.2", .key = SP_KEY_128, .iv = CBC_IV,
	 .in = CBC_128, .out = SP_PLAIN},
	{"aes-256-cbc-encrypt", "NIST SP 800-38A F.2.5", .key = SP_KEY_256, .iv = CBC_IV,
	 .in = SP_PLAIN, .out = CBC_256},
	{"aes-256-cbc-decrypt", "NIST SP 800-38A F.2.6", .key = SP_KEY_256, .iv = CBC_IV,
	 .in = CBC_256, .out = SP_PLAIN},
};

const struct known_table known_ciphers = {rows, sizeof(rows) / sizeof(rows[0])};
