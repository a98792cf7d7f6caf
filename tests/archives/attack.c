// SPDX-License-Identifier: BSD-2-Clause
/*
 * Loaded beside the helper: when the archive is opened for reading, tries what $ATTACK says and
 * tells on standard output whether it was possible. The helper is confined by then.
 */
#include <archive.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUT "/proc/self/cwd/beside/"

static bool try_write(void)
{
	return open("beside/secret", O_WRONLY) >= 0 ||
	       open("beside/secret", O_WRONLY | O_APPEND) >= 0;
}

static bool try_read(void)
{
	return open("beside/secret", O_RDONLY) >= 0 || open("/etc/passwd", O_RDONLY) >= 0;
}

static bool try_make(void)
{
	return open("beside/new", O_WRONLY | O_CREAT, 0600) >= 0 ||
	       mkdir("beside/new", 0700) == 0 || symlink("x", "beside/new") == 0 ||
	       mkdirat(3, "../beside/new", 0700) == 0;
}

static bool try_link(void)
{
	return link("beside/secret", "beside/new") == 0 ||
	       linkat(AT_FDCWD, "beside/secret", 3, "new", 0) == 0;
}

static bool try_unlink(void)
{
	return unlink("beside/secret") == 0 || rename("beside/secret", "beside/new") == 0 ||
	       rmdir("beside/deep") == 0;
}

static bool try_truncate(void)
{
	return truncate("beside/secret", 0) == 0;
}

/* Landlock does not judge modes; where seccomp is away nothing else does. */
static bool try_chmod(void)
{
	return mknodat(3, "fifo", S_IFIFO | 0600, 0) == 0 || unlinkat(3, ".", AT_REMOVEDIR) == 0;
}

static bool try_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0) != MAP_FAILED;
}

static bool try_fork(void)
{
	return fork() >= 0;
}

static bool try_kill(void)
{
	return kill(getppid(), 0) == 0;
}

static bool try_exec(void)
{
	return execl("/bin/true", "true", NULL) == 0;
}

static bool try_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool try_ptrace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

/* What is allowed: otherwise the failures above would prove nothing. */
static bool try_inside(void)
{
	return mkdirat(3, "inside", 0755) == 0;
}

static const struct {
	const char *name;
	bool (*run)(void);
} attacks[] = {
	{"write", try_write},   {"read", try_read},     {"make", try_make},
	{"link", try_link},     {"unlink", try_unlink}, {"truncate", try_truncate},
	{"chmod", try_chmod},   {"code", try_code},     {"fork", try_fork},
	{"kill", try_kill},     {"exec", try_exec},     {"socket", try_socket},
	{"ptrace", try_ptrace}, {"inside", try_inside},
};

static void say(const char *line)
{
	if (write(STDOUT_FILENO, line, strlen(line)) < 0)
		_exit(99);
}

int archive_read_support_format_tar(struct archive *archive)
{
	int (*real)(struct archive *);
	const char *wanted = getenv("ATTACK");

	for (size_t i = 0; wanted && i < sizeof(attacks) / sizeof(attacks[0]); i++)
		if (strcmp(attacks[i].name, wanted) == 0)
			say(attacks[i].run() ? "attack\tdone\n" : "attack\tfailed\n");
	*(void **)&real = dlsym(RTLD_NEXT, "archive_read_support_format_tar");
	return real(archive);
}
