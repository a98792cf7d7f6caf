// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/snow3g.h"
#include "kat-bench/zuc.h"

#include <intel-ipsec-mb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SNOW 3G and ZUC against published sets, and against intel-ipsec-mb for what `seed` makes. */
#define ROUNDS 300
#define SIZE_MAX_BYTES 2500

static void say(const char *name, int right, const char *fault)
{
	printf(right ? "PASS %s\n" : "FAIL %s: %s\n", name, fault);
}

static void from_hex(const char *hex, unsigned char *out)
{
	for (; *hex; hex += 2) {
		char byte[3] = {hex[0], hex[1], 0};

		*out++ = (unsigned char)strtoul(byte, NULL, 16);
	}
}

/* Key streams: ZUC, document 3, test sets 1 to 3; SNOW 3G, document 3, test set 1; UEA2 set 1 and
 * 128-EEA3 set 1 of whole bytes. */
static const struct {
	const char *name;
	void (*encrypt)(const unsigned char key[16], const unsigned char iv[16],
			const unsigned char *in, unsigned char *out, size_t size);
	const char *key, *iv, *in, *out;
} sets[] = {
	{"ZUC set 1", zuc_encrypt, "00000000000000000000000000000000",
	 "00000000000000000000000000000000", "0000000000000000", "27bede74018082da"},
	{"ZUC set 2", zuc_encrypt, "ffffffffffffffffffffffffffffffff",
	 "ffffffffffffffffffffffffffffffff", "0000000000000000", "0657cfa07096398b"},
	{"ZUC set 3", zuc_encrypt, "3d4c4be96a82fdaeb58f641db17b455b",
	 "84319aa8de6915ca1f6bda6bfbd8c766", "0000000000000000", "14f1c2723279c419"},
	{"128-EEA3 set 1", zuc_encrypt, "173d14ba5003731d7a60049470f00a29",
	 "66035492780000006603549278000000", "6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b2",
	 "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc8"},
	{"SNOW 3G set 1", snow3g_encrypt, "4881ff48952c491082c5b3002bd6459f",
	 "1c0bf45fdf1f9b25ad5c4d84ea024714", "0000000000000000", "abee97047ac31373"},
	{"UEA2 set 1", snow3g_encrypt, "d3c5d592327fb11c4035c6680af8c6d1",
	 "398a59b4ac000000398a59b4ac000000",
	 "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1",
	 "5d5bfe75eb04f68ce0a12377ea00b37d47c6a0ba06309155086a859c4341b3"},
};

static void judge_sets(void)
{
	unsigned char key[16], iv[16], in[64], want[64], out[64];

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		size_t size = strlen(sets[i].in) / 2;

		from_hex(sets[i].key, key);
		from_hex(sets[i].iv, iv);
		from_hex(sets[i].in, in);
		from_hex(sets[i].out, want);
		sets[i].encrypt(key, iv, in, out, size);
		say(sets[i].name, !memcmp(out, want, size), "another key stream");
	}
	/* 3GPP TS 33.401 C.4: 128-EIA1, of whole bytes. */
	from_hex("2bd6459f82c5b300952c49104881ff48", key);
	from_hex("38a6f056f800000038a6f056f8000000", iv);
	from_hex("3332346263393861373479", in);
	from_hex("731f1165", want);
	snow3g_mac(key, iv, in, 11, out);
	say("128-EIA1 of 11 bytes", !memcmp(out, want, 4), "another MAC");
}

static void fill(unsigned char *bytes, size_t size)
{
	while (size--)
		*bytes++ = (unsigned char)rand();
}

static void compare(IMB_MGR *manager, unsigned char *in, unsigned char *one, unsigned char *other,
		    unsigned faults[4])
{
	snow3g_key_schedule_t *schedule = calloc(1, IMB_SNOW3G_KEY_SCHED_SIZE(manager));
	size_t size = 1 + (size_t)rand() % SIZE_MAX_BYTES;
	unsigned char key[16], iv[16], mac[4];
	uint32_t tag;

	fill(key, sizeof(key));
	fill(iv, sizeof(iv));
	fill(in, size);
	IMB_SNOW3G_INIT_KEY_SCHED(manager, key, schedule);
	IMB_SNOW3G_F8_1_BUFFER(manager, schedule, iv, in, one, (uint32_t)size);
	snow3g_encrypt(key, iv, in, other, size);
	faults[0] += memcmp(one, other, size) != 0;
	IMB_SNOW3G_F9_1_BUFFER(manager, schedule, iv, in, size * 8, &tag);
	snow3g_mac(key, iv, in, size, mac);
	faults[1] += memcmp(&tag, mac, 4) != 0;
	IMB_ZUC_EEA3_1_BUFFER(manager, key, iv, in, one, (uint32_t)size);
	zuc_encrypt(key, iv, in, other, size);
	faults[2] += memcmp(one, other, size) != 0;
	IMB_ZUC_EIA3_1_BUFFER(manager, key, iv, in, (uint32_t)size * 8, &tag);
	zuc_mac(key, iv, in, size, mac);
	faults[3] += memcmp(&tag, mac, 4) != 0;
	free(schedule);
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"UEA2", "UIA2", "128-EEA3", "128-EIA3"};
	static unsigned char in[SIZE_MAX_BYTES], one[SIZE_MAX_BYTES + 64],
		other[SIZE_MAX_BYTES + 64];
	IMB_MGR *manager = alloc_mb_mgr(0);
	unsigned faults[4] = {0};
	IMB_ARCH arch;
	char name[64], fault[64];

	judge_sets();
	init_mb_mgr_auto(manager, &arch);
	srand(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1);
	for (int i = 0; i < ROUNDS; i++)
		compare(manager, in, one, other, faults);
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "%s as ipsec-mb does it", names[i]);
		snprintf(fault, sizeof(fault), "%u of %d differ, seed %s", faults[i], ROUNDS,
			 argc > 1 ? argv[1] : "1");
		say(name, !faults[i], fault);
	}
	free_mb_mgr(manager);
	return 0;
}
