// SPDX-License-Identifier: BSD-2-Clause
/* Every format for programs and pages of hostile texts, read by other implementations:
 * formats_oracle.py and facets_oracle.py beside this file. */
#include "base/arena.h"
#include "base/error.h"
#include "base/process.h"
#include "host/value.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/junit.h"
#include "report/markdown.h"
#include "report/openmetrics.h"
#include "report/sarif.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OUTPUT_MAX ((size_t)8 << 20)

static const char *const hostile[] = {
	"plain",
	"a|b \\| c||",
	"\\",
	"ends in a backslash\\",
	"`code` ``two`` `",
	"<script>alert(1)</script>",
	"<!-- --> <b>bold</b> &amp; &#124; &lt;",
	"*em* **strong** _em_ __strong__ ~~gone~~ ~gone~",
	"[text](http://example.invalid) ![image](x) [^1] [ ] [x]: y",
	"http://example.invalid www.example.invalid ftp://x.y someone@example.invalid @someone",
	"ends in a feed\n",
	"line\nfeed\n\n| new | row |\n| --- | --- |\n# heading",
	"return\r\nand tab\tand \033[31mescape\033[0m",
	"right to left \xe2\x80\xae"
	"drow\xe2\x80\xac and \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
	"broken \xff\xfe \xc3( \xed\xa0\x80 \xf0\x9f",
	"=1+1",
	"+1",
	"-1",
	"@SUM(A1)",
	"'quoted",
	"  =cmd|' /C calc'!A0",
	"\n=1",
	"\t=1",
	"\xef\xbc\x9d"
	"1+1",
	"a \"quoted\" word, with a comma; and a semicolon\\;",
	"\"",
	",",
	"",
	"# heading",
	"1. list",
	"2) list",
	"- list",
	"+ list",
	"> quote",
	"---",
	"===",
	"$a$ and $$b$$ :smile: #1 GH-1",
	"    four blanks",
	"```\nfence\n```",
	"&",
	"\xf0\x9f\x98\x80 \xe5\x86\x85\xe5\xad\x98 cafe\xcc\x81",
	"x\x7fy\xc2\x85z\xc2\x9b",
	"]]> <![CDATA[ ]]>",
	"</script></style></title></svg><!--",
	"\" onmouseover=\"alert(1)\" '",
	"javascript:alert(1)",
	"no character \xef\xbf\xbe and \xef\xbf\xbf",
	"{label=\"x\"} 1\n# EOF",
	"\\n \\\" \\\\",
	"&#10;&#x0a;&notanentity;&lt",
	"%s %n %% %20",
};
#define HOSTILE_COUNT (sizeof(hostile) / sizeof(hostile[0]))

struct inner {
	const char *text;
	struct numbers sizes;
};

struct row {
	const char *name;
	int64_t count;
	double share;
	bool good;
	struct maybe_number maybe;
	struct inner *inner;
	struct names list;
	const char *custom;
	struct field_array left_out;
	struct inner *some; /* NULL */
};

static void write_custom(struct json_writer *writer, const char *key, const void *member)
{
	json_text(writer, key, *(const char *const *)member);
}

#define ROW(type, name, member_of, ...)                                                            \
	{                                                                                          \
		.key = #name, .kind = (type), .offset = FIELD(struct member_of, name),             \
		##__VA_ARGS__                                                                      \
	}

static const struct field inner_fields[] = {
	ROW(FIELD_TEXT, text, inner),
	ROW(FIELD_NUMBERS, sizes, inner),
};
static const struct field_table inner_table =
	FIELD_TABLE("inner", struct inner, inner_fields, "inside");

static const struct field row_fields[] = {
	ROW(FIELD_TEXT, name, row),
	ROW(FIELD_NUMBER, count, row),
	ROW(FIELD_REAL, share, row),
	ROW(FIELD_BOOL, good, row),
	ROW(FIELD_MAYBE, maybe, row),
	ROW(FIELD_OBJECT, inner, row, .table = &inner_table),
	ROW(FIELD_TEXTS, list, row),
	{.key = "text",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct row, custom),
	 .write = write_custom},
	ROW(FIELD_ARRAY, left_out, row, .table = &inner_table),
	ROW(FIELD_OBJECT, some, row, .table = &inner_table),
};
static const struct field_table row_table = FIELD_TABLE("row", struct row, row_fields, "one");

static const struct field document_fields[] = {
	DOCUMENT_FIELDS(&row_table, "rows", &document_tool_table),
};
static const struct field_table table =
	FIELD_TABLE("test", struct document, document_fields, "a test");
static const struct document_kind kind = {"test", "1.0.0", &table};

static struct row hostile_row(struct arena *arena, size_t i)
{
	static int64_t sizes[] = {64, -1};
	struct row row = {.name = hostile[i],
			  .count = -(int64_t)i,
			  .share = i ? -(double)i / 3 : NAN,
			  .good = i % 2,
			  .maybe = {i % 2 == 0, (int64_t)i},
			  .custom = hostile[i]};

	row.inner = arena_new(arena, struct inner);
	*row.inner = (struct inner){hostile[i], {sizes, 2}};
	names_add(arena, &row.list, hostile[i]);
	names_add(arena, &row.list, hostile[i]);
	return row;
}

static struct finding hostile_finding(size_t i)
{
	return (struct finding){.id = hostile[i],
				.title = hostile[i],
				.outcome = i % 2 ? "fail" : "pass",
				.severity = "high",
				.found = value_text(hostile[i]),
				.wanted = hostile[i],
				.fix = hostile[i],
				.reason = NULL};
}

