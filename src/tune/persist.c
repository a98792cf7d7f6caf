// SPDX-License-Identifier: BSD-2-Clause
#include "tune/persist.h"

#include "base/arena.h"
#include "base/error.h"
#include "host/host.h"
#include "host/root.h"

#include <string.h>

#define CPUFREQ_ROOT "/sys/devices/system/cpu/cpufreq/"
/* 90: behind the distribution's own, before 99-sysctl.conf, which is the administrator's. */
#define SYSCTL_NAME "90-" PERSIST_NAME
#define SYSCTL_FILE "/etc/sysctl.d/" SYSCTL_NAME
#define MODULES_FILE "/etc/modules-load.d/" PERSIST_NAME

const char *persist_value(const struct persist *persist, const struct tune_change *change)
{
	if (tune_state_is(change, "applied") || tune_state_is(change, "partly"))
		return change->got;
	if (tune_state_is(change, "kept") && change->got &&
	    strcmp(change->got, change->wanted) == 0)
		return change->got;
	/* What is made only when something else fails is not foreseen. */
	if (persist->planned && tune_state_is(change, "planned") && !change->unless)
		return change->wanted;
	return NULL;
}

/* Blanks end a field of tmpfiles.d, quotes and backslashes hide letters, % begins a specifier. */
static bool is_plain(const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text <= ' ' || strchr("\"'\\%*?[]{}#;", *text))
			return false;
	}
	return true;
}

bool persist_is(const struct persist *persist, const struct tune_change *change,
		enum tune_kind kind)
{
	const char *value = persist_value(persist, change);

	return strcmp(change->kind, tune_kind_words[kind]) == 0 && value &&
	       is_plain(change->path) && is_plain(value);
}

struct buffer persist_text(const struct persist *persist)
{
	struct buffer text = buffer_new(persist->facts->arena, PERSIST_FILE_MAX);

	buffer_text(&text, "# Written by ampere-crypto tune --persist, taken away by ampere-crypto "
			   "tune --revert.\n");
	return text;
}

static bool is_there(const struct persist *persist, const char *path)
{
	struct root_stat status;

	return root_stat(persist->facts->host->root, path, &status) == 0;
}

static struct tune_change *add_below_etc(const struct persist *persist, enum tune_kind kind,
					 const char *path, const char *wanted, const char *check)
{
	struct tune_change *change = tune_add_change(persist->facts->arena, persist->plan);

	change->id = arena_printf(persist->facts->arena, "persist%s", path);
	change->check = check;
	change->kind = tune_kind_words[kind];
	change->path = path;
	change->wanted = wanted;
	return change;
}

static bool is_planned(const struct persist *persist, const char *path)
{
	const struct tune_change *changes = persist->plan->changes.items;

	for (size_t i = 0; i < persist->plan->changes.count; i++) {
		if (strcmp(changes[i].path, path) == 0)
			return true;
	}
	return false;
}

static void add_folders(const struct persist *persist, const char *path, const char *check)
{
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		const char *folder =
			arena_copy(persist->facts->arena, path, (size_t)(slash - path));

		if (!is_there(persist, folder) && !is_planned(persist, folder))
			add_below_etc(persist, TUNE_FOLDER, folder, "", check);
	}
}

bool persist_file(const struct persist *persist, const char *path, struct buffer *text,
		  const char *check)
{
	struct root *root = persist->facts->host->root;
	struct tune_change *change;
	struct view old;
	bool was = root_read(root, path, &old) == 0;

	if (text->full)
		return error_set(persist->err, "%s would be larger than %zu bytes", path,
				 PERSIST_FILE_MAX);
	if (was && old.size == text->size && memcmp(old.at, text->at, old.size) == 0)
		return true;
	add_folders(persist, path, check);
	change = add_below_etc(persist, TUNE_FILE, path, buffer_string(text), check);
	change->before = was ? view_copy(persist->facts->arena, old) : NULL;
	return true;
}

