# SPDX-License-Identifier: BSD-2-Clause
"""What is changed in tiny.py's recipe, and what must come of it."""
from tiny import LIB, RUN_PATH, step

BOTH, NATIVE, ALTRA = ("native", "altra"), ("native",), ("altra",)
CASES = []


class Case:
    def __init__(self, name, change, targets, wanted, code):
        self.name, self.change, self.targets, self.wanted, self.code = name, change, targets, wanted, code


def fails(name, wanted, targets=NATIVE, code=4):
    """A change after which the proof fails with a message that holds `wanted`."""
    return lambda change: CASES.append(Case(name, change, targets, wanted, code))


def holds(name, targets=NATIVE, **wanted):
    """A change after which it holds; `wanted` are lines of the manifest, _ for what is no letter."""
    return lambda change: CASES.append(Case(name, change, targets, wanted, 0))


def linked(name, wanted, *words, where="library", targets=BOTH):
    """A change of the linker's words."""
    def change(tiny):
        tiny.step(where)["argv"] += words
    fails(name, wanted, targets)(change)


def run_path(name, path, wanted="want $ORIGIN"):
    """Another run path of the program."""
    @fails(f"a run path with {name}", f"bin/tiny: its run path has '{wanted}'", BOTH)
    def change(tiny):
        tiny.step("program")["argv"][-1] = RUN_PATH + path


holds("nothing", BOTH, products="2 files are there", answer="tiny 42", smoke="known answers")(lambda tiny: None)
linked("a library that the recipe does not allow", "lib/libtiny.so.1: needs libm.so.6", "-Wl,--no-as-needed", "-lm")
run_path("an absolute place", "/opt/tiny/lib", "/opt/tiny/lib")
run_path("an absolute place behind a right one", "$ORIGIN/../lib:/lib", "/lib")
run_path("a place of the working directory", "$ORIGIN/../lib:lib", "lib")
run_path("an empty place", "$ORIGIN/../lib::$ORIGIN", "")
run_path("an empty place at its end", "$ORIGIN/../lib:", "")
run_path("a place above the trees", "$ORIGIN/../../../lib", "$ORIGIN/../../../lib")
run_path("another tree", "$ORIGIN/../../other-1-0123456789abcdef/lib", "$ORIGIN/../../other-1-0123456789abcdef/lib")
run_path("another variable", "$ORIGIN/../$LIB", "$ORIGIN/../$LIB")
run_path("a longer variable", "$ORIGINS/../lib", "$ORIGINS/../lib")
linked("a DT_RPATH", "bin/tiny: has a DT_RPATH", "-Wl,--disable-new-dtags", where="program")
linked("an executable stack", "lib/libtiny.so.1: wants an executable stack", "-Wl,-z,execstack")


@holds("a run path with braces", BOTH)
def _(tiny):
    tiny.step("program")["argv"][-1] = RUN_PATH + "${ORIGIN}/../lib:$ORIGIN"


@fails("text relocations", "lib/libtiny.so.1: its code is changed while it is loaded", BOTH)
def _(tiny):
    tiny.sources["tiny.c"] += '__asm__(".text\\n.balign 8\\n.quad tiny_add\\n");\n'
    tiny.step("library")["argv"] += ["-Wl,-z,notext"]


@fails("a program of this machine", "bin/native: is for another machine", ALTRA)
def _(tiny):
    tiny.recipe["steps"].append(step("native", "gcc", "-o", "{stage}{prefix}/bin/native", "{source}/main.c"))
    tiny.sources["main.c"] = "int main(void) { return 0; }\n"


@fails("a program of another machine", "bin/foreign: is for another machine")
def _(tiny):
    tiny.recipe["steps"].append(step("foreign", "aarch64-linux-gnu-gcc", "-o", "{stage}{prefix}/bin/foreign",
                                     "{source}/main.c"))
    tiny.sources["main.c"] = "int main(void) { return 0; }\n"


