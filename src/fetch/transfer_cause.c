// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/transfer.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* libcurl-errors(3); what is not here is a failure of the network. %s of a text is what curl says
 * of this one. */
static const struct {
	CURLcode code;
	enum failure failure;
	enum again again;
	const char *text; /* NULL: as curl says it */
} rows[] = {
	/* The address itself was judged before: this is one that a reply redirects to. */
	{CURLE_UNSUPPORTED_PROTOCOL, FAILURE_REFUSED, AGAIN_ELSEWHERE,
	 "redirected to an address that is not https"},
	{CURLE_TOO_MANY_REDIRECTS, FAILURE_REFUSED, AGAIN_ELSEWHERE, "more than 5 redirects"},
	{CURLE_URL_MALFORMAT, FAILURE_REFUSED, AGAIN_ELSEWHERE, NULL},
	{CURLE_FILE_COULDNT_READ_FILE, FAILURE_IO, AGAIN_ELSEWHERE, "the file cannot be read"},
	{CURLE_READ_ERROR, FAILURE_IO, AGAIN_ELSEWHERE, "the file cannot be read"},
	{CURLE_RANGE_ERROR, FAILURE_HTTP, AGAIN_FRESH, NULL},
	{CURLE_BAD_DOWNLOAD_RESUME, FAILURE_SIZE, AGAIN_FRESH, "is shorter than what is there"},
	{CURLE_WEIRD_SERVER_REPLY, FAILURE_HTTP, AGAIN_ELSEWHERE, NULL},
	{CURLE_BAD_CONTENT_ENCODING, FAILURE_HTTP, AGAIN_ELSEWHERE, NULL},
	{CURLE_PARTIAL_FILE, FAILURE_NETWORK, AGAIN_RESUME, "the connection ended early"},
	{CURLE_RECV_ERROR, FAILURE_NETWORK, AGAIN_RESUME, NULL},
	{CURLE_SEND_ERROR, FAILURE_NETWORK, AGAIN_RESUME, NULL},
	{CURLE_GOT_NOTHING, FAILURE_NETWORK, AGAIN_RESUME, NULL},
	{CURLE_PEER_FAILED_VERIFICATION, FAILURE_TLS, AGAIN_ELSEWHERE, NULL},
	{CURLE_SSL_CONNECT_ERROR, FAILURE_TLS, AGAIN_ELSEWHERE, NULL},
	{CURLE_SSL_CACERT_BADFILE, FAILURE_TLS, AGAIN_ELSEWHERE, NULL},
	{CURLE_SSL_CERTPROBLEM, FAILURE_TLS, AGAIN_ELSEWHERE, NULL},
	{CURLE_SSL_CIPHER, FAILURE_TLS, AGAIN_ELSEWHERE, NULL},
	{CURLE_SSL_ISSUER_ERROR, FAILURE_TLS, AGAIN_ELSEWHERE, NULL},
	{CURLE_SSL_ENGINE_INITFAILED, FAILURE_TLS, AGAIN_ELSEWHERE, NULL},
	{CURLE_OUT_OF_MEMORY, FAILURE_IO, AGAIN_NEVER, "out of memory"},
};

void cause_set(struct cause *cause, enum failure failure, enum again again, const char *format, ...)
{
	va_list args;

	cause->failure = failure;
	cause->again = again;
	va_start(args, format);
	vsnprintf(cause->text, sizeof(cause->text), format, args);
	va_end(args);
}

void cause_of_code(struct cause *cause, CURLcode code, const char *said)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].code != code)
			continue;
		cause_set(cause, rows[i].failure, rows[i].again, "%s",
			  rows[i].text ? rows[i].text : said);
		return;
	}
	cause_set(cause, FAILURE_NETWORK, AGAIN_ELSEWHERE, "%s", said);
}

static void cause_of_status(struct transfer *transfer)
{
	unsigned status = transfer->reply.status;

	/* 416: the file is not longer than what is there, so it is another one. */
	cause_set(&transfer->cause, FAILURE_HTTP,
		  status == 416 && transfer->begin_bytes ? AGAIN_FRESH : AGAIN_ELSEWHERE,
		  "the server answered %u", status);
}

static void cause_of_time(struct transfer *transfer)
{
	const struct limits *limits = &transfer->fetch->limits;
	double connected_s = 0;

	if (clock_ms() >= transfer->fetch->deadline_ms)
		cause_set(&transfer->cause, FAILURE_SLOW, AGAIN_NEVER,
			  "not done within the time limit of %" PRIu64 " s", limits->time_limit_s);
	else if (curl_easy_getinfo(transfer->easy, CURLINFO_PRETRANSFER_TIME, &connected_s) ==
			 CURLE_OK &&
		 connected_s <= 0)
		cause_set(&transfer->cause, FAILURE_NETWORK, AGAIN_ELSEWHERE,
			  "no connection within %" PRIu64 " s", limits->connect_timeout_s);
	else
		cause_set(&transfer->cause, FAILURE_SLOW, AGAIN_ELSEWHERE,
			  "slower than %" PRIu64 " bytes/s for %" PRIu64 " s",
			  limits->low_speed_bytes, limits->low_speed_seconds);
}

void cause_of_curl(struct transfer *transfer, CURLcode code)
{
	const char *said = transfer->message;

	if (code == CURLE_HTTP_RETURNED_ERROR) {
		cause_of_status(transfer);
		return;
	}
	if (code == CURLE_OPERATION_TIMEDOUT) {
		cause_of_time(transfer);
		return;
	}
	if (code == CURLE_UNSUPPORTED_PROTOCOL && transfer->reply.status < 300) {
		cause_set(&transfer->cause, FAILURE_HTTP, AGAIN_ELSEWHERE,
			  "what the server speaks is not HTTP");
		return;
	}
	/* curl may name the address, and that of a redirect or proxy, with its password. */
	if (!said[0] || strchr(said, '@') || transfer->request->addresses[transfer->address].secret)
		said = curl_easy_strerror(code);
	cause_of_code(&transfer->cause, code, said);
}
