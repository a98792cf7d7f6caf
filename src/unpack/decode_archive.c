// SPDX-License-Identifier: BSD-2-Clause
/* zstd and bzip2, through libarchive's filters over its "raw" format. */
#include "unpack/decode.h"

#include <archive.h>
#include <errno.h>

#define FILTERS 2 /* the decoder, and the reading of the file */

struct source {
	struct decode *decode;
	struct error *err;
	bool failed;
};

static la_ssize_t next_block(struct archive *archive, void *argument, const void **block)
{
	struct source *source = argument;
	struct view piece;

	if (!decode_read(source->decode, &piece, source->err)) {
		source->failed = true;
		archive_set_error(archive, EIO, "reading");
		return -1;
	}
	*block = piece.at;
	return (la_ssize_t)piece.size;
}

static bool refuse(struct archive *archive, const struct source *source, const char *name)
{
	const char *text = archive_error_string(archive);

	/* What reading the file had to say is said already. */
	return !source->failed &&
	       error_set(source->err, "broken %s data: %s", name, text ? text : "unknown");
}

static bool copy_all(struct archive *archive, struct source *source, const char *name)
{
	struct decode *decode = source->decode;

	for (;;) {
		size_t left;
		unsigned char *room = decode_room(decode, &left);
		la_ssize_t size;

		if (!room)
			return true;
		size = archive_read_data(archive, room, left);
		if (size < 0)
			return refuse(archive, source, name);
		if (size == 0)
			break;
		if (!decode_put(decode, (size_t)size, source->err))
			return false;
	}
	if ((uint64_t)archive_filter_bytes(archive, -1) != decode->size_bytes)
		return error_set(source->err, "bytes after the end of the %s data", name);
	return true;
}

static bool run(struct archive *archive, struct source *source, const char *name)
{
	struct archive_entry *entry;
	int result;

	archive_read_support_format_raw(archive);
	archive_read_support_format_empty(archive);
	if (archive_read_open(archive, source, NULL, next_block, NULL) != ARCHIVE_OK)
		return refuse(archive, source, name);
	result = archive_read_next_header(archive, &entry);
	if (result != ARCHIVE_OK && result != ARCHIVE_EOF)
		return refuse(archive, source, name);
	if (archive_filter_count(archive) < FILTERS)
		return error_set(source->err, "broken %s data", name);
	if (archive_filter_count(archive) > FILTERS)
		return error_set(source->err, "%s data compressed twice", name);
	return result == ARCHIVE_EOF || copy_all(archive, source, name);
}

static bool decode_filtered(struct decode *decode, int (*support)(struct archive *),
			    const char *name, struct error *err)
{
	struct source source = {.decode = decode, .err = err};
	struct archive *archive = archive_read_new();
	bool good;

	if (!archive)
		return error_set(err, "out of memory");
	/* A libarchive without the decoder would start a program in its place. */
	good = support(archive) == ARCHIVE_OK ||
	       error_set(err, "this libarchive cannot decode %s", name);
	good = good && run(archive, &source, name);
	archive_read_free(archive);
	return good;
}

/* The window of the first frame (RFC 8878, section 3.1.1.1); libzstd holds the others to 128 MiB
 * and the limit of this program's memory to less. */
static uint64_t window_bytes(struct view start)
{
	const unsigned char *at = (const unsigned char *)start.at;
	static const size_t id_bytes[] = {0, 1, 2, 4}, size_bytes[] = {1, 2, 4, 8};
	uint64_t size = 0;
	size_t id;

	if (start.size < 6)
		return 0;
	if (!(at[4] & 0x20)) {
		size = (uint64_t)1 << (10 + (at[5] >> 3));
		return size + size / 8 * (at[5] & 7);
	}
	id = 5 + id_bytes[at[4] & 3];
	for (size_t i = size_bytes[at[4] >> 6]; i-- > 0;)
		if (id + i < start.size)
			size = size << 8 | at[id + i];
	return size;
}

bool decode_zstd(struct decode *decode, struct error *err)
{
	struct view start;

	if (!decode_read(decode, &start, err))
		return false;
	if (window_bytes(start) > UNPACK_DICTIONARY_MAX_BYTES)
		return error_set(err, "zstd data with a window of over 64 MiB");
	decode->read_bytes = 0;
	return decode_filtered(decode, archive_read_support_filter_zstd, "zstd", err);
}

bool decode_bzip2(struct decode *decode, struct error *err)
{
	return decode_filtered(decode, archive_read_support_filter_bzip2, "bzip2", err);
}
