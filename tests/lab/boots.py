# SPDX-License-Identifier: BSD-2-Clause
"""The guests, and what each of them is: stated from the emulator's options and the kernel's documentation, before any run."""
import struct

ACPI_VARIABLE = "AcpiConfigNVData-0ceb6764-d415-4b01-a843-d101bcb0d829"

# HWCAPs of a Neoverse N1, as on every Altra; what AmpereOne adds and QEMU's "max" has too; what neither Ampere family has.
# Without ssbs, which newer kernels hide on N1 (erratum 3194386), and uscat, which QEMU 7.2 does not emulate.
N1_FEATURES = set("fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp".split())
ONE_FEATURES = N1_FEATURES | set("jscvt fcma sha3 sha512 sm3 sm4 asimdfhm dit ilrcpc flagm sb paca pacg i8mm bf16 rng bti ssbs".split())
NO_FEATURES = {"sve", "sve2", "sme"}

ALTRA_2P = {
    "version": "3.3",
    "bios": {"vendor": "Ampere(R)", "version": "1.07.20210713 (SCP: 1.06.20210615)", "date": "07/13/2021"},
    "system": {"vendor": "WIWYNN", "product": "Mt.Jade Server System B81.030Z1.0007", "family": "Altra"},
    "processors": {f"cpu{n}": {"socket": f"CPU {n}", "vendor": "Ampere(R)", "version": "Ampere(R) Altra(R) Processor", "part": "Q80-30",
                    "id": "0100160aa1000000", "soc_id_bit": True, "cores": 80, "max_mhz": 3000, "current_mhz": 3000}
                   for n in range(2)},
    "memory": {"layout": "jade-wiwynn", "sockets": 2,
               "dimm": {"gb": 32, "type": "DDR4", "speed": 3200, "configured": 3200, "rank": 2, "vendor": "Samsung", "part": "M393A4K40DB3-CWE"}},
}
ALTRA_1P_HALF = {
    "version": "3.3",
    "bios": {"vendor": "GIGABYTE", "version": "F18w16 (SCP: 1.08.20211002)", "date": "05/06/2022"},
    "system": {"vendor": "GIGABYTE", "product": "MP32-AR1-00", "family": "Server"},
    "processors": {"cpu0": {"socket": "P0", "vendor": "Ampere(R)", "version": "Ampere(R) Altra(R) Processor", "part": "Q80-30",
                    "id": "0100160aa1000000", "cores": 80, "max_mhz": 3000, "current_mhz": 2800}},
    "memory": {"layout": "gigabyte", "sockets": 1, "populated": ["DIMM_P0_A0", "DIMM_P0_B0", "DIMM_P0_C0", "DIMM_P0_D0"],
               "dimm": {"gb": 32, "type": "DDR4", "speed": 3200, "configured": 2666, "rank": 2, "vendor": "Samsung", "part": "M393A4K40DB3-CWE"}},
}
AMPEREONE = {
    "version": "3.5",
    "bios": {"vendor": "American Megatrends International, LLC.", "version": "1.1", "date": "05/31/2024"},
    "system": {"vendor": "Supermicro", "product": "Super Server", "family": "Family"},
    "processors": {"cpu0": {"socket": "CPU1", "vendor": "Ampere(R)", "version": "AmpereOne (R)", "part": "A192-32X", "id": "0400160a00000000",
                    "soc_id_bit": True, "cores": 192, "max_mhz": 3200, "current_mhz": 3200}},
    "memory": {"layout": "supermicro", "sockets": 1,
               "dimm": {"gb": 64, "type": "DDR5", "speed": 5600, "configured": 5200, "rank": 2, "vendor": "Micron", "part": "MTC40F2046S1RC56BD1"}},
}