@fails("a program that is cut short", "bin/short: ")
def _(tiny):
    tiny.recipe["steps"].append(step("short", "dd", f"if={LIB}/libtiny.so.1", "of={stage}{prefix}/bin/short", "bs=100",
                                     "count=1"))


@holds("an object and an archive", BOTH)
def _(tiny):
    tiny.recipe["steps"] += [
        step("object", "{cc}", "{cflags}", "-c", "-o", LIB + "/tiny.o", "{source}/tiny.c"),
        step("archive", "{ar}", "rc", LIB + "/libtiny.a", LIB + "/tiny.o")]
    tiny.recipe["scanned"].append("lib/libtiny.a")


@fails("an instruction that the CPU has and the code does not", "no sha256h in lib/libtiny.so.1, which code for Ampere Altra", ALTRA)
def _(tiny):
    tiny.sources["tiny.c"] = tiny.sources["tiny.c"].replace("sha256h q0, q1, v2.4s", "")


@fails("an instruction that the CPU lacks", "lib/libtiny.so.1: eor3 in tiny_add (1), which Ampere Altra lacks", ALTRA)
def _(tiny):
    tiny.sources["tiny.c"] = tiny.sources["tiny.c"].replace(
        "{ return a + b; }",
        '{ __asm__ volatile(".arch_extension sha3\\n eor3 v0.16b, v1.16b, v2.16b, v3.16b" ::: "v0"); return a + b; }')


@fails("a function that nobody calls dispatched", "eor3 in tiny_unrolled_eor3 (1)", ALTRA)
def _(tiny):
    tiny.recipe["dispatched"] = ["tiny_unrolled"]


PROBE = """
__asm__(".text\\n.globl tiny_sha256_probe\\n.type tiny_sha256_probe, %function\\n"
        "tiny_sha256_probe:\\nsha256h q0, q1, v2.4s\\nret\\n.size tiny_sha256_probe, . - tiny_sha256_probe\\n");
"""


@fails("an instruction that is only tried", "no sha256h in lib/libtiny.so.1", ALTRA)
def _(tiny):
    tiny.sources["tiny.c"] = tiny.sources["tiny.c"].replace("sha256h q0, q1, v2.4s", "") + PROBE
    tiny.recipe["probes"] = ["tiny_*_probe"]


@holds("an instruction that is tried and used", ALTRA)
def _(tiny):
    tiny.sources["tiny.c"] += PROBE
    tiny.recipe["probes"] = ["tiny_*_probe"]


@holds("a stripped library", ALTRA, instructions_of_lib_libtiny_so_1="unknown: stripped")
def _(tiny):
    tiny.recipe["dispatched"] = []
    tiny.recipe["steps"].append(step("strip", "{strip}", LIB + "/libtiny.so.1"))


@fails("a stripped library without an instruction", "no pmull in lib/libtiny.so.1, which code for Ampere Altra", ALTRA)
def _(tiny):
    tiny.sources["tiny.c"] = tiny.sources["tiny.c"].replace("pmull v0.1q, v1.1d, v2.1d", "")
    tiny.recipe["steps"].append(step("strip", "{strip}", LIB + "/libtiny.so.1"))


@fails("a file to be scanned that is not there", "lib/libother.so: No such file", ALTRA)
def _(tiny):
    tiny.recipe["scanned"] = ["lib/libother.so"]


@fails("a product that is not there", "lib/libother.so was not built")
def _(tiny):
    tiny.recipe["products"].append("lib/libother.so")


@fails("a product that is a link to nothing", "lib/libother.so was not built")
def _(tiny):
    tiny.recipe["products"].append("lib/libother.so")
    tiny.recipe["steps"].append(step("nothing", "ln", "-s", "nothing", LIB + "/libother.so"))


def links(*targets):
    def change(tiny):
        tiny.recipe["steps"].append({"name": "host", "phase": "stage", "link": "{stage}{prefix}/etc/host",
                                     "to": list(targets)})
        tiny.recipe["outside"] = ["etc/host"]
        tiny.recipe["products"].append("etc/host/passwd")
    return change


