// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/bmc.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"

#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define WAIT_MS 500
#define REDIRECTS_MAX 5
#define HEADER_BYTES_MAX (64 << 10)
#define DROPPED_BYTES_MAX (64 << 10)
#define REQUEST_MS 60000
#define LOGOUT_MS 10000

/* Ends the exchange from inside a callback. */
static bool stop(struct bmc_exchange *exchange, enum failure failure, const char *text)
{
	exchange->stopped = true;
	cause_set(&exchange->cause, failure, AGAIN_NEVER, "%s", text);
	return false;
}

bool bmc_path_is_usable(const char *path)
{
	size_t size = strlen(path);

	if (path[0] != '/' || size >= BMC_PATH_MAX)
		return false;
	for (size_t i = 0; i < size; i++) {
		if (path[i] <= ' ' || path[i] > '~' || path[i] == '#' || path[i] == '\\')
			return false;
	}
	return true;
}

/* One part of an address, "" when it has none. */
static void part_of(CURLU *url, CURLUPart what, char *out, size_t room)
{
	char *text = NULL;

	out[0] = '\0';
	if (curl_url_get(url, what, &text, CURLU_DEFAULT_PORT) == CURLUE_OK && strlen(text) < room)
		memcpy(out, text, strlen(text) + 1);
	curl_free(text);
}

static bool is_same_part(CURLU *left, CURLU *right, CURLUPart what)
{
	char a[512], b[512];

	part_of(left, what, a, sizeof(a));
	part_of(right, what, b, sizeof(b));
	return a[0] && strcasecmp(a, b) == 0;
}

static bool split_local(CURLU *origin, CURLU *url, char path[BMC_PATH_MAX])
{
	char user[8], query[BMC_PATH_MAX];
	size_t size;

	part_of(url, CURLUPART_USER, user, sizeof(user));
	if (user[0] || !is_same_part(origin, url, CURLUPART_SCHEME) ||
	    !is_same_part(origin, url, CURLUPART_HOST) ||
	    !is_same_part(origin, url, CURLUPART_PORT))
		return false;
	part_of(url, CURLUPART_PATH, path, BMC_PATH_MAX);
	part_of(url, CURLUPART_QUERY, query, sizeof(query));
	size = strlen(path);
	if (query[0] && size + strlen(query) + 1 >= BMC_PATH_MAX)
		return false;
	if (query[0])
		snprintf(path + size, BMC_PATH_MAX - size, "?%s", query);
	return bmc_path_is_usable(path);
}

bool bmc_local_path(const struct bmc *bmc, const char *address, char path[BMC_PATH_MAX])
{
	CURLU *origin = curl_url(), *url = curl_url();
	/* A relative address is one of the origin: curl resolves it against that. */
	bool ok = origin && url &&
		  curl_url_set(origin, CURLUPART_URL, bmc->origin, 0) == CURLUE_OK &&
		  curl_url_set(url, CURLUPART_URL, bmc->origin, 0) == CURLUE_OK &&
		  curl_url_set(url, CURLUPART_URL, address, 0) == CURLUE_OK &&
		  split_local(origin, url, path);

	curl_url_cleanup(origin);
	curl_url_cleanup(url);
	return ok;
}

/* The value of a header that is this one and fits, without blanks around it. */
static void keep_header(struct view line, const char *name, char *out, size_t room)
{
	size_t size = strlen(name);
	struct view value;

	if (line.size <= size || strncasecmp(line.at, name, size) != 0 || line.at[size] != ':')
		return;
	value = view_trim((struct view){line.at + size + 1, line.size - size - 1});
	if (value.size >= room)
		return;
	for (size_t i = 0; i < value.size; i++) {
		if (value.at[i] < ' ' || value.at[i] > '~')
			return;
	}
	memcpy(out, value.at, value.size);
	out[value.size] = '\0';
}

static bool take_header(struct bmc_exchange *exchange, struct view line)
{
	exchange->header_bytes += line.size;
	if (exchange->header_bytes > HEADER_BYTES_MAX)
		return stop(exchange, FAILURE_SIZE, "the BMC's header is longer than 64 KB");
	keep_header(line, "Location", exchange->location, sizeof(exchange->location));
	keep_header(line, "X-Auth-Token", exchange->token, sizeof(exchange->token));
	return true;
}

