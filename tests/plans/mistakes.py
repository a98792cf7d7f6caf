# SPDX-License-Identifier: BSD-2-Clause
"""Recipes that are wrong in one way each: one line that names the place, exit status 2, nothing started.

A row is the fault, what is done to a good recipe, the text at whose beginning the place is (None: no place, "": the top)
and words of the message.
"""
import copy
import json
import os
import shutil
import subprocess

from plans import LIMIT_S, PROGRAM, WORK, full_recipe, require
from plans import TOP as TREE

TOP = WORK / "mistakes"
SHA = "0" * 64
GOOD = full_recipe("good", {
    "versions": [{"version": "1.0", "status": "supported",
                  "sources": [{"file": "good-1.0.tar", "url": "https://example.org/good-1.0.tar", "sha256": SHA}]}],
    "lists": [{"name": "words", "items": [{"text": "word"}]}],
    "environment": ["MODE=fast"],
    "products": ["bin/good"],
    "proofs": [{"name": "runs", "argv": ["{tree}/bin/good"], "has": ["good"]}],
})


def setting(*path):
    """Changes a value: keys, indices, and the new value (DELETE: takes it away)."""
    *way, last, value = path

    def change(recipe):
        for key in way:
            recipe = recipe[key]
        if value is DELETE:
            del recipe[last]
        else:
            recipe[last] = value
    return change


DELETE = object()
SOURCE = ("versions", 0, "sources", 0)
STEP = ("steps", 0)
WRITE = {"name": "write it", "phase": "stage", "write": "{stage}{prefix}/a", "lines": ["a"]}


def step(**keys):
    """The only step is this one."""
    return setting("steps", [{"name": "wrong one", "phase": "build", **keys}])


