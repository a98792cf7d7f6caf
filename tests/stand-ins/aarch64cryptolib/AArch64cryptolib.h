// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdint.h>

/*
 * A stand-in for tests: the interface of AArch64cryptolib that DPDK's crypto_armv8 uses, and
 * AES-GCM, in plain C. It is slow and leaks its keys through time; never for production.
 */
#if defined(PERF_GCM_LITTLE) || defined(PERF_GCM_BIG)
#define MAX_UNROLL_FACTOR 4
#elif defined(PERF_GCM_BIGGER) || defined(PERF_GCM_BIGGEREOR3)
#define MAX_UNROLL_FACTOR 8
#else
#define MAX_UNROLL_FACTOR 1
#endif

typedef struct {
	struct {
		uint8_t *key; /* expanded */
		uint8_t *iv;  /* 16 bytes */
	} cipher;
	union {
		struct {
			uint8_t *key;
			uint8_t *i_key_pad, *o_key_pad; /* states after one block */
		} hmac;
	} digest;
} armv8_cipher_digest_t;

/* AES-128-CBC with HMAC-SHA-1 or HMAC-SHA-256. The functions return 0, or -1 for lengths that are
 * not right: `clen` a multiple of 16, `dlen` at least `clen` and a multiple of 8. */
void armv8_expandkeys_enc_aes_cbc_128(uint8_t *expanded_key, const uint8_t *user_key);
void armv8_expandkeys_dec_aes_cbc_128(uint8_t *expanded_key, const uint8_t *user_key);
int armv8_sha1_block_partial(uint8_t *init, const uint8_t *src, uint8_t *dst, uint64_t len);
int armv8_sha256_block_partial(uint8_t *init, const uint8_t *src, uint8_t *dst, uint64_t len);
int armv8_enc_aes_cbc_sha1_128(uint8_t *csrc, uint8_t *cdst, uint64_t clen, uint8_t *dsrc,
			       uint8_t *ddst, uint64_t dlen, armv8_cipher_digest_t *arg);
int armv8_enc_aes_cbc_sha256_128(uint8_t *csrc, uint8_t *cdst, uint64_t clen, uint8_t *dsrc,
				 uint8_t *ddst, uint64_t dlen, armv8_cipher_digest_t *arg);
int armv8_dec_aes_cbc_sha1_128(uint8_t *csrc, uint8_t *cdst, uint64_t clen, uint8_t *dsrc,
			       uint8_t *ddst, uint64_t dlen, armv8_cipher_digest_t *arg);
int armv8_dec_aes_cbc_sha256_128(uint8_t *csrc, uint8_t *cdst, uint64_t clen, uint8_t *dsrc,
				 uint8_t *ddst, uint64_t dlen, armv8_cipher_digest_t *arg);

typedef enum { AES_GCM_128, AES_GCM_192, AES_GCM_256 } armv8_cipher_mode_t;

typedef enum {
	SUCCESSFUL_OPERATION = 0,
	AUTHENTICATION_FAILURE = 1,
	INTERNAL_FAILURE = 2
} armv8_operation_result_t;

typedef union {
	uint8_t b[16];
	uint32_t s[4];
	uint64_t d[2];
} armv8_quadword_t;

typedef struct {
	armv8_quadword_t expanded_aes_keys[15];
	armv8_quadword_t expanded_hash_keys[MAX_UNROLL_FACTOR];
	uint64_t karat_hash_keys[MAX_UNROLL_FACTOR];
	armv8_cipher_mode_t mode;
	uint8_t tag_byte_length;
} armv8_cipher_constants_t;

typedef struct {
	armv8_quadword_t counter;
	armv8_quadword_t current_tag;
	armv8_cipher_constants_t *constants;
} armv8_cipher_state_t;

/* AES-GCM. Lengths are in bits, whole bytes only. */
armv8_operation_result_t armv8_aes_gcm_set_constants(armv8_cipher_mode_t mode,
						     uint8_t tag_byte_length, uint8_t *key,
						     armv8_cipher_constants_t *cc);
armv8_operation_result_t armv8_aes_gcm_set_counter(uint8_t *nonce, uint64_t nonce_bits,
						   armv8_cipher_state_t *cs);
armv8_operation_result_t armv8_enc_aes_gcm_from_state(armv8_cipher_state_t *cs, uint8_t *aad,
						      uint64_t aad_bits, uint8_t *plaintext,
						      uint64_t plaintext_bits, uint8_t *ciphertext,
						      uint8_t *tag);
armv8_operation_result_t armv8_dec_aes_gcm_from_state(armv8_cipher_state_t *cs, uint8_t *aad,
						      uint64_t aad_bits, uint8_t *ciphertext,
						      uint64_t ciphertext_bits, uint8_t *tag,
						      uint8_t *plaintext);
