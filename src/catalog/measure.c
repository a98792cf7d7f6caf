// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/measure.h"

#include "base/arena.h"
#include "catalog/profile.h"
#include "host/redfish.h"

#include <string.h>

#define CLOCK "clock"
/* Below it the core was not ours; what is counted over CPU time still runs on cold caches. */
#define SHARE_LEAST 0.97
/* A governor that moves, or a limit that sets in: no single number is the clock. */
#define SPREAD_MOST 0.02
/* A line in random order against one that a prefetcher can guess. */
#define RATIO_GUESSED 3.0
#define RATIO_NOT_GUESSED 1.25

static double line_ns(const struct measure_batch *walk)
{
	return (double)walk->cpu_ns / walk->steps;
}

/* The fastest batch: what else happens on a machine only makes a walk slower. */
static const struct measure_batch *find_walk(const struct measure_node *node, const char *name,
					     int64_t size_bytes)
{
	const struct measure_batch *best = NULL;

	for (size_t i = 0; i < node->batch_count; i++) {
		const struct measure_batch *batch = &node->batches[i];

		if (strcmp(batch->name, name) == 0 && batch->size_bytes == size_bytes &&
		    (!best || line_ns(batch) < line_ns(best)))
			best = batch;
	}
	return best;
}

/* The walk a batch belongs to, once: NULL for the clock and for batches that are not its best. */
static const struct measure_batch *walk_at(const struct measure_node *node, size_t at)
{
	const struct measure_batch *batch = &node->batches[at];

	if (strcmp(batch->name, CLOCK) == 0 ||
	    find_walk(node, batch->name, batch->size_bytes) != batch)
		return NULL;
	return batch;
}

/* Of a stride, over whatever size it was. */
static const struct measure_batch *find_stride(const struct measure_node *node, const char *name)
{
	for (size_t i = 0; i < node->batch_count; i++) {
		if (strcmp(node->batches[i].name, name) == 0)
			return find_walk(node, name, node->batches[i].size_bytes);
	}
	return NULL;
}

/* Why batches of this name say nothing of the core, or NULL. */
static const char *disturbance(struct arena *arena, const struct measure_node *node,
			       const char *name)
{
	double wall_ns = 0, cpu_ns = 0;
	int64_t switches = 0, steal = 0, count = 0;

	for (size_t i = 0; i < node->batch_count; i++) {
		const struct measure_batch *batch = &node->batches[i];

		if (name && strcmp(batch->name, name) != 0)
			continue;
		wall_ns += (double)batch->wall_ns;
		cpu_ns += (double)batch->cpu_ns;
		switches += batch->switches;
		steal += batch->steal > 0 ? batch->steal : 0;
		count++;
	}
	if (steal)
		return arena_printf(arena, "the hypervisor gave CPU %lld to others meanwhile",
				    (long long)node->cpu);
	if (cpu_ns < wall_ns * SHARE_LEAST)
		return arena_printf(arena, "CPU %lld was busy: %.0f %% of it was to be had",
				    (long long)node->cpu, 100 * cpu_ns / wall_ns);
	if (switches > count)
		return arena_printf(arena, "CPU %lld was busy: %lld times something else ran",
				    (long long)node->cpu, (long long)switches);
	return NULL;
}

static double clock_of(const struct measure_node *node)
{
	return node->clock_count ? node->clocks_hz[node->clock_count / 2] : 0;
}

/* Why the clocks of a node are no clock, or NULL. */
static const char *clock_trouble(struct arena *arena, const struct measure_node *node)
{
	double low, high;
	const char *disturbed;

	if (node->error)
		return node->error;
	if (!node->clock_count)
		return arena_printf(arena, "CPU %lld gave no clock", (long long)node->cpu);
	disturbed = disturbance(arena, node, CLOCK);
	if (disturbed)
		return disturbed;
	low = node->clocks_hz[0];
	high = node->clocks_hz[node->clock_count - 1];
	if (high - low > clock_of(node) * SPREAD_MOST)
		return arena_printf(arena, "the clock of CPU %lld went from %.0f to %.0f MHz",
				    (long long)node->cpu, low / 1e6, high / 1e6);
	return NULL;
}

