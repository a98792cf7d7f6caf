# SPDX-License-Identifier: BSD-2-Clause
"""Roots that the loader is asked about. Where ld.so(8) or ldconfig(8) say what must come out, `expect`
states it too.

A case is a function on a World; it returns a dictionary: program (default /prog), library_path, preload,
secure (run for real by another user, the program set-user-ID), expect (what some names resolve to; None:
not found), versions (that are missing), stops (the file at which the loader refuses).
"""
import platform

from world import DIRECTORY

CASES = {}
DEFAULT, USR = DIRECTORY, "/usr" + DIRECTORY
BEST = {"x86_64": ["x86-64-v4", "x86-64-v3", "x86-64-v2"]}.get(platform.machine(), [])


def case(function):
    CASES[function.__name__.replace("_", " ")] = function
    return function
