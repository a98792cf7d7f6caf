// SPDX-License-Identifier: BSD-2-Clause
#include "host/bmc.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "host/bmc_private.h"
#include "host/redfish.h"
#include "host/root.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define SERVICE_ROOT "/redfish/v1/"
#define SESSIONS "/redfish/v1/SessionService/Sessions"
/* A machine of two sockets with 32 DIMMs and a long inventory has about 150. */
#define DOCUMENTS_MAX 512

struct bmc {
	struct arena *arena;
	struct bmc_helper helper;
	const char *origin;
	int root_number; /* of the service root */
	struct view root_bytes;
	const char *access;
	struct names failures;
	bool slashes; /* its own links end with one, others are redirected there */
	bool may_read;
	int given_up; /* 0, or why nothing more is asked: the rest would fare no better */
	unsigned documents;
};

/* What the helper's words mean as an answer of the root. */
static const struct {
	const char *kind;
	int number;
} failures[] = {
	{"network", ENOTCONN}, {"tls", EKEYREJECTED}, {"slow", ETIMEDOUT}, {"size", EFBIG},
	{"refused", EXDEV},    {"http", EACCES},      {"io", EIO},         {"credentials", ENOKEY},
};

static int number_of_kind(struct view kind)
{
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		if (view_is(kind, failures[i].kind))
			return failures[i].number;
	}
	return EIO;
}

static int number_of_status(uint64_t status)
{
	if (status >= 200 && status < 300)
		return 0;
	if (status == 401 || status == 403)
		return EACCES;
	return status == 404 || status == 410 ? ENOENT : EREMOTEIO;
}

static bool is_apostrophe(struct view text, size_t at)
{
	return at > 0 && isalnum((unsigned char)text.at[at - 1]);
}

/* Names between quotes are those of machines and files. */
static const char *without_names(struct arena *arena, struct view text)
{
	struct buffer out = buffer_new(arena, 1024);
	bool quoted = false;

	for (size_t i = 0; i < text.size; i++) {
		if (text.at[i] == '\'' && (quoted || !is_apostrophe(text, i))) {
			if (!quoted)
				buffer_text(&out, "'...'");
			quoted = !quoted;
		} else if (!quoted) {
			buffer_char(&out, text.at[i]);
		}
	}
	return text_printable(arena, buffer_view(&out));
}

static void add_failure(struct bmc *bmc, const char *text)
{
	if (bmc->failures.count < 8 && !names_has(&bmc->failures, text))
		names_add(bmc->arena, &bmc->failures, text);
}

/* Each document that does not come takes a minute, and those of a broken connection do not come. */
static int fail(struct bmc *bmc, int number)
{
	if (number == ETIMEDOUT || number == ENOTCONN || number == EKEYREJECTED)
		bmc->given_up = number;
	return number;
}

/* 0 with the bytes, or why not. */
static int ask(struct bmc *bmc, const char *path, struct view *out)
{
	struct bmc_helper *helper = &bmc->helper;
	uint64_t status, size;

	if (bmc->given_up)
		return bmc->given_up;
	if (!bmc_helper_ask(helper, "get", path)) {
		add_failure(bmc, "the program that asks the BMC ended");
		return bmc->given_up = EIO;
	}
	if (view_is(helper->words[0], "failed")) {
		add_failure(bmc, without_names(bmc->arena, helper->words[2]));
		return fail(bmc, number_of_kind(helper->words[1]));
	}
	if (!view_is(helper->words[0], "reply") || !view_u64(helper->words[1], 10, &status) ||
	    !view_u64(helper->words[2], 10, &size))
		return EIO;
	if (status >= 300 || status < 200) {
		if (status != 404)
			add_failure(bmc, arena_printf(bmc->arena, "the BMC answered %u",
						      (unsigned)status));
		return number_of_status(status);
	}
	return bmc_helper_body(helper, size, out) ? 0 : EIO;
}

static const char *link_of(const cJSON *object, const char *first, const char *second)
{
	const cJSON *at = cJSON_GetObjectItemCaseSensitive(object, first);

	if (second)
		at = cJSON_GetObjectItemCaseSensitive(at, second);
	at = cJSON_GetObjectItemCaseSensitive(at, "@odata.id");
	return cJSON_IsString(at) ? at->valuestring : NULL;
}

/* Where sessions are made: the service root says it to anyone (DSP0266, "Sessions"). */
static const char *read_service_root(struct bmc *bmc)
{
	const char *sessions, *systems;
	struct json json;

	bmc->root_number = ask(bmc, SERVICE_ROOT, &bmc->root_bytes);
	if (bmc->root_number || !json_parse(bmc->arena, SERVICE_ROOT, bmc->root_bytes, &json, NULL))
		return SESSIONS;
	systems = link_of(json.top, "Systems", NULL);
	bmc->slashes = systems && view_ends(view_of(systems), "/");
	sessions = link_of(json.top, "Links", "Sessions");
	if (!sessions || !redfish_question(bmc->arena, sessions))
		return bmc->slashes ? SESSIONS "/" : SESSIONS;
	return sessions;
}

