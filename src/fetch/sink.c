// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/sink.h"

#include "base/digest.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES (64 << 10)

void sink_close(struct sink *sink)
{
	char unused[DIGEST_HEX_SIZE];

	if (sink->digest)
		digest_end(sink->digest, unused);
	sink->digest = NULL;
}

bool sink_empty(struct sink *sink, struct error *err)
{
	sink_close(sink);
	sink->have_bytes = 0;
	while (ftruncate(sink->fd, 0) < 0) {
		if (errno != EINTR)
			return error_errno(err, errno, "cannot empty the file");
	}
	sink->digest = digest_start(sink->arena, err);
	return sink->digest != NULL;
}

static bool hash_present(struct sink *sink, struct error *err)
{
	char piece[PIECE_BYTES];

	for (;;) {
		ssize_t got = pread(sink->fd, piece, sizeof(piece), (off_t)sink->have_bytes);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, errno, "cannot read the file");
		if (got == 0)
			return true;
		digest_add(sink->digest, piece, (size_t)got);
		sink->have_bytes += (uint64_t)got;
	}
}

bool sink_open(struct sink *sink, struct arena *arena, int fd, uint64_t keep_max_bytes,
	       struct error *err)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat status;

	*sink = (struct sink){.arena = arena, .fd = fd};
	if (flags < 0 || fstat(fd, &status) < 0)
		return error_errno(err, errno, "descriptor %d", fd);
	if (!S_ISREG(status.st_mode))
		return error_set(err, "descriptor %d is not a regular file", fd);
	if ((flags & O_ACCMODE) != O_RDWR || (flags & (O_APPEND | O_PATH)))
		return error_set(err, "descriptor %d is not open for reading and writing anywhere",
				 fd);
	if ((uint64_t)status.st_size > keep_max_bytes)
		return sink_empty(sink, err);
	sink->digest = digest_start(arena, err);
	return sink->digest && hash_present(sink, err);
}

bool sink_add(struct sink *sink, const void *bytes, size_t size, struct error *err)
{
	const char *at = bytes;

	while (size) {
		ssize_t put = pwrite(sink->fd, at, size, (off_t)sink->have_bytes);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return error_errno(err, put < 0 ? errno : EIO, "cannot write the file");
		digest_add(sink->digest, at, (size_t)put);
		sink->have_bytes += (uint64_t)put;
		at += put;
		size -= (size_t)put;
	}
	return true;
}

void sink_digest(struct sink *sink, char *hex)
{
	digest_end(sink->digest, hex);
	sink->digest = NULL;
}
