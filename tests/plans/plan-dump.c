// SPDX-License-Identifier: BSD-2-Clause
/*
 * The planner as a program, for tests: reads a world as JSON on standard input, prints the plan as
 * JSON, or {"error", "exit"}. It exits 0 unless the world itself is wrong.
 */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "catalog/profile.h"
#include "setup/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORLD_MAX ((size_t)1 << 20)
#define PLAN_MAX ((size_t)16 << 20)

struct world {
	const char *target, *arch, *cc, *cflags, *sysroot, *prefix, *recipes;
	struct names wanted, versions, without, allow, accepted, nearby, stored, active;
	int64_t jobs;
	bool offline, rebuild;
};

#define ROW(name, field_kind, member)                                                              \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct world, member)         \
	}

static const struct field rows[] = {
	ROW("target", FIELD_TEXT, target),
	ROW("arch", FIELD_TEXT, arch),
	ROW("cc", FIELD_TEXT, cc),
	ROW("cflags", FIELD_TEXT, cflags),
	ROW("sysroot", FIELD_TEXT, sysroot),
	ROW("prefix", FIELD_TEXT, prefix),
	ROW("recipes", FIELD_TEXT, recipes),
	ROW("wanted", FIELD_TEXTS, wanted),
	ROW("versions", FIELD_TEXTS, versions),
	ROW("without", FIELD_TEXTS, without),
	ROW("allow", FIELD_TEXTS, allow),
	ROW("accepted", FIELD_TEXTS, accepted),
	ROW("nearby", FIELD_TEXTS, nearby),
	ROW("stored", FIELD_TEXTS, stored),
	ROW("active", FIELD_TEXTS, active),
	ROW("jobs", FIELD_NUMBER, jobs),
	ROW("offline", FIELD_BOOL, offline),
	ROW("rebuild", FIELD_BOOL, rebuild),
};

static const struct field_table table = FIELD_TABLE("world", struct world, rows, "a world");

struct dump {
	struct arena arena;
	struct world world;
	struct target target;
	struct toolchain toolchain;
	struct plan_request request;
	struct plan plan;
	struct error error;
};

static bool read_world(struct dump *dump)
{
	struct view text;
	struct json json;

	dump->world = (struct world){
		.target = "native", .arch = "x86_64", .prefix = "/opt/ampere-crypto", .jobs = 2};
	return file_read(&dump->arena, "-", WORLD_MAX, &text, &dump->error) &&
	       json_parse(&dump->arena, "world", text, &json, &dump->error) &&
	       fields_load(&dump->arena, &json, json.top, &table, &dump->world, &dump->error);
}

static bool load_recipes(struct dump *dump)
{
	struct plan_request *request = &dump->request;
	const struct recipe **recipes;
	struct names names;

	if (!recipe_names(&dump->arena, dump->world.recipes, &names, &dump->error))
		return false;
	recipes = arena_array(&dump->arena, const struct recipe *, names.count + 1);
	for (size_t i = 0; i < names.count; i++) {
		if (!recipe_load_from(&dump->arena, dump->world.recipes, names.items[i],
				      &recipes[i], &dump->error))
			return false;
	}
	request->recipes = recipes;
	request->recipe_count = names.count;
	return true;
}

/* wanted: RECIPE…; versions: RECIPE=VERSION… */
static void read_wanted(struct dump *dump)
{
	const struct world *world = &dump->world;
	struct plan_wanted *wanted = arena_array(&dump->arena, struct plan_wanted,
						 world->wanted.count + world->versions.count + 1);
	size_t count = 0;

	for (size_t i = 0; i < world->wanted.count; i++)
		wanted[count++].name = world->wanted.items[i];
	dump->request.roots = count;
	for (size_t i = 0; i < world->versions.count; i++) {
		const char *word = world->versions.items[i], *equals = strchr(word, '=');

		if (!equals)
			continue;
		wanted[count++] = (struct plan_wanted){
			view_copy(&dump->arena, (struct view){word, (size_t)(equals - word)}),
			equals + 1};
	}
	dump->request.wanted = wanted;
	dump->request.wanted_count = count;
}

/* Those of this machine are of no world. */
static bool find_libraries(struct dump *dump)
{
	struct plan_request *request = &dump->request;

	if (dump->world.sysroot)
		system_libraries(&dump->arena, request->recipes, request->recipe_count,
				 &dump->target, &dump->toolchain, &request->libraries,
				 &request->library_count);
	return true;
}

static bool make(struct dump *dump)
{
	const struct world *world = &dump->world;
	struct toolchain_request toolchain = {.target = &dump->target,
					      .cc = world->cc,
					      .cflags = world->cflags,
					      .sysroot = world->sysroot};
	struct cpu_profiles profiles;

	dump->request = (struct plan_request){.without = world->without,
					      .allow = world->allow,
					      .accepted = world->accepted,
					      .nearby = world->nearby,
					      .stored = world->stored,
					      .active = world->active,
					      .prefix = world->prefix,
					      .jobs = (unsigned)world->jobs,
					      .offline = world->offline,
					      .rebuild = world->rebuild,
					      .target = &dump->target,
					      .toolchain = &dump->toolchain};
	read_wanted(dump);
	return load_recipes(dump) && cpu_profiles_load(&dump->arena, &profiles, &dump->error) &&
	       target_choose(&dump->arena, &profiles, world->target, NULL, world->arch,
			     &dump->target, &dump->error) &&
	       toolchain_find(&dump->arena, &toolchain, &dump->toolchain, &dump->error) &&
	       find_libraries(dump) &&
	       plan_make(&dump->arena, &dump->request, &dump->plan, &dump->error);
}

