// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/unpack.h"

#include "base/clock.h"
#include "unpack/decode.h"
#include "unpack/entry.h"
#include "unpack/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#define END_BYTES 1024 /* two records of zeros end an archive: POSIX.1-2017, pax, ustar format */
#define PROGRESS_MS 200
#define SHOWN_BYTES "200"

struct run {
	struct entries entries;
	struct ring ring;
	struct decode decode;
	int64_t shown_ms; /* when progress was told last */
};

static void show_progress(struct run *run)
{
	int64_t now = clock_ms();

	if (!run->entries.request->progress || now - run->shown_ms < PROGRESS_MS)
		return;
	run->shown_ms = now;
	run->entries.request->progress(decode_progress(&run->decode));
}

static la_ssize_t next_block(struct archive *archive, void *argument, const void **block)
{
	struct run *run = argument;
	struct view view;

	show_progress(run);
	if (ring_take(&run->ring, &view)) {
		*block = view.at;
		return (la_ssize_t)view.size;
	}
	decode_finish(&run->decode);
	if (!run->decode.failed)
		return 0;
	archive_set_error(archive, EIO, "%s", run->decode.error.text);
	return -1;
}

/* What the decoder found wrong is the cause of what libarchive says then. */
static bool refuse_archive(struct run *run, int result, struct error *err)
{
	const char *text = archive_error_string(run->entries.archive);

	if (!run->decode.running && run->decode.failed)
		return error_exit(err, run->decode.error.exit_code, "%s", run->decode.error.text);
	if (result < ARCHIVE_WARN && !run->entries.headers && !archive_format(run->entries.archive))
		return error_set(err, "not a tar archive, plain or in gzip, xz, zstd or bzip2");
	return error_set(err, "%s", text ? text : "damaged archive");
}

static bool name_entry(struct run *run, struct archive_entry *entry, struct error *err)
{
	const char *name = entry ? archive_entry_pathname(entry) : NULL;

	if (name && name[0])
		return error_context(err, "%." SHOWN_BYTES "s", name);
	return error_context(err, "entry %llu", (unsigned long long)run->entries.headers + 1);
}

/* After the last entry: the end mark is whole, only zeros follow, and the decoder is content. */
static bool check_end(struct run *run, struct error *err)
{
	struct archive *archive = run->entries.archive;
	uint64_t end = (uint64_t)archive_filter_bytes(archive, 0);
	uint64_t mark = end - (uint64_t)archive_read_header_position(archive);
	struct view rest;

	while (ring_take(&run->ring, &rest))
		show_progress(run);
	decode_finish(&run->decode);
	if (run->decode.failed)
		return refuse_archive(run, ARCHIVE_FATAL, err);
	if (!run->decode.out_bytes || !run->entries.headers)
		return error_set(err, "an empty archive");
	if (mark < END_BYTES)
		return error_set(err, "the archive ends without its end mark, it is cut off");
	if (run->decode.end_bytes > end)
		return error_set(err, "bytes after the end of the archive");
	if (!run->entries.result.entries)
		return error_set(err, "the archive holds nothing but its top directory");
	return true;
}

static bool read_entries(struct run *run, struct error *err)
{
	struct archive *archive = run->entries.archive;

	for (;;) {
		struct archive_entry *entry = NULL;
		int result = archive_read_next_header(archive, &entry);

		if (result == ARCHIVE_EOF)
			return check_end(run, err) || error_context(err, "archive");
		if (result < ARCHIVE_OK) {
			refuse_archive(run, result, err);
			return name_entry(run, entry, err);
		}
		if (!entry_make(&run->entries, entry, err)) {
			/* A broken checksum says more than contents that end too early. */
			if (!run->decode.running && run->decode.failed)
				refuse_archive(run, ARCHIVE_FATAL, err);
			return name_entry(run, entry, err);
		}
	}
}

static bool open_archive(struct run *run, struct error *err)
{
	struct archive *archive = archive_read_new();

	run->entries.archive = archive;
	if (!archive)
		return error_set(err, "out of memory");
	archive_read_support_format_tar(archive);
	/* Nothing is decided by what is before the first entry. */
	if (archive_read_open(archive, run, NULL, next_block, NULL) != ARCHIVE_OK) {
		refuse_archive(run, ARCHIVE_FATAL, err);
		return error_context(err, "archive");
	}
	return true;
}

static bool start(struct run *run, const struct unpack_request *request, struct error *err)
{
	struct entries *entries = &run->entries;
	struct stat status;
	uint64_t seed;

	entries->request = request;
	entries->now = time(NULL);
	writer_init(&entries->writer, request->destination);
	if (fstat(request->archive, &status) < 0)
		return error_errno(err, errno, "the archive");
	if (!S_ISREG(status.st_mode))
		return error_set(err, "the archive is no regular file");
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		return error_errno(err, errno, "random numbers");
	if (!tree_init(&entries->tree, seed) || !ring_init(&run->ring))
		return error_set(err, "out of memory");
	if (!decode_start(&run->decode, request->archive, (uint64_t)status.st_size,
			  request->limits.ratio, &run->ring, err))
		return false;
	entries->max_bytes = request->limits.bytes < run->decode.max_out_bytes
				     ? request->limits.bytes
				     : run->decode.max_out_bytes;
	return true;
}

static void finish(struct run *run)
{
	if (run->decode.running)
		ring_stop(&run->ring);
	decode_finish(&run->decode);
	if (run->entries.archive)
		archive_read_free(run->entries.archive);
	ring_release(&run->ring);
	tree_release(&run->entries.tree);
	writer_release(&run->entries.writer);
}

bool unpack_run(const struct unpack_request *request, struct unpack_result *result,
		struct error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	bool good;

	if (!run)
		return error_set(err, "out of memory");
	good = start(run, request, err) && open_archive(run, err) && read_entries(run, err);
	finish(run);
	if (good)
		*result = run->entries.result;
	free(run);
	return good;
}
