// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/bmc.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "fetch/sandbox.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES_MAX 4096
#define WORDS_MAX 5
#define BODY_BYTES_MAX ((uint64_t)64 << 20)

/* Standard input, line by line: the next question comes when the last one is answered. */
struct input {
	char bytes[LINE_BYTES_MAX];
	size_t size;
};

static bool read_line(struct bmc *bmc, struct input *input, struct view *line)
{
	input->size = 0;
	while (input->size < sizeof(input->bytes)) {
		struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
		int64_t left_ms = bmc->fetch->deadline_ms - clock_ms();
		ssize_t got;

		if (left_ms <= 0 || poll(&wait, 1, (int)left_ms) == 0)
			return false;
		/* One byte at a time: what follows the line is not this question's. */
		got = read(STDIN_FILENO, input->bytes + input->size, 1);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return false;
		if (input->bytes[input->size] == '\n') {
			*line = (struct view){input->bytes, input->size};
			return true;
		}
		input->size++;
	}
	return false;
}

static size_t cut_words(struct view line, struct view words[WORDS_MAX])
{
	size_t count = 0;

	while (count < WORDS_MAX && view_split(&line, '\t', &words[count]))
		count++;
	return line.size ? WORDS_MAX + 1 : count;
}

static bool read_descriptor(struct view word, int *fd)
{
	uint64_t number;

	if (!view_u64(word, 10, &number) || number <= STDERR_FILENO || number > INT_MAX)
		return false;
	*fd = (int)number;
	return true;
}

static bool read_server(struct bmc *bmc, struct view line, struct error *err)
{
	struct view words[WORDS_MAX];

	if (cut_words(line, words) != 5 || !view_is(words[0], "bmc") ||
	    !view_starts(words[1], "https://") ||
	    !(view_is(words[2], "-") || read_descriptor(words[2], &bmc->credentials_fd)) ||
	    !read_descriptor(words[3], &bmc->body_fd) || !view_u64(words[4], 10, &bmc->max_bytes) ||
	    bmc->max_bytes > BODY_BYTES_MAX)
		return error_exit(err, EXIT_USAGE,
				  "want: bmc ORIGIN CREDENTIALS_FD|- BODY_FD MAX_BYTES");
	bmc->origin = view_copy(bmc->fetch->arena, words[1]);
	return true;
}

static void say_failed(struct bmc *bmc, const struct cause *cause)
{
	answer_broken(&bmc->fetch->answers, cause->failure, cause->text);
}

static void get(struct bmc *bmc, const char *path)
{
	struct bmc_exchange exchange = {
		.bmc = bmc, .method = "GET", .path = path, .basic = bmc->access == BMC_BASIC};

	if (bmc_exchange(&exchange))
		answer_reply(&bmc->fetch->answers, exchange.status, exchange.have_bytes);
	else
		say_failed(bmc, &exchange.cause);
}

static void login(struct bmc *bmc, const char *path)
{
	struct cause cause;

	if (bmc_login(bmc, path, &cause))
		answer_login(&bmc->fetch->answers,
			     bmc->access == BMC_SESSION ? "session" : "basic");
	else
		say_failed(bmc, &cause);
}

/* False: not a question. */
static bool answer_line(struct bmc *bmc, struct view line)
{
	struct view words[WORDS_MAX];
	const char *path;

	if (cut_words(line, words) != 2)
		return false;
	path = view_copy(bmc->fetch->arena, words[1]);
	if (!bmc_path_is_usable(path))
		return false;
	if (view_is(words[0], "get"))
		get(bmc, path);
	else if (view_is(words[0], "login"))
		login(bmc, path);
	else
		return false;
	return true;
}

static bool prepare(struct bmc *bmc, struct error *err)
{
	struct names readable = {0};
	struct error why = {0};

	bmc->easy = curl_easy_init();
	bmc->fetch->multi = curl_multi_init();
	if (!bmc->easy || !bmc->fetch->multi)
		return error_set(err, "curl does not start");
	sandbox_add_authorities(bmc->fetch->arena, &readable, bmc->fetch->limits.authorities);
	if (!sandbox_enter(&readable, bmc->max_bytes, &why))
		answer_note(&bmc->fetch->answers, "-", why.text);
	return true;
}

int bmc_run(struct fetch *fetch)
{
	struct bmc bmc = {.fetch = fetch, .credentials_fd = -1};
	struct input input;
	struct error err = {0};
	struct view line = {NULL, 0};
	bool ok;

	/* Whoever asked ends first, and the session is closed behind it. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	ok = read_line(&bmc, &input, &line) && read_server(&bmc, line, &err) && prepare(&bmc, &err);
	while (ok && !bmc.left && !fetch->answers.broken && read_line(&bmc, &input, &line))
		ok = answer_line(&bmc, line);
	bmc_logout(&bmc);
	explicit_bzero(bmc.secret, sizeof(bmc.secret));
	explicit_bzero(bmc.token, sizeof(bmc.token));
	curl_easy_cleanup(bmc.easy);
	curl_multi_cleanup(fetch->multi);
	if (ok)
		return EXIT_OK;
	fprintf(stderr, "ampere-crypto-fetch: %s\n",
		err.text[0] ? err.text : "want: get PATH or login PATH, one line each");
	return err.exit_code ? (int)err.exit_code : EXIT_USAGE;
}
