// SPDX-License-Identifier: BSD-2-Clause
// Loaded with LD_PRELOAD into a guest's program, where nothing can trace it: kills it when the N-th
// call that changes something begins, N from KILL_AT; 0 only counts, and the number is written to
// KILL_COUNT at the end. With EAT_MB, the first value that is written into a file of the kernel
// finds that much memory less: somebody else took it since the values were planned, and gives it
// back when that is written.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static long calls;
static bool eaten;

static void count(void)
{
	const char *at = getenv("KILL_AT");

	if (++calls == (at ? strtol(at, NULL, 10) : 0))
		kill(getpid(), SIGKILL);
}

/* The process that holds the memory; 0: none. */
static pid_t eat(void)
{
	const char *text = getenv("EAT_MB");
	size_t size = text ? strtoul(text, NULL, 10) << 20 : 0;
	int ends[2];
	char byte;
	pid_t pid;

	if (!size || eaten || pipe(ends) < 0)
		return 0;
	eaten = true;
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED | MAP_POPULATE, -1,
			 0) == MAP_FAILED)
			_exit(1);
		close(ends[0]);
		close(ends[1]);
		for (;;)
			pause();
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 0)
		abort();
	close(ends[0]);
	return pid;
}

/* Given back at once: what goes on with next to no memory is ended by the kernel. */
static void give_back(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t size)
{
	count();
	return NEXT(write)(fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	count();
	pid_t pid = eat();
	ssize_t written = NEXT(pwrite)(fd, bytes, size, offset);

	give_back(pid);
	return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
	count();
	pid_t pid = eat();
	ssize_t written = NEXT(pwrite64)(fd, bytes, size, offset);

	give_back(pid);
	return written;
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list rest;

	va_start(rest, flags);
	mode_t mode = va_arg(rest, mode_t);

	va_end(rest);
	count();
	return NEXT(openat)(folder, path, flags, mode);
}

int renameat(int from, const char *old, int to, const char *new)
{
	count();
	return NEXT(renameat)(from, old, to, new);
}

int unlinkat(int folder, const char *path, int flags)
{
	count();
	return NEXT(unlinkat)(folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
	count();
	return NEXT(mkdirat)(folder, path, mode);
}

int fsync(int fd)
{
	count();
	return NEXT(fsync)(fd);
}

int mount(const char *source, const char *target, const char *type, unsigned long flags,
	  const void *data)
{
	count();
	return NEXT(mount)(source, target, type, flags, data);
}

int umount2(const char *target, int flags)
{
	count();
	return NEXT(umount2)(target, flags);
}

pid_t fork(void)
{
	count();
	return NEXT(fork)();
}

__attribute__((destructor)) static void report(void)
{
	const char *path = getenv("KILL_COUNT");
	FILE *file = path ? fopen(path, "we") : NULL;

	if (!file)
		return;
	fprintf(file, "%ld\n", calls);
	fclose(file);
}
