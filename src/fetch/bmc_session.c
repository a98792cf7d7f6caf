// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/bmc.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/json.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define CREDENTIALS_MS 30000
#define BODY_BYTES_MAX 65536

static bool refuse(struct cause *cause, enum failure failure, const char *text)
{
	cause_set(cause, failure, AGAIN_NEVER, "%s", text);
	return false;
}

/* All that the descriptor gives, to its end or to the end of the line. */
static bool read_secret(struct bmc *bmc, size_t *size, struct cause *cause)
{
	int64_t deadline_ms = clock_ms() + CREDENTIALS_MS;

	*size = 0;
	while (*size < sizeof(bmc->secret)) {
		struct pollfd wait = {.fd = bmc->credentials_fd, .events = POLLIN};
		int64_t left_ms = deadline_ms - clock_ms();
		ssize_t got;

		if (left_ms <= 0 || poll(&wait, 1, (int)left_ms) == 0)
			return refuse(cause, FAILURE_CREDENTIALS, "nothing comes from them");
		got = read(bmc->credentials_fd, bmc->secret + *size, 1);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return refuse(cause, FAILURE_CREDENTIALS, "they cannot be read");
		if (got == 0 || bmc->secret[*size] == '\n')
			return true;
		++*size;
	}
	return refuse(cause, FAILURE_CREDENTIALS, "they are longer than 1023 bytes");
}

/* Two strings in one buffer; the first colon ends the user, who has none. */
static bool split_secret(struct bmc *bmc, size_t size, struct cause *cause)
{
	char *colon;

	if (size && bmc->secret[size - 1] == '\r')
		size--;
	for (size_t i = 0; i < size; i++) {
		if ((unsigned char)bmc->secret[i] < ' ' || bmc->secret[i] == 0x7f)
			return refuse(cause, FAILURE_CREDENTIALS, "they have a control character");
	}
	bmc->secret[size] = '\0';
	colon = strchr(bmc->secret, ':');
	if (!colon || colon == bmc->secret)
		return refuse(cause, FAILURE_CREDENTIALS, "they are no line USER:PASSWORD");
	*colon = '\0';
	bmc->password = colon + 1;
	return true;
}

static bool take_credentials(struct bmc *bmc, struct cause *cause)
{
	size_t size;
	bool ok;

	if (bmc->credentials_fd < 0)
		return refuse(cause, FAILURE_CREDENTIALS, "there are none");
	ok = read_secret(bmc, &size, cause) && split_secret(bmc, size, cause);
	close(bmc->credentials_fd);
	bmc->credentials_fd = -1;
	return ok;
}

static size_t quote(char *out, size_t at, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			out[at++] = '\\';
		out[at++] = *text;
	}
	return at;
}

static size_t copy(char *out, size_t at, const char *text)
{
	memcpy(out + at, text, strlen(text));
	return at + strlen(text);
}

/* Not through a buffer of the arena, which nobody wipes. */
static void write_login(const struct bmc *bmc, char out[4 * BMC_SECRET_MAX])
{
	size_t at = copy(out, 0, "{\"UserName\":\"");

	at = quote(out, at, bmc->secret);
	at = copy(out, at, "\",\"Password\":\"");
	at = quote(out, at, bmc->password);
	at = copy(out, at, "\"}");
	out[at] = '\0';
}

/* Where the reply has no Location, the session says its own address. */
static void find_session(struct bmc *bmc, const struct bmc_exchange *reply)
{
	struct arena *arena = bmc->fetch->arena;
	const cJSON *address;
	struct json json;
	char *bytes;
	ssize_t size;

	if (reply->location[0] && bmc_local_path(bmc, reply->location, bmc->session))
		return;
	bmc->session[0] = '\0';
	if (!reply->have_bytes || reply->have_bytes > BODY_BYTES_MAX)
		return;
	bytes = arena_alloc(arena, (size_t)reply->have_bytes);
	size = pread(bmc->body_fd, bytes, (size_t)reply->have_bytes, 0);
	if (size <= 0 ||
	    !json_parse(arena, "session", (struct view){bytes, (size_t)size}, &json, NULL))
		return;
	address = cJSON_GetObjectItemCaseSensitive(json.top, "@odata.id");
	if (!cJSON_IsString(address) || !bmc_local_path(bmc, address->valuestring, bmc->session))
		bmc->session[0] = '\0';
}

static bool begin_session(struct bmc *bmc, const struct bmc_exchange *reply, struct cause *cause)
{
	find_session(bmc, reply);
	if (!reply->token[0]) {
		/* It may be there all the same, and is closed with what there is. */
		bmc->access = BMC_BASIC;
		bmc_logout(bmc);
		return refuse(cause, FAILURE_HTTP, "the BMC made a session without a token");
	}
	memcpy(bmc->token, reply->token, sizeof(bmc->token));
	bmc->access = BMC_SESSION;
	explicit_bzero(bmc->secret, sizeof(bmc->secret));
	if (!bmc->session[0])
		answer_note(&bmc->fetch->answers, "-",
			    "the BMC does not say where its session is: it ends by itself");
	return true;
}

static bool judge_login(struct bmc *bmc, const struct bmc_exchange *reply, struct cause *cause)
{
	switch (reply->status) {
	case 200:
	case 201:
	case 202:
	case 204:
		return begin_session(bmc, reply, cause);
	case 404:
	case 405:
	case 501:
		bmc->access = BMC_BASIC;
		return true;
	case 400:
	case 401:
	case 403:
		cause_set(cause, FAILURE_HTTP, AGAIN_NEVER,
			  "the BMC refuses these credentials (it answered %u)", reply->status);
		return false;
	default:
		cause_set(cause, FAILURE_HTTP, AGAIN_NEVER, "the BMC answered %u to the login%s",
			  reply->status,
			  reply->status == 503 ? ", perhaps all sessions are taken" : "");
		return false;
	}
}

bool bmc_login(struct bmc *bmc, const char *path, struct cause *cause)
{
	char content[4 * BMC_SECRET_MAX];
	struct bmc_exchange exchange = {
		.bmc = bmc, .method = "POST", .path = path, .content = content};
	bool ok;

	if (!take_credentials(bmc, cause))
		return false;
	write_login(bmc, content);
	ok = bmc_exchange(&exchange);
	explicit_bzero(content, sizeof(content));
	if (!ok) {
		*cause = exchange.cause;
		return false;
	}
	ok = judge_login(bmc, &exchange, cause);
	explicit_bzero(exchange.token, sizeof(exchange.token));
	return ok;
}

void bmc_logout(struct bmc *bmc)
{
	struct bmc_exchange exchange = {.bmc = bmc,
					.method = "DELETE",
					.path = bmc->session,
					.alone = true,
					.basic = bmc->access == BMC_BASIC};

	if (bmc->session[0])
		bmc_exchange(&exchange);
	bmc->session[0] = '\0';
	bmc->access = BMC_NO_ACCESS;
}
