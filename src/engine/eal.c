// SPDX-License-Identifier: BSD-2-Clause
#include "engine/eal.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MB ((int64_t)1 << 20)
#define BASE_BYTES (64 * MB) /* rings, sessions, devices, before any pool */

/* CPUs of a node that lcores may have. */
static size_t usable(const struct eal_host *host, const struct eal_node *node)
{
	return host->threads ? node->cpu_count : node->core_count;
}

/* Workers that a node has room for beside a main lcore. One core with two threads is better than
 * nothing: its main lcore then spins on the sibling. */
static size_t room(const struct eal_host *host, const struct eal_node *node)
{
	size_t cpus = usable(host, node);

	if (cpus == 1 && node->cpu_count > 1)
		return 1;
	cpus = cpus ? cpus - 1 : 0;
	return cpus < EAL_WORKERS_MAX ? cpus : EAL_WORKERS_MAX;
}

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* The main lcore spins: it takes no isolated core while others are there, and the lowest number,
 * as that CPU serves interrupts, too. */
static void choose(struct arena *arena, const struct eal_host *host, const struct eal_node *node,
		   size_t workers, struct eal_process *out)
{
	size_t cpus = usable(host, node), main_at = node->isolated < cpus ? node->isolated : 0;

	if (cpus < 2)
		main_at = 1;
	if (node->isolated >= cpus && cpus > workers)
		main_at = cpus - 1;
	*out = (struct eal_process){.node = node,
				    .main_cpu = node->cpus[main_at],
				    .workers = arena_array(arena, uint32_t, workers)};
	for (size_t i = 0; out->worker_count < workers && i < node->cpu_count; i++) {
		if (i != main_at)
			out->workers[out->worker_count++] = node->cpus[i];
	}
	out->shares_core = cpus < 2 || workers >= node->core_count;
	qsort(out->workers, workers, sizeof(*out->workers), by_number);
}

