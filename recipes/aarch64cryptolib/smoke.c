// SPDX-License-Identifier: BSD-2-Clause
#include <AArch64cryptolib.h>
#include <stdio.h>
#include <string.h>

/* AES-128-CBC of a built AArch64cryptolib, both ways: NIST SP 800-38A, F.2.1. The library's other
 * half, HMAC, is proved by DPDK's driver with vectors. */
static uint8_t key[] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
			0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static uint8_t plain[] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
			  0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
static const uint8_t wanted[] = {0x76, 0x49, 0xab, 0xac, 0x81, 0x19, 0xb2, 0x46,
				 0xce, 0xe9, 0x8e, 0x9b, 0x12, 0xe9, 0x19, 0x7d};

int main(void)
{
	uint8_t iv[16], expanded[256], cipher[16], back[16], digest[20], pad[64] = {0};
	uint8_t inner[64] = {0}, outer[64] = {0};
	armv8_cipher_digest_t arg = {.cipher = {.key = expanded, .iv = iv}};
	int right;

	for (uint8_t i = 0; i < sizeof(iv); i++)
		iv[i] = i;
	armv8_sha1_block_partial(NULL, pad, inner, sizeof(pad));
	armv8_sha1_block_partial(NULL, pad, outer, sizeof(pad));
	arg.digest.hmac.i_key_pad = inner;
	arg.digest.hmac.o_key_pad = outer;
	armv8_expandkeys_enc_aes_cbc_128(expanded, key);
	right = armv8_enc_aes_cbc_sha1_128(plain, cipher, sizeof(plain), cipher, digest,
					   sizeof(cipher), &arg) == 0 &&
		memcmp(cipher, wanted, sizeof(wanted)) == 0;
	armv8_expandkeys_dec_aes_cbc_128(expanded, key);
	right = right &&
		armv8_dec_aes_cbc_sha1_128(cipher, back, sizeof(cipher), cipher, digest,
					   sizeof(cipher), &arg) == 0 &&
		memcmp(back, plain, sizeof(plain)) == 0;
	printf("AES-128-CBC: %s\n", right ? "right" : "WRONG");
	return right ? 0 : 1;
}
