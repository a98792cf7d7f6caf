# SPDX-License-Identifier: BSD-2-Clause
"""Instructions: each found by its own name and as nothing else, data left out, functions named. What is expected is what was given
to the assembler."""
import random
import re

from a64 import FAMILIES, NEIGHBOURS
from tools import WORK, assemble, counts, functions, inspect, link, tool

VARIANTS = 8
FREE = re.compile(r"(?<=[vqszwx\[])[DNMAXYZ]\b|(?<=z)[DNMA](?=\.)|(?<=v)[DNMA](?=\.)|(?<=\[)x[XYZ]|\bI\b|(?<=#)J\b|(?<=\[)I(?=\])")
# Encodings that data is made of: every family's first one, as the assembler writes it.
ISLAND = [".word 0xce000000", ".word 0x4e284800", ".word 0x0ee0e000", ".word 0x5e000000", ".word 0xce408000"]


def operands(template, choose, extreme):
    """The template with registers: all 0, all of the highest number, or what `choose` gives."""
    def fill(found):
        kind = found[0].lstrip("x")
        highest = {"I": 3, "J": 63, "X": 30, "Y": 30, "Z": 30}.get(kind, 31)
        number = {0: 0, 1: highest}.get(extreme, choose.randint(0, highest))
        return ("x" if found[0][0] == "x" else "") + str(number)
    return FREE.sub(fill, template)


def variants(family, choose):
    return [operands(template, choose, number) for template in FAMILIES[family][1] for number in range(VARIANTS)]


def every_family_by_its_own_name(seed):
    choose = random.Random(seed)
    lines = {family: variants(family, choose) for family in FAMILIES}
    objects = [assemble(f"only-{family}", "\n".join(lines[family])) for family in FAMILIES]
    results, _ = inspect(*objects)
    for family, result in zip(FAMILIES, results):
        if counts(result) != {family: len(lines[family])}:
            return f"{family}: {len(lines[family])} assembled, {counts(result)} found"
        if result["code"]["instructions"][0]["extension"] != FAMILIES[family][0]:
            return f"{family}: extension {result['code']['instructions'][0]['extension']}"
    return None


def all_of_them_in_one_file(seed):
    choose = random.Random(seed)
    lines = {family: variants(family, choose) for family in FAMILIES}
    mixed = [line for part in lines.values() for line in part] + NEIGHBOURS.split("\n")
    choose.shuffle(mixed)
    found = counts(inspect(assemble("mixed", "\n".join(mixed)))[0][0])
    expected = {family: len(part) for family, part in lines.items()}
    return None if found == expected else f"expected {expected}, found {found}"


def neighbours_are_nothing():
    result = inspect(assemble("neighbours", NEIGHBOURS))[0][0]
    wanted = 4 * len(NEIGHBOURS.split("\n")[1:-1])
    if result["code"]["code_bytes"] != wanted:
        return f"{result['code']['code_bytes']} bytes looked at, {wanted} assembled"
    return None if not counts(result) else f"found {counts(result)}"


def data_in_the_code_is_not_counted():
    source = "\n".join(["aese v0.16b, v1.16b", "b 1f", *ISLAND, ".byte 1, 2, 3", ".balign 4", "1:", "aese v0.16b, v1.16b",
                        ".inst 0xce000000", *ISLAND])
    objects = [assemble("island", source), assemble("all-data", "\n".join(ISLAND))]
    objects.append(link("island.so", objects, "-shared"))
    results, _ = inspect(*objects)
    for result, expected in zip(results, ({"aese": 2, "eor3": 1}, {}, {"aese": 2, "eor3": 1})):
        if counts(result) != expected or not result["code"]["mapped"]:
            return f"{result['path']}: expected {expected}, found {counts(result)}"
    return None


def mapping_symbols_with_a_suffix():
    # aaelf64: "$x.<any>", "$d.<any>"
    path = assemble("suffix", "\n".join(["aese v0.16b, v1.16b", *ISLAND, "aesmc v0.16b, v1.16b"]))
    listed = tool("objcopy", "--redefine-sym", "$d=$d.7", "--redefine-sym", "$x=$x.text", path, WORK / "suffix-2.o")
    found = counts(inspect(WORK / "suffix-2.o")[0][0])
    if "$d.7" not in tool("readelf", "-sW", WORK / "suffix-2.o"):
        return f"the file has no such symbol: {listed}"
    return None if found == {"aese": 1, "aesmc": 1} else f"found {found}"


FUNCTIONS = """
    .globl plain, alias, unsized, exported
    .weak alias
    .type plain, %function
    .type alias, %function
    .type small, %function
    .type exported, %function
    .type table, %object
plain:
alias:
    aese v0.16b, v1.16b
inside:
    aese v0.16b, v1.16b
    .size plain, . - plain
    .size alias, . - alias
    eor3 v0.16b, v1.16b, v2.16b, v3.16b // between functions, before any label
lonely:
    sha1h s0, s1
unsized:
    sha1h s0, s1
label:
    sha1h s0, s1
small:
    aesmc v0.16b, v1.16b
    .size small, . - small
exported:
    aesd v0.16b, v1.16b
    aesd v0.16b, v1.16b
    .size exported, . - exported
    .globl outer
    .type outer, %function
    .type nested, %function
outer:
    bcax v0.16b, v1.16b, v2.16b, v3.16b
nested:
    bcax v0.16b, v1.16b, v2.16b, v3.16b
    bcax v0.16b, v1.16b, v2.16b, v3.16b
    .size nested, . - nested
    bcax v0.16b, v1.16b, v2.16b, v3.16b
    .size outer, . - outer
    .section .text.other, "ax"
    aesimc v0.16b, v1.16b
"""
NAMED = {("aese", "plain"): 2, ("eor3", None): 1, ("sha1h", "lonely"): 1, ("sha1h", "unsized"): 2, ("aesmc", "small"): 1,
         ("aesd", "exported"): 2, ("bcax", "outer"): 2, ("bcax", "nested"): 2, ("aesimc", None): 1}


