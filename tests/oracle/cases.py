# SPDX-License-Identifier: BSD-2-Clause
"""Roots that the loader is asked about. Where ld.so(8) or ldconfig(8) say what must come out, `expect`
states it too.

A case is a function on a World; it returns a dictionary: program (default /prog), library_path, preload,
secure (run for real by another user, the program set-user-ID), expect (what some names resolve to; None:
not found), versions (that are missing), stops (the file at which the loader refuses).
"""
from world import DIRECTORY, OTHER

CASES = {}
DEFAULT, USR = DIRECTORY, "/usr" + DIRECTORY
# x86-64 psABI, "Micro-architecture levels", in the kernel's spelling; each includes the one before.
LEVELS = {"x86-64-v2": "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3",
          "x86-64-v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave",
          "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl"}


def best_level():
    """The highest level of this CPU; None: none, or a loader of a release that is not known here."""
    flags, best = set(), None
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpuinfo:
        for line in cpuinfo:
            if line.startswith("flags"):
                flags = set(line.split())
    for level, needs in LEVELS.items():
        if not set(needs.split()) <= flags or OTHER:
            break
        best = level
    return best


def case(function):
    CASES[function.__name__.replace("_", " ")] = function
    return function
