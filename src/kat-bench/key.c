// SPDX-License-Identifier: BSD-2-Clause
#include "base/error.h"
#include "kat-bench/job.h"

#include <string.h>

/* EVP_PKEY_X25519, EVP_PKEY_ED25519 of evp.h. */
#define KEY_X25519 1034
#define KEY_ED25519 1087
#define SIGNATURE_BYTES_MAX 512

static const unsigned char *bytes_of(struct view view)
{
	return (const unsigned char *)view.at;
}

static int raw_type(const struct job *job)
{
	if (job->kind->family == KEY_FAMILY_ED25519)
		return KEY_ED25519;
	return job->kind->family == KEY_FAMILY_X25519 ? KEY_X25519 : 0;
}

static void *read_key(const struct job *job, struct view bytes, bool secret)
{
	const struct library *library = job->library;
	const unsigned char *at = bytes_of(bytes);
	int raw = raw_type(job);

	if (raw && secret)
		return library->raw_private_key(raw, NULL, at, bytes.size);
	if (raw)
		return library->raw_public_key(raw, NULL, at, bytes.size);
	return secret ? library->private_key(NULL, &at, (long)bytes.size)
		      : library->public_key(NULL, &at, (long)bytes.size);
}

/* PKCS #1 v1.5 with SHA-256, as RSA certificates are signed. */
static bool set_padding(const struct job *job, void *context)
{
	const struct library *library = job->library;

	return job->kind->family != KEY_FAMILY_RSA ||
	       (library->key_context_text(context, "rsa_padding_mode", "pkcs1") == 1 &&
		library->key_context_text(context, "digest", "sha256") == 1);
}

/* Ready to sign or to verify; NULL: not in this library. */
static void *start_key(const struct job *job, bool sign)
{
	const struct library *library = job->library;
	void *key = read_key(job, sign ? job->material->key : job->material->peer, sign), *context;
	bool message = job->kind->family == KEY_FAMILY_ED25519;
	int good;

	if (!key)
		return NULL;
	context = message ? library->digest_context_new() : library->key_context_new(key, NULL);
	if (!context)
		return NULL;
	if (message)
		good = sign ? library->message_sign_init(context, NULL, NULL, NULL, key)
			    : library->message_verify_init(context, NULL, NULL, NULL, key);
	else
		good = sign ? library->sign_init(context) : library->verify_init(context);
	/* The context holds the key on. */
	library->key_free(key);
	return good == 1 && (message || set_padding(job, context)) ? context : NULL;
}

static bool sign_once(struct job *job, unsigned char *out, size_t *written)
{
	const struct library *library = job->library;

	*written = SIGNATURE_BYTES_MAX;
	if (job->kind->family == KEY_FAMILY_ED25519)
		return (!job->rearm ||
			library->message_sign_init(job->context, NULL, NULL, NULL, NULL) == 1) &&
		       library->message_sign(job->context, out, written, job->in, job->size) == 1;
	return library->sign(job->context, out, written, job->in, job->size) == 1;
}

/* From 3.2 on a context that has signed a message signs no other one before it is started again. */
static bool start_signing(struct job *job)
{
	job->context = start_key(job, true);
	if (!job->context || job->kind->family != KEY_FAMILY_ED25519)
		return job->context;
	job->rearm = !sign_once(job, job->out, &job->out_size) ||
		     !sign_once(job, job->out, &job->out_size);
	if (job->rearm)
		job->context = start_key(job, true);
	return job->context;
}

static bool prepare_sign(struct job *job, struct error *err)
{
	if (!start_signing(job))
		return error_set(err, "this library cannot use a key for %s", job->kind->name);
	if (!sign_once(job, job->out, &job->out_size))
		return error_set(err, "this library does not sign: %s", job->kind->name);
	return true;
}

static bool rewind_key(struct job *job)
{
	(void)job;
	return true;
}

static bool run_sign(struct job *job, uint64_t ops)
{
	bool good = true;

	for (; ops; ops--)
		good &= sign_once(job, job->out, &job->out_size);
	return good;
}

static bool verify_once(const struct job *job, void *context, const unsigned char *signature,
			size_t size)
{
	const struct library *library = job->library;

	if (job->kind->family == KEY_FAMILY_ED25519)
		return (!job->rearm ||
			library->message_verify_init(context, NULL, NULL, NULL, NULL) == 1) &&
		       library->message_verify(context, signature, size, job->in, job->size) == 1;
	return library->verify(context, signature, size, job->in, job->size) == 1;
}

