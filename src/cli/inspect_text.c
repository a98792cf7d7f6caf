// SPDX-License-Identifier: BSD-2-Clause
#include "cli/inspect.h"

#include "base/arena.h"
#include "report/document.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS_SHOWN ((size_t)3)
#define FOREIGN_SHOWN ((size_t)6)
#define UNKNOWN_FUNCTION "functions not known"

static void row(struct document *document, struct section *section, const char *label,
		const char *text)
{
	if (text && *text)
		section_row(document, section, label, text);
}

static void list_row(struct document *document, struct section *section, const char *label,
		     const struct names *list, size_t shown)
{
	struct names some = *list;

	if (some.count > shown + 1) {
		some.count = shown;
		row(document, section, label,
		    arena_printf(document->arena, "%s and %zu more",
				 names_join(document->arena, &some, ", "), list->count - shown));
		return;
	}
	row(document, section, label, names_join(document->arena, &some, ", "));
}

static const char *text_of(const char *name)
{
	return name ? name : UNKNOWN_FUNCTION;
}

static int order_names(const void *a, const void *b)
{
	const struct inspect_function *left = a, *right = b;

	return strcmp(text_of(left->name), text_of(right->name));
}

static int order_counts(const void *a, const void *b)
{
	const struct inspect_function *left = a, *right = b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return order_names(a, b);
}

/* The functions of all instructions of one extension, each once, the fullest first. */
static struct field_array functions_of(struct arena *arena, const struct inspect_code *code,
				       const char *extension)
{
	const struct inspect_instruction *items = code->instructions.items;
	struct inspect_function *all;
	size_t count = 0, unique = 0;

	for (size_t i = 0; i < code->instructions.count; i++)
		if (strcmp(items[i].extension, extension) == 0)
			count += items[i].functions.count;
	all = arena_array(arena, struct inspect_function, count + 1);
	count = 0;
	for (size_t i = 0; i < code->instructions.count; i++) {
		if (strcmp(items[i].extension, extension) != 0 || !items[i].functions.count)
			continue;
		memcpy(all + count, items[i].functions.items,
		       items[i].functions.count * sizeof(*all));
		count += items[i].functions.count;
	}
	qsort(all, count, sizeof(*all), order_names);
	for (size_t i = 0; i < count; i++) {
		if (unique && order_names(&all[unique - 1], &all[i]) == 0)
			all[unique - 1].count += all[i].count;
		else
			all[unique++] = all[i];
	}
	qsort(all, unique, sizeof(*all), order_counts);
	return (struct field_array){all, unique};
}

/* "aese 12, aesmc 11 in gcm_enc (20), gcm_dec (2) and 2 more" */
static void extension_row(struct document *document, struct section *section,
			  const struct inspect_code *code, const char *extension)
{
	const struct inspect_instruction *items = code->instructions.items;
	struct field_array functions = functions_of(document->arena, code, extension);
	const struct inspect_function *function = functions.items;
	struct buffer text = buffer_new(document->arena, 16384);
	size_t shown = functions.count > FUNCTIONS_SHOWN + 1 ? FUNCTIONS_SHOWN : functions.count;
	const char *before = "";

	for (size_t i = 0; i < code->instructions.count; i++) {
		if (strcmp(items[i].extension, extension) != 0)
			continue;
		buffer_printf(&text, "%s%s %" PRId64, before, items[i].name, items[i].count);
		before = ", ";
	}
	for (size_t i = 0; i < shown; i++)
		buffer_printf(&text, "%s%s (%" PRId64 ")", i ? ", " : "; in ",
			      text_of(function[i].name), function[i].count);
	if (shown < functions.count)
		buffer_printf(&text, " and %zu more", functions.count - shown);
	row(document, section, extension, buffer_string(&text));
}

static const char *doubt(const struct inspect_code *code)
{
	if (!code->mapped)
		return code->stripped
			       ? "stripped: data may be counted as code, few functions are known"
			       : "no mapping symbols: data may be counted as code";
	return NULL;
}

static void code_rows(struct document *document, struct section *section,
		      const struct inspect_code *code, const char *profile)
{
	const struct inspect_instruction *items = code->instructions.items;
	struct arena *arena = document->arena;

	if (!code->instructions.count)
		row(document, section, "instructions", "none that matter to cryptography");
	for (size_t i = 0; i < code->instructions.count; i++)
		if (!i || strcmp(items[i].extension, items[i - 1].extension) != 0)
			extension_row(document, section, code, items[i].extension);
	row(document, section, "doubt", doubt(code));
	if (!profile)
		return;
	row(document, section, "missing",
	    code->missing.count ? arena_printf(arena, "%s (expected on %s)",
					       names_join(arena, &code->missing, ", "), profile)
				: arena_printf(arena, "nothing that is expected on %s", profile));
	if (!code->foreign.count)
		row(document, section, "foreign", arena_printf(arena, "nothing to %s", profile));
	list_row(document, section, "foreign", &code->foreign, FOREIGN_SHOWN);
	if (code->foreign.count)
		row(document, section, "",
		    arena_printf(arena,
				 "%s lacks these: they stop a program that does not ask the "
				 "CPU first",
				 profile));
}

static void libcrypto_rows(struct document *document, struct section *section,
			   const struct inspect_file *file)
{
	const struct inspect_library *library = file->libcrypto;
	struct arena *arena = document->arena;

	if (library && library->path)
		row(document, section, "libcrypto",
		    library->version
			    ? arena_printf(arena, "%s (%s)", library->path, library->version)
			    : library->path);
	else if (library)
		row(document, section, "libcrypto",
		    arena_printf(arena, "%s is not found here", library->name));
	else
		row(document, section, "libcrypto",
		    file->libcrypto_unknown ? "not known" : "loads none");
	if (library && library->reason)
		row(document, section, "", arena_printf(arena, "found by %s", library->reason));
	if (library && library->asked_by)
		row(document, section, "", arena_printf(arena, "for %s", library->asked_by));
	row(document, section, "", file->libcrypto_unknown);
}

void inspect_show(struct document *document, const struct inspect_file *file, const char *profile)
{
	struct section *section = document_section(document, file->path, 2, NULL);
	struct arena *arena = document->arena;

	if (!file->kind)
		return;
	row(document, section, "what",
	    file->machine ? arena_printf(arena, "%s, %s, %" PRId64 " bits", file->kind,
					 file->machine, file->bits)
			  : file->kind);
	row(document, section, "soname", file->soname);
	row(document, section, "interp", file->interp);
	row(document, section, "needs", names_join(arena, &file->needed, ", "));
	row(document, section, "rpath", file->rpath);
	row(document, section, "runpath", file->runpath);
	if (file->text_relocations)
		row(document, section, "relocations", "in code: the loader must write into it");
	row(document, section, "stack", file->stack);
	row(document, section, "compilers", names_join(arena, &file->compilers, ", "));
	if (strcmp(file->kind, "archive") != 0)
		row(document, section, "flags",
		    !file->flags_recorded   ? "not recorded: what it was compiled for is unknown"
		    : file->flags.count > 0 ? names_join(arena, &file->flags, " ")
					    : "recorded, without -mcpu, -march or -mtune");
	if (file->code)
		code_rows(document, section, file->code, profile);
	else
		row(document, section, "instructions", "not counted: not a file of aarch64");
	if (file->stack)
		libcrypto_rows(document, section, file);
}
