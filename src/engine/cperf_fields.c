// SPDX-License-Identifier: BSD-2-Clause
#include "engine/cperf.h"

/* One row of a table: key, kind, member, text, and what else there is to say. */
#define ROW(type, name, field_kind, member, text, ...)                                             \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct type, member),         \
		.doc = (text), ##__VA_ARGS__                                                       \
	}
/* A uint16_t of the program's own options. */
#define BYTES .minimum = 0, .maximum = 65535

static const char *const optypes[] = {"cipher-only",      "auth-only", "cipher-then-auth",
				      "auth-then-cipher", "aead",      NULL};
static const char *const ops[] = {"encrypt", "decrypt", "generate", "verify", NULL};

static const struct field algorithm_rows[] = {
	ROW(cperf_algorithm, "name", FIELD_TEXT, name, "as DPDK spells it: \"aes-cbc\"",
	    .required = true, .pattern = "^[a-z0-9-]+$"),
	ROW(cperf_algorithm, "op", FIELD_ENUM, op,
	    "encrypt or decrypt; generate or verify of authentication", .required = true,
	    .names = ops),
	ROW(cperf_algorithm, "key", FIELD_NUMBER, key, "bytes of the key", BYTES),
	ROW(cperf_algorithm, "iv", FIELD_NUMBER, iv, "bytes of the initialisation vector", BYTES),
};

static const struct field_table algorithm_table = FIELD_TABLE(
	"cperf-algorithm", struct cperf_algorithm, algorithm_rows, "an algorithm and its sizes");

static const struct field case_rows[] = {
	ROW(cperf_case, "optype", FIELD_ENUM, optype, "what is done to each buffer",
	    .required = true, .names = optypes),
	ROW(cperf_case, "cipher", FIELD_OBJECT, cipher, "of all but auth-only and aead",
	    .nullable = true, .table = &algorithm_table),
	ROW(cperf_case, "auth", FIELD_OBJECT, auth, "of all but cipher-only and aead",
	    .nullable = true, .table = &algorithm_table),
	ROW(cperf_case, "aead", FIELD_OBJECT, aead, "of aead", .nullable = true,
	    .table = &algorithm_table),
	ROW(cperf_case, "aad", FIELD_NUMBER, aad, "bytes of additional data, of aead", BYTES),
	ROW(cperf_case, "digest", FIELD_NUMBER, digest, "bytes of the tag that is timed", BYTES),
	ROW(cperf_case, "full-digest", FIELD_NUMBER, full_digest,
	    "all bytes the algorithm gives; they are verified beside the shorter tag", BYTES),
	ROW(cperf_case, "vector", FIELD_TEXT, vector,
	    "the algorithm that ampere-crypto-kat-bench makes known answers for; null: it has none",
	    .nullable = true, .pattern = "^[a-z0-9+-]+$"),
	ROW(cperf_case, "published", FIELD_TEXTS, published,
	    "files of recipes/dpdk/vectors with published answers",
	    .pattern = "^[a-z0-9][a-z0-9-]*[.]data$"),
};

const struct field_table cperf_case_table =
	FIELD_TABLE("cperf-case", struct cperf_case, case_rows, "options of dpdk-test-crypto-perf");
