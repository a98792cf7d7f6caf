// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A program of a prefix that is a script beside it, PROGRAM.py: bench looks for ELF files. */
int main(int argc, char **argv)
{
	char self[PATH_MAX], script[PATH_MAX + 8];
	char **words = calloc((size_t)argc + 4, sizeof(*words));
	ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (size < 0 || !words)
		return 126;
	self[size] = '\0';
	snprintf(script, sizeof(script), "%s.py", self);
	words[0] = "python3";
	words[1] = "-IB";
	words[2] = script;
	for (int i = 1; i < argc; i++)
		words[i + 2] = argv[i];
	execv("/usr/bin/python3", words);
	return 126;
}