# Modules that "modprobe" loads, in this order; the kernel of the guest refuses those that its CPU cannot run.
CRYPTO_MODULES = "aes-ce-blk ghash-ce sha1-ce sha2-ce sha512-arm64 sha512-ce sha3-ce aes-ce-ccm".split()
# The winner for an algorithm is the driver of highest priority in /proc/crypto; what Arm's kernel code registers.
WINNERS_N1 = {"gcm(aes)": "gcm-aes-ce", "cbc(aes)": "cbc-aes-ce", "ctr(aes)": "ctr-aes-ce", "xts(aes)": "xts-aes-ce", "ccm(aes)": "ccm-aes-ce",
              "sha1": "sha1-ce", "sha256": "sha256-ce", "sha512": "sha512-arm64"}
WINNERS_ONE = dict(WINNERS_N1, sha512="sha512-ce", **{"sha3-256": "sha3-256-ce"})
# Without a module loaded by us: what Debian's kernel has built in, and AES (see CRYPTO_GENERIC).
WINNERS_BUILT_IN = {"cbc(aes)": "cbc-aes-ce", "sha1": "sha1-generic", "sha256": "sha256-generic"}

# A second libcrypto. By ld.so.conf.d, aarch64-linux-gnu.conf comes before libc.conf: what lies in /usr/local/lib loses against
# the distribution's, what lies in /usr/local/lib/aarch64-linux-gnu wins.
LIBCRYPTO = "/lib/aarch64-linux-gnu/libcrypto.so.3"


def another_libcrypto(folder):
    return f"mkdir -p {folder} && cp {LIBCRYPTO} {folder}/ && ldconfig"


# The kernel's test module asks for what ESP with AES-CBC and HMAC-SHA1 asks for (tcrypt mode 155), then refuses to stay.
# The transform stays, made of the drivers that win at that moment: AES-CBC loads its module by alias, SHA-1 is built in, so
# nothing asks for its module. (Had sha1-ce come later, the kernel would have dropped the transform: crypto_remove_spawns().)
USE_SHA1_BY_IPSEC = "modprobe tcrypt mode=155 2>/dev/null"

# Outcomes of checks, each with its reason; what is not named is not judged here. A guest of an emulator is a virtual machine:
# what its firmware chose for the real one cannot be seen from inside, the DIMMs and links are the hypervisor's, and the clock
# that SMBIOS states is not the CPU's. No cpufreq, so no governor.
IN_A_GUEST = {"cpu.governor": "na", "cpu.max-frequency": "unknown"}
IN_A_GUEST |= {f"firmware.{name}": "na" for name in ("cppc", "lpi", "anc", "slc-as-l3")}
IN_A_GUEST |= {f"memory.{name}": "na" for name in ("channels", "dimms-per-channel", "matched", "speed", "errors")}
IN_A_GUEST |= {"pci.link": "na"}
# The CPU states the four crypto features and LSE; all CPUs are alike and online; the cpuid feature is there.
SOUND_CPU = {"cpu.features": "pass", "cpu.id-registers": "pass", "cpu.uniform": "pass", "cpu.online": "pass", "kernel.page-size": "pass"}
# Debian's defaults: THP always; NUMA balancing on where there are two nodes; nothing outranks its own OpenSSL.
DEBIAN = {"memory.thp": "fail", "software.libcrypto": "pass", "software.ld-so-conf": "pass"}
# 3.0 is to be avoided everywhere and knows no AmpereOne; 3.5 meets both rules, and takes the Ampere path by MIDR.
OPENSSL = {"bookworm": {"software.openssl": "fail"}, "trixie": {"software.openssl": "pass"}}
OPENSSL_ON_AMPEREONE = {"bookworm": {"software.openssl-path": "fail"}, "trixie": {"software.openssl-path": "pass"}}
OUTRANKED = {"software.libcrypto": "fail", "software.ld-so-conf": "fail"}
AMPERE = {"cpu.family": "pass"}
# No rated clock is known of it.
OTHER_FAMILY = {"cpu.family": "fail", "cpu.max-frequency": "na"}
COMMON = {**IN_A_GUEST, **SOUND_CPU, **DEBIAN, **AMPERE}
# A card's node must be known and have huge pages where any node has; its IOMMU group must not translate.
CARD_WITHOUT_PAGES = CARD_WITHOUT_NODE = {"pci.node": "fail"}
PASSED_THROUGH, TRANSLATED = {"kernel.iommu": "pass"}, {"kernel.iommu": "fail"}
NO_CARD = {"pci.node": "na", "kernel.iommu": "na"}
ONE_NODE = {"memory.numa-balancing": "na"}
TWO_NODES = {"memory.numa-balancing": "fail"}
# All drivers for the CPU loaded; nothing asked for ChaCha20, so the kernel has not registered it; no ESP in use.
CRYPTO_LOADED = {f"kernel.crypto.{name}": "pass" for name in ("aes-gcm", "aes-cbc", "aes-ctr", "aes-xts", "sha1", "sha256", "sha512")}
CRYPTO_LOADED |= {"kernel.crypto.chacha20-poly1305": "na"}
# Nothing loaded by us: the kernel's encrypted keys ask for cbc(aes) while it starts, whose alias brings aes-ce-blk with all AES
# modes; SHA-1 and SHA-256 are built in and win with the generic code; the others are not registered.
CRYPTO_GENERIC = {f"kernel.crypto.{name}": "pass" for name in ("aes-cbc", "aes-ctr", "aes-xts")}
CRYPTO_GENERIC |= {"kernel.crypto.aes-gcm": "na", "kernel.crypto.sha512": "na", "kernel.crypto.sha1": "fail", "kernel.crypto.sha256": "fail"}
NO_ESP = {"kernel.crypto.esp-templates": "na"}
# Kernels newer than 6.1: ghash-ce registers rfc4106(gcm(aes)) itself, without a template on top.
RFC4106_BUILT_IN = {"kernel.crypto.esp-templates": "pass"}
# vfio-pci is a module of Debian's kernels, irqbalance is not in the image, memlock is the kernel's 8 MiB, counters are root's.
DPDK = {"kernel.vfio": "pass", "kernel.irqbalance": "pass", "kernel.memlock": "fail", "kernel.perf-user-access": "fail"}

