// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/loader.h"

/*
 * Crypto software that is installed: which libcrypto each well-known program would load, what
 * OpenSSL that file is, DPDK and the libraries it is built on, and what the environment of services
 * says about OpenSSL. Nothing is executed. Paths are looked for, directories of users are not.
 */

/* What a libcrypto file is. */
#define SOFTWARE_PREFIXES_MAX 256 /* directories of /opt that are looked into */

struct openssl {
	const char *version;  /* "3.0.13", "1.1.1w"; NULL: not known */
	const char *evidence; /* the text or symbol it was read from */
	const char *unknown;  /* why the version is not known */
};

/* From OpenSSL_version_num(), a function that returns one constant, else from the version text. */
struct openssl openssl_read(struct elf *elf);

struct software_program {
	const char *name, *path;
	bool service; /* started by the system: LD_LIBRARY_PATH of a shell does not reach it */
	const struct loader_run *run;
	const struct loader_object *libcrypto; /* NULL: it needs none */
};

/* A DPDK found by its .pc file, else by its libraries. */
struct software_dpdk {
	const char *version;   /* NULL: not known */
	const char *pc;        /* its libdpdk.pc, NULL */
	const char *directory; /* of its libraries, NULL: no DPDK */
	const char *abi;       /* "25" of librte_eal.so.25, NULL */
	struct names drivers;  /* crypto drivers that were built: "openssl", "armv8" … */
	bool static_drivers;   /* known from archives only */
	struct elf *openssl;   /* the openssl driver, NULL */
	int number;            /* errno value that hid something */
	const char *unread;
};

struct software_library {
	const char *version; /* NULL: not known */
	const char *path;    /* NULL: not installed */
	int number;
	const char *unread;
};

struct software {
	struct software_program *programs;
	size_t program_count;
	struct software_dpdk dpdk;
	struct software_library ipsec_mb, aarch64cryptolib;
	struct names overrides; /* "OPENSSL_armcap=0 in …" */
	struct names override_files;
	int override_number; /* errno value of a file that may hold one */
	const char *override_unread;
};

const struct software *host_software(struct host *host);

/* The variables of a .pc file expanded; NULL when the key is not there. */
const char *pc_value(struct arena *arena, struct view text, const char *key);
/* Where .pc files and libraries of a prefix are, best known first. */
void software_library_directories(struct host *host, struct names *out);

void software_find_programs(struct host *host, struct software *software);
void software_find_dpdk(struct host *host, struct software *software);
void software_find_libraries(struct host *host, struct software *software);
void software_find_overrides(struct host *host, struct software *software);

/* The distribution's own file of a soname, for what a program is; NULL when it has none. */
struct elf *software_distribution_copy(struct host *host, const struct loader_run *run,
				       const char *name);
/* The kind of unknown that an errno value is. */
enum unknown_kind software_unknown(int number);

extern const struct fact_table software_facts, libcrypto_facts, ldso_facts, dpdk_facts;
