// SPDX-License-Identifier: BSD-2-Clause
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool open_descriptor(struct view number, int *out, struct error *err)
{
	uint64_t fd;

	if (!view_u64(number, 10, &fd) || fd > INT_MAX)
		return error_exit(err, EXIT_USAGE, "fd:%.*s: want the number of a descriptor",
				  (int)number.size, number.at);
	if (fd <= STDERR_FILENO && fd != STDIN_FILENO)
		return error_exit(err, EXIT_USAGE, "fd:%llu: is written to, use another descriptor",
				  (unsigned long long)fd);
	*out = fcntl((int)fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (*out < 0)
		return error_exit(err, EXIT_USAGE, "fd:%llu: %s", (unsigned long long)fd,
				  strerror(errno));
	return true;
}

static bool open_private(const char *path, int *out, struct error *err)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return error_exit(err, EXIT_USAGE, "%s: %s", path, strerror(errno));
	*out = fd;
	if (fstat(fd, &status) < 0)
		return error_errno(err, errno, "%s", path);
	if (!S_ISREG(status.st_mode))
		return error_exit(err, EXIT_USAGE, "%s: is no regular file, use fd:N", path);
	if (status.st_uid != geteuid())
		return error_exit(err, EXIT_USAGE, "%s: belongs to user %u, it must be yours", path,
				  (unsigned)status.st_uid);
	if (status.st_mode & (S_IRWXG | S_IRWXO))
		return error_exit(err, EXIT_USAGE,
				  "%s: others than its owner may use it: chmod 600 %s", path, path);
	return true;
}

/* Into memory of the kernel, and out of this process's environment. */
static bool take_variable(char *value, int *out, struct error *err)
{
	size_t size = strlen(value);
	bool ok;

	*out = memfd_create("secret", MFD_CLOEXEC);
	ok = *out >= 0 && file_write_fd(*out, "secret", (struct view){value, size}, err) &&
	     lseek(*out, 0, SEEK_SET) == 0;
	explicit_bzero(value, size);
	return ok || error_errno(err, errno, "the secret cannot be kept");
}

bool file_open_secret(const char *from, const char *variable, int *out, struct error *err)
{
	char *value = getenv(variable);
	bool ok = true;

	*out = -1;
	if (from && view_starts(view_of(from), "fd:"))
		ok = open_descriptor(view_of(from + 3), out, err);
	else if (from)
		ok = open_private(from, out, err);
	else if (value && value[0])
		ok = take_variable(value, out, err);
	if (value)
		explicit_bzero(value, strlen(value));
	unsetenv(variable);
	if (ok)
		return true;
	if (*out >= 0)
		close(*out);
	*out = -1;
	return false;
}