holds("a link to the first place that is there")(links("/absent", "/etc", "/usr"))
fails("a link to another place that is there", "etc/host/passwd was not built")(links("/absent", "/usr", "/etc"))
fails("a link to nothing that is there", "etc/host/passwd was not built")(links("/absent", "/absent/too"))


@fails("a wrong answer", "smoke.c: ended with status 1: add: 41", BOTH)
def _(tiny):
    tiny.sources["tiny.c"] = tiny.sources["tiny.c"].replace("a + b;", "a + b - 1;")


@fails("answers of which one is wrong", "smoke.c: second: WRONG, fourth of them: MISSING;")
def _(tiny):
    tiny.smoke = tiny.smoke.replace("    return", """    puts("first: right\\nsecond: WRONG\\nthird: there\\nfourth of them: MISSING\\nWRONG: fifth");
    return 1 +""")


@fails("a wrong answer that ends well", "smoke.c: first: WRONG;")
def _(tiny):
    tiny.smoke = tiny.smoke.replace("    return", """    puts("first: WRONG");\n    return""")


@holds("answers that are named", BOTH, smoke="first, second one; by the libraries of this tree")
def _(tiny):
    tiny.smoke = tiny.smoke.replace("    return", """    puts("first: right\\nsecond one: there");\n    return""")


@holds("what this machine cannot show", certificates="not proved: there are none", smoke="known answers")
def _(tiny):
    tiny.smoke = tiny.smoke.replace("    return", """    puts("certificates: not proved: there are none");
    return""")


@holds("instructions in one of several files", ALTRA)
def _(tiny):
    tiny.recipe["scanned"].append("bin/tiny")


@fails("an instruction in none of several files", "no sha256h in lib/libtiny.so.1, bin/tiny, which", ALTRA)
def _(tiny):
    tiny.recipe["scanned"].append("bin/tiny")
    tiny.sources["tiny.c"] = tiny.sources["tiny.c"].replace("sha256h q0, q1, v2.4s", "")


@fails("a smoke.c that does not compile", "compiling smoke.c: ", BOTH)
def _(tiny):
    tiny.smoke = tiny.smoke.replace("tiny_add(40, 2) !=", "tiny_subtract(40, 2) !=")


@fails("a smoke.c that is missing", "smoke.c: No such file", code=2)
def _(tiny):
    tiny.smoke = None


@fails("a .pc file that is missing", "pkg-config of smoke.c: pkg-config ended with status 1")
def _(tiny):
    tiny.recipe["smoke"] = ["tiny-2"]


@fails("a .pc file of this machine", "pkg-config of smoke.c: pkg-config ended with status 1")
def _(tiny):
    tiny.recipe["smoke"] = ["tiny", "libcjson"]


@fails("a crash", "smoke.c: was ended by signal 6", BOTH)
def _(tiny):
    tiny.smoke = tiny.smoke.replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>").replace(
        "    return", "    abort();\n    return")


@holds("garbage beside right answers", BOTH)
def _(tiny):
    tiny.smoke = tiny.smoke.replace("    return", '    for (int i = 0; i < 65536; i++) putchar(i & 255);\n    return')


@fails("garbage without end", "smoke.c: prints more than 1048576 bytes")
def _(tiny):
    tiny.smoke = tiny.smoke.replace("    return",
                                    '    for (int i = 0; i < 1100000; i++) putchar(i & 255);\n    return')


@fails("an end that says nothing of what was loaded", "smoke.c: did not say what it loaded")
def _(tiny):
    tiny.smoke = tiny.smoke.replace("#include <stdio.h>", "#include <stdio.h>\n#include <unistd.h>").replace(
        "    return", "    _exit(0);\n    return")


