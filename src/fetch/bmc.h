// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "fetch/transfer.h"

/*
 * Redfish (DMTF DSP0266), what --redfish makes of this program: one server is asked over one
 * connection, one question at a time, until standard input ends; then the session is closed.
 * Lines of words separated by one TAB:
 *   bmc ORIGIN CREDENTIALS_FD|- BODY_FD MAX_BYTES    the first line
 *   get PATH       -> reply STATUS BYTES: so many bytes of the body are in BODY_FD
 *   login PATH     -> login session, login basic
 * or -> failed KIND TEXT, as in fetch/answer.h. ORIGIN is https://HOST[:PORT]. CREDENTIALS_FD gives
 * one line USER:PASSWORD. Whoever asked and went away, however it ended, is the end of input.
 */
#define BMC_PATH_MAX 2048
#define BMC_SECRET_MAX 1024

enum bmc_access { BMC_NO_ACCESS, BMC_SESSION, BMC_BASIC };

struct bmc {
	struct fetch *fetch;
	CURL *easy;
	const char *origin;
	int credentials_fd; /* -1: none */
	int body_fd;
	uint64_t max_bytes;
	char secret[BMC_SECRET_MAX]; /* "USER\0PASSWORD", wiped when it is not needed any more */
	const char *password;
	enum bmc_access access;
	char token[BMC_SECRET_MAX];
	char session[BMC_PATH_MAX]; /* its address, "": none to close */
	bool left;                  /* nobody waits for answers any more */
};

/* One request and its reply. */
struct bmc_exchange {
	struct bmc *bmc;
	const char *method, *path;
	const char *content; /* of a POST */
	bool alone;          /* goes on when the caller has left: the logout */
	bool basic;          /* with user and password */
	unsigned status;
	uint64_t header_bytes, have_bytes, dropped_bytes;
	char location[BMC_PATH_MAX], token[BMC_SECRET_MAX];
	bool stopped;
	struct cause cause;
	char message[CURL_ERROR_SIZE];
};

/* Until the end of input; the exit status. */
int bmc_run(struct fetch *fetch);

/* Sends it and takes the reply, redirects within the same origin followed; false with the cause
 * when there is none (bmc_exchange.c). */
bool bmc_exchange(struct bmc_exchange *exchange);
/* The path of an address of the same origin, or a path as it is; false: another place. */
bool bmc_local_path(const struct bmc *bmc, const char *address, char path[BMC_PATH_MAX]);
bool bmc_path_is_usable(const char *path);

/* A session, or where the server has none, user and password with each request; false with the
 * cause (bmc_session.c). */
bool bmc_login(struct bmc *bmc, const char *path, struct cause *cause);
void bmc_logout(struct bmc *bmc);
