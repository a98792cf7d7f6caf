// SPDX-License-Identifier: BSD-2-Clause
#include "AArch64cryptolib.h"
#include "aes.h"
#include "sha.h"

#include <string.h>

#define AES_128_ROUNDS 10

void armv8_expandkeys_enc_aes_cbc_128(uint8_t *expanded_key, const uint8_t *user_key)
{
	aes_expand(expanded_key, user_key, 16);
}

void armv8_expandkeys_dec_aes_cbc_128(uint8_t *expanded_key, const uint8_t *user_key)
{
	aes_expand(expanded_key, user_key, 16);
}

/* A state in memory is the words of the machine, as long as the digest. */
static int partial(const struct sha_kind *kind, const uint8_t *init, const uint8_t *src,
		   uint8_t *dst, uint64_t len)
{
	uint32_t state[SHA_STATE_WORDS];
	size_t bytes = kind->words * sizeof(state[0]);

	if (len % SHA_BLOCK)
		return -1;
	memcpy(state, init ? init : (const uint8_t *)kind->start, bytes);
	for (uint64_t at = 0; at < len; at += SHA_BLOCK)
		kind->block(state, src + at);
	memcpy(dst, state, bytes);
	return 0;
}

int armv8_sha1_block_partial(uint8_t *init, const uint8_t *src, uint8_t *dst, uint64_t len)
{
	return partial(&sha_1, init, src, dst, len);
}

int armv8_sha256_block_partial(uint8_t *init, const uint8_t *src, uint8_t *dst, uint64_t len)
{
	return partial(&sha_256, init, src, dst, len);
}

/* RFC 2104, from the states after the padded keys. */
static void hmac(const struct sha_kind *kind, const armv8_cipher_digest_t *arg, const uint8_t *src,
		 uint64_t len, uint8_t *dst)
{
	uint32_t state[SHA_STATE_WORDS];
	uint8_t inner[4 * SHA_STATE_WORDS];
	size_t bytes = kind->words * sizeof(state[0]);

	memcpy(state, arg->digest.hmac.i_key_pad, bytes);
	sha_finish(kind, state, SHA_BLOCK, src, len, inner);
	memcpy(state, arg->digest.hmac.o_key_pad, bytes);
	sha_finish(kind, state, SHA_BLOCK, inner, bytes, dst);
}

static int lengths_are_right(uint64_t clen, uint64_t dlen)
{
	return clen % AES_BLOCK == 0 && dlen % 8 == 0 && dlen >= clen;
}

static int encrypt(const struct sha_kind *kind, const uint8_t *csrc, uint8_t *cdst, uint64_t clen,
		   const uint8_t *dsrc, uint8_t *ddst, uint64_t dlen,
		   const armv8_cipher_digest_t *arg)
{
	uint8_t chain[AES_BLOCK];

	if (!lengths_are_right(clen, dlen))
		return -1;
	memcpy(chain, arg->cipher.iv, AES_BLOCK);
	for (uint64_t at = 0; at < clen; at += AES_BLOCK) {
		for (size_t i = 0; i < AES_BLOCK; i++)
			chain[i] ^= csrc[at + i];
		aes_encrypt(arg->cipher.key, AES_128_ROUNDS, chain, chain);
		memcpy(cdst + at, chain, AES_BLOCK);
	}
	hmac(kind, arg, dsrc, dlen, ddst);
	return 0;
}

/* The digest comes first: in place, the ciphertext is gone afterwards. */
static int decrypt(const struct sha_kind *kind, const uint8_t *csrc, uint8_t *cdst, uint64_t clen,
		   const uint8_t *dsrc, uint8_t *ddst, uint64_t dlen,
		   const armv8_cipher_digest_t *arg)
{
	uint8_t chain[AES_BLOCK], next[AES_BLOCK];

	if (!lengths_are_right(clen, dlen))
		return -1;
	hmac(kind, arg, dsrc, dlen, ddst);
	memcpy(chain, arg->cipher.iv, AES_BLOCK);
	for (uint64_t at = 0; at < clen; at += AES_BLOCK) {
		memcpy(next, csrc + at, AES_BLOCK);
		aes_decrypt(arg->cipher.key, AES_128_ROUNDS, next, cdst + at);
		for (size_t i = 0; i < AES_BLOCK; i++)
			cdst[at + i] ^= chain[i];
		memcpy(chain, next, AES_BLOCK);
	}
	return 0;
}

int armv8_enc_aes_cbc_sha1_128(uint8_t *csrc, uint8_t *cdst, uint64_t clen, uint8_t *dsrc,
			       uint8_t *ddst, uint64_t dlen, armv8_cipher_digest_t *arg)
{
	return encrypt(&sha_1, csrc, cdst, clen, dsrc, ddst, dlen, arg);
}

int armv8_enc_aes_cbc_sha256_128(uint8_t *csrc, uint8_t *cdst, uint64_t clen, uint8_t *dsrc,
				 uint8_t *ddst, uint64_t dlen, armv8_cipher_digest_t *arg)
{
	return encrypt(&sha_256, csrc, cdst, clen, dsrc, ddst, dlen, arg);
}

int armv8_dec_aes_cbc_sha1_128(uint8_t *csrc, uint8_t *cdst, uint64_t clen, uint8_t *dsrc,
			       uint8_t *ddst, uint64_t dlen, armv8_cipher_digest_t *arg)
{
	return decrypt(&sha_1, csrc, cdst, clen, dsrc, ddst, dlen, arg);
}

int armv8_dec_aes_cbc_sha256_128(uint8_t *csrc, uint8_t *cdst, uint64_t clen, uint8_t *dsrc,
				 uint8_t *ddst, uint64_t dlen, armv8_cipher_digest_t *arg)
{
	return decrypt(&sha_256, csrc, cdst, clen, dsrc, ddst, dlen, arg);
}