# The capture of a guest, with the one sign of the emulator taken out, is judged as a machine: its SMBIOS, ACPI tables,
# firmware variable, nodes and caches, as a real kernel gives them. No CPPC and no LPI is what the guide wants; that Linux does
# not see the SLC policy and prefetch, and counts no memory error without an EDAC driver, is unknown.
AS_MACHINE = {"firmware.cppc": "pass", "firmware.lpi": "pass", "firmware.slc-replacement": "unknown", "firmware.prefetch": "unknown",
              "firmware.tables": "pass", "memory.errors": "unknown"}
# Two packages of one node each; one DIMM of 3200 MT/s on every channel; firmware's age matters on AmpereOne alone.
ALTRA_2P_MACHINE = {**AS_MACHINE, "firmware.anc": "pass", "firmware.slc-as-l3": "na", "firmware.version": "na",
                    "memory.channels": "pass", "memory.dimms-per-channel": "pass", "memory.matched": "pass", "memory.speed": "pass"}
# Four of eight channels, at 2666 of 3200 MT/s, the processor at 2800 of 3000 MHz. QEMU's N1 lists caches up to level 2.
ALTRA_1P_MACHINE = {**ALTRA_2P_MACHINE, "firmware.slc-as-l3": "pass", "memory.channels": "fail", "memory.speed": "fail",
                    "cpu.max-frequency": "fail"}
# Two nodes in one package at distance 11; no number of Ampere's series in the firmware's version.
AMPEREONE_MACHINE = {**ALTRA_2P_MACHINE, "firmware.anc": "fail", "firmware.version": "unknown"}
# A card of 2.5 GT/s x1 behind a port of 16 GT/s x16, link and payload as the lesser allows.
CARD_BEHIND_PORT = {"pci.link": "pass", "pci.slot": "pass", "pci.payload": "pass"}
# The firmware variable: nothing that it switches off is in effect; what it switches on may be missing by the kernel's doing,
# and this DSDT has no name that tells; or there is none.
FOLLOWED, NOT_FOLLOWED, NO_VARIABLE = {"firmware.pending": "pass"}, {"firmware.pending": "unknown"}, {"firmware.pending": "na"}


