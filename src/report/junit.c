// SPDX-License-Identifier: BSD-2-Clause
#include "report/junit.h"

#include "base/arena.h"
#include "base/error.h"
#include "host/value.h"
#include "report/markup.h"

#include <inttypes.h>
#include <string.h>

enum element { ELEMENT_NONE, ELEMENT_FAILURE, ELEMENT_SKIPPED, ELEMENT_ERROR };

static const char *const element_names[] = {
	[ELEMENT_FAILURE] = "failure", [ELEMENT_SKIPPED] = "skipped", [ELEMENT_ERROR] = "error"};

struct junit {
	struct buffer *out;
	const struct document *document;
	size_t counts[ELEMENT_ERROR + 1];
};

static enum element element_of(const struct document *document, const struct verdict *verdict)
{
	if (strcmp(verdict->outcome, "pass") == 0)
		return ELEMENT_NONE;
	if (strcmp(verdict->outcome, "fail") == 0)
		return ELEMENT_FAILURE;
	if (strcmp(verdict->outcome, "unknown") == 0 && document->exit_code == EXIT_UNKNOWN_ONLY)
		return ELEMENT_ERROR;
	return ELEMENT_SKIPPED;
}

static bool is_error(const struct document_message *message)
{
	return strcmp(message->level, "error") == 0;
}

static void count(struct junit *junit)
{
	const struct document_message *messages = junit->document->messages.items;

	for (const struct verdict *v = junit->document->facets.first_verdict; v; v = v->next)
		junit->counts[element_of(junit->document, v)]++;
	for (size_t i = 0; i < junit->document->messages.count; i++)
		junit->counts[ELEMENT_ERROR] += is_error(&messages[i]);
}

static void put_time(struct buffer *out, int64_t ms)
{
	ms = ms < 0 ? 0 : ms;
	buffer_printf(out, " time=\"%" PRId64 ".%03" PRId64 "\"", ms / 1000, ms % 1000);
}

static void put_counts(const struct junit *junit)
{
	size_t all = 0;

	for (size_t i = 0; i <= ELEMENT_ERROR; i++)
		all += junit->counts[i];
	buffer_printf(junit->out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
		      all, junit->counts[ELEMENT_FAILURE], junit->counts[ELEMENT_ERROR],
		      junit->counts[ELEMENT_SKIPPED]);
	put_time(junit->out, junit->document->elapsed_ms);
}

static void put_line(struct buffer *out, const char *what, const char *text)
{
	if (text && *text)
		markup_printf(out, "%s: %s\n", what, text);
}

static void put_details(struct buffer *out, const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence.items;

	put_line(out, "found", verdict->found);
	put_line(out, "wanted", verdict->wanted);
	for (size_t i = 0; i < verdict->evidence.count; i++)
		put_line(out, evidence[i].path, evidence[i].raw);
	put_line(out, "why", verdict->why);
	put_line(out, "cost", verdict->cost);
	put_line(out, "fix", verdict->fix);
	put_line(out, "undo", verdict->undo);
}

/* "unknown: needs root", as the outcomes na, unknown and waived are all skipped. */
static const char *message_of(struct arena *arena, const struct verdict *verdict)
{
	const char *text = verdict->text ? verdict->text : "";

	if (strcmp(verdict->outcome, "fail") == 0)
		return text;
	if (verdict->waived)
		return arena_printf(arena, "waived: %s; %s", verdict->waived, text);
	return arena_printf(arena, "%s: %s", verdict->outcome, text);
}

static void put_case(const struct junit *junit, const struct verdict *verdict)
{
	struct buffer *out = junit->out;
	enum element element = element_of(junit->document, verdict);
	struct arena *arena = junit->document->arena;

	buffer_text(out, "    <testcase");
	markup_attribute(out, "name",
			 verdict->title ? arena_printf(arena, "%s: %s", verdict->id, verdict->title)
					: verdict->id);
	markup_attribute(out, "classname",
			 arena_printf(arena, "ampere-crypto.%s%s%s", junit->document->kind->name,
				      verdict->group ? "." : "",
				      verdict->group ? verdict->group : ""));
	put_time(out, verdict->elapsed_ms);
	if (element == ELEMENT_NONE) {
		buffer_text(out, "/>\n");
		return;
	}
	buffer_printf(out, ">\n      <%s", element_names[element]);
	markup_attribute(out, "message", message_of(arena, verdict));
	if (element == ELEMENT_SKIPPED) {
		buffer_text(out, "/>\n");
	} else {
		markup_attribute(out, "type", verdict->severity ? verdict->severity : "fail");
		buffer_char(out, '>');
		put_details(out, verdict);
		buffer_printf(out, "</%s>\n", element_names[element]);
	}
	buffer_text(out, "    </testcase>\n");
}

static void put_property(struct buffer *out, const char *name, const char *value)
{
	if (!value)
		return;
	buffer_text(out, "      <property");
	markup_attribute(out, "name", name);
	markup_attribute(out, "value", value);
	buffer_text(out, "/>\n");
}

static void put_properties(const struct junit *junit)
{
	const struct document *document = junit->document;
	const struct identity *host = document->host;

	buffer_text(junit->out, "    <properties>\n");
	put_property(junit->out, "version", document->tool.version);
	put_property(junit->out, "exit-status",
		     arena_printf(document->arena, "%" PRId64, document->exit_code));
	if (host) {
		put_property(junit->out, "family", host->family);
		put_property(junit->out, "sku", host->sku);
		put_property(junit->out, "arch", host->arch);
		put_property(junit->out, "kernel", host->kernel);
		put_property(junit->out, "firmware", host->firmware.version);
	}
	buffer_text(junit->out, "    </properties>\n");
}

static void put_errors(const struct junit *junit)
{
	const struct document_message *messages = junit->document->messages.items;

	for (size_t i = 0; i < junit->document->messages.count; i++) {
		if (!is_error(&messages[i]))
			continue;
		buffer_text(junit->out, "    <testcase name=\"run\"");
		markup_attribute(junit->out, "classname",
				 arena_printf(junit->document->arena, "ampere-crypto.%s",
					      junit->document->kind->name));
		buffer_text(junit->out, ">\n      <error");
		markup_attribute(junit->out, "message", messages[i].text);
		buffer_text(junit->out, " type=\"error\"/>\n    </testcase>\n");
	}
}

void junit_render(struct buffer *out, const struct document *document)
{
	struct junit junit = {.out = out, .document = document};
	size_t size = strlen(document->started);

	count(&junit);
	buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			 "<testsuites name=\"ampere-crypto\"");
	put_counts(&junit);
	buffer_text(out, ">\n  <testsuite");
	markup_attribute(out, "name",
			 arena_printf(document->arena, "ampere-crypto %s", document->kind->name));
	put_counts(&junit);
	/* Without the Z: the schemas of this format know no time zones. */
	buffer_printf(out, " timestamp=\"%.*s\">\n", (int)(size ? size - 1 : 0), document->started);
	put_properties(&junit);
	for (const struct verdict *v = document->facets.first_verdict; v; v = v->next)
		put_case(&junit, v);
	put_errors(&junit);
	buffer_text(out, "  </testsuite>\n</testsuites>\n");
}
