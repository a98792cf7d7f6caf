// SPDX-License-Identifier: BSD-2-Clause
#include "AArch64cryptolib.h"
#include "sha.h"

#include <stdio.h>
#include <string.h>

/* Published answers: NIST SP 800-38A F.2.1 (CBC), RFC 2202 and RFC 4231 test 2 (HMAC), the AES-GCM
 * specification's test case 4. */
static const char cbc_key[] = "2b7e151628aed2a6abf7158809cf4f3c";
static const char cbc_iv[] = "000102030405060708090a0b0c0d0e0f";
static const char cbc_plain[] = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51";
static const char cbc_cipher[] = "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2";

static const char hmac_key[] = "4a656665"; /* "Jefe" */
static const char hmac_data[] = "what do ya want for nothing?";
static const char hmac_sha1[] = "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79";
static const char hmac_sha256[] =
	"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

static const char gcm_key[] = "feffe9928665731c6d6a8f9467308308";
static const char gcm_nonce[] = "cafebabefacedbaddecaf888";
static const char gcm_aad[] = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
static const char gcm_plain[] = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
				"1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
static const char gcm_cipher[] = "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
				 "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091";
static const char gcm_tag[] = "5bc94fbc3221a5db94fae95ae7121a47";

static uint64_t bytes(const char *hex, uint8_t *out)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t size = strlen(hex) / 2;

	for (uint64_t i = 0; i < size; i++)
		out[i] = (uint8_t)((strchr(digits, hex[2 * i]) - digits) << 4 |
				   (strchr(digits, hex[2 * i + 1]) - digits));
	return size;
}

static int check(const char *what, const uint8_t *got, const char *wanted)
{
	uint8_t expected[256];
	uint64_t size = bytes(wanted, expected);
	int right = memcmp(got, expected, size) == 0;

	printf("%s: %s\n", what, right ? "right" : "WRONG");
	return right ? 0 : 1;
}

/* The states after the padded key, as a user of the library makes them. */
static void pads(int (*partial)(uint8_t *, const uint8_t *, uint8_t *, uint64_t), uint8_t *inner,
		 uint8_t *outer)
{
	uint8_t key[SHA_BLOCK] = {0}, block[SHA_BLOCK];

	bytes(hmac_key, key);
	for (unsigned i = 0; i < SHA_BLOCK; i++)
		block[i] = key[i] ^ 0x36;
	partial(NULL, block, inner, SHA_BLOCK);
	for (unsigned i = 0; i < SHA_BLOCK; i++)
		block[i] = key[i] ^ 0x5c;
	partial(NULL, block, outer, SHA_BLOCK);
}

static int check_hmac(void)
{
	uint8_t inner[SHA_BLOCK], outer[SHA_BLOCK], digest[32], middle[32];
	uint32_t state[SHA_STATE_WORDS];
	int wrong = 0;

	pads(armv8_sha1_block_partial, inner, outer);
	memcpy(state, inner, 20);
	sha_finish(&sha_1, state, SHA_BLOCK, (const uint8_t *)hmac_data, strlen(hmac_data), middle);
	memcpy(state, outer, 20);
	sha_finish(&sha_1, state, SHA_BLOCK, middle, 20, digest);
	wrong += check("HMAC-SHA-1", digest, hmac_sha1);
	pads(armv8_sha256_block_partial, inner, outer);
	memcpy(state, inner, 32);
	sha_finish(&sha_256, state, SHA_BLOCK, (const uint8_t *)hmac_data, strlen(hmac_data),
		   middle);
	memcpy(state, outer, 32);
	sha_finish(&sha_256, state, SHA_BLOCK, middle, 32, digest);
	return wrong + check("HMAC-SHA-256", digest, hmac_sha256);
}

static int check_cbc(void)
{
	uint8_t key[16], iv[16], expanded[176], plain[32], cipher[32], back[32], digest[20];
	uint8_t inner[SHA_BLOCK], outer[SHA_BLOCK];
	armv8_cipher_digest_t arg = {.cipher = {expanded, iv}};
	int wrong;

	bytes(cbc_key, key);
	bytes(cbc_iv, iv);
	bytes(cbc_plain, plain);
	pads(armv8_sha1_block_partial, inner, outer);
	arg.digest.hmac.i_key_pad = inner;
	arg.digest.hmac.o_key_pad = outer;
	armv8_expandkeys_enc_aes_cbc_128(expanded, key);
	armv8_enc_aes_cbc_sha1_128(plain, cipher, 32, cipher, digest, 32, &arg);
	wrong = check("AES-128-CBC encryption", cipher, cbc_cipher);
	armv8_expandkeys_dec_aes_cbc_128(expanded, key);
	armv8_dec_aes_cbc_sha1_128(cipher, back, 32, cipher, digest, 32, &arg);
	return wrong + check("AES-128-CBC decryption", back, cbc_plain);
}

static int check_gcm(void)
{
	uint8_t key[16], nonce[12], aad[20], plain[60], cipher[60], tag[16];
	armv8_cipher_constants_t constants;
	armv8_cipher_state_t state = {.constants = &constants};
	uint64_t aad_bits, bits;
	int wrong;

	bytes(gcm_key, key);
	bytes(gcm_nonce, nonce);
	aad_bits = 8 * bytes(gcm_aad, aad);
	bits = 8 * bytes(gcm_plain, plain);
	armv8_aes_gcm_set_constants(AES_GCM_128, 16, key, &constants);
	armv8_aes_gcm_set_counter(nonce, 96, &state);
	armv8_enc_aes_gcm_from_state(&state, aad, aad_bits, plain, bits, cipher, tag);
	wrong = check("AES-128-GCM ciphertext", cipher, gcm_cipher) +
		check("AES-128-GCM tag", tag, gcm_tag);
	tag[0] ^= 1;
	if (armv8_dec_aes_gcm_from_state(&state, aad, aad_bits, cipher, bits, tag, plain) !=
	    AUTHENTICATION_FAILURE)
		wrong++;
	return wrong;
}

int main(void)
{
	return check_hmac() + check_cbc() + check_gcm() ? 1 : 0;
}
