// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "kat-bench/job.h"

#include <string.h>

#define DIGEST_BYTES_MAX 64
/* OSSL_PARAM of openssl/core.h, and its type of a text. */
#define PARAM_TEXT 4

struct param {
	const char *name;
	unsigned type;
	const void *value;
	size_t size, returned;
};

static const unsigned char *bytes_of(struct view view)
{
	return (const unsigned char *)view.at;
}

/* A message per operation, the context is used again. */

static bool prepare_digest(struct job *job, struct error *err)
{
	unsigned size = 0;

	job->method = library_digest(job->library, job->kind->algorithm);
	job->context = job->library->digest_context_new();
	if (!job->method || !job->context)
		return error_set(err, "this library has no %s", job->kind->algorithm);
	if (job->library->digest_init(job->context, job->method, NULL) != 1 ||
	    job->library->digest_final(job->context, job->out, &size) != 1)
		return error_set(err, "%s cannot be started in this library", job->kind->algorithm);
	job->out_size = size;
	return true;
}

static bool clear_output(struct job *job)
{
	memset(job->out, 0, job->out_size);
	return true;
}

static bool run_digest(struct job *job, uint64_t ops)
{
	const struct library *library = job->library;
	void *context = job->context;
	unsigned size = 0;
	int good = 1;

	for (; ops; ops--) {
		good &= library->digest_init(context, job->method, NULL);
		good &= library->digest_update(context, job->in, job->size);
		good &= library->digest_final(context, job->out, &size);
	}
	return good == 1 && size == job->out_size;
}

/* Twice the same, and another message gives another digest or MAC. */
static const char *check_repeated(struct job *job)
{
	const struct scheme *scheme = job->kind->scheme;
	unsigned char kept[DIGEST_BYTES_MAX];
	const char *fault = NULL;

	if (!scheme->rewind(job) || !scheme->run(job, 1))
		return "the library reports a failure";
	memcpy(kept, job->out, job->out_size);
	clear_output(job);
	if (!scheme->run(job, 2) || memcmp(kept, job->out, job->out_size))
		fault = "the same message gives another result the second time";
	job->in[job->size / 2] ^= 1;
	if (!fault && (!scheme->run(job, 1) || !memcmp(kept, job->out, job->out_size)))
		fault = "a flipped bit of the message gives the same result";
	job->in[job->size / 2] ^= 1;
	return fault;
}

/* EVP_MAC of 3.0 and later. */

static bool run_mac(struct job *job, uint64_t ops)
{
	const struct library *library = job->library;
	void *context = job->context;
	size_t size = 0;
	int good = 1;

	for (; ops; ops--) {
		good &= library->mac_init(context, NULL, 0, NULL);
		good &= library->mac_update(context, job->in, job->size);
		good &= library->mac_final(context, job->out, &size, DIGEST_BYTES_MAX);
	}
	return good == 1 && size == job->out_size;
}

/* Some of 3.0's MACs begin anew only with their key. */
static bool run_mac_rekeyed(struct job *job, uint64_t ops)
{
	const struct library *library = job->library;
	void *context = job->context;
	size_t size = 0;
	int good = 1;

	for (; ops; ops--) {
		good &= library->mac_init(context, bytes_of(job->material->key),
					  job->material->key.size, NULL);
		good &= library->mac_update(context, job->in, job->size);
		good &= library->mac_final(context, job->out, &size, DIGEST_BYTES_MAX);
	}
	return good == 1 && size == job->out_size;
}

static bool is_hmac(const struct job *job)
{
	return job->kind->mac == MAC_HMAC;
}

