// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/reply.h"

#include <string.h>
#include <strings.h>

/* "bytes 100-199/200", the whole may be "*". */
static void read_range(struct reply *reply, struct view value)
{
	struct view first, last;
	uint64_t end;

	if (value.size < 6 || strncasecmp(value.at, "bytes ", 6) != 0)
		return;
	value = view_trim((struct view){value.at + 6, value.size - 6});
	if (!view_split(&value, '-', &first) || !view_split(&value, '/', &last))
		return;
	reply->has_range = view_u64(first, 10, &reply->first) && view_u64(last, 10, &end) &&
			   end >= reply->first;
	reply->has_total = view_u64(value, 10, &reply->total_bytes);
}

static void read_length(struct reply *reply, struct view value)
{
	reply->has_length = view_u64(value, 10, &reply->length_bytes);
}

static void read_encoding(struct reply *reply, struct view value)
{
	reply->chunked =
		value.size >= 7 && strncasecmp(value.at + value.size - 7, "chunked", 7) == 0;
}

static void keep(char text[REPLY_VALIDATOR_SIZE], struct view value)
{
	text[0] = '\0';
	if (value.size >= REPLY_VALIDATOR_SIZE)
		return;
	for (size_t i = 0; i < value.size; i++) {
		if (value.at[i] < ' ' || value.at[i] > '~')
			return;
	}
	memcpy(text, value.at, value.size);
	text[value.size] = '\0';
}

static void read_entity_tag(struct reply *reply, struct view value)
{
	/* A weak tag (W/"…") says nothing of bytes. */
	if (view_starts(value, "\"") && view_ends(value, "\""))
		keep(reply->entity_tag, value);
}

static void read_modified(struct reply *reply, struct view value)
{
	keep(reply->modified, value);
}

static const struct {
	const char *name;
	void (*read)(struct reply *reply, struct view value);
} fields[] = {
	{"content-length", read_length},
	{"content-range", read_range},
	{"etag", read_entity_tag},
	{"last-modified", read_modified},
	{"transfer-encoding", read_encoding},
};

static void read_status(struct reply *reply, struct view line)
{
	uint64_t header_bytes = reply->header_bytes, status = 0;
	struct view word;

	view_word(&line, &word);
	if (view_word(&line, &word) && (!view_u64(word, 10, &status) || status > 999))
		status = 0;
	*reply = (struct reply){.status = (unsigned)status, .header_bytes = header_bytes};
}

bool reply_add(struct reply *reply, struct view line)
{
	struct view name;

	if (reply->has_body)
		return false;
	reply->header_bytes += line.size;
	line = view_trim(line);
	if (!line.size)
		return true;
	if (view_starts(line, "HTTP/")) {
		read_status(reply, line);
		return false;
	}
	if (!memchr(line.at, ':', line.size) || !view_split(&line, ':', &name))
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (name.size == strlen(fields[i].name) &&
		    strncasecmp(name.at, fields[i].name, name.size) == 0)
			fields[i].read(reply, view_trim(line));
	}
	return false;
}

const char *reply_validator(const struct reply *reply)
{
	return reply->entity_tag[0] ? reply->entity_tag : reply->modified;
}
