// SPDX-License-Identifier: BSD-2-Clause
#include "base/process.h"
#include "catalog/version.h"
#include "cli/store.h"
#include "host/root.h"
#include "host/software.h"
#include "setup/environment.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBCRYPTO "libcrypto.so*"

/* As env(1) and the shells have it. */
enum { EXIT_CANNOT_START = 126, EXIT_NOT_FOUND = 127 };

/*
 * The OpenSSL that a program names in its read-only data is the one it was compiled against; what
 * it loads is known from the loader model. Where either is not known nothing is said.
 */
static void warn_of_older(struct cli *cli, const char *path, const char *library_path)
{
	struct loader_options options = {.versions_of = LIBCRYPTO,
					 .library_path = library_path,
					 .preload = getenv("LD_PRELOAD")};
	struct error ignored = {0};

	cli->root = root_open(&cli->arena, NULL, &ignored);
	if (!cli->root)
		return;
	const struct loader_run *run = loader_run(host_new(&cli->arena, cli->root), path, &options);
	const struct loader_object *library = loader_object(run, LIBCRYPTO);
	if (!library || !library->elf || !run->count || !run->objects[0]->elf ||
	    library == run->objects[0])
		return;
	const char *compiled = openssl_read(run->objects[0]->elf).version;
	const char *loaded = openssl_read(library->elf).version;
	if (compiled && loaded && version_compare(compiled, loaded) < 0)
		fprintf(stderr,
			"ampere-crypto run: warning: %s was compiled against OpenSSL %s and will "
			"load %s (%s); what it chose at compile time stays, build it again\n",
			path, compiled, loaded, library->path);
}

static bool set(struct cli *cli, const char *variable, const struct names *directories)
{
	const char *value = environment_extend(&cli->arena, directories, getenv(variable));

	if (directories->count && setenv(variable, value, 1) < 0)
		return error_errno(&cli->error, errno, "%s", variable);
	return true;
}

static bool set_environment(struct cli *cli)
{
	struct environment environment;
	struct store store;
	bool done;

	if (!cli_open_store(cli, &store))
		return false;
	if (store.fd < 0)
		return error_set(&cli->error,
				 "nothing is installed in %s, see ampere-crypto setup --help",
				 store.prefix);
	done = environment_read(&store, &environment, &cli->error);
	store_close(&store);
	return done && set(cli, "PATH", &environment.programs) &&
	       set(cli, "PKG_CONFIG_PATH", &environment.pkg_config) &&
	       (!cli->options.library_path || set(cli, "LD_LIBRARY_PATH", &environment.libraries));
}

static int run(struct cli *cli)
{
	const struct names *arguments = &cli->options.arguments;
	char **argv = arena_array(&cli->arena, char *, arguments->count + 1);
	char real[PATH_MAX];
	const char *path;

	if (!set_environment(cli))
		return cli->error.exit_code ? (int)cli->error.exit_code : EXIT_TROUBLE;
	for (size_t i = 0; i < arguments->count; i++)
		argv[i] = arena_strdup(&cli->arena, arguments->items[i]);
	path = strchr(argv[0], '/') ? argv[0] : process_find(&cli->arena, argv[0]);
	if (path && realpath(path, real))
		warn_of_older(cli, real, getenv("LD_LIBRARY_PATH"));
	/* main() ignores these for its own sake; an ignored signal would stay ignored. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execvp(argv[0], argv);
	/* A directory of PATH that may not be entered does not make a command of it. */
	int number = !path && errno == EACCES ? ENOENT : errno;
	signal(SIGPIPE, SIG_IGN);
	error_errno(&cli->error, number, "%s", argv[0]);
	return number == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_START;
}

const struct command command_run = {
	.name = "run",
	.arguments = "COMMAND...",
	.summary = "run a command with what is installed first on its PATH",
	.doc = "Run COMMAND with PATH and PKG_CONFIG_PATH as ampere-crypto env prints them; its "
	       "exit status is that of COMMAND. Options stand before COMMAND.",
	.options = OPTION_PREFIX | OPTION_LIBRARY_PATH | OPTION_HELP,
	.arguments_min = 1,
	.arguments_max = 100000,
	.completes = COMPLETES_FILES,
	.runs_arguments = true,
	.run = run,
};