/* Of replies other than success the status says enough. */
static bool take_body(struct bmc_exchange *exchange, const char *bytes, size_t size)
{
	struct bmc *bmc = exchange->bmc;
	long status = 0;

	curl_easy_getinfo(bmc->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status < 200 || status >= 300) {
		exchange->dropped_bytes += size;
		return exchange->dropped_bytes <= DROPPED_BYTES_MAX ||
		       stop(exchange, FAILURE_SIZE, "the BMC's error is longer than 64 KB");
	}
	if (size > bmc->max_bytes - exchange->have_bytes)
		return stop(exchange, FAILURE_SIZE, "the BMC's answer is longer than is read");
	if (pwrite(bmc->body_fd, bytes, size, (off_t)exchange->have_bytes) != (ssize_t)size)
		return stop(exchange, FAILURE_IO, "the answer cannot be kept");
	exchange->have_bytes += size;
	return true;
}

static size_t on_header(char *bytes, size_t one, size_t size, void *exchange)
{
	(void)one;
	return take_header(exchange, (struct view){bytes, size}) ? size : size + 1;
}

static size_t on_body(char *bytes, size_t one, size_t size, void *exchange)
{
	(void)one;
	return take_body(exchange, bytes, size) ? size : size + 1;
}

/* Never through a proxy, and nothing but https. */
static void set_connection(struct bmc_exchange *exchange, CURL *easy)
{
	const struct limits *limits = &exchange->bmc->fetch->limits;
	int64_t left_ms = exchange->bmc->fetch->deadline_ms - clock_ms();

	if (exchange->alone)
		left_ms = LOGOUT_MS;
	if (left_ms > REQUEST_MS)
		left_ms = REQUEST_MS;
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https");
#else
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTPS);
#endif
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	if (limits->authorities) {
		curl_easy_setopt(easy, CURLOPT_CAINFO, limits->authorities);
		curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
	}
	curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, (long)limits->low_speed_bytes);
	curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, (long)limits->low_speed_seconds);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)limits->connect_timeout_s);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(left_ms > 0 ? left_ms : 1));
}

static struct curl_slist *set_request(struct bmc_exchange *exchange, CURL *easy)
{
	struct bmc *bmc = exchange->bmc;
	struct curl_slist *headers = curl_slist_append(NULL, "Accept: application/json");
	char token[BMC_SECRET_MAX + 32];

	headers = curl_slist_append(headers, "OData-Version: 4.0");
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "ampere-crypto/" AMPERE_CRYPTO_VERSION);
	/* Some BMCs keep registries compressed and send them so whatever is accepted. */
	curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
	if (exchange->content) {
		headers = curl_slist_append(headers, "Content-Type: application/json");
		curl_easy_setopt(easy, CURLOPT_POST, 1L);
		/* Not copied by curl: the caller wipes it. */
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, exchange->content);
	} else if (strcmp(exchange->method, "GET") != 0) {
		curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, exchange->method);
	}
	if (bmc->access == BMC_SESSION) {
		snprintf(token, sizeof(token), "X-Auth-Token: %s", bmc->token);
		headers = curl_slist_append(headers, token);
		explicit_bzero(token, sizeof(token));
	}
	if (exchange->basic) {
		curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		curl_easy_setopt(easy, CURLOPT_USERNAME, bmc->secret);
		curl_easy_setopt(easy, CURLOPT_PASSWORD, bmc->password);
	}
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
	return headers;
}

/* While an answer is awaited nothing is asked: whatever happens on standard input, the caller does
 * not wait any more. */
static bool caller_left(struct bmc_exchange *exchange)
{
	struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};

	if (exchange->alone || poll(&wait, 1, 0) == 0)
		return false;
	exchange->bmc->left = true;
	return true;
}