def functions_are_named():
    path = assemble("functions", FUNCTIONS)
    results, _ = inspect(path, link("functions.so", [path], "-shared", "--unique=.text.other"))
    for result in results:
        if functions(result) != NAMED:
            return f"{result['path']}: {functions(result)}"
        if result["code"]["stripped"] or not result["code"]["mapped"]:
            return f"{result['path']}: called stripped"
    return None


def a_stripped_file_counts_and_says_so():
    library = link("strip.so", [assemble("functions", FUNCTIONS), assemble("island-2", "\n".join(ISLAND))], "-shared",
                   "--unique=.text.other")
    tool("objcopy", "--strip-all", library, WORK / "stripped.so")
    result = inspect(WORK / "stripped.so")[0][0]
    # Exported and sized: plain (and its weak alias), exported, outer; everything else is not known.
    expected = {("aese", "plain"): 2, ("aesd", "exported"): 2, ("bcax", "outer"): 4, ("sha1h", None): 3, ("aesmc", None): 1,
                ("eor3", None): 2, ("aesimc", None): 1, ("aese", None): 1, ("pmull", None): 1, ("sha1c", None): 1,
                ("sm3tt1a", None): 1}
    if not result["code"]["stripped"] or result["code"]["mapped"]:
        return "not called stripped"
    return None if functions(result) == expected else f"{functions(result)}"


def the_members_of_an_archive():
    objects = [assemble("functions", FUNCTIONS), assemble("a-member-with-a-long-name", "x: .word 0xce000000\naese v0.16b, v1.16b")]
    archive = WORK / "libmembers.a"
    archive.unlink(missing_ok=True)
    tool("ar", "rcs", archive, *objects, objects[0])
    expected = {key: 2 * count for key, count in NAMED.items()}
    # The mapping symbol $d covers the word; x is the nearest name before the instruction.
    expected["aese", "x"] = 1
    result = inspect(archive)[0][0]
    if (result["kind"], result["machine"], result["problem"]) != ("archive", "aarch64", None):
        return f"{result}"
    if functions(result) != expected:
        return f"{functions(result)}"
    text = WORK / "text.txt"
    text.write_text("no object\n")
    tool("ar", "rcs", archive, text)
    result = inspect(archive)[0][0]
    return None if result["problem"] == "member text.txt: not an object" else f"{result['problem']}"


def without_section_headers():
    library = link("headless.so", [assemble("functions", FUNCTIONS)], "-shared", "--unique=.text.other")
    data = bytearray(library.read_bytes())
    data[40:48] = bytes(8)
    data[58:64] = bytes(6)
    (WORK / "headless.so").write_bytes(data)
    result = inspect(WORK / "headless.so")[0][0]
    if not result["code"]["stripped"] or result["code"]["mapped"]:
        return "not called stripped"
    # What is mapped executable is headers and symbols too, which may look like the large classes.
    found = {name: count for name, count in counts(result).items() if name not in ("sve", "sme", "lse")}
    expected = {"aese": 2, "sha1h": 3, "aesmc": 1, "aesd": 2, "bcax": 4, "eor3": 1, "aesimc": 1}
    return None if found == expected else f"found {found}"


def profiles_say_what_is_foreign_and_missing():
    # facts: Altra's Neoverse N1 has neither SHA-3 nor SM3; AmpereOne AC03 has SHA-3 and no SM3, SM4; AC04 has all three
    source = "\n".join(["f:", "aese v0.16b, v1.16b", "eor3 v0.16b, v1.16b, v2.16b, v3.16b", "sm3partw1 v0.4s, v1.4s, v2.4s",
                        ".size f, . - f", ".type f, %function", ".globl g", "g:", *["sm4e v0.4s, v1.4s"] * 3])
    path = assemble("foreign", source)
    expected = {"altra": (["eor3 in f (1)", "sm3partw1 in f (1)", "sm4e in g (3)"], ["aesmc", "pmull", "sha1c", "sha256h"]),
                "ampereone-ac03": (["sm3partw1 in f (1)", "sm4e in g (3)"], ["aesmc", "pmull", "sha256h", "sha512h"]),
                "ampereone-ac04": ([], ["aesmc", "pmull", "sha256h", "sha512h"])}
    for profile, (foreign, missing) in expected.items():
        results, status = inspect(path, profile=profile)
        code = results[0]["code"]
        if (code["foreign"], code["missing"], status) != (foreign, missing, 0):
            return f"{profile}: {code['foreign']}, {code['missing']}, exit status {status}"
    return None


def tests(seed):
    return [
        ("every instruction by its own name and as nothing else", (every_family_by_its_own_name, seed)),
        ("all instructions in one file", (all_of_them_in_one_file, seed + 1)),
        ("instructions with close encodings are nothing", (neighbours_are_nothing,)),
        ("data in the code is not counted", (data_in_the_code_is_not_counted,)),
        ("mapping symbols with a suffix", (mapping_symbols_with_a_suffix,)),
        ("functions are named", (functions_are_named,)),
        ("a stripped file counts and says so", (a_stripped_file_counts_and_says_so,)),
        ("the members of an archive", (the_members_of_an_archive,)),
        ("without section headers", (without_section_headers,)),
        ("profiles say what is foreign and missing", (profiles_say_what_is_foreign_and_missing,)),
    ]
