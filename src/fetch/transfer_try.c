// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/transfer.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "fetch/local.h"

#include <inttypes.h>

#define PROGRESS_MS 200
#define REDIRECTS_MAX 5L
#define RECEIVE_BYTES (128L << 10)
#define HEADER_BYTES_MAX (64 << 10)

/* Ends this try from inside a callback. */
#define STOP(transfer, ...)                                                                        \
	do {                                                                                       \
		(transfer)->stopped = true;                                                        \
		cause_set(&(transfer)->cause, __VA_ARGS__);                                        \
		return false;                                                                      \
	} while (0)

static bool is_https(const struct transfer *transfer)
{
	return transfer->request->addresses[transfer->address].scheme == ADDRESS_HTTPS;
}

/* The size of the whole as the server states it, 0 when it does not. */
static uint64_t stated_bytes(const struct transfer *transfer)
{
	const struct reply *reply = &transfer->reply;

	if (reply->has_total)
		return reply->total_bytes;
	return reply->has_length ? transfer->begin_bytes + reply->length_bytes : 0;
}

static bool accept_size(struct transfer *transfer)
{
	const struct request *request = transfer->request;
	const struct reply *reply = &transfer->reply;
	uint64_t stated = stated_bytes(transfer);

	/* Then the end of the connection is that of the body, which anybody on the way can bring
	 * about: curl does not insist on the end of TLS. */
	if (!reply->has_length && !reply->chunked && !request->has_size && !request->sha256)
		STOP(transfer, FAILURE_HTTP, AGAIN_ELSEWHERE,
		     "the server does not say where the file ends, and no size or digest is known");
	if (!reply->has_length && !reply->has_total)
		return true;
	if (request->has_size && stated != request->size_bytes)
		STOP(transfer, FAILURE_SIZE, AGAIN_ELSEWHERE,
		     "the server has %" PRIu64 " bytes, want %" PRIu64, stated,
		     request->size_bytes);
	if (stated > request->max_bytes)
		STOP(transfer, FAILURE_SIZE, AGAIN_ELSEWHERE,
		     "the server has %" PRIu64 " bytes, want %" PRIu64 " at most", stated,
		     request->max_bytes);
	return true;
}

static bool start_from_nothing(struct transfer *transfer)
{
	struct error err = {0};

	transfer->begin_bytes = 0;
	if (transfer->sink.have_bytes && !sink_empty(&transfer->sink, &err))
		STOP(transfer, FAILURE_IO, AGAIN_NEVER, "%s", err.text);
	return true;
}

/* Judges a reply when its header is whole, before its body. */
static bool accept_reply(struct transfer *transfer)
{
	const struct reply *reply = &transfer->reply;

	/* Redirects and errors are curl's. */
	if (reply->status < 200 || reply->status >= 300)
		return true;
	if (reply->status != 200 && reply->status != 206)
		STOP(transfer, FAILURE_HTTP, AGAIN_ELSEWHERE, "the server answered %u",
		     reply->status);
	if (reply->status == 206 && !transfer->begin_bytes)
		STOP(transfer, FAILURE_HTTP, AGAIN_ELSEWHERE,
		     "the server answered a part, the whole was asked for");
	if (reply->status == 206 && (!reply->has_range || reply->first != transfer->begin_bytes))
		STOP(transfer, FAILURE_HTTP, AGAIN_FRESH,
		     "the server answered another part than the one asked for");
	if (reply->status == 200 && !start_from_nothing(transfer))
		return false;
	return accept_size(transfer);
}

static bool take_header(struct transfer *transfer, struct view line)
{
	bool whole = reply_add(&transfer->reply, line);

	if (transfer->reply.header_bytes > HEADER_BYTES_MAX)
		STOP(transfer, FAILURE_HTTP, AGAIN_ELSEWHERE,
		     "the server's header is larger than %d bytes", HEADER_BYTES_MAX);
	return !whole || accept_reply(transfer);
}

static void say_progress(struct transfer *transfer)
{
	const struct request *request = transfer->request;
	int64_t now = clock_ms();

	if (now - transfer->progress_ms < PROGRESS_MS)
		return;
	transfer->progress_ms = now;
	answer_progress(&transfer->fetch->answers, request->id, transfer->sink.have_bytes,
			request->has_size ? request->size_bytes : stated_bytes(transfer));
}

static bool take_body(struct transfer *transfer, const char *bytes, size_t size)
{
	uint64_t room = transfer->request->max_bytes - transfer->sink.have_bytes;
	struct error err = {0};

	if (is_https(transfer) && transfer->reply.status != 200 && transfer->reply.status != 206)
		STOP(transfer, FAILURE_HTTP, AGAIN_ELSEWHERE, "the server answered %u",
		     transfer->reply.status);
	transfer->reply.has_body = true;
	if (size > room)
		STOP(transfer, FAILURE_SIZE, AGAIN_ELSEWHERE,
		     "the server sent more than %" PRIu64 " bytes", transfer->request->max_bytes);
	if (!sink_add(&transfer->sink, bytes, size, &err))
		STOP(transfer, FAILURE_IO, AGAIN_NEVER, "%s", err.text);
	say_progress(transfer);
	return !transfer->fetch->answers.broken;
}

