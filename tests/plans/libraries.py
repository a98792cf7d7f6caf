# SPDX-License-Identifier: BSD-2-Clause
"""Libraries of the target's system are part of the key: which file it is decides, not where and since when it is there."""
import os
import shutil
import struct

from plans import WORK, dump, make_recipes, require, tree_of

TOP = WORK / "libraries"
SONAME = "libplans.so.1"
AARCH64, X86_64 = 183, 62
MADE = {
    "linked": {"needed": ["libc.so.6", SONAME],
               "tools": [{"kind": "header", "name": "plans.h", "debian": "libplans-dev", "of-target": True, "soname": SONAME}]},
    "other": {"needed": ["libc.so.6"]},
}


def library(build_id, machine=AARCH64, rest=b""):
    """ELF64 (System V gABI): the header, one program header, PT_NOTE, and a GNU build id."""
    note = struct.pack("<III4s", 4, len(build_id), 3, b"GNU\0") + build_id if build_id else struct.pack("<III4s", 4, 0, 1, b"GNU\0")
    header = struct.pack("<4sBBBB8xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0, 3, machine, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return header + struct.pack("<IIQQQQQQ", 4, 4, 120, 120, 120, len(note), len(note), 4) + note + rest


def put(content, version="1.0.0", directory="usr/lib/aarch64-linux-gnu"):
    """A sysroot that has the library, as packages for developers install it."""
    shutil.rmtree(TOP, ignore_errors=True)
    where = TOP / "sysroot" / directory
    where.mkdir(parents=True)
    if content is not None:
        (where / f"libplans.so.{version}").write_bytes(content)
        (where / "libplans.so").symlink_to(f"libplans.so.{version}")
    return where / f"libplans.so.{version}"


def trees(tool=None):
    made = MADE if tool is None else {**MADE, "linked": {**MADE["linked"], "tools": [{**MADE["linked"]["tools"][0], **tool}]}}
    recipes = str(make_recipes(made, "libraries"))
    plan = dump({"target": "altra", "arch": "x86_64", "compiler": "gcc-12", "sysroot": str(TOP / "sysroot"), "recipes": recipes,
                 "wanted": ["linked", "other"]})
    return tree_of(plan, "linked"), tree_of(plan, "other")


def keys(content, **more):
    put(content, **more)
    return tuple(tree["key"] for tree in trees())


def build_ids():
    ours = keys(library(b"\x01" * 20))
    put(library(b"\x01" * 20))
    require(trees()[0]["system"] == [SONAME, "1.0.0", "build-id " + "01" * 20], "system", trees()[0]["system"])
    other = keys(library(b"\x02" * 20))
    require(ours[0] != other[0], "another build id keeps the key of what is linked with it")
    require(ours[1] == other[1], "another library changes the key of what is not linked with it")
    require(keys(library(b"\x01" * 20), version="1.0.1")[0] != ours[0], "another version keeps the key")


def places():
    ours = keys(library(b"\x01" * 20))
    path = put(library(b"\x01" * 20))
    os.utime(path, ns=(1, 1))
    require(trees()[0]["key"] == ours[0], "when it was installed changes the key")
    for directory in ("lib/aarch64-linux-gnu", "usr/lib64", "lib64", "usr/local/lib", "usr/lib", "lib"):
        require(keys(library(b"\x01" * 20), directory=directory) == ours, "the place changes the key:", directory)


def contents():
    """Without a build id the bytes count."""
    ours = keys(library(b"", rest=b"a"))
    require(keys(library(b"", rest=b"a")) == ours, "the same bytes give two keys")
    require(keys(library(b"", rest=b"b"))[0] != ours[0], "other bytes keep the key")
    require(trees()[0]["system"][2].startswith("sha256 "), "system", trees()[0]["system"])


def none():
    """What is no library of the target is as if it were not there."""
    missing = keys(None)
    whole = library(b"\x01" * 20)
    for name, content in {"another machine": library(b"\x01" * 20, machine=X86_64), "a script": b"INPUT(libplans.so.1)\n", "nothing": b"",
                          "half a header": whole[:40]}.items():
        require(keys(content) == missing and trees()[0]["system"] == [], name, "is taken for the library")
    (TOP / "sysroot/usr/lib").mkdir(exist_ok=True)
    require(keys(whole) != missing, "the library is not found")


def damaged():
    """Sizes and offsets that lie are not believed: the bytes count."""
    for at, size in ((32, 8), (64 + 8, 8), (64 + 32, 8), (120, 4), (124, 4)):
        content = bytearray(library(b"\x01" * 20))
        content[at:at + size] = b"\xff" * size
        put(bytes(content))
        tree = trees()[0]
        require(tree["system"][2].startswith("sha256 "), "identity of a damaged one", at, tree["system"])


def conditions():
    put(library(b"\x01" * 20))
    require(trees({"when": {"arches": ["x86_64"]}})[0]["system"] == [], "a tool for others counts")
    require(trees({"when": {"arches": ["aarch64"]}})[0]["system"], "a tool with a condition that holds does not count")


def tests():
    for test in (build_ids, places, contents, none, damaged, conditions):
        yield "libraries of the system - " + test.__name__.replace("_", " "), test, ()
