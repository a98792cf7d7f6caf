# SPDX-License-Identifier: BSD-2-Clause
"""Who runs it and where: users without rights, machines without namespaces, prefixes of every kind."""
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from base import (NAMES, NOBODY, PROGRAM, RELEASE, Set, Skip, check, environment, fresh, gone, good, one_line, processes, remove, says,
                  start, usual, whole)

ROOT = os.geteuid() == 0


def needs_root():
    if not ROOT:
        raise Skip("needs root to become another user")


def public(name):
    """A directory that everybody can enter, wherever the tree of this project lies."""
    top = Path(tempfile.mkdtemp(prefix=f"ampere-crypto-{name}-"))
    top.chmod(0o755)
    return top


def as_nobody(words, *more):
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *more, *words]


def program_for(top):
    """A copy that another user can reach, laid out as a build is."""
    source = (RELEASE if RELEASE.exists() else PROGRAM).parents[1]
    for part in ("cli", "unpack", "fetch"):
        (top / "b/src" / part).mkdir(parents=True)
        for path in (source / part).glob("ampere-crypto*"):
            if path.is_file():
                shutil.copy2(path, top / "b/src" / part)
    tree = Path(__file__).resolve().parents[2]
    for part in ("recipes", "profiles"):
        shutil.copytree(tree / part, top / "b" / part)
    subprocess.run(["chmod", "-R", "a+rX", str(top)], check=True)
    return top / "b/src/cli/ampere-crypto"


class Other:
    """A place of another user, with a program and recipes there."""

    def __init__(self, name):
        self.top = public(name)
        self.program = program_for(self.top)
        self.recipes = usual(self.top)
        subprocess.run(["chmod", "-R", "a+rX", str(self.top)], check=True)
        self.home = self.top / "home"
        self.home.mkdir()
        os.chown(self.home, NOBODY, NOBODY)
        self.prefix = self.home / "p"

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        shutil.rmtree(self.top, ignore_errors=True)

    def env(self):
        return environment(HOME=str(self.home))

    def setup(self, *words, prefix=None):
        return self.recipes.setup(prefix or self.prefix, *words, program=self.program)


def test_without_root():
    needs_root()
    with Other("user") as other:
        good(start(as_nobody(other.setup(*NAMES)), env=other.env()))
        check([says(other.prefix, name) for name in NAMES] == ["alpha 2.0", "beta 1.0", "gamma 1.0"])
        good(start(as_nobody([other.program, "remove", "--prefix", other.prefix]), env=other.env()))
        check(not other.prefix.exists())


def test_without_root_and_home():
    """The default prefix is below HOME: without one it is said what to do."""
    needs_root()
    with Other("homeless") as other:
        words = other.setup("gamma")
        at = words.index("--prefix")
        del words[at:at + 2]
        for home in (None, ""):
            result = start(as_nobody(words), env=environment(HOME=home))
            check(result.code in (2, 64), result.code, result.err)
            one_line(result, "HOME", "--prefix")


def test_root_leaves_a_prefix_of_others_alone():
    needs_root()
    with Other("foreign") as other:
        good(start(as_nobody(other.setup(*NAMES)), env=other.env()))
        result = start(other.setup("gamma"))
        check(result.code == 2, result.code, result.err)
        one_line(result, str(other.prefix), "belongs to user")


def test_without_namespaces():
    """Said once; what a build leaves behind is ended all the same."""
    needs_root()
    with Other("bare") as other:
        deny = other.top / "deny"
        subprocess.run(["gcc", "-O2", "-o", str(deny), str(Path(__file__).with_name("deny-unshare.c"))], check=True)
        deny.chmod(0o755)
        leaves = Set(other.top / "leaves")
        leaves.add("gamma", makefile="all:\n\t(setsid sleep 61991 >/dev/null 2>&1 &)\n\tsleep 61992 &\n"
                   "install:\n\tmkdir -p $(DESTDIR)$(PREFIX)/bin\n\tcp program.sh $(DESTDIR)$(PREFIX)/bin/gamma\n")
        subprocess.run(["chmod", "-R", "a+rX", str(other.top)], check=True)
        words = leaves.setup(other.prefix, "gamma", program=other.program)
        result = good(start([deny, *as_nobody(words)], env=other.env()))
        check(result.out.count("namespaces") + result.err.count("namespaces") == 1, result.out, result.err)
        check(not processes("6199"), processes("6199"))
        prefix = other.top / "root"
        result = good(start([deny, *leaves.setup(prefix, "gamma", program=other.program)]))
        check("namespaces" in result.out + result.err, result.out, result.err)
        check(not processes("6199"), processes("6199"))
        gone(prefix)


