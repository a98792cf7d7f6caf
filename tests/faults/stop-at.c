// SPDX-License-Identifier: BSD-2-Clause
// Runs a command and sends a signal when the N-th system call that changes something begins,
// counted over all processes of this project's programs: "stop-at REPORT N self|top SIGNAL
// COMMAND…". N 0 only counts. It ends when every process that the command started has ended,
// whoever their parents are by then. REPORT gets "CALLS STATUS", STATUS as a shell tells it.
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIDS_MAX = 4096, PROGRAM_SIZE = sizeof("ampere-crypto") - 1 };

static const long changing[] = {
	SYS_openat,   SYS_openat2,   SYS_write,      SYS_pwrite64,  SYS_writev,
	SYS_renameat, SYS_renameat2, SYS_linkat,     SYS_symlinkat, SYS_unlinkat,
	SYS_mkdirat,  SYS_fchmod,    SYS_fchmodat,   SYS_fchownat,  SYS_fchown,
	SYS_fsync,    SYS_syncfs,    SYS_ftruncate,  SYS_sendfile,  SYS_copy_file_range,
	SYS_clone,    SYS_unshare,   SYS_setresuid,  SYS_setresgid, SYS_execve,
	SYS_pipe2,    SYS_wait4,     SYS_exit_group, SYS_fcntl,     SYS_prctl,
#ifdef SYS_rename
	SYS_rename,   SYS_unlink,    SYS_mkdir,      SYS_rmdir,     SYS_symlink,
	SYS_chmod,    SYS_lchown,    SYS_open,       SYS_fork,      SYS_vfork,
#endif
};

struct tracee {
	pid_t pid;
	bool ours;
};

struct trace {
	struct tracee tracees[PIDS_MAX];
	size_t tracee_count;
	pid_t top;
	long calls, wanted;
	bool self;
	int signal, status;
};

static bool is_ours(pid_t pid)
{
	char path[64], program[PATH_MAX];
	const char *slash;
	ssize_t size;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	size = readlink(path, program, sizeof(program) - 1);
	if (size < 0)
		return false;
	program[size] = '\0';
	slash = strrchr(program, '/');
	return slash && strncmp(slash + 1, "ampere-crypto", PROGRAM_SIZE) == 0;
}

static struct tracee *find(struct trace *trace, pid_t pid)
{
	for (size_t i = 0; i < trace->tracee_count; i++) {
		if (trace->tracees[i].pid == pid)
			return &trace->tracees[i];
	}
	return NULL;
}

static void look(struct trace *trace, pid_t pid)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	for (size_t i = 0; i < sizeof(changing) / sizeof(changing[0]); i++) {
		if ((long)info.entry.nr == changing[i] && ++trace->calls == trace->wanted)
			kill(trace->self ? pid : trace->top, trace->signal);
	}
}

/* One stop of a process; the signal that it goes on with. */
static int handle(struct trace *trace, struct tracee *tracee, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;

	if (event == PTRACE_EVENT_EXEC)
		tracee->ours = is_ours(tracee->pid);
	if (signal == (SIGTRAP | 0x80)) {
		look(trace, tracee->pid);
		return 0;
	}
	return event ? 0 : signal;
}

static void follow(struct trace *trace)
{
	for (;;) {
		int status, signal = 0;
		pid_t pid = waitpid(-1, &status, __WALL);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return;
		struct tracee *tracee = find(trace, pid);

		if (!WIFSTOPPED(status)) {
			if (pid == trace->top)
				trace->status = WIFEXITED(status) ? WEXITSTATUS(status)
								  : 128 + WTERMSIG(status);
			if (tracee)
				*tracee = trace->tracees[--trace->tracee_count];
			continue;
		}
		if (tracee) {
			signal = handle(trace, tracee, status);
		} else if (trace->tracee_count < PIDS_MAX) {
			tracee = &trace->tracees[trace->tracee_count++];
			*tracee = (struct tracee){pid, is_ours(pid)};
		}
		bool counts =
			tracee && tracee->ours && (!trace->wanted || trace->calls < trace->wanted);

		ptrace(counts ? PTRACE_SYSCALL : PTRACE_CONT, pid, NULL, (long)signal);
	}
}

static int start(char **argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execv(argv[0], argv);
		_exit(127);
	}
	return pid;
}

int main(int argc, char **argv)
{
	struct trace *trace = calloc(1, sizeof(*trace));
	FILE *report;
	int status;

	if (argc < 6 || !trace)
		return 64;
	trace->wanted = strtol(argv[2], NULL, 10);
	trace->self = strcmp(argv[3], "self") == 0;
	trace->signal = (int)strtol(argv[4], NULL, 10);
	trace->top = start(argv + 5);
	if (trace->top < 0 || waitpid(trace->top, &status, 0) != trace->top)
		return 2;
	ptrace(PTRACE_SETOPTIONS, trace->top, NULL,
	       (long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		      PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC));
	trace->tracees[trace->tracee_count++] = (struct tracee){trace->top, false};
	ptrace(PTRACE_CONT, trace->top, NULL, NULL);
	follow(trace);
	report = fopen(argv[1], "we");
	if (!report)
		return 2;
	fprintf(report, "%ld %d\n", trace->calls, trace->status);
	return fclose(report) ? 2 : 0;
}