def acpi_variable(cppc, lpi):
    """What TianoCore keeps: attributes NV, BS and RT, then APEI (these guests have none), CPPC, LPI and six reserved words."""
    return struct.pack("<I3I6I", 7, 0, cppc, lpi, *[0] * 6)


# A card in use: its driver loaded, its interface up.
CARD_UP = ("modprobe e1000e && ifconfig eth0 up && for n in 1 2 3 4 5 6 7 8 9; do "
           "grep -q up /sys/class/net/eth0/operstate && break; sleep 0.5; done; echo card $(cat /sys/class/net/eth0/operstate)")


def setup(modules=(), pages=None, mounted=False, first=()):
    """Shell text: load modules (each answer kept), create the firmware variable, reserve pages {(node, kB): count}.
    first: lines before all that."""
    lines = list(first)
    lines += [f"modprobe {name} 2>/tmp/e; echo module {name} $? $(cat /tmp/e)" for name in modules]
    lines.append(f"test ! -e /lab/variable || cat /lab/variable >/sys/firmware/efi/efivars/{ACPI_VARIABLE}")
    for (node, size_kb), count in (pages or {}).items():
        lines.append(f"echo {count} >/sys/devices/system/node/node{node}/hugepages/hugepages-{size_kb}kB/nr_hugepages")
    if mounted:
        lines.append("mkdir -p /dev/hugepages && mount -t hugetlbfs hugetlbfs /dev/hugepages")
    return "\n".join(lines) + "\n"


def outcomes(*of_all, ipsec, dpdk):
    """{command of PROGRAM: {check: outcome}}: the same as root and as nobody, who may read all that these need."""
    common = {check: outcome for table in of_all for check, outcome in table.items()}
    return {"audit": common, "nobody-audit": common, "audit-ipsec": {**common, **ipsec}, "audit-dpdk": {**common, **dpdk}}


# What tune must mend in a guest. THP is a word of the kernel; modules of SHA-1 and SHA-256 win over the generic code once they are
# loaded. Limits hold for sessions that begin later: mended, and still found wrong in this one.
EVERYWHERE, SHA_MODULES, LATER = {"memory.thp"}, {"kernel.crypto.sha1", "kernel.crypto.sha256"}, {"kernel.memlock"}

