// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * What tests/kat/flip.c asks its environment for, fixed when the library is built, as bench clears
 * the environment of what it measures. FAULT_ONLY "unmasked": only with the core's instructions;
 * "again": only in `answers` after a `measure`, which leaves FAULT_MARK.
 */
char *fault_word(const char *name);

static int has_word(const char *word)
{
	char words[4096];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? 0 : read(fd, words, sizeof(words));

	close(fd);
	return size > 0 && memmem(words, (size_t)size, word, strlen(word) + 1) != NULL;
}

static int applies(void)
{
	if (!strcmp(FAULT_ONLY, "unmasked"))
		return !getenv("OPENSSL_ia32cap") && !getenv("OPENSSL_armcap");
	if (strcmp(FAULT_ONLY, "again") != 0)
		return 1;
	if (has_word("measure"))
		close(open(FAULT_MARK, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	return has_word("answers") && access(FAULT_MARK, F_OK) == 0;
}

char *fault_word(const char *name)
{
	static int known, now;

	if (!known)
		now = applies();
	known = 1;
	if (!strcmp(name, "FLIP"))
		return now ? FAULT_FUNCTION : NULL;
	return !strcmp(name, "FLIP_WHEN") ? FAULT_WHEN : FAULT_REAL;
}
