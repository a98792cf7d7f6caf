# SPDX-License-Identifier: BSD-2-Clause
"""Scratch trees to tune: small machines of tests/hosts with nothing tuned, what must be written in each, and how a tree is looked at."""
import hashlib
import json
import os
import shutil
import stat
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests/hosts/gen"), str(TOP / "tests/faults")]

import host  # noqa: E402
import machine as machines  # noqa: E402
from base import PROGRAM, RELEASE, WORK, check, fresh, start  # noqa: E402

CPU, NODE, SYSCTL = "/sys/devices/system/cpu", "/sys/devices/system/node", "/proc/sys"
THP = "/sys/kernel/mm/transparent_hugepage/enabled"
STATE, ETC = "var/lib/ampere-crypto", "etc"
# What an ordinary file of a scratch tree holds after a choice was written into it is the word alone.
UNTUNED = "altra-1p-defaults"


def described(**changes):
    """Altra as the factory ships it, with few CPUs and what differs."""
    return machines.merge(machines.merge(machines.load(UNTUNED), {"cpu": {"cores": 4, "cluster_cpus": 2}}), changes)


SMALL = described()
TWO_NODES = described(cpu={"packages": 2})
# Kernels of 64 KB pages: PMDs of 512 MB (Documentation/arch/arm64/hugetlbpage).
PAGES_64K = described(live={"kernel": "6.12.0-55.el10.aarch64+64k", "page_size_bytes": 65536})
LARGE = described(cpu={"packages": 2, "cores": 192})
WORLDS = {"one node": SMALL, "two nodes": TWO_NODES, "64K pages": PAGES_64K}


def make(name, description, at="root"):
    """The tree as a directory; /etc is as empty as a container's."""
    top = fresh(name)
    tree, live = host.build(description)
    tree.write_directory(str(top / at), live)
    for folder in ("etc/sysctl.d", "etc/modules-load.d", "etc/security/limits.d", "var/lib"):
        (top / at / folder).mkdir(parents=True, exist_ok=True)
    boot(top / at, "0b5f7c5e-3a0e-4f6c-9d7e-6f1f0a2b4c6d")
    return top / at


def boot(root, number):
    path = root / "proc/sys/kernel/random/boot_id"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(number + "\n")


def copy(base, root):
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(base, root, symlinks=True)


def look(root, times=False, skip=(STATE,)):
    """{path: what it is}: bytes as a digest, links, modes, owners; with times also when it was changed."""
    found = {}
    for folder, names, files in os.walk(root):
        for name in [*names, *files, "."]:
            path = os.path.normpath(os.path.join(folder, name))
            relative = os.path.relpath(path, root)
            if any(relative == part or relative.startswith(part + "/") for part in skip):
                continue
            status = os.lstat(path)
            what = [status.st_mode, status.st_uid, status.st_gid]
            if stat.S_ISLNK(status.st_mode):
                what.append(os.readlink(path))
            elif stat.S_ISREG(status.st_mode):
                with open(path, "rb") as stream:
                    what.append(hashlib.sha256(stream.read()).hexdigest())
            if times:
                what += [status.st_mtime_ns, status.st_ctime_ns]
            found[relative] = tuple(what)
    return found


def differing(before, after):
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def same(before, after, *context):
    found = differing(before, after)
    check(not found, "differ", found[:8], *context)


def text(root, path):
    return (root / path.lstrip("/")).read_text().strip()


def program():
    """The sanitizers make a run ten times as long; each thing is also run with them."""
    return RELEASE if RELEASE.exists() else PROGRAM


def tune(root, *words, fast=False, role="dpdk", **options):
    argv = [program() if fast else PROGRAM, "tune", "--root", root, *words]
    if role and "--revert" not in words:
        argv += ["--role", role]
    return start(argv, **options)


def document(result, code=None):
    """The document that a run printed, which must have ended with one of the codes."""
    check(code is None or result.code == code, result.code, result.out[-500:], result.err[-500:])
    try:
        return json.loads(result.out)
    except ValueError as problem:
        raise AssertionError(f"no document: {problem}: {result.code} {result.out[:200]!r} {result.err[-400:]!r}") from problem


def changes(found):
    return {change["id"]: change for change in found["results"]}


def audit(root, role="dpdk"):
    """{check: outcome}"""
    result = start([PROGRAM, "audit", "--json", "--role", role, "--root", root])
    return {finding["id"]: finding["outcome"] for finding in document(result)["results"]}


def advice_of(found):
    return found["summary"]["advice"]


def give_pages(root):
    """What a kernel does with the pages that were asked for: they are there, and free."""
    total = {}
    for path in (root / "sys/devices/system/node").glob("node*/hugepages/*/nr_hugepages"):
        path.with_name("free_hugepages").write_text(path.read_text())
        total[path.parent.name] = total.get(path.parent.name, 0) + int(path.read_text())
    for name, count in total.items():
        for file in ("nr_hugepages", "free_hugepages"):
            (root / "sys/kernel/mm/hugepages" / name / file).write_text(f"{count}\n")