static bool prepare_mac(struct job *job, struct error *err)
{
	const struct library *library = job->library;
	struct param params[2] = {{is_hmac(job) ? "digest" : "cipher", PARAM_TEXT,
				   job->kind->algorithm, strlen(job->kind->algorithm), 0}};
	void *mac = library->mac_fetch(NULL, is_hmac(job) ? "HMAC" : "CMAC", NULL);
	unsigned char kept[DIGEST_BYTES_MAX];

	job->context = mac ? library->mac_context_new(mac) : NULL;
	if (!job->context)
		return error_set(err, "this library has no %s", is_hmac(job) ? "HMAC" : "CMAC");
	if (library->mac_init(job->context, bytes_of(job->material->key), job->material->key.size,
			      params) != 1 ||
	    library->mac_update(job->context, job->in, job->size) != 1 ||
	    library->mac_final(job->context, job->out, &job->out_size, DIGEST_BYTES_MAX) != 1)
		return error_set(err, "%s cannot be started in this library", job->kind->name);
	memcpy(kept, job->out, job->out_size);
	job->other = run_mac;
	if (!run_mac(job, 1) || memcmp(kept, job->out, job->out_size))
		job->other = run_mac_rekeyed;
	return true;
}

/* HMAC_*, CMAC_* of 1.1.1. */

static bool run_hmac(struct job *job, uint64_t ops)
{
	const struct library *library = job->library;
	void *context = job->context;
	unsigned size = 0;
	int good = 1;

	for (; ops; ops--) {
		good &= library->hmac_init(context, NULL, 0, NULL, NULL);
		good &= library->hmac_update(context, job->in, job->size);
		good &= library->hmac_final(context, job->out, &size);
	}
	return good == 1 && size == job->out_size;
}

static bool run_cmac(struct job *job, uint64_t ops)
{
	const struct library *library = job->library;
	void *context = job->context;
	size_t size = 0;
	int good = 1;

	for (; ops; ops--) {
		good &= library->cmac_init(context, NULL, 0, NULL, NULL);
		good &= library->cmac_update(context, job->in, job->size);
		good &= library->cmac_final(context, job->out, &size);
	}
	return good == 1 && size == job->out_size;
}

static bool prepare_old_hmac(struct job *job, struct error *err)
{
	const struct library *library = job->library;
	const void *digest = library_digest(library, job->kind->algorithm);
	unsigned size = 0;

	if (!library->hmac_new || !library->hmac_init || !library->hmac_update ||
	    !library->hmac_final || !digest)
		return error_set(err, "this library has no %s", job->kind->name);
	job->context = library->hmac_new();
	job->other = run_hmac;
	if (!job->context ||
	    library->hmac_init(job->context, bytes_of(job->material->key),
			       (int)job->material->key.size, digest, NULL) != 1 ||
	    library->hmac_final(job->context, job->out, &size) != 1)
		return error_set(err, "%s cannot be started in this library", job->kind->name);
	job->out_size = size;
	return true;
}

static bool prepare_old_cmac(struct job *job, struct error *err)
{
	const struct library *library = job->library;
	const void *cipher = library_cipher(library, job->kind->algorithm);

	if (!library->cmac_new || !library->cmac_init || !library->cmac_update ||
	    !library->cmac_final || !cipher)
		return error_set(err, "this library has no %s", job->kind->name);
	job->context = library->cmac_new();
	job->other = run_cmac;
	if (!job->context ||
	    library->cmac_init(job->context, bytes_of(job->material->key), job->material->key.size,
			       cipher, NULL) != 1 ||
	    library->cmac_final(job->context, job->out, &job->out_size) != 1)
		return error_set(err, "%s cannot be started in this library", job->kind->name);
	return true;
}

static bool prepare_any_mac(struct job *job, struct error *err)
{
	const struct library *library = job->library;

	if (library->mac_fetch && library->mac_context_new && library->mac_init &&
	    library->mac_update && library->mac_final)
		return prepare_mac(job, err);
	return is_hmac(job) ? prepare_old_hmac(job, err) : prepare_old_cmac(job, err);
}

static bool run_any_mac(struct job *job, uint64_t ops)
{
	return job->other(job, ops);
}

const struct scheme scheme_digest = {
	.prepare = prepare_digest,
	.rewind = clear_output,
	.run = run_digest,
	.check = check_repeated,
};

const struct scheme scheme_mac = {
	.prepare = prepare_any_mac,
	.rewind = clear_output,
	.run = run_any_mac,
	.check = check_repeated,
};
