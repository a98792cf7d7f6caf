# SPDX-License-Identifier: BSD-2-Clause
"""A recipe that is built in a moment: a library, a program, a .pc file. Cases change one thing of it."""
import copy
import hashlib
import io
import json
import tarfile

HEADER = "int tiny_add(int a, int b);\n"
LIBRARY = """#include "tiny.h"
int tiny_add(int a, int b) { return a + b; }
#ifdef __aarch64__
void tiny_crypto(void)
{
    __asm__ volatile("aese v0.16b, v1.16b\\n aesmc v0.16b, v0.16b\\n"
                     "pmull v0.1q, v1.1d, v2.1d\\n sha1c q0, s1, v2.4s\\n sha256h q0, q1, v2.4s" ::: "v0");
}
void tiny_unrolled_eor3(void)
{
    __asm__ volatile(".arch_extension sha3\\n eor3 v0.16b, v1.16b, v2.16b, v3.16b" ::: "v0");
}
#endif
"""
PROGRAM = """#include "tiny.h"
#include <stdio.h>
int main(void) { return printf("tiny %d\\n", tiny_add(40, 2)) < 0; }
"""
SMOKE = """#include <stdio.h>
#include <tiny.h>
int main(void)
{
    printf("add: %d\\n", tiny_add(40, 2));
    return tiny_add(40, 2) != 42;
}
"""
LIB = "{stage}{prefix}/lib"
RUN_PATH = "-Wl,--enable-new-dtags,-rpath,"


def step(name, *argv, phase="build"):
    return {"name": name, "phase": phase, "argv": list(argv)}


RECIPE = {
    "name": "tiny",
    "summary": "built in a moment",
    "license": "BSD-2-Clause",
    "rules": [{"families": ["*"], "versions": ["*"], "why": "any", "references": ["this suite"]}],
    "steps": [
        step("directories", "mkdir", "-p", LIB + "/pkgconfig", "{stage}{prefix}/bin", "{stage}{prefix}/include",
             phase="configure"),
        step("library", "{cc}", "{cflags}", "-shared", "-fPIC", "-o", LIB + "/libtiny.so.1",
             "-Wl,-soname,libtiny.so.1", "{source}/tiny.c"),
        step("link", "ln", "-s", "libtiny.so.1", LIB + "/libtiny.so"),
        step("program", "{cc}", "{cflags}", "-o", "{stage}{prefix}/bin/tiny", "{source}/tool.c", "-L" + LIB, "-ltiny",
             RUN_PATH + "$ORIGIN/../lib"),
        step("header", "cp", "{source}/tiny.h", "{stage}{prefix}/include/tiny.h", phase="stage"),
        {"name": "tiny.pc", "phase": "stage", "write": LIB + "/pkgconfig/tiny.pc",
         "lines": ["prefix=${pcfiledir}/../..", "Name: tiny", "Description: tiny", "Version: 1",
                   "Libs: -L${prefix}/lib -ltiny", "Cflags: -I${prefix}/include"]},
    ],
    "products": ["lib/libtiny.so.1", "bin/tiny"],
    "needed": ["libc.so.6", "ld-linux-*.so.*"],
    "scanned": ["lib/libtiny.so.1"],
    "instructions": ["aese", "aesmc", "pmull", "sha256h", "eor3"],
    "dispatched": ["tiny_unrolled_*"],
    "smoke": ["tiny"],
    "proofs": [{"name": "answer", "argv": ["{tree}/bin/tiny"], "has": ["tiny 42"]}],
    "provides": {"pkg-config": ["tiny"], "libraries": ["libtiny.so.1"]},
}


class Tiny:
    """The recipe and its sources, to be changed and then written for one run."""

    def __init__(self):
        self.recipe = copy.deepcopy(RECIPE)
        self.sources = {"tiny.h": HEADER, "tiny.c": LIBRARY, "tool.c": PROGRAM}
        self.smoke = SMOKE

    def step(self, name):
        return next(one for one in self.recipe["steps"] if one["name"] == name)

    def proof(self, **changes):
        self.recipe["proofs"][0].update(changes)

    def write(self, where, version):
        """The directories of --recipes and --mirror."""
        mirror, directory = where / "mirror", where / "recipes" / self.recipe["name"]
        mirror.mkdir(parents=True, exist_ok=True)
        directory.mkdir(parents=True)
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w:gz") as archive:
            for name, text in self.sources.items():
                entry = tarfile.TarInfo(f"{self.recipe['name']}-{version}/{name}")
                entry.size = len(text.encode())
                archive.addfile(entry, io.BytesIO(text.encode()))
        file = f"{self.recipe['name']}-{version}.tar.gz"
        (mirror / file).write_bytes(raw.getvalue())
        self.recipe["versions"] = [{"version": version, "status": "supported", "sources": [
            {"file": file, "url": f"https://tiny.invalid/{file}",
             "sha256": hashlib.sha256(raw.getvalue()).hexdigest()}]}]
        (directory / "recipe.json").write_text(json.dumps(self.recipe, indent=1))
        if self.smoke is not None:
            (directory / "smoke.c").write_text(self.smoke)
