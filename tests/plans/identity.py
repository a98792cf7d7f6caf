# SPDX-License-Identifier: BSD-2-Clause
"""Which compiler it is decides the key: its command, its files, its version; wrappers are looked through."""
import os
import shutil

import compilers
from plans import WORK, dump, require, tree_of

MACHINE = "aarch64-linux-gnu"


def world(path, **more):
    return {"target": "ampereone-ac04", "arch": "x86_64", "compiler": "gcc-13", "cc": path, "wanted": ["openssl"], **more}


def key(path, **more):
    return tree_of(dump(world(path, **more)), "openssl")["key"]


def fresh():
    shutil.rmtree(WORK / "identity", ignore_errors=True)
    return compilers.stand_in(WORK / "identity", "gcc-13", MACHINE)


def same_file():
    path = fresh()
    require(key(str(path)) == key(str(path)), "one compiler gives two keys")


def changed_file():
    path = fresh()
    before = key(str(path))
    os.utime(path, ns=(1, 1))
    require(before != key(str(path)), "an updated compiler keeps the key")


def other_version():
    path = fresh()
    before, status = key(str(path)), path.stat()
    with open(path, "r+") as text:
        new = text.read().replace("13.2.0", "13.3.0")
        text.seek(0)
        text.write(new)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    require(before != key(str(path)), "another version keeps the key")


def wrapped():
    """CC="wrapper gcc": probed through the wrapper, used as it was said."""
    path = fresh()
    wrapper = path.parent / "wrapper"
    wrapper.write_text('#!/bin/sh\n"$@"\n')
    wrapper.chmod(0o755)
    plan = dump(world(f"{wrapper} {path}"))
    require(plan.get("flags") == ["-mcpu=ampere1a"], "flags through a wrapper", plan.get("error"), plan.get("flags"))
    configure = tree_of(plan, "openssl")["steps"][0]["argv"]
    require(any(word.startswith("CC=") and str(path) in word for word in configure), "configure", configure)


def wrapped_clang():
    """The file that counts is the compiler's, not the wrapper's."""
    shutil.rmtree(WORK / "identity", ignore_errors=True)
    path = compilers.stand_in(WORK / "identity", "clang-16", MACHINE)
    wrapper = path.parent / "wrapper"
    wrapper.write_text('#!/bin/sh\n"$@"\n')
    wrapper.chmod(0o755)
    before = key(f"{wrapper} {path}")
    os.utime(path, ns=(1, 1))
    require(before != key(f"{wrapper} {path}"), "an updated compiler behind a wrapper keeps the key")


def no_compiler():
    plan = dump(world("/nowhere/gcc"))
    require(plan.get("exit") == 2 and "CC: there is no program /nowhere/gcc" in plan["error"], plan.get("error"))


def foreign_compiler():
    path = compilers.stand_in(WORK / "identity", "gcc-13", "x86_64-linux-gnu")
    plan = dump(world(str(path)))
    require(plan.get("exit") == 6 and "makes code for x86_64-linux-gnu, not for aarch64" in plan["error"], plan.get("error"))


def tests():
    for test in (same_file, changed_file, other_version, wrapped, wrapped_clang, no_compiler, foreign_compiler):
        yield "compiler - " + test.__name__.replace("_", " "), test, ()
