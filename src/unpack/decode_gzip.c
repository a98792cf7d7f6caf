// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/decode.h"

#include <zlib.h>

#define GZIP_ONLY (15 + 16) /* inflateInit2: any window, gzip header and trailer */

static bool refuse(int result, const z_stream *stream, bool is_first, struct error *err)
{
	if (result == Z_MEM_ERROR)
		return error_set(err, "out of memory");
	if (!is_first && stream->total_out == 0)
		return error_set(err, "bytes after the end of the gzip data");
	return error_set(err, "broken gzip data: %s",
			 stream->msg
				 ? stream->msg
				 : (result == Z_NEED_DICT ? "it needs a dictionary" : "unknown"));
}

/* The next piece; false at the end of the file and after an error. */
static bool feed(struct decode *decode, z_stream *stream, bool *failed, struct error *err)
{
	struct view piece;

	if (stream->avail_in)
		return true;
	*failed = !decode_read(decode, &piece, err);
	if (*failed || !piece.size)
		return false;
	stream->next_in = decode->input;
	stream->avail_in = (uInt)piece.size;
	return true;
}

/* One member: header, data, checksum, length. */
static bool inflate_member(struct decode *decode, z_stream *stream, bool is_first,
			   struct error *err)
{
	int result = Z_OK;
	bool failed;

	while (result != Z_STREAM_END) {
		size_t left;

		if (!feed(decode, stream, &failed, err))
			return !failed && error_set(err, "the gzip data is cut off");
		stream->next_out = decode_room(decode, &left);
		if (!stream->next_out)
			return true;
		stream->avail_out = (uInt)left;
		result = inflate(stream, Z_NO_FLUSH);
		if (!decode_put(decode, left - stream->avail_out, err))
			return false;
		if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
			return refuse(result, stream, is_first, err);
	}
	return true;
}

static bool wanted(struct decode *decode)
{
	size_t left;

	return decode_room(decode, &left);
}

bool decode_gzip(struct decode *decode, struct error *err)
{
	z_stream stream = {0};
	bool good = true, failed = false;

	if (inflateInit2(&stream, GZIP_ONLY) != Z_OK)
		return error_set(err, "out of memory");
	/* Several members are one file (RFC 1952, section 2.2). */
	for (bool is_first = true; good && wanted(decode); is_first = false) {
		if (!is_first && !feed(decode, &stream, &failed, err))
			break;
		inflateReset(&stream);
		good = inflate_member(decode, &stream, is_first, err);
	}
	inflateEnd(&stream);
	return good && !failed;
}
