// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/verify.h"

#include "base/arena.h"
#include "base/error.h"
#include "kat-bench/known.h"

#include <stdio.h>
#include <string.h>

static bool is_right(struct job *job, struct view want)
{
	const struct scheme *scheme = job->kind->scheme;

	if (!scheme->rewind(job) || !scheme->run(job, 1) ||
	    (scheme->finish && !scheme->finish(job)))
		return false;
	/* What is opened comes without its tag. */
	if (want.size == job->out_size)
		return !memcmp(job->out, want.at, want.size);
	return want.size == job->out_size + job->tag_size &&
	       !memcmp(job->out, want.at, job->out_size) &&
	       !memcmp(job->tag, want.at + job->out_size, job->tag_size);
}

static bool is_wrong(const struct kind *kind, const char *source, const char *fault)
{
	printf("known %s wrong %s%s%s\n", kind->name, source, fault ? ": " : "",
	       fault ? fault : "");
	return false;
}

static bool verify_known(struct arena *arena, const struct library *library,
			 const struct kind *kind, const struct known *known, bool quiet)
{
	struct material material = {
		.key = material_hex(arena, known->key),
		.iv = material_hex(arena, known->iv),
		.aad = material_hex(arena, known->aad),
		.in = material_hex(arena, known->in),
		.tag = material_hex(arena, known->tag),
		.peer = material_hex(arena, known->peer),
	};
	struct error err = {0};
	const char *fault;
	struct job *job;

	if (!job_prepare(arena, library, kind, material.in.size, &material, &job, &err))
		return is_wrong(kind, known->source, err.text);
	if (known->out && !is_right(job, material_hex(arena, known->out)))
		return is_wrong(kind, known->source, NULL);
	/* What cannot be foretold is judged by its verification, so that must be right. */
	if (!known->out && !verify_kind(arena, library, kind_find(kind->reverse), true))
		return is_wrong(kind, known->source, "the verification is wrong");
	fault = kind->scheme->check(job);
	if (fault)
		return is_wrong(kind, known->source, fault);
	if (!quiet)
		printf("known %s right %s\n", kind->name, known->source);
	return true;
}

bool verify_kind(struct arena *arena, const struct library *library, const struct kind *kind,
		 bool quiet)
{
	const struct known *known = known_next(kind->name, NULL);
	bool right = known || is_wrong(kind, "there is no published vector", NULL);

	for (; known; known = known_next(kind->name, known))
		right &= verify_known(arena, library, kind, known, quiet);
	return right;
}

bool verify_job(struct job *job)
{
	const char *fault = job->kind->scheme->check(job);
	char size[64];

	snprintf(size, sizeof(size), "%zu bytes", job->size);
	return fault ? is_wrong(job->kind, size, fault) : true;
}

bool verify_answer(struct job *job, const char *when, const char **first)
{
	const char *answer = job_answer(job);
	char size[64];

	snprintf(size, sizeof(size), "%zu bytes", job->size);
	if (!*answer)
		return is_wrong(job->kind, size, "the library reports a failure");
	printf("answer %s %s %zu %s\n", when, job->kind->name,
	       job->kind->message_size ? 0 : job->size, answer);
	if (*first && strcmp(*first, answer))
		return is_wrong(job->kind, size, "the last answer is not the first one");
	*first = answer;
	return true;
}