static bool can_go_on(const struct bmc *bmc)
{
	return bmc->root_number == 0 || bmc->root_number == EACCES;
}

/* False: the credentials are none, which is the caller's mistake and not the BMC's. */
static bool login(struct bmc *bmc, const char *sessions, struct error *err)
{
	struct bmc_helper *helper = &bmc->helper;

	if (!bmc_helper_ask(helper, "login", sessions)) {
		add_failure(bmc, "the program that asks the BMC ended");
		return true;
	}
	if (view_is(helper->words[0], "login")) {
		bmc->access = view_copy(bmc->arena, helper->words[1]);
		bmc->may_read = true;
		return true;
	}
	if (view_is(helper->words[1], "credentials"))
		return error_exit(err, EXIT_USAGE, "the credentials for the BMC: %.*s",
				  (int)helper->words[2].size, helper->words[2].at);
	add_failure(bmc, without_names(bmc->arena, helper->words[2]));
	return true;
}

static bool begin(struct bmc *bmc, bool has_credentials, struct error *err)
{
	const char *sessions = read_service_root(bmc);

	bmc->access = "none";
	if (!can_go_on(bmc))
		return true;
	if (!has_credentials) {
		add_failure(bmc, "no credentials were given: --credentials, or "
				 "AMPERE_CRYPTO_REDFISH_CREDENTIALS");
		return true;
	}
	if (!login(bmc, sessions, err))
		return false;
	/* Some show not even the root to strangers. */
	if (bmc->may_read && bmc->root_number == EACCES) {
		bmc->failures.count = 0;
		bmc->root_number = ask(bmc, SERVICE_ROOT, &bmc->root_bytes);
	}
	return true;
}

/* What the arena keeps of it, so that the session is closed however the command ends. */
struct kept {
	struct bmc *bmc;
};

static void end(void *kept)
{
	bmc_close(((struct kept *)kept)->bmc);
}

struct bmc *bmc_open(struct arena *arena, const struct bmc_options *options, struct error *err)
{
	struct bmc *bmc = arena_new(arena, struct bmc);
	struct kept *kept = arena_keep(arena, sizeof(*kept), end);
	int fd = -1;
	bool ok;

	if (!bmc_options_check(options, err) ||
	    !file_open_secret(options->credentials, "AMPERE_CRYPTO_REDFISH_CREDENTIALS", &fd, err))
		return NULL;
	scoped_fd int credentials = fd;
	bmc->arena = arena;
	bmc->origin = redfish_origin(arena, options->url);
	bmc->helper.arena = arena;
	kept->bmc = bmc;
	ok = bmc_helper_start(&bmc->helper, bmc->origin, options->authorities, credentials, err) &&
	     begin(bmc, credentials >= 0, err);
	if (ok)
		return bmc;
	bmc_close(bmc);
	return NULL;
}

void bmc_close(struct bmc *bmc)
{
	if (bmc)
		bmc_helper_end(&bmc->helper);
}

static int access_text(struct bmc *bmc, struct view *out)
{
	struct buffer text = buffer_new(bmc->arena, 16384);

	buffer_printf(&text, "access %s\n", bmc->access);
	for (size_t i = 0; i < bmc->failures.count; i++)
		buffer_printf(&text, "failed %s\n", bmc->failures.items[i]);
	*out = buffer_view(&text);
	return 0;
}

static int get(void *context, const char *path, struct view *out)
{
	struct bmc *bmc = context;
	const char *link;

	if (strcmp(path, BMC_ACCESS_PATH) == 0)
		return access_text(bmc, out);
	if (strcmp(path, BMC_ROOT_PATH) == 0) {
		if (bmc->root_number == 0)
			*out = bmc->root_bytes;
		/* That it is not there would be as if nobody had asked. */
		return bmc->root_number == ENOENT ? EREMOTEIO : bmc->root_number;
	}
	if (!can_go_on(bmc))
		return bmc->root_number;
	if (!bmc->may_read)
		return bmc->failures.count ? EACCES : ENOKEY;
	if (bmc->documents++ >= DOCUMENTS_MAX)
		return EDQUOT;
	link = redfish_address(bmc->arena, path, bmc->slashes);
	return link ? ask(bmc, link, out) : EINVAL;
}

void bmc_attach(struct bmc *bmc, struct root *root)
{
	root_attach(root, (struct root_source){.get = get, .context = bmc});
}
