// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "engine/eal.h"
#include "engine/engine.h"
#include "engine/run.h"

#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG_MS 60000

static struct engine_ran run_job(struct arena *arena, struct engine_job job, const char *script)
{
	struct names argv = {0};
	struct engine_ran ran = {0};
	struct error err = {0};

	names_add(arena, &argv, "/bin/sh");
	names_add(arena, &argv, "-c");
	names_add(arena, &argv, script);
	job.argv = &argv;
	if (!job.timeout_ms)
		job.timeout_ms = LONG_MS;
	if (!engine_run_job(arena, &job, &ran, &err))
		fail_msg("%s", err.text);
	return ran;
}

/* Processes whose command line holds the mark. */
static size_t count_marked(const char *mark)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	size_t count = 0;

	assert_non_null(proc);
	while ((entry = readdir(proc))) {
		char path[300], text[4096];
		FILE *file;
		size_t size;

		snprintf(path, sizeof(path), "/proc/%s/cmdline", entry->d_name);
		file = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
		if (!file)
			continue;
		size = fread(text, 1, sizeof(text), file);
		fclose(file);
		count += size && memmem(text, size, mark, strlen(mark)) != NULL;
	}
	closedir(proc);
	return count;
}

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Five seconds at most for what the kernel does by itself. */
static bool becomes(const char *mark, size_t least, size_t most)
{
	for (unsigned i = 0; i < 500; i++) {
		size_t count = count_marked(mark);

		if (count >= least && count <= most)
			return true;
		wait_ms(10);
	}
	return false;
}

static void a_program_sees_only_what_it_is_given(void **state)
{
	struct arena arena = {0};
	struct names environment = {0};
	struct engine_ran ran;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	setenv("OPENSSL_armcap", "0", 1);
	names_add(&arena, &environment, "GIVEN=1");
	ran = run_job(&arena, (struct engine_job){.environment = &environment, .cpu = -1},
		      "/usr/bin/env | sort; cat; echo to stderr >&2; ulimit -c; exit 3");
	assert_int_equal(ran.status, 3);
	assert_non_null(view_find(ran.output, "GIVEN=1\nHOME=/\nLC_ALL=C\nPATH="));
	assert_null(view_find(ran.output, "armcap"));
	assert_non_null(view_find(ran.output, "to stderr\n0\n"));
	assert_true(ran.wall_ns > 0 && ran.cpu_ns > 0 && ran.peak_bytes > 0 && !ran.timed_out);
	unsetenv("OPENSSL_armcap");
	arena_release(&arena);
}

static void a_signal_is_told(void **state)
{
	struct arena arena = {0};

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_int_equal(run_job(&arena, (struct engine_job){.cpu = -1}, "kill -SEGV $$").status,
			 128 + SIGSEGV);
	arena_release(&arena);
}

static void what_is_not_there_cannot_be_started(void **state)
{
	struct arena arena = {0};
	struct names argv = {0};
	struct engine_job job = {.argv = &argv, .cpu = -1, .timeout_ms = LONG_MS};
	struct engine_ran ran;
	struct error err = {0};

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	names_add(&arena, &argv, "/nonexistent/program");
	assert_false(engine_run_job(&arena, &job, &ran, &err));
	assert_string_equal(err.text,
			    "/nonexistent/program: cannot start: No such file or directory");
	arena_release(&arena);
}

static void the_limit_ends_all_that_was_started(void **state)
{
	struct arena arena = {0};
	struct engine_ran ran;
	char mark[64], script[256];

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	snprintf(mark, sizeof(mark), "9%d.125", (int)getpid());
	snprintf(script, sizeof(script), "setsid sleep %s & (sleep %s &) ; echo some; sleep %s",
		 mark, mark, mark);
	ran = run_job(&arena, (struct engine_job){.cpu = -1, .timeout_ms = 500}, script);
	assert_true(ran.timed_out);
	assert_int_equal(ran.status, 128 + SIGKILL);
	assert_true(view_is(ran.output, "some\n"));
	assert_int_equal(count_marked(mark), 0);
	arena_release(&arena);
}

