// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/probe.h"

#include "base/arena.h"
#include "base/process.h"
#include "catalog/identity.h"
#include "catalog/profile.h"

#include <stdlib.h>
#include <string.h>

/* A compiler answers in tens of milliseconds; one on a cold network file system in seconds. */
#define TIMEOUT_MS 10000
#define OUTPUT_MAX ((size_t)1 << 20)
#define ARGUMENTS_MAX 24
#define COMPILERS_MAX 64

/* GCC knows neoverse-n1 from 8.4, Clang from 10; upper ends leave room for what comes. */
static const struct compiler_name {
	const char *kind, *base;
	unsigned newest, oldest; /* BASE-N; 0: only BASE */
} compiler_names[] = {
	{"gcc", "gcc", 0, 0},
	{"clang", "clang", 0, 0},
	{"gcc", "aarch64-linux-gnu-gcc", 0, 0},
	{"gcc", "gcc", 18, 8},
	{"gcc", "aarch64-linux-gnu-gcc", 18, 8},
	{"clang", "clang", 25, 10},
};

static const struct field compiler_rows[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct probe_compiler, name),
	 .required = true,
	 .doc = "as found on PATH"},
	{.key = "path",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct probe_compiler, path),
	 .required = true,
	 .doc = "the file that was run"},
	{.key = "kind",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct probe_compiler, kind),
	 .required = true,
	 .pattern = "^(gcc|clang)$",
	 .doc = "whose flags it was given"},
	{.key = "version",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct probe_compiler, version),
	 .nullable = true,
	 .doc = "first line of --version"},
	{.key = "target",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct probe_compiler, target),
	 .nullable = true,
	 .doc = "what it makes code for"},
	{.key = "accepted",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct probe_compiler, accepted),
	 .nullable = true,
	 .doc = "the first flags of the ladder that work"},
	{.key = "refused",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct probe_compiler, refused),
	 .doc = "flags above it, each with the reason"},
	{.key = "macros",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct probe_compiler, macros),
	 .doc = "the __ARM_FEATURE_ macros it defines with the accepted flags"},
	{.key = "why",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct probe_compiler, why),
	 .nullable = true,
	 .doc = "why nothing was accepted"},
};

const struct field_table probe_compiler_table = FIELD_TABLE(
	"compiler", struct probe_compiler, compiler_rows, "a compiler and the flags it accepts");

struct command_line {
	const char *argv[ARGUMENTS_MAX];
	size_t count;
};

static void add_argument(struct command_line *line, const char *argument)
{
	if (line->count + 1 < ARGUMENTS_MAX)
		line->argv[line->count++] = argument;
}

static void add_words(struct arena *arena, struct command_line *line, const char *text)
{
	struct view rest = view_of(text), word;

	while (view_word(&rest, &word))
		add_argument(line, view_copy(arena, word));
}

static bool run(struct arena *arena, struct probe_compiler *compiler, const char *flags,
		const char *words, const char *input, struct view *output)
{
	struct command_line line = {0};
	struct process_result result;

	add_argument(&line, compiler->path);
	for (size_t i = 0; i < compiler->words.count; i++)
		add_argument(&line, compiler->words.items[i]);
	/* One clang makes code for every machine it was built for. */
	if (strcmp(compiler->kind, "clang") == 0 && strcmp(words, "-dumpmachine") != 0)
		add_argument(&line, "--target=aarch64-linux-gnu");
	add_words(arena, &line, flags);
	add_words(arena, &line, words);
	if (compiler->silent ||
	    !process_run(arena, line.argv, view_of(input), TIMEOUT_MS, OUTPUT_MAX, &result, NULL))
		return false;
	*output = result.output;
	compiler->silent = result.timed_out;
	return !result.timed_out && result.exit_status == 0;
}

static const char *first_line(struct arena *arena, struct probe_compiler *compiler,
			      const char *words)
{
	struct view output, line;

	if (!run(arena, compiler, "", words, "", &output) || !view_line(&output, &line) ||
	    !line.size)
		return NULL;
	return text_printable(arena, view_trim(line));
}

static void read_macros(struct arena *arena, struct view output, struct names *macros)
{
	static const char prefix[] = "#define __ARM_FEATURE_";
	struct view line, word;

	while (view_line(&output, &line)) {
		if (!view_starts(line, prefix))
			continue;
		view_word(&line, &word);
		view_word(&line, &word);
		names_add(arena, macros, view_copy(arena, word));
	}
	names_sort(macros);
}

/* Macros of the Arm C Language Extensions and the HWCAP each stands for: a compiler that defines
 * one may use the instructions (Clang 15 gives AmpereOne AC03 the SM4 it does not have). */
