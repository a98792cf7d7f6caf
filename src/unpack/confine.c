// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/confine.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Landlock as of Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h of
 * Linux 6.12; spelled here because the headers of a build may be older than the kernel of a run.
 */
#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446
#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH 1

#define FS_WRITE_FILE (1u << 1)
#define FS_READ_FILE (1u << 2)
#define FS_MAKE_DIR (1u << 7)
#define FS_MAKE_REG (1u << 8)
#define FS_MAKE_SYM (1u << 12)
#define FS_REFER (1u << 13)
#define FS_TRUNCATE (1u << 14)
/* Execute, write, read, list, remove twice, make seven kinds: what the first version knows. */
#define FS_FIRST ((1u << 13) - 1)
#define FS_NEEDED                                                                                  \
	(FS_WRITE_FILE | FS_READ_FILE | FS_MAKE_DIR | FS_MAKE_REG | FS_MAKE_SYM | FS_REFER |       \
	 FS_TRUNCATE)

#define NET_TCP 3u    /* bind and connect */
#define SCOPE_BOTH 3u /* abstract sockets and signals */
#define VERSION_NET 4
#define VERSION_IOCTL 5
#define VERSION_SCOPE 6

struct ruleset {
	uint64_t files;
	uint64_t net;   /* from version 4 */
	uint64_t scope; /* from version 6 */
};

struct path_rule {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

/* Rights that came with a version of their own. */
static const struct {
	int version;
	uint32_t right;
} later_rights[] = {{2, FS_REFER}, {3, FS_TRUNCATE}, {VERSION_IOCTL, 1u << 15}};

static size_t ruleset_size(int version)
{
	if (version >= VERSION_SCOPE)
		return sizeof(struct ruleset);
	return version >= VERSION_NET ? offsetof(struct ruleset, scope)
				      : offsetof(struct ruleset, net);
}

static const char *restrict_self(int ruleset, int destination, uint64_t files)
{
	struct path_rule rule = {.allowed = FS_NEEDED & files, .parent = destination};

	if (syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0 ||
	    syscall(CALL_RESTRICT_SELF, ruleset, 0) < 0)
		return strerrordesc_np(errno);
	return NULL;
}

const char *confine_files(int destination)
{
	struct ruleset rules = {.files = FS_FIRST, .net = NET_TCP, .scope = SCOPE_BOTH};
	long version = syscall(CALL_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
	const char *why;
	int ruleset;

	if (version < 1)
		return version < 0 ? strerrordesc_np(errno) : "no version";
	for (size_t i = 0; i < sizeof(later_rights) / sizeof(later_rights[0]); i++)
		if (version >= later_rights[i].version)
			rules.files |= later_rights[i].right;
	ruleset = (int)syscall(CALL_CREATE_RULESET, &rules, ruleset_size((int)version), 0);
	if (ruleset < 0)
		return strerrordesc_np(errno);
	why = restrict_self(ruleset, destination, rules.files);
	close(ruleset);
	return why;
}

void confine(int destination, bool has_openat2, struct buffer *missing)
{
	const char *why;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
		buffer_printf(missing, "no_new_privs, Landlock, seccomp (%s)",
			      strerrordesc_np(errno));
		return;
	}
	why = confine_files(destination);
	if (why)
		buffer_printf(missing, "Landlock (%s)", why);
	why = confine_calls(has_openat2);
	if (why)
		buffer_printf(missing, "%sseccomp (%s)", missing->size ? ", " : "", why);
}