# "is" states the guest: what shell sees, then what detect must say. confidence: of the family, as root and as nobody. Altra's
# name stands in SMBIOS type 4, which root alone may read; without it the timer of 25 MHz makes it likely. A part number
# of AmpereOne is Ampere's own. Neoverse N1 with another timer is likely somebody else's.
BOOTS = {
    "altra-2node": {
        "about": "Altra, two nodes, tuned as the guide asks, crypto modules loaded, pages on node 0 only",
        "cpu": "altra", "debian": 12, "layout": "2P", "smbios": ALTRA_2P, "variable": acpi_variable(0, 0),
        "card": "node 1", "board": ",iommu=smmuv3", "cmdline": "iommu.passthrough=1",
        "setup": setup(CRYPTO_MODULES, {(0, 2048): 48}, mounted=True, first=[CARD_UP]),
        "is": {"midr": 0x413fd0c1, "features": N1_FEATURES, "lacks": NO_FEATURES | {"sha3", "sha512", "sm4"}, "timer_hz": 25000000,
               "page_size_bytes": 4096, "cpus": 4, "nodes": 2, "packages": 2, "distances": [[10, 20], [20, 10]],
               "pages": {(0, 2048): 48, (1, 2048): 0}, "winners": WINNERS_N1, "refused": {"sha512-ce", "sha3-ce"},
               "card": (1, "identity"),
               "vendor": "WIWYNN", "product": "Mt.Jade Server System B81.030Z1.0007", "family": "altra", "sku": "Q80-30", "confidence": ("certain", "likely")},
        "outcomes": outcomes(COMMON, CARD_WITHOUT_PAGES, PASSED_THROUGH, TWO_NODES, CRYPTO_LOADED, ipsec=NO_ESP,
                             # 96 MiB on node 0 and none on node 1 are too little for DPDK
                             dpdk={**DPDK, "memory.hugepages": "fail", "memory.hugetlbfs": "pass", "memory.hugepage-size": "pass"}),
        "machine": {**ALTRA_2P_MACHINE, **FOLLOWED, **CARD_BEHIND_PORT},
        # pages on node 0 alone, and 512 MB on each node: more cannot be had
        "tune": {"role": "dpdk", "mends": EVERYWHERE | {"kernel.perf-user-access", "memory.numa-balancing"}, "later": LATER},
    },
    "altra-untuned": {
        "about": "Altra, one node, half of the channels empty, no crypto module, no huge page",
        "cpu": "altra", "debian": 12, "layout": "1P large", "smbios": ALTRA_1P_HALF, "variable": acpi_variable(1, 1),
        "setup": setup(first=[another_libcrypto("/usr/local/lib")]),
        "is": {"midr": 0x413fd0c1, "features": N1_FEATURES, "lacks": NO_FEATURES | {"sha3", "sha512", "sm4"}, "timer_hz": 25000000,
               "page_size_bytes": 4096, "cpus": 4, "nodes": 1, "packages": 1, "distances": [[10]],
               "pages": {(0, 2048): 0}, "winners": WINNERS_BUILT_IN, "absent": {"gcm(aes)"},
               "vendor": "GIGABYTE", "product": "MP32-AR1-00", "family": "altra", "sku": "Q80-30", "confidence": ("certain", "likely")},
        "outcomes": outcomes(COMMON, NO_CARD, ONE_NODE, CRYPTO_GENERIC, ipsec=NO_ESP, dpdk={**DPDK, "memory.hugepages": "fail", "memory.hugepage-size": "na"}),
        "machine": {**ALTRA_1P_MACHINE, **NOT_FOLLOWED},
        # half of 3 GB holds the 1 GiB that DPDK wants
        "tune": {"role": "dpdk", "mends": EVERYWHERE | SHA_MODULES | {"kernel.perf-user-access", "memory.hugepages"}, "later": LATER},
    },
    "altra-ipsec": {
        "about": "Altra, one node; IPsec in use, AES modules loaded, SHA-1 and SHA-256 left to the generic code",
        "cpu": "altra", "debian": 12, "layout": "1P", "smbios": ALTRA_1P_HALF, "variable": acpi_variable(1, 0),
        "setup": setup(["aes-ce-blk", "ghash-ce"], first=[USE_SHA1_BY_IPSEC]),
        "is": {"midr": 0x413fd0c1, "features": N1_FEATURES, "lacks": NO_FEATURES | {"sha3", "sha512", "sm4"}, "timer_hz": 25000000,
               "page_size_bytes": 4096, "cpus": 4, "nodes": 1, "packages": 1, "distances": [[10]], "pages": {(0, 2048): 0},
               "winners": {"gcm(aes)": "gcm-aes-ce", "cbc(aes)": "cbc-aes-ce", "sha1": "sha1-generic", "sha256": "sha256-generic",
                           "authenc(hmac(sha1),cbc(aes))": "authenc(hmac(sha1-generic),cbc-aes-ce)"},
               "vendor": "GIGABYTE", "product": "MP32-AR1-00", "family": "altra", "sku": "Q80-30", "confidence": ("certain", "likely")},
        "outcomes": outcomes(COMMON, NO_CARD, ONE_NODE, {**CRYPTO_LOADED, "kernel.crypto.sha1": "fail", "kernel.crypto.sha256": "fail",
                                                   "kernel.crypto.sha512": "na"},
                             # the transform was made with sha1-generic
                             ipsec={"kernel.crypto.esp-templates": "fail"}, dpdk=DPDK),
        "machine": {**ALTRA_1P_MACHINE, **NOT_FOLLOWED},
    },
    "altra-16k": {
        "about": "Altra with a kernel of 16K pages, two nodes, pages of 32 MiB on node 1",
        "cpu": "altra", "debian": 13, "layout": "2P", "smbios": ALTRA_2P,
        "card": "no node", "board": ",iommu=smmuv3",
        "setup": setup(CRYPTO_MODULES, {(1, 32768): 3}, mounted=True, first=[CARD_UP]),
        "is": {"midr": 0x413fd0c1, "features": N1_FEATURES, "lacks": NO_FEATURES | {"sha3", "sha512", "sm4"}, "timer_hz": 25000000,
               "page_size_bytes": 16384, "cpus": 4, "nodes": 2, "packages": 2, "distances": [[10, 20], [20, 10]],
               "pages": {(0, 32768): 0, (1, 32768): 3}, "winners": WINNERS_N1, "refused": {"sha512-ce", "sha3-ce"},
               "card": (-1, "DMA"),
               "vendor": "WIWYNN", "product": "Mt.Jade Server System B81.030Z1.0007", "family": "altra", "sku": "Q80-30", "confidence": ("certain", "likely")},
        "outcomes": outcomes(COMMON, CARD_WITHOUT_NODE, TRANSLATED, TWO_NODES, CRYPTO_LOADED, ipsec=RFC4106_BUILT_IN,
                             dpdk={**DPDK, "memory.hugepages": "fail", "memory.hugetlbfs": "pass", "memory.hugepage-size": "pass"}),
        "machine": {**ALTRA_2P_MACHINE, **NO_VARIABLE},
    },
    "ampereone-hemisphere": {
        "about": "AmpereOne with a kernel of 16K pages, two nodes in one package, crypto modules loaded, pages on both nodes",
        "cpu": "ampereone", "debian": 13, "layout": "1P hemisphere", "smbios": AMPEREONE,
        "cmdline": "hugepagesz=32M hugepages=0:32,1:32",
        "setup": setup(CRYPTO_MODULES, mounted=True),
        "is": {"midr": 0xc00fac40, "features": ONE_FEATURES, "lacks": NO_FEATURES, "timer_hz": 1000000000,
               "page_size_bytes": 16384, "cpus": 4, "nodes": 2, "packages": 1, "distances": [[10, 11], [11, 10]],
               "pages": {(0, 32768): 32, (1, 32768): 32}, "winners": WINNERS_ONE, "refused": set(),
               "vendor": "Supermicro", "product": "Super Server", "family": "ampereone-ac04", "sku": "A192-32X", "confidence": ("certain", "certain")},
        "outcomes": outcomes(COMMON, NO_CARD, TWO_NODES, CRYPTO_LOADED, ipsec=RFC4106_BUILT_IN,
                             # 1 GiB of 32 MiB pages on each of the two nodes
                             dpdk={**DPDK, "memory.hugepages": "pass", "memory.hugetlbfs": "pass", "memory.hugepage-size": "pass"}),
        "machine": {**AMPEREONE_MACHINE, **NO_VARIABLE},
        "tune": {"role": "ipsec", "mends": EVERYWHERE | {"memory.numa-balancing"}, "later": LATER},
    },
    "ampereone-bare": {
        "about": "AmpereOne known by its MIDR alone: the emulator's own SMBIOS strings, no module, no page",
        "cpu": "ampereone", "debian": 12, "layout": "1P", "smbios": None,
        "setup": setup(first=[another_libcrypto("/usr/local/lib/aarch64-linux-gnu")]),
        "is": {"midr": 0xc00fac40, "features": ONE_FEATURES, "lacks": NO_FEATURES, "timer_hz": 1000000000,
               "page_size_bytes": 4096, "cpus": 4, "nodes": 1, "packages": 1, "distances": [[10]],
               "pages": {(0, 2048): 0}, "winners": WINNERS_BUILT_IN, "absent": {"gcm(aes)"},
               "libcrypto": "/usr/local/lib/aarch64-linux-gnu/libcrypto.so.3",
               "vendor": "QEMU", "product": "QEMU Virtual Machine", "family": "ampereone-ac04", "sku": None, "confidence": ("certain", "certain")},
        "outcomes": outcomes(COMMON, NO_CARD, ONE_NODE, CRYPTO_GENERIC, OUTRANKED, ipsec=NO_ESP, dpdk={**DPDK, "memory.hugepages": "fail"}),
    },
    "graviton2": {
        "about": "the MIDR of Altra with the timer of another machine: not an Ampere CPU",
        "cpu": "graviton2", "debian": 12, "layout": "1P", "smbios": None,
        "setup": setup(),
        "is": {"midr": 0x413fd0c1, "features": N1_FEATURES, "lacks": NO_FEATURES | {"sha3", "sha512", "sm4"}, "timer_hz": 121875000,
               "page_size_bytes": 4096, "cpus": 4, "nodes": 1, "packages": 1, "distances": [[10]],
               "pages": {(0, 2048): 0}, "winners": WINNERS_BUILT_IN, "absent": {"gcm(aes)"},
               "vendor": "QEMU", "product": "QEMU Virtual Machine", "family": "neoverse-n1", "sku": None, "confidence": ("likely", "likely")},
        "outcomes": outcomes(COMMON, NO_CARD, ONE_NODE, CRYPTO_GENERIC, OTHER_FAMILY, ipsec=NO_ESP, dpdk=DPDK),
    },
}

