// SPDX-License-Identifier: BSD-2-Clause
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * A libcrypto with one fault: linked with the real one, so that what is not here is found there.
 * FLIP names the function that answers wrong, FLIP_WHEN "always", "large" (inputs of 1000 bytes and
 * more) or "late" (after FLIP_CALLS calls), FLIP_REAL the real library.
 */

static void *find_real(const char *name)
{
	void *handle = dlopen(getenv("FLIP_REAL"), RTLD_NOW | RTLD_LOCAL);

	return dlsym(handle, name);
}

static int is_now(const char *name, size_t size)
{
	static unsigned calls;
	const char *flip = getenv("FLIP"), *when = getenv("FLIP_WHEN");

	if (!flip || strcmp(flip, name))
		return 0;
	if (!strcmp(when, "large"))
		return size >= 1000;
	return !strcmp(when, "always") || ++calls > (unsigned)atoi(getenv("FLIP_CALLS"));
}

#define REAL(result, name, ...)                                                                    \
	static void *found;                                                                        \
	result (*real)(__VA_ARGS__);                                                               \
	if (!found)                                                                                \
		found = find_real(name);                                                           \
	memcpy(&real, &found, sizeof(real))

#define UPDATE(name)                                                                               \
	int name(void *context, unsigned char *out, int *written, const unsigned char *in,         \
		 int size);                                                                        \
	int name(void *context, unsigned char *out, int *written, const unsigned char *in,         \
		 int size)                                                                         \
	{                                                                                          \
		REAL(int, #name, void *, unsigned char *, int *, const unsigned char *, int);      \
		int done = real(context, out, written, in, size);                                  \
                                                                                                   \
		if (out && size && is_now(#name, (size_t)size))                                    \
			out[size / 2] ^= 4;                                                        \
		return done;                                                                       \
	}

UPDATE(EVP_EncryptUpdate)
UPDATE(EVP_DecryptUpdate)

/* What is wrong says that it is right. */
#define ACCEPT(name)                                                                               \
	int name(void *context, const unsigned char *signature, size_t signature_size,             \
		 const unsigned char *in, size_t size);                                            \
	int name(void *context, const unsigned char *signature, size_t signature_size,             \
		 const unsigned char *in, size_t size)                                             \
	{                                                                                          \
		REAL(int, #name, void *, const unsigned char *, size_t, const unsigned char *,     \
		     size_t);                                                                      \
		int done = real(context, signature, signature_size, in, size);                     \
                                                                                                   \
		return is_now(#name, size) ? 1 : done;                                             \
	}

ACCEPT(EVP_PKEY_verify)
ACCEPT(EVP_DigestVerify)

#define SIGN(name)                                                                                 \
	int name(void *context, unsigned char *out, size_t *written, const unsigned char *in,      \
		 size_t size);                                                                     \
	int name(void *context, unsigned char *out, size_t *written, const unsigned char *in,      \
		 size_t size)                                                                      \
	{                                                                                          \
		REAL(int, #name, void *, unsigned char *, size_t *, const unsigned char *,         \
		     size_t);                                                                      \
		int done = real(context, out, written, in, size);                                  \
                                                                                                   \
		if (out && done == 1 && is_now(#name, size))                                       \
			out[*written - 1] ^= 1;                                                    \
		return done;                                                                       \
	}

SIGN(EVP_PKEY_sign)
SIGN(EVP_DigestSign)

int EVP_DecryptFinal_ex(void *context, unsigned char *out, int *written);
int EVP_DecryptFinal_ex(void *context, unsigned char *out, int *written)
{
	REAL(int, "EVP_DecryptFinal_ex", void *, unsigned char *, int *);
	int done = real(context, out, written);

	return is_now("EVP_DecryptFinal_ex", 0) ? 1 : done;
}

int EVP_CIPHER_CTX_ctrl(void *context, int type, int argument, void *pointer);
int EVP_CIPHER_CTX_ctrl(void *context, int type, int argument, void *pointer)
{
	REAL(int, "EVP_CIPHER_CTX_ctrl", void *, int, int, void *);
	int done = real(context, type, argument, pointer);

	/* EVP_CTRL_AEAD_GET_TAG */
	if (type == 0x10 && is_now("EVP_CIPHER_CTX_ctrl", 0))
		((unsigned char *)pointer)[15] ^= 0x80;
	return done;
}

int EVP_DigestUpdate(void *context, const void *bytes, size_t size);
int EVP_DigestUpdate(void *context, const void *bytes, size_t size)
{
	REAL(int, "EVP_DigestUpdate", void *, const void *, size_t);

	/* The last byte is left out. */
	return real(context, bytes, is_now("EVP_DigestUpdate", size) ? size - 1 : size);
}

int EVP_DigestFinal_ex(void *context, unsigned char *out, unsigned *size);
int EVP_DigestFinal_ex(void *context, unsigned char *out, unsigned *size)
{
	REAL(int, "EVP_DigestFinal_ex", void *, unsigned char *, unsigned *);
	int done = real(context, out, size);

	if (is_now("EVP_DigestFinal_ex", 0))
		out[0] ^= 1;
	return done;
}

int EVP_MAC_final(void *context, unsigned char *out, size_t *written, size_t room);
int EVP_MAC_final(void *context, unsigned char *out, size_t *written, size_t room)
{
	REAL(int, "EVP_MAC_final", void *, unsigned char *, size_t *, size_t);
	int done = real(context, out, written, room);

	if (is_now("EVP_MAC_final", 0))
		out[0] ^= 1;
	return done;
}

int EVP_PKEY_derive(void *context, unsigned char *out, size_t *written);
int EVP_PKEY_derive(void *context, unsigned char *out, size_t *written)
{
	REAL(int, "EVP_PKEY_derive", void *, unsigned char *, size_t *);
	int done = real(context, out, written);

	if (out && is_now("EVP_PKEY_derive", 0))
		out[31] ^= 1;
	return done;
}
