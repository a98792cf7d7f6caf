// SPDX-License-Identifier: BSD-2-Clause
// Runs a command many times and prints what it cost: "median_us min_us peak_kib status". Written in
// C because the peak memory the kernel reports for a child is at least that of the process that
// started it.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { RUNS_MAX = 1000 };

extern char **environ;

static int compare_numbers(const void *a, const void *b)
{
	const long *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

static int run_once(char **argv, const posix_spawn_file_actions_t *quiet, long *elapsed_us,
		    long *peak_kib)
{
	long started_us = now_us();
	struct rusage usage;
	int status, number;
	pid_t pid;

	number = posix_spawnp(&pid, argv[0], quiet, NULL, argv, environ);
	if (number != 0) {
		fprintf(stderr, "%s: %s\n", argv[0], strerror(number));
		exit(2);
	}
	while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	*elapsed_us = now_us() - started_us;
	if (usage.ru_maxrss > *peak_kib)
		*peak_kib = usage.ru_maxrss;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv)
{
	long elapsed_us[RUNS_MAX], peak_kib = 0, runs = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
	posix_spawn_file_actions_t quiet;
	int status = 0;

	if (runs < 1 || runs > RUNS_MAX) {
		fprintf(stderr, "usage: spawn RUNS COMMAND [ARGUMENT...]\n");
		return 64;
	}
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
	for (long i = 0; i < runs; i++)
		status = run_once(argv + 2, &quiet, &elapsed_us[i], &peak_kib);
	qsort(elapsed_us, (size_t)runs, sizeof(elapsed_us[0]), compare_numbers);
	printf("%ld %ld %ld %d\n", elapsed_us[runs / 2], elapsed_us[0], peak_kib, status);
	return 0;
}
