// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "engine/run_private.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TICK_NS 10000000 /* USER_HZ is 100 on all that this runs on */
#define MAPS_MAX_BYTES ((size_t)4 << 20)

static bool read_small(int directory, const char *name, const char *what, char *into, size_t size,
		       struct view *out)
{
	char path[64];
	scoped_fd int fd = -1;
	ssize_t got;

	snprintf(path, sizeof(path), "%s/%s", name, what);
	fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -1 : read(fd, into, size);
	if (got <= 0)
		return false;
	*out = (struct view){into, (size_t)got};
	return true;
}

static struct engine_thread *find(struct arena *arena, struct run_threads *threads, int64_t id)
{
	for (size_t i = 0; i < threads->count; i++) {
		if (threads->items[i].id == id)
			return &threads->items[i];
	}
	if (threads->count == RUN_THREADS_MAX)
		return NULL;
	if (threads->count == threads->room) {
		struct engine_thread *more;

		threads->room = threads->room ? threads->room * 2 : 16;
		more = arena_array(arena, struct engine_thread, threads->room);
		if (threads->count)
			memcpy(more, threads->items, threads->count * sizeof(*more));
		threads->items = more;
	}
	threads->items[threads->count] = (struct engine_thread){.id = id, .cpu = -1};
	return &threads->items[threads->count++];
}

/* A value of proc/PID/status: "Name:\tlcore-worker-1". */
static struct view status_value(struct view text, const char *key)
{
	const char *at = view_find(text, key);
	struct view rest, line = {0};

	if (!at)
		return line;
	rest = (struct view){at + strlen(key), text.size - (size_t)(at - text.at) - strlen(key)};
	view_line(&rest, &line);
	return view_trim(line);
}

/* Fields of proc/PID/stat behind the name, which may hold blanks and brackets; [0] is the state. */
static bool stat_number(struct view text, unsigned field, uint64_t *number)
{
	const char *end = memrchr(text.at, ')', text.size);
	struct view rest, word;

	if (!end)
		return false;
	rest = (struct view){end + 1, text.size - (size_t)(end + 1 - text.at)};
	for (unsigned i = 0; i <= field; i++) {
		if (!view_word(&rest, &word))
			return false;
	}
	return view_u64(view_trim(word), 10, number);
}

/* Where the kernel has no schedstat: ticks, and not how long it waited. */
static void read_times(int directory, const char *name, struct engine_thread *thread)
{
	char text[4096];
	uint64_t first = 0, second = 0;
	struct view view, word;

	if (read_small(directory, name, "schedstat", text, sizeof(text), &view) &&
	    view_word(&view, &word) && view_u64(word, 10, &first) && view_word(&view, &word) &&
	    view_u64(word, 10, &second)) {
		thread->cpu_ns = (int64_t)first;
		thread->waited_ns = (int64_t)second;
		return;
	}
	thread->waited_ns = -1;
	if (read_small(directory, name, "stat", text, sizeof(text), &view) &&
	    stat_number(view, 11, &first) && stat_number(view, 12, &second))
		thread->cpu_ns = (int64_t)(first + second) * TICK_NS;
}

static void read_status(struct arena *arena, int directory, const char *name,
			struct engine_thread *thread)
{
	char text[4096];
	uint64_t number;
	struct view view, comm;

	if (!read_small(directory, name, "status", text, sizeof(text), &view))
		return;
	comm = status_value(view, "Name:");
	if (!thread->name || !view_is(comm, thread->name))
		thread->name = text_printable(arena, comm);
	if (view_u64(status_value(view, "nonvoluntary_ctxt_switches:"), 10, &number))
		thread->involuntary = (int64_t)number;
	thread->pinned = view_u64(status_value(view, "Cpus_allowed_list:"), 10, &number);
	if (!thread->pinned && (!read_small(directory, name, "stat", text, sizeof(text), &view) ||
				!stat_number(view, 36, &number)))
		return;
	thread->cpu = (int64_t)number;
}

/* The eighth number of the first line of proc/stat (proc(5)). */
static int64_t read_steal(void)
{
	scoped_fd int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	char text[256];
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text));
	struct view rest = {text, got > 0 ? (size_t)got : 0}, word = {0};
	uint64_t ticks;

	for (unsigned i = 0; i < 9; i++) {
		if (!view_word(&rest, &word))
			return -1;
	}
	return view_u64(word, 10, &ticks) ? (int64_t)ticks : -1;
}

static void sample_steal(struct run_threads *threads)
{
	threads->steal_last = read_steal();
	if (!threads->sampled_ns)
		threads->steal_first = threads->steal_last;
}

int64_t run_steal_ns(const struct run_threads *threads)
{
	if (!threads->sampled_ns || threads->steal_first < 0 || threads->steal_last < 0)
		return -1;
	return (threads->steal_last - threads->steal_first) * TICK_NS;
}

void run_sample(struct arena *arena, struct run_threads *threads, pid_t pid)
{
	char path[64];
	int64_t now = clock_ns(), since = threads->sampled_ns;
	struct dirent *entry;
	DIR *directory;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	directory = opendir(path);
	if (!directory)
		return;
	sample_steal(threads);
	while ((entry = readdir(directory))) {
		struct engine_thread *thread;
		int64_t before;
		uint64_t id;

		if (!view_u64(view_of(entry->d_name), 10, &id))
			continue;
		thread = find(arena, threads, (int64_t)id);
		if (!thread)
			break;
		before = thread->cpu_ns;
		read_times(dirfd(directory), entry->d_name, thread);
		read_status(arena, dirfd(directory), entry->d_name, thread);
		if (!since || (thread->cpu_ns - before) * 2 < now - since)
			continue;
		if (!thread->busy_from_ns)
			thread->busy_from_ns = since;
		thread->busy_to_ns = now;
	}
	closedir(directory);
	threads->sampled_ns = now;
}

bool run_maps(struct arena *arena, pid_t pid, const char *path, const char **other)
{
	const char *base = strrchr(path, '/');
	char maps[64];
	struct view text, line;
	bool found = false;

	base = base ? base + 1 : path;
	snprintf(maps, sizeof(maps), "/proc/%d/maps", (int)pid);
	if (!file_read(arena, maps, MAPS_MAX_BYTES, &text, NULL))
		return false;
	while (view_line(&text, &line)) {
		const char *at = memchr(line.at, '/', line.size);
		struct view file = {at, at ? line.size - (size_t)(at - line.at) : 0};

		if (!file.size || !view_ends(file, base))
			continue;
		if (view_is(file, path))
			found = true;
		else if (file.at[file.size - strlen(base) - 1] == '/')
			*other = view_copy(arena, file);
	}
	return found;
}
