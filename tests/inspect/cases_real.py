# SPDX-License-Identifier: BSD-2-Clause
"""Libraries of Debian for arm64: every instruction counted as by objdump, every function as readelf has it."""
import fnmatch
import json
import subprocess
from collections import Counter

from a64 import FAMILIES
from tools import TOP, WORK, counts, disassemble, functions, inspect, symbols, tool

LIBRARIES = ["usr/lib/aarch64-linux-gnu/libcrypto.so.3", "usr/lib/aarch64-linux-gnu/libgcrypt.so.20",
             "lib/aarch64-linux-gnu/libc.so.6"]
ARCHIVE = "usr/lib/aarch64-linux-gnu/libcrypto.a"
# What disassemblers and tables can disagree on where data is taken for code: these only where data is told apart.
VAGUE = {"sve", "sme", "lse"}
LEAST = {"aese": 1000, "pmull": 100, "sha256h": 10, "sha512h": 10}


def fetch(suite, packages):
    root = WORK / suite
    done = subprocess.run([TOP / "contrib/apt-root", "-a", "arm64", "-s", suite, "-n", root, *packages], stdin=subprocess.DEVNULL,
                          check=False)
    return root if done.returncode == 0 else None


def same_counts(found, expected):
    wrong = {name: (found.get(name, 0), expected.get(name, 0)) for name in FAMILIES
             if found.get(name, 0) != expected.get(name, 0)}
    return f"found and expected: {wrong}" if wrong else None


def a_stripped_library(path):
    result = inspect(path)[0][0]
    expected = Counter(family for _, family in disassemble(FAMILIES, path))
    found = {name: count for name, count in counts(result).items() if name not in VAGUE}
    if not result["code"]["stripped"]:
        return "not called stripped"
    return same_counts(found, {name: count for name, count in expected.items() if name not in VAGUE})


def every_crypto_function_of_openssl(packages):
    """All of libcrypto linked into one static program, which has symbols and data among its code."""
    program, archive = WORK / "static", packages / ARCHIVE
    if not program.exists():
        tool("gcc", "-static", "-x", "c", "-", "-x", "none", "-o", program, "-Wl,--whole-archive", archive,
             "-Wl,--no-whole-archive", input="int main(void) { return 0; }\n")
    result, hits = inspect(program)[0][0], disassemble(FAMILIES, program)
    expected = Counter(family for _, family in hits)
    few = {name: expected[name] for name, least in LEAST.items() if expected[name] < least}
    if few:
        return f"the program is not what it should be: {few}"
    fault = same_counts(counts(result), expected)
    if fault:
        return fault
    # The archive holds the same code, less what of libc was linked with it; aes and sha are OpenSSL's alone.
    members = counts(inspect(archive)[0][0])
    wrong = {name: count for name, count in members.items() if name not in VAGUE and count != expected[name]}
    if wrong or not members["aese"]:
        return f"the archive has other counts: {wrong}"
    ranges = sorted(symbols(program))
    inside = Counter()
    for address, family in hits:
        for name in {name for start, end, name in ranges if start <= address < end}:
            inside[family, name] += 1
    wrong = {key: (count, inside[key]) for key, count in functions(result).items() if inside[key] != count}
    known = sum(count for (_, name), count in functions(result).items() if name)
    if known != len(hits):
        return f"{len(hits)} instructions, {known} in functions"
    return f"found and expected: {dict(list(wrong.items())[:8])}" if wrong else None


def what_altra_lacks_is_only_where_the_recipe_says(packages):
    """OpenSSL 3.5 as Debian builds it: the functions that it calls only where the CPU has the instruction."""
    recipe = json.loads((TOP / "recipes/openssl/recipe.json").read_text(encoding="utf-8"))
    code = inspect(packages / ARCHIVE, profile="altra")[0][0]["code"]
    foreign = [line.split(" in ")[1].rsplit(" (", 1)[0] for line in code["foreign"]]
    outside = sorted({name for name in foreign if not any(fnmatch.fnmatchcase(name, glob) for glob in recipe["dispatched"])})
    if outside or code["missing"]:
        return f"outside {outside}, missing {code['missing']}"
    return None if any("eor3" in name for name in foreign) else f"no function for EOR3: {foreign}"


def the_libcrypto_of_the_root(packages):
    """A program of the root gets the libcrypto that its RUNPATH names, else that of the default directories."""
    lib, app = packages / "opt/x/lib", packages / "opt/x/bin"
    for directory in (lib, app):
        directory.mkdir(parents=True, exist_ok=True)
    nothing = WORK / "nothing.o"
    tool("as", "-o", nothing, "-", input=".globl _start\n_start: ret\n")
    tool("ld", "-shared", "-soname", "libcrypto.so.3", "-o", lib / "libcrypto.so.3", nothing)
    tool("ld", "-shared", "-soname", "libmiddle.so", "-o", lib / "libmiddle.so", nothing, lib / "libcrypto.so.3")
    loader = ["-dynamic-linker", "/lib/ld-linux-aarch64.so.1"]
    tool("ld", *loader, "-pie", "-o", app / "plain", nothing, lib / "libcrypto.so.3")
    tool("ld", *loader, "-pie", "-o", app / "private", nothing, lib / "libcrypto.so.3", "-rpath", "$ORIGIN/../lib")
    tool("ld", *loader, "-pie", "-o", app / "through", nothing, lib / "libmiddle.so", "--allow-shlib-undefined", "-rpath", "/opt/x/lib",
         "--disable-new-dtags", "-rpath-link", lib)
    results, status = inspect("/opt/x/bin/plain", "opt/x/bin/private", "/opt/x/bin/through", root=packages)
    expected = [("/usr/lib/aarch64-linux-gnu/libcrypto.so.3", "/opt/x/bin/plain", "default director"),
                ("/opt/x/lib/libcrypto.so.3", "/opt/x/bin/private", "RUNPATH of /opt/x/bin/private"),
                ("/opt/x/lib/libcrypto.so.3", "/opt/x/lib/libmiddle.so", "RPATH of /opt/x/bin/through")]
    for result, (path, asked_by, reason) in zip(results, expected):
        library = result["libcrypto"]
        if not library or library["path"].replace("/usr/lib", "/lib").replace("bin/../", "") != path.replace("/usr/lib", "/lib"):
            return f"{result['path']} loads {library}"
        if library["asked_by"] != asked_by or reason not in library["reason"]:
            return f"{result['path']}: {library}"
    return None if status == 0 else f"exit status {status}"


def tests_of_trixie(packages):
    return [("what Altra lacks is only where the recipe of openssl says", (what_altra_lacks_is_only_where_the_recipe_says, packages))]


def tests(packages):
    rows = [(f"{path.rsplit('/', 1)[1]} as objdump counts it", (a_stripped_library, packages / path)) for path in LIBRARIES]
    rows.append(("functions of all of libcrypto as readelf has them", (every_crypto_function_of_openssl, packages)))
    rows.append(("the libcrypto that a root's programs get", (the_libcrypto_of_the_root, packages)))
    return rows


# Debian suite: (packages, tests)
SUITES = {"bookworm": (["libssl3", "libssl-dev", "libgcrypt20", "libc6"], tests), "trixie": (["libssl-dev"], tests_of_trixie)}