/* "/proc/sys/net/core/rmem_max" is net.core.rmem_max. Where a part has dots itself, as interfaces
 * may, slashes stay what they are: sysctl.d(5). */
static const char *sysctl_name(struct arena *arena, const char *path)
{
	char *name = arena_strdup(arena, path + strlen(PERSIST_SYSCTL_ROOT));

	if (strchr(name, '.'))
		return name;
	for (char *at = name; *at; at++) {
		if (*at == '/')
			*at = '.';
	}
	return name;
}

static bool persist_sysctls(const struct persist *persist)
{
	struct tune_change *changes = persist->plan->changes.items;
	struct buffer text = persist_text(persist);
	const char *check = NULL;

	for (size_t i = 0; i < persist->count; i++) {
		struct tune_change *change = &changes[i];

		if (!persist_is(persist, change, TUNE_WORD) ||
		    !view_starts(view_of(change->path), PERSIST_SYSCTL_ROOT))
			continue;
		buffer_printf(&text, "%s = %s\n", sysctl_name(persist->facts->arena, change->path),
			      persist_value(persist, change));
		change->persisted = true;
		check = check ? check : change->check;
	}
	return !check || persist_file(persist, SYSCTL_FILE, &text, check);
}

/* The module whose policies get values from tmpfiles.d: it must be there by then, while udev loads
 * it at any time. NULL when it is part of the kernel. */
static const char *cpufreq_module(const struct persist *persist, const char **check)
{
	const struct tune_change *changes = persist->plan->changes.items;
	const struct value *driver = facts_get(persist->facts, "cpufreq.driver");
	struct view text, line, word;

	if (!driver || driver->kind != VALUE_TEXT ||
	    root_read(persist->facts->host->root, "/proc/modules", &text))
		return NULL;
	for (size_t i = 0; i < persist->count && !*check; i++) {
		if (persist_is(persist, &changes[i], TUNE_WORD) &&
		    view_starts(view_of(changes[i].path), CPUFREQ_ROOT))
			*check = changes[i].check;
	}
	while (*check && view_line(&text, &line)) {
		if (view_word(&line, &word) && view_is(word, driver->text))
			return driver->text;
	}
	return NULL;
}

static bool persist_modules(const struct persist *persist)
{
	struct tune_change *changes = persist->plan->changes.items;
	struct buffer text = persist_text(persist);
	const char *check = NULL, *cpufreq_check = NULL, *cpufreq;

	for (size_t i = 0; i < persist->count; i++) {
		if (!persist_is(persist, &changes[i], TUNE_MODULE))
			continue;
		buffer_printf(&text, "%s\n", changes[i].path);
		changes[i].persisted = true;
		check = check ? check : changes[i].check;
	}
	cpufreq = cpufreq_module(persist, &cpufreq_check);
	if (cpufreq) {
		buffer_printf(&text, "# before tmpfiles.d/" PERSIST_NAME " sets its policies\n%s\n",
			      cpufreq);
		check = check ? check : cpufreq_check;
	}
	if (check && !persist_file(persist, MODULES_FILE, &text, check))
		return false;
	return !cpufreq || persist_order(persist, check);
}

/* Whether the run made nothing yet. */
static bool is_all_planned(const struct tune_plan *plan)
{
	const struct tune_change *changes = plan->changes.items;

	for (size_t i = 0; i < plan->changes.count; i++) {
		if (!tune_state_is(&changes[i], "planned") && !tune_state_is(&changes[i], "kept"))
			return false;
	}
	return true;
}

bool tune_persist(struct facts *facts, struct tune_plan *plan, struct error *err)
{
	struct persist persist = {.facts = facts,
				  .plan = plan,
				  .count = plan->changes.count,
				  .planned = is_all_planned(plan),
				  .err = err};

	persist_command_line(&persist);
	persist_later(&persist, SYSCTL_NAME);
	return persist_sysctls(&persist) && persist_modules(&persist) && persist_lines(&persist) &&
	       persist_mounts(&persist) && persist_services(&persist);
}
