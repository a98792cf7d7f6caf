# SPDX-License-Identifier: BSD-2-Clause
"""What a file is and needs, as the linker was told; broken and hostile files."""
import random
import re
import subprocess

from tools import PROGRAM, WORK, assemble, inspect, link, tool

CODE = """
    .globl f
    .type f, %function
f: aese v0.16b, v1.16b
    .word 0xce000000
    ret
    .size f, . - f
"""
DAMAGED = 400


def what_the_linker_was_told():
    code = assemble("told", CODE)
    needed = link("libneeded.so", [code], "-shared", "-soname", "libneeded.so.1")
    library = link("told.so", [code, needed], "-shared", "-soname", "libtold.so.2", "-rpath", "/opt/a:$ORIGIN", "-z", "noexecstack")
    old = link("old.so", [code, needed], "-shared", "-rpath", "/opt/b", "--disable-new-dtags", "-z", "execstack")
    program = link("told", [code], "-pie", "-dynamic-linker", "/lib/ld-x.so.1", "-e", "f")
    static = link("told-static", [code], "-static", "-e", "f")
    expected = {
        code: {"kind": "object", "soname": None, "stack": None},
        library: {"kind": "library", "soname": "libtold.so.2", "needed": ["libneeded.so.1"], "runpath": "/opt/a:$ORIGIN",
                  "rpath": None, "interp": None, "stack": "not executable", "text_relocations": False},
        old: {"kind": "library", "soname": None, "runpath": None, "rpath": "/opt/b", "stack": "executable"},
        program: {"kind": "program", "interp": "/lib/ld-x.so.1", "needed": []},
        static: {"kind": "program", "interp": None, "needed": []},
    }
    results, _ = inspect(*expected)
    for result, (path, wanted) in zip(results, expected.items()):
        wrong = {key: result[key] for key, value in wanted.items() if result[key] != value}
        if wrong or result["machine"] != "aarch64" or result["bits"] != 64:
            return f"{path.name}: {wrong or result['machine']}"
    return None


def text_relocations():
    source = assemble("relocated", ".globl f\nf: ret\n.balign 8\n.xword outside\n")
    with_them = link("relocated.so", [source], "-shared", "-z", "notext", "--allow-shlib-undefined")
    if "TEXTREL" not in tool("readelf", "-d", with_them):
        return "the linker made none"
    result = inspect(with_them)[0][0]
    return None if result["text_relocations"] else "not seen"


def traces_of_compilers():
    rows = [(["-mcpu=neoverse-n1+crypto"], ["-mcpu=neoverse-n1+crypto"]), (["-march=armv8.2-a+crypto", "-mtune=ampere1"],
            ["-march=armv8.2-a+crypto", "-mtune=ampere1"]), (["-O1"], [])]
    for number, (flags, expected) in enumerate(rows):
        for record in (True, False):
            path = WORK / f"flags-{number}.so"
            tool("gcc", "-shared", "-fPIC", "-nostdlib", *flags, *(["-frecord-gcc-switches"] if record else []), "-x", "c", "-o",
                 path, "-", input="int f(int a) { return a + 1; }\n")
            result = inspect(path)[0][0]
            if result["flags_recorded"] != record or sorted(result["flags"]) != (sorted(expected) if record else []):
                return f"{flags}, recorded {record}: {result['flags']}"
            version = tool("gcc", "-dumpfullversion").strip()
            if not any(re.match(rf"GCC: .*\b{re.escape(version)}", line) for line in result["compilers"]):
                return f"{result['compilers']}, not {version}"
    return None


def a_broken_file_among_good_ones():
    good = assemble("good", CODE)
    text, empty = WORK / "text", WORK / "empty"
    text.write_text("not ELF\n")
    empty.write_bytes(b"")
    results, status = inspect(good, text, WORK / "absent", empty, WORK, good)
    problems = [bool(result["problem"]) for result in results]
    if problems != [False, True, True, True, True, False] or status != 2:
        return f"{[result['problem'] for result in results]}, exit status {status}"
    return None if inspect(good, good)[1] == 0 else "good files alone are trouble"


def other_architectures_are_not_counted():
    path = assemble("other", CODE)
    data = bytearray(path.read_bytes())
    data[18:20] = (62).to_bytes(2, "little")
    (WORK / "other.o").write_bytes(data)
    result = inspect(WORK / "other.o")[0][0]
    return None if result["code"] is None and result["machine"] == "x86_64" else f"{result}"


