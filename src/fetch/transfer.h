// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "fetch/answer.h"
#include "fetch/reply.h"
#include "fetch/request.h"
#include "fetch/sink.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

/* What bounds a run. */
struct limits {
	uint64_t low_speed_bytes, low_speed_seconds; /* slower for so long is slow */
	uint64_t time_limit_s;                       /* of the whole run */
	uint64_t connect_timeout_s;
	uint64_t parallel;
	const char *authorities; /* file of CA certificates, NULL: those of the system */
	bool redfish;            /* questions to a BMC (fetch/bmc.h) in place of files */
};

struct fetch {
	struct arena *arena;
	struct limits limits;
	struct answers answers;
	CURLM *multi;
	int64_t deadline_ms;
};

/* What is done after a try that failed. */
enum again {
	AGAIN_ELSEWHERE, /* the next address */
	AGAIN_RESUME,    /* the same address, where it stopped, if something came */
	AGAIN_FRESH,     /* the same address, from nothing, once */
	AGAIN_NEVER,
};

struct cause {
	enum failure failure;
	enum again again;
	char text[1200];
};

/* One file on its way: a request, the address tried now, and what has arrived. */
struct transfer {
	struct fetch *fetch;
	const struct request *request;
	struct sink sink;
	CURL *easy;
	struct curl_slist *headers;
	struct reply reply;
	uint64_t begin_bytes; /* what was there when this try began */
	size_t address;
	unsigned resumes; /* at this address */
	bool restarted;   /* from nothing, at this address */
	bool stopped;     /* this try, by a callback, for `cause` */
	bool ended, digest_wrong, failed;
	char validator[REPLY_VALIDATOR_SIZE]; /* of this address */
	struct cause cause;
	char message[CURL_ERROR_SIZE];
	int64_t progress_ms; /* when it was last said */
};

/* Looks at the file and starts the first try; `ended` when there is nothing to wait for. */
void transfer_begin(struct transfer *transfer);
/* A try ended: judge the bytes and either end or start the next one. */
void transfer_judge(struct transfer *transfer, CURLcode code);
void transfer_close(struct transfer *transfer);

/* Why a try failed, for curl's code (transfer_cause.c). */
void cause_set(struct cause *cause, enum failure failure, enum again again, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* What curl said, in the words of the table of codes. */
void cause_of_code(struct cause *cause, CURLcode code, const char *said);
void cause_of_curl(struct transfer *transfer, CURLcode code);

/* Adds a try of the present address to the multi handle (transfer_try.c); false with the cause. */
bool try_start(struct transfer *transfer);
void try_stop(struct transfer *transfer);