static const struct {
	const char *macro, *feature;
} extensions[] = {
	{"__ARM_FEATURE_SHA3", "sha3"},       {"__ARM_FEATURE_SHA512", "sha512"},
	{"__ARM_FEATURE_SM3", "sm3"},         {"__ARM_FEATURE_SM4", "sm4"},
	{"__ARM_FEATURE_RNG", "rng"},         {"__ARM_FEATURE_SVE", "sve"},
	{"__ARM_FEATURE_SVE2", "sve2"},       {"__ARM_FEATURE_BF16", "bf16"},
	{"__ARM_FEATURE_ATOMICS", "atomics"},
};

/* The first extension that the flags switch on and the CPU lacks, or NULL. */
static const char *excess(const struct names *macros, const struct cpu_profile *profile)
{
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
		if (names_has(macros, extensions[i].macro) &&
		    names_has(&profile->features_absent, extensions[i].feature))
			return extensions[i].macro;
	}
	return NULL;
}

/* NULL when the flags do what is wanted, else why not. */
static const char *try_flags(struct arena *arena, struct probe_compiler *compiler,
			     const char *flags, const struct cpu_profile *profile)
{
	bool sha3 = names_has(&profile->features, "sha3");
	struct names macros = {0};
	struct view output;

	if (!run(arena, compiler, flags, "-x c -E -dM -", "", &output))
		return "the compiler refuses them";
	read_macros(arena, output, &macros);
	if (!run(arena, compiler, flags, "-x assembler -c -o /dev/null -", "aese v0.16b, v1.16b\n",
		 &output))
		return "aese does not assemble";
	if (sha3 && !run(arena, compiler, flags, "-x assembler -c -o /dev/null -",
			 "eor3 v0.16b, v1.16b, v2.16b, v3.16b\n", &output))
		return "eor3 does not assemble";
	if (!names_has(&macros, "__ARM_FEATURE_AES") && !names_has(&macros, "__ARM_FEATURE_CRYPTO"))
		return "__ARM_FEATURE_AES is not defined";
	if (sha3 && !names_has(&macros, "__ARM_FEATURE_SHA3"))
		return "__ARM_FEATURE_SHA3 is not defined";
	if (excess(&macros, profile))
		return arena_printf(arena, "%s is defined, which this CPU does not have",
				    excess(&macros, profile));
	compiler->macros = macros;
	return NULL;
}

static void climb_down(struct arena *arena, struct probe_compiler *compiler,
		       const struct cpu_profile *profile)
{
	bool is_clang = strcmp(compiler->kind, "clang") == 0;
	const struct field_array *ladder = is_clang ? &profile->clang : &profile->gcc;
	const struct flag_step *steps = ladder->items;

	for (size_t i = 0; i < ladder->count; i++) {
		const char *flags = steps[i].flags;
		const char *why = try_flags(arena, compiler, flags, profile);

		if (!why) {
			compiler->accepted = flags;
			return;
		}
		names_add(arena, &compiler->refused, arena_printf(arena, "%s: %s", flags, why));
	}
	compiler->why =
		ladder->count
			? arena_printf(arena, "accepts none of the flags for %s", profile->title)
			: arena_printf(arena, "no flags are known for %s", profile->title);
}

static void ask(struct arena *arena, struct probe_compiler *compiler,
		const struct cpu_profile *profile)
{
	bool is_clang = strcmp(compiler->kind, "clang") == 0;

	compiler->version = first_line(arena, compiler, "--version");
	compiler->target =
		is_clang ? "aarch64-linux-gnu" : first_line(arena, compiler, "-dumpmachine");
	if (compiler->silent)
		compiler->why = arena_printf(arena, "does not answer in %d s", TIMEOUT_MS / 1000);
	else if (!compiler->version || !compiler->target)
		compiler->why = "does not run";
	else if (!view_starts(view_of(compiler->target), "aarch64"))
		compiler->why =
			arena_printf(arena, "makes code for %s, not for aarch64", compiler->target);
	else if (!profile)
		compiler->why = "there is no CPU profile for this machine, so no flags to try";
	else
		climb_down(arena, compiler, profile);
}

/* The same program under another name (gcc, gcc-12) is asked once. */
static bool is_new(const struct probe *probe, const char *path)
{
	for (size_t i = 0; i < probe->count; i++) {
		if (strcmp(probe->compilers[i].path, path) == 0)
			return false;
	}
	return true;
}

