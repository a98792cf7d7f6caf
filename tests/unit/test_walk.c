// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kat-bench/walk.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"chase", "stride-64", "stride-256"};

static size_t next_of(const char *memory, size_t offset)
{
	const char *next;

	memcpy(&next, memory + offset, sizeof(next));
	return (size_t)(next - memory);
}

static void every_line_is_visited_once(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		for (size_t windows = 1; windows <= 3; windows++) {
			size_t size = windows * WALK_SIZE_STEP, lines = size / WALK_LINE_BYTES;
			char *memory = aligned_alloc(64, size);
			bool *seen = calloc(lines, sizeof(*seen));
			size_t first =
				(size_t)(walk_link(walk_find(names[n]), memory, size) - memory);
			size_t at = first;

			for (size_t i = 0; i < lines; i++) {
				assert_int_equal(at % WALK_LINE_BYTES, 0);
				assert_true(at < size);
				assert_false(seen[at / WALK_LINE_BYTES]);
				seen[at / WALK_LINE_BYTES] = true;
				at = next_of(memory, at);
			}
			assert_int_equal(at, first);
			free(seen);
			free(memory);
		}
	}
}

/* How many steps are as long as the step before: all but a few of a stride, next to none at random.
 */
static size_t count_guessable(const char *name)
{
	size_t size = 2 * WALK_SIZE_STEP, guessable = 0, before = 0;
	char *memory = aligned_alloc(64, size);
	size_t at = (size_t)(walk_link(walk_find(name), memory, size) - memory);

	for (size_t i = 0; i < size / WALK_LINE_BYTES; i++) {
		size_t next = next_of(memory, at);

		guessable += next - at == before;
		before = next - at;
		at = next;
	}
	free(memory);
	return guessable;
}

static void a_stride_can_be_guessed_and_a_chase_cannot(void **state)
{
	size_t steps = 2 * WALK_SIZE_STEP / WALK_LINE_BYTES;

	(void)state;
	assert_true(count_guessable("stride-64") >= steps - 8);
	assert_true(count_guessable("stride-256") >= steps - 8);
	assert_true(count_guessable("chase") < steps / 100);
}

static void a_chase_stays_within_its_window(void **state)
{
	size_t size = 4 * WALK_SIZE_STEP, left = 0;
	char *memory = aligned_alloc(64, size);
	size_t at = (size_t)(walk_link(walk_find("chase"), memory, size) - memory);

	(void)state;
	for (size_t i = 0; i < size / WALK_LINE_BYTES; i++) {
		size_t next = next_of(memory, at);

		left += next / WALK_SIZE_STEP != at / WALK_SIZE_STEP;
		at = next;
	}
	assert_int_equal(left, 4);
	free(memory);
}

static void other_names_are_no_walks(void **state)
{
	(void)state;
	assert_null(walk_find("stride-65"));
	assert_null(walk_find(""));
	assert_null(walk_find("clock"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_is_visited_once),
		cmocka_unit_test(a_stride_can_be_guessed_and_a_chase_cannot),
		cmocka_unit_test(a_chase_stays_within_its_window),
		cmocka_unit_test(other_names_are_no_walks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
