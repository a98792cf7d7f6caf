// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES ((size_t)64 << 20)
#define PIECE_BYTES 65536

/* Where the kernel cannot copy between the two by itself; a short write ends with an error. */
static ssize_t copy_piece(int from, int to, size_t size)
{
	char piece[PIECE_BYTES];
	ssize_t got = read(from, piece, size < sizeof(piece) ? size : sizeof(piece));

	if (got > 0 && !file_write_fd(to, "", (struct view){piece, (size_t)got}, NULL))
		return -1;
	return got;
}

static ssize_t copy_some(int from, int to, size_t size)
{
	ssize_t got = copy_file_range(from, NULL, to, NULL, size, 0);

	if (got < 0 &&
	    (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS))
		got = copy_piece(from, to, size);
	return got;
}

bool file_copy_fd(int from, int to, const char *name, uint64_t max, uint64_t *size_bytes,
		  struct error *err)
{
	uint64_t copied = 0;

	for (;;) {
		/* One byte more than it may be shows that it is larger. */
		uint64_t left = max - copied;
		ssize_t got =
			copy_some(from, to, left < COPY_BYTES ? (size_t)left + 1 : COPY_BYTES);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, errno, "%s", name);
		if (got == 0)
			break;
		if ((uint64_t)got > left)
			return error_set(err, "%s: more than %" PRIu64 " bytes", name, max);
		copied += (uint64_t)got;
	}
	if (size_bytes)
		*size_bytes = copied;
	return true;
}

const char *file_identity(struct arena *arena, const struct stat *status)
{
	return arena_printf(arena, "%jx:%jx:%jx:%jx.%lx:%jx.%lx", (uintmax_t)status->st_dev,
			    (uintmax_t)status->st_ino, (uintmax_t)status->st_size,
			    (uintmax_t)status->st_mtim.tv_sec, status->st_mtim.tv_nsec,
			    (uintmax_t)status->st_ctim.tv_sec, status->st_ctim.tv_nsec);
}
