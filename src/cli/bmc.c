// SPDX-License-Identifier: BSD-2-Clause
#include "host/bmc.h"

#include "cli/bmc.h"
#include "cli/command.h"
#include "host/redfish.h"
#include "host/root.h"

#include <string.h>

static struct bmc_options options_of(const struct cli *cli)
{
	return (struct bmc_options){.url = cli->options.redfish,
				    .credentials = cli->options.credentials,
				    .authorities = cli->options.ca};
}

bool cli_check_bmc(struct cli *cli)
{
	struct bmc_options options = options_of(cli);

	if (options.url)
		return bmc_options_check(&options, &cli->error);
	if (options.credentials || options.authorities)
		return error_exit(&cli->error, EXIT_USAGE, "--%s is of use with --redfish URL only",
				  options.credentials ? "credentials" : "ca");
	return true;
}

bool cli_open_bmc(struct cli *cli)
{
	struct bmc_options options = options_of(cli);

	if (!options.url)
		return true;
	cli->bmc = bmc_open(&cli->arena, &options, &cli->error);
	if (!cli->bmc)
		return false;
	bmc_attach(cli->bmc, cli->root);
	return true;
}

void cli_close_bmc(struct cli *cli)
{
	bmc_close(cli->bmc);
}

void cli_bmc_messages(struct cli *cli, struct document *document)
{
	const struct redfish *redfish = host_redfish(cli->facts->host);

	for (size_t i = 0; i < redfish->failures.count; i++)
		document_message(document, "warning", "the BMC: %s", redfish->failures.items[i]);
}

static const char *in_effect(struct cli *cli, enum redfish_setting_id id)
{
	static const char *const names[REDFISH_SETTINGS] = {[REDFISH_ANC] = "firmware.anc",
							    [REDFISH_SLC_AS_L3] =
								    "firmware.slc-as-l3",
							    [REDFISH_CPPC] = "cppc.present",
							    [REDFISH_LPI] = "cpuidle.lpi-states"};
	const struct value *value = names[id] ? facts_get(cli->facts, names[id]) : NULL;

	if (!value)
		return "not visible";
	return value->kind == VALUE_UNKNOWN ? "unknown" : value_format(&cli->arena, value, NULL);
}

static const char *word(const struct value *value, const char *none)
{
	if (value->kind == VALUE_NONE)
		return none;
	return value->kind == VALUE_TEXT ? value->text : "unknown";
}

void cli_bmc_section(struct cli *cli, struct document *document)
{
	static const char *const header[] = {"setting", "by the BMC", "after a restart",
					     "in effect"};
	const struct redfish *redfish = host_redfish(cli->facts->host);
	struct section *section;
	size_t known = 0;

	for (size_t i = 0; i < REDFISH_SETTINGS; i++)
		known += redfish->settings[i].now.kind == VALUE_TEXT;
	if (!redfish->asked || !known)
		return;
	section = document_section(document, "firmware settings", 4, header);
	for (size_t i = 0; i < REDFISH_SETTINGS; i++) {
		const struct redfish_found *found = &redfish->settings[i];

		section_row(document, section, redfish_settings[i].title, word(&found->now, "none"),
			    word(&found->next, "the same"),
			    in_effect(cli, (enum redfish_setting_id)i));
	}
}
