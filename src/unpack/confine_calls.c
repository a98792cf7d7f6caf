// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#define CLONE_FLAGS_ARGUMENT 0
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#define CLONE_FLAGS_ARGUMENT 0
#endif

#if defined(THIS_ARCH) && !CONFINE_HAS_SANITIZER

enum verdict {
	CALL_ALLOWED,
	CALL_IF_THREAD,     /* clone: a thread of this process only */
	CALL_IF_NOT_CODE,   /* mmap, mprotect: no memory that can be run */
	CALL_IF_NO_OPENAT2, /* openat: the kernel lacks openat2 */
	CALL_IS_ABSENT, /* clone3: its flags cannot be seen here, so the C library takes clone */
	CALL_KILLS,     /* nothing honest leads here */
};

struct rule {
	uint32_t call;
	enum verdict verdict;
};

#define INSTRUCTIONS_MAX 256
#define WORDS_PER_RULE_MAX 6

static const struct rule rules[] = {
	/* In the order of how often they come. */
	{SYS_futex, CALL_ALLOWED},
	{SYS_pwrite64, CALL_ALLOWED},
	{SYS_openat2, CALL_ALLOWED},
	{SYS_close, CALL_ALLOWED},
	{SYS_utimensat, CALL_ALLOWED},
	{SYS_pread64, CALL_ALLOWED},
	{SYS_mkdirat, CALL_ALLOWED},
	{SYS_write, CALL_ALLOWED},
	{SYS_ftruncate, CALL_ALLOWED},
	{SYS_symlinkat, CALL_ALLOWED},
	{SYS_linkat, CALL_ALLOWED},
	{SYS_openat, CALL_IF_NO_OPENAT2},
	{SYS_newfstatat, CALL_ALLOWED},
	{SYS_fstat, CALL_ALLOWED},
	{SYS_statx, CALL_ALLOWED},
	{SYS_getrandom, CALL_ALLOWED},
	{SYS_clock_gettime, CALL_ALLOWED},
	{SYS_brk, CALL_ALLOWED},
	{SYS_mmap, CALL_IF_NOT_CODE},
	{SYS_mprotect, CALL_IF_NOT_CODE},
	{SYS_munmap, CALL_ALLOWED},
	{SYS_mremap, CALL_ALLOWED},
	{SYS_madvise, CALL_ALLOWED},
	{SYS_clone, CALL_IF_THREAD},
	{SYS_clone3, CALL_IS_ABSENT},
	{SYS_set_robust_list, CALL_ALLOWED},
	{SYS_rseq, CALL_ALLOWED},
	{SYS_rt_sigprocmask, CALL_ALLOWED},
	{SYS_rt_sigreturn, CALL_ALLOWED},
	{SYS_restart_syscall, CALL_ALLOWED},
	{SYS_sched_yield, CALL_ALLOWED},
	{SYS_getpid, CALL_ALLOWED},
	{SYS_gettid, CALL_ALLOWED},
	{SYS_tgkill, CALL_ALLOWED}, /* abort() */
	{SYS_exit, CALL_ALLOWED},
	{SYS_exit_group, CALL_ALLOWED},
	{SYS_execve, CALL_KILLS},
	{SYS_execveat, CALL_KILLS},
	{SYS_socket, CALL_KILLS},
	{SYS_ptrace, CALL_KILLS},
	{SYS_process_vm_writev, CALL_KILLS},
};

struct program {
	struct sock_filter words[INSTRUCTIONS_MAX];
	unsigned short size;
};

static void put(struct program *program, uint16_t code, uint32_t k, uint8_t jt, uint8_t jf)
{
	program->words[program->size++] = (struct sock_filter){code, jt, jf, k};
}

static void load(struct program *program, size_t offset)
{
	put(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void give(struct program *program, uint32_t action)
{
	put(program, BPF_RET | BPF_K, action, 0, 0);
}

/* The low words of the arguments, on little-endian machines. */
static size_t argument(unsigned index)
{
	return offsetof(struct seccomp_data, args) + index * sizeof(uint64_t);
}

/* Allowed when the bits of an argument are set, or when they are not; else EPERM. */
static void put_bits(struct program *program, unsigned index, uint32_t bits, bool set)
{
	load(program, argument(index));
	put(program, BPF_JMP | BPF_JSET | BPF_K, bits, set ? 0 : 1, set ? 1 : 0);
	give(program, SECCOMP_RET_ALLOW);
	give(program, SECCOMP_RET_ERRNO | EPERM);
}

static void put_rule(struct program *program, const struct rule *rule, bool has_openat2)
{
	unsigned short jump = program->size;

	put(program, BPF_JMP | BPF_JEQ | BPF_K, rule->call, 0, 0);
	switch (rule->verdict) {
	case CALL_ALLOWED:
		give(program, SECCOMP_RET_ALLOW);
		break;
	case CALL_IF_THREAD:
		put_bits(program, CLONE_FLAGS_ARGUMENT, CLONE_THREAD, true);
		break;
	case CALL_IF_NOT_CODE:
		put_bits(program, 2, PROT_EXEC, false);
		break;
	case CALL_IF_NO_OPENAT2:
		give(program, has_openat2 ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_ALLOW);
		break;
	case CALL_IS_ABSENT:
		give(program, SECCOMP_RET_ERRNO | ENOSYS);
		break;
	case CALL_KILLS:
		give(program, SECCOMP_RET_KILL_PROCESS);
		break;
	}
	program->words[jump].jf = (uint8_t)(program->size - jump - 1);
}

const char *confine_calls(bool has_openat2)
{
	struct program program = {.size = 0};
	struct sock_fprog filter = {.filter = program.words};

	_Static_assert(sizeof(rules) / sizeof(rules[0]) * WORDS_PER_RULE_MAX < INSTRUCTIONS_MAX,
		       "the filter's room");
	load(&program, offsetof(struct seccomp_data, arch));
	put(&program, BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0);
	give(&program, SECCOMP_RET_KILL_PROCESS);
	load(&program, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		put_rule(&program, &rules[i], has_openat2);
	/* x32 numbers and all that is not in the table. */
	give(&program, SECCOMP_RET_ERRNO | EPERM);
	filter.len = program.size;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) < 0)
		return strerrordesc_np(errno);
	return NULL;
}

#else

const char *confine_calls(bool has_openat2)
{
	(void)has_openat2;
#if CONFINE_HAS_SANITIZER
	return "not in a build with sanitizers";
#else
	return "no filter for this architecture";
#endif
}

#endif
