// SPDX-License-Identifier: BSD-2-Clause
#include "tune/record.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "tune/kinds.h"
#include "tune/tree.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define SCHEMA "ampere-crypto/tune-record 1.0.0"
#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define LOCK_TRIES 8

static const struct field rows[] = {
	{.key = "schema",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct tune_record, schema),
	 .required = true,
	 .pattern = "^ampere-crypto/tune-record 1[.][0-9]+[.][0-9]+$",
	 .doc = "name and semantic version of the format"},
	{.key = "boot",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct tune_record, boot),
	 .required = true,
	 .nullable = true,
	 .doc = "boot_id of the kernel that the last run changed; null: not known"},
	{.key = "time",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct tune_record, time),
	 .required = true,
	 .doc = "of the last run, in UTC"},
	{.key = "role",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct tune_record, role),
	 .required = true,
	 .nullable = true,
	 .doc = "of the last run; null: none"},
	{.key = "changes",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct tune_record, changes),
	 .required = true,
	 .table = &tune_record_change_table,
	 .doc = "in the order they were made"},
};

const struct field_table tune_record_table =
	FIELD_TABLE("tune_record", struct tune_record, rows, "What tune changed, and from what.");

static bool is_current(const struct tune_tree *tree, int fd)
{
	scoped_fd int again = -1;
	struct stat mine, theirs;

	return tune_tree_directory(tree, TUNE_DIRECTORY, &again) == 0 && fstat(fd, &mine) == 0 &&
	       fstat(again, &theirs) == 0 && mine.st_dev == theirs.st_dev &&
	       mine.st_ino == theirs.st_ino;
}

static int make_directory(const struct tune_tree *tree)
{
	/* Whoever may open the directory may lock it, and so keep us from taking anything back. */
	static const struct {
		const char *path;
		unsigned mode;
	} levels[] = {{"/var", 0755}, {"/var/lib", 0755}, {TUNE_DIRECTORY, 0700}};
	int number = 0;

	for (size_t i = 0; !number && i < sizeof(levels) / sizeof(levels[0]); i++)
		number = tune_tree_folder(tree, levels[i].path, levels[i].mode);
	return number;
}

/* The run that had the lock may have removed the directory meanwhile. */
bool tune_lock(const struct tune_tree *tree, bool make, int *fd, struct error *err)
{
	*fd = -1;
	for (unsigned i = 0; i < LOCK_TRIES; i++) {
		int number = make ? make_directory(tree) : 0;

		if (!number)
			number = tune_tree_directory(tree, TUNE_DIRECTORY, fd);
		if (number == ENOENT && !make)
			return true;
		if (number)
			return error_errno(err, number, TUNE_DIRECTORY " below %s", tree->path);
		if (flock(*fd, LOCK_EX | LOCK_NB) < 0) {
			number = errno;
			scoped_fd_close(fd);
			*fd = -1;
			return number == EWOULDBLOCK
				       ? error_exit(err, EXIT_LOCKED,
						    TUNE_DIRECTORY
						    ": another run of tune holds the lock, try "
						    "again when it has ended")
				       : error_errno(err, number, TUNE_DIRECTORY);
		}
		if (is_current(tree, *fd))
			return true;
		scoped_fd_close(fd);
		*fd = -1;
	}
	return error_exit(err, EXIT_LOCKED, TUNE_DIRECTORY ": comes and goes, try again");
}

static bool check_change(const struct tune_change *change, size_t at, const char *name,
			 struct error *err)
{
	const char *fault = NULL;
	size_t most = strcmp(change->kind, tune_kind_words[TUNE_FILE]) == 0 ? TUNE_FILE_MAX
									    : TUNE_LINE_MAX;

	if (!kind_takes(change, &fault))
		return error_set(err, "%s: changes[%zu]: %s: %s", name, at, change->path, fault);
	if (strlen(change->wanted) > most || (change->before && strlen(change->before) > most) ||
	    change->earlier.count > TUNE_EARLIER_MAX)
		return error_set(err, "%s: changes[%zu]: longer than tune writes it", name, at);
	return true;
}

bool tune_record_parse(struct arena *arena, const char *name, struct view text,
		       struct tune_record *out, struct error *err)
{
	struct tune_record record = {0};
	const struct tune_change *changes;
	struct json json;

	if (!json_parse(arena, name, text, &json, err) ||
	    !fields_load(arena, &json, json.top, &tune_record_table, &record, err))
		return false;
	if (record.changes.count > TUNE_CHANGES_MAX)
		return error_set(err, "%s: more than %d changes", name, TUNE_CHANGES_MAX);
	changes = record.changes.items;
	for (size_t i = 0; i < record.changes.count; i++) {
		if (!check_change(&changes[i], i, name, err))
			return false;
	}
	*out = record;
	return true;
}

bool tune_record_load(struct arena *arena, const struct tune_tree *tree, struct tune_record *out,
		      bool *exists, struct error *err)
{
	struct error damage = {0};
	struct view text;
	struct stat status;
	int number =
		tune_tree_read(arena, tree, TUNE_RECORD, TUNE_RECORD_BYTES_MAX, &text, &status);

	*out = (struct tune_record){0};
	*exists = number == 0;
	if (number == ENOENT)
		return true;
	if (number)
		return error_errno(err, number, TUNE_RECORD);
	if ((status.st_uid != 0 && status.st_uid != geteuid()) || status.st_mode & 022)
		return error_set(err, TUNE_RECORD
				 ": somebody else may write it, so it is not followed; compare it "
				 "with the settings by hand");
	if (tune_record_parse(arena, TUNE_RECORD, text, out, &damage))
		return true;
	return error_set(err,
			 "%s: the record is damaged and nothing was changed; set the values back "
			 "by hand, then remove it",
			 damage.text);
}

struct view tune_record_text(struct arena *arena, const struct tune_record *record)
{
	struct buffer out = buffer_new(arena, TUNE_RECORD_BYTES_MAX);
	struct tune_record whole = *record;
	struct json_writer writer;

	whole.schema = SCHEMA;
	json_begin(&writer, &out);
	fields_write(&writer, NULL, &tune_record_table, &whole);
	json_end(&writer);
	return out.full ? (struct view){0} : buffer_view(&out);
}

bool tune_record_save(struct arena *arena, const struct tune_tree *tree,
		      const struct tune_record *record, struct error *err)
{
	struct view text = tune_record_text(arena, record);
	int number = text.size ? tune_tree_file(tree, TUNE_RECORD, 0600, text) : EFBIG;

	return !number || error_errno(err, number, TUNE_RECORD);
}

bool tune_record_remove(const struct tune_tree *tree, struct error *err)
{
	int number = tune_tree_remove(tree, TUNE_RECORD);

	if (number)
		return error_errno(err, number, TUNE_RECORD);
	/* Others may have something there. */
	tune_tree_remove_folder(tree, TUNE_DIRECTORY);
	return true;
}

const char *tune_boot(struct arena *arena, const struct tune_tree *tree)
{
	const char *line;

	return tune_tree_line(arena, tree, BOOT_ID, &line) == 0 && *line ? line : NULL;
}
