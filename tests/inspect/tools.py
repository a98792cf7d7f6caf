# SPDX-License-Identifier: BSD-2-Clause
"""The cross assembler and its kin, what they say of a file, and what the program says of it."""
import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

from a64 import ARCH

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CHECK_PROGRAM", TOP / "build/gcc/src/cli/ampere-crypto")).resolve()
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/inspect")).resolve()
CROSS = "aarch64-linux-gnu-"
LIMIT_S = 120

ATOMIC = re.compile(r"(ld(add|clr|eor|set|[su]max|[su]min)|swp|casp?|st(add|clr|eor|set|[su]max|[su]min))(a|al|l)?[bh]?$")
SCALABLE = re.compile(r"\b[zp]\d+\b|\bza\d*\b")
# SVE without a register of its own: counts of elements, lengths of vectors (DDI 0487, C8.2).
LENGTHS = re.compile(r"cnt[bhwd]|[su]?q?(inc|dec)[bhwd]|addvl|addpl|rdvl|cterm(eq|ne)|setffr")
DISASSEMBLED = re.compile(r"^ *([0-9a-f]+):\t(\S+)(?:\t(.*))?$")
SYMBOL = re.compile(r"^ *\d+: ([0-9a-f]+) +(\d+|0x[0-9a-f]+) (\S+) +(\S+) +\S+ +(\S+) (\S+)")


def tool(name, *arguments, **options):
    done = subprocess.run([CROSS + name, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, timeout=LIMIT_S, **options)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr.strip()[-400:]}")
    return done.stdout


def assemble(name, source):
    """An object from lines of assembler."""
    path = WORK / f"{name}.o"
    tool("as", f"-march={ARCH}", "-o", path, "-", input=source + "\n")
    return path


def link(name, objects, *options):
    path = WORK / name
    tool("ld", "-o", path, *objects, *options)
    return path


def inspect(*paths, root=None, profile=None):
    """The results of one run of the program, and its exit status."""
    argv = [str(PROGRAM), "inspect", "--json", *(["--root", str(root)] if root else []),
            *(["--profile", profile] if profile else []), *map(str, paths)]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=LIMIT_S)
    if done.stderr or done.returncode not in (0, 2):
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[-600:]}")
    return json.loads(done.stdout)["results"], done.returncode


def counts(result):
    return {row["name"]: row["count"] for row in result["code"]["instructions"]}


def functions(result):
    """{(instruction, function): count}"""
    found = Counter()
    for row in result["code"]["instructions"]:
        for function in row["functions"]:
            found[row["name"], function["name"]] += function["count"]
    return dict(found)


def family_of(families, mnemonic, operands):
    """What an instruction is to the program, told from how the disassembler writes it; None: nothing."""
    if SCALABLE.search(operands) or LENGTHS.fullmatch(mnemonic):
        return "sve"
    if mnemonic == "mrs":
        return operands.split(", ")[1] if operands.endswith((", rndr", ", rndrrs")) else None
    if mnemonic.startswith("pmull"):
        return mnemonic if ".1q" in operands else None
    if mnemonic.startswith("crc32"):
        return "crc32c" if mnemonic.startswith("crc32c") else "crc32"
    if ATOMIC.match(mnemonic):
        return "lse"
    return mnemonic if mnemonic in families else None


def disassemble(families, path):
    """[(address, family)] of a file by objdump."""
    found = []
    for line in tool("objdump", "-d", "--no-show-raw-insn", path).splitlines():
        parts = DISASSEMBLED.match(line)
        family = parts and family_of(families, parts[2], (parts[3] or "").split("//")[0].strip())
        if family:
            found.append((int(parts[1], 16), family))
    return found


def symbols(path):
    """[(start, end, name)] of the sized functions of a file by readelf."""
    found = []
    for line in tool("readelf", "-sW", path).splitlines():
        parts = SYMBOL.match(line)
        if parts and parts[3] in ("FUNC", "IFUNC") and parts[5] != "UND" and int(parts[2], 0):
            found.append((int(parts[1], 16), int(parts[1], 16) + int(parts[2], 0), parts[6].split("@")[0]))
    return found
