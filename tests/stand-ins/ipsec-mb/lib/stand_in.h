// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <ipsec-mb.h>

/* What the manager points to, and what both ciphers need. Words are big-endian in memory. */
int snow3g_init_key_sched(const void *key, snow3g_key_schedule_t *schedule);
size_t snow3g_key_sched_size(void);
void snow3g_f8_1_buffer_bit(const snow3g_key_schedule_t *schedule, const void *iv, const void *in,
			    void *out, const uint32_t bits, const uint32_t offset);
void snow3g_f8_1_buffer(const snow3g_key_schedule_t *schedule, const void *iv, const void *in,
			void *out, const uint32_t bytes);
void snow3g_f8_n_buffer(const snow3g_key_schedule_t *schedule, const void *const ivs[],
			const void *const in[], void *out[], const uint32_t bytes[],
			const uint32_t count);
void snow3g_f8_n_buffer_multikey(const snow3g_key_schedule_t *const schedules[],
				 const void *const ivs[], const void *const in[], void *out[],
				 const uint32_t bytes[], const uint32_t count);
void snow3g_f9_1_buffer(const snow3g_key_schedule_t *schedule, const void *iv, const void *in,
			const uint64_t bits, void *digest);

void zuc_eea3_1_buffer(const void *key, const void *iv, const void *in, void *out,
		       const uint32_t bytes);
void zuc_eea3_n_buffer(const void *const keys[], const void *const ivs[], const void *const in[],
		       void *out[], const uint32_t bytes[], const uint32_t count);
void zuc_eia3_1_buffer(const void *key, const void *iv, const void *in, const uint32_t bits,
		       uint32_t *digest);
void zuc_eia3_n_buffer(const void *const keys[], const void *const ivs[], const void *const in[],
		       const uint32_t bits[], uint32_t *digests[], const uint32_t count);

uint32_t load_word(const uint8_t *at);
void store_word(void *at, uint32_t word);
unsigned get_bit(const void *data, uint64_t at);
void put_bit(void *data, uint64_t at, unsigned bit);
/* In place as well. */
void xor_stream(uint32_t (*keystream)(void *context), void *context, const void *in, void *out,
		uint32_t bytes);
