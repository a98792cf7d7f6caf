// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "bench/suite.h"

#include <inttypes.h>
#include <string.h>

/*
 * What DPDK's cryptodev names (rte_cryptodev.h: rte_crypto_*_algorithm_strings of 22.11) and what
 * the algorithms' own standards say of them. `block`: dpdk-test-crypto-perf takes no buffer that
 * is not a multiple of it (cperf_options_parsing.c); 0: any. `digest`: all bytes it gives.
 */
struct algorithm {
	const char *name;
	int64_t block, digest;
};

static const struct algorithm ciphers[] = {
	{"3des-cbc", 8},   {"3des-ctr", 8},   {"3des-ecb", 8}, {"aes-cbc", 16}, {"aes-ctr"},
	{"aes-docsisbpi"}, {"aes-ecb", 16},   {"aes-f8"},      {"aes-xts"},     {"arc4"},
	{"des-cbc", 8},    {"des-docsisbpi"}, {"kasumi-f8"},   {"null"},        {"sm4-cbc", 16},
	{"sm4-ctr"},       {"sm4-ecb", 16},   {"snow3g-uea2"}, {"zuc-eea3"},
};

static const struct algorithm auths[] = {
	{"aes-cbc-mac", 0, 16}, {"aes-cmac", 0, 16},
	{"aes-gmac", 0, 16},    {"aes-xcbc-mac", 0, 16},
	{"kasumi-f9", 0, 4},    {"md5", 0, 16},
	{"md5-hmac", 0, 16},    {"null"},
	{"sha1", 0, 20},        {"sha1-hmac", 0, 20},
	{"sha2-224", 0, 28},    {"sha2-224-hmac", 0, 28},
	{"sha2-256", 0, 32},    {"sha2-256-hmac", 0, 32},
	{"sha2-384", 0, 48},    {"sha2-384-hmac", 0, 48},
	{"sha2-512", 0, 64},    {"sha2-512-hmac", 0, 64},
	{"sha3-224", 0, 28},    {"sha3-256", 0, 32},
	{"sha3-384", 0, 48},    {"sha3-512", 0, 64},
	{"sm3", 0, 32},         {"snow3g-uia2", 0, 4},
	{"zuc-eia3", 0, 4},
};

static const struct algorithm aeads[] = {
	{"aes-ccm", 0, 16},
	{"aes-gcm", 0, 16},
	{"chacha20-poly1305", 0, 16},
};

/* A kind of algorithm, its key in a case's options, and the operations it has. */
static const struct kind {
	const char *key;
	const struct algorithm *rows;
	size_t count;
	const char *const ops[3];
} kinds[] = {
	{"cipher", ciphers, sizeof(ciphers) / sizeof(ciphers[0]), {"encrypt", "decrypt"}},
	{"auth", auths, sizeof(auths) / sizeof(auths[0]), {"generate", "verify"}},
	{"aead", aeads, sizeof(aeads) / sizeof(aeads[0]), {"encrypt", "decrypt"}},
};
enum { CIPHER, AUTH, AEAD };

/* What each optype has. */
static const struct optype {
	const char *name;
	bool has[3];
} optypes[] = {
	{"cipher-only", {true, false, false}},
	{"auth-only", {false, true, false}},
	{"cipher-then-auth", {true, true, false}},
	{"auth-then-cipher", {true, true, false}},
	{"aead", {false, false, true}},
};

/* One case being looked at. */
struct looking {
	struct arena *arena;
	const struct json *json;
	const cJSON *at; /* the case */
	const struct suite_case *one;
	struct error *err;
};

/* The member of an object, or the object where it has none. */
static const cJSON *member(const cJSON *object, const char *key)
{
	const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, key);

	return found ? found : object;
}

static bool wrong(struct looking *looking, const cJSON *at, const char *text)
{
	return json_error(looking->json, at, looking->err, "case %s: %s", looking->one->name, text);
}

