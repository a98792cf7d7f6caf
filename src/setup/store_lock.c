// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The lock file holds one record of this form, written at once: levels of directories that were
 * made for PREFIX, and who has or had the lock. */
#define RECORD "made %2u pid %10d\n"
#define RECORD_BYTES 23
#define MADE "made %2u"
#define MADE_BYTES 7
#define MADE_MAX 64
#define TRY_MS 20
#define NOTE_AFTER_MS 1000
#define TELL_TIMES 10
#define TELL_PAUSE_NS 10000000

struct record {
	uint64_t made, pid;
};

static struct record read_record(int fd)
{
	char text[RECORD_BYTES + 1] = {0};
	struct record record = {0};
	struct view rest, word;

	if (pread(fd, text, RECORD_BYTES, 0) != RECORD_BYTES)
		return record;
	rest = view_of(text);
	if (view_word(&rest, &word) && view_is(word, "made") && view_word(&rest, &word) &&
	    view_u64(word, 10, &record.made) && view_word(&rest, &word) && view_word(&rest, &word))
		view_u64(view_trim(word), 10, &record.pid);
	if (record.made > MADE_MAX)
		record.made = 0;
	return record;
}

static bool try_lock(int fd, int command)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int done = fcntl(fd, command, &whole);

	while (done < 0 && errno == EINTR)
		done = fcntl(fd, command, &whole);
	return done == 0;
}

static bool wait_for_lock(struct store *store, int fd)
{
	const struct timespec pause = {.tv_nsec = TRY_MS * 1000000L};
	uint64_t pid;

	for (unsigned waited_ms = 0; waited_ms < NOTE_AFTER_MS; waited_ms += TRY_MS) {
		if (try_lock(fd, F_OFD_SETLK))
			return true;
		if (errno != EAGAIN && errno != EACCES)
			return false;
		nanosleep(&pause, NULL);
	}
	pid = read_record(fd).pid;
	if (store->note)
		store->note(arena_printf(store->arena, "waiting for process %u, which uses %s",
					 (unsigned)pid, store->prefix));
	return try_lock(fd, F_OFD_SETLKW);
}

static bool is_taken(struct store *store, int fd, struct error *err)
{
	unsigned pid = (unsigned)read_record(fd).pid;

	if (errno != EAGAIN && errno != EACCES)
		return error_errno(err, errno, "%s/" STORE_LOCK, store->prefix);
	if (!pid)
		return error_exit(err, EXIT_LOCKED, "%s is in use by another run, try again later",
				  store->prefix);
	return error_exit(err, EXIT_LOCKED,
			  "%s is in use by another run (process %u), try again when it has ended",
			  store->prefix, pid);
}

/* Whether the locked file is still the one that others open: `remove` takes it away. */
static bool is_current(struct store *store, int fd)
{
	struct stat mine, theirs;

	return fstat(fd, &mine) == 0 &&
	       fstatat(store->fd, STORE_LOCK, &theirs, AT_SYMLINK_NOFOLLOW) == 0 &&
	       mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino;
}

bool store_is_ours(struct store *store)
{
	scoped_fd int fd = store->fd < 0 ? -1
					 : openat(store->fd, STORE_LOCK,
						  O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	struct store_trees trees = {0};

	/* Somebody may have deleted the file to break a lock. */
	return (fd >= 0 && read_record(fd).pid) ||
	       (store_trees(store, &trees, NULL) && trees.count > 0);
}

/* A directory of somebody that has the names of ours in it: store_clean() would empty them. */
static bool check_ours(struct store *store, struct error *err)
{
	static const char *const names[] = {STORE_TREES, STORE_GENERATIONS, STORE_WORK,
					    STORE_CACHE, STORE_LOGS,        STORE_CURRENT};
	struct stat status;

	if (store_is_ours(store))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (fstatat(store->fd, names[i], &status, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		unlinkat(store->fd, STORE_LOCK, 0);
		return error_set(err,
				 "%s/%s is there and not of this program, choose another "
				 "--prefix",
				 store->prefix, names[i]);
	}
	return true;
}

static bool write_record(struct store *store, int fd, struct error *err)
{
	unsigned made = (unsigned)read_record(fd).made;
	char text[RECORD_BYTES + 16];
	int size;

	/* What an earlier run made stays known. */
	if (store->made < made)
		store->made = made;
	size = snprintf(text, sizeof(text), RECORD, store->made, (int)getpid());
	if (pwrite(fd, text, (size_t)size, 0) != size)
		return error_errno(err, errno, "%s/" STORE_LOCK, store->prefix);
	return true;
}

/* PREFIX was made here and locked by a faster one, who does not know it: told without the lock, so
 * again when the faster one wrote its record at the same moment. */
static void tell_made(const struct store *store, int fd)
{
	const struct timespec pause = {.tv_nsec = TELL_PAUSE_NS};
	char text[MADE_BYTES + 16];
	int size = snprintf(text, sizeof(text), MADE, store->made);

	for (unsigned i = 0; i < TELL_TIMES && read_record(fd).made < store->made; i++) {
		if (pwrite(fd, text, (size_t)size, 0) != size)
			return;
		nanosleep(&pause, NULL);
	}
}

bool store_lock(struct store *store, bool wait, struct error *err)
{
	for (;;) {
		/* Others must not even read it: a lock for reading would keep everybody out. */
		int fd = openat(store->fd, STORE_LOCK,
				O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0600);

		if (fd < 0 && errno == ENOENT)
			return error_exit(err, EXIT_LOCKED,
					  "%s was removed by another run meanwhile, try again",
					  store->prefix);
		if (fd < 0)
			return error_errno(err, errno, "%s/" STORE_LOCK, store->prefix);
		if (!(wait ? wait_for_lock(store, fd) : try_lock(fd, F_OFD_SETLK))) {
			is_taken(store, fd, err);
			if (err && err->exit_code == EXIT_LOCKED)
				tell_made(store, fd);
			close(fd);
			return false;
		}
		if (!is_current(store, fd)) {
			close(fd);
			continue;
		}
		if (!check_ours(store, err) || !write_record(store, fd, err)) {
			close(fd);
			return false;
		}
		store->lock_fd = fd;
		return true;
	}
}
