// SPDX-License-Identifier: BSD-2-Clause
#include "AArch64cryptolib.h"
#include "aes.h"

#include <string.h>

/* NIST SP 800-38D. */
static size_t rounds_of(const armv8_cipher_constants_t *cc)
{
	return 10 + 2 * (size_t)cc->mode;
}

static void multiply(uint8_t *x, const uint8_t *h)
{
	uint8_t product[AES_BLOCK] = {0}, v[AES_BLOCK];

	memcpy(v, h, AES_BLOCK);
	for (unsigned bit = 0; bit < 128; bit++) {
		uint8_t set = x[bit / 8] >> (7 - bit % 8) & 1, low = v[15] & 1;

		for (size_t i = 0; i < AES_BLOCK; i++)
			product[i] ^= set ? v[i] : 0;
		for (size_t i = AES_BLOCK - 1; i > 0; i--)
			v[i] = (uint8_t)(v[i] >> 1 | v[i - 1] << 7);
		v[0] = (uint8_t)(v[0] >> 1 ^ (low ? 0xe1 : 0));
	}
	memcpy(x, product, AES_BLOCK);
}

static void hash(const armv8_cipher_constants_t *cc, uint8_t *x, const uint8_t *data, uint64_t size)
{
	for (uint64_t at = 0; at < size; at += AES_BLOCK) {
		for (uint64_t i = at; i < at + AES_BLOCK && i < size; i++)
			x[i - at] ^= data[i];
		multiply(x, cc->expanded_hash_keys[0].b);
	}
}

static void hash_lengths(const armv8_cipher_constants_t *cc, uint8_t *x, uint64_t first_bits,
			 uint64_t second_bits)
{
	uint8_t block[AES_BLOCK];

	for (unsigned i = 0; i < 8; i++) {
		block[i] = (uint8_t)(first_bits >> (56 - 8 * i));
		block[8 + i] = (uint8_t)(second_bits >> (56 - 8 * i));
	}
	hash(cc, x, block, AES_BLOCK);
}

static void next_counter(uint8_t *counter)
{
	for (size_t i = AES_BLOCK; i-- > AES_BLOCK - 4;) {
		if (++counter[i])
			return;
	}
}

static void crypt(const armv8_cipher_state_t *cs, const uint8_t *in, uint8_t *out, uint64_t size)
{
	uint8_t counter[AES_BLOCK], stream[AES_BLOCK];

	memcpy(counter, cs->counter.b, AES_BLOCK);
	for (uint64_t at = 0; at < size; at++) {
		if (at % AES_BLOCK == 0) {
			next_counter(counter);
			aes_encrypt(cs->constants->expanded_aes_keys[0].b, rounds_of(cs->constants),
				    counter, stream);
		}
		out[at] = in[at] ^ stream[at % AES_BLOCK];
	}
}

static void make_tag(armv8_cipher_state_t *cs, const uint8_t *aad, uint64_t aad_bits,
		     const uint8_t *ciphertext, uint64_t bits)
{
	uint8_t mask[AES_BLOCK];

	memset(cs->current_tag.b, 0, AES_BLOCK);
	hash(cs->constants, cs->current_tag.b, aad, aad_bits / 8);
	hash(cs->constants, cs->current_tag.b, ciphertext, bits / 8);
	hash_lengths(cs->constants, cs->current_tag.b, aad_bits, bits);
	aes_encrypt(cs->constants->expanded_aes_keys[0].b, rounds_of(cs->constants), cs->counter.b,
		    mask);
	for (size_t i = 0; i < AES_BLOCK; i++)
		cs->current_tag.b[i] ^= mask[i];
}

armv8_operation_result_t armv8_aes_gcm_set_constants(armv8_cipher_mode_t mode,
						     uint8_t tag_byte_length, uint8_t *key,
						     armv8_cipher_constants_t *cc)
{
	if (mode > AES_GCM_256 || tag_byte_length > AES_BLOCK)
		return INTERNAL_FAILURE;
	memset(cc, 0, sizeof(*cc));
	cc->mode = mode;
	cc->tag_byte_length = tag_byte_length;
	aes_expand(cc->expanded_aes_keys[0].b, key, 16 + 8 * (size_t)mode);
	aes_encrypt(cc->expanded_aes_keys[0].b, rounds_of(cc), cc->expanded_hash_keys[0].b,
		    cc->expanded_hash_keys[0].b);
	return SUCCESSFUL_OPERATION;
}

armv8_operation_result_t armv8_aes_gcm_set_counter(uint8_t *nonce, uint64_t nonce_bits,
						   armv8_cipher_state_t *cs)
{
	if (nonce_bits % 8)
		return INTERNAL_FAILURE;
	memset(cs->counter.b, 0, AES_BLOCK);
	if (nonce_bits == 96) {
		memcpy(cs->counter.b, nonce, 12);
		cs->counter.b[15] = 1;
		return SUCCESSFUL_OPERATION;
	}
	hash(cs->constants, cs->counter.b, nonce, nonce_bits / 8);
	hash_lengths(cs->constants, cs->counter.b, 0, nonce_bits);
	return SUCCESSFUL_OPERATION;
}

armv8_operation_result_t armv8_enc_aes_gcm_from_state(armv8_cipher_state_t *cs, uint8_t *aad,
						      uint64_t aad_bits, uint8_t *plaintext,
						      uint64_t plaintext_bits, uint8_t *ciphertext,
						      uint8_t *tag)
{
	if (aad_bits % 8 || plaintext_bits % 8)
		return INTERNAL_FAILURE;
	crypt(cs, plaintext, ciphertext, plaintext_bits / 8);
	make_tag(cs, aad, aad_bits, ciphertext, plaintext_bits);
	memcpy(tag, cs->current_tag.b, AES_BLOCK);
	return SUCCESSFUL_OPERATION;
}

armv8_operation_result_t armv8_dec_aes_gcm_from_state(armv8_cipher_state_t *cs, uint8_t *aad,
						      uint64_t aad_bits, uint8_t *ciphertext,
						      uint64_t ciphertext_bits, uint8_t *tag,
						      uint8_t *plaintext)
{
	if (aad_bits % 8 || ciphertext_bits % 8)
		return INTERNAL_FAILURE;
	make_tag(cs, aad, aad_bits, ciphertext, ciphertext_bits);
	if (memcmp(cs->current_tag.b, tag, cs->constants->tag_byte_length) != 0)
		return AUTHENTICATION_FAILURE;
	crypt(cs, ciphertext, plaintext, ciphertext_bits / 8);
	return SUCCESSFUL_OPERATION;
}
