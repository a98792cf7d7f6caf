# SPDX-License-Identifier: BSD-2-Clause
"""Small root directories with this machine's C library and programs made on the spot, for the real loader and for the model."""
import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import NamedTuple

# Without the C library's start files, so that the program asks for no version newer than its first one.
SOURCE = r"""
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
static int show(struct dl_phdr_info *info, size_t size, void *none)
{
    (void)size, (void)none;
    printf("LOADED %s\n", info->dlpi_name);
    return 0;
}
#ifdef __x86_64__
__attribute__((force_align_arg_pointer))
#endif
void _start(void) { exit(dl_iterate_phdr(show, 0)); }
"""


def interpreter(path):
    """PT_INTERP of a 64-bit little-endian ELF file, None when it has none or is something else."""
    with open(path, "rb") as file:
        head = file.read(64)
        if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01":
            return None
        at, size, count = struct.unpack_from("<Q", head, 32)[0], *struct.unpack_from("<HH", head, 54)
        file.seek(at)
        table = file.read(size * count)
        for i in range(count):
            kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", table, i * size)
            if kind == 3:
                file.seek(offset)
                return file.read(length).rstrip(b"\0").decode()
    return None


INTERP = interpreter("/usr/bin/env")
LOADER = os.path.realpath(INTERP)
DIRECTORY = os.path.dirname(LOADER).removeprefix("/usr")  # /lib/TRIPLET, or /lib64
# Another release's loader, for the made-up roots; its libc.so.6 lies beside it.
OTHER = os.environ.get("ORACLE_LOADER")


class Machine(NamedTuple):
    """Where programs for an architecture come from, and where its loader looks."""

    gcc: str
    interp: str
    loader: str  # the loader's file on this machine; its libc.so.6 lies beside it
    directory: str


HERE = Machine("gcc", INTERP, OTHER or LOADER, DIRECTORY)
ARM = Machine("aarch64-linux-gnu-gcc", "/lib/ld-linux-aarch64.so.1",
              "/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1", "/lib/aarch64-linux-gnu")


def patch(path, offset, data):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(data)


def change_tag(path, old, new):
    """Another tag for the first entry `old` of the dynamic section."""
    data = Path(path).read_bytes()
    at, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", data, at + i * size)
        for entry in range(offset, offset + length, 16) if kind == 2 else ():
            if struct.unpack_from("<Q", data, entry)[0] == old:
                patch(path, entry, struct.pack("<Q", new))
                return
    raise ValueError(f"{path}: no dynamic entry {old}")


class World:
    """One root directory. Paths are absolute within it."""

    compiled = {}  # arguments -> file: the same object is compiled once

    def __init__(self, top, name, machine=HERE):
        self.machine = machine
        self.top = Path(top) / name
        self.stubs = Path(top) / "stubs" / name
        self.objects = Path(top) / "objects"
        shutil.rmtree(self.top, ignore_errors=True)
        shutil.rmtree(self.stubs, ignore_errors=True)
        for path in (self.top, self.stubs, self.objects):
            path.mkdir(parents=True, exist_ok=True)
        interp, loader, directory = machine.interp, machine.loader, machine.directory
        for path in ("/etc/ld.so.conf.d", "/proc", "/dev", "/tmp", directory, "/usr" + directory):
            self.path(path).mkdir(parents=True, exist_ok=True)
        for file in (loader, os.path.dirname(loader) + "/libc.so.6"):
            shutil.copy(file, self.path(f"{directory}/{os.path.basename(file)}"))
        if not self.path(interp).exists():
            self.link(interp, f"{directory}/{os.path.basename(loader)}")
        self.write("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n")

    def path(self, path):
        return self.top / path.lstrip("/")

    def write(self, path, text):
        self.path(path).parent.mkdir(parents=True, exist_ok=True)
        self.path(path).write_bytes(text if isinstance(text, bytes) else text.encode())

    def link(self, path, target):
        self.path(path).parent.mkdir(parents=True, exist_ok=True)
        self.path(path).symlink_to(target)

    def conf(self, name, *lines):
        self.write(f"/etc/ld.so.conf.d/{name}", "".join(line + "\n" for line in lines))

    def ldconfig(self, *options):
        subprocess.run(["/sbin/ldconfig", "-r", str(self.top), *options], check=True, timeout=30,
                       stderr=subprocess.DEVNULL)

    def compile(self, target, source, options):
        key = (self.machine.gcc, source, *options)
        made = World.compiled.get(key)
        if not made:
            made = self.objects / f"{len(World.compiled)}.elf"
            subprocess.run([self.machine.gcc, "-w", "-x", "c", "-", "-x", "none", "-o", str(made), *options], input=source, text=True, check=True,
                           timeout=60, cwd=self.objects)
            World.compiled[key] = made
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(made, target)

    def options(self, needs, soname, rpath, runpath, versions, more):
        options = [f"-Wl,-rpath,{rpath}", "-Wl,--disable-new-dtags"] if rpath is not None else []
        options += [f"-Wl,-rpath,{runpath}", "-Wl,--enable-new-dtags"] if runpath is not None else []
        options += [f"-Wl,-soname,{soname}"] if soname else []
        if versions:
            script = self.objects / f"{'-'.join(versions)}.map"
            script.write_text("".join(f"{v} {{ global: {v.lower()}; }};\n" for v in versions))
            options.append(f"-Wl,--version-script={script}")
        return options + ["-Wl,--no-as-needed", *(self.stub(need) for need in needs), *more, "-Wl,-z,undefs"]

    def stub(self, need):
        """What is linked against: a library that has only the name, or (NAME, VERSION…) one with versions."""
        name, versions = (need, ()) if isinstance(need, str) else (need[0], need[1:])
        target = self.objects / f"stubs-{self.machine.gcc}" / "-".join((name.replace("/", "%").replace("$", "%"), *versions))
        if not target.exists():
            source = "".join(f"int {v.lower()}(void) {{ return 0; }}\n" for v in versions) or "int nothing;\n"
            self.compile(target, source, ["-shared", "-fPIC", "-nostdlib", *self.options((), name, None, None, versions, ())])
        return str(target)

    def library(self, path, needs=(), soname="", rpath=None, runpath=None, versions=(), more=(), uses=()):
        """soname "": the file's name; None: none."""
        source = "".join(f"int {v.lower()}(void) {{ return 0; }}\n" for v in versions) or "int nothing;\n"
        source += "".join(f"extern int {v.lower()}(void); int (*use_{v})(void) = {v.lower()};\n" for v in uses)
        self.compile(self.path(path), source, ["-shared", "-fPIC", "-nostdlib",
                     *self.options(needs, os.path.basename(path) if soname == "" else soname, rpath, runpath, versions, more)])

    def program(self, path, needs=(), soname=None, rpath=None, runpath=None, more=(), uses=()):
        source = SOURCE + "".join(f"extern int {v.lower()}(void); int (*use_{v})(void) = {v.lower()};\n" for v in uses)
        self.compile(self.path(path), source, ["-fPIE", "-pie", "-nostartfiles", *self.options(needs, soname, rpath, runpath, (), more)])
