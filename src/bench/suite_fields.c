// SPDX-License-Identifier: BSD-2-Clause
#include "bench/suite.h"

#define NAME "^[a-z0-9][a-z0-9+-]*$"

/* One row of a table: key, kind, member, text, and what else there is to say. */
#define ROW(type, name, field_kind, member, text, ...)                                             \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct type, member),         \
		.doc = (text), ##__VA_ARGS__                                                       \
	}

static const char *const engines[] = {"kat", "dpdk-crypto-perf", "openssl-speed", "bssl-speed",
				      NULL};
static const char *const units[] = {"Gbps", "MOps", NULL};

static const struct field case_rows[] = {
	ROW(suite_case, "name", FIELD_TEXT, name, "as references and results name it",
	    .required = true, .pattern = NAME),
	ROW(suite_case, "title", FIELD_TEXT, title, "what it measures, in one line",
	    .required = true, .pattern = "."),
	ROW(suite_case, "engine", FIELD_ENUM, engine,
	    "what measures it: kat, the helper ampere-crypto-kat-bench on a libcrypto; "
	    "dpdk-crypto-perf; openssl-speed or bssl-speed",
	    .required = true, .names = engines),
	ROW(suite_case, "devices", FIELD_TEXTS, devices,
	    "drivers of DPDK that it can run on, that of Ampere's guide first",
	    .pattern = "^crypto_[a-z0-9_]+$"),
	ROW(suite_case, "dpdk", FIELD_OBJECT, dpdk, "options of dpdk-test-crypto-perf",
	    .nullable = true, .table = &cperf_case_table),
	ROW(suite_case, "words", FIELD_TEXTS, words,
	    "words of the command line of openssl speed, or the filter of bssl speed",
	    .pattern = "^[ -~]{1,80}$"),
	ROW(suite_case, "verify", FIELD_TEXT, verify,
	    "openssl-speed and bssl-speed, which print no answers: the case of kat that is "
	    "verified on the same library instead",
	    .nullable = true, .pattern = NAME),
	ROW(suite_case, "unit", FIELD_ENUM, unit,
	    "Gbps of the bytes that are processed, or MOps for operations without a size; absent: "
	    "by whether there are sizes",
	    .nullable = true, .names = units),
	ROW(suite_case, "sizes", FIELD_NUMBERS, sizes,
	    "bytes of one operation, rising; absent: the operation has no size", .minimum = 1,
	    .maximum = 65535),
	ROW(suite_case, "cores", FIELD_NUMBERS, cores,
	    "worker cores, rising; absent: 1; those that a machine lacks do not apply there",
	    .minimum = 1, .maximum = 1024),
	ROW(suite_case, "burst", FIELD_NUMBER, burst,
	    "DPDK: operations handed over at a time; absent: 32", .minimum = 1, .maximum = 512),
	ROW(suite_case, "limits", FIELD_TEXTS, limits,
	    "what it asks of the core for every byte: aes-128, aes-192, aes-256, ghash, sha1, "
	    "sha256, "
	    "sha512; what it does twice stands there twice",
	    .pattern = "^(aes-128|aes-192|aes-256|ghash|sha1|sha256|sha512)$"),
	ROW(suite_case, "checks", FIELD_TEXTS, checks,
	    "globs of the audit's checks that are known to slow it down",
	    .pattern = "^[a-z0-9.*?-]+$"),
};

const struct field_table suite_case_table =
	FIELD_TABLE("suite-case", struct suite_case, case_rows, "one thing that is measured");

static const struct field suite_rows[] = {
	ROW(suite, "name", FIELD_TEXT, name, "the file's name", .required = true,
	    .pattern = "^[a-z0-9][a-z0-9-]*$"),
	ROW(suite, "summary", FIELD_TEXT, summary, "what it is for, in one line", .required = true,
	    .pattern = "."),
	ROW(suite, "version", FIELD_NUMBER, version,
	    "raised when a case comes to mean another thing, so that older results are not "
	    "compared with it",
	    .required = true, .minimum = 1, .maximum = 1000000),
	ROW(suite, "seconds", FIELD_NUMBER, seconds, "it takes no longer on an idle machine",
	    .required = true, .minimum = 1, .maximum = 86400),
	ROW(suite, "cases", FIELD_ARRAY, cases, "what is measured", .required = true,
	    .table = &suite_case_table),
};

const struct field_table suite_table = FIELD_TABLE("suite", struct suite, suite_rows,
						   "a list of cases that are measured together");
