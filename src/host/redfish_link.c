// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "host/bmc.h"
#include "host/redfish.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define ADDRESS_MAX 512
#define INDEX "/index.json"
#define URL_MAX 300

static bool is_plain(const char *text)
{
	for (; *text; text++) {
		if (*text <= ' ' || *text > '~' || strchr("\"'<>\\^`{|}#", *text))
			return false;
	}
	return true;
}

/* No empty part, no dots alone: what the root opens is what the BMC was asked. */
static bool has_good_parts(struct view path)
{
	struct view part;

	path.at++;
	path.size--;
	while (view_split(&path, '/', &part)) {
		if (!part.size || view_is(part, ".") || view_is(part, ".."))
			return false;
	}
	return true;
}

const char *redfish_question(struct arena *arena, const char *address)
{
	struct view rest = view_of(address), whole = {NULL, 0}, path = {NULL, 0}, query;
	char *copy;

	/* A fragment names a part of a document. */
	view_split(&rest, '#', &whole);
	copy = view_copy(arena, whole);
	if (strlen(copy) > ADDRESS_MAX || strncmp(copy, "/redfish/", 9) != 0 || !is_plain(copy))
		return NULL;
	rest = view_of(copy);
	view_split(&rest, '?', &path);
	query = rest;
	while (path.size > 1 && path.at[path.size - 1] == '/')
		path.size--;
	if (!has_good_parts(path) || (query.size && memchr(query.at, '/', query.size)))
		return NULL;
	return arena_printf(arena, "%.*s" INDEX "%s%.*s", (int)path.size, path.at,
			    query.size ? "?" : "", (int)query.size, query.size ? query.at : "");
}

const char *redfish_address(struct arena *arena, const char *question, bool slash)
{
	const char *index = strstr(question, INDEX);
	const char *after = index ? index + strlen(INDEX) : NULL;

	if (!index || (*after && *after != '?'))
		return NULL;
	return arena_printf(arena, "%.*s%s%s", (int)(index - question), question,
			    slash && !*after ? "/" : "", after);
}

const char *redfish_last(struct arena *arena, const char *address)
{
	struct view rest = view_of(address);
	size_t at;

	while (rest.size > 1 && rest.at[rest.size - 1] == '/')
		rest.size--;
	for (at = rest.size; at > 0 && rest.at[at - 1] != '/'; at--)
		;
	return text_printable(arena, (struct view){rest.at + at, rest.size - at});
}

/* Everything behind the host and port, "" or a path. */
static const char *after_authority(const char *url)
{
	return url + strlen("https://") + strcspn(url + strlen("https://"), "/?#");
}

const char *redfish_origin(struct arena *arena, const char *url)
{
	return arena_copy(arena, url, (size_t)(after_authority(url) - url));
}

static bool is_authority(const char *text, const char *end)
{
	if (text == end)
		return false;
	for (; text < end; text++) {
		if (!isalnum((unsigned char)*text) && !strchr("-._:[]%", *text))
			return false;
	}
	return true;
}

bool bmc_options_check(const struct bmc_options *options, struct error *err)
{
	static const char *const paths[] = {"",          "/",           "/redfish",
					    "/redfish/", "/redfish/v1", "/redfish/v1/"};
	const char *url = options->url, *path;

	if (strchr(url, '@'))
		return error_exit(err, EXIT_USAGE,
				  "--redfish: user and password in an address are seen by everyone "
				  "on this machine; use --credentials");
	if (strncasecmp(url, "http://", 7) == 0)
		return error_exit(err, EXIT_USAGE,
				  "--redfish: http:// sends passwords in the clear; use https://");
	if (strncmp(url, "https://", 8) != 0 || strlen(url) > URL_MAX || !is_plain(url) ||
	    !is_authority(url + 8, after_authority(url)))
		return error_exit(err, EXIT_USAGE,
				  "--redfish: want https://HOST[:PORT], the address of the BMC");
	path = after_authority(url);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (strcmp(path, paths[i]) == 0)
			return true;
	}
	return error_exit(err, EXIT_USAGE,
			  "--redfish: want https://HOST[:PORT] alone; Redfish says itself where "
			  "things are");
}
