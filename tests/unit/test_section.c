// SPDX-License-Identifier: BSD-2-Clause
/* Sections with numbers, outcomes, notes and bars, as text. */
#include "base/arena.h"
#include "report/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct document_kind no_kind = {"test", "1.0.0", NULL};

#define BLOCK "\xe2\x96\x88"
#define SHADE "\xe2\x96\x91"

static void numbers_stand_under_each_other_and_bars_fill_the_line(void **state)
{
	static const char *const header[] = {"outcome", "size", "Gbps", "reference", ""};
	static const enum column_kind kinds[] = {COLUMN_OUTCOME, COLUMN_NUMBER, COLUMN_NUMBER,
						 COLUMN_TEXT, COLUMN_BAR};
	/* The numbers of Gbps take six cells, three before the point; 36 cells and the bar's. */
	static const struct {
		struct text_style style;
		const char *text;
	} rows[] = {
		{{.width = 48},
		 "t\n"
		 "  outcome  size    Gbps  reference\n"
		 "  FAIL       64    9.87  10.5 low   ########....\n"
		 "           it is slow, and this says why in many\n"
		 "             words\n"
		 "  PASS     1024  105.5   n/a        ############\n"
		 "  NA       8192     n/a\n"},
		/* 0.628 of 96 eighths: seven blocks, one of four eighths */
		{{.width = 48, .unicode = true},
		 "t\n"
		 "  outcome  size    Gbps  reference\n"
		 "  FAIL       64    9.87  10.5 low   " BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK
		 "\xe2\x96\x8c" SHADE SHADE SHADE SHADE "\n"
		 "           it is slow, and this says why in many\n"
		 "             words\n"
		 "  PASS     1024  105.5   n/a        " BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK
			 BLOCK BLOCK BLOCK BLOCK BLOCK "\n"
		 "  NA       8192     n/a\n"},
		/* no room for six cells of a bar */
		{{.width = 41},
		 "t\n"
		 "  outcome  size    Gbps  reference\n"
		 "  FAIL       64    9.87  10.5 low\n"
		 "           it is slow, and this says why\n"
		 "             in many words\n"
		 "  PASS     1024  105.5   n/a\n"
		 "  NA       8192     n/a\n"},
		/* nor for the reference */
		{{.width = 33},
		 "t\n"
		 "  outcome  size    Gbps\n"
		 "  FAIL       64    9.87\n"
		 "           it is slow, and this\n"
		 "             says why in many\n"
		 "             words\n"
		 "  PASS     1024  105.5\n"
		 "  NA       8192     n/a\n"},
	};
	static char program[] = "ampere-crypto";
	static char *argv[] = {program};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena arena;
		struct document *document;
		struct section *section;

		arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
		arena.exhausted = abort;
		struct buffer out = buffer_new(&arena, (size_t)1 << 20);

		document = document_new(&arena, &no_kind, "0", 1, argv);
		section = document_section(document, "t", 5, header);
		section->kinds = kinds;
		section_row(document, section, "fail", "64", "9.87", "10.5 low",
			    section_share(&arena, 0.628));
		section_note(document, section, "it is slow, and this says why in many words");
		section_row(document, section, "pass", "1024", "105.5", "n/a",
			    section_share(&arena, 1.7));
		section_row(document, section, "na", "8192", "n/a", NULL, NULL);
		text_render(&out, document, &rows[i].style);
		assert_string_equal(buffer_string(&out), rows[i].text);
		arena_release(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stand_under_each_other_and_bars_fill_the_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
