# SPDX-License-Identifier: BSD-2-Clause
"""What stands in for dpdk-test-crypto-perf, openssl and bssl: their tables, honest or with one fault."""
import os
import signal
import sys
import time

ARGUMENTS = sys.argv[1:]
DPDK_HEAD = "    lcore id    Buf Size  Burst {}ize    Enqueued    Dequeued  Failed Enq  Failed Deq"
RATES = (0.9766, 8.0003, 2560.00)  # MOps, Gbps of 1024 bytes, ticks at 2.5 GHz


def value(option, otherwise=None):
    return ARGUMENTS[ARGUMENTS.index(option) + 1] if option in ARGUMENTS else otherwise


def is_verify():
    return value("--ptest") == "verify"


def workers():
    return value("--lcores", "0@0,1@1").count("@") - 1


def dpdk(operations=None, size=None, rates=None, failed=0, lines=None):
    """A table as release 22.11 prints it; what is given stands in the place of the honest value."""
    operations = operations or value("--total-ops")
    size = size or value("--buffer-sz")
    mops, gbps, ticks = rates or (f"{0.1 * 1:.4f}", f"{0.1 * int(value('--buffer-sz')) * 8 / 1000:.4f}", "10000.00")
    counts = "".join(f"{word:>12}" for word in (size, 32, operations, operations, 0, 0))
    print("EAL: Detected CPU lcores: 2\nEAL: Selected IOVA mode 'VA'")
    if is_verify():
        print(f"\n# Running verify test on device: 0, lcore: 1\n{DPDK_HEAD.format('s')}  Failed Ops\n")
        tail = f"{failed:>12}"
    else:
        print(f"{DPDK_HEAD.format('S')}        MOps        Gbps  Cycles/Buf\n")
        tail = "".join(f"{word:>12}" for word in (mops, gbps, ticks))
    for core in range(1, (lines or workers()) + 1):
        print(f"{core:>12}{counts}{tail}")
    print()


def openssl(size=None, rate="4000000000.00", count=None, name="AES-128-GCM"):
    """`openssl speed -mr -elapsed -seconds 1` of release 3."""
    import _hashlib  # as the real one does, it maps libcrypto
    assert _hashlib
    asked = value("-bytes", "1024")
    count = count or int(4e9 / int(asked))
    until = time.monotonic() + 1.0
    print(f"+DT:{name}:1:{size or asked}", flush=True)
    while time.monotonic() < until:
        pass
    print(f"+R:{count}:{name}:1.000000\n+H:{size or asked}\n+F:25:{name}:{rate}")


def bssl(size=None, calls="1000000", microseconds="1000000"):
    import _hashlib
    assert _hashlib
    until = time.monotonic() + 1.0
    while time.monotonic() < until:
        pass
    print('[\n{"description": "AES-128-GCM (%s bytes) seal", "numCalls": %s, "microseconds": %s, "bytesPerCall": %s}\n]' %
          (size or value("-chunks", "1024"), calls, microseconds, size or value("-chunks", "1024")))


def crash():
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGSEGV)


def once(mark):
    """True for the first process that asks."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def hang():
    sys.stdout.flush()
    time.sleep(3600)


def endless():
    while True:
        sys.stdout.write("this goes on and on\n" * 4096)


def flipped(real, mark=None):
    """The real program, given vectors that differ in one bit; with a mark only after it has measured."""
    if not is_verify() and mark:
        once(mark)
    if is_verify() and (mark is None or os.path.exists(mark)):
        at = ARGUMENTS.index("--test-file") + 1
        with open(ARGUMENTS[at], encoding="ascii") as file:
            text = file.read()
        # The last digit of the last byte: of a digest, or of a ciphertext.
        last = text.rstrip(" \n,").rfind("0x") + 3
        memory = os.memfd_create("vector", 0)
        os.write(memory, (text[:last] + f"{int(text[last], 16) ^ 1:x}" + text[last + 1:]).encode())
        ARGUMENTS[at] = f"/proc/self/fd/{memory}"
    os.execv(real, [real, *ARGUMENTS])
