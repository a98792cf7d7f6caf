// SPDX-License-Identifier: BSD-2-Clause
#include "cli/audit_measure.h"

#include "base/file.h"
#include "base/process.h"
#include "cli/command.h"
#include "engine/eal.h"
#include "engine/kat.h"
#include "host/host.h"
#include "host/topology.h"

/* Ten samples of 5 ms are the clock of a node; half a second a node with its walks. */
#define BATCH_US 5000
#define BATCHES 10
#define TIMEOUT_MS 20000
#define OUTPUT_MAX ((size_t)64 << 10)
/* More than any L2 of Ampere (2 MiB) and less than any SLC (16 MiB); and the most we take, which is
 * more than the SLC of Altra (32 MiB). */
#define NEAR_BYTES ((int64_t)8 << 20)
#define FAR_BYTES ((int64_t)64 << 20)
#define FAR_BYTES_LEAST ((int64_t)32 << 20)
/* Of what is available. */
#define MEMORY_SHARE 8

/* Walks that memory allows; 0: it is not known how much there is. */
static size_t choose_walks(int64_t available_bytes, struct kat_case *walks)
{
	int64_t most = available_bytes / MEMORY_SHARE, far = most < FAR_BYTES ? most : FAR_BYTES;
	size_t count = 0;

	if (most < NEAR_BYTES)
		return 0;
	walks[count++] = (struct kat_case){"stride-64", NEAR_BYTES};
	walks[count++] = (struct kat_case){"stride-256", NEAR_BYTES};
	walks[count++] = (struct kat_case){"chase", NEAR_BYTES};
	if (far >= FAR_BYTES_LEAST)
		walks[count++] = (struct kat_case){"chase", far - far % NEAR_BYTES};
	return count;
}

static void keep(struct arena *arena, const struct kat_output *output, struct measure_node *node)
{
	struct measure_batch *batches =
		arena_array(arena, struct measure_batch, output->batch_count + 1);

	for (size_t i = 0; i < output->batch_count; i++) {
		const struct kat_batch *batch = &output->batches[i];

		batches[i] = (struct measure_batch){
			batch->name,   batch->size_bytes, batch->ops,  batch->wall_ns,
			batch->cpu_ns, batch->switches,   batch->steal};
	}
	node->batches = batches;
	node->batch_count = output->batch_count;
	node->clocks_hz = output->clock_hz;
	node->clock_count = output->clock_count;
	node->clock_source = output->clock_source ? output->clock_source : "chain";
}

/* NULL, or why there is nothing. */
static const char *measure_one(struct arena *arena, const struct kat_request *request,
			       struct measure_node *node)
{
	struct names argv = {0};
	struct process_result ran;
	struct kat_output output;
	struct error err = {0};

	kat_argv(arena, request, &argv);
	names_add(arena, &argv, NULL);
	if (!process_run(arena, argv.items, (struct view){NULL, 0}, TIMEOUT_MS, OUTPUT_MAX, &ran,
			 &err))
		return arena_strdup(arena, err.text);
	if (ran.timed_out)
		return arena_printf(arena, "CPU %lld: measuring took over %d s",
				    (long long)node->cpu, TIMEOUT_MS / 1000);
	if (!kat_parse(arena, ran.output, &output, &err))
		return arena_printf(arena, "%s: %s", request->helper, err.text);
	if (output.error)
		return output.error;
	keep(arena, &output, node);
	return NULL;
}

/* The first CPU that the scheduler uses: an isolated one has its own work. */
static int64_t choose_cpu(const struct eal_node *node)
{
	return node->cpus[node->isolated < node->cpu_count ? node->isolated : 0];
}

const struct measure *audit_measure(struct cli *cli)
{
	struct arena *arena = &cli->arena;
	struct measure *measure = arena_new(arena, struct measure);
	struct kat_case walks[4];
	struct kat_request request = {.helper = file_helper_path(arena, "kat-bench"),
				      .mode = "machine",
				      .batch_us = BATCH_US,
				      .batches = BATCHES,
				      .cases = walks};
	struct eal_host host;
	struct error err = {0};

	if (!eal_host_read(cli->facts->host, &host, &err)) {
		measure->why = arena_strdup(arena, err.text);
		return measure;
	}
	request.case_count = choose_walks(host.available_bytes, walks);
	measure->nodes = arena_array(arena, struct measure_node, host.node_count);
	for (size_t i = 0; i < host.node_count; i++) {
		struct measure_node *node = &measure->nodes[measure->count++];

		node->node = host_topology(cli->facts->host)->node_count ? (int64_t)host.nodes[i].id
									 : -1;
		node->cpu = choose_cpu(&host.nodes[i]);
		request.cpu = node->cpu;
		node->error = measure_one(arena, &request, node);
	}
	return measure;
}
