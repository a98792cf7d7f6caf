// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "fetch/bmc.h"
#include "fetch/sandbox.h"
#include "fetch/transfer.h"

#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Fetches files for setup: the network, TLS and the parsing of what servers say are here and not in
 * the program that runs as root and writes the prefix. It opens no file for writing: descriptors
 * come from the caller (fetch/request.h), answers go to standard output (fetch/answer.h).
 * Exit status: 0 all done, 2 something failed, 4 a digest was wrong, 64 wrong usage.
 */

#define WAIT_MS 1000
#define MEMORY_BYTES_MAX ((size_t)16 << 20)
/* The longest file may be short, and standard output may be a file too. */
#define FILE_LIMIT_LEAST_BYTES ((uint64_t)1 << 20)

static const struct limits defaults = {
	.low_speed_bytes = 1000,
	.low_speed_seconds = 30,
	.time_limit_s = 3600,
	.connect_timeout_s = 30,
	.parallel = 8,
};

enum option_name {
	OPTION_CA = 1,
	OPTION_CONNECT,
	OPTION_LOW_SPEED,
	OPTION_PARALLEL,
	OPTION_REDFISH,
	OPTION_TIME
};

static const struct option option_rows[] = {
	{"ca", required_argument, NULL, OPTION_CA},
	{"connect-timeout", required_argument, NULL, OPTION_CONNECT},
	{"low-speed", required_argument, NULL, OPTION_LOW_SPEED},
	{"parallel", required_argument, NULL, OPTION_PARALLEL},
	{"redfish", no_argument, NULL, OPTION_REDFISH},
	{"time-limit", required_argument, NULL, OPTION_TIME},
	{NULL, 0, NULL, 0},
};

static bool parse_number(const char *option, struct view text, uint64_t max, uint64_t *number,
			 struct error *err)
{
	uint64_t value;

	if (!view_u64(text, 10, &value) || value < 1 || value > max)
		return error_exit(err, EXIT_USAGE, "--%s: want a number from 1 to %llu", option,
				  (unsigned long long)max);
	*number = value;
	return true;
}

static bool parse_option(int option, const char *text, struct limits *limits, struct error *err)
{
	struct view rest = view_of(text), bytes = {NULL, 0};

	switch (option) {
	case OPTION_CA:
		limits->authorities = text;
		return true;
	case OPTION_CONNECT:
		return parse_number("connect-timeout", rest, 3600, &limits->connect_timeout_s, err);
	case OPTION_LOW_SPEED:
		view_split(&rest, ':', &bytes);
		return parse_number("low-speed", bytes, 1 << 30, &limits->low_speed_bytes, err) &&
		       parse_number("low-speed", rest, 3600, &limits->low_speed_seconds, err);
	case OPTION_PARALLEL:
		return parse_number("parallel", rest, 64, &limits->parallel, err);
	case OPTION_REDFISH:
		limits->redfish = true;
		return true;
	case OPTION_TIME:
		return parse_number("time-limit", rest, 7 * 86400, &limits->time_limit_s, err);
	default:
		return error_exit(
			err, EXIT_USAGE,
			"want: [--ca FILE] [--connect-timeout SECONDS] "
			"[--low-speed BYTES_PER_S:SECONDS] [--parallel N] "
			"[--redfish] [--time-limit SECONDS], and requests on standard input");
	}
}

static bool parse_options(int argc, char **argv, struct limits *limits, struct error *err)
{
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", option_rows, NULL)) != -1) {
		if (!parse_option(option, optarg, limits, err))
			return false;
	}
	return optind == argc || parse_option('?', NULL, limits, err);
}

/* All files that may be opened from now on, and how long the longest becomes. */
static void enter_sandbox(struct fetch *fetch, const struct requests *requests)
{
	struct names readable = {0};
	uint64_t max_bytes = FILE_LIMIT_LEAST_BYTES;
	struct error err = {0};

	sandbox_add_authorities(fetch->arena, &readable, fetch->limits.authorities);
	for (size_t i = 0; i < requests->count; i++) {
		const struct request *request = &requests->items[i];

		max_bytes = request->max_bytes > max_bytes ? request->max_bytes : max_bytes;
		for (size_t k = 0; k < request->address_count; k++) {
			if (request->addresses[k].path)
				names_add(fetch->arena, &readable, request->addresses[k].path);
		}
	}
	if (!sandbox_enter(&readable, max_bytes, &err))
		answer_note(&fetch->answers, "-", err.text);
}

