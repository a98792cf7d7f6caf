// SPDX-License-Identifier: BSD-2-Clause
#include "cli/identity.h"

#include "base/arena.h"

#include <inttypes.h>
#include <string.h>

/* What a family is called when one speaks of it. */
static const struct family_name {
	const char *family, *name;
} family_names[] = {
	{"altra", "Ampere Altra"},
	{"altramax", "Ampere Altra Max"},
	{"ampereone-ac03", "AmpereOne (AC03)"},
	{"ampereone-ac04", "AmpereOne (AC04)"},
	{"ampere-unknown", "an Ampere CPU not known to this version"},
	{"emag", "Ampere eMAG, not supported: neither Altra nor AmpereOne"},
	{"neoverse-n1", "Arm Neoverse N1"},
	{"other", "not an Ampere CPU"},
};

static const char *family_name(const char *family)
{
	for (size_t i = 0; family && i < sizeof(family_names) / sizeof(family_names[0]); i++) {
		if (strcmp(family_names[i].family, family) == 0)
			return family_names[i].name;
	}
	return family ? family : "CPU not known";
}

static void add_count(struct buffer *out, const char *before, struct maybe_number number,
		      const char *one, const char *many)
{
	if (number.known)
		buffer_printf(out, "%s%" PRId64 " %s", before, number.number,
			      number.number == 1 ? one : many);
}

/* "bare metal", "a kvm guest", "in a docker container on bare metal" */
static const char *virtualization(struct arena *arena, const struct identity_virtualization *it)
{
	const char *machine = NULL;

	if (it->vm)
		machine = strcmp(it->vm, "none") == 0
				  ? "no virtual machine"
				  : arena_printf(arena, "%s virtual machine", it->vm);
	if (it->container && strcmp(it->container, "none") != 0)
		return machine ? arena_printf(arena, "%s container, %s", it->container, machine)
			       : arena_printf(arena, "%s container", it->container);
	return machine;
}

const char *identity_line(struct arena *arena, const struct identity *identity)
{
	struct buffer out = buffer_new(arena, 4096);
	const char *virtual = virtualization(arena, &identity->virtualization);

	buffer_text(&out, family_name(identity->family));
	if (identity->sku)
		buffer_printf(&out, " %s", identity->sku);
	if (identity->family_confidence && strcmp(identity->family_confidence, "likely") == 0)
		buffer_text(&out, " (likely)");
	if (identity->arch && identity->family && strcmp(identity->family, "other") == 0)
		buffer_printf(&out, ", %s", identity->arch);
	add_count(&out, ", ", identity->cpus, "CPU", "CPUs");
	add_count(&out, identity->cpus.known ? " in " : ", ", identity->packages, "package",
		  "packages");
	add_count(&out, ", ", identity->nodes, "node", "nodes");
	if (identity->kernel)
		buffer_printf(&out, ", kernel %s", identity->kernel);
	if (virtual)
		buffer_printf(&out, ", %s", virtual);
	return buffer_string(&out);
}

static void row(struct document *document, struct section *section, const char *key,
		const char *text)
{
	if (text && *text)
		section_row(document, section, key, text);
}

static void number_row(struct document *document, struct section *section, const char *key,
		       struct maybe_number number, const char *unit)
{
	if (number.known)
		row(document, section, key,
		    arena_printf(document->arena, "%" PRId64 "%s", number.number, unit));
}

static const char *join(struct arena *arena, const char *a, const char *b, const char *c)
{
	struct names parts = {0};

	for (int i = 0; i < 3; i++) {
		const char *part = i == 0 ? a : i == 1 ? b : c;

		if (part && *part)
			names_add(arena, &parts, part);
	}
	return names_join(arena, &parts, " ");
}

static void machine_section(struct document *document, const struct identity *identity)
{
	struct section *section = document_section(document, NULL, 2, NULL);
	struct arena *arena = document->arena;

	row(document, section, "cpu",
	    join(arena, family_name(identity->family), identity->sku, NULL));
	row(document, section, "confidence", identity->family_confidence);
	row(document, section, "product", identity->product);
	row(document, section, "midr", identity->midr);
	row(document, section, "arch",
	    !identity->arch || strcmp(identity->arch, "aarch64") == 0
		    ? identity->arch
		    : arena_printf(arena, "%s, not aarch64", identity->arch));
	number_row(document, section, "packages", identity->packages, "");
	number_row(document, section, "cpus", identity->cpus, "");
	number_row(document, section, "nodes", identity->nodes, "");
	/* Elsewhere they are many and say nothing about Arm's. */
	if (identity->arch && strcmp(identity->arch, "aarch64") == 0)
		row(document, section, "features", names_join(arena, &identity->features, " "));
	number_row(document, section, "page size", identity->page_size_bytes, " bytes");
	number_row(document, section, "timer", identity->timer_hz, " Hz");
	row(document, section, "kernel", identity->kernel);
	row(document, section, "machine",
	    join(arena, identity->machine.vendor, identity->machine.product, NULL));
	row(document, section, "firmware",
	    join(arena, identity->firmware.vendor, identity->firmware.version,
		 identity->firmware.date));
	row(document, section, "runs on", virtualization(arena, &identity->virtualization));
}

static void flags_rows(struct document *document, struct section *section, const char *compiler,
		       const struct compiler_flags *flags)
{
	row(document, section, compiler, flags->accepted ? flags->accepted : flags->wanted);
	if (flags->accepted && flags->wanted && strcmp(flags->accepted, flags->wanted) != 0)
		row(document, section, "",
		    arena_printf(document->arena, "wanted %s", flags->wanted));
	if (!flags->accepted && flags->fallback)
		row(document, section, "",
		    arena_printf(document->arena, "when the compiler refuses it: %s",
				 flags->fallback));
	row(document, section, "", flags->why);
}

void identity_messages(struct document *document, const struct identity *identity)
{
	for (size_t i = 0; i < identity->contradictions.count; i++)
		document_message(document, "warning", "%s", identity->contradictions.items[i]);
}

void identity_sections(struct document *document, const struct identity *identity)
{
	static const char *const header[] = {"source", "what it says"};
	const struct evidence *evidence = identity->evidence.items;
	struct section *section;

	machine_section(document, identity);
	if (identity->flags) {
		section = document_section(document, "compiler flags", 2, NULL);
		flags_rows(document, section, "gcc", &identity->flags->gcc);
		flags_rows(document, section, "clang", &identity->flags->clang);
	}
	section = document_section(document, "evidence", 2, header);
	for (size_t i = 0; i < identity->evidence.count; i++)
		section_row(document, section, evidence[i].path,
			    arena_printf(document->arena, "%s%s",
					 evidence[i].raw ? text_printable(document->arena,
									  view_of(evidence[i].raw))
							 : "",
					 evidence[i].confidence == CONFIDENCE_INFERRED
						 ? " (inferred)"
						 : ""));
	identity_messages(document, identity);
}