ROWS = [
    ("an unknown key", setting("sumary", "x"), '"sumary"', ["sumary: unknown key", '"summary"']),
    ("an unknown key of a step", setting(*STEP, "shell", "rm"), '"shell"', ["shell: unknown key"]),
    ("a number for a text", setting("license", 5), '"license"', ["license: must be text, not a number"]),
    ("a text for an array", setting("products", "bin/good"), '"products"', ["products: must be an array of text"]),
    ("a text for true or false", setting("relocatable", "yes"), '"relocatable"', ["relocatable: must be true or false"]),
    ("null where it means nothing", setting("summary", None), '"summary"', ["summary: must be text, not null"]),
    ("a required key missing", setting("license", DELETE), "", ['"license" is missing']),
    ("a required key of a source missing", setting(*SOURCE, "url", DELETE), '{\n     "file"', ['"url" is missing']),
    ("a digest that is too short", setting(*SOURCE, "sha256", "0" * 63), '"sha256"', ["sha256: ", "does not match"]),
    ("a digest in capitals", setting(*SOURCE, "sha256", "A" * 64), '"sha256"', ["sha256: "]),
    ("a source over http", setting(*SOURCE, "url", "http://example.org/x"), '"url"', ["url: ", "https://"]),
    ("a source of this machine", setting(*SOURCE, "url", "file:///etc/passwd"), '"url"', ["url: "]),
    ("a file name with a slash", setting(*SOURCE, "file", "../x"), '"file"', ["file: "]),
    ("a size below one", setting(*SOURCE, "size", 0), '"size"', ["size: must be from 1 to"]),
    ("a size that is no whole number", setting(*SOURCE, "size", 1.5), '"size"', ["size: must be a whole number"]),
    ("a signature without a fingerprint", setting(*SOURCE, "signature", {"url": "https://example.org/x.asc"}), '"signature"',
     ['"fingerprint" is missing']),
    ("a fingerprint that is a short id", setting(*SOURCE, "signature", {"url": "https://example.org/x.asc", "fingerprint": "D0CB81EF"}),
     '"fingerprint"', ["fingerprint: "]),
    ("a commit that is a branch", setting("versions", 0, {"version": "1", "status": "supported",
                                                         "git": {"url": "https://example.org/x", "commit": "main"}}),
     '"commit"', ["commit: "]),
    ("git and sources", setting("versions", 0, "git", {"url": "https://example.org/x", "commit": "0" * 40}), '{\n   "version"',
     ["version 1.0: either sources or git"]),
    ("neither git nor sources", setting("versions", 0, "sources", DELETE), '{\n   "version"', ["version 1.0: either sources or git"]),
    ("an unknown status", setting("versions", 0, "status", "suported"), '"status"', ["status: ", '"supported"']),
    ("an ended version without a reason", setting("versions", 0, "status", "eol"), '"status"', ["version 1.0: this status needs a reason"]),
    ("supported without a digest", setting(*SOURCE, "sha256", DELETE), '"status"', ["version 1.0: a digest is missing"]),
    ("unpinned with a digest", setting("versions", 0, "status", "unpinned"), '"status"', ["version 1.0: every digest is there"]),
    ("a version twice", setting("versions", GOOD["versions"] * 2), '"version": "1.0"@2', ["version 1.0: stands twice"]),
    ("a version that is a path", setting("versions", 0, "version", "../1"), '"version": "..', ["version: "]),
    ("versions and no steps", setting("steps", []), '{\n   "version"', ["no steps"]),
    ("a step of two kinds", setting(*STEP, "write", "{stage}/x"), '{\n   "name": "make"', ["step make: exactly one of argv, write"]),
    ("a step of no kind", setting(*STEP, "argv", DELETE), '{\n   "name": "make"', ["step make: exactly one of argv, write"]),
    ("a step that runs nothing", setting(*STEP, "argv", []), '{\n   "name": "make"', ["step make: exactly one of argv, write"]),
    ("an edit without after", step(edit="{source}/a", insert=["b"]), '"edit"', ["step wrong one: an edit has either after or replace"]),
    ("an edit with after and replace", step(edit="{source}/a", after="a", replace="b", by="c"), '"edit"', ["either after or replace"]),
    ("replace without by", step(edit="{source}/a", replace="b"), '"replace"', ["replace needs a text, and by"]),
    ("replace of nothing", step(edit="{source}/a", replace="", by="c"), '"replace"', ["replace needs a text, and by"]),
    ("lines for a program", setting(*STEP, "lines", ["a"]), '"lines"', ["step make: lines is for steps that have write"]),
    ("a condition for the wrong kind of step", setting(*STEP, "unless-file", "{source}/x"), '"unless-file"', ["that have edit"]),
    ("a check of nothing", step(check="{build}/a"), '"check"', ["check needs has"]),
    ("a link to nowhere", step(link="{stage}/a"), '"link"', ["a link needs to"]),
    ("a file outside that is written", step(write="/etc/profile", lines=["a"]), '"write"', ["step wrong one: a path begins with {source}/"]),
    ("a file that is written above", step(write="{stage}/../../a", lines=["a"]), '"write"', ["has no .. in it"]),
    ("an unknown phase", setting(*STEP, "phase", "instal"), '"phase"', ["phase: ", "configure, build, stage"]),
    ("an absolute product", setting("products", ["/bin/good"]), '"/bin/good"', ["products[0]: "]),
    ("a product above the tree", setting("products", ["bin/good", "bin/../../good"]), '"bin/../../good"', ["products[1]: "]),
    ("a link that may lead out, outside itself", setting("outside", ["/etc/ssl"]), '"/etc/ssl"', ["outside[0]: "]),
    ("an unknown placeholder", setting(*STEP, "argv", ["make", "-C", "{sorce}"]), '"{sorce}"', ["argv[2]: ", "'{sorce}'", "'{source}'"]),
    ("an unknown placeholder of a proof", setting("proofs", 0, "argv", ["{three}/bin/good"]), '"{three}/bin', ["argv[0]: ", "'{tree}'"]),
    ("a placeholder of nothing in depends", setting(*STEP, "argv", ["make", "{dep:openssl}"]), '"{dep:openssl}"', ["nothing in depends"]),
    ("a list that is not there", setting(*STEP, "argv", ["make", "{list:wrods}"]), '"{list:wrods}"', ["'{list:wrods}' is no list"]),
    ("a list that refers to itself", setting("lists", 0, "items", [{"text": "{list:words}"}]), '"text"', ["text: ", "before its use"]),
    ("a list twice", setting("lists", GOOD["lists"] * 2), '"name": "words"@2', ["the list words stands twice"]),
    ("a list without items", setting("lists", 0, "items", DELETE), '{\n   "name": "words"', ['"items" is missing']),
    ("an environment without =", setting("environment", ["A=1", "MODE"]), '"MODE"', ["environment[1]: "]),
    ("a library that is linked but not allowed", setting("tools", [{"kind": "header", "name": "a.h", "debian": "a", "of-target": True,
                                                                   "soname": "liba.so.1"}]), '"soname"', ["does not stand in needed"]),
    ("a library of the build machine that is linked", setting("tools", [{"kind": "library", "name": "a", "debian": "a",
                                                                        "soname": "liba.so.1"}]), '"soname"', ["needs of-target"]),
    ("a path for a soname", setting("tools", [{"kind": "library", "name": "a", "debian": "a", "of-target": True,
                                              "soname": "../liba.so.1"}]), '"soname"', ["soname: "]),
    ("a shell's way into a tool's name", setting("tools", [{"kind": "program", "name": "a;rm", "debian": "a"}]), '"name": "a;rm"', ["name: "]),
    ("a condition of an unknown key", setting(*STEP, "when", {"arch": ["aarch64"]}), '"arch"', ["arch: unknown key", '"arches"']),
    ("a condition on a recipe that is never part", setting(*STEP, "when", {"with": ["openssl"]}), '"openssl"', ["not in depends"]),
    ("a condition of the recipe on its version", setting("when", {"versions": ["1"]}), '"versions": [\n   "1"', ["before its version is chosen"]),
    ("a dependency that hangs on the plan", setting("depends", [{"name": "openssl"}, {"name": "dpdk", "when": {"with": ["openssl"]}}]),
     '"with"', ["not known yet"]),
    ("a window that is no expression", setting("depends", [{"name": "openssl", "versions": ["< 3"]}]), '"< 3"', ["versions[0]: "]),
    ("a dependency that is nowhere", setting("depends", [{"name": "nowhere"}]), '"name": "nowhere"', ["name: ", "there is no recipe nowhere"]),
    ("a recipe that depends on itself", setting("depends", [{"name": "good"}]), '"name": "good"@2', ["circle: good, good"]),
    ("a proof that compares nothing", setting("proofs", 0, "number", "x="), '{\n   "name": "runs"', ["number and equals go together"]),
    ("another name than its directory's", setting("name", "better"), '"name"', ["name: ", "the name is better, its directory good"]),
    ("a name that no directory can have", setting("name", "Good One"), '"name"', ["name: "]),
]