static const char *refuse_flipped(struct job *job, void *context, unsigned char *signature,
				  size_t size)
{
	const char *fault = NULL;

	if (!verify_once(job, context, signature, size))
		return "a right signature is refused";
	signature[size - 1] ^= 1;
	if (verify_once(job, context, signature, size))
		fault = "a flipped signature is accepted";
	signature[size - 1] ^= 1;
	job->in[job->size / 2] ^= 1;
	if (verify_once(job, context, signature, size))
		fault = "a signature is accepted for another message";
	job->in[job->size / 2] ^= 1;
	if (!verify_once(job, context, signature, size))
		fault = "what is right is refused after what was wrong";
	return fault;
}

static const char *check_sign(struct job *job)
{
	const struct library *library = job->library;
	void *context = start_key(job, false);
	const char *fault;

	if (!context)
		return "the public key cannot be used";
	if (!run_sign(job, 1))
		return "the library reports a failure";
	fault = refuse_flipped(job, context, job->out, job->out_size);
	if (job->kind->family == KEY_FAMILY_ED25519)
		library->digest_context_free(context);
	else
		library->key_context_free(context);
	return fault;
}

/* The signature stands behind the one byte that an operation writes: 1, it is right. */
static bool prepare_verify(struct job *job, struct error *err)
{
	unsigned char *signature = job->out + 1;

	if (job->material->tag.size > SIGNATURE_BYTES_MAX)
		return error_set(err, "a signature of %zu bytes", job->material->tag.size);
	if (!prepare_sign(job, err))
		return false;
	job->signature_size = job->material->tag.size;
	if (job->signature_size) {
		memcpy(signature, job->material->tag.at, job->signature_size);
	} else {
		if (!sign_once(job, signature, &job->signature_size))
			return error_set(err, "this library does not sign: %s", job->kind->name);
	}
	job->out_size = 1;
	job->context = start_key(job, false);
	return job->context ||
	       error_set(err, "this library cannot use a key for %s", job->kind->name);
}

static bool run_verify(struct job *job, uint64_t ops)
{
	bool good = true;

	for (; ops; ops--)
		good &= verify_once(job, job->context, job->out + 1, job->signature_size);
	job->out[0] = good;
	return good;
}

static const char *check_verify(struct job *job)
{
	return refuse_flipped(job, job->context, job->out + 1, job->signature_size);
}

static bool prepare_derive(struct job *job, struct error *err)
{
	const struct library *library = job->library;
	void *key = read_key(job, job->material->key, true);
	void *peer = read_key(job, job->material->peer, false);

	job->context = key ? library->key_context_new(key, NULL) : NULL;
	job->out_size = SIGNATURE_BYTES_MAX;
	if (!job->context || !peer || library->derive_init(job->context) != 1 ||
	    library->derive_peer(job->context, peer) != 1 ||
	    library->derive(job->context, job->out, &job->out_size) != 1)
		return error_set(err, "this library cannot use a key for %s", job->kind->name);
	library->key_free(key);
	library->key_free(peer);
	return true;
}

static bool rewind_derive(struct job *job)
{
	memset(job->out, 0, job->out_size);
	return true;
}

static bool run_derive(struct job *job, uint64_t ops)
{
	const struct library *library = job->library;
	size_t size = job->out_size;
	int good = 1;

	for (; ops; ops--) {
		size = job->out_size;
		good &= library->derive(job->context, job->out, &size);
	}
	return good == 1 && size == job->out_size;
}

static const char *check_derive(struct job *job)
{
	unsigned char kept[64];

	if (!run_derive(job, 1))
		return "the library reports a failure";
	memcpy(kept, job->out, 32);
	rewind_derive(job);
	if (!run_derive(job, 1) || memcmp(kept, job->out, 32))
		return "the secret changes from one operation to the next";
	return NULL;
}

const struct scheme scheme_sign = {
	.prepare = prepare_sign,
	.rewind = rewind_key,
	.run = run_sign,
	.check = check_sign,
};

const struct scheme scheme_verify = {
	.prepare = prepare_verify,
	.rewind = rewind_key,
	.run = run_verify,
	.check = check_verify,
};

const struct scheme scheme_derive = {
	.prepare = prepare_derive,
	.rewind = rewind_derive,
	.run = run_derive,
	.check = check_derive,
};
