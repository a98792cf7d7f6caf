// SPDX-License-Identifier: BSD-2-Clause
#include "cli/inspect.h"

#include "catalog/profile.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "host/elf_archive.h"
#include "host/instructions.h"
#include "host/software.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define FILES_MAX 1024
#define LIBCRYPTO "libcrypto.so*"

static const struct field inspect_fields[] = {
	DOCUMENT_FIELDS(&inspect_file_table, "The files, in the order asked for.",
			&inspect_summary_table),
};

static const struct field_table inspect_table = FIELD_TABLE(
	"inspect", struct document, inspect_fields, "What `ampere-crypto inspect --json` writes.");

const struct document_kind inspect_kind = {"inspect", "1.0.0", &inspect_table};

static const struct {
	uint16_t machine;
	const char *name;
} machines[] = {
	{ELF_MACHINE_AARCH64, "aarch64"},
	{ELF_MACHINE_X86_64, "x86_64"},
	{ELF_MACHINE_ARM, "arm"},
	{ELF_MACHINE_386, "i386"},
};

static const char *const stacks[] = {
	[ELF_STACK_NOT_SAID] = "not said",
	[ELF_STACK_PLAIN] = "not executable",
	[ELF_STACK_EXECUTABLE] = "executable",
};

static const char *machine_name(struct arena *arena, const struct elf *elf)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == elf->machine)
			return machines[i].name;
	return arena_printf(arena, "ELF machine %u", elf->machine);
}

/* libc.so.6 is a program too; what has a soname is meant to be linked with. */
static const char *kind_of(const struct elf *elf)
{
	if (elf->type == ELF_TYPE_REL)
		return "object";
	if (elf->type == ELF_TYPE_EXEC || elf->flags_1 & ELF_FLAG_1_PIE)
		return "program";
	return elf->interp && !elf->soname ? "program" : "library";
}

/* Within the root; of the running machine, from where the user is. */
static const char *absolute(struct cli *cli, const char *path)
{
	char *here;

	if (path[0] == '/')
		return path;
	if (cli->options.root)
		return arena_printf(&cli->arena, "/%s", path);
	here = arena_array(&cli->arena, char, 4096);
	if (!getcwd(here, 4096) || here[0] != '/')
		return path;
	return arena_printf(&cli->arena, "%s/%s", strcmp(here, "/") == 0 ? "" : here, path);
}

static const char *variable(const struct root *root, const char *name)
{
	const struct names *all = &root_live(root)->environment;
	size_t size = strlen(name);

	for (size_t i = 0; i < all->count; i++)
		if (strncmp(all->items[i], name, size) == 0 && all->items[i][size] == '=')
			return all->items[i] + size + 1;
	return NULL;
}

static void find_libcrypto(struct cli *cli, const char *path, struct inspect_file *file)
{
	struct loader_options options = {
		.versions_of = LIBCRYPTO,
		.library_path = variable(cli->root, "LD_LIBRARY_PATH"),
		.preload = variable(cli->root, "LD_PRELOAD"),
	};
	const struct loader_run *run = loader_run(cli->facts->host, path, &options);
	const struct loader_object *object = loader_object(run, LIBCRYPTO);

	file->libcrypto_unknown = run->failure ? run->failure : run->unknown;
	if (!object || object == run->objects[0])
		return;
	file->libcrypto = arena_new(&cli->arena, struct inspect_library);
	*file->libcrypto = (struct inspect_library){
		.name = object->name,
		.path = object->path,
		.reason = object->reason,
		.asked_by = object->asked_by ? object->asked_by->path : NULL,
		.version = object->elf ? openssl_read(object->elf).version : NULL,
	};
}

static struct inspect_instruction instruction_of(struct arena *arena,
						 const struct instruction_family *family)
{
	struct inspect_function *functions =
		arena_array(arena, struct inspect_function, family->function_count);

	for (size_t i = 0; i < family->function_count; i++)
		functions[i] = (struct inspect_function){family->functions[i].name,
							 (int64_t)family->functions[i].count};
	return (struct inspect_instruction){
		.name = family->name,
		.extension = family->extension,
		.count = (int64_t)family->count,
		.functions = {functions, family->function_count},
	};
}

static void judge_code(struct arena *arena, const struct instruction_scan *scan,
		       const struct cpu_profile *profile, struct inspect_code *code)
{
	static const struct names nowhere;

	for (size_t i = 0; i < profile->expected_instructions.count; i++) {
		const char *name = profile->expected_instructions.items[i];
		const struct instruction_family *family = instructions_find(scan, name);

		if (!family || !family->count)
			names_add(arena, &code->missing, name);
	}
	instructions_outside(arena, scan, &profile->features_absent, &nowhere, &code->foreign);
}

