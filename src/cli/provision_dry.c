// SPDX-License-Identifier: BSD-2-Clause
#include "base/file.h"
#include "cli/provision.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What setup would do, asked of itself: the keys of the trees. */
static bool ask_setup(struct provision *provision)
{
	struct cli *cli = provision->cli;
	struct names argv = {0}, words;
	struct provision_job job = {.argv = &argv};
	struct provision_plan plan = provision->plan;
	struct provision_ran ran;
	struct json json;
	struct view text;

	if (plan.setup->pack)
		return provision_pack_key(provision);
	plan.outputs.count = 0;
	provision_command(&cli->arena, &plan, STAGE_SETUP, "", &(struct names){0},
			  &(struct provision_voice){.quiet = true}, &words);
	for (size_t i = 0; i < words.count; i++) {
		if (strncmp(words.items[i], "--output=", strlen("--output=")) != 0)
			names_add(&cli->arena, &argv, words.items[i]);
	}
	names_add(&cli->arena, &argv, "--dry-run");
	names_add(&cli->arena, &argv, "--json");
	scoped_fd int output = memfd_create("setup", MFD_CLOEXEC);
	if (output < 0)
		return error_set(&cli->error, "no memory for the plan of setup");
	job.output = output;
	job.limit_ms = plan.limits.stages[STAGE_SETUP] * 1000;
	provision_signals(&provision->watch);
	if (!provision_run(&job, &provision->watch, &ran, &cli->error))
		return false;
	if (ran.status)
		return error_exit(&cli->error, (enum exit_code)ran.status,
				  "setup cannot be planned, exit status %d", ran.status);
	if (lseek(output, 0, SEEK_SET) < 0 ||
	    !file_read_fd(&cli->arena, output, "the plan of setup", PROVISION_RESULT_BYTES_MAX,
			  &text, &cli->error) ||
	    !json_parse(&cli->arena, "the plan of setup", text, &json, &cli->error))
		return false;
	provision_keys(provision, json.top);
	return true;
}

bool provision_dry_run(struct provision *provision)
{
	struct cli *cli = provision->cli;
	struct document *document = provision->document;
	/* The last column would be broken into lines: nothing is in it. */
	struct section *section = document_section(document, NULL, 2, NULL);
	struct names results = {0};

	if (provision->plan.setup && !ask_setup(provision))
		return false;
	for (size_t i = 0; i < provision->count; i++) {
		struct provision_result *one = &provision->results[i];

		provision_command(&cli->arena, &provision->plan, provision_stage_of(one),
				  provision->summary.state, &results, &provision->voice,
				  &one->command);
		names_add(&cli->arena, &results,
			  provision_result_path(&cli->arena, provision->summary.state, one->stage,
						"json"));
		one->text = "not run: a dry run";
		provision->summary.unknown++;
		section_row(document, section, provision_shell(&cli->arena, &one->command), "");
	}
	document->results = (struct field_array){provision->results, provision->count};
	document->summary = &provision->summary;
	return true;
}
