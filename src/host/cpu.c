// SPDX-License-Identifier: BSD-2-Clause
#include "host/cpu.h"

#include "base/arena.h"
#include "host/hwcap.h"

#include <errno.h>
#include <string.h>

#define CPUINFO "/proc/cpuinfo"
#define MIDR "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"
#define KINDS_MAX 64

/* One processor's block while it is read. */
struct block {
	struct cpu_id id;
	unsigned seen; /* bits of enum id_key */
	struct view features;
};

enum id_key { KEY_IMPLEMENTER, KEY_PART, KEY_VARIANT, KEY_REVISION, ID_KEYS };

#define ALL_ID_KEYS ((1U << ID_KEYS) - 1)
#define NEEDED_ID_KEYS (1U << KEY_IMPLEMENTER | 1U << KEY_PART) /* they name the core */

static const struct block empty_block = {
	.id = {.variant = CPU_ID_NOT_SHOWN, .revision = CPU_ID_NOT_SHOWN},
};

struct reading {
	struct arena *arena;
	struct cpus *cpus;
	struct block block;
	struct view first_features;
	bool wrapping;       /* the last line was Features: a line without a colon continues it */
	bool thirty_two_bit; /* "CPU architecture: 7" and before */
};

static bool may_be_same(uint32_t a, uint32_t b)
{
	return a == b || a == CPU_ID_NOT_SHOWN || b == CPU_ID_NOT_SHOWN;
}

/* What is not shown makes no kind of its own. */
static bool is_kind(const struct cpu_id *kind, const struct cpu_id *id)
{
	return kind->implementer == id->implementer && kind->part == id->part &&
	       may_be_same(kind->variant, id->variant) && may_be_same(kind->revision, id->revision);
}

static void add_kind(struct arena *arena, struct cpus *cpus, const struct cpu_id *id)
{
	if (!cpus->kinds)
		cpus->kinds = arena_array(arena, struct cpu_id, KINDS_MAX);
	for (size_t i = 0; i < cpus->kind_count; i++) {
		if (is_kind(&cpus->kinds[i], id))
			return;
	}
	if (cpus->kind_count < KINDS_MAX)
		cpus->kinds[cpus->kind_count++] = *id;
}

/* "asimd js" + "cvt dcpop": a word cut in two by a terminal's width is joined when only the whole
 * is a known feature. */
static struct view join(struct arena *arena, struct view features, struct view more)
{
	struct view head = more, tail = features, word = {0}, first = {0};
	const char *glued;
	bool cut;

	while (view_word(&tail, &word))
		;
	view_word(&head, &first);
	glued = arena_printf(arena, "%.*s%.*s", (int)word.size, word.at, (int)first.size, first.at);
	cut = !hwcap_is_name(word) && hwcap_is_name(view_of(glued));
	return view_of(arena_printf(arena, "%.*s%s%.*s", (int)features.size, features.at,
				    cut ? "" : " ", (int)more.size, more.at));
}

static void end_block(struct reading *reading)
{
	struct cpus *cpus = reading->cpus;
	struct block *block = &reading->block;

	if (block->seen && block->seen != ALL_ID_KEYS)
		cpus->ids_cut = true;
	if ((block->seen & NEEDED_ID_KEYS) == NEEDED_ID_KEYS) {
		add_kind(reading->arena, cpus, &block->id);
		if (!cpus->id_known) {
			cpus->id_known = true;
			cpus->id = block->id;
			cpus->id_path = CPUINFO;
		}
	}
	if (block->features.at && !reading->first_features.at) {
		reading->first_features = block->features;
	} else if (block->features.at && (block->features.size != reading->first_features.size ||
					  memcmp(block->features.at, reading->first_features.at,
						 block->features.size) != 0)) {
		cpus->features_differ = true;
	}
	*block = empty_block;
}

static void set_arch(struct reading *reading, const char *arch)
{
	if (!reading->cpus->arch)
		reading->cpus->arch = arch;
}

static void on_processor(struct reading *reading, struct view value)
{
	uint64_t number;

	/* Old kernels also have "Processor : AArch64 Processor rev 2", one line for all. */
	if (!view_u64(value, 10, &number))
		return;
	end_block(reading);
	reading->cpus->count++;
}

