# SPDX-License-Identifier: BSD-2-Clause
"""Rules of manual pages, and of what the program says about itself: help, completions, schemas agree with them."""
import json
import re
import subprocess
import sys
import tempfile

import jsonschema

from tree import line_of

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
HELP_ROW = re.compile(r"^ +(?:-\w, )?(--[a-z][a-z-]*)", re.M)
TRANSCRIPT = re.compile(r"^<!-- transcript: (\S+) (.+?) -->\n```\n(.*?)^```$", re.M | re.S)
SHELLS = ("bash", "zsh", "fish")


def said(tree, *arguments):
    """What the program prints; a rule that asks for what is not there fails with the message."""
    done = subprocess.run([str(tree.program), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if done.returncode:
        raise RuntimeError(f"ampere-crypto {' '.join(arguments)}: status {done.returncode}: {done.stdout.strip()[-200:]}")
    return done.stdout


def commands(tree):
    """The commands that --help lists, each on a line of two blanks, a name and a summary."""
    return re.findall(r"^  ([a-z][a-z-]*) {2,}\S", said(tree, "--help"), re.M)


def option_words(text):
    return set(OPTION.findall(text.replace("\\-", "-")))


def options(tree, command):
    return set(HELP_ROW.findall(said(tree, command, "--help")))


def man_pages(tree):
    pages = list(tree.texts(".scd", under="man/"))
    if not pages:
        yield "man/ holds no page"
    for name, text in pages:
        roff = subprocess.run(["scdoc"], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
        if roff.returncode:
            yield f"{name}: scdoc: {roff.stderr.strip()}"
            continue
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=roff.stdout, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        # scdoc writes a paragraph macro after every heading and indented block; it shows nowhere.
        yield from (f"{name}: {line}" for line in lint.stdout.splitlines()
                    if "skipping paragraph macro: PP" not in line)


def help_and_pages(tree):
    """Each command has a page, and the options of both are the same."""
    names = commands(tree)
    if not names:
        yield "--help lists no command"
    main_page = tree.bytes.get("man/ampere-crypto.1.scd", b"").decode()
    for name in names:
        if name not in main_page:
            yield f"man/ampere-crypto.1.scd: does not name the command {name}"
        page = f"man/ampere-crypto-{name}.1.scd"
        if page not in tree.bytes:
            yield f"{page} is missing"
            continue
        text = tree.bytes[page].decode()
        section = re.search(r"^# OPTIONS\n(.*?)(?=^# |\Z)", text, re.M | re.S)
        helped, paged = options(tree, name), option_words(section.group(1) if section else "")
        common = option_words(main_page)
        for option in sorted(helped - paged - common):
            yield f"{page}: {option} of {name} --help is not there"
        for option in sorted(paged - helped):
            yield f"{page}: {option} is not an option of {name}"


def formats(tree):
    """The formats of --output that the program names are those of its help, its completions and every page that has the option."""
    done = subprocess.run([str(tree.program), "version", "--output", "zzzzzzzzz=x"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    listed = re.search(r"; ([a-z, ]+) are there", done.stderr)
    names = set(re.split(r", | and ", listed.group(1))) if listed else set()
    if len(names) < 2:
        yield f"--output: an unknown format does not name those that are there: {done.stderr.strip()[-200:]}"
    for name in sorted(names):
        done = subprocess.run([str(tree.program), "version", "--output", f"{name}=-"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode or not done.stdout:
            yield f"--output {name}=-: status {done.returncode}: {done.stdout.strip()[-200:]}"
        yield from (f"completion {shell}: the format {name} is not there" for shell in SHELLS
                    if f"{name}=" not in said(tree, "completion", shell))
    for command in commands(tree):
        row = re.search(r"^ +-o, --output=\S+\s+(.*?)(?=^ +-|\Z)", said(tree, command, "--help"), re.M | re.S)
        entry = re.search(r"^\*-o\*, \*--output\*.*\n((?:\t.*\n)+)",
                          tree.bytes.get(f"man/ampere-crypto-{command}.1.scd", b"").decode(), re.M)
        for name in sorted(names) if row else ():
            if not re.search(rf"\b{name}\b", row.group(1)):
                yield f"{command} --help: --output does not name {name}"
            if not entry or f"*{name}*" not in entry.group(1):
                yield f"man/ampere-crypto-{command}.1.scd: --output does not name {name}"


def references(tree):
    """name(section) in a page names one of our pages, or one of another project."""
    ours = {name[4:-4] for name, _ in tree.texts(".scd", under="man/")}
    for name, text in tree.texts(".scd", under="man/"):
        for found in re.finditer(r"\b(ampere-crypto[\w-]*|capture|waivers|profile)\*?_?\*?\(([15])\)", text):
            page = f"{found.group(1)}.{found.group(2)}"
            if page not in ours and f"ampere-crypto-{page}" not in ours:
                yield f"{name}: refers to {found.group(1)}({found.group(2)}), which is not there"


def completions(tree):
    names = commands(tree)
    for shell in SHELLS:
        script = said(tree, "completion", shell)
        done = subprocess.run([shell, "-n", "/dev/stdin"], input=script, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode or done.stderr:
            yield f"completion {shell}: {done.stderr.strip()[-200:]}"
        for name in names:
            if not re.search(rf"\b{name}\b", script):
                yield f"completion {shell}: the command {name} is not there"
            for option in sorted(options(tree, name)):
                if not re.search(rf"(--|(?<![\w-])){option[2:]}(?![\w-])", script):
                    yield f"completion {shell}: the option {option} of {name} is not there"


def schemas(tree):
    """Every schema that the build installs is one."""
    files = sorted(tree.build.glob("src/cli/*.schema.json"))
    if not files:
        yield f"{tree.build} holds no schema: run tests/run, which builds"
    for file in files:
        try:
            schema = json.loads(file.read_text())
            jsonschema.validators.validator_for(schema).check_schema(schema)
        except (ValueError, jsonschema.SchemaError) as fault:
            yield f"{file.name}: {str(fault)[:200]}"


def exit_statuses(tree):
    """The numbers of enum exit_code stand in the manual page."""
    header = tree.bytes["src/base/error.h"].decode()
    page = tree.bytes.get("man/ampere-crypto.1.scd", b"").decode()
    section = re.search(r"^# EXIT STATUS\n(.*?)(?=^# |\Z)", page, re.M | re.S)
    for found in re.finditer(r"^\s*(EXIT_\w+) = (\d+)", header, re.M):
        if not section or not re.search(rf"\b{found.group(2)}\b", section.group(1)):
            yield f"man/ampere-crypto.1.scd: EXIT STATUS does not explain {found.group(2)} ({found.group(1)})"


def transcripts(tree):
    """A code block of a document after `<!-- transcript: MACHINE ARGUMENTS -->` is what the program prints of MACHINE."""
    for name, text in tree.texts(".md"):
        for found in TRANSCRIPT.finditer(text):
            machine, arguments, block = found.groups()
            with tempfile.NamedTemporaryFile(suffix=".json") as capture:
                subprocess.run([sys.executable, "-B", str(tree.top / "tests/hosts/gen/host.py"),
                                str(tree.top / f"tests/hosts/machines/{machine}.json"), "--capture", capture.name],
                               check=True)
                done = subprocess.run([str(tree.program), *arguments.split(), "--root", capture.name], text=True,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      check=False)
            shown = f"$ ampere-crypto {arguments}\n{done.stdout}"
            if shown != block:
                (tree.work / "transcript").write_text(shown)
                yield (f"{name}:{line_of(text, found.start())}: the program prints something else now, "
                       f"see {tree.work}/transcript")


RULES = {
    "manual pages pass mandoc": man_pages,
    "help and manual pages agree": help_and_pages,
    "formats of --output agree everywhere": formats,
    "manual pages refer to pages that are there": references,
    "completions are complete and valid": completions,
    "schemas are schemas": schemas,
    "exit statuses are explained": exit_statuses,
    "transcripts are what the program prints": transcripts,
}
