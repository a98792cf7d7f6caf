// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HELPER "ampere-crypto-nothing"

/* The directory of this test, which is installed nowhere. */
static void own_directory(char path[PATH_MAX])
{
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - 1);

	assert_true(size > 0);
	path[size] = '\0';
	*strrchr(path, '/') = '\0';
}

static void make_program(const char *path)
{
	scoped_fd int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);

	assert_true(fd >= 0);
}

static void a_helper_is_never_looked_for_in_path_or_here(void **state)
{
	char directory[] = "/tmp/test-file-XXXXXX", self[PATH_MAX];
	struct arena arena;
	const char *path;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	own_directory(self);
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chdir(directory), 0);
	make_program(HELPER);
	setenv("PATH", directory, 1);
	path = file_helper_path(&arena, "nothing");
	assert_int_equal(strncmp(path, self, strlen(self)), 0);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(unlink(HELPER), 0);
	assert_int_equal(rmdir(directory), 0);
	arena_release(&arena);
}

/* A build: src/cli/ampere-crypto beside src/fetch/ampere-crypto-fetch. */
static void a_helper_of_the_same_build_is_found(void **state)
{
	char self[PATH_MAX];
	struct arena arena;
	const char *folder, *program;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	own_directory(self);
	folder = arena_printf(&arena, "%s/../nothing", self);
	program = arena_printf(&arena, "%s/" HELPER, folder);
	assert_int_equal(mkdir(folder, 0755), 0);
	make_program(program);
	assert_string_equal(file_helper_path(&arena, "nothing"), program);
	assert_int_equal(unlink(program), 0);
	assert_int_equal(rmdir(folder), 0);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_helper_is_never_looked_for_in_path_or_here),
		cmocka_unit_test(a_helper_of_the_same_build_is_found),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