static bool check_rising(struct looking *looking, const char *key, const struct numbers *numbers)
{
	for (size_t i = 1; i < numbers->count; i++) {
		if (numbers->items[i] <= numbers->items[i - 1])
			return wrong(looking, cJSON_GetArrayItem(member(looking->at, key), (int)i),
				     "must rise, and none may stand twice");
	}
	return true;
}

static const struct algorithm *algorithm_find(struct looking *looking, const struct kind *kind,
					      const struct cperf_algorithm *of)
{
	const cJSON *at = member(member(looking->at, "dpdk"), kind->key);
	struct names known = {0};
	const char *nearest;

	for (size_t i = 0; i < kind->count; i++) {
		if (strcmp(kind->rows[i].name, of->name) == 0)
			return &kind->rows[i];
		names_add(looking->arena, &known, kind->rows[i].name);
	}
	nearest = text_nearest(of->name, known.items, known.count);
	wrong(looking, member(at, "name"),
	      nearest ? arena_printf(looking->arena,
				     "DPDK has no %s algorithm %.80s; did you mean %s?", kind->key,
				     of->name, nearest)
		      : arena_printf(looking->arena, "DPDK has no %s algorithm %.80s; it has %s",
				     kind->key, of->name,
				     names_join(looking->arena, &known, ", ")));
	return NULL;
}

static bool check_digest(struct looking *looking, const struct algorithm *algorithm)
{
	const cJSON *dpdk = member(looking->at, "dpdk");
	const struct cperf_case *options = looking->one->dpdk;

	if (options->full_digest && algorithm->digest && options->full_digest != algorithm->digest)
		return wrong(looking, member(dpdk, "full-digest"),
			     arena_printf(looking->arena, "%s gives %" PRId64 " bytes",
					  algorithm->name, algorithm->digest));
	if (options->digest > algorithm->digest)
		return wrong(looking, member(dpdk, "digest"),
			     arena_printf(looking->arena,
					  "larger than all that %s gives, %" PRId64 " bytes",
					  algorithm->name, algorithm->digest));
	if (!options->digest && algorithm->digest)
		return wrong(looking, dpdk, "digest is missing: the bytes of the tag");
	return true;
}

static bool check_algorithm(struct looking *looking, const struct kind *kind,
			    const struct cperf_algorithm *of)
{
	const cJSON *at = member(member(looking->at, "dpdk"), kind->key);
	const struct algorithm *algorithm = algorithm_find(looking, kind, of);
	const struct numbers *sizes = &looking->one->sizes;

	if (!algorithm)
		return false;
	if (of->op && strcmp(of->op, kind->ops[0]) != 0 && strcmp(of->op, kind->ops[1]) != 0)
		return wrong(looking, member(at, "op"),
			     arena_printf(looking->arena, "%s is %s or %s", kind->key, kind->ops[0],
					  kind->ops[1]));
	for (size_t i = 0; algorithm->block && i < sizes->count; i++) {
		if (sizes->items[i] % algorithm->block)
			return wrong(
				looking, cJSON_GetArrayItem(member(looking->at, "sizes"), (int)i),
				arena_printf(looking->arena,
					     "%" PRId64 " is not a multiple of %" PRId64
					     ", the block of %s",
					     sizes->items[i], algorithm->block, algorithm->name));
	}
	return kind == &kinds[CIPHER] || check_digest(looking, algorithm);
}

static bool check_dpdk(struct looking *looking)
{
	const struct cperf_case *options = looking->one->dpdk;
	const struct cperf_algorithm *const given[] = {options->cipher, options->auth,
						       options->aead};
	const cJSON *dpdk = member(looking->at, "dpdk");
	const struct optype *optype = NULL;

	for (size_t i = 0; i < sizeof(optypes) / sizeof(optypes[0]); i++) {
		if (options->optype && strcmp(optypes[i].name, options->optype) == 0)
			optype = &optypes[i];
	}
	if (!optype)
		return wrong(looking, member(dpdk, "optype"),
			     "optype is cipher-only, auth-only, cipher-then-auth, "
			     "auth-then-cipher or aead");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!given[i] == optype->has[i])
			return wrong(looking, member(dpdk, kinds[i].key),
				     arena_printf(looking->arena, "%s %s %s", optype->name,
						  given[i] ? "has no" : "needs", kinds[i].key));
		if (given[i] && !check_algorithm(looking, &kinds[i], given[i]))
			return false;
	}
	if (options->digest && !options->auth && !options->aead)
		return wrong(looking, member(dpdk, "digest"), "a cipher alone has no digest");
	if (options->full_digest && options->digest > options->full_digest)
		return wrong(looking, member(dpdk, "digest"), "larger than full-digest");
	return true;
}