static const char *place_of(struct arena *arena, const struct measure_node *node)
{
	return node->node < 0 ? arena_printf(arena, "CPU %lld", (long long)node->cpu)
			      : arena_printf(arena, "node %lld, CPU %lld", (long long)node->node,
					     (long long)node->cpu);
}

static const char *walk_text(struct arena *arena, const struct measure_batch *walk)
{
	const char *how = strcmp(walk->name, "chase") == 0
				  ? "a random chase"
				  : arena_printf(arena, "a stride of %s bytes",
						 walk->name + strcspn(walk->name, "0123456789"));

	return arena_printf(arena, "%s over %.3g MiB %.1f ns", how,
			    (double)walk->size_bytes / (1 << 20), line_ns(walk));
}

const char *measure_describe(struct arena *arena, const struct measure_node *node)
{
	const char *trouble = clock_trouble(arena, node);
	struct names said = {0};

	if (node->clock_count)
		names_add(arena, &said,
			  arena_printf(arena, "%.0f MHz (%s)", clock_of(node) / 1e6,
				       node->clock_source));
	if (trouble)
		names_add(arena, &said, trouble);
	for (size_t i = 0; i < node->batch_count; i++) {
		if (walk_at(node, i))
			names_add(arena, &said, walk_text(arena, walk_at(node, i)));
	}
	return arena_printf(arena, "%s: %s", place_of(arena, node), names_join(arena, &said, "; "));
}

static void cite(struct facts *facts, struct value *value, const struct measure_node *node,
		 const char *raw, enum confidence confidence)
{
	value_cite(facts->arena, value,
		   arena_printf(facts->arena, "measured on CPU %lld", (long long)node->cpu), raw,
		   confidence);
}

static void cite_clocks(struct facts *facts, struct value *value)
{
	for (size_t i = 0; i < facts->measure->count; i++) {
		const struct measure_node *node = &facts->measure->nodes[i];
		bool counted = node->clock_source && strcmp(node->clock_source, "pmu") == 0;

		if (!node->clock_count)
			continue;
		cite(facts, value, node,
		     arena_printf(facts->arena, "%.0f MHz, from %.0f to %.0f, by %s",
				  clock_of(node) / 1e6, node->clocks_hz[0] / 1e6,
				  node->clocks_hz[node->clock_count - 1] / 1e6,
				  counted ? "the cycle counter"
					  : "a chain of dependent operations"),
		     counted ? CONFIDENCE_DIRECT : CONFIDENCE_INFERRED);
	}
}

/* The slowest node. What a guest measures is what its hypervisor lets it have, emulated or not. */
static struct value measured_clock(struct facts *facts, const char *of)
{
	const struct measure *measure = facts->measure;
	const struct value *vm = facts_get(facts, "virtualization.vm");
	const char *trouble = NULL;
	double least_hz = 0;
	struct value value;

	(void)of;
	if (!measure)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "the clock was not measured, add --measure");
	if (!measure->count)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE, "%s", measure->why);
	for (size_t i = 0; i < measure->count; i++) {
		const struct measure_node *node = &measure->nodes[i];

		if (!trouble)
			trouble = clock_trouble(facts->arena, node);
		if (i == 0 || clock_of(node) < least_hz)
			least_hz = clock_of(node);
	}
	if (!vm || vm->kind != VALUE_TEXT || strcmp(vm->text, "none") != 0)
		value = value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				      "%s, so what was measured is not the core's clock",
				      vm && vm->kind == VALUE_TEXT
					      ? arena_printf(facts->arena,
							     "this is a virtual machine (%s)",
							     vm->text)
					      : "whether this is a virtual machine is not known");
	else if (trouble)
		value = value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE, "%s", trouble);
	else
		value = value_number((int64_t)least_hz);
	cite_clocks(facts, &value);
	return value;
}

/* Numbers mean something where the cores are those the limits are meant for. */
static bool can_conclude(struct facts *facts)
{
	const struct value *vm = facts_get(facts, "virtualization.vm");

	return facts->profile && facts->profile->ampere && vm && vm->kind == VALUE_TEXT &&
	       strcmp(vm->text, "none") == 0;
}

