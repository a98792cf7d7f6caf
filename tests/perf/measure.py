# SPDX-License-Identifier: BSD-2-Clause
"""What a command costs: time and peak memory, system calls, instructions; and the roots measured on."""
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/perf"))
PROGRAM = str(Path(os.environ.get("CHECK_RELEASE", TOP / "build/release")) / "src/cli/ampere-crypto")


def large_root():
    """The directory generated from large.json."""
    target = WORK / "large"
    generator = TOP / "tests/hosts/gen/host.py"
    subprocess.run([sys.executable, "-B", str(generator), str(TOP / "tests/perf/large.json"), "--directory", str(target)],
                   check=True)
    return str(target)


def large_code(megabytes):
    """An AArch64 object with a function of 512 bytes after the other, each with two AESE, and its symbols; and how many those are."""
    # DDI 0487, C6.2: LDR x0, [x1]; ADD x0, x0, #1; STP x29, x30, [sp, #-16]!; BL .; MOV x0, x1; CBZ x0, .; LDP x0, x1, [x2]; RET
    usual = [0xf9400020, 0x91000400, 0xa9bf7bfd, 0x94000000, 0xaa0103e0, 0xb4000000, 0xa9400440, 0xd65f03c0]
    function = struct.pack("<128I", *(usual * 16)[:126], 0x4e284820, 0x4e284820)
    count = (megabytes << 20) // len(function)
    strings, symbols = [b"\0$x\0"], [bytes(24), struct.pack("<IBBHQQ", 1, 0, 0, 1, 0, 0)]
    place = 4
    for number in range(count):
        strings.append(f"function_{number}\0".encode())
        symbols.append(struct.pack("<IBBHQQ", place, 0x12, 0, 1, number * len(function), len(function)))
        place += len(strings[-1])
    parts = [function * count, b"".join(symbols), b"".join(strings)]
    rows, offset = [bytes(64)], 64
    for part, (kind, flags, link) in zip(parts, [(1, 6, 0), (2, 0, 3), (3, 0, 0)]):
        rows.append(struct.pack("<IIQQQQIIQQ", 0, kind, flags, 0, offset, len(part), link, 0, 1, 0))
        offset += len(part)
    header = struct.pack("<4sBBB9xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 1, 183, 1, 0, 0, offset, 0, 64, 0, 0, 64, 4, 3)
    path = WORK / "large.o"
    WORK.mkdir(parents=True, exist_ok=True)
    path.write_bytes(header + b"".join(parts) + b"".join(rows))
    return str(path), 2 * count


def nothing_to_do():
    """Commands that find everything active: with the mirror that it came from, and without."""
    sys.path.insert(0, str(TOP / "tests/faults"))
    from base import NAMES, fresh, good, start, usual
    top = fresh("nothing-to-do")
    argv = usual(top).setup(top / "p", *NAMES, program=PROGRAM)
    good(start(argv))
    at = argv.index("--mirror")
    return [("with a mirror", argv), ("without a mirror", argv[:at] + argv[at + 2:])]


def spawner():
    """The helper that runs a command many times, built once."""
    WORK.mkdir(parents=True, exist_ok=True)
    binary = WORK / "spawn"
    source = TOP / "tests/perf/spawn.c"
    if not binary.exists() or binary.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["gcc", "-O2", "-o", str(binary), str(source)], check=True)
    return str(binary)


def empty_program():
    """A program that does nothing: what starting any program costs here."""
    WORK.mkdir(parents=True, exist_ok=True)
    source, binary = WORK / "empty.c", WORK / "empty"
    if not binary.exists():
        source.write_text("int main(void)\n{\n\treturn 0;\n}\n")
        subprocess.run(["gcc", "-O2", "-o", str(binary), str(source)], check=True)
    return str(binary)


def cost(argv, runs):
    """(median ms, least ms, peak KiB, exit status) over runs."""
    done = subprocess.run([spawner(), str(runs), *argv], stdout=subprocess.PIPE, text=True, check=True)
    median_us, least_us, peak_kib, status = map(int, done.stdout.split())
    return median_us / 1000, least_us / 1000, peak_kib, status


def system_calls(argv):
    """How many system calls the command and its children make, exec included."""
    WORK.mkdir(parents=True, exist_ok=True)
    table = WORK / "strace.txt"
    subprocess.run(["strace", "-f", "-c", "-o", str(table), *argv], stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    found = re.search(r"^100\.00\s+\S+\s+(?:\d+\s+)?(\d+)\s+(?:\d+\s+)?total$", table.read_text(), re.M)
    if not found:
        sys.exit(f"{table}: no total in what strace wrote")
    return int(found.group(1))


def instructions(argv):
    """Instructions executed in user space, counted by callgrind, and the exit status."""
    WORK.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={WORK}/callgrind.out", *argv],
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found:
        sys.exit(f"callgrind counted nothing for {argv}: {done.stderr[-500:]}")
    return int(found.group(1)), done.returncode