def refused(name, make, code, *words, undo=None):
    top = fresh(name)
    recipes = usual(top)
    prefix = make(top)
    try:
        before = sorted(map(str, top.rglob("*")))
        result = start(recipes.setup(prefix, "gamma"))
        check(result.code == code, prefix, result.code, result.err[-600:])
        one_line(result, *words)
        check(sorted(map(str, top.rglob("*"))) == before, "something was written", set(map(str, top.rglob("*"))) - set(before))
    finally:
        if undo:
            undo(top)


def test_prefixes_that_the_builds_user_cannot_enter():
    needs_root()

    def make(top):
        (top / "closed").mkdir(mode=0o700)
        return top / "closed/p"
    top = fresh("closed")
    recipes, prefix = usual(top), make(top)
    result = start(recipes.setup(prefix, "gamma"))
    check(result.code == 2, result.code, result.err)
    one_line(result, str(top / "closed"), "--build-as-root")
    check(not (prefix / "work").exists() or not list((prefix / "work").iterdir()))
    good(start(recipes.setup(prefix, "gamma", "--build-as-root")))
    check(says(prefix, "gamma") == "gamma 1.0")
    gone(prefix)


def test_prefixes_that_are_not_safe():
    def writable(top):
        (top / "open").mkdir()
        (top / "open").chmod(0o777)
        return top / "open"

    def below(top):
        return writable(top) / "p"

    def file(top):
        (top / "file").write_text("x")
        return top / "file"

    def foreign(top):
        (top / "foreign").mkdir()
        os.chown(top / "foreign", NOBODY, NOBODY)
        return top / "foreign"

    def dangling(top):
        (top / "link").symlink_to(top / "nowhere")
        return top / "link"

    refused("writable", writable, 2, "everybody can write")
    refused("below", below, 2, "everybody can write")
    refused("file", file, 2, "file")
    if ROOT:
        refused("foreign-owned", foreign, 2, "belongs to user")
    top = fresh("dangling")
    result = start(usual(top).setup(dangling(top), "gamma"))
    check(result.code in (0, 2), result.code, result.err)


def test_a_prefix_on_a_read_only_file_system():
    needs_root()
    if subprocess.run(["unshare", "--mount", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        raise Skip("needs root for mount namespaces")
    top = fresh("read-only")
    recipes = usual(top)
    (top / "disk").mkdir()
    script = 'mount --make-rprivate / && mount -t tmpfs -o ro tmpfs "$0" && exec "$@"'
    result = start(["unshare", "--mount", "sh", "-c", script, top / "disk", *recipes.setup(top / "disk/p", "gamma")])
    check(result.code == 2, result.code, result.err)
    one_line(result, "Read-only file system")


def test_links_in_the_way_of_a_prefix():
    """They are resolved once; another way to the same place is the same prefix."""
    top = fresh("links")
    recipes = usual(top)
    (top / "real").mkdir()
    (top / "link").symlink_to("real")
    good(start(recipes.setup(top / "link/p", *NAMES)))
    result = good(start(recipes.setup(top / "real/p", *NAMES)))
    check(result.out.count("active") >= 3, result.out)
    gone(top / "link/p")


# What makefiles, shells, sed and configure scripts read as something else: refused before anything is begun.
REFUSED = [" ", "a b", "a'b", 'a"b', "a$b", "a#b", "a:b", "a\\b", "a`b", "a&b", "a;b", "a|b", "a*b", "a?b", "a(b", "a%b", "a,b", "a\tb", "a\nb", "a<b",
           "a[b", "a{b", "a!b", "a=b"]
TAKEN = ["a-b_c.d+e", "größe", "安装", "a@b", "~", "A", "-p", "p.", "x" * 100]


def test_prefixes_with_letters_that_builds_cannot_bear():
    for name in REFUSED:
        top = fresh("letters")
        recipes = usual(top)
        result = start(recipes.setup(top / name, "gamma"))
        check(result.code == 64, name, result.code, result.err)
        one_line(result, "prefix")
        check(not (top / name).exists(), name)


def test_prefixes_with_other_letters():
    for name in TAKEN:
        top = fresh("letters")
        recipes = usual(top)
        for lc_all in ("C", "C.UTF-8"):
            good(start(recipes.setup(top / name, *NAMES), env=environment(LC_ALL=lc_all)))
            check(says(top / name, "beta") == "beta 1.0", name)
            whole(top / name)
            gone(top / name)


def test_a_relative_prefix():
    top = fresh("relative")
    recipes = usual(top)
    good(start(recipes.setup("p", "gamma"), cwd=top))
    check(says(top / "p", "gamma") == "gamma 1.0")
    good(start([PROGRAM, "remove", "--prefix", "./p"], cwd=top))
    check(not (top / "p").exists())
