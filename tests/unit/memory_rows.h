// SPDX-License-Identifier: BSD-2-Clause
#pragma once

/* The machines of test_memory.c: every naming scheme, every dumped machine, and each way of being
 * wrong. */

#define DDR4(size, ranked, rated, runs)                                                            \
	{                                                                                          \
		.megabytes = (size), .ranks = (ranked), .type = 0x1a, .speed = (rated),            \
		.configured = (runs), .manufacturer = "Manufacturer not set"                       \
	}
#define DDR4_16G(ranked, mts, number)                                                              \
	{                                                                                          \
		.megabytes = 16384, .ranks = (ranked), .type = 0x1a, .speed = (mts),               \
		.configured = (mts), .manufacturer = "Manufacturer not set", .part = (number)      \
	}
#define DDR4_32G_3200 DDR4(32768, 2, 3200, 3200)
#define DDR5_64G(mts)                                                                              \
	{                                                                                          \
		.megabytes = 65536, .ranks = 2, .type = 0x22, .speed = 5600, .configured = (mts),  \
		.manufacturer = "SK Hynix", .part = "HMCG94AGBRA181N"                              \
	}
#define BOARD(maker, names, slots, holds)                                                          \
	.vendor = (maker), .naming = (names), .per_socket = (slots), .sockets = (holds)
#define CPU(kind, suffix) .family = (kind), .product = (suffix)
#define MACHINE(...)                                                                               \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define ROW(...)                                                                                   \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