static void find_one(struct arena *arena, struct probe *probe, const char *kind, const char *name)
{
	const char *found = process_find(arena, name);
	char *resolved = found ? realpath(found, NULL) : NULL;

	if (resolved && probe->count < COMPILERS_MAX && is_new(probe, resolved))
		probe->compilers[probe->count++] = (struct probe_compiler){
			.name = name, .path = arena_strdup(arena, resolved), .kind = kind};
	free(resolved);
}

static void find_compilers(struct arena *arena, struct probe *probe)
{
	for (size_t i = 0; i < sizeof(compiler_names) / sizeof(compiler_names[0]); i++) {
		const struct compiler_name *name = &compiler_names[i];

		if (!name->newest)
			find_one(arena, probe, name->kind, name->base);
		for (unsigned n = name->newest; n && n >= name->oldest; n--)
			find_one(arena, probe, name->kind,
				 arena_printf(arena, "%s-%u", name->base, n));
	}
}

const struct probe *probe_run(struct arena *arena, const struct cpu_profile *profile)
{
	struct probe *probe = arena_new(arena, struct probe);

	probe->compilers = arena_array(arena, struct probe_compiler, COMPILERS_MAX);
	find_compilers(arena, probe);
	for (size_t i = 0; i < probe->count; i++)
		ask(arena, &probe->compilers[i], profile);
	return probe;
}

void probe_one(struct arena *arena, const char *kind, const struct names *command,
	       const struct cpu_profile *profile, struct probe_compiler *out)
{
	*out = (struct probe_compiler){
		.name = command->items[0], .path = command->items[0], .kind = kind};
	for (size_t i = 1; i < command->count; i++)
		names_add(arena, &out->words, command->items[i]);
	ask(arena, out, profile);
}

/* The first compiler of a kind that accepts something, else the first that was refused. */
static const struct probe_compiler *best(const struct probe *probe, const char *kind)
{
	const struct probe_compiler *second = NULL;

	for (size_t i = 0; i < probe->count; i++) {
		const struct probe_compiler *compiler = &probe->compilers[i];

		if (strcmp(compiler->kind, kind) != 0)
			continue;
		if (compiler->accepted)
			return compiler;
		if (!second)
			second = compiler;
	}
	return second;
}

static void apply_one(struct arena *arena, const struct probe *probe, const char *kind,
		      struct compiler_flags *flags)
{
	const struct probe_compiler *compiler = best(probe, kind);

	if (!compiler) {
		flags->why = arena_printf(arena, "there is no %s on PATH", kind);
		return;
	}
	flags->accepted = compiler->accepted;
	if (!compiler->accepted)
		flags->why =
			arena_printf(arena, "%s (%s) %s", compiler->name,
				     compiler->version ? compiler->version : "?", compiler->why);
	else if (compiler->refused.count)
		flags->why = arena_printf(arena, "%s (%s): %s", compiler->name, compiler->version,
					  names_join(arena, &compiler->refused, "; "));
	else
		flags->why = arena_printf(arena, "%s (%s) accepts them", compiler->name,
					  compiler->version);
}

void probe_apply(struct arena *arena, const struct probe *probe, struct identity *identity)
{
	struct identity_flags *flags;

	if (!identity->flags)
		return;
	flags = arena_new(arena, struct identity_flags);
	*flags = *identity->flags;
	apply_one(arena, probe, "gcc", &flags->gcc);
	apply_one(arena, probe, "clang", &flags->clang);
	identity->flags = flags;
}

static struct value read_compiler(struct facts *facts, const char *of)
{
	const struct probe *probe = facts->probe;
	struct names usable = {0};
	struct value value;
	size_t candidates = 0;

	(void)of;
	if (!probe)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "no compiler was asked, add --probe");
	for (size_t i = 0; i < probe->count; i++) {
		const struct probe_compiler *compiler = &probe->compilers[i];

		candidates += compiler->target && view_starts(view_of(compiler->target), "aarch64");
		if (compiler->accepted)
			names_add(facts->arena, &usable,
				  arena_printf(facts->arena, "%s: %s", compiler->name,
					       compiler->accepted));
	}
	value = candidates ? value_list(usable)
			   : value_none("there is no compiler for aarch64 on PATH");
	for (size_t i = 0; i < probe->count; i++) {
		const struct probe_compiler *compiler = &probe->compilers[i];
		const char *said = compiler->accepted ? compiler->accepted : compiler->why;

		value_cite(facts->arena, &value, compiler->path, said, CONFIDENCE_DIRECT);
	}
	return value;
}

static const struct fact rows[] = {
	{.name = "software.compiler",
	 .read = read_compiler,
	 .summary = "compilers on PATH with the flags for this CPU that they accept, assemble and "
		    "know the macros of; "
		    "asked with --probe"},
};

const struct fact_table probe_facts = FACT_TABLE(rows);
