// SPDX-License-Identifier: BSD-2-Clause
/*
 * ampere-crypto-unpack: standard input is an archive (a regular file, read from its start),
 * descriptor 3 an empty directory, which alone is written to. Standard output: lines of `note
 * TEXT`, `progress BYTES_READ`, and at the end `done ENTRIES BYTES`, separated by a TAB.
 */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "unpack/confine.h"
#include "unpack/unpack.h"
#include "unpack/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESTINATION 3
#define ARENA_BYTES ((size_t)1 << 20)
#define MISSING_BYTES 512
/* Beside the dictionary: buffers, the table of names, what the C library takes at once. */
#define MEMORY_BYTES ((uint64_t)16 << 20)
#define MEMORY_BYTES_PER_ENTRY 96

static const char usage[] =
	"usage: ampere-crypto-unpack [--max-entries N] [--max-bytes N] [--max-ratio N] "
	"[--keep-top] <ARCHIVE 3<DIRECTORY";

static void memory_exhausted(void)
{
	_exit(EXIT_TROUBLE);
}

static bool parse_options(int argc, char **argv, struct unpack_request *request, struct error *err)
{
	const struct {
		const char *name;
		uint64_t *value;
	} numbers[] = {
		{"--max-entries", &request->limits.entries},
		{"--max-bytes", &request->limits.bytes},
		{"--max-ratio", &request->limits.ratio},
	};

	for (int i = 1; i < argc; i++) {
		bool good = strcmp(argv[i], "--keep-top") == 0;

		request->keep_top |= good;
		for (size_t j = 0; !good && i + 1 < argc && j < 3; j++)
			if (strcmp(argv[i], numbers[j].name) == 0)
				good = view_u64(view_of(argv[++i]), 10, numbers[j].value) &&
				       *numbers[j].value > 0;
		if (!good)
			return error_exit(err, EXIT_USAGE, "%s", usage);
	}
	return true;
}

static bool check_destination(struct error *err)
{
	int fd = openat(DESTINATION, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool is_empty = true;

	if (!directory)
		return error_errno(err, errno, "descriptor 3, the directory to unpack into");
	while ((entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			is_empty = false;
	closedir(directory);
	return is_empty || error_set(err, "the directory to unpack into is not empty");
}

static bool check_archive(struct error *err)
{
	struct stat status;

	if (fstat(STDIN_FILENO, &status) < 0)
		return error_errno(err, errno, "standard input, the archive");
	if (!S_ISREG(status.st_mode))
		return error_set(err, "standard input is no regular file: the archive is read at "
				      "once and not from a pipe");
	return status.st_size > 0 || error_set(err, "standard input is an empty file");
}

/* Never raised; a failure to limit is none, the parent has limits of its own. */
static void lower_limit(int resource, uint64_t value)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) == 0 && value < limit.rlim_max)
		setrlimit(resource, &(struct rlimit){value, value});
}

static void limit_resources(const struct unpack_limits *limits)
{
	uint64_t entries = limits->entries < UINT32_MAX ? limits->entries : UINT32_MAX;

	lower_limit(RLIMIT_CORE, 0);
	lower_limit(RLIMIT_FSIZE, limits->bytes);
	if (!CONFINE_HAS_SANITIZER)
		lower_limit(RLIMIT_DATA, UNPACK_DICTIONARY_MAX_BYTES + MEMORY_BYTES +
						 entries * MEMORY_BYTES_PER_ENTRY);
}

/* One write per line: the reader may be slow, but never sees half of one. */
static bool say(const char *line, size_t size)
{
	ssize_t n;

	do
		n = write(STDOUT_FILENO, line, size);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size;
}

static void show_progress(uint64_t read_bytes)
{
	char line[64];
	int size = snprintf(line, sizeof(line), "progress\t%llu\n", (unsigned long long)read_bytes);

	/* Whoever started this went away: what is unpacked is of no use. */
	if (!say(line, (size_t)size))
		_exit(EXIT_TROUBLE);
}

static bool run(struct arena *arena, int argc, char **argv, struct error *err)
{
	struct unpack_request request = {
		.archive = STDIN_FILENO,
		.destination = DESTINATION,
		.limits = {UNPACK_ENTRIES, UNPACK_BYTES, UNPACK_RATIO},
		.progress = show_progress,
	};
	struct buffer missing = buffer_new(arena, MISSING_BYTES);
	struct unpack_result result;
	const char *line;

	if (!parse_options(argc, argv, &request, err) || !check_archive(err) ||
	    !check_destination(err))
		return false;
	limit_resources(&request.limits);
	confine(DESTINATION, writer_has_openat2(DESTINATION), &missing);
	if (missing.size) {
		line = arena_printf(arena, "note\tunpacked without %s\n", buffer_string(&missing));
		if (!say(line, strlen(line)))
			return error_errno(err, errno, "standard output");
	}
	if (!unpack_run(&request, &result, err))
		return false;
	line = arena_printf(arena, "done\t%llu\t%llu\n", (unsigned long long)result.entries,
			    (unsigned long long)result.bytes);
	return say(line, strlen(line)) || error_errno(err, errno, "standard output");
}

int main(int argc, char **argv)
{
	struct error err = {.exit_code = EXIT_OK};
	struct arena arena;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	umask(022);
	/* Names are bytes to libarchive only when they need not be converted. */
	setlocale(LC_CTYPE, "C.UTF-8");
	/* A second arena for the second thread would only cost memory. */
	mallopt(M_ARENA_MAX, 1);
	close_range(DESTINATION + 1, ~0u, 0);
	arena_init(&arena, ARENA_BYTES);
	arena.exhausted = memory_exhausted;
	if (!run(&arena, argc, argv, &err))
		fprintf(stderr, "ampere-crypto-unpack: %s\n",
			text_printable(&arena, view_of(err.text)));
	arena_release(&arena);
	/* What others do at the end of a process needs what was given up. */
	_exit(err.exit_code);
}
