// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <string.h>

#define WHOLE_MIN 5 /* no prose begins with so many numbers */

/* A header stands once in the output of one process. */
static void take_header(struct parse *parse, const struct cperf_state *header)
{
	struct parse_run *now = parse_now(parse);
	const char *test = cperf_test_of(header);
	bool again = now && now->cperf.column_count &&
		     (now->run.row_count || (test && now->run.test && strcmp(test, now->run.test)));

	now = parse_run(parse, "dpdk-crypto-perf", again);
	memcpy(now->cperf.columns, header->columns, sizeof(header->columns));
	now->cperf.column_count = header->column_count;
	now->cperf.csv = header->csv;
	now->cperf.latency_row = 0;
	if (test)
		now->run.test = test;
}

static size_t split(const struct cperf_state *state, struct view line, struct view *fields)
{
	char separator = !state->csv            ? ' '
			 : view_find(line, ";") ? ';'
			 : view_find(line, ",") ? ','
						: ' ';
	size_t count = 0;
	struct view field;

	if (separator == ' ') {
		while (count < 2 * CPERF_COLUMNS_MAX && view_word(&line, &field))
			fields[count++] = field;
		return count;
	}
	while (count < 2 * CPERF_COLUMNS_MAX && view_split(&line, separator, &field))
		fields[count++] = view_trim(field);
	return count;
}

static bool is_real(enum cperf_column column)
{
	return column == COLUMN_MOPS || column == COLUMN_GBPS || column == COLUMN_TICKS ||
	       column == COLUMN_LATENCY_US;
}

static size_t count_reals(const struct cperf_state *state)
{
	size_t count = 0;

	for (size_t i = 0; i < state->column_count; i++)
		count += is_real(state->columns[i]) ||
			 (state->csv && state->columns[i] >= COLUMN_TICKS_OP &&
			  state->columns[i] <= COLUMN_TICKS_DEQUEUE);
	return count;
}

static struct cperf_open *open_of(struct parse *parse, struct parse_run *now)
{
	struct cperf_state *state = &now->cperf;

	if (now->run.row_count > state->open_room) {
		size_t room = now->row_room;
		struct cperf_open *grown = arena_array(parse->arena, struct cperf_open, room);

		if (state->open_room)
			memcpy(grown, state->open, state->open_room * sizeof(*grown));
		state->open = grown;
		state->open_room = room;
	}
	return &state->open[now->run.row_count - 1];
}

static int64_t *whole_of(struct engine_row *row, enum cperf_column column)
{
	int64_t *const wholes[COLUMN_COUNT] = {
		[COLUMN_LCORE] = &row->core,
		[COLUMN_SIZE] = &row->size_bytes,
		[COLUMN_BURST] = &row->burst,
		[COLUMN_ENQUEUED] = &row->enqueued,
		[COLUMN_DEQUEUED] = &row->dequeued,
		[COLUMN_FAILED_ENQUEUE] = &row->failed_enqueue,
		[COLUMN_FAILED_DEQUEUE] = &row->failed_dequeue,
		[COLUMN_FAILED_OPS] = &row->failed_ops,
		[COLUMN_RETRIES_ENQUEUE] = &row->failed_enqueue,
		[COLUMN_RETRIES_DEQUEUE] = &row->failed_dequeue,
	};

	return wholes[column];
}

static void take_real(struct parse *parse, struct engine_row *row, struct cperf_open *open,
		      enum cperf_column column, const struct engine_number *number)
{
	double value = number->value;

	if (value <= 0)
		VOID_ROW(parse, row, "a column is 0: nothing was measured");
	switch (column) {
	case COLUMN_MOPS:
		row->ops_per_s = value * 1e6;
		open->mops = number->half;
		break;
	case COLUMN_GBPS:
		row->bytes_per_s = value * 1e9 / 8;
		open->gbps = number->half;
		break;
	case COLUMN_TICKS:
	case COLUMN_TICKS_OP:
		row->ticks_per_op = value;
		open->ticks = number->half;
		break;
	case COLUMN_TICKS_ENQUEUE:
		row->ticks_enqueue = value;
		break;
	case COLUMN_TICKS_DEQUEUE:
		row->ticks_dequeue = value;
		break;
	default:
		break;
	}
}

static void take_field(struct parse *parse, struct engine_row *row, struct cperf_open *open,
		       enum cperf_column column, struct view field)
{
	int64_t *whole = whole_of(row, column);
	struct engine_number number;
	uint64_t count;

	if (whole) {
		if (view_u64(field, 10, &count) && count <= (uint64_t)INT64_MAX)
			*whole = (int64_t)count;
		else
			VOID_ROW(parse, row, "'%s' is no count of a row: the row is broken",
				 parse_copy(parse, field));
	} else if (column != COLUMN_OTHER) {
		if (engine_number(field, &number))
			take_real(parse, row, open, column, &number);
		else if (engine_number_comma(field))
			VOID_ROW(parse, row,
				 "'%s' has a decimal comma or thousands separators (another "
				 "locale): "
				 "not read; run it "
				 "with LC_ALL=C",
				 parse_copy(parse, field));
		else
			VOID_ROW(parse, row, "'%s' is no rate: nothing was measured",
				 parse_copy(parse, field));
	}
}