static void what_a_program_leaves_running_ends_with_it(void **state)
{
	struct arena arena = {0};
	char mark[64], script[256];

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	snprintf(mark, sizeof(mark), "9%d.25", (int)getpid());
	snprintf(script, sizeof(script), "(setsid sleep %s &); exit 0", mark);
	assert_int_equal(run_job(&arena, (struct engine_job){.cpu = -1}, script).status, 0);
	assert_int_equal(count_marked(mark), 0);
	arena_release(&arena);
}

/* SIGKILL cannot be caught: the kernel tells the keeper. */
static void nothing_lives_on_when_its_parent_is_killed(void **state)
{
	char mark[64], script[256];
	struct arena arena = {0};
	pid_t pid;

	(void)state;
	snprintf(mark, sizeof(mark), "9%d.5", (int)getpid());
	snprintf(script, sizeof(script), "setsid sleep %s & (sleep %s &) ; sleep %s", mark, mark,
		 mark);
	pid = fork();
	if (pid == 0) {
		arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
		run_job(&arena, (struct engine_job){.cpu = -1}, script);
		_exit(0);
	}
	/* The shell's own command line, and three that sleep. */
	assert_true(becomes(mark, 4, 4));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(becomes(mark, 0, 0));
}

static void endless_output_is_cut(void **state)
{
	struct arena arena = {0};
	struct engine_ran ran;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	ran = run_job(&arena, (struct engine_job){.cpu = -1}, "exec cat /dev/zero");
	assert_true(ran.cut);
	assert_false(ran.timed_out);
	assert_int_equal(ran.output.size, 1 << 20);
	arena_release(&arena);
}

static bool count_down(void *context)
{
	unsigned *left = context;

	return --*left > 0;
}

static void a_tick_can_end_it(void **state)
{
	struct arena arena = {0};
	unsigned left = 3;
	struct engine_ran ran;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	ran = run_job(&arena, (struct engine_job){.cpu = -1, .tick = count_down, .context = &left},
		      "sleep 60");
	assert_true(ran.interrupted);
	assert_int_equal(ran.status, 128 + SIGKILL);
	arena_release(&arena);
}

static unsigned first_cpu(void)
{
	cpu_set_t set;
	unsigned cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	while (!CPU_ISSET(cpu, &set))
		cpu++;
	return cpu;
}

/* A loop of the shell's own words is CPU time of one thread and nothing else. */
static void threads_are_seen_at_work(void **state)
{
	struct arena arena = {0};
	struct engine_ran ran;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	ran = run_job(&arena, (struct engine_job){.cpu = first_cpu()},
		      "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done");
	assert_int_equal(ran.status, 0);
	assert_int_equal(ran.thread_count, 1);
	assert_true(ran.threads[0].pinned);
	assert_int_equal(ran.threads[0].cpu, first_cpu());
	assert_string_equal(ran.threads[0].name, "sh");
	assert_true(ran.threads[0].cpu_ns > 0 && ran.threads[0].cpu_ns <= ran.cpu_ns);
	assert_true(ran.cpu_ns <= ran.wall_ns);
	arena_release(&arena);
}

static void directories_are_refused(void **state)
{
	struct arena arena = {0};
	char path[64], script[256];
	struct engine_ran ran;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	snprintf(path, sizeof(path), "/tmp/run-%d", (int)getpid());
	snprintf(script, sizeof(script), "mkdir %s", path);
	ran = run_job(&arena, (struct engine_job){.cpu = -1, .no_directories = true}, script);
	assert_non_null(view_find(ran.output, "Read-only file system"));
	assert_int_not_equal(access(path, F_OK), 0);
	run_job(&arena, (struct engine_job){.cpu = -1}, script);
	assert_int_equal(rmdir(path), 0);
	arena_release(&arena);
}

static void a_descriptor_is_inherited_when_it_is_named(void **state)
{
	struct arena arena = {0};
	FILE *file = tmpfile();
	struct engine_ran ran;
	char script[64];
	int fd;

	(void)state;
	assert_non_null(file);
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	fputs("inside\n", file);
	fflush(file);
	fd = fileno(file);
	snprintf(script, sizeof(script), "cat /proc/self/fd/%d", fd);
	ran = run_job(&arena, (struct engine_job){.cpu = -1, .keep = &fd, .keep_count = 1}, script);
	assert_true(view_is(ran.output, "inside\n"));
	assert_int_not_equal(run_job(&arena, (struct engine_job){.cpu = -1}, script).status, 0);
	fclose(file);
	arena_release(&arena);
}