static const char *guessed(struct facts *facts, const struct measure_node *node,
			   const struct measure_batch *chase, const struct measure_batch *near,
			   const struct measure_batch *far)
{
	const char *disturbed = disturbance(facts->arena, node, NULL);

	if (disturbed)
		return arena_printf(facts->arena, ": %s", disturbed);
	if (!can_conclude(facts))
		return "";
	if (line_ns(chase) >= RATIO_GUESSED * line_ns(far))
		return ": prefetching is likely on";
	if (near && line_ns(chase) < RATIO_NOT_GUESSED * line_ns(near) &&
	    line_ns(chase) < RATIO_NOT_GUESSED * line_ns(far))
		return ": no sign of prefetching";
	return ": which decides nothing";
}

static const char *prefetch_text(struct facts *facts, const struct measure_node *node)
{
	const struct measure_batch *far = find_stride(node, "stride-256"), *chase;

	chase = far ? find_walk(node, "chase", far->size_bytes) : NULL;
	if (!chase)
		return NULL;
	return arena_printf(
		facts->arena, "%s: %s, %s%s", place_of(facts->arena, node),
		walk_text(facts->arena, far), walk_text(facts->arena, chase),
		guessed(facts, node, chase, find_walk(node, "stride-64", far->size_bytes), far));
}

static const char *chases_text(struct facts *facts, const struct measure_node *node)
{
	struct names chases = {0};

	for (size_t i = 0; i < node->batch_count; i++) {
		if (walk_at(node, i) && strcmp(node->batches[i].name, "chase") == 0)
			names_add(facts->arena, &chases,
				  walk_text(facts->arena, &node->batches[i]));
	}
	if (!chases.count)
		return NULL;
	return arena_printf(facts->arena, "%s: %s", place_of(facts->arena, node),
			    names_join(facts->arena, &chases, ", "));
}

/* No setting here leaves a trace that the kernel shows: what the BMC says decides, and what was
 * measured stands beside it. */
static struct value untraceable(struct facts *facts, enum redfish_setting_id id,
				const char *(*text)(struct facts *, const struct measure_node *))
{
	const struct redfish *redfish = host_redfish(facts->host);
	const struct measure *measure = facts->measure;
	struct names said = {0};
	struct value value;

	value = redfish->asked
			? redfish->settings[id].now
			: value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
					"this setting leaves no trace that the kernel shows");
	for (size_t i = 0; measure && i < measure->count; i++) {
		const char *one = text(facts, &measure->nodes[i]);

		if (!one)
			continue;
		names_add(facts->arena, &said, one);
		cite(facts, &value, &measure->nodes[i], one, CONFIDENCE_INFERRED);
	}
	if (said.count && value.kind == VALUE_UNKNOWN)
		value.why = arena_printf(facts->arena, "%s; measured: %s", value.why,
					 names_join(facts->arena, &said, "; "));
	return value;
}

static struct value prefetch(struct facts *facts, const char *of)
{
	(void)of;
	return untraceable(facts, REDFISH_PREFETCH, prefetch_text);
}

static struct value slc_replacement(struct facts *facts, const char *of)
{
	(void)of;
	return untraceable(facts, REDFISH_SLC_REPLACEMENT, chases_text);
}

static const struct fact rows[] = {
	{.name = "cpu.measured-clock",
	 .unit = "Hz",
	 .summary =
		 "clock of the slowest node, one CPU each, measured with --measure; unknown in a "
		 "guest and where the CPU was busy",
	 .read = measured_clock},
	{.name = "firmware.prefetch",
	 .summary = "L1 and L2 prefetch; not visible from Linux: the BMC says it, --measure shows "
		    "walks through "
		    "memory beside it",
	 .read = prefetch},
	{.name = "firmware.slc-replacement",
	 .summary = "SLC replacement policy; not visible from Linux: the BMC says it, --measure "
		    "shows the latency "
		    "of memory beside it",
	 .read = slc_replacement},
};

const struct fact_table measure_facts = FACT_TABLE(rows);
