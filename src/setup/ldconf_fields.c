// SPDX-License-Identifier: BSD-2-Clause
#include "base/fields.h"
#include "setup/ldconf.h"

static const struct field entry_rows[] = {
	{.key = "file",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_entry, file),
	 .required = true,
	 .doc = "the file of /etc/ld.so.conf.d"},
	{.key = "line",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_entry, line),
	 .required = true,
	 .doc = "the directory, through PREFIX/current"},
	{.key = "why",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_entry, why),
	 .nullable = true,
	 .doc = "which libraries it is for"},
};

static const struct field_table entry_table =
	FIELD_TABLE("loader-entry", struct ldconf_entry, entry_rows, "One line of ours.");

static const struct field left_rows[] = {
	{.key = "directory",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_left, directory),
	 .required = true,
	 .doc = "the directory, through PREFIX/current"},
	{.key = "why",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_left, why),
	 .required = true,
	 .doc = "the reason"},
};

static const struct field_table left_table =
	FIELD_TABLE("loader-left-out", struct ldconf_left, left_rows, "A directory without entry.");

static const char *const causes[] = {"entry", "ldconfig", NULL};

static const struct field change_rows[] = {
	{.key = "program",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_change, program),
	 .required = true,
	 .doc = "the program, or a shared object that programs load by name"},
	{.key = "library",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_change, library),
	 .required = true,
	 .doc = "the name that is needed"},
	{.key = "from",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_change, from),
	 .nullable = true,
	 .doc = "the file it loads now; null when there is none"},
	{.key = "to",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_change, to),
	 .nullable = true,
	 .doc = "the file it would load; null when there is none"},
	{.key = "cause",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct ldconf_change, cause),
	 .required = true,
	 .names = causes,
	 .doc = "entry: an entry of the plan; ldconfig: the cache was behind the directories"},
	{.key = "missing",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct ldconf_change, missing),
	 .required = true,
	 .doc = "symbol versions that the program asks for and that would not be there any more"},
};

static const struct field_table change_table =
	FIELD_TABLE("loader-change", struct ldconf_change, change_rows,
		    "A library that a program would load from another file than now.");

static const struct field winner_rows[] = {
	{.key = "soname",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_winner, soname),
	 .required = true,
	 .doc = "the name in the cache"},
	{.key = "path",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_winner, path),
	 .required = true,
	 .doc = "the file that it must lead to"},
};

static const struct field_table winner_table =
	FIELD_TABLE("loader-winner", struct ldconf_winner, winner_rows,
		    "What is read back from /etc/ld.so.cache.");

static const struct field plan_rows[] = {
	{.key = "policy",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct ldconf_plan, policy),
	 .required = true,
	 .names = ldconf_policies,
	 .doc = "of --ld-so-conf"},
	{.key = "prefix",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_plan, prefix),
	 .required = true,
	 .doc = "where the trees are"},
	{.key = "done",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct ldconf_plan, done),
	 .required = true,
	 .doc = "files and cache are as planned already"},
	{.key = "provisional",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct ldconf_plan, provisional),
	 .required = true,
	 .doc = "a tree is not built yet: programs were not compared with its libraries"},
	{.key = "refusal",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_plan, refusal),
	 .nullable = true,
	 .doc = "why nothing will be written; null when it can be"},
	{.key = "entries",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct ldconf_plan, entries),
	 .required = true,
	 .table = &entry_table,
	 .doc = "lines that will stand in the loader's configuration"},
	{.key = "left_out",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct ldconf_plan, left_out),
	 .required = true,
	 .table = &left_table,
	 .doc = "directories of the prefix that get no entry"},
	{.key = "taken_away",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct ldconf_plan, taken_away),
	 .required = true,
	 .table = &left_table,
	 .doc = "lines of ours that will not stand there any more"},
	{.key = "winners",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct ldconf_plan, winners),
	 .required = true,
	 .table = &winner_table,
	 .doc = "what the loader's cache must say afterwards"},
	{.key = "changes",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct ldconf_plan, changes),
	 .required = true,
	 .table = &change_table,
	 .doc = "what programs would load differently"},
	{.key = "notes",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct ldconf_plan, notes),
	 .required = true,
	 .doc = "what else is to be known before saying yes"},
};

const struct field_table ldconf_plan_table =
	FIELD_TABLE("loader-plan", struct ldconf_plan, plan_rows,
		    "Which directories the dynamic loader of the whole host would be told of.");

static const struct field state_rows[] = {
	{.key = "policy",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct ldconf_state, policy),
	 .required = true,
	 .names = ldconf_policies,
	 .doc = "by the file that is there"},
	{.key = "prefix",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_state, prefix),
	 .nullable = true,
	 .doc = "of the entries; null when there are none"},
	{.key = "entries",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct ldconf_state, entries),
	 .required = true,
	 .table = &entry_table,
	 .doc = "lines of ours in the loader's configuration"},
	{.key = "fresh",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct ldconf_state, fresh),
	 .required = true,
	 .doc = "the loader's cache has what the entries name"},
	{.key = "stale",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct ldconf_state, stale),
	 .nullable = true,
	 .doc = "what the cache has not, or too much; null when fresh"},
};

const struct field_table ldconf_state_table =
	FIELD_TABLE("loader-state", struct ldconf_state, state_rows,
		    "What of ours stands in the configuration of the dynamic loader.");