static void on_id(struct reading *reading, enum id_key key, int base, uint32_t *field,
		  struct view value)
{
	uint64_t number;

	if (!view_u64(value, base, &number) || number > 0xfff)
		return;
	/* A file without "processor" lines: a key that comes again begins the next one. */
	if (reading->block.seen & (1U << key))
		end_block(reading);
	reading->block.seen |= 1U << key;
	*field = (uint32_t)number;
}

static void on_implementer(struct reading *reading, struct view value)
{
	on_id(reading, KEY_IMPLEMENTER, 16, &reading->block.id.implementer, value);
	set_arch(reading, "aarch64");
}

static void on_part(struct reading *reading, struct view value)
{
	on_id(reading, KEY_PART, 16, &reading->block.id.part, value);
}

static void on_variant(struct reading *reading, struct view value)
{
	on_id(reading, KEY_VARIANT, 16, &reading->block.id.variant, value);
}

static void on_revision(struct reading *reading, struct view value)
{
	on_id(reading, KEY_REVISION, 10, &reading->block.id.revision, value);
}

static void on_features(struct reading *reading, struct view value)
{
	reading->block.features = value;
	reading->wrapping = true;
}

static void on_flags(struct reading *reading, struct view value)
{
	on_features(reading, value);
	set_arch(reading, "x86_64");
}

static void on_vendor(struct reading *reading, struct view value)
{
	set_arch(reading, view_find(value, "S390") ? "s390x" : "x86_64");
}

static void on_architecture(struct reading *reading, struct view value)
{
	reading->thirty_two_bit = !view_is(value, "8") && !view_is(value, "AArch64");
}

static void on_bogomips(struct reading *reading, struct view value)
{
	struct view whole, part = value;
	uint64_t units, hundredths = 0;

	view_split(&part, '.', &whole);
	if (!view_u64(whole, 10, &units) || units > 1000000)
		return;
	if (part.at && (part.size != 2 || !view_u64(part, 10, &hundredths)))
		return;
	if (!reading->cpus->bogomips_x100)
		reading->cpus->bogomips_x100 = (int64_t)(units * 100 + hundredths);
}

static void on_isa(struct reading *reading, struct view value)
{
	set_arch(reading, view_starts(value, "rv32") ? "riscv32" : "riscv64");
}

static void on_loongarch_family(struct reading *reading, struct view value)
{
	if (view_starts(value, "Loongson"))
		set_arch(reading, "loongarch64");
}

static void on_power(struct reading *reading, struct view value)
{
	if (view_starts(value, "POWER"))
		set_arch(reading, "ppc64le");
}

static void on_model_name(struct reading *reading, struct view value)
{
	if (!reading->cpus->model_name && value.size)
		reading->cpus->model_name = text_printable(reading->arena, value);
}

static const struct {
	const char *key;
	void (*on)(struct reading *reading, struct view value);
} keys[] = {
	{"processor", on_processor},
	{"BogoMIPS", on_bogomips},
	{"Features", on_features},
	{"CPU implementer", on_implementer},
	{"CPU architecture", on_architecture},
	{"CPU variant", on_variant},
	{"CPU part", on_part},
	{"CPU revision", on_revision},
	{"model name", on_model_name},
	{"vendor_id", on_vendor},
	{"flags", on_flags},
	{"isa", on_isa},
	{"CPU Family", on_loongarch_family},
	{"Model Name", on_model_name},
	{"cpu", on_power},
};

/* "> " of a quoted mail, "| " of a table: marks that a paste brings along. */
static struct view without_marks(struct view line)
{
	line = view_trim(line);
	while (line.size && strchr(">|*`", line.at[0])) {
		line.at++;
		line.size--;
		line = view_trim(line);
	}
	return line;
}

static void read_line(struct reading *reading, struct view line)
{
	struct view key, value;
	const char *colon;

	line = without_marks(line);
	colon = line.size ? memchr(line.at, ':', line.size) : NULL;
	if (!colon) {
		if (!line.size)
			reading->wrapping = false;
		else if (reading->wrapping && reading->block.features.at)
			reading->block.features =
				join(reading->arena, reading->block.features, line);
		return;
	}
	reading->wrapping = false;
	key = view_trim((struct view){line.at, (size_t)(colon - line.at)});
	value = view_trim((struct view){colon + 1, (size_t)(line.at + line.size - colon - 1)});
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (view_is(key, keys[i].key)) {
			keys[i].on(reading, value);
			return;
		}
	}
}

