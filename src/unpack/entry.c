// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/entry.h"

#include <stdio.h>
#include <string.h>

#define NSEC_PER_SEC 1000000000L

static const struct {
	unsigned type;
	const char *name;
} foreign_types[] = {
	{AE_IFCHR, "a character device"},
	{AE_IFBLK, "a block device"},
	{AE_IFIFO, "a fifo"},
	{AE_IFSOCK, "a socket"},
};

static bool refuse_type(unsigned type, struct error *err)
{
	for (size_t i = 0; i < sizeof(foreign_types) / sizeof(foreign_types[0]); i++)
		if (foreign_types[i].type == type)
			return error_set(err, "%s", foreign_types[i].name);
	return error_set(err, "an entry of unknown type");
}

/* Takes the one directory at the top away. `is_inside`: something is left. */
static bool strip_top(struct entries *entries, struct name *name, struct error *err)
{
	struct view first;

	if (entries->request->keep_top || !name->count)
		return true;
	first = name_part(name, 0);
	if (!entries->top[0]) {
		memcpy(entries->top, first.at, first.size);
		entries->top[first.size] = '\0';
	}
	if (!view_is(first, entries->top))
		return error_set(err, "a second name at the top, beside '%s'", entries->top);
	name_strip(name);
	return true;
}

static bool parse_name(struct entries *entries, const char *raw, struct name *name,
		       struct error *err)
{
	const char *why;

	/* libarchive has none to give when it cannot be spelled in this locale, which is UTF-8. */
	if (!raw)
		return error_set(err, "a name that is not UTF-8");
	why = name_parse(view_of(raw), name);
	return why ? error_set(err, "%s", why) : strip_top(entries, name, err);
}

/* Refuses the name or makes the directories above it, with itself when it is one. */
static bool prepare(struct entries *entries, enum tree_kind kind, struct error *err)
{
	const struct name *name = &entries->name;
	size_t known, last = name->count - (kind != TREE_DIRECTORY);
	const char *why = tree_check(&entries->tree, name, kind, &known);

	if (why)
		return error_set(err, "%s", why);
	if (!writer_directories(&entries->writer, name, known, last, err))
		return false;
	return tree_add(&entries->tree, name, kind) || error_set(err, "out of memory");
}

static bool copy_contents(struct entries *entries, int fd, uint64_t size_bytes, uint64_t *end,
			  struct error *err)
{
	for (;;) {
		const void *block;
		size_t size;
		la_int64_t offset;
		int result = archive_read_data_block(entries->archive, &block, &size, &offset);

		if (result == ARCHIVE_EOF)
			return true;
		if (result < ARCHIVE_OK)
			return error_set(err, "%s", archive_error_string(entries->archive));
		/* Pieces of a sparse file that overlap would hide one behind another. */
		if (offset < 0 || (uint64_t)offset < *end || (uint64_t)offset > size_bytes ||
		    size > size_bytes - (uint64_t)offset)
			return error_set(err, "contents that do not fit its size");
		if (!writer_write(fd, (struct view){block, size}, (uint64_t)offset, err))
			return false;
		if (size)
			*end = (uint64_t)offset + size;
	}
}

/* The time of the file, or NULL when it is not one that can be. */
static const struct timespec *modified(const struct entries *entries, struct archive_entry *entry,
				       struct timespec *time)
{
	if (!archive_entry_mtime_is_set(entry))
		return NULL;
	time->tv_sec = archive_entry_mtime(entry);
	time->tv_nsec = archive_entry_mtime_nsec(entry);
	if (time->tv_sec <= 0 || time->tv_sec > entries->now || time->tv_nsec < 0 ||
	    time->tv_nsec >= NSEC_PER_SEC)
		return NULL;
	return time;
}

static bool make_file(struct entries *entries, struct archive_entry *entry, struct error *err)
{
	la_int64_t declared = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : 0;
	uint64_t size = (uint64_t)declared, end = 0;
	struct timespec time;
	bool good;
	int fd;

	if (declared < 0)
		return error_set(err, "a size below zero");
	if (size > entries->max_bytes - entries->result.bytes)
		return error_set(err, "%s: over %llu bytes with this file",
				 entries->max_bytes < entries->request->limits.bytes
					 ? "the archive grows too much when unpacked"
					 : "too many bytes",
				 (unsigned long long)entries->max_bytes);
	if (!prepare(entries, TREE_FILE, err) ||
	    !writer_open(&entries->writer, &entries->name, archive_entry_perm(entry) & 0111, &fd,
			 err))
		return false;
	good = copy_contents(entries, fd, size, &end, err);
	good = writer_close(fd, good && end < size ? &size : NULL, modified(entries, entry, &time),
			    good ? err : NULL) &&
	       good;
	entries->result.bytes += size;
	return good;
}

static bool make_symlink(struct entries *entries, struct archive_entry *entry, struct error *err)
{
	const char *target = archive_entry_symlink(entry), *why;

	if (!target)
		return error_set(err, "a link to an empty name or one that is not UTF-8");
	why = name_check_target(&entries->name, view_of(target));
	if (why)
		return error_set(err, "%s", why);
	return prepare(entries, TREE_LINK, err) &&
	       writer_symlink(&entries->writer, &entries->name, target, err);
}

static bool make_hardlink(struct entries *entries, struct archive_entry *entry, struct error *err)
{
	uint64_t left = entries->max_bytes - entries->result.bytes;
	bool good;

	if (archive_entry_size_is_set(entry) && archive_entry_size(entry) != 0)
		return error_set(err, "a hard link with contents");
	if (!parse_name(entries, archive_entry_hardlink(entry), &entries->target, err))
		return error_context(err, "a hard link to '%.100s'", archive_entry_hardlink(entry));
	if (tree_find(&entries->tree, &entries->target) != TREE_FILE)
		return error_set(err, "a hard link to what is not a file of this archive");
	if (!prepare(entries, TREE_FILE, err))
		return false;
	good = writer_hardlink(&entries->writer, &entries->name, &entries->target, &left, err);
	entries->result.bytes = entries->max_bytes - left;
	return good;
}

static bool make_named(struct entries *entries, struct archive_entry *entry, struct error *err)
{
	unsigned type = archive_entry_filetype(entry);

	if (archive_entry_hardlink(entry))
		return make_hardlink(entries, entry, err);
	switch (type) {
	case AE_IFREG:
		return make_file(entries, entry, err);
	case AE_IFDIR:
		return prepare(entries, TREE_DIRECTORY, err);
	case AE_IFLNK:
		return make_symlink(entries, entry, err);
	default:
		return refuse_type(type, err);
	}
}

bool entry_make(struct entries *entries, struct archive_entry *entry, struct error *err)
{
	bool is_directory =
		!archive_entry_hardlink(entry) && archive_entry_filetype(entry) == AE_IFDIR;
	struct name *name = &entries->name;

	if (++entries->headers > entries->request->limits.entries)
		return error_set(err, "more than %llu entries",
				 (unsigned long long)entries->request->limits.entries);
	if (archive_entry_is_encrypted(entry))
		return error_set(err, "an encrypted entry");
	if (!parse_name(entries, archive_entry_pathname(entry), name, err))
		return false;
	if (name->as_directory && !is_directory)
		return error_set(err, "the name of a directory for what is none");
	if (!name->count)
		return is_directory ||
		       error_set(err, "a file at the top, where one directory is wanted");
	if (!make_named(entries, entry, err))
		return false;
	entries->result.entries++;
	return true;
}