static bool drive(struct bmc_exchange *exchange, CURLcode *code)
{
	CURLM *multi = exchange->bmc->fetch->multi;
	struct curl_waitfd input = {.fd = STDIN_FILENO, .events = CURL_WAIT_POLLIN};
	int running = 1, left;

	while (running) {
		CURLMsg *message;

		if (curl_multi_perform(multi, &running) != CURLM_OK)
			return stop(exchange, FAILURE_IO, "curl does not work");
		message = curl_multi_info_read(multi, &left);
		if (message && message->msg == CURLMSG_DONE) {
			*code = message->data.result;
			return true;
		}
		curl_multi_poll(multi, &input, exchange->alone ? 0 : 1, WAIT_MS, NULL);
		if (caller_left(exchange))
			return stop(exchange, FAILURE_IO, "nobody waits for the answer");
	}
	return stop(exchange, FAILURE_IO, "curl does not work");
}

static bool judge(struct bmc_exchange *exchange, CURLcode code)
{
	double connected_s = 0;
	long status = 0;

	if (exchange->stopped)
		return false;
	if (code == CURLE_OPERATION_TIMEDOUT) {
		curl_easy_getinfo(exchange->bmc->easy, CURLINFO_PRETRANSFER_TIME, &connected_s);
		return stop(exchange, connected_s > 0 ? FAILURE_SLOW : FAILURE_NETWORK,
			    connected_s > 0 ? "the BMC is too slow" : "no connection in time");
	}
	if (code != CURLE_OK) {
		cause_of_code(&exchange->cause, code,
			      exchange->message[0] ? exchange->message : curl_easy_strerror(code));
		return false;
	}
	curl_easy_getinfo(exchange->bmc->easy, CURLINFO_RESPONSE_CODE, &status);
	exchange->status = (unsigned)status;
	return true;
}

static bool send_once(struct bmc_exchange *exchange, const char *path)
{
	struct bmc *bmc = exchange->bmc;
	char url[BMC_PATH_MAX + 512];
	struct curl_slist *headers;
	CURLcode code = CURLE_OK;
	bool driven;

	exchange->message[0] = '\0';
	exchange->header_bytes = exchange->have_bytes = exchange->dropped_bytes = 0;
	exchange->location[0] = exchange->token[0] = '\0';
	snprintf(url, sizeof(url), "%s%s", bmc->origin, path);
	/* The connection stays with the multi handle. */
	curl_easy_reset(bmc->easy);
	set_connection(exchange, bmc->easy);
	headers = set_request(exchange, bmc->easy);
	curl_easy_setopt(bmc->easy, CURLOPT_ERRORBUFFER, exchange->message);
	curl_easy_setopt(bmc->easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(bmc->easy, CURLOPT_HEADERDATA, exchange);
	curl_easy_setopt(bmc->easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(bmc->easy, CURLOPT_WRITEDATA, exchange);
	curl_easy_setopt(bmc->easy, CURLOPT_URL, url);
	curl_multi_add_handle(bmc->fetch->multi, bmc->easy);
	driven = drive(exchange, &code);
	driven = driven && judge(exchange, code);
	curl_multi_remove_handle(bmc->fetch->multi, bmc->easy);
	curl_easy_setopt(bmc->easy, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(headers);
	return driven;
}

/* A POST is sent again only where the reply says that it is to be (RFC 9110 section 15.4). */
static bool is_redirect(const struct bmc_exchange *exchange)
{
	unsigned status = exchange->status;

	if (!exchange->location[0])
		return false;
	if (exchange->content)
		return status == 307 || status == 308;
	return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool bmc_exchange(struct bmc_exchange *exchange)
{
	char path[BMC_PATH_MAX];
	unsigned redirects = 0;

	snprintf(path, sizeof(path), "%s", exchange->path);
	for (;;) {
		if (!send_once(exchange, path))
			return false;
		if (!is_redirect(exchange))
			return true;
		if (++redirects > REDIRECTS_MAX)
			return stop(exchange, FAILURE_REFUSED, "more than 5 redirects");
		if (!bmc_local_path(exchange->bmc, exchange->location, path))
			return stop(exchange, FAILURE_REFUSED, "redirected to another place");
	}
}
