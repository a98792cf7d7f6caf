// SPDX-License-Identifier: BSD-2-Clause
#include "base/error.h"
#include "kat-bench/job.h"

#include <string.h>

/* EVP_CTRL_AEAD_SET_IVLEN, EVP_CTRL_AEAD_GET_TAG, EVP_CTRL_AEAD_SET_TAG of evp.h. */
#define SET_IV_SIZE 0x9
#define GET_TAG 0x10
#define SET_TAG 0x11
#define TAG_BYTES 16

static const unsigned char *bytes_of(struct view view)
{
	return (const unsigned char *)view.at;
}

/* A context with its key; `out` receives it. */
static bool start_cipher(struct job *job, int encrypt, void **out, struct error *err)
{
	const struct library *library = job->library;
	const void *cipher = library_cipher(library, job->kind->algorithm);
	void *context;

	if (!cipher)
		return error_set(err, "this library has no %s", job->kind->algorithm);
	context = library->cipher_context_new();
	if (!context || library->cipher_init(context, cipher, NULL, bytes_of(job->material->key),
					     bytes_of(job->material->iv), encrypt) != 1)
		return error_set(err, "%s cannot be started in this library", job->kind->algorithm);
	library->cipher_padding(context, 0);
	*out = context;
	return true;
}

static bool is_aead(const struct job *job)
{
	return job->kind->iv_size == 12;
}

/* One EVP_EncryptUpdate per operation, in place, key and IV set once: as `openssl speed -evp` does
 * it; with AEAD ciphers only before pull request 25823 of November 2024. */

static bool run_encrypt_updates(struct job *job, uint64_t ops)
{
	int (*update)(void *, unsigned char *, int *, const unsigned char *, int) =
		job->library->encrypt_update;
	int good = 1, written = 0, size = (int)job->size;
	unsigned char *out = job->out;
	void *context = job->context;

	for (; ops; ops--)
		good &= update(context, out, &written, out, size);
	return good == 1 && written == size;
}

static bool run_decrypt_updates(struct job *job, uint64_t ops)
{
	int (*update)(void *, unsigned char *, int *, const unsigned char *, int) =
		job->library->decrypt_update;
	int good = 1, written = 0, size = (int)job->size;
	unsigned char *out = job->out;
	void *context = job->context;

	for (; ops; ops--)
		good &= update(context, out, &written, out, size);
	return good == 1 && written == size;
}

static bool prepare_update(struct job *job, struct error *err)
{
	job->out_size = job->size;
	job->other = job->kind->encrypt ? run_encrypt_updates : run_decrypt_updates;
	return start_cipher(job, job->kind->encrypt, &job->context, err);
}

static bool rewind_update(struct job *job)
{
	memcpy(job->out, job->in, job->size);
	return job->library->cipher_init(job->context, NULL, NULL, NULL,
					 bytes_of(job->material->iv), -1) == 1;
}

static bool run_update(struct job *job, uint64_t ops)
{
	return job->other(job, ops);
}

static bool finish_update(struct job *job)
{
	unsigned char none[32];
	int written;

	if (!is_aead(job))
		return true;
	job->tag_size = TAG_BYTES;
	return job->library->encrypt_final(job->context, none, &written) == 1 &&
	       job->library->cipher_control(job->context, GET_TAG, TAG_BYTES, job->tag) == 1;
}

static const char *check_update(struct job *job)
{
	const struct library *library = job->library;
	void *reverse;
	int written = 0;

	if (!rewind_update(job) || !job->kind->scheme->run(job, 1))
		return "the library reports a failure";
	if (job->size >= 16 && !memcmp(job->out, job->in, job->size))
		return "the output is the input";
	if (!start_cipher(job, !job->kind->encrypt, &reverse, NULL))
		return "the reverse direction cannot be started";
	if ((job->kind->encrypt ? library->decrypt_update : library->encrypt_update)(
		    reverse, job->out, &written, job->out, (int)job->size) != 1 ||
	    memcmp(job->out, job->in, job->size))
		return "the reverse direction does not give the input again";
	library->cipher_context_free(reverse);
	return NULL;
}

/* Size of the IV, key, IV, message and end per operation, without the tag: as `openssl speed -evp`
 * does it with AEAD ciphers since. */

static bool run_rekey(struct job *job, uint64_t ops)
{
	const struct library *library = job->library;
	const unsigned char *key = bytes_of(job->material->key), *iv = bytes_of(job->material->iv);
	int good = 1, written = 0, rest = 0, size = (int)job->size;
	unsigned char *out = job->out;
	void *context = job->context;

	for (; ops; ops--) {
		good &= library->cipher_control(context, SET_IV_SIZE, 12, NULL);
		good &= library->cipher_init(context, NULL, NULL, key, iv, -1);
		good &= library->encrypt_update(context, out, &written, out, size);
		good &= library->encrypt_final(context, out + size, &rest);
	}
	return good == 1 && written == size;
}

static bool finish_rekey(struct job *job)
{
	job->tag_size = TAG_BYTES;
	return job->library->cipher_control(job->context, GET_TAG, TAG_BYTES, job->tag) == 1;
}

/* A message per operation, each with an IV of its own. */

static void next_iv(unsigned char iv[12])
{
	for (int i = 11; i >= 4 && !++iv[i]; i--)
		;
}

