// SPDX-License-Identifier: BSD-2-Clause
#include <intel-ipsec-mb.h>
#include <stdio.h>
#include <string.h>

/* What a libIPSec_MB makes of messages of every length: the output of two of them is compared. */
enum { MESSAGE_MAX = 300, KEY_BYTES = 16 };

static void fill(uint8_t *bytes, size_t size, uint64_t *seed)
{
	for (size_t i = 0; i < size; i++) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		bytes[i] = (uint8_t)(*seed >> 56);
	}
}

static void show(const char *what, const void *bytes, size_t size)
{
	printf("%s ", what);
	for (size_t i = 0; i < size; i++)
		printf("%02x", ((const uint8_t *)bytes)[i]);
	printf("\n");
}

static void one(IMB_MGR *manager, uint32_t bytes, uint32_t bits, uint64_t *seed)
{
	uint8_t key[KEY_BYTES], iv[KEY_BYTES], in[MESSAGE_MAX], out[MESSAGE_MAX];
	const void *keys[] = {key}, *ivs[] = {iv}, *ins[] = {in};
	snow3g_key_schedule_t schedule;
	uint32_t digest, *digests[] = {&digest};
	void *outs[] = {out};

	fill(key, sizeof(key), seed);
	fill(iv, sizeof(iv), seed);
	fill(in, sizeof(in), seed);
	IMB_SNOW3G_INIT_KEY_SCHED(manager, key, &schedule);
	IMB_SNOW3G_F8_N_BUFFER(manager, &schedule, ivs, ins, outs, &bytes, 1);
	show("uea2", out, bytes);
	IMB_SNOW3G_F9_1_BUFFER(manager, &schedule, iv, in, bits, &digest);
	show("uia2", &digest, sizeof(digest));
	IMB_ZUC_EEA3_N_BUFFER(manager, keys, ivs, ins, outs, &bytes, 1);
	show("eea3", out, bytes);
	IMB_ZUC_EIA3_N_BUFFER(manager, keys, ivs, ins, &bits, digests, 1);
	show("eia3", &digest, sizeof(digest));
}

int main(void)
{
	IMB_MGR *manager = alloc_mb_mgr(0);
	uint64_t seed = 1;

	if (!manager)
		return 1;
	init_mb_mgr_auto(manager, NULL);
	for (uint32_t bytes = 1; bytes <= 256; bytes++)
		one(manager, bytes, 8 * bytes - bytes % 8, &seed);
	free_mb_mgr(manager);
	return 0;
}