static bool is_whole(struct view field)
{
	for (size_t i = 0; i < field.size; i++) {
		if (field.at[i] < '0' || field.at[i] > '9')
			return false;
	}
	return field.size > 0;
}

/* How many fields could be of a row of the table, whole or cut: numbers alone. Behind enough of
 * them something else may stand: another line that broke in, a remark. 0: no row. */
static size_t row_fields(const struct view *fields, size_t count)
{
	struct engine_number number;
	size_t i = 0;

	while (i < count &&
	       (is_whole(fields[i]) ||
		(i > 2 && (engine_number(fields[i], &number) || engine_number_comma(fields[i]) ||
			   engine_number_impossible(fields[i])))))
		i++;
	if (i >= WHOLE_MIN)
		return i + 1 == count ? count : i;
	return i + 1 >= count && i >= 3 && count >= 4 ? count : 0;
}

/* The last column has two decimals for people and three in CSV, whatever the release. */
static bool last_is_cut(const struct cperf_state *state, struct view last)
{
	enum cperf_column column = state->columns[state->column_count - 1];
	struct engine_number number;

	if (column != COLUMN_TICKS || !engine_number(last, &number))
		return false;
	return number.decimals < (state->csv ? 3 : 2);
}

/* One packet of --ptest latency --csv-friendly: the rows of one size become one, with the mean. */
static bool take_packet(struct parse *parse, struct parse_run *now, const struct view *fields,
			size_t count)
{
	struct cperf_state *state = &now->cperf;
	bool short_of_size =
		cperf_has_column(state, COLUMN_PACKET_SIZE) && count + 1 == state->column_count;
	struct engine_row packet = {.core = -1, .size_bytes = -1, .burst = -1}, *row = NULL;
	struct engine_number time = {0};
	struct cperf_open unused;
	bool whole = count == state->column_count || short_of_size;

	for (size_t i = 0, f = 0; i < state->column_count && f < count; i++) {
		if (short_of_size && state->columns[i] == COLUMN_PACKET_SIZE)
			continue;
		if (state->columns[i] == COLUMN_LATENCY_US)
			whole &= engine_number(fields[f], &time) && time.decimals == 3;
		else if (state->columns[i] < COLUMN_ENQUEUED)
			take_field(parse, &packet, &unused, state->columns[i], fields[f]);
		f++;
	}
	if (state->latency_row)
		row = &now->run.rows[state->latency_row - 1];
	if (!row || row->core != packet.core || row->size_bytes != packet.size_bytes ||
	    row->burst != packet.burst) {
		row = parse_row(parse, now);
		if (!row)
			return true;
		state->latency_row = now->run.row_count;
		row->core = packet.core, row->size_bytes = packet.size_bytes;
		row->burst = packet.burst, row->enqueued = row->dequeued = 0;
		row->latency_us = row->latency_max_us = 0;
	}
	if (!whole || packet.void_reason) {
		VOID_ROW(parse, row, "line %zu: the row of a packet is cut or no number",
			 parse->line);
		return true;
	}
	row->enqueued++, row->dequeued++;
	row->latency_us += (time.value - row->latency_us) / (double)row->enqueued;
	row->latency_max_us = time.value > row->latency_max_us ? time.value : row->latency_max_us;
	return true;
}

static bool take_row(struct parse *parse, struct parse_run *now, struct view line)
{
	struct view fields[2 * CPERF_COLUMNS_MAX];
	struct cperf_state *state = &now->cperf;
	size_t count = row_fields(fields, split(state, line, fields));
	size_t columns = state->column_count;
	struct engine_row *row;
	struct cperf_open *open;

	if (!count || (count > columns && count != columns + count_reals(state)))
		return false;
	if (cperf_has_column(state, COLUMN_SEQUENCE))
		return take_packet(parse, now, fields, count);
	row = parse_row(parse, now);
	if (!row)
		return true;
	open = open_of(parse, now);
	for (size_t i = 0; i < count && i < columns && i < (count < columns ? 3 : columns); i++) {
		if (count <= columns || i < columns - count_reals(state))
			take_field(parse, row, open, state->columns[i], fields[i]);
	}
	if (count > columns)
		VOID_ROW(parse, row,
			 "its numbers have decimal commas (another locale), so its "
			 "columns cannot be told apart: run it with LC_ALL=C");
	else if (count < columns || last_is_cut(state, fields[count - 1]))
		VOID_ROW(parse, row, "the row is cut: %zu of %zu columns are whole",
			 count < columns ? count : columns - 1, columns);
	return true;
}

bool cperf_line(struct parse *parse, struct view line)
{
	struct cperf_state header = {0};
	struct parse_run *now;

	if (cperf_read_header(line, &header)) {
		take_header(parse, &header);
		return true;
	}
	if (cperf_latency_line(parse, line))
		return true;
	now = parse_now(parse);
	if (!now || !now->cperf.column_count || !line.size || line.at[0] < '0' || line.at[0] > '9')
		return false;
	return take_row(parse, now, line);
}