static void keep_features(struct arena *arena, struct cpus *cpus, struct view features)
{
	struct view rest = features, word;

	if (!features.at)
		return;
	cpus->features_known = true;
	cpus->features_raw = text_printable(arena, features);
	while (view_word(&rest, &word))
		names_add(arena, &cpus->features, text_printable(arena, word));
}

/* The 32-bit view of a process lists "half thumb …" instead of the 64-bit features. */
static bool is_thirty_two_bit(const struct reading *reading)
{
	return reading->thirty_two_bit || names_has(&reading->cpus->features, "thumb");
}

/* A text that ends inside a list of features or a number was cut there: what stands before the cut
 * would be taken for all of it. The revision is the last line of a block, and pasted without its
 * end often enough. */
static struct view without_cut_line(struct view text)
{
	static const char *const cut_keys[] = {"Features", "flags", "CPU implementer",
					       "CPU variant", "CPU part"};
	size_t start = text.size;
	struct view last;

	while (start && text.at[start - 1] != '\n')
		start--;
	last = (struct view){text.at + start, text.size - start};
	for (size_t i = 0; i < sizeof(cut_keys) / sizeof(cut_keys[0]); i++) {
		if (view_starts(last, cut_keys[i]))
			text.size = start;
	}
	return text;
}

void cpus_parse(struct arena *arena, struct view text, struct cpus *cpus)
{
	struct reading reading = {.arena = arena, .cpus = cpus, .block = empty_block};
	struct view line;

	text = without_cut_line(text);
	while (view_line(&text, &line))
		read_line(&reading, line);
	end_block(&reading);
	keep_features(arena, cpus, reading.first_features);
	if (cpus->arch && strcmp(cpus->arch, "aarch64") == 0 && is_thirty_two_bit(&reading))
		cpus->arch = "arm";
}

/* MIDR_EL1 as sysfs prints it: "0x00000000413fd0c1". */
static void read_midr(struct host *host, struct cpus *cpus)
{
	int number;
	const char *line = host_line(host, MIDR, &number);
	uint64_t midr;

	if (!line || !view_u64(view_of(line), 16, &midr))
		return;
	cpus->id_known = true;
	cpus->id_path = MIDR;
	cpus->id = (struct cpu_id){
		.implementer = midr >> 24 & 0xff,
		.variant = midr >> 20 & 0xf,
		.part = midr >> 4 & 0xfff,
		.revision = midr & 0xf,
	};
	add_kind(host->arena, cpus, &cpus->id);
}

const struct cpus *host_cpus(struct host *host)
{
	struct cpus *cpus;
	struct view text;

	if (host->cpus)
		return host->cpus;
	cpus = arena_new(host->arena, struct cpus);
	cpus->kinds = arena_array(host->arena, struct cpu_id, KINDS_MAX);
	cpus->number = root_read(host->root, CPUINFO, &text);
	if (cpus->number == 0)
		cpus_parse(host->arena, text, cpus);
	if (!cpus->id_known)
		read_midr(host, cpus);
	if (!cpus->features_known && host->live->hwcap_known && host->live->arch &&
	    strcmp(host->live->arch, "aarch64") == 0) {
		cpus->features = hwcap_names(host->arena, host->live->hwcap, host->live->hwcap2);
		cpus->features_known = true;
		cpus->features_raw = "AT_HWCAP";
	}
	host->cpus = cpus;
	return cpus;
}

bool cpus_have(const struct cpus *cpus, const char *feature)
{
	return names_has(&cpus->features, feature);
}

const char *cpu_midr(struct arena *arena, const struct cpu_id *id)
{
	if (id->variant == CPU_ID_NOT_SHOWN || id->revision == CPU_ID_NOT_SHOWN)
		return NULL;
	return arena_printf(arena, "0x%08x",
			    id->implementer << 24 | id->variant << 20 | UINT32_C(0xf) << 16 |
				    id->part << 4 | id->revision);
}

const char *host_arch(struct host *host)
{
	return host->live->arch ? host->live->arch : host_cpus(host)->arch;
}
