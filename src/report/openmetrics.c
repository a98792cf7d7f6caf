// SPDX-License-Identifier: BSD-2-Clause
#include "report/openmetrics.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define PREFIX "ampere_crypto_"

static bool same_family(const struct metric *a, const struct metric *b)
{
	return strcmp(a->name, b->name) == 0 &&
	       strcmp(a->unit ? a->unit : "", b->unit ? b->unit : "") == 0;
}

/* What a name may be made of: all else is an underscore. */
static void put_name(struct buffer *out, const char *name)
{
	for (; *name; name++) {
		bool word = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			    (*name >= '0' && *name <= '9') || *name == '_';

		buffer_char(out, word ? *name : '_');
	}
}

static void put_family_name(struct buffer *out, const struct metric *metric)
{
	buffer_text(out, PREFIX);
	put_name(out, metric->name);
	if (metric->unit) {
		buffer_char(out, '_');
		put_name(out, metric->unit);
	}
}

static void put_value(struct buffer *out, double value)
{
	struct json_writer number;

	if (isnan(value) || isinf(value)) {
		buffer_text(out, isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
		return;
	}
	json_begin(&number, out);
	json_real(&number, NULL, value);
}

/* Both formats know three escapes and no other. */
static void put_label(struct buffer *out, const char *name, const char *value, bool first)
{
	struct view rest = view_of(value), line;

	buffer_char(out, first ? '{' : ',');
	put_name(out, name);
	buffer_text(out, "=\"");
	for (bool more = false; view_split(&rest, '\n', &line); more = true) {
		if (more)
			buffer_text(out, "\\n");
		for (const char *at = text_printable(out->arena, line); *at; at++) {
			if (*at == '\\' || *at == '"')
				buffer_char(out, '\\');
			buffer_char(out, *at);
		}
	}
	buffer_char(out, '"');
}

/* One line of our own text, in which nothing has to be escaped in either format. */
static void put_help(struct buffer *out, const char *help)
{
	for (const char *at = text_printable(out->arena, view_of(help)); *at; at++)
		buffer_char(out, *at == '"' ? '\'' : *at == '\\' ? '/' : *at);
}

static void put_sample(struct buffer *out, const struct document *document,
		       const struct metric *metric)
{
	put_family_name(out, metric);
	put_label(out, "command", document->kind->name, true);
	for (size_t i = 0; i < metric->label_count; i++) {
		if (metric->labels[i].value)
			put_label(out, metric->labels[i].name, metric->labels[i].value, false);
	}
	buffer_text(out, "} ");
	put_value(out, metric->value);
	buffer_char(out, '\n');
}

static void put_line(struct buffer *out, const char *what, const struct metric *family)
{
	buffer_printf(out, "# %s ", what);
	put_family_name(out, family);
	buffer_char(out, ' ');
}

/* All samples of a family stand together, whatever the order in which they were given. */
static void put_family(struct buffer *out, const struct document *document,
		       const struct metric *family)
{
	put_line(out, "TYPE", family);
	buffer_text(out, "gauge\n");
	if (family->unit) {
		put_line(out, "UNIT", family);
		put_name(out, family->unit);
		buffer_char(out, '\n');
	}
	put_line(out, "HELP", family);
	put_help(out, family->help ? family->help : family->name);
	buffer_char(out, '\n');
	for (const struct metric *metric = family; metric; metric = metric->next) {
		if (same_family(family, metric))
			put_sample(out, document, metric);
	}
}

static double seconds_of(const char *started)
{
	struct tm time = {0};
	const char *end = strptime(started, "%Y-%m-%dT%H:%M:%SZ", &time);

	return end && !*end ? (double)timegm(&time) : NAN;
}

/* What is known of every run. */
static void put_run(struct buffer *out, const struct document *document)
{
	const struct metric metrics[] = {
		{.name = "build_info",
		 .help = "The version of ampere-crypto that wrote this",
		 .labels = {{"version", document->tool.version}},
		 .label_count = 1,
		 .value = 1},
		{.name = "exit_status",
		 .help = "Exit status of the run, as in ampere-crypto(1)",
		 .value = (double)document->exit_code},
		{.name = "run_started_timestamp",
		 .unit = "seconds",
		 .help = "When the run started, since 1970",
		 .value = seconds_of(document->started)},
		{.name = "run_duration",
		 .unit = "seconds",
		 .help = "How long the run took",
		 .value = (double)document->elapsed_ms / 1000},
	};

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		put_family(out, document, &metrics[i]);
}

static void put_machine(struct buffer *out, const struct document *document)
{
	const struct identity *host = document->host;

	if (!host)
		return;
	put_family(out, document,
		   &(struct metric){.name = "machine_info",
				    .help = "The machine that was looked at",
				    .labels = {{"arch", host->arch},
					       {"family", host->family},
					       {"sku", host->sku},
					       {"midr", host->midr},
					       {"kernel", host->kernel},
					       {"firmware", host->firmware.version},
					       {"vendor", host->machine.vendor},
					       {"product", host->machine.product}},
				    .label_count = 8,
				    .value = 1});
}

/* Numbers of the machine, as far as they are known. */
static void put_machine_numbers(struct buffer *out, const struct document *document)
{
	static const struct {
		const char *name, *unit, *help;
		size_t offset;
	} rows[] = {
		{"machine_cpus", NULL, "CPUs of the machine", FIELD(struct identity, cpus)},
		{"machine_packages", NULL, "CPU packages", FIELD(struct identity, packages)},
		{"machine_nodes", NULL, "NUMA nodes", FIELD(struct identity, nodes)},
		{"machine_page_size", "bytes", "Size of a page of the kernel",
		 FIELD(struct identity, page_size_bytes)},
		{"machine_timer", "hertz", "Frequency of the timer",
		 FIELD(struct identity, timer_hz)},
	};

	for (size_t i = 0; document->host && i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct maybe_number *number =
			(const struct maybe_number *)(const void *)((const char *)document->host +
								    rows[i].offset);

		if (number->known)
			put_family(out, document,
				   &(struct metric){.name = rows[i].name,
						    .unit = rows[i].unit,
						    .help = rows[i].help,
						    .value = (double)number->number});
	}
}

void openmetrics_render(struct buffer *out, const struct document *document)
{
	const struct metric *first = document->facets.first_metric;

	put_run(out, document);
	put_machine(out, document);
	put_machine_numbers(out, document);
	for (const struct metric *metric = first; metric; metric = metric->next) {
		const struct metric *earlier = first;

		while (earlier != metric && !same_family(earlier, metric))
			earlier = earlier->next;
		if (earlier == metric)
			put_family(out, document, metric);
	}
	buffer_text(out, "# EOF\n");
}