static struct inspect_code *look_at_code(struct cli *cli, struct elf *elf)
{
	const struct instruction_scan *scan = instructions_scan(elf);
	struct inspect_code *code = arena_new(&cli->arena, struct inspect_code);
	struct inspect_instruction *items =
		arena_array(&cli->arena, struct inspect_instruction, scan->family_count);

	if (!scan->applicable)
		return NULL;
	*code = (struct inspect_code){
		.stripped = scan->stripped,
		.mapped = scan->mapped,
		.damage = scan->damage,
		.code_bytes = (int64_t)scan->code_bytes,
		.instructions = {items, 0},
	};
	for (size_t i = 0; i < scan->family_count; i++)
		if (scan->families[i].count)
			items[code->instructions.count++] =
				instruction_of(&cli->arena, &scan->families[i]);
	if (cli->facts->profile)
		judge_code(&cli->arena, scan, cli->facts->profile, code);
	return code;
}

/* Traces of the members are left out: they are as many as there are compilers and flags. */
static void look_at_archive(struct cli *cli, struct elf *elf, struct inspect_file *file)
{
	struct elf_archive archive;
	const struct elf *member;

	elf_archive_begin(&archive, elf);
	member = elf_archive_next(&archive);
	file->kind = "archive";
	if (member && elf_has_sections(member)) {
		file->machine = machine_name(&cli->arena, member);
		file->bits = member->bits;
	}
	file->code = look_at_code(cli, elf);
	file->problem = file->code ? file->code->damage : archive.damage;
}

static void look_at(struct cli *cli, struct inspect_file *file)
{
	const char *path = absolute(cli, file->path);
	struct elf *elf = loader_elf(cli->facts->host, path);
	struct elf_sections sections;
	struct elf_traces traces;

	if (elf->number)
		file->problem = elf->number == ENODATA ? "not in this capture"
						       : strerrordesc_np(elf->number);
	else if (elf_is_archive(elf))
		look_at_archive(cli, elf, file);
	else if (!elf_has_sections(elf))
		file->problem = elf->damage;
	if (file->problem || file->kind)
		return;
	sections = elf_sections_read(elf);
	traces = elf_traces_read(elf, &sections);
	file->kind = kind_of(elf);
	file->machine = machine_name(&cli->arena, elf);
	file->bits = elf->bits;
	file->soname = elf->soname;
	file->interp = elf->interp;
	file->needed = elf->needed;
	file->rpath = elf->rpath;
	file->runpath = elf->runpath;
	file->text_relocations = elf->text_relocations;
	file->stack = elf->type == ELF_TYPE_REL ? NULL : stacks[elf->stack];
	file->compilers = traces.compilers;
	file->flags_recorded = traces.recorded;
	file->flags = traces.flags;
	file->code = look_at_code(cli, elf);
	file->problem = sections.damage;
	if (file->code && file->code->damage)
		file->problem = file->code->damage;
	if (elf->dynamic && elf->needed.count)
		find_libcrypto(cli, path, file);
}

static int judge(struct cli *cli, struct document *document)
{
	size_t count = cli->options.arguments.count;
	struct inspect_file *files = arena_array(&cli->arena, struct inspect_file, count);
	struct inspect_summary *summary = arena_new(&cli->arena, struct inspect_summary);

	document->host = cli->identity;
	summary->files = (int64_t)count;
	summary->profile = cli->facts->profile ? cli->facts->profile->name : NULL;
	for (size_t i = 0; i < count; i++) {
		files[i].path = cli->options.arguments.items[i];
		look_at(cli, &files[i]);
		inspect_show(document, &files[i], summary->profile);
		if (!files[i].problem)
			continue;
		summary->problems++;
		document_message(document, "error", "%s: %s", files[i].path, files[i].problem);
	}
	document->results = (struct field_array){files, count};
	document->summary = summary;
	return summary->problems ? EXIT_TROUBLE : EXIT_OK;
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &inspect_kind);

	if (!cli_open_host(cli))
		return cli_fail(cli, document);
	return cli_finish(cli, document, judge(cli, document));
}

const struct command command_inspect = {
	.name = "inspect",
	.arguments = "FILE...",
	.summary = "what ELF files need and hold: crypto instructions, libcrypto",
	.doc = "Say what each FILE (a program, library or object) is and needs, which instructions "
	       "of AArch64 that matter to cryptography it holds and in which functions, which of "
	       "them the CPU lacks, what it was compiled for, and which libcrypto it would load "
	       "here. Nothing is run.",
	.options = OPTIONS_REPORT | OPTIONS_HOST | OPTION_HELP,
	.arguments_min = 1,
	.arguments_max = FILES_MAX,
	.completes = COMPLETES_FILES,
	.run = run,
};