/* curl's callbacks: another number than the given one ends the try (CURLOPT_WRITEFUNCTION(3)). */
static size_t on_header(char *bytes, size_t one, size_t size, void *transfer)
{
	(void)one;
	return take_header(transfer, (struct view){bytes, size}) ? size : size + 1;
}

static size_t on_body(char *bytes, size_t one, size_t size, void *transfer)
{
	(void)one;
	return take_body(transfer, bytes, size) ? size : size + 1;
}

static void set_protocols(CURL *easy, bool https)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, https ? "https" : "file");
	curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "https");
#else
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS, https ? CURLPROTO_HTTPS : CURLPROTO_FILE);
	curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, CURLPROTO_HTTPS);
#endif
}

/* Cookies, .netrc, HSTS and Alt-Svc files stay off, as they are by default; HTTPS_PROXY, ALL_PROXY
 * and NO_PROXY of the environment are honoured, as they are by default: without them nothing is
 * reached from many data centres, and TLS goes through the proxy unread. */
static void set_https(struct transfer *transfer)
{
	CURL *easy = transfer->easy;

	curl_easy_setopt(easy, CURLOPT_USERAGENT, "ampere-crypto/" AMPERE_CRYPTO_VERSION);
	/* One connection per file: no window of HTTP/2 that is shared with a stalled one. */
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
	curl_easy_setopt(easy, CURLOPT_MAXREDIRS, REDIRECTS_MAX);
	curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
	/* The digest is of the bytes as they are kept: nothing is asked for or undone. */
	curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
	curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	if (transfer->fetch->limits.authorities) {
		curl_easy_setopt(easy, CURLOPT_CAINFO, transfer->fetch->limits.authorities);
		curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
	}
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
}

static void set_range(struct transfer *transfer)
{
	char range[32];

	if (!transfer->begin_bytes)
		return;
	snprintf(range, sizeof(range), "%" PRIu64 "-", transfer->begin_bytes);
	curl_easy_setopt(transfer->easy, CURLOPT_RANGE, range);
	if (!transfer->validator[0])
		return;
	transfer->headers = curl_slist_append(
		NULL, arena_printf(transfer->fetch->arena, "If-Range: %s", transfer->validator));
	curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->headers);
}

static void set_limits(struct transfer *transfer)
{
	const struct limits *limits = &transfer->fetch->limits;
	int64_t left_ms = transfer->fetch->deadline_ms - clock_ms();

	curl_easy_setopt(transfer->easy, CURLOPT_LOW_SPEED_LIMIT, (long)limits->low_speed_bytes);
	curl_easy_setopt(transfer->easy, CURLOPT_LOW_SPEED_TIME, (long)limits->low_speed_seconds);
	curl_easy_setopt(transfer->easy, CURLOPT_CONNECTTIMEOUT, (long)limits->connect_timeout_s);
	/* 0 would be no limit. */
	curl_easy_setopt(transfer->easy, CURLOPT_TIMEOUT_MS, (long)(left_ms > 0 ? left_ms : 1));
}

static bool refuse_address(struct transfer *transfer, const struct address *address)
{
	struct error err = {0};

	if (address->scheme == ADDRESS_REFUSED)
		STOP(transfer, FAILURE_REFUSED, AGAIN_ELSEWHERE,
		     "only https: and file: addresses are fetched");
	if (address->scheme == ADDRESS_FILE && !address->path)
		STOP(transfer, FAILURE_REFUSED, AGAIN_ELSEWHERE, "no path in this address");
	if (address->scheme == ADDRESS_FILE && !local_is_regular(address->path, &err))
		STOP(transfer, FAILURE_IO, AGAIN_ELSEWHERE, "%s", err.text);
	return true;
}

bool try_start(struct transfer *transfer)
{
	const struct address *address = &transfer->request->addresses[transfer->address];
	CURL *easy = transfer->easy;

	transfer->stopped = false;
	transfer->message[0] = '\0';
	transfer->reply = (struct reply){0};
	transfer->begin_bytes = transfer->sink.have_bytes;
	if (!refuse_address(transfer, address))
		return false;
	curl_easy_reset(easy);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, RECEIVE_BYTES);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->message);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
	set_protocols(easy, address->scheme == ADDRESS_HTTPS);
	set_limits(transfer);
	if (address->scheme == ADDRESS_HTTPS)
		set_https(transfer);
	set_range(transfer);
	if (curl_easy_setopt(easy, CURLOPT_URL, address->url) != CURLE_OK ||
	    curl_multi_add_handle(transfer->fetch->multi, easy) != CURLM_OK)
		STOP(transfer, FAILURE_IO, AGAIN_NEVER, "out of memory");
	return true;
}

void try_stop(struct transfer *transfer)
{
	curl_multi_remove_handle(transfer->fetch->multi, transfer->easy);
	curl_slist_free_all(transfer->headers);
	transfer->headers = NULL;
}