static const struct {
	const char *what;
	struct machine machine;
	const char *layout;           /* NULL: unknown */
	long long empty, per_channel; /* list length and number, or UNKNOWN */
	long long mismatches, slow;
} rows[] = {
	/* cases of real machines, with what is known to be right for them */
	ROW("ASRock Rack ALTRAD8UD-1L2T, Q64-22: 4 of 8",
	    MACHINE(BOARD("ASRockRack", ASROCK_AMI, 8, "1"), CPU("altra", NULL),
		    .filled = "11001100", .dimm = DDR4(8192, 1, 3200, 3200)),
	    "4 of 8 channels, 1 DIMM per channel, empty: C, D, G, H", 4, 1, 0, 0),
	ROW("Gigabyte MP32-AR0, Q64-30: only A and E",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 16, "1"), CPU("altra", NULL),
		    .filled = "1000000010000000", .dimm = DDR4_16G(2, 3200, "M393A2K43EB3-CWE")),
	    "2 of 8 channels, 1 DIMM per channel, empty: B, C, D, F, G, H", 6, 1, 0, 0),
	ROW("Gigabyte E252-P30, Q80-30: all 16, A of 2 ranks, others of 1",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 16, "1"), CPU("altra", NULL),
		    .filled = "2211111111111111", .dimm = DDR4_16G(1, 3200, "18ASF2G72PZ-3G2R1"),
		    .other = DDR4_16G(2, 3200, "18ASF2G72PDZ-3G2R1")),
	    "8 of 8 channels, 2 DIMMs per channel", 0, 2, 1, 0),
	ROW("Gigabyte MP32-AR1, Q80-30: 8, one per channel",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 16, "1"), CPU("altra", NULL),
		    .filled = "1010101010101010", .dimm = DDR4_32G_3200),
	    "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("Hetzner RX, Q80-30: A, B, E, F",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 16, "1"), CPU("altra", NULL),
		    .filled = "1010000010100000", .dimm = DDR4_32G_3200),
	    "4 of 8 channels, 1 DIMM per channel, empty: C, D, G, H", 4, 1, 0, 0),
	ROW("ADLINK M96-28: 6 DIMMs on a board of 6 channels, trained at the processor's ceiling",
	    MACHINE(BOARD("ADLINK", ADLINK_ES, 6, "1"), CPU("altramax", NULL), .filled = "111111",
		    .dimm = DDR4_16G(1, 3200, "TS2GHR72V2E3"),
		    .firmware = "TianoCore 2.04.100.10 (SYS: 2.06.20220308)"),
	    "6 of 6 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("ADLINK AVA Q80-26: an empty socket with its array of 16; 2933 MT/s, and TianoCore "
	    "hides what the DIMMs could do",
	    MACHINE(BOARD("ADLINK", ADLINK_ES, 6, "10"), CPU("altra", NULL), .filled = "112112",
		    .dimm = DDR4_16G(1, 2933, "SQR-RD4N16G2K9SRB"),
		    .other = DDR4_16G(1, 2933, "18ASF2G72PZ-2G9E1"),
		    .firmware = "TianoCore 2.04.100.07 (SYS: 2.06.20220308)", .spare_array = 16),
	    "6 of 6 channels, 1 DIMM per channel", 0, 1, 0, UNKNOWN),
	ROW("Supermicro A192-32X: 8 of 16 slots, DDR5-5600 at 5200, which is what the processor "
	    "reaches",
	    MACHINE(BOARD("Supermicro", SUPERMICRO, 16, "1"), CPU("ampereone-ac04", "X"),
		    .filled = "1010101010101010", .dimm = DDR5_64G(5200)),
	    "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("Taishan 2180, Hi1612: 1 of 4 channels, 2400 at 1866; its ceiling is not known to us",
	    MACHINE(BOARD("Huawei", HISILICON, 8, "1"), CPU("other", NULL), .filled = "10000000",
		    .dimm = DDR4(32768, 2, 2400, 1866)),
	    "1 of 4 channels, 1 DIMM per channel, empty: 1, 2, 3", 3, 1, 0, UNKNOWN),
	ROW("TaiShan 2280 V2, 2 x Kunpeng 920: 16 of 32, one per channel",
	    MACHINE(BOARD("Huawei", HISILICON, 16, "11"), CPU("other", NULL),
		    .filled = "10101010101010101010101010101010",
		    .dimm = DDR4(32768, 2, 2933, 2933)),
	    "2 sockets, each 8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("Phytium FT-2000+: 4 of 8, ranks not given",
	    MACHINE(BOARD("Lenovo", PHYTIUM, 8, "1"), CPU("other", NULL), .filled = "10010110",
		    .dimm = DDR4(32768, 0, 2666, 2666)),
	    "4 of 8 channels, 1 DIMM per channel, empty: 1, 2, 4, 7", 4, 1, UNKNOWN, 0),
	ROW("Gigabyte H270-T70, 2 x ThunderX: letters E to H are socket 1's",
	    MACHINE(BOARD("GIGABYTE", THUNDERX, 8, "11"), CPU("other", NULL),
		    .filled = "1010000010100000", .dimm = DDR4(8192, 1, 2400, 2100),
		    .array_per_socket = true),
	    "socket 0: 2 of 4 channels, 1 DIMM per channel, empty: C, D; socket 1: 2 of 4 "
	    "channels, 1 DIMM per channel, empty: G, H",
	    4, 1, 0, UNKNOWN),
	/* the other naming schemes */
	ROW("Mt. Jade under AMI, as FD.io has it: DIMMs at odd numbers of both sockets",
	    MACHINE(BOARD("WIWYNN", JADE_AMI, 16, "11"), CPU("altra", NULL),
		    .filled = "10101010101010101010101010101010", .dimm = DDR4_32G_3200,
		    .array_per_socket = true),
	    "2 sockets, each 8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("Mt. Jade under AMI: the first eight slots are four channels",
	    MACHINE(BOARD("WIWYNN", JADE_AMI, 16, "1"), CPU("altra", NULL),
		    .filled = "1111111100000000", .dimm = DDR4_32G_3200),
	    "4 of 8 channels, 2 DIMMs per channel, empty: 4, 5, 6, 7", 4, 2, 0, 0),
	ROW("Mt. Jade under TianoCore: one in each pair, numbers run on to socket 1",
	    MACHINE(BOARD(NULL, JADE_EDK2, 16, "11"), CPU("altra", NULL),
		    .filled = "10101010101010101010101010101010", .dimm = DDR4_32G_3200,
		    .firmware = "TianoCore 2.10.100.00 (SYS: 2.10.20221028)",
		    .array_per_socket = true),
	    "2 sockets, each 8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("Mt. Jade under TianoCore: all slots, whatever the order",
	    MACHINE(BOARD(NULL, JADE_EDK2, 16, "1"), CPU("altra", NULL),
		    .filled = "1111111111111111", .dimm = DDR4_32G_3200,
		    .firmware = "TianoCore 2.10.100.00"),
	    "8 of 8 channels, 2 DIMMs per channel", 0, 2, 0, 0),
	ROW("Mt. Jade under TianoCore: the first eight slots may be four channels or eight",
	    MACHINE(BOARD(NULL, JADE_EDK2, 16, "1"), CPU("altra", NULL),
		    .filled = "1111111100000000", .dimm = DDR4_32G_3200,
		    .firmware = "TianoCore 2.10.100.00"),
	    "8 DIMMs in 16 slots; which slots share a channel is not confirmed", UNKNOWN, UNKNOWN,
	    0, 0),
	ROW("Mt. Jade under TianoCore: four DIMMs cannot fill eight channels",
	    MACHINE(BOARD(NULL, JADE_EDK2, 16, "1"), CPU("altra", NULL),
		    .filled = "1010101000000000", .dimm = DDR4_32G_3200,
		    .firmware = "TianoCore 2.10.100.00"),
	    "4 DIMMs in 16 slots; which slots share a channel is not confirmed", 1, UNKNOWN, 0, 0),
	ROW("Mt. Jade under TianoCore: nine DIMMs put two into some channel",
	    MACHINE(BOARD(NULL, JADE_EDK2, 16, "1"), CPU("altra", NULL),
		    .filled = "1111111110000000", .dimm = DDR4_32G_3200,
		    .firmware = "TianoCore 2.10.100.00"),
	    "9 DIMMs in 16 slots; which slots share a channel is not confirmed", UNKNOWN, 2, 0, 0),
	ROW("ADLINK: numbers from 1, no socket",
	    MACHINE(BOARD("ADLINK", ADLINK, 6, "1"), CPU("altra", NULL), .filled = "111111",
		    .dimm = DDR4_16G(1, 3200, "x"), .firmware = "TianoCore 2.04"),
	    "6 of 6 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("ASRock Rack under TianoCore",
	    MACHINE(BOARD("ASRockRack", ASROCK_EDK2, 8, "1"), CPU("altra", NULL),
		    .filled = "11111111", .dimm = DDR4_32G_3200, .firmware = "TianoCore 2.06"),
	    "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0),
	/* wrong in one way each */
	ROW("a board nobody described",
	    MACHINE(BOARD(NULL, UNHEARD_OF, 8, "1"), CPU("altra", NULL), .filled = "11111111",
		    .dimm = DDR4_32G_3200),
	    NULL, UNKNOWN, UNKNOWN, 0, 0),
	ROW("Supermicro's names on another maker's board are not Supermicro's",
	    MACHINE(BOARD("Somebody", SUPERMICRO, 16, "1"), CPU("altra", NULL),
		    .filled = "1010101010101010", .dimm = DDR4_32G_3200),
	    NULL, UNKNOWN, UNKNOWN, 0, 0),
	ROW("names without a socket on a machine with two",
	    MACHINE(BOARD("ASRockRack", ASROCK_AMI, 8, "11"), CPU("altra", NULL),
		    .filled = "11111111", .dimm = DDR4_32G_3200),
	    NULL, UNKNOWN, UNKNOWN, UNKNOWN, 0),
	ROW("two sockets of different size",
	    MACHINE(BOARD("WIWYNN", JADE_AMI, 16, "11"), CPU("altra", NULL),
		    .filled = "10101010101010101010101000000000", .dimm = DDR4_32G_3200),
	    "socket 0: 8 of 8 channels, 1 DIMM per channel; socket 1: 4 of 8 channels, 1 DIMM per "
	    "channel, empty: 4, 5, 6, 7",
	    4, 1, 1, 0),
	ROW("a second processor without memory",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 16, "11"), CPU("altra", NULL),
		    .filled = "10101010101010100000000000000000", .dimm = DDR4_32G_3200),
	    "socket 0: 8 of 8 channels, 1 DIMM per channel; socket 1: 0 of 8 channels, 0 DIMMs per "
	    "channel, empty: A, B, C, D, E, F, G, H",
	    8, 1, 1, 0),
	ROW("a second socket without processor and memory is no fault",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 16, "10"), CPU("altra", NULL),
		    .filled = "10101010101010100000000000000000", .dimm = DDR4_32G_3200),
	    "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("the table lists four channels of a processor that has eight",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 8, "1"), CPU("altra", NULL), .filled = "10101010",
		    .dimm = DDR4_32G_3200),
	    "4 of 4 channels, 1 DIMM per channel", UNKNOWN, 1, 0, 0),
	ROW("DIMMs slowed down",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 16, "1"), CPU("altra", NULL),
		    .filled = "1212101010101010", .dimm = DDR4_32G_3200,
		    .other = DDR4(32768, 2, 3200, 2666)),
	    "8 of 8 channels, 1 to 2 DIMMs per channel", 0, 2, 0, 2),
	ROW("a slow DIMM sets what all can reach",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 16, "1"), CPU("altra", NULL),
		    .filled = "1010101010101020", .dimm = DDR4(32768, 2, 3200, 2666),
		    .other = DDR4(32768, 2, 2666, 2666)),
	    "8 of 8 channels, 1 DIMM per channel", 0, 1, 1, 0),
	ROW("TianoCore: a part number shows the down-clock that the speed fields hide",
	    MACHINE(BOARD("ADLINK", ADLINK, 6, "1"), CPU("altra", NULL), .filled = "111111",
		    .dimm = DDR4_16G(1, 2666, "M393A2K43EB3-CWE"), .firmware = "TianoCore 2.04"),
	    "6 of 6 channels, 1 DIMM per channel", 0, 1, 0, 6),
	ROW("the firmware does not give the configured speed",
	    MACHINE(BOARD("GIGABYTE", GIGABYTE, 16, "1"), CPU("altra", NULL),
		    .filled = "1010101010101010", .dimm = DDR4(32768, 2, 3200, 0)),
	    "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, UNKNOWN),
	/* AmpereOne */
	ROW("A192-32M: 12 channels at 5600",
	    MACHINE(BOARD("Supermicro", SUPERMICRO, 24, "1"), CPU("ampereone-ac04", "M"),
		    .filled = "101010101010101010101010", .dimm = DDR5_64G(5600)),
	    "12 of 12 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("an M that runs at X's speed",
	    MACHINE(BOARD("Supermicro", SUPERMICRO, 24, "1"), CPU("ampereone-ac04", "M"),
		    .filled = "101010101010101010101010", .dimm = DDR5_64G(5200)),
	    "12 of 12 channels, 1 DIMM per channel", 0, 1, 0, 12),
	ROW("X or M not known: 8 full channels may be all, 5200 may be all",
	    MACHINE(BOARD("Supermicro", SUPERMICRO, 16, "1"), CPU("ampereone-ac04", NULL),
		    .filled = "1010101010101010", .dimm = DDR5_64G(5200)),
	    "8 of 8 channels, 1 DIMM per channel", UNKNOWN, 1, 0, UNKNOWN),
	ROW("X or M not known: whether 4800 is too slow is not decided either",
	    MACHINE(BOARD("Supermicro", SUPERMICRO, 24, "1"), CPU("ampereone-ac04", NULL),
		    .filled = "101010101010101010101010", .dimm = DDR5_64G(4800)),
	    "12 of 12 channels, 1 DIMM per channel", UNKNOWN, 1, 0, UNKNOWN),
	ROW("AC03: its ceiling is not published, but full speed is full speed",
	    MACHINE(BOARD("Supermicro", SUPERMICRO, 16, "1"), CPU("ampereone-ac03", NULL),
		    .filled = "1010101010101010", .dimm = DDR5_64G(5600)),
	    "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, 0),
	ROW("AC03: its ceiling is not published, so 4800 may be right",
	    MACHINE(BOARD("Supermicro", SUPERMICRO, 16, "1"), CPU("ampereone-ac03", NULL),
		    .filled = "1010101010101010", .dimm = DDR5_64G(4800)),
	    "8 of 8 channels, 1 DIMM per channel", 0, 1, 0, UNKNOWN),
};