@fails("another library of the same name in front", "/trap/libtiny.so.1, not ", BOTH)
def _(tiny):
    tiny.recipe["steps"] += [step("trap", "mkdir", LIB + "/trap"),
                             step("copy", "cp", LIB + "/libtiny.so.1", LIB + "/trap/libtiny.so.1")]
    tiny.step("tiny.pc")["lines"][4] += " -Wl,-rpath,${prefix}/lib/trap"


@fails("a library that is not used", "smoke.c: did not load ")
def _(tiny):
    tiny.smoke = tiny.smoke.replace("tiny_add(40, 2)", "42")
    tiny.step("tiny.pc")["lines"][4] = "Libs: -Wl,--as-needed -L${prefix}/lib -ltiny"


@fails("a provided library that is not there", "lib/libtiny.so.2 was not built")
def _(tiny):
    tiny.recipe["provides"]["libraries"].append("libtiny.so.2")


@fails("another answer of a run", "answer: 'tiny 43' is missing in its output", BOTH)
def _(tiny):
    tiny.proof(has=["tiny 43"])


@fails("text that must not be there", "answer: 'tiny' is in its output")
def _(tiny):
    tiny.proof(lacks=["tiny"])


@fails("another status of a run", "answer: ", BOTH)
def _(tiny):
    tiny.proof(status=3)


@fails("a program of a run that is not there", "answer: ")
def _(tiny):
    tiny.proof(argv=["{tree}/bin/absent"])


def prints(name, lines, wanted, **keys):
    """A run that prints these lines, judged by these keys of the proof; no `wanted`: it is right."""
    def change(tiny):
        text = "".join(f'"{line}\\n"' for line in lines) or '""'
        tiny.sources["tool.c"] = tiny.sources["tool.c"].replace('"tiny %d\\n", tiny_add(40, 2)',
                                                                f'"%s", tiny_add(1, 1) == 2 ? {text} : ""')
        tiny.proof(has=[], **keys)
    (fails(name, f"answer: {wanted}") if wanted else holds(name))(change)


# The output of dpdk-test-crypto-perf --ptest verify: lcore, buffer, burst, enqueued, dequeued, three kinds of failures.
HEAD = "    lcore id    Buf Size  Burst size    Enqueued    Dequeued  Failed Enq  Failed Deq  Failed Ops"
ROW = "           1          64          32          64          64           0           0           0"
prints("rows of operations", [HEAD, "", ROW], None, operations=64)
prints("two rows of operations", [HEAD, ROW, ROW], None, operations=64)
prints("operations that failed", [HEAD, ROW[:-1] + "7"], "7 of 64 operations failed", operations=64)
prints("operations that failed in another row", [HEAD, ROW, ROW[:-1] + "7"], "7 of 64 operations failed", operations=64)
prints("operations that could not be taken back", [HEAD, ROW.replace("0           0           0",
                                                                     "0           2           0")],
       "2 of 64 operations failed", operations=64)
prints("fewer operations", [HEAD, ROW.replace("  64          64           0", "  64          32           0")],
       "32 of 64 operations came back", operations=64)
prints("no rows", [HEAD], "its output has no row of operations", operations=64)
prints("a row that is cut", [HEAD, ROW[:-12]], "its output has no row of operations", operations=64)
prints("the number that is wanted", ["word=0x11ffd"], None, number="word=", equals="0x11ffd")
prints("a number but for ignored bits", ["word=0x11ffd"], None, number="word=", equals="0x119fd", ignored="0x600")
prints("another number", ["word=0x11ffd"], "word=0x11ffd, want 0x119fd", number="word=", equals="0x119fd")
prints("a number that differs in more than ignored bits", ["word=0x11ffc"], "word=0x11ffc, want 0x119fd",
       number="word=", equals="0x119fd", ignored="0x600")
prints("a number with something behind it", ["word=0x119fdg"], "there is no number behind 'word='",
       number="word=", equals="0x119fd")
prints("no number", ["other=0x1"], "'word=' is missing in its output", number="word=", equals="0x119fd")
