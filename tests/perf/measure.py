# SPDX-License-Identifier: BSD-2-Clause
"""What a command costs: time and peak memory, system calls, instructions; and the roots measured on."""
import os
import re
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
