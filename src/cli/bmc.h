// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

struct cli;

/* --redfish, --credentials and --ca: whether they go together and mean something; a usage error
 * before any document, since those repeat the command line. */
bool cli_check_bmc(struct cli *cli);
/* Asks the BMC from now on, where --redfish says so; the root must be open. */
bool cli_open_bmc(struct cli *cli);
/* Closes the session; nothing more is asked. */
void cli_close_bmc(struct cli *cli);
/* What went wrong while the BMC was asked, as warnings. */
void cli_bmc_messages(struct cli *cli, struct document *document);
/* What the BMC has of firmware's settings beside what is in effect; nothing where it was not
 * asked. */
void cli_bmc_section(struct cli *cli, struct document *document);
