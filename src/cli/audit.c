// SPDX-License-Identifier: BSD-2-Clause
#include "audit/audit.h"
#include "audit/waivers.h"
#include "base/clock.h"
#include "catalog/probe.h"
#include "cli/audit_measure.h"
#include "cli/bmc.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/facets.h"
#include "cli/identity.h"
#include "host/root.h"

#include <string.h>

static const struct field audit_fields[] = {
	DOCUMENT_FIELDS(&finding_table,
			"Every check that was asked for, in the order of `list checks`.",
			&audit_summary_table),
};

static const struct field_table audit_table = FIELD_TABLE(
	"audit", struct document, audit_fields, "What `ampere-crypto audit --json` writes.");

const struct document_kind audit_kind = {"audit", "1.0.0", &audit_table};

static bool judge(struct cli *cli, struct document *document, struct audit *audit)
{
	struct audit_options options = {.only = cli->options.only,
					.skip = cli->options.skip,
					.fail_on = cli->options.fail_on,
					.strict = cli->options.strict,
					.today = clock_utc_day(&cli->arena)};
	struct waivers waivers = {0};
	struct checks checks;

	if (cli->options.measure && cli->options.root)
		return error_exit(&cli->error, EXIT_USAGE,
				  "--measure: only the running machine can be measured, leave "
				  "--root away");
	if (!cli_open_host(cli) || !cli_open_bmc(cli))
		return false;
	document->host = cli->identity;
	if (cli->options.measure)
		cli->facts->measure = audit_measure(cli);
	if (cli->options.probe)
		cli->facts->probe = probe_run(&cli->arena, cli->facts->profile);
	if (!checks_load(cli->facts, NULL, &checks, &cli->error))
		return false;
	if (cli->options.waivers &&
	    !waivers_load(cli->facts, &checks, cli->options.waivers, &waivers, &cli->error))
		return false;
	options.waivers = &waivers;
	return audit_run(cli->facts, &checks, &options, audit, &cli->error);
}

/* The one command to go on with: as root when that answers something, else the worst finding
 * explained. */
static const char *next_command(struct cli *cli, const struct audit *audit)
{
	static const char *const severities[] = {"critical", "high", "medium", "low", "info"};
	const struct finding *findings = audit->findings.items;

	if (audit->summary.needs_root && root_kind(cli->root) == ROOT_LIVE &&
	    !root_live(cli->root)->root)
		return cli->options.role
			       ? arena_printf(&cli->arena, "sudo ampere-crypto audit --role %s",
					      cli->options.role)
			       : "sudo ampere-crypto audit";
	for (size_t s = 0; s < sizeof(severities) / sizeof(severities[0]); s++) {
		for (size_t i = 0; i < audit->findings.count; i++) {
			if (strcmp(findings[i].outcome, "fail") == 0 &&
			    strcmp(findings[i].severity, severities[s]) == 0)
				return arena_printf(&cli->arena, "ampere-crypto explain %s",
						    findings[i].id);
		}
	}
	return NULL;
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &audit_kind);
	struct audit *audit = arena_new(&cli->arena, struct audit);
	struct finding_list *list = arena_new(&cli->arena, struct finding_list);

	if (!cli_check_bmc(cli))
		return EXIT_USAGE;
	if (!judge(cli, document, audit))
		return cli_fail(cli, document);
	document->results = audit->findings;
	document->summary = &audit->summary;
	*list = (struct finding_list){audit->findings.items, audit->findings.count,
				      audit->summary.needs_root};
	document->findings = list;
	section_row(document, document_section(document, NULL, 1, NULL),
		    identity_line(&cli->arena, document->host));
	audit_facets(document, audit);
	cli_bmc_section(cli, document);
	cli_close_bmc(cli);
	identity_messages(document, cli->identity);
	cli_bmc_messages(cli, document);
	for (size_t i = 0; cli->facts->measure && i < cli->facts->measure->count; i++)
		document_message(document, "note", "measured: %s",
				 measure_describe(&cli->arena, &cli->facts->measure->nodes[i]));
	if (!audit->findings.count)
		document_message(
			document, "warning",
			"no check is left by --only, --skip and the role (%s): nothing was judged",
			cli->options.role ? cli->options.role : "none given");
	document->next = next_command(cli, audit);
	return cli_finish(cli, document, audit->exit_code);
}

const struct command command_audit = {
	.name = "audit",
	.summary = "firmware and OS settings against the profile of this machine",
	.doc = "Judge the settings of this machine that matter to cryptography: what fails first, "
	       "with what was found and what is "
	       "wanted. Nothing is changed.",
	.options = OPTIONS_REPORT | OPTIONS_HOST | OPTION_ROLE | OPTION_ONLY | OPTION_SKIP |
		   OPTION_FAIL_ON | OPTION_STRICT | OPTION_WAIVERS | OPTION_ALL | OPTION_VERBOSE |
		   OPTION_PROBE | OPTION_MEASURE | OPTIONS_BMC | OPTION_HELP,
	.run = run,
};
