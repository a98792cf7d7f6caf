// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/request.h"

#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#include <curl/curl.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define INPUT_BYTES_MAX ((size_t)1 << 20)
#define REQUESTS_MAX 256
#define ADDRESSES_MAX 16
#define ID_BYTES_MAX 128
#define URL_BYTES_MAX 4096
#define FILE_BYTES_MAX ((uint64_t)1 << 40)

enum word {
	WORD_GET,
	WORD_ID,
	WORD_FD,
	WORD_SIZE,
	WORD_SHA256,
	WORD_MAX,
	WORD_URL,
	WORDS_MAX = 22
};

static bool is_visible(struct view text, size_t max)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.at[i] <= ' ' || text.at[i] > '~')
			return false;
	}
	return text.size > 0 && text.size <= max;
}

static char *url_part(struct arena *arena, CURLU *url, CURLUPart part, unsigned flags)
{
	char *text = NULL, *kept = NULL;

	if (curl_url_get(url, part, &text, flags) == CURLUE_OK && text)
		kept = arena_strdup(arena, text);
	curl_free(text);
	return kept;
}

static void read_address(struct arena *arena, CURLU *url, struct address *address)
{
	const char *scheme;

	if (curl_url_set(url, CURLUPART_URL, address->url, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
		return;
	address->shown = address->url;
	scheme = url_part(arena, url, CURLUPART_SCHEME, 0);
	if (scheme && strcasecmp(scheme, "https") == 0)
		address->scheme = ADDRESS_HTTPS;
	if (scheme && strcasecmp(scheme, "file") == 0) {
		address->scheme = ADDRESS_FILE;
		address->path = url_part(arena, url, CURLUPART_PATH, CURLU_URLDECODE);
	}
	address->secret = url_part(arena, url, CURLUPART_USER, 0) ||
			  url_part(arena, url, CURLUPART_PASSWORD, 0);
	if (!address->secret)
		return;
	curl_url_set(url, CURLUPART_USER, NULL, 0);
	curl_url_set(url, CURLUPART_PASSWORD, NULL, 0);
	curl_url_set(url, CURLUPART_OPTIONS, NULL, 0);
	address->shown = url_part(arena, url, CURLUPART_URL, 0);
	if (!address->shown)
		address->shown = "(hidden)";
}

static bool parse_address(struct arena *arena, struct view word, struct address *address,
			  struct error *err)
{
	CURLU *url;

	if (!is_visible(word, URL_BYTES_MAX))
		return error_exit(err, EXIT_USAGE,
				  "the URL is empty, too long, or not plain ASCII");
	*address = (struct address){.url = view_copy(arena, word), .shown = "(not a URL)"};
	url = curl_url();
	if (!url)
		return error_set(err, "out of memory");
	read_address(arena, url, address);
	curl_url_cleanup(url);
	return true;
}

/* A number or, where `unknown` is given, "-". */
static bool parse_number(struct view word, uint64_t max, bool *known, uint64_t *number,
			 struct error *err)
{
	uint64_t value = 0;
	bool has = !(known && view_is(word, "-"));

	if (has && (!view_u64(word, 10, &value) || value > max))
		return error_exit(err, EXIT_USAGE, "want a number up to %llu, not '%.*s'",
				  (unsigned long long)max, (int)word.size, word.at);
	if (known)
		*known = has;
	*number = value;
	return true;
}

static bool parse_words(struct arena *arena, const struct view *words, struct request *request,
			struct error *err)
{
	uint64_t fd = 0;

	if (!is_visible(words[WORD_ID], ID_BYTES_MAX))
		return error_exit(err, EXIT_USAGE, "want an ID of 1 to %d visible characters",
				  ID_BYTES_MAX);
	request->id = view_copy(arena, words[WORD_ID]);
	if (!parse_number(words[WORD_FD], INT_MAX, NULL, &fd, err) ||
	    !parse_number(words[WORD_SIZE], FILE_BYTES_MAX, &request->has_size,
			  &request->size_bytes, err) ||
	    !parse_number(words[WORD_MAX], FILE_BYTES_MAX, NULL, &request->max_bytes, err))
		return false;
	if (fd <= STDERR_FILENO)
		return error_exit(err, EXIT_USAGE, "descriptor %d is a standard one", (int)fd);
	request->fd = (int)fd;
	if (request->has_size && request->size_bytes > request->max_bytes)
		return error_exit(err, EXIT_USAGE, "the size is larger than the maximum");
	if (request->has_size)
		request->max_bytes = request->size_bytes;
	if (view_is(words[WORD_SHA256], "-"))
		return true;
	request->sha256 = view_copy(arena, words[WORD_SHA256]);
	if (words[WORD_SHA256].size != DIGEST_HEX_SIZE - 1 || !digest_is(request->sha256))
		return error_exit(err, EXIT_USAGE, "want a SHA-256 of 64 lower-case hex digits");
	return true;
}

static bool parse_line(struct arena *arena, struct view line, struct request *request,
		       struct error *err)
{
	struct view words[WORDS_MAX] = {{NULL, 0}}, rest = line;
	size_t count = 0;

	for (size_t i = 0; i < line.size; i++) {
		if ((line.at[i] < ' ' && line.at[i] != '\t') || line.at[i] == 0x7f)
			return error_exit(err, EXIT_USAGE, "has a control character");
	}
	while (count < WORDS_MAX && view_split(&rest, '\t', &words[count]))
		count++;
	if (count <= WORD_URL || rest.size || !view_is(words[WORD_GET], "get"))
		return error_exit(err, EXIT_USAGE,
				  "want: get ID FD SIZE|- SHA256|- MAX_BYTES URL... (%d at most), "
				  "separated by TAB",
				  ADDRESSES_MAX);
	if (!parse_words(arena, words, request, err))
		return false;
	request->address_count = count - WORD_URL;
	request->addresses = arena_array(arena, struct address, request->address_count);
	for (size_t i = 0; i < request->address_count; i++) {
		if (!parse_address(arena, words[WORD_URL + i], &request->addresses[i], err))
			return false;
	}
	return true;
}

static bool is_new(const struct requests *requests, const struct request *request,
		   struct error *err)
{
	for (size_t i = 0; i < requests->count; i++) {
		if (strcmp(requests->items[i].id, request->id) == 0)
			return error_exit(err, EXIT_USAGE, "the ID stands twice");
		if (requests->items[i].fd == request->fd)
			return error_exit(err, EXIT_USAGE, "descriptor %d stands twice",
					  request->fd);
	}
	return true;
}

bool requests_read(struct arena *arena, int fd, struct requests *requests, struct error *err)
{
	struct requests found = {.items = arena_array(arena, struct request, REQUESTS_MAX)};
	struct view rest, line;

	if (!file_read_fd(arena, fd, "standard input", INPUT_BYTES_MAX, &rest, err))
		return false;
	while (rest.size && view_split(&rest, '\n', &line)) {
		struct request request = {0};

		if (found.count == REQUESTS_MAX)
			return error_exit(err, EXIT_USAGE, "more than %d requests", REQUESTS_MAX);
		if (!parse_line(arena, line, &request, err) || !is_new(&found, &request, err))
			return error_context(err, "request %zu", found.count + 1);
		found.items[found.count++] = request;
	}
	if (!found.count)
		return error_exit(err, EXIT_USAGE, "no request on standard input");
	*requests = found;
	return true;
}
