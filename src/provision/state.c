// SPDX-License-Identifier: BSD-2-Clause
#include "provision/state.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DONE_BYTES_MAX 4096
#define DIGEST "^[0-9a-f]{64}$"

#define ROW(name, member, text, ...)                                                               \
	{                                                                                          \
		.key = (name), .kind = FIELD_TEXT, .offset = FIELD(struct provision_done, member), \
		.required = true, .doc = (text), ##__VA_ARGS__                                     \
	}

static const struct field done_rows[] = {
	ROW("inputs", inputs, "digest of all that decides what is measured", .pattern = DIGEST),
	ROW("result", result, "digest of the result", .pattern = DIGEST),
	ROW("finished", finished, "when it was measured, in UTC"),
};

static const struct field_table done_table = FIELD_TABLE(
	"provision-done", struct provision_done, done_rows, "What need not be measured again.");

static bool make_directories(struct arena *arena, const char *path, struct error *err)
{
	char *part = arena_strdup(arena, path);

	for (char *slash = part + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(part, 0755) < 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
			return error_errno(err, errno, "%s", part);
		*slash = '/';
	}
	if (mkdir(part, 0755) < 0 && errno != EEXIST)
		return error_errno(err, errno, "%s", part);
	return true;
}

/* Whoever could write there could say what was measured. */
static bool check_owner(const char *path, int fd, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return error_errno(err, errno, "%s", path);
	if (status.st_uid != 0 && status.st_uid != geteuid())
		return error_set(err,
				 "%s: belongs to user %u; the state directory must be yours or "
				 "root's",
				 path, (unsigned)status.st_uid);
	/* A group of the owner's own number is a private one (file_read_owned has the same rule).
	 */
	if (status.st_mode & S_IWOTH ||
	    (status.st_mode & S_IWGRP && status.st_gid != status.st_uid))
		return error_set(err, "%s: others can write to it, chmod go-w it", path);
	return true;
}

bool provision_state_open(struct arena *arena, const char *directory, struct provision_state *out,
			  struct error *err)
{
	struct provision_state state = {.directory = directory, .lock_fd = -1};
	const char *path = arena_printf(arena, "%s/lock", directory);

	if (!make_directories(arena, directory, err))
		return false;
	scoped_fd int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "%s", directory);
	if (!check_owner(directory, fd, err))
		return false;
	state.lock_fd = openat(fd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (state.lock_fd < 0)
		return error_errno(err, errno, "%s", path);
	if (flock(state.lock_fd, LOCK_EX | LOCK_NB) < 0) {
		int number = errno;

		close(state.lock_fd);
		if (number == EWOULDBLOCK)
			return error_exit(err, EXIT_LOCKED,
					  "%s: another run of this plan is at work", directory);
		return error_errno(err, number, "%s", path);
	}
	*out = state;
	return true;
}

void provision_state_close(struct provision_state *state)
{
	if (state->lock_fd >= 0)
		close(state->lock_fd);
	state->lock_fd = -1;
}

int provision_state_log(struct arena *arena, const struct provision_state *state, const char *stage,
			struct error *err)
{
	const char *path = arena_printf(arena, "%s/%s.log", state->directory, stage);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd < 0)
		error_errno(err, errno, "%s", path);
	return fd;
}

void provision_forget(const char *path)
{
	unlink(path);
}

static const char *done_path(struct arena *arena, const struct provision_state *state)
{
	return arena_printf(arena, "%s/bench.done", state->directory);
}

bool provision_done_read(struct arena *arena, const struct provision_state *state,
			 struct provision_done *out)
{
	const char *path = done_path(arena, state);
	struct view text;
	struct json json;

	return file_exists(path) && file_read(arena, path, DONE_BYTES_MAX, &text, NULL) &&
	       json_parse(arena, path, text, &json, NULL) &&
	       fields_load(arena, &json, json.top, &done_table, out, NULL);
}

bool provision_done_write(struct arena *arena, const struct provision_state *state,
			  const struct provision_done *done, struct error *err)
{
	struct buffer text = buffer_new(arena, DONE_BYTES_MAX);
	struct json_writer writer;

	json_begin(&writer, &text);
	fields_write(&writer, NULL, &done_table, done);
	json_end(&writer);
	return file_write(done_path(arena, state), buffer_view(&text), err);
}

static bool append_file(const char *to, struct view bytes, struct error *err)
{
	scoped_fd int fd = open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);

	if (fd < 0)
		return error_errno(err, errno, "%s", to);
	return file_write_fd(fd, to, bytes, err);
}

static bool holds(struct arena *arena, const char *path, struct view bytes)
{
	struct stat status;
	struct view old;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	       (size_t)status.st_size == bytes.size &&
	       file_read(arena, path, PROVISION_RESULT_BYTES_MAX, &old, NULL) &&
	       old.size == bytes.size && memcmp(old.at, bytes.at, bytes.size) == 0;
}

bool provision_deliver(struct arena *arena, const char *from, const char *to, bool append,
		       struct error *err)
{
	struct view bytes;

	if (!file_read(arena, from, PROVISION_RESULT_BYTES_MAX, &bytes, err))
		return false;
	if (append)
		return append_file(to, bytes, err);
	return holds(arena, to, bytes) || file_write(to, bytes, err);
}

bool provision_may_write(struct arena *arena, const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	const char *directory = slash ? arena_copy(arena, path, (size_t)(slash - path) + 1) : ".";
	struct stat status;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return error_errno(err, EISDIR, "%s", path);
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ||
		       error_errno(err, errno, "%s", path);
	return faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0 ||
	       error_errno(err, errno, "%s", directory);
}