static bool prepare_seal(struct job *job, struct error *err)
{
	job->out_size = job->size;
	job->tag_size = TAG_BYTES;
	return start_cipher(job, 1, &job->context, err);
}

static bool rewind_seal(struct job *job)
{
	memcpy(job->iv, job->material->iv.at, job->kind->iv_size);
	memset(job->out, 0, job->size);
	return true;
}

static bool run_seal(struct job *job, uint64_t ops)
{
	const struct library *library = job->library;
	const unsigned char *aad = bytes_of(job->material->aad);
	int aad_size = (int)job->material->aad.size, good = 1, written = 0, size = (int)job->size;
	void *context = job->context;

	for (; ops; ops--) {
		good &= library->cipher_init(context, NULL, NULL, NULL, job->iv, -1);
		if (aad_size)
			good &= library->encrypt_update(context, NULL, &written, aad, aad_size);
		good &= library->encrypt_update(context, job->out, &written, job->in, size);
		good &= written == size;
		good &= library->encrypt_final(context, job->out + size, &written);
		good &= library->cipher_control(context, GET_TAG, TAG_BYTES, job->tag);
		next_iv(job->iv);
	}
	return good == 1;
}

/* What is opened, and its IV and tag: job->in, job->iv, job->tag. */
static bool run_open(struct job *job, uint64_t ops)
{
	const struct library *library = job->library;
	const unsigned char *aad = bytes_of(job->material->aad);
	int aad_size = (int)job->material->aad.size, good = 1, written = 0, size = (int)job->size;
	void *context = job->context;

	for (; ops; ops--) {
		good &= library->cipher_init(context, NULL, NULL, NULL, job->iv, -1);
		if (aad_size)
			good &= library->decrypt_update(context, NULL, &written, aad, aad_size);
		good &= library->decrypt_update(context, job->out, &written, job->in, size);
		good &= written == size;
		good &= library->cipher_control(context, SET_TAG, TAG_BYTES, job->tag);
		good &= library->decrypt_final(context, job->out + size, &written) == 1;
	}
	return good == 1;
}

/* The message is sealed first, unless it comes sealed from a published vector. */
static bool prepare_open(struct job *job, struct error *err)
{
	job->out_size = job->size;
	if (job->material->tag.size == TAG_BYTES) {
		memcpy(job->tag, job->material->tag.at, TAG_BYTES);
	} else {
		if (!prepare_seal(job, err))
			return false;
		if (!rewind_seal(job) || !run_seal(job, 1))
			return error_set(err, "%s does not seal in this library",
					 job->kind->algorithm);
		job->library->cipher_context_free(job->context);
		memcpy(job->in, job->out, job->size);
	}
	job->tag_size = TAG_BYTES;
	return start_cipher(job, 0, &job->context, err);
}

static const char *refuse_flipped(struct job *job)
{
	const char *fault = NULL;

	job->tag[TAG_BYTES - 1] ^= 1;
	if (run_open(job, 1))
		fault = "a flipped tag is accepted";
	job->tag[TAG_BYTES - 1] ^= 1;
	job->in[job->size / 2] ^= 0x80;
	if (run_open(job, 1))
		fault = "a flipped ciphertext is accepted";
	job->in[job->size / 2] ^= 0x80;
	if (!run_open(job, 1))
		fault = "what is right is refused after what was wrong";
	return fault;
}

static const char *check_open(struct job *job)
{
	const char *plain = job->material->in.at;

	if (!rewind_seal(job) || !run_open(job, 1))
		return "what was sealed is not opened";
	/* The input of a vector is what is opened. */
	if (job->material->tag.size != TAG_BYTES && memcmp(job->out, plain, job->size))
		return "opened is not what was sealed";
	return refuse_flipped(job);
}

static const char *check_seal(struct job *job)
{
	struct job open = *job;
	const char *fault = NULL;

	if (!rewind_seal(job) || !run_seal(job, 1))
		return "the library reports a failure";
	memcpy(open.iv, job->material->iv.at, job->kind->iv_size);
	memcpy(open.tag, job->tag, TAG_BYTES);
	memcpy(job->in, job->out, job->size);
	if (!start_cipher(job, 0, &open.context, NULL))
		return "the reverse direction cannot be started";
	if (!run_open(&open, 1) || memcmp(open.out, job->material->in.at, job->size))
		fault = "the reverse direction does not give the input again";
	if (!fault)
		fault = refuse_flipped(&open);
	job->library->cipher_context_free(open.context);
	memcpy(job->in, job->material->in.at, job->size);
	return fault;
}

const struct scheme scheme_update = {
	.prepare = prepare_update,
	.rewind = rewind_update,
	.run = run_update,
	.finish = finish_update,
	.check = check_update,
};

const struct scheme scheme_rekey = {
	.prepare = prepare_update,
	.rewind = rewind_update,
	.run = run_rekey,
	.finish = finish_rekey,
	.check = check_update,
};

const struct scheme scheme_seal = {
	.prepare = prepare_seal,
	.rewind = rewind_seal,
	.run = run_seal,
	.check = check_seal,
};

const struct scheme scheme_open = {
	.prepare = prepare_open,
	.rewind = rewind_seal,
	.run = run_open,
	.check = check_open,
};
