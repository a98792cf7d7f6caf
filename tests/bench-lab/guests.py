# SPDX-License-Identifier: BSD-2-Clause
"""The guests, and what bench must find in each: stated before any run, from the emulator's options, the Arm architecture and
the design of bench."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lab"))
from boots import ALTRA_2P, AMPEREONE  # noqa: E402

PERF = "dpdk-test-crypto-perf"
# The kernel's first file system lets everybody write to /, and DPDK loads no driver from below such a folder.
ROOT_ONLY = "chmod 755 /\n"
MOUNT = "mkdir -p /dev/hugepages && mount -t hugetlbfs hugetlbfs /dev/hugepages\n"
PAGES_FREE = "sed -n 's/^HugePages_Free: *//p' /proc/meminfo"

# What is left: pages that are not free, files in hugetlbfs, runtime directories, shared memory, processes, children of init.
LEFT = f"""echo free $({PAGES_FREE})
test ! -d /dev/hugepages || find /dev/hugepages -mindepth 1 | sed 's/^/file /'
find /run /dev/shm /var/run/ -mindepth 1 2>/dev/null | sed 's/^/file /'
for p in $(pidof {PERF} ampere-crypto ampere-crypto-kat-bench); do echo process $p $(tr '\\0' ' ' </proc/$p/cmdline); done
"""

# Who looks on while bench runs: free pages, the command line of the program, and how much of it lies in huge pages.
WATCH = f"""(while test ! -e /tmp/over; do
    for p in $(pidof {PERF}); do
        echo free $({PAGES_FREE}) argv $(tr '\\0' ' ' </proc/$p/cmdline 2>/dev/null)
        grep -h HugetlbPages: /proc/$p/status 2>/dev/null
    done
    sleep 0.2
done) >/tmp/watched 2>/dev/null &
"""


def watched(command):
    return f"rm -f /tmp/over\n{WATCH}\n{command}\nstatus=$?\n: >/tmp/over\nwait\nexit $status\n"


def killed(whom, only):
    """kill -9 while a measurement has its pages (a verification is too short): of the bench, or of the program that measures."""
    victim = "$bench" if whom == "bench" else f"$(pidof {PERF})"
    return f"""before=$({PAGES_FREE})
ampere-crypto bench smoke --only '{only}' --seconds 120 --json >/tmp/killed.json 2>/tmp/killed.err &
bench=$!
for n in $(seq 1 300); do
    kill -0 $bench 2>/dev/null || break
    for p in $(pidof {PERF}); do
        tr '\\0' ' ' </proc/$p/cmdline | grep -q 'ptest throughput' && test $({PAGES_FREE}) -lt $before && break 2
    done
    sleep 0.1
done
echo before $before busy $({PAGES_FREE}) running $(pidof {PERF})
kill -9 {victim}
wait $bench
echo status $?
for n in $(seq 1 100); do test -z "$(pidof {PERF})" && break; sleep 0.1; done
echo waited $n
{LEFT}
cat /tmp/killed.err
grep -E '"(outcome|reason|unverified|verified)"' /tmp/killed.json
"""


def commands(seconds):
    """In the order of their names."""
    only = "smoke/aes-gcm-128/crypto_openssl/*"
    return {
        "10-before": LEFT,
        "20-dry-run": "ampere-crypto bench scaling --dry-run --json",
        "21-dry-text": "ampere-crypto bench scaling --dry-run",
        "30-smoke": watched(f"ampere-crypto bench smoke --seconds {seconds} --json"),
        "31-watched": "cat /tmp/watched",
        "32-left": LEFT,
        "40-kill-bench": killed("bench", only),
        "50-kill-program": killed("program", only),
        "60-limit": "/usr/libexec/ampere-crypto/ampere-crypto-kat-bench limit --cpu 1 --batch-us 2000 --batches 2",
    }


# Limits by the instructions that the CPU has; SHA-512's came with FEAT_SHA512, which Neoverse N1 lacks.
LIMITS_N1 = {"aes-128", "aes-192", "aes-256", "ghash", "sha1", "sha256"}
GUESTS = {
    "altra": {
        "about": "Altra, two nodes, Debian 12, pages of 2 MiB on both nodes, hugetlbfs mounted",
        "cpu": "altra", "debian": 12, "layout": "2P large", "smbios": ALTRA_2P,
        "cmdline": "hugepages=400", "setup": ROOT_ONLY + MOUNT,
        "is": {"pages": 400, "page_kb": 2048, "limits": LIMITS_N1, "absent": {"sha512"},
               # ARMv7 NEON, the virtual counter, AES, SHA-1, SHA-256, PMULL: what OpenSSL's own probe finds on N1
               "capability": "OPENSSL_armcap=0xbd"},
    },
    "ampereone": {
        "about": "AmpereOne, two nodes in one package, Debian 13 with pages of 16 KiB, just enough huge ones of 32 MiB, on one node, no hugetlbfs",
        "cpu": "ampereone", "debian": 13, "layout": "1P hemisphere", "smbios": AMPEREONE,
        # 96 MiB is what bench plans for one worker and 1024 bytes: what it calls enough must be enough.
        "cmdline": "hugepagesz=32M hugepages=0:3", "setup": ROOT_ONLY,
        "is": {"pages": 3, "page_kb": 32768, "limits": LIMITS_N1 | {"sha512"}, "absent": set(),
               # beside those of N1: SHA-512, SHA-3, SM3, SM4, the random numbers, and what 3.5 knows of AmpereOne's MIDR
               "capability": "OPENSSL_armcap=0x11ffd"},
    },
}
