// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/transfer.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define RESUMES_MAX 3

static const struct address *present(const struct transfer *transfer)
{
	return &transfer->request->addresses[transfer->address];
}

static void end_failed(struct transfer *transfer)
{
	const char *id = transfer->request->id;
	enum failure failure = transfer->digest_wrong ? FAILURE_DIGEST : transfer->cause.failure;
	const char *text = arena_printf(transfer->fetch->arena, "%s: %s", present(transfer)->shown,
					transfer->cause.text);

	if (failure != transfer->cause.failure)
		text = arena_printf(transfer->fetch->arena,
				    "an address gave other bytes than wanted, then %s", text);
	transfer->ended = transfer->failed = true;
	answer_failed(&transfer->fetch->answers, id, failure, text);
}

static void end_io(struct transfer *transfer, const struct error *err)
{
	cause_set(&transfer->cause, FAILURE_IO, AGAIN_NEVER, "%s", err->text);
	transfer->ended = transfer->failed = true;
	answer_failed(&transfer->fetch->answers, transfer->request->id, FAILURE_IO, err->text);
}

/* Whether all bytes are there and right; the cause when not. */
static bool is_right(struct transfer *transfer, const char *url)
{
	const struct request *request = transfer->request;
	char hex[DIGEST_HEX_SIZE];

	if (request->has_size && transfer->sink.have_bytes != request->size_bytes) {
		cause_set(&transfer->cause, FAILURE_SIZE,
			  present(transfer)->scheme == ADDRESS_FILE ? AGAIN_ELSEWHERE
								    : AGAIN_RESUME,
			  "ended after %" PRIu64 " of %" PRIu64 " bytes", transfer->sink.have_bytes,
			  request->size_bytes);
		return false;
	}
	sink_digest(&transfer->sink, hex);
	if (!hex[0]) {
		cause_set(&transfer->cause, FAILURE_IO, AGAIN_NEVER, "libcrypto failed");
		return false;
	}
	if (request->sha256 && strcmp(hex, request->sha256) != 0) {
		/* Bytes of two tries may be of two files; those of one are what is served. */
		cause_set(&transfer->cause, FAILURE_DIGEST,
			  transfer->begin_bytes ? AGAIN_FRESH : AGAIN_ELSEWHERE,
			  "SHA-256 is %s, want %s", hex, request->sha256);
		return false;
	}
	transfer->ended = true;
	answer_done(&transfer->fetch->answers, request->id, transfer->sink.have_bytes, hex, url);
	return true;
}

static void note(struct transfer *transfer, const char *then)
{
	answer_note(&transfer->fetch->answers, transfer->request->id,
		    arena_printf(transfer->fetch->arena, "%s: %s; %s", present(transfer)->shown,
				 transfer->cause.text, then));
}

static bool is_late(struct transfer *transfer)
{
	if (clock_ms() < transfer->fetch->deadline_ms)
		return false;
	cause_set(&transfer->cause, FAILURE_SLOW, AGAIN_NEVER,
		  "not done within the time limit of %" PRIu64 " s",
		  transfer->fetch->limits.time_limit_s);
	return true;
}

/* Bytes that are wrong, or that the next try's cannot be told to continue, are thrown away. */
static bool drop_wrong_bytes(struct transfer *transfer, bool same_address, struct error *err)
{
	const struct cause *cause = &transfer->cause;
	bool came = transfer->sink.have_bytes > transfer->begin_bytes;
	bool wrong = !transfer->sink.digest || cause->failure == FAILURE_DIGEST ||
		     cause->again == AGAIN_FRESH ||
		     (cause->failure == FAILURE_SIZE && cause->again != AGAIN_RESUME && came);
	bool known = transfer->request->sha256 || (same_address && transfer->validator[0]);

	return (!wrong && known) || sink_empty(&transfer->sink, err);
}

static bool same_address_again(struct transfer *transfer)
{
	bool came = transfer->sink.have_bytes > transfer->begin_bytes;

	if (transfer->cause.again == AGAIN_FRESH && !transfer->restarted) {
		transfer->restarted = true;
		note(transfer, "once more from nothing");
		return true;
	}
	if (transfer->cause.again == AGAIN_RESUME && came && transfer->resumes < RESUMES_MAX) {
		transfer->resumes++;
		note(transfer, "going on");
		return true;
	}
	return false;
}

static bool next_address(struct transfer *transfer)
{
	const struct request *request = transfer->request;

	if (transfer->cause.failure == FAILURE_DIGEST)
		transfer->digest_wrong = true;
	if (transfer->address + 1 == request->address_count)
		return false;
	note(transfer, arena_printf(transfer->fetch->arena, "trying %s",
				    request->addresses[transfer->address + 1].shown));
	transfer->address++;
	transfer->resumes = 0;
	transfer->restarted = false;
	transfer->validator[0] = '\0';
	return true;
}

/* Tries until one has started or nothing is left to try; `cause` says why the last one failed. */
static void go_on(struct transfer *transfer)
{
	do {
		struct error err = {0};
		bool again;

		if (transfer->cause.again == AGAIN_NEVER || is_late(transfer)) {
			end_failed(transfer);
			return;
		}
		again = same_address_again(transfer);
		if (!drop_wrong_bytes(transfer, again, &err)) {
			end_io(transfer, &err);
			return;
		}
		if (!again && !next_address(transfer)) {
			end_failed(transfer);
			return;
		}
	} while (!try_start(transfer));
}

void transfer_begin(struct transfer *transfer)
{
	const struct request *request = transfer->request;
	struct error err = {0};

	transfer->easy = curl_easy_init();
	if (!transfer->easy) {
		error_set(&err, "out of memory");
		end_io(transfer, &err);
		return;
	}
	/* Without a digest nothing tells whether the beginning is of the same file. */
	if (!sink_open(&transfer->sink, transfer->fetch->arena, request->fd, request->max_bytes,
		       &err) ||
	    (!request->sha256 && !sink_empty(&transfer->sink, &err))) {
		end_io(transfer, &err);
		return;
	}
	if (transfer->sink.have_bytes && request->has_size &&
	    transfer->sink.have_bytes == request->size_bytes) {
		if (is_right(transfer, "-"))
			return;
		answer_note(&transfer->fetch->answers, request->id,
			    "the file was whole and has another SHA-256; fetching it anew");
		if (!sink_empty(&transfer->sink, &err)) {
			end_io(transfer, &err);
			return;
		}
	}
	if (is_late(transfer))
		end_failed(transfer);
	else if (!try_start(transfer))
		go_on(transfer);
}

void transfer_judge(struct transfer *transfer, CURLcode code)
{
	const char *validator = reply_validator(&transfer->reply);
	unsigned status = transfer->reply.status;
	bool right = code == CURLE_OK && !transfer->stopped;

	memcpy(transfer->validator, validator, strlen(validator) + 1);
	if (right && present(transfer)->scheme == ADDRESS_HTTPS && status != 200 && status != 206) {
		/* Neither an error nor a file: a redirect to nowhere, "not modified". */
		right = false;
		code = CURLE_HTTP_RETURNED_ERROR;
	}
	if (!right && !transfer->stopped)
		cause_of_curl(transfer, code);
	try_stop(transfer);
	if (!right || !is_right(transfer, present(transfer)->shown))
		go_on(transfer);
}

void transfer_close(struct transfer *transfer)
{
	if (!transfer->easy)
		return;
	try_stop(transfer);
	curl_easy_cleanup(transfer->easy);
	transfer->easy = NULL;
	sink_close(&transfer->sink);
}
