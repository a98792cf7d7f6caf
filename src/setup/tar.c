// SPDX-License-Identifier: BSD-2-Clause
#include "setup/tar.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BLOCK_BYTES 512
/* 11 octal digits; nothing here comes near. */
#define FILE_BYTES_MAX (UINT64_C(1) << 33)

/* POSIX.1-2017, pax, "ustar Interchange Format". */
struct header {
	char name[100], mode[8], owner[8], group[8], size[12], modified[12], checksum[8], type;
	char link[100], magic[6], version[2], owner_name[32], group_name[32], device[16];
	char prefix[155], padding[12];
};
_Static_assert(sizeof(struct header) == BLOCK_BYTES, "a header is one block");

static const char zeros[2 * BLOCK_BYTES];

/* Digits before a NUL. */
static void octal(char *field, size_t size, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%0*" PRIo64, (int)size - 1, value);
	memcpy(field, text, size);
}

static bool write_header(struct tar_writer *tar, char type, const char *name, unsigned mode,
			 uint64_t size_bytes, int64_t modified_s, struct error *err)
{
	struct header header = {.type = type, .magic = "ustar", .version = {'0', '0'}};
	const unsigned char *bytes = (const unsigned char *)&header;
	unsigned sum = 0;

	memcpy(header.name, name, strnlen(name, sizeof(header.name)));
	octal(header.mode, sizeof(header.mode), mode);
	octal(header.owner, sizeof(header.owner), 0);
	octal(header.group, sizeof(header.group), 0);
	octal(header.size, sizeof(header.size), size_bytes);
	octal(header.modified, sizeof(header.modified), modified_s > 0 ? (uint64_t)modified_s : 0);
	memset(header.checksum, ' ', sizeof(header.checksum));
	for (size_t i = 0; i < sizeof(header); i++)
		sum += bytes[i];
	octal(header.checksum, sizeof(header.checksum) - 1, sum);
	return file_write_fd(tar->fd, tar->name,
			     (struct view){(const char *)&header, sizeof(header)}, err);
}

static bool pad(struct tar_writer *tar, uint64_t size_bytes, struct error *err)
{
	size_t over = size_bytes % BLOCK_BYTES;

	return !over ||
	       file_write_fd(tar->fd, tar->name, (struct view){zeros, BLOCK_BYTES - over}, err);
}

/* "LENGTH path=NAME\n", where LENGTH counts itself. */
static bool write_long_name(struct tar_writer *tar, const char *path, struct error *err)
{
	size_t rest = strlen(" path=\n") + strlen(path), size = rest + 1;
	const char *record = arena_printf(tar->arena, "%zu path=%s\n", size, path);

	while (strlen(record) != size) {
		size = strlen(record);
		record = arena_printf(tar->arena, "%zu path=%s\n", size, path);
	}
	return write_header(tar, 'x', "pax", 0644, size, 0, err) &&
	       file_write_fd(tar->fd, tar->name, view_of(record), err) && pad(tar, size, err);
}

bool tar_file(struct tar_writer *tar, const char *path, bool executable, uint64_t size_bytes,
	      int64_t modified_s, struct error *err)
{
	if (size_bytes >= FILE_BYTES_MAX)
		return error_set(err, "%s: too large for an archive", path);
	if (strlen(path) > sizeof(((struct header *)0)->name) && !write_long_name(tar, path, err))
		return false;
	tar->left_bytes = tar->size_bytes = size_bytes;
	return write_header(tar, '0', path, executable ? 0755 : 0644, size_bytes, modified_s, err);
}

bool tar_bytes(struct tar_writer *tar, struct view bytes, struct error *err)
{
	if (bytes.size > tar->left_bytes)
		return error_set(err, "%s: a file grew while it was packed", tar->name);
	tar->left_bytes -= bytes.size;
	return file_write_fd(tar->fd, tar->name, bytes, err);
}

bool tar_file_end(struct tar_writer *tar, struct error *err)
{
	if (tar->left_bytes)
		return error_set(err, "%s: a file became shorter while it was packed", tar->name);
	return pad(tar, tar->size_bytes, err);
}

bool tar_end(struct tar_writer *tar, struct error *err)
{
	return file_write_fd(tar->fd, tar->name, (struct view){zeros, sizeof(zeros)}, err);
}
