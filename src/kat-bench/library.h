// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

/*
 * A libcrypto (1.1.1 to 3.x) opened by path and never linked: its functions, found by name. All of
 * its structures are opaque. Those marked "may be NULL" are not in every version. It is opened once
 * and stays: libcrypto registers handlers for the exit of the process.
 */
struct library {
	void *handle;
	const char *path; /* what was mapped, from this process's own mappings */

	const char *(*version)(int what);
	int (*init)(uint64_t options, const void *settings);
	const char *(*info)(int what); /* 3.0; may be NULL */

	void *(*cipher_context_new)(void);
	void (*cipher_context_free)(void *context);
	const void *(*cipher_by_name)(const char *name);
	void *(*cipher_fetch)(void *libctx, const char *name, const char *query); /* 3.0 */
	int (*cipher_init)(void *context, const void *cipher, void *engine,
			   const unsigned char *key, const unsigned char *iv, int encrypt);
	int (*encrypt_update)(void *context, unsigned char *out, int *written,
			      const unsigned char *in, int size);
	int (*decrypt_update)(void *context, unsigned char *out, int *written,
			      const unsigned char *in, int size);
	int (*encrypt_final)(void *context, unsigned char *out, int *written);
	int (*decrypt_final)(void *context, unsigned char *out, int *written);
	int (*cipher_control)(void *context, int type, int argument, void *pointer);
	int (*cipher_padding)(void *context, int pad);

	void *(*digest_context_new)(void);
	void (*digest_context_free)(void *context);
	const void *(*digest_by_name)(const char *name);
	void *(*digest_fetch)(void *libctx, const char *name, const char *query); /* 3.0 */
	int (*digest_init)(void *context, const void *type, void *engine);
	int (*digest_update)(void *context, const void *bytes, size_t size);
	int (*digest_final)(void *context, unsigned char *out, unsigned *size);

	/* 3.0; may be NULL */
	void *(*mac_fetch)(void *libctx, const char *name, const char *query);
	void *(*mac_context_new)(void *mac);
	void (*mac_context_free)(void *context);
	int (*mac_init)(void *context, const unsigned char *key, size_t size, const void *params);
	int (*mac_update)(void *context, const unsigned char *bytes, size_t size);
	int (*mac_final)(void *context, unsigned char *out, size_t *written, size_t room);

	/* Deprecated since 3.0; may be NULL */
	void *(*hmac_new)(void);
	void (*hmac_free)(void *context);
	int (*hmac_init)(void *context, const void *key, int size, const void *type, void *engine);
	int (*hmac_update)(void *context, const unsigned char *bytes, size_t size);
	int (*hmac_final)(void *context, unsigned char *out, unsigned *size);
	void *(*cmac_new)(void);
	void (*cmac_free)(void *context);
	int (*cmac_init)(void *context, const void *key, size_t size, const void *cipher,
			 void *engine);
	int (*cmac_update)(void *context, const void *bytes, size_t size);
	int (*cmac_final)(void *context, unsigned char *out, size_t *size);

	void *(*private_key)(void **key, const unsigned char **der, long size);
	void *(*public_key)(void **key, const unsigned char **der, long size);
	void *(*raw_private_key)(int type, void *engine, const unsigned char *key, size_t size);
	void *(*raw_public_key)(int type, void *engine, const unsigned char *key, size_t size);
	void (*key_free)(void *key);
	void *(*key_context_new)(void *key, void *engine);
	void (*key_context_free)(void *context);
	int (*key_context_text)(void *context, const char *name, const char *value);
	int (*sign_init)(void *context);
	int (*sign)(void *context, unsigned char *out, size_t *written, const unsigned char *in,
		    size_t size);
	int (*verify_init)(void *context);
	int (*verify)(void *context, const unsigned char *signature, size_t signature_size,
		      const unsigned char *in, size_t size);
	int (*derive_init)(void *context);
	int (*derive_peer)(void *context, void *key);
	int (*derive)(void *context, unsigned char *out, size_t *written);
	int (*message_sign_init)(void *context, void **key_context, const void *type, void *engine,
				 void *key);
	int (*message_sign)(void *context, unsigned char *out, size_t *written,
			    const unsigned char *in, size_t size);
	int (*message_verify_init)(void *context, void **key_context, const void *type,
				   void *engine, void *key);
	int (*message_verify)(void *context, const unsigned char *signature, size_t signature_size,
			      const unsigned char *in, size_t size);
};

/* OPENSSL_VERSION, OPENSSL_INFO_CPU_SETTINGS of crypto.h. */
#define LIBRARY_VERSION 0
#define LIBRARY_CPU_SETTINGS 1008

/* No configuration file is read. An error says what the file is instead of a libcrypto. */
bool library_open(struct arena *arena, const char *path, struct library *out, struct error *err);
/* What "openssl version -c" shows of the processor; NULL: this version does not tell. */
const char *library_capability(const struct library *library);
/* By name, from the providers where there are some; NULL: it has none. */
const void *library_cipher(const struct library *library, const char *name);
const void *library_digest(const struct library *library, const char *name);