static struct document *hostile_document(struct arena *arena)
{
	static const char *const header[] = {"number", "text", "last"};
	static char program[] = "ampere-crypto";
	static char *argv[] = {program};
	struct document *document = document_new(arena, &kind, "0", 1, argv);
	struct section *section = document_section(document, "a | title", 3, header);
	struct row *rows = arena_array(arena, struct row, HOSTILE_COUNT);
	struct finding *findings = arena_array(arena, struct finding, HOSTILE_COUNT);
	struct finding_list *list = arena_new(arena, struct finding_list);

	for (size_t i = 0; i < HOSTILE_COUNT; i++) {
		rows[i] = hostile_row(arena, i);
		findings[i] = hostile_finding(i);
		section_row(document, section, arena_printf(arena, "%zu", i), hostile[i], "end");
		if (*hostile[i])
			section_note(document, section, hostile[i]);
		section_row(document, document_section(document, NULL, 1, NULL), hostile[i]);
		document_message(document, "warning", "%s", hostile[i]);
	}
	*list = (struct finding_list){findings, HOSTILE_COUNT, 0};
	document->findings = list;
	document->results = (struct field_array){rows, HOSTILE_COUNT};
	document->next = "go `on` | <b>";
	return document;
}

static void add_facets(struct document *document, size_t i)
{
	struct arena *arena = document->arena;
	struct evidence *evidence = arena_new(arena, struct evidence);
	struct plot_line *line = arena_new(arena, struct plot_line);
	struct names sources = {0};

	names_add(arena, &sources, hostile[i]);
	*evidence = (struct evidence){.path = arena_printf(arena, "/%s", hostile[i]),
				      .raw = hostile[i]};
	document_verdict(document, &(struct verdict){.group = "group",
						     .id = arena_printf(arena, "id.%zu", i),
						     .title = hostile[i],
						     .outcome = i % 2 ? "fail" : "waived",
						     .severity = "high",
						     .text = hostile[i],
						     .found = hostile[i],
						     .wanted = hostile[i],
						     .remark = hostile[i],
						     .why = hostile[i],
						     .cost = hostile[i],
						     .fix = hostile[i],
						     .undo = hostile[i],
						     .evidence = {evidence, 1},
						     .references = sources,
						     .waived = i % 2 ? NULL : hostile[i],
						     .elapsed_ms = (int64_t)i});
	document_metric(document,
			&(struct metric){.name = i % 2 ? "odd" : "even",
					 .unit = "bytes",
					 .help = "Half of \"them\"\nand \\ more",
					 .labels = {{"number", arena_printf(arena, "%zu", i)},
						    {"text", hostile[i]},
						    {"absent", NULL}},
					 .label_count = 3,
					 .value = (double)i / 3});
	line->name = hostile[i];
	line->points = arena_array(arena, struct plot_point, 2);
	line->points[0] = (struct plot_point){64, 1, NAN, NAN};
	line->points[1] = (struct plot_point){1024, 0.5 + (double)i, 0, 99};
	line->count = 2;
	document_plot(document, &(struct plot){.title = hostile[i],
					       .x_title = hostile[i],
					       .y_title = hostile[i],
					       .x_scale = SCALE_LOG2,
					       .lines = line,
					       .line_count = 1,
					       .note = hostile[i]});
}

static const struct format {
	const char *name;
	void (*render)(struct buffer *out, const struct document *document);
} formats[] = {
	{"csv", csv_render},     {"markdown", markdown_render},       {"sarif", sarif_render},
	{"junit", junit_render}, {"openmetrics", openmetrics_render}, {"html", html_render},
};

static const char *hex(struct arena *arena, struct view bytes)
{
	struct buffer out = buffer_new(arena, bytes.size * 2 + 1);

	for (size_t i = 0; i < bytes.size; i++)
		buffer_printf(&out, "%02x", (unsigned char)bytes.at[i]);
	return buffer_string(&out);
}

static struct view question(struct arena *arena)
{
	struct document *document = hostile_document(arena);
	struct buffer *out = arena_new(arena, struct buffer);
	struct json_writer writer;

	for (size_t i = 0; i < HOSTILE_COUNT; i++)
		add_facets(document, i);
	*out = buffer_new(arena, OUTPUT_MAX);
	json_begin(&writer, out);
	json_object(&writer, NULL);
	json_array(&writer, "texts");
	for (size_t i = 0; i < HOSTILE_COUNT; i++)
		json_text(&writer, NULL, hex(arena, view_of(hostile[i])));
	json_close(&writer);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct buffer text = buffer_new(arena, OUTPUT_MAX);

		formats[i].render(&text, document);
		assert_false(text.full);
		json_text(&writer, formats[i].name, hex(arena, buffer_view(&text)));
	}
	json_end(&writer);
	assert_false(out->full);
	return buffer_view(out);
}

static void hostile_texts_stay_inside_their_cells(void **state)
{
	struct arena arena;
	struct process_result result;
	struct error err = {0};

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	arena.exhausted = abort;
	const char *python = process_find(&arena, "python3");
	const char *const command[] = {python, FORMATS_ORACLE, NULL};

	if (!python) {
		print_message("SKIP: no python3\n");
		skip();
	}
	if (!process_run(&arena, command, question(&arena), 60000, OUTPUT_MAX, &result, &err))
		fail_msg("%s", err.text);
	if (result.exit_status != 0)
		fail_msg("%.*s", (int)result.output.size, result.output.at);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_texts_stay_inside_their_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
