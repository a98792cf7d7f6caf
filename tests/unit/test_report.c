// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "report/output.h"
#include "report/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void cells_are_counted_as_a_terminal_does(void **state)
{
	static const struct {
		const char *text;
		size_t cells;
	} rows[] = {
		{"", 0},
		{"abc", 3},
		{"caf\xc3\xa9", 4},
		{"cafe\xcc\x81", 4},
		{"\xe5\x86\x85\xe5\xad\x98", 4},
		{"\xef\xbc\xa1", 2},
		{"\xf0\x9f\x98\x80", 2},
		{"a\xe2\x80\x8b"
		 "b",
		 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(page_cells(rows[i].text), rows[i].cells);
}

struct fixture {
	struct arena arena;
	struct buffer out;
	struct page page;
};

static void begin(struct fixture *fixture, size_t width)
{
	arena_init(&fixture->arena, ARENA_DEFAULT_MAX_BYTES);
	fixture->arena.exhausted = abort;
	fixture->out = buffer_new(&fixture->arena, (size_t)1 << 20);
	fixture->page =
		(struct page){.out = &fixture->out, .arena = &fixture->arena, .width = width};
}

static void text_wraps_under_its_margin(void **state)
{
	static const struct {
		size_t width, indent;
		const char *text, *lines;
	} rows[] = {
		{40, 4, "one two", "one two"},
		{20, 2, "aaaa bbbb cccc dddd eeee", "aaaa bbbb cccc dddd\n  eeee"},
		{20, 2, "  blanks    between are one  ", "blanks between are\n  one"},
		/* Wide characters take two cells each: seven fit into fourteen. */
		{20, 2,
		 "\xe5\x86\x85\xe5\x86\x85\xe5\x86\x85\xe5\x86\x85\xe5\x86\x85\xe5\x86\x85\xe5\x86"
		 "\x85 "
		 "\xe5\x86\x85\xe5\x86\x85 \xe5\x86\x85",
		 "\xe5\x86\x85\xe5\x86\x85\xe5\x86\x85\xe5\x86\x85\xe5\x86\x85\xe5\x86\x85\xe5\x86"
		 "\x85 "
		 "\xe5\x86\x85\xe5\x86\x85\n  \xe5\x86\x85"},
		/* A word wider than a line is cut, a shorter one moves to its own line whole. */
		{20, 2, "x 0123456789abcdefghij", "x\n  0123456789abcdefghij"},
		{20, 2, "x 0123456789abcdefghijk", "x\n  0123456789abcdefgh\n  ijk"},
		/* A path is cut behind its '/' and '-'. */
		{20, 2, "x /usr/lib/aarch64-linux-gnu/libssl.so.3",
		 "x\n  /usr/lib/aarch64-\n  linux-gnu/\n  libssl.so.3"},
		/* A margin that leaves no room is not kept. */
		{20, 18, "aaaaaaaa bbbbbbbbbb cc", "aaaaaaaa bbbbbbbbbb\n    cc"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture fixture;

		begin(&fixture, rows[i].width);
		page_wrap(&fixture.page, rows[i].indent, rows[i].text);
		assert_string_equal(buffer_string(&fixture.out), rows[i].lines);
		arena_release(&fixture.arena);
	}
}

static void what_a_machine_says_cannot_drive_the_terminal(void **state)
{
	struct fixture fixture;

	(void)state;
	begin(&fixture, 80);
	page_put(&fixture.page, STYLE_BAD,
		 "a\033[2J\rb\xff\xc2\x9b"
		 "c");
	page_end(&fixture.page);
	page_wrap(&fixture.page, 0, "d\ne\033");
	assert_string_equal(buffer_string(&fixture.out),
			    "a\\x1b[2J\\x0db\\xff\\xc2\\x9bc\nd\\x0ae\\x1b");
	arena_release(&fixture.arena);
}

static void lines_never_end_in_blanks_and_columns_are_kept_apart(void **state)
{
	struct fixture fixture;

	(void)state;
	begin(&fixture, 80);
	page_put(&fixture.page, STYLE_PLAIN, "key");
	page_to(&fixture.page, 6);
	page_put(&fixture.page, STYLE_PLAIN, "");
	page_end(&fixture.page);
	page_put(&fixture.page, STYLE_PLAIN, "longer key");
	page_to(&fixture.page, 6);
	page_put(&fixture.page, STYLE_PLAIN, "value");
	page_end(&fixture.page);
	assert_string_equal(buffer_string(&fixture.out), "key\nlonger key  value\n");
	arena_release(&fixture.arena);
}

static const struct document_kind no_kind = {"test", "1.0.0", NULL};

static struct document *sample(struct fixture *fixture, struct finding_list *list)
{
	static char program[] = "ampere-crypto";
	static char *argv[] = {program};
	struct document *document;
	struct finding *findings;

	document = document_new(&fixture->arena, &no_kind, "0", 1, argv);
	findings = arena_array(&fixture->arena, struct finding, 6);
	findings[0] = (struct finding){.id = "p.one",
				       .title = "One",
				       .outcome = "pass",
				       .severity = "high",
				       .found = value_text("fine")};
	findings[1] = (struct finding){.id = "u.two",
				       .title = "Two",
				       .outcome = "unknown",
				       .severity = "critical",
				       .reason = "/x: needs root",
				       .wanted = "on"};
	findings[2] = (struct finding){.id = "f.low",
				       .title = "Three",
				       .outcome = "fail",
				       .severity = "low",
				       .found = value_text("off"),
				       .wanted = "on",
				       .why = "it is slow",
				       .fix = "turn\nit on"};
	findings[3] = (struct finding){.id = "n.four",
				       .title = "Four",
				       .outcome = "na",
				       .severity = "high",
				       .reason = "there is none"};
	findings[4] = (struct finding){.id = "f.high",
				       .title = "Five",
				       .outcome = "fail",
				       .severity = "high",
				       .found = value_number(7),
				       .unit = "Hz",
				       .wanted = "9 Hz"};
	findings[5] = (struct finding){.id = "w.six",
				       .title = "Six",
				       .outcome = "waived",
				       .severity = "high",
				       .found = value_text("off"),
				       .wanted = "on"};
	*list = (struct finding_list){findings, 6, 1};
	document->findings = list;
	document_message(document, "warning", "look %d", 1);
	document->next = "run this";
	return document;
}

#define FOOTER_COUNTS "2 fail (1 high, 1 low), 1 unknown (1 needs root), 1 waived, 1 pass, 1 na"
#define FAILURES                                                                                   \
	"FAIL     high      f.high  Five: 7 Hz, wanted 9 Hz\n"                                     \
	"FAIL     low       f.low  Three: off, wanted on\n"
#define OTHERS                                                                                     \
	"UNKNOWN  critical  u.two  Two: /x: needs root\n"                                          \
	"WAIVED   high      w.six  Six: off, wanted on\n"
#define LAST "warning: look 1\nnext: run this\n"

static void failing_findings_come_first_and_passes_are_folded(void **state)
{
	static const struct {
		struct text_style style;
		const char *text;
	} rows[] = {
		{{.width = 80},
		 FAILURES OTHERS "\n" FOOTER_COUNTS "\npass and na are shown by --all\n" LAST},
		{{.width = 100, .all = true},
		 FAILURES OTHERS "PASS     high      p.one  One: fine\n"
				 "NA       high      n.four  Four: there is none\n\n" FOOTER_COUNTS
				 "\n" LAST},
		{{.width = 80, .quiet = true}, FAILURES},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct finding_list list;
		struct fixture fixture;

		begin(&fixture, 80);
		text_render(&fixture.out, sample(&fixture, &list), &rows[i].style);
		assert_string_equal(buffer_string(&fixture.out), rows[i].text);
		arena_release(&fixture.arena);
	}
}

/* Takes "ESC [ … m" out. */
static void strip_colors(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (*from == '\033')
			from = strchr(from, 'm');
		else
			*to++ = *from;
	}
	*to = '\0';
}

static void colour_only_repeats_what_the_words_say(void **state)
{
	struct text_style plain = {.width = 80}, colored = {.width = 80, .color = true};
	struct finding_list list;
	struct fixture a, b;
	char *text;

	(void)state;
	begin(&a, 80);
	begin(&b, 80);
	text_render(&a.out, sample(&a, &list), &plain);
	text_render(&b.out, sample(&b, &list), &colored);
	text = arena_strdup(&b.arena, buffer_string(&b.out));
	assert_non_null(strchr(text, '\033'));
	strip_colors(text);
	assert_string_equal(text, buffer_string(&a.out));
	arena_release(&a.arena);
	arena_release(&b.arena);
}

static void details_are_shown_when_asked_for(void **state)
{
	struct text_style style = {.width = 80, .verbose = true};
	struct finding_list list;
	struct fixture fixture;

	(void)state;
	begin(&fixture, 80);
	text_render(&fixture.out, sample(&fixture, &list), &style);
	assert_non_null(strstr(buffer_string(&fixture.out),
			       "                   why       it is slow\n"
			       "                   fix       turn\n"
			       "                             it on\n"));
	arena_release(&fixture.arena);
}

static void tables_line_up_and_wrap_their_last_column(void **state)
{
	static const char *const header[] = {"name", "what"};
	static char program[] = "ampere-crypto";
	static char *argv[] = {program};
	struct text_style style = {.width = 40};
	struct document *document;
	struct section *section;
	struct fixture fixture;

	(void)state;
	begin(&fixture, 40);
	document = document_new(&fixture.arena, &no_kind, "0", 1, argv);
	section = document_section(document, "title", 2, header);
	section_row(document, section, "a", "some words that do not fit on one line");
	section_row(document, section, "longer", NULL);
	document_section(document, "nothing", 2, header);
	text_render(&fixture.out, document, &style);
	assert_string_equal(buffer_string(&fixture.out), "title\n"
							 "  name    what\n"
							 "  a       some words that do not fit on\n"
							 "          one line\n"
							 "  longer\n");
	arena_release(&fixture.arena);
}

static void outputs_are_checked_before_anything_runs(void **state)
{
	static const struct {
		const char *specification, *message; /* NULL: accepted */
	} rows[] = {
		{"json=a", NULL},
		{"text=b", NULL},
		{"text=a=b", NULL},
		{"json=-", NULL},
		{"json=-", NULL},
		{"text=-", "takes one format"},
		{"json=a", "named twice"},
		{"text=a", "named twice"},
		{"csv=c", NULL},
		{"markdown=d", NULL},
		{"jsno=c", "did you mean 'json'"},
		{"cvs=e",
		 "did you mean 'csv'; text, json, csv, markdown, sarif, junit, openmetrics and "
		 "html are there"},
		{"markdwon=e", "did you mean 'markdown'"},
		{"csv=d", "named twice"},
		{"zzzzzzz=c", "unknown format 'zzzzzzz'"},
		{"json=", "is not FORMAT=PATH"},
		{"=c", "is not FORMAT=PATH"},
		{"json", "is not FORMAT=PATH"},
	};
	struct outputs outputs = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct error err = {0};
		bool good = output_add(&outputs, rows[i].specification, &err);

		assert_int_equal(good, rows[i].message == NULL);
		if (!rows[i].message)
			continue;
		assert_non_null(strstr(err.text, rows[i].message));
		assert_int_equal(err.exit_code, EXIT_USAGE);
	}
	assert_int_equal(outputs.count, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_counted_as_a_terminal_does),
		cmocka_unit_test(text_wraps_under_its_margin),
		cmocka_unit_test(what_a_machine_says_cannot_drive_the_terminal),
		cmocka_unit_test(lines_never_end_in_blanks_and_columns_are_kept_apart),
		cmocka_unit_test(failing_findings_come_first_and_passes_are_folded),
		cmocka_unit_test(colour_only_repeats_what_the_words_say),
		cmocka_unit_test(details_are_shown_when_asked_for),
		cmocka_unit_test(tables_line_up_and_wrap_their_last_column),
		cmocka_unit_test(outputs_are_checked_before_anything_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
