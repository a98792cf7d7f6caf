// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/json.h"
#include "host/facts.h"
#include "host/host.h"

/*
 * What the BMC says of this machine (Redfish, DMTF DSP0266), through the root: a document of
 * address /redfish/v1/X is the question /redfish/v1/X/index.json, as in DMTF's mockups. Everything
 * in them may be null, of another type or missing; then it is unknown, and why.
 */
enum redfish_setting_id {
	REDFISH_ANC,
	REDFISH_SLC_AS_L3,
	REDFISH_SLC_REPLACEMENT,
	REDFISH_PREFETCH,
	REDFISH_CPPC,
	REDFISH_LPI,
	REDFISH_SETTINGS,
};

/* How one setting of firmware setup is called by makers, and its values: globs of names without
 * anything but lower-case letters and digits (redfish_settings.c). */
struct redfish_setting {
	const char *title, *fact;
	const char *names[12];
	struct {
		const char *glob, *word;
	} values[14];
	bool in_parts; /* several attributes are parts of it: all must be enabled */
};

extern const struct redfish_setting redfish_settings[REDFISH_SETTINGS];
/* The setting an attribute's name or display name means, NULL: none of them. */
const struct redfish_setting *redfish_setting_of(const char *name);
/* Our word for a value's name, NULL: not known. */
const char *redfish_word(const struct redfish_setting *setting, const char *value);

/* A setting as the BMC has it: its word now, and after the next restart where that is another one;
 * VALUE_NONE: it stays. */
struct redfish_found {
	struct value now, next;
};

/* What the BMC lists of one kind; `problem` is VALUE_NONE when all of it was read. */
struct redfish_part {
	const char *name, *number;      /* locator, part number; NULL: not said */
	int64_t size_mib, speed, cores; /* 0: not said */
};

struct redfish_parts {
	struct value problem;
	const char *path; /* of the collection */
	struct redfish_part *items;
	size_t count;
};

struct redfish {
	bool asked;
	struct names failures;   /* what went wrong while it was asked, for people */
	struct value access;     /* session, basic */
	struct value service;    /* whose Redfish this is */
	struct value system;     /* the address of the system that is this machine */
	const cJSON *system_top; /* NULL: not read */
	const char *system_path;
	const char *model, *maker; /* of the system; NULL: not said */
	struct value bios_version;
	bool other_machine; /* neither product nor firmware is this machine's */
	struct redfish_found settings[REDFISH_SETTINGS];
	struct redfish_parts memory, processors, firmware;
};

const struct redfish *host_redfish(struct host *host);

/* One document; top is NULL when it could not be read, for `problem`. */
struct redfish_document {
	const char *path;
	const cJSON *top;
	struct value problem;
};

struct redfish_document redfish_read(struct host *host, const char *address);
/* The addresses of a collection's members, over all its pages; false with the problem when that is
 * not all of them. */
bool redfish_members(struct host *host, const char *address, struct names *members,
		     struct value *problem);

/* Members of an object that may be anything: NULL, or of that type. Text is printable. */
const cJSON *redfish_member(const cJSON *object, const char *key);
const char *redfish_text(struct arena *arena, const cJSON *object, const char *key);
int64_t redfish_number(const cJSON *object, const char *key);   /* 0: none */
const char *redfish_link(const cJSON *object, const char *key); /* its @odata.id */
/* The last part of an address. */
const char *redfish_last(struct arena *arena, const char *address);

/* The question for an address, NULL when it is none that is followed; the address for a question;
 * the origin of a URL that bmc_options_check() accepted. */
const char *redfish_question(struct arena *arena, const char *address);
const char *redfish_address(struct arena *arena, const char *question, bool slash);
const char *redfish_origin(struct arena *arena, const char *url);

/* The attribute registries of the service; read before settings, whose redaction needs them. */
struct redfish_registry {
	const char *name, *path; /* as the service lists it; of its document */
	const cJSON *attributes;
};

struct redfish_registries {
	struct redfish_registry *items;
	size_t count;
	struct value problem; /* why there may be more; VALUE_NONE */
};

struct redfish_registries redfish_registries_read(struct host *host, const cJSON *root);
/* The one of this name, whatever its version; NULL: none, or several. */
const struct redfish_registry *redfish_registry_find(const struct redfish_registries *registries,
						     const char *name);

/* Parts of host_redfish(). */
void redfish_read_settings(struct host *host, struct redfish *redfish, const cJSON *root);
void redfish_read_inventory(struct host *host, struct redfish *redfish, const cJSON *root);
/* What cannot be true of one machine: an empty list, or why that is not known. */
struct value redfish_contradictions(struct facts *facts);

extern const struct fact_table redfish_facts;
