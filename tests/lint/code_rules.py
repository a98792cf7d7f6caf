# SPDX-License-Identifier: BSD-2-Clause
"""Rules of C code: who includes whom, what is banned, sizes, layout."""
import json
import re
import shlex
import subprocess

from tree import line_of

# A module includes headers of itself and of the modules its row names.
MAY_INCLUDE = {
    "base": set(),
    "host": {"base"},
    "check": {"base", "host"},
    "catalog": {"base", "host"},
    "engine": {"base", "host"},
    "audit": {"base", "host", "check", "catalog"},
    "tune": {"base", "host", "check", "catalog", "engine"},
    "setup": {"base", "host", "check", "catalog", "engine"},
    "bench": {"base", "host", "check", "catalog", "engine"},
    # It runs the other commands as programs, and knows none of them.
    "provision": {"base"},
    "report": {"base", "host", "check", "catalog", "audit", "tune", "setup", "bench"},
    "cli": {"base", "host", "check", "catalog", "engine", "audit", "tune", "setup", "bench", "provision", "report"},
    # Programs of their own: nothing of the main one but its base.
    "fetch": {"base"},
    "unpack": {"base"},
    "kat-bench": {"base"},
}
BANNED_CALLS = re.compile(r"\b(strcpy|strcat|sprintf|vsprintf|strtok|strtok_r|gets|atoi|atol|atoll|atof|system|popen"
                          r"|tmpnam|tempnam|mktemp|alloca|strncpy|strncat|scanf|sscanf|fscanf)\s*\(")
BANNED_WORDS = re.compile(r"\bgoto\b|\btypedef\s+struct\b|\bsetjmp\b|\blongjmp\b")
OPENING_CALLS = re.compile(r"(?<![\w>.])(open|openat|fopen|opendir|fdopendir|stat|lstat|fstatat|access|faccessat|"
                           r"readlink|readlinkat|scandir|glob|nftw|fts_open|ifstream)\s*\(")
# base/file and base/process open what the user named; the host is read in host/root and host/live.
# setup reads and writes its prefix and asks the build machine's own tools; engine/run watches what it started;
# tune/tree reads and writes below the tree that is tuned; provision keeps the results of the stages that it starts.
OPENERS = re.compile(r"src/base/(file|process|beneath)\w*\.c|src/host/(root|live)\w*\.c|src/setup/\w+\.c|src/tune/tree\.c|src/engine/run\w*\.c|src/provision/(run|state)\.c|src/fetch/(local|sandbox)\.c|src/unpack/(main|writer)\.c|src/kat-bench/machine\.c")
# libpci opens by path what the program itself holds as a descriptor.
OWN_DESCRIPTORS = {"src/host/pci_space.c": "access"}
# The brace of a block follows these; that of an initialiser does not.
BLOCK = re.compile(r"^\s*$|\) $|\b(else|do) $")
BRACE = re.compile(r"[{}]")
FILE_LINES, FUNCTION_LINES, NESTING, COLUMNS, TAB = 400, 60, 4, 100, 8


def include_direction(tree):
    for name, text in tree.texts(".c", ".h", under="src/"):
        module = name.split("/")[1]
        if module not in MAY_INCLUDE:
            yield f"{name}: the module {module} has no row in tests/lint/code_rules.py"
            continue
        for found in re.finditer(r'^\s*#\s*include\s+"([^"]+)"', text, re.M):
            target = found.group(1)
            other = target.split("/")[0]
            if "/" not in target:
                yield f"{name}:{line_of(text, found.start())}: want \"module/file.h\", not \"{target}\""
            elif other != module and other not in MAY_INCLUDE[module]:
                yield f"{name}:{line_of(text, found.start())}: {module} must not include {target}"


def banned(tree):
    for name, code in tree.code(".c", ".h"):
        for found in list(BANNED_CALLS.finditer(code)) + list(BANNED_WORDS.finditer(code)):
            yield f"{name}:{line_of(code, found.start())}: {found.group().rstrip('( ')} is banned"


def host_access(tree):
    for name, code in tree.code(".c", ".h"):
        if OPENERS.fullmatch(name):
            continue
        for found in OPENING_CALLS.finditer(code):
            before = code[max(0, found.start() - 8):found.start()]
            if not before.endswith("struct ") and OWN_DESCRIPTORS.get(name) != found.group(1):
                yield f"{name}:{line_of(code, found.start())}: {found.group(1)}() belongs to host/root"


