// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/fields.h"
#include "base/json.h"
#include "host/host.h"
#include "setup/ldconf.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The loader policy, apart from the rest of setup:
 *   ldconf-tool plan|apply|remove|state ROOT POLICY PREFIX [NAME=DIRECTORY | NAME:SONAME,…]…
 * prints the plan (state: the state) as JSON. A tree without directory is one yet to be built.
 * LDCONFIG holds the words of another ldconfig. LDCONF_PAUSE: after planning, a line is printed on
 * standard error and one is waited for, so that a test can change things in between.
 */
#define TREES_MAX LDCONF_TREES_MAX

struct tool {
	struct arena arena;
	struct error err;
	struct ldconf_request request;
	struct ldconf_tree trees[TREES_MAX];
	struct ldconf_place place;
};

static void parse_tree(struct tool *tool, const char *word)
{
	struct ldconf_tree *tree = &tool->trees[tool->request.tree_count++];
	size_t size = strcspn(word, "=:");
	struct view rest, soname;

	tree->name = arena_copy(&tool->arena, word, size);
	if (word[size] == '=') {
		tree->directory = word + size + 1;
		tree->below = strrchr(word, '/') + 1;
		return;
	}
	rest = view_of(word[size] ? word + size + 1 : "");
	while (view_split(&rest, ',', &soname))
		names_add(&tool->arena, &tree->sonames, view_copy(&tool->arena, soname));
}

static void parse_ldconfig(struct tool *tool)
{
	const char **argv = arena_array(&tool->arena, const char *, 16);
	struct view rest = view_of(getenv("LDCONFIG")), word;
	size_t count = 0;

	while (count < 15 && view_word(&rest, &word))
		argv[count++] = view_copy(&tool->arena, word);
	if (count)
		tool->place.ldconfig = argv;
}

static void print(struct tool *tool, const struct field_table *table, const void *from)
{
	struct buffer out = buffer_new(&tool->arena, (size_t)64 << 20);
	struct json_writer writer;

	json_begin(&writer, &out);
	fields_write(&writer, NULL, table, from);
	json_end(&writer);
	fwrite(out.at, 1, out.size, stdout);
	fflush(stdout);
}

static void wait_for_test(void)
{
	char line[16];

	if (!getenv("LDCONF_PAUSE"))
		return;
	fputs("planned\n", stderr);
	if (!fgets(line, sizeof(line), stdin))
		exit(EXIT_TROUBLE);
}

static bool run(struct tool *tool, struct host *host, const char *what)
{
	struct ldconf_plan plan;
	struct ldconf_state state;

	if (strcmp(what, "remove") == 0)
		return ldconf_remove(&tool->arena, &tool->place, tool->request.prefix, &tool->err);
	if (strcmp(what, "state") == 0) {
		state = ldconf_current(host, tool->request.prefix);
		print(tool, &ldconf_state_table, &state);
		return true;
	}
	if (!ldconf_plan(host, &tool->request, &plan, &tool->err))
		return false;
	print(tool, &ldconf_plan_table, &plan);
	if (strcmp(what, "apply") != 0)
		return true;
	wait_for_test();
	return ldconf_apply(&tool->arena, &tool->place, &plan, &tool->err);
}

int main(int argc, char **argv)
{
	struct tool tool = {0};
	struct root *root;
	bool good;

	if (argc < 5 || argc > 5 + TREES_MAX)
		return EXIT_USAGE;
	arena_init(&tool.arena, ARENA_DEFAULT_MAX_BYTES);
	tool.place.root = argv[2];
	tool.request =
		(struct ldconf_request){.policy = argv[3], .prefix = argv[4], .trees = tool.trees};
	for (int i = 5; i < argc; i++)
		parse_tree(&tool, argv[i]);
	parse_ldconfig(&tool);
	root = root_open(&tool.arena, strcmp(argv[2], "/") == 0 ? NULL : argv[2], &tool.err);
	good = root && run(&tool, host_new(&tool.arena, root), argv[1]);
	if (!good)
		fprintf(stderr, "ldconf-tool: %s\n", tool.err.text);
	if (root)
		root_close(root);
	arena_release(&tool.arena);
	return good ? EXIT_OK : tool.err.exit_code ? (int)tool.err.exit_code : EXIT_TROUBLE;
}