/* One round of curl; false when nobody reads the answers any more. */
static bool step(struct fetch *fetch, size_t *active)
{
	struct transfer *transfer;
	CURLMsg *message;
	int running, left;

	if (curl_multi_perform(fetch->multi, &running) != CURLM_OK)
		return false;
	while ((message = curl_multi_info_read(fetch->multi, &left))) {
		CURLcode code = message->data.result;

		if (message->msg != CURLMSG_DONE ||
		    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer) !=
			    CURLE_OK)
			continue;
		transfer_judge(transfer, code);
		if (transfer->ended) {
			transfer_close(transfer);
			(*active)--;
		}
	}
	return !fetch->answers.broken;
}

static void start_queued(struct fetch *fetch, const struct requests *requests,
			 struct transfer *transfers, size_t *next, size_t *active)
{
	while (*next < requests->count && *active < fetch->limits.parallel) {
		struct transfer *transfer = &transfers[*next];

		transfer->fetch = fetch;
		transfer->request = &requests->items[(*next)++];
		transfer_begin(transfer);
		if (transfer->ended)
			transfer_close(transfer);
		else
			(*active)++;
	}
}

static int run(struct fetch *fetch, const struct requests *requests)
{
	struct transfer *transfers = arena_array(fetch->arena, struct transfer, requests->count);
	size_t next = 0, active = 0;
	int exit_code = EXIT_OK;
	bool heard = true;

	do {
		start_queued(fetch, requests, transfers, &next, &active);
		heard = step(fetch, &active);
		if (heard && active)
			curl_multi_poll(fetch->multi, NULL, 0, WAIT_MS, NULL);
	} while (heard && (active || next < requests->count));
	for (size_t i = 0; i < requests->count; i++) {
		transfer_close(&transfers[i]);
		if (transfers[i].failed && exit_code != EXIT_VERIFY)
			exit_code = transfers[i].digest_wrong ? EXIT_VERIFY : EXIT_TROUBLE;
	}
	return heard || exit_code ? exit_code : EXIT_TROUBLE;
}

static void memory_exhausted(void)
{
	static const char line[] = "ampere-crypto-fetch: out of memory\n";

	/* Nothing can be done when standard error is gone as well. */
	if (write(STDERR_FILENO, line, sizeof(line) - 1) < 0)
		_exit(EXIT_TROUBLE);
	_exit(EXIT_TROUBLE);
}

static int complain(struct arena *arena, const struct error *err)
{
	fprintf(stderr, "ampere-crypto-fetch: %s\n", text_printable(arena, view_of(err->text)));
	return (int)err->exit_code;
}

/* libcrypto and curl are loaded and configured before the sandbox closes. */
static int prepare_and_run(struct fetch *fetch)
{
	struct requests requests;
	char hex[DIGEST_HEX_SIZE];
	struct error err = {0};
	int exit_code;

	if (!requests_read(fetch->arena, STDIN_FILENO, &requests, &err) ||
	    !digest_view(fetch->arena, VIEW(""), hex, &err))
		return complain(fetch->arena, &err);
	fetch->multi = curl_multi_init();
	if (!fetch->multi) {
		error_set(&err, "curl does not start");
		return complain(fetch->arena, &err);
	}
	enter_sandbox(fetch, &requests);
	exit_code = run(fetch, &requests);
	curl_multi_cleanup(fetch->multi);
	return exit_code;
}

int main(int argc, char **argv)
{
	struct arena arena;
	struct fetch fetch = {.arena = &arena, .limits = defaults};
	struct error err = {0};
	int exit_code;

	/* curl would write the keys of connections there, before the sandbox. */
	unsetenv("SSLKEYLOGFILE");
	/* Failed writes are answered, they do not kill: TLS writes to sockets by itself. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (!file_keep_standard())
		return EXIT_TROUBLE;
	arena_init(&arena, MEMORY_BYTES_MAX);
	arena.exhausted = memory_exhausted;
	fetch.answers = (struct answers){.arena = &arena, .to = stdout};
	if (!parse_options(argc, argv, &fetch.limits, &err)) {
		exit_code = complain(&arena, &err);
	} else if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		error_set(&err, "curl does not start");
		exit_code = complain(&arena, &err);
	} else {
		fetch.deadline_ms = clock_ms() + (int64_t)fetch.limits.time_limit_s * 1000;
		exit_code = fetch.limits.redfish ? bmc_run(&fetch) : prepare_and_run(&fetch);
		curl_global_cleanup();
	}
	arena_release(&arena);
	return exit_code;
}
