// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/smbios.h"

/*
 * Which socket, channel and slot a DIMM locator means. SMBIOS leaves the text to the board, so each
 * scheme is known by the boards it was seen on; a locator no scheme explains is not guessed at.
 */
struct locator_place {
	unsigned socket, channel, slot;
};

struct locator_scheme {
	const char *board;  /* where it was seen, for people */
	const char *vendor; /* glob for the maker of the system or board, without case; NULL: any */
	const char *firmware; /* glob for the firmware's version; NULL: any */
	const char *locator; /* {socket} {letter} {channel} {slot} {number}, else literal; NULL: not
				looked at */
	const char *locator_socket0; /* how socket 0 alone is written; NULL: like the others */
	const char *bank;            /* likewise for the bank locator; NULL: not looked at */
	unsigned first_number;       /* the first {number} of a socket, or of the board */
	unsigned slots_per_channel;  /* {number}s that share a channel */
	unsigned slots_per_socket;   /* {number}s of one socket; 0: not counted */
	bool board_global;           /* {number} runs on from socket to socket */
	bool letters;                /* channels are called A, B … */
	bool order_inferred; /* which {number}s share a channel is not confirmed for this firmware
			      */
	unsigned channels_wired; /* fewer than the processor has: 6 on ADLINK's board; 0: all of
				    them */
};

/* The first scheme that explains every one of the given devices; places[i] is where devices[i]
 * sits. NULL when there is none. */
const struct locator_scheme *locator_schemes_match(const struct smbios *smbios,
						   const struct smbios_device *const *devices,
						   size_t count, struct locator_place *places);
/* "B", "3": the channel's name on that board. */
const char *locator_channel_name(struct arena *arena, const struct locator_scheme *scheme,
				 unsigned channel);
