// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/answer.h"

#include "base/arena.h"
#include "base/text.h"

#include <inttypes.h>

static const char *const failure_names[] = {
	[FAILURE_DIGEST] = "digest",
	[FAILURE_SIZE] = "size",
	[FAILURE_HTTP] = "http",
	[FAILURE_NETWORK] = "network",
	[FAILURE_TLS] = "tls",
	[FAILURE_SLOW] = "slow",
	[FAILURE_REFUSED] = "refused",
	[FAILURE_IO] = "io",
	[FAILURE_CREDENTIALS] = "credentials",
};

static void end_line(struct answers *answers)
{
	if (fputc('\n', answers->to) < 0 || fflush(answers->to) != 0)
		answers->broken = true;
}

static const char *printable(struct answers *answers, const char *text)
{
	return text_printable(answers->arena, view_of(text));
}

void answer_progress(struct answers *answers, const char *id, uint64_t bytes, uint64_t total_bytes)
{
	fprintf(answers->to, "progress\t%s\t%" PRIu64 "\t", id, bytes);
	if (total_bytes)
		fprintf(answers->to, "%" PRIu64, total_bytes);
	else
		fputc('-', answers->to);
	end_line(answers);
}

void answer_note(struct answers *answers, const char *id, const char *text)
{
	fprintf(answers->to, "note\t%s\t%s", id, printable(answers, text));
	end_line(answers);
}

void answer_done(struct answers *answers, const char *id, uint64_t bytes, const char *sha256,
		 const char *url)
{
	fprintf(answers->to, "done\t%s\t%" PRIu64 "\t%s\t%s", id, bytes, sha256,
		printable(answers, url));
	end_line(answers);
}

void answer_failed(struct answers *answers, const char *id, enum failure failure, const char *text)
{
	fprintf(answers->to, "failed\t%s\t%s\t%s", id, failure_names[failure],
		printable(answers, text));
	end_line(answers);
}

void answer_reply(struct answers *answers, unsigned status, uint64_t bytes)
{
	fprintf(answers->to, "reply\t%u\t%" PRIu64, status, bytes);
	end_line(answers);
}

void answer_login(struct answers *answers, const char *how)
{
	fprintf(answers->to, "login\t%s", how);
	end_line(answers);
}

void answer_broken(struct answers *answers, enum failure failure, const char *text)
{
	fprintf(answers->to, "failed\t%s\t%s", failure_names[failure], printable(answers, text));
	end_line(answers);
}
