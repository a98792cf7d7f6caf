# SPDX-License-Identifier: BSD-2-Clause
"""The loader of AArch64 (glibc of the cross compiler), emulated as an Altra: what differs from x86-64.

Neoverse N1 has the atomics feature; on AArch64 there are no glibc-hwcaps subdirectories.
"""
import os
import re
from pathlib import Path

from world import ARM

CASES = {}
DEFAULT, USR = ARM.directory, "/usr" + ARM.directory
CPUINFO = ("processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics\n"
           "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\n")


def glibc_release():
    """(2, 36), read from the banner of the C library beside the loader."""
    banner = re.search(rb"release version (\d+)\.(\d+)", (Path(os.path.dirname(ARM.loader)) / "libc.so.6").read_bytes())
    return tuple(map(int, banner.groups()))


def case(function):
    CASES["AArch64 " + function.__name__.replace("_", " ")] = function
    return function


@case
def default_directories_in_order(w):
    order = [DEFAULT, USR, "/lib", "/usr/lib"]
    names = [f"libd{i}.so.1" for i in range(4)]
    for i, name in enumerate(names):
        for directory in order[i:]:
            w.library(f"{directory}/{name}")
    w.program("/prog", names)
    return {"expect": {name: f"{order[i]}/{name}" for i, name in enumerate(names)}}


@case
def tokens(w):
    w.library("/opt/lib/aarch64-linux-gnu/libx.so.1")
    w.library("/opt/p/aarch64/liby.so.1")
    w.library("/opt/o/libz.so.1")
    w.program("/opt/bin/prog", ["libx.so.1", "liby.so.1", "libz.so.1"],
              runpath="/opt/$LIB:/opt/p/$PLATFORM:$ORIGIN/../o")
    return {"program": "/opt/bin/prog", "expect": {"libx.so.1": "/opt/lib/aarch64-linux-gnu/libx.so.1",
                                                   "liby.so.1": "/opt/p/aarch64/liby.so.1"}}


@case
def no_glibc_hwcaps_directories(w):
    for sub in ("glibc-hwcaps/x86-64-v2/", "glibc-hwcaps/aarch64/", ""):
        w.library(f"{DEFAULT}/{sub}libx.so.1")
    w.program("/prog", ["libx.so.1"])
    return {"expect": {"libx.so.1": f"{DEFAULT}/libx.so.1"}}


@case
def legacy_subdirectories(w):
    for sub in ("tls/aarch64/", "tls/atomics/", "aarch64/atomics/", "atomics/", ""):
        w.library(f"/opt/e/{sub}libx.so.1")
    for sub in ("aarch64/atomics/", "atomics/", "haswell/", ""):
        w.library(f"/opt/e/{sub}liby.so.1")
    for sub in ("atomics/", ""):
        w.library(f"{DEFAULT}/{sub}libz.so.1")
    w.program("/prog", ["libx.so.1", "liby.so.1", "libz.so.1"])
    # glibc 2.37 no longer looks into these directories (its NEWS says so).
    winner = "/opt/e/tls/aarch64/libx.so.1" if glibc_release() < (2, 37) else "/opt/e/libx.so.1"
    return {"library_path": "/opt/e", "expect": {"libx.so.1": winner}}


@case
def rpath_runpath_and_library_path(w):
    for directory in ("/opt/r", "/opt/e", "/opt/run"):
        w.library(f"{directory}/libx.so.1")
        w.library(f"{directory}/liby.so.1")
    w.library("/opt/r/libb.so.1", ["liby.so.1"], runpath="/opt/run")
    w.program("/prog", ["libx.so.1", "libb.so.1"], rpath="/opt/r")
    return {"library_path": "/opt/e", "expect": {"libx.so.1": "/opt/r/libx.so.1", "liby.so.1": "/opt/e/liby.so.1"}}


@case
def missing_versions(w):
    w.library(f"{DEFAULT}/libv.so.3", versions=["V_3_0"])
    w.program("/prog", [("libv.so.3", "V_3_0", "V_3_4")], uses=["V_3_0", "V_3_4"])
    return {"versions": {("/prog", "V_3_4")}}


@case
def libraries_of_another_machine_are_passed_over(w):
    w.write("/opt/a/libx.so.1", open("/bin/true", "rb").read())
    w.library("/opt/b/libx.so.1")
    w.program("/prog", ["libx.so.1"], runpath="/opt/a:/opt/b")
    return {"expect": {"libx.so.1": "/opt/b/libx.so.1"}}
