// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

/* Linked to every smoke.c: when it ends, says which files were mapped, that is, which libraries
 * were really loaded. */
__attribute__((destructor)) static void say_loaded(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[8192], last[8192] = "";

	printf("\n");
	while (maps && fgets(line, sizeof(line), maps)) {
		const char *path = strchr(line, '/');

		if (!path || strcmp(path, last) == 0)
			continue;
		snprintf(last, sizeof(last), "%s", path);
		printf("loaded %s", path);
	}
	if (maps)
		fclose(maps);
}
