// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/decode.h"

#include <lzma.h>

/* The next larger dictionary that can be written is 96 MiB; what a decoder needs beside the
 * dictionary is less than 2 MiB (lzma_raw_decoder_memusage). */
#define MEMORY_MAX_BYTES (UNPACK_DICTIONARY_MAX_BYTES + ((uint64_t)4 << 20))

static const struct {
	lzma_ret result;
	const char *text;
} faults[] = {
	{LZMA_MEM_ERROR, "out of memory"},
	{LZMA_MEMLIMIT_ERROR, "xz data with a dictionary of over 64 MiB"},
	{LZMA_FORMAT_ERROR, "broken xz data"},
	{LZMA_OPTIONS_ERROR, "xz data of an unsupported method"},
	{LZMA_UNSUPPORTED_CHECK, "xz data with an unsupported checksum"},
	{LZMA_DATA_ERROR, "broken xz data, or bytes after its end"},
	{LZMA_BUF_ERROR, "the xz data is cut off"},
};

static bool refuse(lzma_ret result, struct error *err)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (faults[i].result == result)
			return error_set(err, "%s", faults[i].text);
	return error_set(err, "broken xz data");
}

static bool run(struct decode *decode, lzma_stream *stream, struct error *err)
{
	lzma_ret result = LZMA_OK;
	struct view piece;

	while (result != LZMA_STREAM_END) {
		size_t left;

		if (!stream->avail_in) {
			if (!decode_read(decode, &piece, err))
				return false;
			stream->next_in = decode->input;
			stream->avail_in = piece.size;
		}
		stream->next_out = decode_room(decode, &left);
		if (!stream->next_out)
			return true;
		stream->avail_out = left;
		result = lzma_code(stream, stream->avail_in ? LZMA_RUN : LZMA_FINISH);
		if (!decode_put(decode, left - stream->avail_out, err))
			return false;
		if (result != LZMA_OK && result != LZMA_STREAM_END)
			return refuse(result, err);
	}
	return true;
}

bool decode_xz(struct decode *decode, struct error *err)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret result;
	bool good;

	result = lzma_stream_decoder(&stream, MEMORY_MAX_BYTES,
				     LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK);
	if (result != LZMA_OK)
		return refuse(result, err);
	good = run(decode, &stream, err);
	lzma_end(&stream);
	return good;
}
