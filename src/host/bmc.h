// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>

struct arena;
struct error;
struct root;

/*
 * A BMC that is asked by Redfish, through the helper program ampere-crypto-fetch, which has the
 * network, TLS and the credentials; this process reads answers from a descriptor. It ends with the
 * arena or with bmc_close(), which closes the session.
 */
struct bmc;

/* What it was like to ask, as a question of the root: lines "access HOW", "failed WHY". */
#define BMC_ACCESS_PATH "/redfish/access"
#define BMC_ROOT_PATH "/redfish/v1/index.json"

struct bmc_options {
	const char *url;         /* https://HOST[:PORT][/redfish/v1] */
	const char *credentials; /* FILE or fd:N; NULL: the environment's, which is wiped */
	const char *authorities; /* file, NULL: the system's */
};

/* The usage of these options, before anything is opened; messages never repeat a URL that has a
 * password. */
bool bmc_options_check(const struct bmc_options *options, struct error *err);
/* Starts the helper, reads the service root, logs in. That the BMC does not answer is no error: its
 * documents are not had then, and BMC_ACCESS_PATH says why. */
struct bmc *bmc_open(struct arena *arena, const struct bmc_options *options, struct error *err);
/* What the root reads below /redfish/ from now on. */
void bmc_attach(struct bmc *bmc, struct root *root);
void bmc_close(struct bmc *bmc);