# Read by plain shell inside the guest, so that the program is compared with what the guest is.
VIEWS = {
    "view-cpu": "for n in 0 1 2 3; do cat /sys/devices/system/cpu/cpu$n/regs/identification/midr_el1; done",
    "view-features": "sed -n 's/^Features.*: //p' /proc/cpuinfo",
    "view-nodes": "cat /sys/devices/system/node/node*/distance",
    "view-packages": "cat /sys/devices/system/cpu/cpu*/topology/physical_package_id",
    "view-timer": "dmesg | sed -n 's/.*arch_timer: .*running at \\([0-9.]*\\)MHz.*/\\1/p'",
    "view-page": "sed -n 's/^KernelPageSize: *\\([0-9]*\\) kB/\\1/p' /proc/self/smaps | sort -u",
    "view-pages": "for f in /sys/devices/system/node/node*/hugepages/*/nr_hugepages; do echo $f $(cat $f); done",
    "view-crypto": "cat /proc/crypto",
    "view-dmi": "cat /sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name",
    "view-variable": f"od -An -v -tx1 /sys/firmware/efi/efivars/{ACPI_VARIABLE}",
    "view-cards": "for d in /sys/bus/pci/devices/*; do case $(cat $d/class) in 0x0200*) "
                  "echo $(cat $d/numa_node) $(cat $d/iommu_group/type);; esac; done",
    "view-kernel": "uname -r; uname -m",
    "view-loader": "LD_TRACE_LOADED_OBJECTS=1 openssl",
    "view-openssl": "openssl version",
}


def as_nobody(command):
    return f"su -s /bin/sh nobody -c '{command}'"


def without(folder, command):
    """With an empty file system over the folder, as a careless container has it."""
    return f"unshare -m sh -c 'mount -t tmpfs tmpfs {folder} && {command}'"


PROGRAM = {
    "detect": "ampere-crypto detect --json",
    "audit": "ampere-crypto audit --json",
    "audit-dpdk": "ampere-crypto audit --json --role dpdk",
    "audit-ipsec": "ampere-crypto audit --json --role ipsec",
    "audit-text": "ampere-crypto audit --all",
    "audit-measure": "ampere-crypto audit --measure --json",
    "capture": "ampere-crypto capture -",
    "no-sys-audit": without("/sys", "ampere-crypto audit --json"),
    "no-proc-audit": without("/proc", "ampere-crypto audit --json"),
    "nobody-detect": as_nobody("ampere-crypto detect --json"),
    "nobody-audit": as_nobody("ampere-crypto audit --json"),
    "nobody-capture": as_nobody("ampere-crypto capture -"),
}
