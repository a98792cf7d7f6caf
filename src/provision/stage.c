// SPDX-License-Identifier: BSD-2-Clause
#include "provision/stage.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LABEL_MAX_BYTES 60

/* A command line that grows. */
struct words {
	struct arena *arena;
	struct names *names;
};

static void add(const struct words *words, const char *option, const char *value)
{
	if (value)
		names_add(words->arena, words->names,
			  arena_printf(words->arena, "--%s=%s", option, value));
}

static void add_all(const struct words *words, const char *option, const struct names *values)
{
	for (size_t i = 0; i < values->count; i++)
		add(words, option, values->items[i]);
}

static void add_flag(const struct words *words, const char *option, bool given)
{
	if (given)
		names_add(words->arena, words->names, arena_printf(words->arena, "--%s", option));
}

static void add_number(const struct words *words, const char *option, int64_t number)
{
	if (number)
		add(words, option, arena_printf(words->arena, "%" PRId64, number));
}

static void add_bare(const struct words *words, const struct names *values)
{
	for (size_t i = 0; i < values->count; i++)
		names_add(words->arena, words->names, values->items[i]);
}

static void add_setup(const struct words *words, const struct provision_plan *plan)
{
	const struct provision_setup *setup = plan->setup;

	add_bare(words, &setup->recipes);
	add(words, "unpack", setup->pack);
	add(words, "target", setup->target);
	add(words, "prefix", plan->prefix);
	add_all(words, "version", &setup->versions);
	add_all(words, "without", &setup->without);
	add_all(words, "allow", &setup->allow);
	add_all(words, "accept-digest", &setup->digests);
	add_all(words, "mirror", &setup->mirrors);
	add_flag(words, "offline", setup->offline);
	add_number(words, "jobs", setup->jobs);
	add(words, "sysroot", setup->sysroot);
	add(words, "recipes", setup->own_recipes);
	add(words, "ld-so-conf", setup->loader);
	add_flag(words, "build-as-root", setup->build_as_root);
}

static void add_audit(const struct words *words, const struct provision_plan *plan)
{
	const struct provision_audit *audit = plan->audit;

	add(words, "role", audit->role);
	add(words, "fail-on", audit->fail_on);
	add_flag(words, "strict", audit->strict);
	add(words, "waivers", audit->waivers);
	add_all(words, "only", &audit->only);
	add_all(words, "skip", &audit->skip);
	add(words, "profile", audit->profile);
	add_flag(words, "probe", audit->probe);
}

/* "1,2,4" */
static const char *join_numbers(struct arena *arena, const struct numbers *numbers)
{
	struct names texts = {0};

	for (size_t i = 0; i < numbers->count; i++)
		names_add(arena, &texts, arena_printf(arena, "%" PRId64, numbers->items[i]));
	return texts.count ? names_join(arena, &texts, ",") : NULL;
}

static void add_bench(const struct words *words, const struct provision_plan *plan)
{
	const struct provision_bench *bench = plan->bench;

	add_bare(words, &bench->suites);
	add(words, "prefix", plan->prefix);
	add_flag(words, "system", bench->system);
	add(words, "baseline", bench->baseline);
	if (bench->threshold_percent > 0)
		add(words, "threshold",
		    arena_printf(words->arena, "%.9g%%", bench->threshold_percent));
	add_number(words, "seconds", bench->seconds);
	add_flag(words, "strict", bench->strict);
	add_all(words, "only", &bench->only);
	add_all(words, "skip", &bench->skip);
	add(words, "cores", join_numbers(words->arena, &bench->cores));
}

/* Each format of a stage once, however many outputs want it. */
static void add_outputs(const struct words *words, const struct provision_plan *plan,
			const char *stage, const char *state)
{
	struct names formats = {0};

	if (strcmp(stage, provision_stages[STAGE_REPORT]) != 0)
		names_add(words->arena, &formats, "json");
	for (size_t i = 0; i < plan->outputs.count; i++) {
		const struct provision_output *output = &plan->outputs.items[i];

		if (strcmp(output->of, stage) == 0 && !names_has(&formats, output->format))
			names_add(words->arena, &formats, output->format);
	}
	for (size_t i = 0; i < formats.count; i++)
		add(words, "output",
		    arena_printf(
			    words->arena, "%s=%s", formats.items[i],
			    provision_result_path(words->arena, state, stage, formats.items[i])));
}

/* The results are of one machine, whatever their names: LABEL=FILE, the label being the plan's. */
static void add_results(const struct words *words, const struct provision_plan *plan,
			const struct names *results)
{
	char *label = arena_strdup(words->arena, plan->name);

	for (char *at = label; *at; at++) {
		if (*at == '=' || (at == label && *at == '-'))
			*at = '_';
	}
	if (strlen(label) > LABEL_MAX_BYTES)
		label[LABEL_MAX_BYTES] = '\0';
	for (size_t i = 0; i < results->count; i++)
		names_add(words->arena, words->names,
			  arena_printf(words->arena, "%s=%s", label, results->items[i]));
}

void provision_command(struct arena *arena, const struct provision_plan *plan,
		       enum provision_stage stage, const char *state, const struct names *results,
		       const struct provision_voice *voice, struct names *out)
{
	struct names names = {0};
	const struct words words = {arena, &names};
	bool long_one = stage == STAGE_SETUP || stage == STAGE_BENCH;

	names_add(arena, &names, "ampere-crypto");
	names_add(arena, &names, provision_stages[stage]);
	if (stage == STAGE_SETUP)
		add_setup(&words, plan);
	else if (stage == STAGE_AUDIT)
		add_audit(&words, plan);
	else if (stage == STAGE_BENCH)
		add_bench(&words, plan);
	else
		add_results(&words, plan, results);
	add_outputs(&words, plan, provision_stages[stage], state);
	add(&words, "progress", long_one ? voice->progress : NULL);
	add_flag(&words, "quiet", voice->quiet);
	add_flag(&words, "verbose", voice->verbose && stage != STAGE_REPORT);
	*out = names;
}

const char *provision_result_path(struct arena *arena, const char *state, const char *stage,
				  const char *format)
{
	return arena_printf(arena, "%s/%s.%s", state, stage, format);
}

static bool is_plain(const char *word)
{
	return *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_@%+=:,./-") == strlen(word);
}

static void add_quoted(struct buffer *out, const char *word)
{
	buffer_char(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buffer_text(out, "'\\''");
		else
			buffer_char(out, *word);
	}
	buffer_char(out, '\'');
}

const char *provision_shell(struct arena *arena, const struct names *argv)
{
	struct buffer out = buffer_new(arena, (size_t)8 << 20);

	for (size_t i = 0; i < argv->count; i++) {
		if (i)
			buffer_char(&out, ' ');
		if (is_plain(argv->items[i]))
			buffer_text(&out, argv->items[i]);
		else
			add_quoted(&out, argv->items[i]);
	}
	return buffer_string(&out);
}

int provision_worse(int a, int b)
{
	static const int order[] = {130,          143,           EXIT_VERIFY,
				    EXIT_TROUBLE, EXIT_LOCKED,   EXIT_UNSUPPORTED,
				    EXIT_USAGE,   EXIT_FINDINGS, EXIT_UNKNOWN_ONLY};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (a == order[i] || b == order[i])
			return order[i];
	}
	return a == EXIT_SKIPPED ? b : a;
}