static int64_t round_up(int64_t bytes, int64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static void choose_memory(struct arena *arena, const struct eal_host *host, int64_t pool_bytes,
			  struct eal_process *process)
{
	const struct eal_node *node = process->node;
	int64_t need = BASE_BYTES + (int64_t)process->worker_count * pool_bytes;

	process->huge = node->huge_page_bytes > 0 &&
			round_up(need, node->huge_page_bytes) <= node->huge_bytes;
	process->memory_bytes = round_up(need, process->huge ? node->huge_page_bytes : MB);
	if (process->huge)
		return;
	process->why_no_huge = host->why_no_huge;
	if (node->huge_bytes)
		process->why_no_huge =
			arena_printf(arena,
				     "node %" PRIu32 " has %" PRId64
				     " MB of free huge pages, %" PRId64 " MB are needed",
				     node->id, node->huge_bytes / MB, round_up(need, MB) / MB);
	else if (!process->why_no_huge)
		process->why_no_huge =
			arena_printf(arena, "node %" PRIu32 " has no free huge pages", node->id);
}

/* `used` nodes have room for workers, `total` in all. */
static const char *too_many(struct arena *arena, const struct eal_host *host, size_t cores,
			    size_t used)
{
	size_t cpus = 0, many = used ? used : 1;
	bool limited = false, siblings = false;

	for (size_t i = 0; i < host->node_count; i++) {
		const struct eal_node *node = &host->nodes[i];

		cpus += usable(host, node);
		limited |= usable(host, node) > EAL_WORKERS_MAX + 1;
		siblings |= !host->threads && node->cpu_count > node->core_count;
	}
	if (limited && cores + many <= cpus)
		return arena_printf(arena,
				    "%zu workers are more than the %d of one process per node",
				    cores, EAL_WORKERS_MAX);
	return arena_printf(
		arena, "%s %zu %s, as the main lcore%s spins on one; %zu may be used",
		cores == 1 ? "a worker wants" : arena_printf(arena, "%zu workers want", cores),
		cores + many, siblings ? "cores" : "CPUs", many > 1 ? " of each node" : "", cpus);
}

/* Nodes with the most room first, then by number; `nodes` is a copy. */
static void order_nodes(const struct eal_host *host, const struct eal_node **nodes)
{
	for (size_t i = 0; i < host->node_count; i++) {
		const struct eal_node *node = &host->nodes[i];
		size_t at = i;

		for (; at && room(host, nodes[at - 1]) < room(host, node); at--)
			nodes[at] = nodes[at - 1];
		nodes[at] = node;
	}
}

/* Evenly; what a smaller node has no room for goes to the larger ones, which stand first. */
static void share_out(const struct eal_host *host, const struct eal_node *const *nodes,
		      size_t count, size_t cores, size_t *shares)
{
	for (size_t i = count; i-- > 0;) {
		size_t even = cores / (i + 1), most = room(host, nodes[i]);

		shares[i] = even < most ? even : most;
		cores -= shares[i];
	}
	/* The rest of the division, one each. */
	for (size_t i = 0; cores && i < count; i++) {
		size_t more = room(host, nodes[i]) - shares[i];

		more = more < cores ? more : cores;
		shares[i] += more;
		cores -= more;
	}
}

static const char *too_large(struct arena *arena, const struct eal_host *host,
			     const struct eal_plan *plan)
{
	int64_t need = 0;

	for (size_t i = 0; i < plan->count; i++)
		need += plan->processes[i].huge ? 0 : plan->processes[i].memory_bytes;
	if (!host->available_bytes || need <= host->available_bytes)
		return NULL;
	return arena_printf(arena, "the pools need %" PRId64 " MB, %" PRId64 " MB are available",
			    need / MB, host->available_bytes / MB);
}

void eal_plan_cores(struct arena *arena, const struct eal_host *host, size_t cores, bool spread,
		    int64_t pool_bytes, struct eal_plan *out)
{
	const struct eal_node **nodes =
		arena_array(arena, const struct eal_node *, host->node_count + 1);
	size_t *shares = arena_array(arena, size_t, host->node_count + 1);
	size_t total = 0, count = 0;

	*out = (struct eal_plan){.cores = cores};
	order_nodes(host, nodes);
	while (count < host->node_count && (spread ? count < cores : total < cores)) {
		if (!room(host, nodes[count]))
			break;
		total += room(host, nodes[count++]);
	}
	if (!cores || total < cores) {
		out->na = cores ? too_many(arena, host, cores, count) : "no cores were asked for";
		return;
	}
	share_out(host, nodes, count, cores, shares);
	out->processes = arena_array(arena, struct eal_process, count);
	for (size_t i = 0; i < count; i++) {
		choose(arena, host, nodes[i], shares[i], &out->processes[i]);
		choose_memory(arena, host, pool_bytes, &out->processes[i]);
	}
	out->count = count;
	out->na = too_large(arena, host, out);
	if (out->na)
		out->count = 0;
}

static void add(struct arena *arena, struct names *out, const char *const *words)
{
	for (; *words; words++)
		names_add(arena, out, *words);
}

/*
 * Nothing stays behind in the file system: no configuration and no sockets (--no-shconf,
 * --no-telemetry, which --in-memory implies in part), no files in hugetlbfs (--in-memory). With
 * either, EAL goes on when its runtime directory cannot be made, and engine_job.no_directories sees
 * to that. --no-huge is --legacy-mem, which refuses --in-memory.
 * lib/eal/common/eal_common_options.c and lib/eal/linux/eal.c of 22.11.
 */
void eal_argv(struct arena *arena, const struct eal_process *process, const char *device,
	      const char *prefix, struct names *out)
{
	struct buffer lcores = buffer_new(arena, 16 << 10);

	buffer_printf(&lcores, "0@%" PRIu32, process->main_cpu);
	for (size_t i = 0; i < process->worker_count; i++)
		buffer_printf(&lcores, ",%zu@%" PRIu32, i + 1, process->workers[i]);
	add(arena, out, (const char *const[]){"--lcores", buffer_string(&lcores), NULL});
	if (process->huge)
		add(arena, out, (const char *const[]){"--in-memory", NULL});
	else
		add(arena, out,
		    (const char *const[]){
			    "--no-huge", "-m",
			    arena_printf(arena, "%" PRId64, process->memory_bytes / MB),
			    "--no-shconf", NULL});
	add(arena, out,
	    (const char *const[]){"--no-pci", "--no-telemetry", "--iova-mode=va", "--file-prefix",
				  prefix, "--vdev",
				  arena_printf(arena,
					       "%s,max_nb_queue_pairs=%zu,socket_id=%" PRIu32,
					       device, process->worker_count, process->node->id),
				  NULL});
}
