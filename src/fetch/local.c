// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/local.h"

#include "base/error.h"

#include <errno.h>
#include <sys/stat.h>

bool local_is_regular(const char *path, struct error *err)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return error_errno(err, errno, "%s", path);
	if (!S_ISREG(status.st_mode))
		return error_set(err, "%s: not a regular file", path);
	return true;
}
