// SPDX-License-Identifier: BSD-2-Clause
#include "base/file.h"
#include "engine/eal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Only what is empty and whose bench is gone goes; root's releases up to 23.03 ask no variable. */
void eal_clean(const char *directory)
{
	DIR *listing = opendir(directory);
	struct dirent *entry;

	while (listing && (entry = readdir(listing))) {
		struct view rest = view_of(entry->d_name), number;
		uint64_t pid;

		if (!view_starts(rest, EAL_PREFIX))
			continue;
		rest = (struct view){rest.at + strlen(EAL_PREFIX), rest.size - strlen(EAL_PREFIX)};
		if (!view_split(&rest, '-', &number) || !view_u64(number, 10, &pid) || pid < 2 ||
		    pid > INT32_MAX)
			continue;
		if ((pid_t)pid == getpid() || (kill((pid_t)pid, 0) < 0 && errno == ESRCH))
			unlinkat(dirfd(listing), entry->d_name, AT_REMOVEDIR);
	}
	if (listing)
		closedir(listing);
}
