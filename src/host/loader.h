// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/elf.h"
#include "host/host.h"
#include "host/ldso.h"

/*
 * A model of glibc's dynamic loader (ld.so(8), glibc elf/dl-load.c and dl-deps.c, 2.28 to 2.41):
 * which file every needed library of a program resolves to, and which symbol versions would be
 * missing. Nothing is executed. Not modelled: DT_FILTER and DT_AUXILIARY, LD_AUDIT, dlopen, file
 * capabilities, relative directories (they depend on where a program is started), entries of other
 * architectures.
 */
#define LOADER_OBJECTS_MAX 1024

struct loader_object {
	const char *name;     /* as it was first asked for */
	const char *path;     /* NULL: not found */
	struct elf *elf;      /* NULL: not found */
	struct names aliases; /* other names that it answered to */
	bool soname_known;    /* its soname is among them */
	const struct loader_object *asked_by;
	const char *reason; /* "RUNPATH of …", "/etc/ld.so.cache" …: where it was found */
};

/* A version that `object` wants from `from` and which is not there. */
struct loader_version {
	const struct loader_object *object, *from;
	const char *version;
};

struct loader_options {
	const char *library_path; /* LD_LIBRARY_PATH, NULL */
	const char *preload;      /* LD_PRELOAD, NULL */
	/* Glob of names: versions are only compared for the program itself and for what needs one
	 * of them; NULL: all. */
	const char *versions_of;
	/* Asked in place of the host's cache, with the arguments of ldso_cache_find(); NULL: the
	 * host's. */
	bool (*cache)(void *context, const char *name, uint32_t flags,
		      const struct ldso_hwcaps *hwcaps, struct ldso_entry *out);
	void *context;
};

struct loader_run {
	const char *program;
	struct elf *elf;
	const char *unknown; /* why the answer is not certain: "… needs root"; NULL */
	int unknown_number;  /* errno value behind it, 0 */
	const char *failure; /* the loader stops here: "…: not an ELF file"; NULL */
	bool secure;         /* set-user-ID or set-group-ID, and started by somebody else */
	struct ldso_layout layout;
	/* In load order; [0] is the program, [1] the loader itself. */
	struct loader_object **objects;
	size_t count;
	size_t missing; /* objects that were not found */
	struct loader_version *versions;
	size_t version_count;
};

/* What stays the same for all programs of a host. */
struct loader {
	struct ldso_cache cache;
	struct names preload;
	int preload_number;
	struct loader_elfs *elfs;
};

const struct loader *host_loader(struct host *host);
/* Those that the layout's C library knows and this CPU has: kinds come and go with releases. */
struct ldso_hwcaps loader_hwcaps(struct host *host, const struct ldso_layout *layout,
				 uint16_t machine);
/* A file's ELF, read once whatever its name. */
struct elf *loader_elf(struct host *host, const char *path);
const struct loader_run *loader_run(struct host *host, const char *program,
				    const struct loader_options *options);
/* The object that answers to a name ("libcrypto.so.3"), or whose name fits a glob; NULL. */
const struct loader_object *loader_object(const struct loader_run *run, const char *glob);
/* Whether a path is below one of the layout's default directories. */
bool loader_is_default(const struct ldso_layout *layout, const char *path);
