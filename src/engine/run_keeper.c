// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/clock.h"
#include "base/process.h"
#include "engine/run_private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENVIRONMENT_MAX 64
#define CPUS_MAX 8192

static void tell(int fd, const struct run_report *report)
{
	/* Less than PIPE_BUF: whole or not at all. */
	while (write(fd, report, sizeof(*report)) < 0 && errno == EINTR)
		;
}

/* Calls by number are only compared when they are of this program's own architecture. */
static bool refuse_directories(void)
{
#if defined(__x86_64__)
	const uint32_t arch = AUDIT_ARCH_X86_64, mkdir_call = SYS_mkdir;
#elif defined(__aarch64__)
	const uint32_t arch = AUDIT_ARCH_AARCH64, mkdir_call = SYS_mkdirat;
#else
	const uint32_t arch = 0, mkdir_call = SYS_mkdirat;
#endif
	struct sock_filter words[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, mkdir_call, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdirat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EROFS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = sizeof(words) / sizeof(words[0]), .filter = words};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return false;
	/* The flag keeps older kernels from slowing a filtered program down (SSBD). */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		       &filter) == 0 ||
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

static bool pin(int64_t cpu)
{
	cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	bool pinned;

	if (!set || cpu >= CPUS_MAX)
		return false;
	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)cpu, size, set);
	pinned = sched_setaffinity(0, size, set) == 0;
	CPU_FREE(set);
	return pinned;
}

/* In the program's process; returns only when it cannot be. */
static void become(const struct engine_job *job, const char *const *argv, int output, pid_t parent)
{
	const char *environment[ENVIRONMENT_MAX + 4] = {
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C",
		"HOME=/"};
	const struct rlimit none = {0};
	size_t more = job->environment ? job->environment->count : 0;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t signals;

	for (size_t i = 0; i < more && i < ENVIRONMENT_MAX; i++)
		environment[3 + i] = job->environment->items[i];
	sigemptyset(&signals);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
	    dup2(output, STDERR_FILENO) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 ||
	    getppid() != parent || setrlimit(RLIMIT_CORE, &none) < 0)
		return;
	if (job->cpu >= 0 && !pin(job->cpu))
		return;
	syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
	for (size_t i = 0; i < job->keep_count; i++)
		fcntl(job->keep[i], F_SETFD, 0);
	if (job->no_directories)
		refuse_directories();
	/* execve's prototype lacks the const that its contract keeps. */
	execve(argv[0], (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)environment);
}

static int64_t timeval_ns(const struct timeval *time)
{
	return (int64_t)time->tv_sec * 1000000000 + (int64_t)time->tv_usec * 1000;
}

/* Until the program has ended; SIGTERM comes from us, or from the kernel when we are gone. */
static void wait_for(pid_t pid, const sigset_t *signals, struct run_report *report)
{
	struct rusage usage = {0};
	int status = 0;
	pid_t ended = 0;

	while (ended != pid) {
		if (sigwaitinfo(signals, NULL) == SIGTERM)
			kill(pid, SIGKILL);
		do
			ended = wait4(-1, &status, WNOHANG, &usage);
		while (ended > 0 && ended != pid);
		if (ended < 0 && errno == ECHILD)
			break;
	}
	report->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	report->cpu_ns = timeval_ns(&usage.ru_utime) + timeval_ns(&usage.ru_stime);
	report->involuntary = usage.ru_nivcsw;
	report->peak_bytes = (int64_t)usage.ru_maxrss * 1024;
}

_Noreturn void run_keep(const struct engine_job *job, const char *const *argv, int output,
			int report)
{
	pid_t self = getpid(), parent = getppid(), pid;
	struct run_report started = {.news = RUN_STARTED}, ended = {.news = RUN_ENDED};
	int64_t begin_ns = clock_ns();
	sigset_t signals;

	setpgid(0, 0);
	sigfillset(&signals);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 ||
	    getppid() != parent)
		_exit(1);
	pid = fork();
	if (pid == 0) {
		struct run_report failed = {.news = RUN_FAILED};

		errno = 0;
		become(job, argv, output, self);
		failed.number = errno ? errno : ESRCH;
		tell(report, &failed);
		_exit(127);
	}
	started.pid = pid;
	if (pid < 0)
		started = (struct run_report){.news = RUN_FAILED, .number = errno};
	close(output);
	tell(report, &started);
	if (pid > 0)
		wait_for(pid, &signals, &ended);
	ended.wall_ns = clock_ns() - begin_ns;
	process_end_children();
	tell(report, &ended);
	_exit(0);
}
