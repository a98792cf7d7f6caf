// SPDX-License-Identifier: BSD-2-Clause
#include "cli/store.h"
#include "setup/environment.h"

#include <string.h>
#include <sys/utsname.h>

static bool print(struct cli *cli, struct store *store)
{
	struct buffer out = buffer_new(&cli->arena, (size_t)1 << 20);
	struct environment environment;
	struct utsname machine;

	if (store->fd < 0)
		return error_set(&cli->error,
				 "nothing is installed in %s, see ampere-crypto setup --help",
				 store->prefix);
	if (!environment_read(store, &environment, &cli->error))
		return false;
	if (environment.arch && uname(&machine) == 0 &&
	    strcmp(environment.arch, machine.machine) != 0)
		buffer_printf(&out, "# built for %s, this machine is %s\n", environment.arch,
			      machine.machine);
	buffer_text(&out, environment_lines(&cli->arena, &environment, cli->options.library_path));
	return output_bytes(buffer_view(&out), &cli->error);
}

static int run(struct cli *cli)
{
	struct store store;
	bool done = cli_open_store(cli, &store) && print(cli, &store);

	if (done)
		return EXIT_OK;
	return cli->error.exit_code ? (int)cli->error.exit_code : EXIT_TROUBLE;
}

const struct command command_env = {
	.name = "env",
	.summary = "lines for a shell that make it find what is installed",
	.doc = "Print lines that extend PATH and PKG_CONFIG_PATH for the active trees: "
	       "eval \"$(ampere-crypto env)\". With --library-path LD_LIBRARY_PATH too, which goes "
	       "before every RUNPATH of every program.",
	.options = OPTION_PREFIX | OPTION_LIBRARY_PATH | OPTION_HELP,
	.run = run,
};
