// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

/* What programs say of themselves around their tables: releases, capabilities, devices. */

static struct view behind(struct view text, const char *at, size_t size)
{
	return (struct view){at + size, (size_t)(text.at + text.size - at) - size};
}

static const char *first_word(struct parse *parse, struct view text)
{
	struct view word;

	if (!view_word(&text, &word))
		return NULL;
	while (word.size && strchr(",;'\"", word.at[word.size - 1]))
		word.size--;
	return word.size && isdigit((unsigned char)word.at[0]) ? parse_copy(parse, word) : NULL;
}

/* "OpenSSL 3.0.20 7 Apr 2026 (Library: OpenSSL 3.0.22 25 Aug 2026)", "LibreSSL 3.8.2" */
static bool openssl_version_line(struct parse *parse, struct view line)
{
	static const char *const makers[] = {"OpenSSL ", "LibreSSL ", "Tongsuo "};
	struct parse_run *now = parse_now(parse);
	const char *version = NULL, *library, *maker = NULL;

	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]) && !version; i++) {
		if (!view_starts(line, makers[i]))
			continue;
		maker = makers[i];
		version = first_word(parse, behind(line, line.at, strlen(makers[i])));
	}
	if (!version || !strchr(version, '.'))
		return false;
	library = view_find(line, "(Library: OpenSSL ");
	library = library ? first_word(parse, behind(line, library, 18)) : NULL;
	if (maker[0] != 'O') /* its numbers are not OpenSSL's */
		library = arena_printf(parse->arena, "%s%s", maker, version);
	if (now && now->run.engine && !strcmp(now->run.engine, "openssl-speed") &&
	    now->openssl.progress_count && !now->openssl.table && !now->run.version) {
		now->run.version = version;
		now->run.library_version = library;
		now->openssl.version_said = true;
		if (maker[0] != 'O')
			parse_note(parse, now,
				   arena_printf(parse->arena, "it is %s%s", maker, version));
		return true;
	}
	parse->version = version;
	parse->library = library && strcmp(library, version) != 0 ? library : NULL;
	parse->version_line = parse->line;
	return true;
}

/* What openssl speed says of itself before its tables. */
static bool openssl_fact_line(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	bool mine = now && now->run.engine && !strcmp(now->run.engine, "openssl-speed");

	if (view_starts(line, "You have chosen to measure elapsed time")) {
		now = parse_run(parse, "openssl-speed",
				mine && (now->openssl.table || now->openssl.version_said ||
					 now->openssl.progress_count));
		now->run.elapsed = true;
		return true;
	}
	if (view_starts(line, "version: ")) {
		const char *version = first_word(parse, behind(line, line.at, 9));

		if (!version || (now && now->run.engine && !mine))
			return false;
		now = parse_run(parse, "openssl-speed", mine && now->openssl.version_said);
		now->run.version = version;
		now->openssl.version_said = true;
		return true;
	}
	if (view_starts(line, "CPUINFO: ")) {
		struct view text = view_trim(behind(line, line.at, 9));

		if (!mine)
			return false;
		now->run.capability = parse_copy(parse, text);
		now->run.capability_forced |= view_find(text, "env:") != NULL;
		return true;
	}
	if (mine && view_starts(line, "compiler:")) {
		now->run.debug_build |= view_find(line, " -O0") != NULL;
		return true;
	}
	return mine && view_starts(line, "The 'numbers' are in 1000s");
}

/* What EAL and cryptodev say before the tables. */
static bool eal_line(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	const char *at;

	at = view_find(line, "RTE Version: 'DPDK ");
	if (at) {
		now = parse_run(parse, "dpdk-crypto-perf", now && now->run.row_count);
		now->run.version = first_word(parse, behind(line, at, 19));
		return true;
	}
	at = view_find(line, "EAL: Detected ");
	if (at && (view_find(line, "lcore") || view_find(line, "CPU lcores"))) {
		parse_run(parse, "dpdk-crypto-perf",
			  now && (now->run.row_count || now->trouble || now->cperf.column_count));
		return true;
	}
	at = view_find(line, "Creating cryptodev ");
	if (!at)
		return false;
	now = parse_run(parse, "dpdk-crypto-perf", false);
	if (!now->cperf.device)
		now->cperf.device = parse_copy(parse, view_trim(behind(line, at, 19)));
	return true;
}

/* dpdk-l2fwd-crypto measures nothing, but people take its counters for that. */
static bool counter_line(struct parse *parse, struct view line)
{
	static const char enqueued[] = "Packets enqueued:";
	uint64_t count;

	if (!view_starts(line, enqueued) ||
	    !view_u64(view_trim(behind(line, line.at, strlen(enqueued))), 10, &count))
		return false;
	parse->l2fwd = true;
	parse->l2fwd_enqueued = count;
	return true;
}

bool fact_line(struct parse *parse, struct view line)
{
	return eal_line(parse, line) || openssl_version_line(parse, line) ||
	       openssl_fact_line(parse, line) || counter_line(parse, line);
}