static void a_mapped_file_is_seen(void **state)
{
	struct arena arena = {0};
	struct engine_job other = {.cpu = -1};
	struct engine_ran ran;
	char path[PATH_MAX];

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_non_null(realpath("/bin/sh", path));
	ran = run_job(&arena, (struct engine_job){.cpu = -1, .wants = path}, "sleep 0.3; exit 0");
	assert_true(ran.mapped);
	other.wants = arena_printf(&arena, "/opt%s", path);
	ran = run_job(&arena, other, "sleep 0.3; exit 0");
	assert_false(ran.mapped);
	assert_string_equal(ran.mapped_other, path);
	arena_release(&arena);
}

/* A process id that nothing has: of a child that has ended. */
static void directories_of_the_dead_are_removed(void **state)
{
	char top[] = "/tmp/run-XXXXXX", path[5][128];
	pid_t gone = fork();

	(void)state;
	if (gone == 0)
		_exit(0);
	assert_int_equal(waitpid(gone, NULL, 0), gone);
	assert_non_null(mkdtemp(top));
	snprintf(path[0], sizeof(path[0]), "%s/ampere-crypto-%d-0", top, (int)gone);
	snprintf(path[1], sizeof(path[1]), "%s/ampere-crypto-%d-1", top, (int)getpid());
	snprintf(path[2], sizeof(path[2]), "%s/ampere-crypto-1-0", top);
	snprintf(path[3], sizeof(path[3]), "%s/ampere-crypto-%d-0", top, (int)getppid());
	snprintf(path[4], sizeof(path[4]), "%s/rte", top);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(mkdir(path[i], 0700), 0);
	eal_clean(top);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(access(path[i], F_OK) == 0, i > 1);
	for (size_t i = 2; i < 5; i++)
		assert_int_equal(rmdir(path[i]), 0);
	assert_int_equal(rmdir(top), 0);
	eal_clean("/nonexistent");
}

static void jobs_run_at_once(void **state)
{
	struct arena arena = {0};
	struct names argv[2] = {{0}};
	struct engine_job jobs[2];
	struct engine_ran ran[2];
	struct error err = {0};
	char path[2][64];

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path[i], sizeof(path[i]), "/tmp/run-%d.%zu", (int)getpid(), i);
		assert_int_equal(mkfifo(path[i], 0600), 0);
	}
	/* Each waits for the other one. */
	for (size_t i = 0; i < 2; i++) {
		names_add(&arena, &argv[i], "/bin/sh");
		names_add(&arena, &argv[i], "-c");
		names_add(&arena, &argv[i],
			  i ? arena_printf(&arena, "cat %s; echo 1 >%s", path[1], path[0])
			    : arena_printf(&arena, "echo 0 >%s; cat %s", path[1], path[0]));
		jobs[i] = (struct engine_job){.argv = &argv[i], .cpu = -1, .timeout_ms = LONG_MS};
	}
	assert_true(engine_run_jobs(&arena, jobs, 2, ran, &err));
	assert_true(view_is(ran[0].output, "1\n"));
	assert_true(view_is(ran[1].output, "0\n"));
	unlink(path[0]);
	unlink(path[1]);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_sees_only_what_it_is_given),
		cmocka_unit_test(a_signal_is_told),
		cmocka_unit_test(what_is_not_there_cannot_be_started),
		cmocka_unit_test(the_limit_ends_all_that_was_started),
		cmocka_unit_test(what_a_program_leaves_running_ends_with_it),
		cmocka_unit_test(nothing_lives_on_when_its_parent_is_killed),
		cmocka_unit_test(endless_output_is_cut),
		cmocka_unit_test(a_tick_can_end_it),
		cmocka_unit_test(threads_are_seen_at_work),
		cmocka_unit_test(directories_are_refused),
		cmocka_unit_test(a_descriptor_is_inherited_when_it_is_named),
		cmocka_unit_test(a_mapped_file_is_seen),
		cmocka_unit_test(directories_of_the_dead_are_removed),
		cmocka_unit_test(jobs_run_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