def sizes(tree):
    for name, text in list(tree.texts(".c", ".h")) + list(tree.texts(".py")) + list(tree.scripts("python3")):
        lines = text.count("\n")
        if lines > FILE_LINES:
            yield f"{name}: {lines} lines, want {FILE_LINES} at most"
    for name, text in tree.texts(".c", ".h"):
        for number, line in enumerate(text.split("\n"), 1):
            width = len(line.expandtabs(TAB))
            if width > COLUMNS:
                yield f"{name}:{number}: {width} columns, want {COLUMNS} at most"


def functions(tree):
    """A function starts with a `{` in the first column and ends with the next `}` there; its tables do not count."""
    for name, code in tree.code(".c", ".h", under=""):
        body = None
        for number, line in enumerate(code.split("\n"), 1):
            if line == "{":
                body = Body(number)
            if body is None:
                continue
            body.add(number, line)
            if line == "}":
                yield from (f"{name}:{fault}" for fault in body.faults())
                body = None


class Body:
    """The lines of one function."""

    def __init__(self, start):
        self.start, self.lines, self.depth, self.deepest, self.deepest_line = start, 0, 0, 0, start
        self.opened = []

    def add(self, number, line):
        in_table = 0 in self.opened
        for found in BRACE.finditer(line):
            if found.group() == "}":
                self.depth -= self.opened.pop()
                continue
            self.opened.append(1 if BLOCK.search(line[:found.start()]) and not in_table else 0)
            self.depth += self.opened[-1]
            if self.depth > self.deepest:
                self.deepest, self.deepest_line = self.depth, number
        self.lines += not (in_table and 0 in self.opened)

    def faults(self):
        length = self.lines - 2
        if length > FUNCTION_LINES:
            yield f"{self.start}: a function of {length} lines, want {FUNCTION_LINES} at most"
        if self.deepest - 1 > NESTING:
            yield f"{self.deepest_line}: nested {self.deepest - 1} deep, want {NESTING} at most"


def headers(tree):
    database = tree.build / "compile_commands.json"
    if not database.exists():
        yield f"{database} is missing: run tests/run, which builds"
        return
    for entry in json.loads(database.read_text()):
        if entry["file"].endswith("src/cli/main.c"):
            break
    words = shlex.split(entry["command"])
    flags = [word for word in words[1:] if word.startswith(("-D", "-I", "-W", "-std", "-isystem"))]
    for name, text in tree.texts(".h", under="src/"):
        if "#pragma once" not in text:
            yield f"{name}: want #pragma once"
        for compiler, extra in (("gcc", []), ("clang", ["-Wno-unknown-warning-option"])):
            done = subprocess.run([compiler, *flags, *extra, "-Wno-pragma-once-outside-header",
                                   "-Wno-unused-function", "-Werror",
                                   "-fsyntax-only", "-x", "c", str(tree.top / name)], cwd=entry["directory"],
                                  stderr=subprocess.PIPE, text=True, check=False)
            faults = [line for line in done.stderr.splitlines() if "#pragma once in main file" not in line]
            if any(": error:" in line and "[-Werror]" not in line for line in faults):
                yield f"{name}: does not compile alone with {compiler}: {faults[0]}"


def globals_constant(tree):
    """Writable data of the release objects; constants with relocations are in .data.rel.ro."""
    archives = sorted(tree.release.glob("src/*.a")) + sorted(tree.release.glob("src/*/*.p/*.o"))
    if not archives:
        yield f"{tree.release} holds no objects: run tests/run, which builds"
    for archive in archives:
        listed = subprocess.run(["objdump", "-t", str(archive)], stdout=subprocess.PIPE, text=True, check=True)
        for line in listed.stdout.splitlines():
            found = re.match(r"\S+ .{7} (\S+)\s+(\S+) (.*)$", line)
            if not found or int(found.group(2), 16) == 0:
                continue
            section, symbol = found.group(1), found.group(3)
            if re.match(r"\.(data|bss|tbss|tdata)(?!\.rel\.ro)|\*COM\*", section):
                yield f"{archive.name}: {symbol} can change ({section})"


def layout(tree):
    version = subprocess.run(["clang-format", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    if " 14." not in version:
        raise tree.skip("the layout is that of clang-format 14, this is another version")
    names = [name for name, _ in tree.texts(".c", ".h")]
    done = subprocess.run(["clang-format", "--dry-run", "--Werror", *names], cwd=tree.top, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode:
        yield from (line for line in done.stderr.splitlines() if ": error:" in line)


RULES = {
    "modules include downwards only": include_direction,
    "banned functions and words are not used": banned,
    "the host is opened in host/root only": host_access,
    "files are at most 400 lines of 100 columns": sizes,
    "functions are at most 60 lines, nested 4 deep": functions,
    "every header compiles alone": headers,
    "no global can change": globals_constant,
    "clang-format has nothing to change": layout,
}
