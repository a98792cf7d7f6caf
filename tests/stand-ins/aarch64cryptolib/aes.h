// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stddef.h>
#include <stdint.h>

#define AES_BLOCK 16

/* FIPS 197. A key of 16, 24 or 32 bytes has 10, 12 or 14 rounds, and 16 bytes more round keys. */
void aes_expand(uint8_t *round_keys, const uint8_t *key, size_t key_bytes);
void aes_encrypt(const uint8_t *round_keys, size_t rounds, const uint8_t *in, uint8_t *out);
void aes_decrypt(const uint8_t *round_keys, size_t rounds, const uint8_t *in, uint8_t *out);
