// SPDX-License-Identifier: BSD-2-Clause
#include "stand_in.h"

#include <stdlib.h>
#include <string.h>

/*
 * A manager with the two ciphers that DPDK's drivers snow3g and zuc ask for. Jobs, and every other
 * function of a manager, are null: a caller that needs them ends at once rather than wrongly.
 */
IMB_MGR *alloc_mb_mgr(uint64_t flags)
{
	IMB_MGR *manager = calloc(1, sizeof(*manager));

	return manager ? imb_set_pointers_mb_mgr(manager, flags, 1) : NULL;
}

void free_mb_mgr(IMB_MGR *manager)
{
	free(manager);
}

size_t imb_get_mb_mgr_size(void)
{
	return sizeof(IMB_MGR);
}

IMB_MGR *imb_set_pointers_mb_mgr(void *place, const uint64_t flags, const unsigned reset)
{
	IMB_MGR *manager = place;

	if (!manager)
		return NULL;
	if (reset)
		memset(manager, 0, sizeof(*manager));
	manager->flags = flags;
	return manager;
}

void init_mb_mgr_auto(IMB_MGR *manager, IMB_ARCH *arch)
{
	manager->used_arch = IMB_ARCH_NOAESNI;
	manager->features = imb_get_feature_flags();
	manager->imb_errno = 0;
	manager->eea3_1_buffer = zuc_eea3_1_buffer;
	manager->eea3_n_buffer = zuc_eea3_n_buffer;
	manager->eia3_1_buffer = zuc_eia3_1_buffer;
	manager->eia3_n_buffer = zuc_eia3_n_buffer;
	manager->snow3g_f8_1_buffer_bit = snow3g_f8_1_buffer_bit;
	manager->snow3g_f8_1_buffer = snow3g_f8_1_buffer;
	manager->snow3g_f8_n_buffer = snow3g_f8_n_buffer;
	manager->snow3g_f8_n_buffer_multikey = snow3g_f8_n_buffer_multikey;
	manager->snow3g_f9_1_buffer = snow3g_f9_1_buffer;
	manager->snow3g_init_key_sched = snow3g_init_key_sched;
	manager->snow3g_key_sched_size = snow3g_key_sched_size;
	if (arch)
		*arch = IMB_ARCH_NOAESNI;
}

uint64_t imb_get_feature_flags(void)
{
	return 0;
}

unsigned imb_get_version(void)
{
	return IMB_VERSION_NUM;
}

const char *imb_get_version_str(void)
{
	return IMB_VERSION_STR;
}

int imb_get_errno(IMB_MGR *manager)
{
	return manager ? manager->imb_errno : 0;
}

const char *imb_get_strerror(int error)
{
	return error ? "error" : "no error";
}