static void write_names(struct json_writer *writer, const char *key, const struct names *names)
{
	json_array(writer, key);
	for (size_t i = 0; i < names->count; i++)
		json_text(writer, NULL, names->items[i]);
	json_close(writer);
}

static void write_step(struct json_writer *writer, const struct plan_step *step)
{
	json_object(writer, NULL);
	json_text(writer, "name", step->name);
	json_text(writer, "phase", step->phase);
	json_text(writer, "in", step->in);
	write_names(writer, "argv", &step->argv);
	write_names(writer, "environment", &step->environment);
	json_text(writer, "path", step->path);
	write_names(writer, "lines", &step->lines);
	json_text(writer, "after", step->after);
	json_text(writer, "replace", step->replace);
	json_text(writer, "by", step->by);
	json_text(writer, "unless-file", step->unless_file);
	json_close(writer);
}

static void write_proofs(struct json_writer *writer, const struct plan_tree *tree)
{
	const struct plan_proof *proofs = tree->proofs.items;

	json_array(writer, "proofs");
	for (size_t i = 0; i < tree->proofs.count; i++) {
		json_object(writer, NULL);
		json_text(writer, "name", proofs[i].recipe->name);
		write_names(writer, "argv", &proofs[i].argv);
		write_names(writer, "environment", &proofs[i].environment);
		write_names(writer, "has", &proofs[i].has);
		write_names(writer, "lacks", &proofs[i].lacks);
		json_text(writer, "equals", proofs[i].equals);
		json_close(writer);
	}
	json_close(writer);
}

static void write_sources(struct json_writer *writer, const struct plan_tree *tree)
{
	json_array(writer, "sources");
	for (size_t i = 0; i < tree->source_count; i++)
		json_text(writer, NULL, tree->sources[i].sha256);
	if (tree->version->git)
		json_text(writer, NULL, tree->version->git->commit);
	json_close(writer);
}

static void write_tree(struct json_writer *writer, const struct plan_tree *tree)
{
	static const char *const states[] = {
		[PLAN_BUILD] = "build", [PLAN_STORED] = "stored", [PLAN_ACTIVE] = "active"};

	json_object(writer, NULL);
	json_text(writer, "recipe", tree->recipe->name);
	json_text(writer, "version", tree->version->version);
	json_text(writer, "why", tree->why);
	json_bool(writer, "allowed", tree->allowed);
	json_text(writer, "unpinned", tree->unpinned);
	json_text(writer, "key", tree->key);
	json_text(writer, "name", tree->name);
	json_text(writer, "path", tree->path);
	json_text(writer, "state", states[tree->state]);
	write_sources(writer, tree);
	json_array(writer, "depends");
	for (size_t i = 0; i < tree->depend_count; i++)
		json_text(writer, NULL, tree->depends[i]->recipe->name);
	json_close(writer);
	json_array(writer, "system");
	for (size_t i = 0; i < tree->library_count; i++) {
		json_text(writer, NULL, tree->libraries[i]->soname);
		json_text(writer, NULL, tree->libraries[i]->version);
		json_text(writer, NULL, tree->libraries[i]->identity);
	}
	json_close(writer);
	write_names(writer, "environment", &tree->environment);
	json_array(writer, "steps");
	for (size_t i = 0; i < tree->step_count; i++)
		write_step(writer, &tree->steps[i]);
	json_close(writer);
	write_proofs(writer, tree);
	json_close(writer);
}

static void write_plan(struct json_writer *writer, const struct dump *dump)
{
	write_names(writer, "flags", &dump->toolchain.flags);
	write_names(writer, "refused", &dump->toolchain.refused);
	json_array(writer, "trees");
	for (size_t i = 0; i < dump->plan.count; i++)
		write_tree(writer, &dump->plan.trees[i]);
	json_close(writer);
	write_names(writer, "notes", &dump->plan.notes);
	json_bool(writer, "done", plan_is_done(&dump->plan));
}

static void write_error(struct json_writer *writer, const struct dump *dump)
{
	json_text(writer, "error", dump->error.text);
	json_number(writer, "exit",
		    dump->error.exit_code ? (int64_t)dump->error.exit_code : EXIT_TROUBLE);
}

static int run(struct dump *dump)
{
	struct json_writer writer;
	struct buffer text = buffer_new(&dump->arena, PLAN_MAX);

	if (!read_world(dump)) {
		fprintf(stderr, "plan-dump: %s\n", dump->error.text);
		return EXIT_TROUBLE;
	}
	json_begin(&writer, &text);
	json_object(&writer, NULL);
	if (make(dump))
		write_plan(&writer, dump);
	else
		write_error(&writer, dump);
	json_end(&writer);
	return file_write_fd(STDOUT_FILENO, "output", buffer_view(&text), NULL) ? 0 : EXIT_TROUBLE;
}

int main(void)
{
	struct dump dump = {0};
	int status;

	arena_init(&dump.arena, ARENA_DEFAULT_MAX_BYTES);
	dump.arena.exhausted = abort;
	status = run(&dump);
	arena_release(&dump.arena);
	return status;
}
