# SPDX-License-Identifier: BSD-2-Clause
"""Rules of every text file: layout, licence line, words, scripts, links."""
import json
import re
import subprocess

SPDX = "SPDX-License-Identifier: BSD-2-Clause"
# Captured output and fuzz inputs are kept as they were found.
AS_FOUND = ("tests/fuzz/corpus/", "tests/hosts/cases/", "tests/oracle/cases/")
# What describes the place where a tree was made rather than the tree; spelled apart so that this file passes.
FOREIGN_WORDS = [re.compile(word) for word in (
    r"(?<![\w}])/wor" r"k/", r"\bTO" r"DO\b", r"\bFIX" r"ME\b", r"\bXX" r"X\b", r"pypi\.(org|io)", r"pythonhosted\.org",
    r"npmjs\.(org|com)", r"proxy\.golang\.org", r"crates\.io", r"snapshot\.debian\.org", r"nodesource\.com",
    r"(archive|ports|security)\.ubuntu\.com", r"(ftp|security)\.[a-z.]*debian\.org")]


def as_found(name):
    return name.startswith(AS_FOUND)


def white_space(tree):
    for name, text in tree.texts():
        if as_found(name) or not text:
            continue
        if not text.endswith("\n") or text.endswith("\n\n"):
            yield f"{name}: want exactly one newline at the end"
        for number, line in enumerate(text.split("\n"), 1):
            if line != line.rstrip():
                yield f"{name}:{number}: white space at the end of the line"
            if "\t" in line and name.endswith((".py", ".json", ".build", ".md")):
                yield f"{name}:{number}: a tab"


def licence_line(tree):
    for name, text in tree.texts():
        script = text.startswith("#!")
        if not script and not name.endswith((".c", ".h", ".py", "meson.build")):
            continue
        lines = text.split("\n")
        if SPDX not in lines[1 if script else 0]:
            yield f"{name}:{2 if script else 1}: want the line {SPDX}"


def foreign_words(tree):
    for name, text in tree.texts():
        if as_found(name):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            for word in FOREIGN_WORDS:
                found = word.search(line)
                if found:
                    yield f"{name}:{number}: {found.group()}"


def shell_scripts(tree):
    names = [name for name, _ in tree.scripts("sh")]
    if not names:
        yield "no shell script was found"
        return
    done = subprocess.run(["shellcheck", "--format=gcc", "--severity=style", "--shell=dash", *names],
                          cwd=tree.top, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        yield from done.stdout.splitlines()
    for name in names:
        done = subprocess.run(["dash", "-n", name], cwd=tree.top, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            yield done.stderr.strip()


def python_scripts(tree):
    standard = __import__("sys").stdlib_module_names
    local = {name.rsplit("/", 1)[-1][:-3] for name, _ in tree.texts(".py")}
    allowed = set(standard) | local | {"jsonschema", "prometheus_client", "yaml"}
    for name, text in dict(list(tree.texts(".py")) + list(tree.scripts("python3"))).items():
        try:
            compile(text, name, "exec")
        except SyntaxError as fault:
            yield f"{name}:{fault.lineno}: {fault.msg}"
        for found in re.finditer(r"^\s*(?:import|from) (\w+)", text, re.M):
            if found.group(1) not in allowed:
                number = text.count("\n", 0, found.start()) + 1
                yield f"{name}:{number}: {found.group(1)} is not in the standard library"


def json_files(tree):
    def unique(pairs):
        keys = [key for key, _ in pairs]
        if len(keys) != len(set(keys)):
            raise ValueError(f"a key is there twice in {keys}")
        return dict(pairs)

    for name, text in tree.texts(".json"):
        if as_found(name) or name.startswith("tests/"):
            continue
        try:
            json.loads(text, object_pairs_hook=unique)
        except ValueError as fault:
            yield f"{name}: {fault}"


def links(tree):
    for name, text in tree.texts(".md"):
        for found in re.finditer(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            if not (tree.top / name).parent.joinpath(found.group(1)).exists():
                yield f"{name}: links to {found.group(1)}, which is not there"


def suites(tree):
    table = tree.bytes["tests/run"].decode()
    for name in tree.names:
        found = re.fullmatch(r"tests/([\w-]+)/run", name)
        if found and f'    "{found.group(1)}": (' not in table:
            yield f"{name}: has no row in the table of tests/run"
    units = tree.bytes["tests/unit/meson.build"].decode()
    for name in tree.names:
        found = re.fullmatch(r"tests/unit/test_(\w+)\.c", name)
        if found and f"'{found.group(1)}'" not in units:
            yield f"{name}: is not listed in tests/unit/meson.build"


RULES = {
    "no white space at line ends, one newline at the end": white_space,
    "the licence line comes first": licence_line,
    "the tree speaks of itself alone": foreign_words,
    "shell scripts pass shellcheck and dash": shell_scripts,
    "python scripts compile and need the standard library only": python_scripts,
    "JSON is valid and without duplicate keys": json_files,
    "links in documents lead somewhere": links,
    "every suite and unit test is run": suites,
}
