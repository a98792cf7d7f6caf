// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct arena;

/* What the helper says on standard output: lines of words separated by one TAB, flushed. Free text
 * is the last word, printable, and without control characters. */

enum failure {
	FAILURE_DIGEST,      /* other bytes than wanted */
	FAILURE_SIZE,        /* more or fewer */
	FAILURE_HTTP,        /* the server says no */
	FAILURE_NETWORK,     /* no or a broken connection */
	FAILURE_TLS,         /* not the server, or nobody vouches for it */
	FAILURE_SLOW,        /* below the low-speed limit, or past the time limit */
	FAILURE_REFUSED,     /* an address that is never followed */
	FAILURE_IO,          /* a file of this machine */
	FAILURE_CREDENTIALS, /* those given for a BMC are none */
};

struct answers {
	struct arena *arena;
	FILE *to;
	bool broken; /* nobody reads any more */
};

/* progress ID BYTES TOTAL|-; total_bytes 0 is unknown. */
void answer_progress(struct answers *answers, const char *id, uint64_t bytes, uint64_t total_bytes);
/* note ID TEXT; the ID is "-" for what concerns no file. */
void answer_note(struct answers *answers, const char *id, const char *text);
/* done ID BYTES SHA256 URL; the URL is "-" when the file was whole before. */
void answer_done(struct answers *answers, const char *id, uint64_t bytes, const char *sha256,
		 const char *url);
/* failed ID KIND TEXT */
void answer_failed(struct answers *answers, const char *id, enum failure failure, const char *text);

/* Of a BMC, where one question is answered at a time (fetch/bmc.h):
 * reply STATUS BYTES, login HOW, failed KIND TEXT. */
void answer_reply(struct answers *answers, unsigned status, uint64_t bytes);
void answer_login(struct answers *answers, const char *how);
void answer_broken(struct answers *answers, enum failure failure, const char *text);