/* What goes with which engine. */
static bool check_engine(struct looking *looking)
{
	const struct suite_case *one = looking->one;
	bool dpdk = strcmp(one->engine, "dpdk-crypto-perf") == 0;
	bool worded = strstr(one->engine, "-speed") != NULL;
	const struct {
		const char *key;
		bool given, wanted;
	} rows[] = {
		{"dpdk", one->dpdk != NULL, dpdk},
		{"devices", one->devices.count > 0, dpdk},
		{"words", one->words.count > 0, worded},
		{"verify", one->verify != NULL, worded},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].given != rows[i].wanted)
			return wrong(looking, member(looking->at, rows[i].key),
				     arena_printf(looking->arena, "the engine %s %s %s",
						  one->engine, rows[i].given ? "has no" : "needs",
						  rows[i].key));
	}
	if (!dpdk && one->burst)
		return wrong(looking, member(looking->at, "burst"), "only DPDK has bursts");
	return true;
}

/* The one mode among kat-bench's cases that only takes whole blocks. */
static bool check_blocks(struct looking *looking)
{
	const struct numbers *sizes = &looking->one->sizes;

	for (size_t i = 0; strstr(looking->one->name, "-cbc-") && i < sizes->count; i++) {
		if (sizes->items[i] % 16)
			return wrong(looking,
				     cJSON_GetArrayItem(member(looking->at, "sizes"), (int)i),
				     "not a multiple of 16, the block of AES-CBC");
	}
	return true;
}

static bool check_case(struct looking *looking)
{
	const struct suite_case *one = looking->one;
	bool sized = one->sizes.count > 0;

	if (one->unit && (strcmp(one->unit, "Gbps") == 0) != sized)
		return wrong(looking, member(looking->at, "unit"),
			     sized ? "what has sizes is measured in Gbps"
				   : "what has no sizes is measured in MOps");
	if (cJSON_GetObjectItemCaseSensitive(looking->at, "sizes") && !sized)
		return wrong(looking, member(looking->at, "sizes"),
			     "no size; leave sizes out for operations without one");
	if (cJSON_GetObjectItemCaseSensitive(looking->at, "cores") && !one->cores.count)
		return wrong(looking, member(looking->at, "cores"), "no number of cores");
	return check_rising(looking, "sizes", &one->sizes) &&
	       check_rising(looking, "cores", &one->cores) && check_engine(looking) &&
	       (one->dpdk ? check_dpdk(looking) : check_blocks(looking));
}

bool suite_check(struct arena *arena, const struct json *json, const struct suite *suite,
		 struct error *err)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(json->top, "cases");
	const struct suite_case *cases = suite->cases.items;

	if (!suite->cases.count)
		return json_error(json, array, err, "a suite needs a case");
	if (suite->cases.count > SUITE_CASES_MAX)
		return json_error(json, array, err, "more than %d cases", SUITE_CASES_MAX);
	for (size_t i = 0; i < suite->cases.count; i++) {
		struct looking looking = {.arena = arena,
					  .json = json,
					  .at = cJSON_GetArrayItem(array, (int)i),
					  .one = &cases[i],
					  .err = err};

		for (size_t j = 0; j < i; j++) {
			if (strcmp(cases[j].name, cases[i].name) == 0)
				return wrong(&looking, member(looking.at, "name"), "stands twice");
		}
		if (!check_case(&looking))
			return false;
	}
	return true;
}