def text_of(recipe):
    return json.dumps(recipe, indent=1)


def replaced(old, new):
    def change(text):
        require(text.count(old), "the good recipe has no", old)
        return text.replace(old, new, 1)
    return change


TEXTS = [
    ("a key twice", replaced('"license": "MIT",', '"license": "MIT",\n "license": "MIT",'), '"license"@2', ["license: the key stands twice"]),
    ("a byte order mark", lambda text: b"\xef\xbb\xbf" + text.encode(), "", ["byte order mark"]),
    ("a comment", replaced(' "license"', ' // ours\n "license"'), "// ours", []),
    ("a comma too many", replaced('"license": "MIT",', '"license": "MIT",,'), ',\n "rules"', []),
    ("a NUL", lambda text: text.replace("made up", "made\0up").encode(), None, [":"]),
    ("an escaped NUL", replaced("made up", "made\\u0000up"), None, ["recipe.json:3:"]),
    ("invalid UTF-8", lambda text: text.encode().replace(b"made up", b"made \xff up"), None, ["recipe.json:3:", "UTF-8"]),
    ("half a file", lambda text: text[:len(text) // 2], None, ["recipe.json:"]),
    ("an empty file", lambda text: "", None, ["recipe.json:1:1:"]),
    ("a list instead of an object", lambda text: "[]", "", ["must be an object, not an array"]),
    ("arrays without end", lambda text: "[" * 100000, None, ["recipe.json:1:"]),
    ("a huge file", lambda text: text + " " * (256 << 10), None, ["larger than 262144 bytes"]),
]


def place_of(text, marker):
    """LINE:COLUMN of a marker; MARKER@2 is its second occurrence."""
    marker, _, count = marker.partition("@")
    at = -1
    for _ in range(int(count or 1)):
        at = text.index(marker, at + 1)
    return f"{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


def fresh(text, name="good"):
    shutil.rmtree(TOP, ignore_errors=True)
    (TOP / "recipes" / name).mkdir(parents=True, mode=0o755)
    path = TOP / "recipes" / name / "recipe.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    for each in (TOP, TOP / "recipes", path.parent):
        each.chmod(0o755)
    path.chmod(0o644)
    return path


def setup(*arguments, recipe="good"):
    argv = [PROGRAM, "setup", "--dry-run", "--recipes", TOP / "recipes", "--prefix", TOP / "prefix", "--target", "native",
            *arguments, recipe]
    environment = {key: value for key, value in os.environ.items() if key not in ("CC", "CFLAGS")}
    return subprocess.run(argv, capture_output=True, timeout=LIMIT_S, check=False, text=True, env=environment)


def refused(path, place, words, status=2, recipe="good"):
    done = setup(recipe=recipe)
    lines = done.stderr.splitlines()
    require(done.returncode == status, "exit status", done.returncode, done.stderr, done.stdout[:300])
    require(len(lines) == 1 and lines[0].startswith("ampere-crypto"), "not one line:", done.stderr)
    where = path if place is None else f"{path}:{place}: "
    require(str(where) in lines[0], "says", repr(lines[0]), "without", where)
    for word in words:
        require(word in lines[0], "says", repr(lines[0]), "without", repr(word))
    require(not (TOP / "prefix").exists(), "the prefix was made")


def check_recipe(change, marker, words):
    recipe = copy.deepcopy(GOOD)
    change(recipe)
    text = text_of(recipe)
    refused(fresh(text), "1:1" if marker == "" else place_of(text, marker), words)


def check_text(change, marker, words):
    text = change(text_of(GOOD))
    place = None if marker is None else "1:1" if marker == "" else place_of(text, marker)
    refused(fresh(text), place, words)


def check_good():
    fresh(text_of(GOOD))
    done = setup()
    require(done.returncode == 0 and not done.stderr and "1.0" in done.stdout, done.returncode, done.stderr, done.stdout)
    require(not (TOP / "prefix").exists(), "a dry run made the prefix")


def private_group():
    """A umask of 002 and a group of one's own: fine."""
    path = fresh(text_of(GOOD))
    for each, mode in ((path, 0o664), (path.parent, 0o775), (path.parent.parent, 0o775)):
        os.chown(each, os.geteuid(), os.geteuid() if os.geteuid() == 0 else -1)
        each.chmod(mode)
    if path.stat().st_gid == os.geteuid():
        require(setup().returncode == 0, "a private group was refused:", setup().stderr)


def writable(which, mode, words):
    path = fresh(text_of(GOOD))
    each = [path, path.parent, path.parent.parent][which]
    each.chmod(mode)
    refused(each, None, words)


def owned(which, user, group, words):
    path = fresh(text_of(GOOD))
    each = [path, path.parent, path.parent.parent][which]
    os.chown(each, user, group)
    if group != 0:
        each.chmod(each.stat().st_mode | 0o020)
    refused(each, None, words)


def linked_file():
    path = fresh(text_of(GOOD))
    path.rename(TOP / "elsewhere.json")
    path.symlink_to(TOP / "elsewhere.json")
    refused(path, None, ["is a link"])


def linked_directory():
    path = fresh(text_of(GOOD))
    path.parent.rename(TOP / "elsewhere")
    path.parent.symlink_to(TOP / "elsewhere")
    refused(path.parent, None, ["a link is not followed"])


def dangling_link():
    """Not the shipped recipe of that name instead."""
    fresh(text_of(GOOD))
    (TOP / "recipes/openssl").symlink_to(TOP / "nowhere")
    refused(TOP / "recipes/openssl", None, ["a link is not followed"], recipe="openssl")


def no_file():
    path = fresh(text_of(GOOD))
    path.unlink()
    refused(path, None, ["No such file"])


def fifo():
    path = fresh(text_of(GOOD))
    path.unlink()
    os.mkfifo(path)
    refused(path, None, ["is no file"])


def no_directory():
    fresh(text_of(GOOD))
    shutil.rmtree(TOP / "recipes")
    refused(TOP / "recipes", None, ["No such file"])


def shipped_clone():
    """Shipped recipes are as trusted as the program beside them: a clone of umask 002 works."""
    fresh(text_of(GOOD))
    top = TOP / "clone"
    (top / "bin").mkdir(parents=True)
    shutil.copy(PROGRAM, top / "bin/ampere-crypto")
    for name in ("recipes", "profiles"):
        shutil.copytree(TREE / name, top / "share/ampere-crypto" / name, ignore=shutil.ignore_patterns("meson.build"))
    for each in top.rglob("*"):
        each.chmod(0o775 if each.is_dir() or each.name == "ampere-crypto" else 0o664)
        if os.geteuid() == 0:
            os.chown(each, 0, 12345)
    done = subprocess.run([top / "bin/ampere-crypto", "setup", "--dry-run", "--target", "native", "--prefix", TOP / "prefix", "openssl"],
                          capture_output=True, timeout=LIMIT_S, check=False, text=True)
    require(done.returncode == 0 and "openssl" in done.stdout, done.returncode, done.stderr)


def explained():
    """explain NAME shows each version with its status and the reason."""
    names = sorted(path.parent.name for path in (TREE / "recipes").glob("*/recipe.json"))
    require(len(names) >= 4, "recipes", names)
    for name in names:
        versions = json.loads((TREE / "recipes" / name / "recipe.json").read_text())["versions"]
        text = subprocess.run([PROGRAM, "explain", "--color", "never", name], capture_output=True, timeout=LIMIT_S, check=True, text=True)
        words = " ".join(text.stdout.split())
        for version in versions:
            wanted = " ".join(f"{version['version']} {version['status']} {version.get('reason', '')}".split())
            require(wanted in words, name, "is explained without", wanted)


def listed():
    done = subprocess.run([PROGRAM, "list", "recipes", "--json"], capture_output=True, timeout=LIMIT_S, check=True)
    found = {entry["id"]: entry["title"] for entry in json.loads(done.stdout)["results"]}
    for path in (TREE / "recipes").glob("*/recipe.json"):
        recipe = json.loads(path.read_text())
        require(found.get(recipe["name"]) == recipe["summary"], "list recipes", found)


def command_line(arguments, words, recipe="good"):
    fresh(text_of(GOOD))
    done = setup(*arguments, recipe=recipe)
    require(done.returncode == 64, "exit status", done.returncode, done.stderr)
    require(all(word in done.stderr for word in words), "says", done.stderr)
    require(not (TOP / "prefix").exists(), "the prefix was made")


LINES = [
    ("--version without a recipe's name, of two", ["--version", "1.0", "openssl"], ["RECIPE=VERSION"]),
    ("--version twice", ["--version", "1.0", "--version", "good=2.0"], ["good", "1.0", "2.0"]),
    ("--version of what is not there", ["--version", "3"], ["good has no version 3 here, only 1.0"]),
    ("--without what is not there", ["--without", "god"], ["--without", "'god'", "'good'"]),
    ("--allow what is not there", ["--allow", "god"], ["--allow", "'god'", "'good'"]),
    ("--accept-digest of 63 digits", ["--accept-digest", "a" * 63], ["64 hex digits"]),
    ("--jobs of none", ["--jobs", "0"], ["--jobs", "'0'"]),
    ("--jobs in words", ["--jobs", "many"], ["--jobs", "'many'"]),
    ("--target of nothing", ["--target", "altra-2"], ["'altra-2'"]),
]


def tests():
    yield "the good recipe is planned", check_good, ()
    for name, change, marker, words in ROWS:
        yield f"mistake - {name}", check_recipe, (change, marker, words)
    for name, change, marker, words in TEXTS:
        yield f"mistake - {name}", check_text, (change, marker, words)
    for name, arguments, words in LINES:
        yield f"command line - {name}", command_line, (arguments, words)
    for index, what in enumerate(("recipe", "recipe's directory", "directory of recipes")):
        mode = 0o666 if index == 0 else 0o1777
        yield f"mistake - everybody can write the {what}", writable, (index, mode, ["everybody can write it, chmod o-w"])
        if os.geteuid() == 0:
            yield f"mistake - the {what} is somebody else's", owned, (index, 12345, 0, ["belongs to user 12345"])
            yield f"mistake - a foreign group can write the {what}", owned, (index, 0, 12345, ["its group 12345 can write it, chmod g-w"])
    for test in (linked_file, linked_directory, dangling_link, no_file, fifo, no_directory):
        yield "mistake - " + test.__name__.replace("_", " "), test, ()
    yield "recipes are explained with their versions", explained, ()
    yield "recipes are listed with their summaries", listed, ()
    yield "a private group may write", private_group, ()
    yield "shipped recipes of a clone with umask 002", shipped_clone, ()