def damaged(original, choose):
    """One of several kinds of damage, mostly where headers, sections and symbols are."""
    data = bytearray(original)
    kind = choose.randrange(4)
    if kind == 0:
        return bytes(data[:choose.randrange(len(data))])
    headers = int.from_bytes(data[40:48], "little")
    for _ in range(choose.randint(1, 6)):
        at = choose.choice([choose.randrange(64), min(len(data) - 8, headers + choose.randrange(1024)), choose.randrange(len(data))])
        if kind == 1:
            data[at] ^= 1 << choose.randrange(8)
        else:
            value = choose.choice([0, 1, 0x7f, 0xff, 0xffff, 1 << 31, (1 << 64) - 1, len(data), len(data) - 1, 1 << 40])
            size = choose.choice([1, 2, 4, 8])
            data[at:at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    return bytes(data[:len(original)])


def damage_never_breaks_the_program(seed):
    """The sanitizers speak on standard error, which inspect() does not accept."""
    choose = random.Random(seed)
    originals = [assemble("hostile", CODE).read_bytes(),
                 link("hostile.so", [assemble("hostile", CODE)], "-shared", "-soname", "x").read_bytes()]
    (WORK / "hostile.a").unlink(missing_ok=True)
    tool("ar", "rc", WORK / "hostile.a", *[WORK / "hostile.o"] * 3, WORK / "all-data.o")
    originals.append((WORK / "hostile.a").read_bytes())
    directory = WORK / "damaged"
    directory.mkdir(exist_ok=True)
    paths = []
    for number in range(DAMAGED):
        paths.append(directory / f"{number}")
        paths[-1].write_bytes(damaged(originals[number % 3], choose))
    results, _ = inspect(*paths)
    if len(results) != DAMAGED:
        return f"{len(results)} results of {DAMAGED}"
    used = sum(1 for result in results if result["code"])
    return None if used > DAMAGED / 10 else f"the damage is too much: {used} of {DAMAGED} could be looked at"


def names_cannot_drive_a_terminal():
    data = assemble("names", ".globl fffffff\n.type fffffff, %function\nfffffff: aese v0.16b, v1.16b\n.size fffffff, 4").read_bytes()
    hostile = b"\x1b[2Jx\xff\xfe"
    if data.count(b"fffffff\0") != 1:
        return "the assembler wrote the name another way"
    path = WORK / "names-hostile.o"
    path.write_bytes(data.replace(b"fffffff\0", hostile + b"\0"))
    name = inspect(path)[0][0]["code"]["instructions"][0]["functions"][0]["name"]
    text = subprocess.run([PROGRAM, "inspect", path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False).stdout
    if b"\x1b" in text or b"\xff" in text or "[2J" not in name:
        return f"{name!r}, {text!r}"
    text.decode("utf-8")
    return None


def sections_over_each_other():
    """Many executable sections that are all the whole file would make a small file much work."""
    data = bytearray(assemble("overlap", CODE).read_bytes())
    size = len(data)
    header = bytearray(64)
    header[4:8] = (1).to_bytes(4, "little")
    header[8:16] = (6).to_bytes(8, "little")
    header[32:40] = size.to_bytes(8, "little")
    data[40:48] = size.to_bytes(8, "little")
    data[60:62] = (10000).to_bytes(2, "little")
    (WORK / "overlap.o").write_bytes(bytes(data) + bytes(header) * 10000)
    results, status = inspect(WORK / "overlap.o")
    if status != 2 or "overlap" not in (results[0]["problem"] or ""):
        return f"{results[0]['problem']}, exit status {status}"
    return None if results[0]["code"]["code_bytes"] <= size + 640000 else f"{results[0]['code']['code_bytes']} bytes looked at"


def tests(seed):
    return [
        ("a file is and needs what the linker was told", (what_the_linker_was_told,)),
        ("text relocations", (text_relocations,)),
        ("traces of compilers", (traces_of_compilers,)),
        ("a broken file among good ones", (a_broken_file_among_good_ones,)),
        ("other architectures are not counted", (other_architectures_are_not_counted,)),
        ("names of functions cannot drive a terminal", (names_cannot_drive_a_terminal,)),
        ("executable sections over each other", (sections_over_each_other,)),
        ("damage never breaks the program", (damage_never_breaks_the_program, seed + 2)),
    ]
