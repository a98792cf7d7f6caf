// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"
#include "kat-bench/library.h"

struct arena;
struct error;
struct kind;
struct scheme;

#define JOB_SIZE_MAX ((size_t)1 << 20)
#define JOB_EXTRA_BYTES 1024 /* behind the output: tags, padding, signatures */
#define JOB_TAG_BYTES 64

/* What an operation is done with. A published vector, or fixed pseudo-random bytes. */
struct material {
	struct view key, iv, aad;
	struct view in;   /* what is encrypted, hashed, signed or opened */
	struct view tag;  /* open: what must be found; verify: the signature */
	struct view peer; /* of a key agreement */
};

/*
 * One case at one size, made ready: contexts with their keys, buffers that are aligned and touched.
 * The loop that is timed is kind->scheme->run on it, and so is everything that is verified.
 */
struct job {
	struct arena *arena;
	const struct library *library;
	const struct kind *kind;
	const struct material *material;
	size_t size;             /* of one operation's input */
	const void *method;      /* EVP_CIPHER, EVP_MD … */
	void *context;           /* EVP_CIPHER_CTX … */
	unsigned char *in, *out; /* page-aligned */
	size_t out_size;         /* what one operation writes */
	unsigned char iv[16];    /* of the next operation, where each has its own */
	unsigned char tag[JOB_TAG_BYTES];
	size_t tag_size;       /* 0: there is none */
	size_t signature_size; /* of what is verified */
	bool rearm;            /* the context must be started again for each operation */
	bool (*other)(struct job *job, uint64_t ops); /* a scheme's choice of loop */
};

/* How a family of cases is prepared, run and checked; all return false when the library failed. */
struct scheme {
	/* Contexts from job->material; sets out_size. An error is a reason for "na". */
	bool (*prepare)(struct job *job, struct error *err);
	/* Back to the first operation, so that answers and batches begin alike. */
	bool (*rewind)(struct job *job);
	/* The loop that is timed: no allocation of ours, no system call of ours. */
	bool (*run)(struct job *job, uint64_t ops);
	/* Ends a message that grew over the operations and sets the tag; NULL: each is whole. */
	bool (*finish)(struct job *job);
	/* The reverse of what run wrote gives the input again, and a flipped bit is refused. What
	 * is wrong, or NULL. */
	const char *(*check)(struct job *job);
	bool (*available)(const struct library *library); /* NULL: always */
};

enum key_family { KEY_FAMILY_RSA, KEY_FAMILY_EC, KEY_FAMILY_ED25519, KEY_FAMILY_X25519 };
enum mac { MAC_HMAC, MAC_CMAC };

/* A row of the table of cases. */
struct kind {
	const char *name;
	const struct scheme *scheme;
	const char *algorithm; /* as the library calls it */
	size_t key_size, iv_size, aad_size, block_size;
	int encrypt; /* 1, 0 */
	enum mac mac;
	enum key_family family;
	size_t message_size; /* the case has no size: of what is signed; 1 where nothing is */
	const char *reverse; /* its output is random: the case that verifies it */
};

extern const struct kind kinds[];
extern const size_t kind_count;

extern const struct scheme scheme_update, scheme_rekey, scheme_seal, scheme_open, scheme_digest,
	scheme_mac, scheme_sign, scheme_verify, scheme_derive;

/* NULL: there is no such case. */
const struct kind *kind_find(const char *name);
/* With `material`, or (NULL) with fixed bytes made from the names of the case and the size. */
bool job_prepare(struct arena *arena, const struct library *library, const struct kind *kind,
		 size_t size, const struct material *material, struct job **out, struct error *err);
/* 64 hex digits of all that three operations from the first one write, tags included. Empty when
 * the library failed. */
const char *job_answer(struct job *job);
/* Fixed pseudo-random bytes: SHA-256 of the label and a counter. */
struct view material_bytes(struct arena *arena, const char *label, size_t size);
/* The hex digits of a text as bytes; blanks are skipped. */
struct view material_hex(struct arena *arena, const char *hex);
