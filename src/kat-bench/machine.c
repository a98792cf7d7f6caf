// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/machine.h"

#include "base/error.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MAX 8192
/* The line of a CPU is within the first part: 8192 CPUs of at most 120 bytes. */
#define STAT_BYTES_MAX ((size_t)1 << 20)
/* "cpuN user nice system idle iowait irq softirq steal": proc(5). */
#define STEAL_COLUMN 8

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t machine_clock_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t machine_cpu_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

bool machine_open(int64_t cpu, struct machine *out, struct error *err)
{
	cpu_set_t set[CPUS_MAX / CPU_SETSIZE];

	*out = (struct machine){.cpu = cpu, .stat = -1};
	if (cpu < 0)
		return true;
	if (cpu >= CPUS_MAX)
		return error_set(err, "CPU %lld: there are %d at most", (long long)cpu, CPUS_MAX);
	CPU_ZERO_S(sizeof(set), set);
	CPU_SET_S((size_t)cpu, sizeof(set), set);
	if (sched_setaffinity(0, sizeof(set), set) < 0)
		return error_errno(err, errno,
				   "CPU %lld is not given to this process; see "
				   "Cpus_allowed_list in /proc/self/status",
				   (long long)cpu);
	out->stat = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	return true;
}

/* -1: not known. */
static int64_t read_steal(const struct machine *machine)
{
	static const size_t piece_bytes = 32 << 10;
	char name[32], piece[32 << 10];
	struct view text, line, word;
	int64_t steal = -1;

	if (machine->stat < 0)
		return -1;
	snprintf(name, sizeof(name), "cpu%lld", (long long)machine->cpu);
	for (off_t at = 0; at < (off_t)STAT_BYTES_MAX;) {
		ssize_t got = pread(machine->stat, piece, piece_bytes, at);

		if (got <= 0)
			return -1;
		text = (struct view){piece, (size_t)got};
		while (view_line(&text, &line)) {
			/* The last line of a piece may go on in the next one. */
			if (!text.size && line.at + line.size == piece + piece_bytes) {
				if (line.at == piece)
					return -1;
				break;
			}
			at += (off_t)line.size + 1;
			if (!view_word(&line, &word) || !view_is(word, name))
				continue;
			for (int i = 0; i < STEAL_COLUMN; i++)
				view_word(&line, &word);
			return view_i64(word, &steal) ? steal : -1;
		}
	}
	return -1;
}

static int64_t read_switches(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) < 0 ? 0 : usage.ru_nivcsw;
}

struct moment machine_before(const struct machine *machine)
{
	struct moment now = {.steal = read_steal(machine), .switches = read_switches()};

	now.cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
	now.wall_ns = read_clock(CLOCK_MONOTONIC);
	return now;
}

struct moment machine_after(const struct machine *machine)
{
	struct moment now = {.wall_ns = read_clock(CLOCK_MONOTONIC)};

	now.cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
	now.switches = read_switches();
	now.steal = read_steal(machine);
	return now;
}
