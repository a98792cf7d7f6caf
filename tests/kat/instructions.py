# SPDX-License-Identifier: BSD-2-Clause
"""What is compiled apart: the loops of the limits by their disassembly, the AArch64 program under an emulator, SNOW 3G
and ZUC against ipsec-mb and vectors against Python."""
import collections
import re
import shutil
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SOURCES = sorted((TOP / "src/kat-bench").glob("*.c"))
BASE = [TOP / f"src/base/{name}.c" for name in ("arena", "buffer", "error", "file", "sha256", "text", "utf8", "words")]
FLAGS = ["-std=gnu17", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64", f"-I{TOP}/src", '-DHELPER_DIRECTORY="."',
         '-DAMPERE_CRYPTO_VERSION="0"']
EMULATOR = "/usr/bin/qemu-aarch64"
CROSS = "aarch64-linux-gnu-gcc"

# Per 64 bytes: SHA-1 has 80 rounds of which SHA1C does 4, and 64 words of schedule, 4 at a time; SHA-256 64 rounds, 48
# words. Per 128 bytes SHA-512 has 80 rounds, 2 at a time, and 64 words, 2 at a time (Arm ARM; Intel SDM: SHA256RNDS2 does
# 2). The loops do 64 bytes on AArch64 (four streams of a quarter block) and 48 on x86-64 (three).
A64 = {
    "limit_aes": {"aese": 64, "aesmc": 64},
    "limit_pmull": {"pmull": 32, "pmull2": 32},
    "limit_sha1": {"sha1c": 20, "sha1h": 20, "sha1su0": 16, "sha1su1": 16},
    "limit_sha256": {"sha256h": 16, "sha256h2": 16, "sha256su0": 12, "sha256su1": 12},
    "limit_sha512": {"sha512h": 20, "sha512h2": 20, "sha512su0": 16, "sha512su1": 16},
}
X86 = {
    "limit_aes_128": {"aesenc": 48},
    "limit_aes_256": {"vaesenc": 48},
    "limit_aes_512": {"vaesenc": 48},
    "limit_pmull_128": {"pclmullqhqdq": 48},
    "limit_pmull_256": {"vpclmullqhqdq": 48},
    "limit_pmull_512": {"vpclmullqhqdq": 48},
    "limit_sha1": {"sha1rnds4": 15, "sha1nexte": 15, "sha1msg1": 12, "sha1msg2": 12},
    "limit_sha256": {"sha256rnds2": 24, "sha256msg1": 9, "sha256msg2": 9},
}
CRYPTO = re.compile(r"v?(aes|sha\d|p?clmul|pmull|pclmul)")
# Emulated cores and which limits they have: Cortex-A53 and Neoverse N1 lack SHA-512, "max" has everything.
CORES = {"cortex-a53": {"aes", "pmull", "sha1", "sha256"}, "neoverse-n1": {"aes", "pmull", "sha1", "sha256"},
         "max": {"aes", "pmull", "sha1", "sha256", "sha512"}}


def verdict(name, faults):
    return f"FAIL {name}: {faults[0]}" if faults else f"PASS {name}"


def mixes(tools, source, work):
    """{function: {crypto instruction: how often}}; and the widths of registers seen."""
    target = work / (source.stem + ".o")
    subprocess.run([f"{tools}gcc", *FLAGS, "-O2", "-c", "-o", str(target), str(source)], check=True)
    text = subprocess.run([f"{tools}objdump", "-d", "--no-show-raw-insn", str(target)], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    found, function = collections.defaultdict(collections.Counter), None
    for line in text.splitlines():
        head = re.match(r"[0-9a-f]+ <(\w+)>:", line)
        function = head.group(1) if head else function
        word = re.match(r"\s+[0-9a-f]+:\s+(\S+)", line)
        if word and CRYPTO.match(word.group(1)):
            found[function][word.group(1)] += 1
    return {name: dict(counts) for name, counts in found.items()}, text


def loops(tools, source, want, work):
    found, text = mixes(tools, source, work)
    faults = [f"{name}: {found.get(name)}, want {counts}" for name, counts in want.items() if found.get(name) != counts]
    faults += [f"no code with {register}" for register in ("%ymm", "%zmm") if want is X86 and register not in text]
    return verdict(f"the loops of {source.name} hold what they count", faults)


def emulated(work):
    program = work / "kat-bench-aarch64"
    subprocess.run([CROSS, *FLAGS, "-O2", "-o", str(program), *map(str, SOURCES + BASE), "-ldl"], check=True)
    for core, want in CORES.items():
        done = subprocess.run([EMULATOR, "-cpu", core, "-L", "/usr/aarch64-linux-gnu", str(program), "limit", "--batches",
                               "1", "--batch-us", "300"], stdout=subprocess.PIPE, text=True, check=False, timeout=120)
        rows = done.stdout.splitlines()
        kinds = {row.split()[1] for row in rows if re.fullmatch(r"limit \w+ [1-9]\d* [1-9]\d*", row)}
        absent = {row.split()[1] for row in rows if row.startswith("na limit-")}
        faults = [] if done.returncode == 0 and rows[-1] == "end" and kinds == want and len(kinds | absent) == 5 else [
            f"status {done.returncode}, {rows[-3:]}, limits {sorted(kinds)}"]
        yield verdict(f"limits of an emulated {core}", faults)


def mobile(work, seed):
    program = work / "mobile"
    subprocess.run(["gcc", *FLAGS, "-O2", "-o", str(program), str(TOP / "tests/kat/mobile.c"),
                    *(str(TOP / f"src/kat-bench/{name}.c") for name in ("snow3g", "zuc")), "-lIPSec_MB"], check=True)
    return subprocess.run([str(program), seed], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def lines(work, seed):
    if shutil.which(CROSS) and Path(EMULATOR).exists():
        yield loops("aarch64-linux-gnu-", TOP / "src/kat-bench/limit_aarch64.c", A64, work)
        yield from emulated(work)
    else:
        yield f"SKIP limits of AArch64: no {CROSS} or no {EMULATOR}"
    machine = subprocess.run(["gcc", "-dumpmachine"], stdout=subprocess.PIPE, text=True, check=True).stdout
    if machine.startswith("x86_64"):
        yield loops("", TOP / "src/kat-bench/limit_x86_64.c", X86, work)
        yield from mobile(work, seed)
    else:
        yield "SKIP SNOW 3G and ZUC as ipsec-mb does them: this is no x86-64"
