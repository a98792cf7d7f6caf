// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct arena;
struct error;

/* A job whose log becomes larger is ended, as if by SIGXFSZ. */
#define SANDBOX_LOG_MAX_BYTES ((off_t)64 << 20)

/*
 * Runs what others wrote (configure scripts, makefiles, compilers, built programs): argv, no shell,
 * standard input empty, both outputs into a log, an environment of its own, no network. Started by
 * root it runs as a user that owns nothing but the working directory, in PID, network and IPC
 * namespaces of its own, so that ending it ends all it started. What the kernel does not give is
 * said once by sandbox_limits().
 */
struct sandbox {
	uid_t uid; /* who runs: of root's choosing, or the caller */
	gid_t gid;
	bool drop;           /* started by root: become uid */
	const char *missing; /* what this kernel does not give, for people; NULL: nothing */
	/* Called every second while a job runs; may be NULL. */
	void (*tick)(void *context);
	void *context;
};

struct sandbox_job {
	const char *const *argv;         /* NULL-terminated; argv[0] is looked up on PATH */
	const struct names *environment; /* "NAME=VALUE" beside PATH, HOME, LC_ALL, TMPDIR */
	const char *in;                  /* working directory */
	const char *home;                /* HOME and TMPDIR: a directory of the job */
	int log;                         /* both outputs */
	bool network;                    /* fetching with git only */
	unsigned timeout_s;              /* 0: none */
};

/* as_root: --build-as-root. */
bool sandbox_open(struct arena *arena, bool as_root, struct sandbox *out, struct error *err);
/* The exit status, 128 + signal; 124 when it ran over its time. An error when it cannot start. */
bool sandbox_run(const struct sandbox *sandbox, struct arena *arena, const struct sandbox_job *job,
		 int *exit_status, struct error *err);
/* Runs a function of ours as the job's user, in a process of its own: paths below the working
 * directory are in the hands of what was built there. */
bool sandbox_call(const struct sandbox *sandbox, bool (*function)(void *context, struct error *err),
		  void *context, struct error *err);
/* Becomes the user of the jobs, for good: in a child. */
bool sandbox_become(const struct sandbox *sandbox);
/* In a child, after that: ends with its parent, and at once when that has ended already. */
void sandbox_follow(pid_t parent);
/* Whether the jobs can read a directory: every one above it must let them pass. The error names
 * the first that does not, and what to do. */
bool sandbox_reaches(const struct sandbox *sandbox, const char *directory, struct error *err);
/* Makes a directory that the jobs may write to. */
bool sandbox_directory(const struct sandbox *sandbox, const char *path, struct error *err);
