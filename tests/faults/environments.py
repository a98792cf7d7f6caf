# SPDX-License-Identifier: BSD-2-Clause
"""Hostile and poor surroundings of the program: variables, descriptors, limits, masks, missing tools."""
import json
import os
import resource
import signal
import stat
import subprocess
import time
from pathlib import Path

from base import (MAKEFILE, NAMES, PATH, PROGRAM, RELEASE, Set, check, environment, fresh, gone, good, one_line, processes, says, start,
                  usual, whole)

# Says which variables a build sees, in the order of env.
SHOWS = MAKEFILE.replace("all:\n", "all:\n\t@env | sed 's/^/SEEN /'\n")


def prefix_of(name, **recipe):
    top = fresh(name)
    return Set(top).add("gamma", **recipe), top / "p"


def refused(result, prefix, code, *words):
    """Nothing was begun or written."""
    check(result.code == code, result.code, result.err[-600:])
    one_line(result, *words)
    check(not prefix.exists(), "written before it was refused")


def test_flags_that_choose_a_cpu_are_refused():
    recipes, prefix = prefix_of("march")
    for changes in ({"CFLAGS": "-O2 -march=native"}, {"CFLAGS": "-mcpu=neoverse-n1"}, {"CFLAGS": "-mtune=native"},
                    {"CC": "gcc -march=armv8.6-a"}, {"CC": "gcc -mcpu=native -O2"}):
        name = next(iter(changes))
        refused(start(recipes.setup(prefix, "gamma"), env=environment(**changes)), prefix, 64, name, "--target")


def test_compilers_that_are_none():
    top = fresh("cc-programs")
    programs = {"empty": "", "garbage": "#!/bin/sh\nhead -c 100000 /dev/urandom\n", "silent": "#!/bin/sh\nexit 0\n",
                "fails": "#!/bin/sh\nexit 1\n", "escape": "#!/bin/sh\nprintf '\\033[31mred\\n'\n", "dies": "#!/bin/sh\nkill -9 $$\n"}
    for name, text in programs.items():
        (top / name).write_text(text)
        (top / name).chmod(0o755)
    recipes, prefix = prefix_of("cc")
    words = ["/nonexistent/gcc", "gcc-that-is-not-there", str(top), ".", "/etc/passwd", *(str(top / name) for name in programs)]
    for word in words:
        result = start(recipes.setup(prefix, "gamma"), env=environment(CC=word))
        refused(result, prefix, 6 if result.code == 6 else 2)
        check("\033" not in result.err, word, result.err)


def test_a_compiler_that_hangs():
    """It is given up, and when the run is ended meanwhile it ends too."""
    top = fresh("cc-hangs-program")
    (top / "cc").write_text("#!/bin/sh\nexec sleep 61881\n")
    (top / "cc").chmod(0o755)
    recipes, prefix = prefix_of("cc-hangs")
    run = subprocess.Popen(recipes.setup(prefix, "gamma"), env=environment(CC=str(top / "cc")), stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: processes("61881"))
    run.kill()
    run.wait()
    until(lambda: not processes("61881"))
    refused(start(recipes.setup(prefix, "gamma"), env=environment(CC=str(top / "cc"))), prefix, 2, "does not answer")
    check(not processes("61881"), processes("61881"))


def until(condition):
    end = time.monotonic() + 30
    while not condition():
        check(time.monotonic() < end, "waited in vain")
        time.sleep(0.05)


def test_a_relative_compiler():
    """It is the one below the working directory, wherever builds run."""
    top = fresh("cc-relative")
    recipes = Set(top).add("gamma", makefile=MAKEFILE + "object:\n\techo 'int x;' > x.c && $(COMPILER) -c x.c\n",
                           steps=[{"name": "compile", "phase": "build",
                                   "argv": ["make", "-C", "{source}", "NAME=gamma", "object", "COMPILER={cc}"]}])
    (top / "tools").mkdir()
    (top / "tools/cc").symlink_to("/usr/bin/gcc")
    good(start(recipes.setup(top / "p", "gamma"), env=environment(CC="tools/cc"), cwd=top))
    gone(top / "p")


HOSTILE = {"MAKEFLAGS": "-n", "MFLAGS": "-n", "MAKEFILES": "/etc/passwd", "LD_LIBRARY_PATH": "/nonexistent", "IFS": "a", "PERL5OPT": "-Mnone",
           "PERL5LIB": "/none", "PYTHONPATH": "/none", "PYTHONHOME": "/none", "PKG_CONFIG_PATH": "/none", "BASH_ENV": "/etc/passwd",
           "ENV": "/etc/passwd", "GIT_DIR": "/none", "GIT_SSH_COMMAND": "false", "TMPDIR": "/does/not/exist", "SHELLOPTS": "xtrace",
           "CDPATH": "/", "DESTDIR": "/none", "GCC_EXEC_PREFIX": "/none/", "COMPILER_PATH": "/none", "CPATH": "/none", "LIBRARY_PATH": "/none",
           "OPENSSL_CONF": "/none", "OPENSSL_armcap": "0", "LC_NUMERIC": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "LANG": "xx", "TZ": "\x01",
           "POSIXLY_CORRECT": "1", "GLOBIGNORE": "*", "BASH_FUNC_make%%": "() { false; }", "COLUMNS": "-1", "TERM": "\033[31m", "NAME": "planted"}
ALLOWED = {"PATH", "LC_ALL", "TZ", "SOURCE_DATE_EPOCH", "HOME", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_"}


def test_no_variable_of_the_caller_reaches_a_build():
    """make and sh add some of their own; the log, kept in the tree, says what was seen."""
    recipes, prefix = prefix_of("variables", makefile=SHOWS)
    good(start(recipes.setup(prefix, "gamma"), env=environment(**HOSTILE)))
    log = (prefix / "current/gamma/.ampere-crypto/build.log").read_text()
    seen = {line.split("=")[0].split()[1]: line.split("=", 1)[1] for line in log.splitlines() if line.startswith("SEEN ") and "=" in line}
    check({"PATH", "HOME", "TMPDIR"} <= set(seen), seen)
    own = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MAKE_TERMOUT", "MAKE_TERMERR", "NAME", "VERSION", "PREFIX", "DESTDIR", "CURDIR"}
    check(set(seen) <= ALLOWED | own, sorted(set(seen) - ALLOWED - own))
    check(seen["HOME"].startswith(str(prefix)) and seen["TMPDIR"].startswith(str(prefix)), seen)
    check(seen["PATH"] == "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" and seen["LC_ALL"] == "C", seen)
    check("-n" not in seen.get("MAKEFLAGS", "").split(), seen)
    gone(prefix)


def test_a_library_that_is_preloaded_reaches_no_build():
    recipes, prefix = prefix_of("preload", makefile=SHOWS)
    program = RELEASE if RELEASE.exists() else PROGRAM
    good(start(recipes.setup(prefix, "gamma", program=program), env=environment(LD_PRELOAD="/nonexistent/preload.so")))
    check("LD_PRELOAD" not in (prefix / "current/gamma/.ampere-crypto/build.log").read_text())
    gone(prefix)


def test_an_empty_path_and_missing_tools_are_named():
    top = fresh("path")
    tools = top / "tools"
    tools.mkdir()
    (tools / "gcc").symlink_to("/usr/bin/gcc")
    recipes, prefix = prefix_of("path-prefix")
    refused(start(recipes.setup(prefix, "gamma"), env=environment(PATH=str(tools))), prefix, 2, "make", "missing on this machine")
    for path in ("", None, ".", "relative:.", ":::"):
        refused(start(recipes.setup(prefix, "gamma"), env=environment(PATH=path)), prefix, 2, "no compiler")
    here = Path("/etc/debian_version").exists()
    result = start(recipes.setup(prefix, "gamma"), env=environment(PATH=str(tools)))
    check(not here or "apt-get install make" in result.err, result.err)


def unpinned(name):
    """gamma, and alpha that needs it, which has no digest in its recipe; and its true one."""
    top = fresh(name)
    recipes = Set(top).add("gamma").add("alpha", depends=("gamma",))
    path = recipes.recipes / "alpha/recipe.json"
    recipe = json.loads(path.read_text())
    version = recipe["versions"][0]
    digest = version["sources"][0]["sha256"]
    version["sources"][0]["sha256"] = None
    version.update(status="unpinned", reason="nobody says one")
    path.write_text(json.dumps(recipe))
    return recipes, top / "p", digest


def test_a_source_without_a_digest_is_planned_but_not_begun():
    recipes, prefix, digest = unpinned("unpinned")
    words = ["alpha 1.0", "nobody says one", "--accept-digest alpha=SHA256", "--without alpha"]
    dry = good(start(recipes.setup(prefix, "alpha", "--dry-run")))
    check(all(word in dry.out + dry.err for word in words), dry.out, dry.err)
    gamma, alpha = json.loads(good(start(recipes.setup(prefix, "alpha", "--dry-run", "--json"))).out)["results"]
    check(gamma["key"] and gamma["unpinned"] is None, gamma)
    check(alpha["key"] is None and alpha["path"] == f"{prefix}/store/alpha-1.0-KEY" and alpha["steps"], alpha)
    check(all(word in alpha["unpinned"] for word in words), alpha)
    # Neither what can be built is built first, nor are tools looked for.
    tools = prefix.parent / "tools"
    tools.mkdir()
    (tools / "gcc").symlink_to("/usr/bin/gcc")
    for path in (PATH, str(tools)):
        refused(start(recipes.setup(prefix, "alpha"), env=environment(PATH=path)), prefix, 2, *words)


def test_a_digest_that_is_given_is_asked_for_again_but_keeps_what_is_there():
    recipes, prefix, digest = unpinned("unpinned-given")
    good(start(recipes.setup(prefix, "alpha", "--accept-digest", f"alpha={digest}")))
    trees = sorted(path.name for path in (prefix / "store").iterdir())
    result = start(recipes.setup(prefix, "alpha"))
    check(result.code == 2, result.code, result.err)
    one_line(result, "--accept-digest alpha=SHA256")
    check(says(prefix, "alpha") == "alpha 1.0" and sorted(path.name for path in (prefix / "store").iterdir()) == trees, trees)
    whole(prefix)
    gone(prefix)


def test_libraries_of_the_system_are_in_the_key_and_the_manifest():
    top = fresh("libraries")
    tool = {"kind": "program", "name": "make", "debian": "make", "of-target": True, "soname": "libplans.so.*"}
    recipes, prefix = Set(top).add("gamma", tools=[tool], needed=["libc.so.6", "libplans.so.*"]), top / "p"
    where, seen = top / "sysroot/usr/lib", []
    where.mkdir(parents=True)
    (where / "libplans.so").symlink_to("libplans.so.1.2.3")
    for build_id in ("0102", "0103", "0102"):
        good(start(["gcc", "-shared", f"-Wl,--build-id=0x{build_id}", "-x", "c", "/dev/null", "-o", where / "libplans.so.1.2.3"]))
        good(start(recipes.setup(prefix, "gamma", "--sysroot", top / "sysroot")))
        manifest = json.loads((prefix / "current/gamma/.ampere-crypto/manifest.json").read_text())
        check(manifest["system"] == [{"library": "libplans.so.*", "version": "1.2.3", "path": str(where / "libplans.so.1.2.3"),
                                      "identity": f"build-id {build_id}"}], manifest["system"])
        seen.append(manifest["key"])
    check(seen[0] != seen[1] and seen[0] == seen[2] and len(list((prefix / "store").iterdir())) == 2, seen)
    whole(prefix)
    gone(prefix)


def test_home_is_not_needed_with_a_prefix():
    recipes, prefix = prefix_of("home")
    for changes in ({"HOME": None}, {"HOME": ""}, {"HOME": "/nonexistent"}, {"HOME": "relative"}):
        good(start(recipes.setup(prefix, "gamma"), env=environment(**changes)))
        gone(prefix)


def test_masks_of_the_caller():
    """Trees are readable whatever the mask; what decides later runs can be written by its owner alone."""
    for mask in (0o000, 0o002, 0o022, 0o027, 0o077, 0o777):
        recipes, prefix = prefix_of("umask")
        good(start(recipes.setup(prefix, "gamma"), umask=mask))
        for path in [prefix, *prefix.rglob("*")]:
            mode = path.lstat().st_mode
            check(stat.S_ISLNK(mode) or not mode & 0o022, oct(mask), path, oct(mode))
        for path in [prefix / "current/gamma", *(prefix / "current/gamma/").rglob("*")]:
            check(path.is_symlink() or path.stat().st_mode & 0o444 == 0o444, oct(mask), path)
        whole(prefix)
        good(start(recipes.setup(prefix, "gamma"), umask=mask))
        gone(prefix)


def test_recipes_of_a_group_are_taken():
    """A checkout made with umask 002."""
    recipes, prefix = prefix_of("group")
    subprocess.run(["chmod", "-R", "g+w", str(recipes.recipes)], check=True)
    good(start(recipes.setup(prefix, "gamma")))
    gone(prefix)


def test_standard_descriptors_are_closed():
    recipes, prefix = prefix_of("closed")
    for closed in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
        words = recipes.setup(prefix, "gamma")
        result = start(["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *words])
        # a report that has nowhere to go is an error, of the report alone
        lost = ">&-" in closed.replace("2>&-", "")
        check(result.code == (2 if lost else 0), closed, result.code, result.err)
        check(says(prefix, "gamma") == "gamma 1.0", closed)
        for path in prefix.rglob("*"):
            if path.is_file() and path.stat().st_size < 1 << 20 and path.suffix in (".json", ".log", ""):
                check(b"gamma 1.0: build" not in path.read_bytes(), closed, "progress went into", path)
        gone(prefix)


def test_nobody_reads_what_is_printed():
    recipes, prefix = prefix_of("pipe")
    words = recipes.setup(prefix, "gamma")
    result = start(["/bin/sh", "-c", '"$@" 2>&1 | true', "sh", *words])
    check(result.code == 0, result.code)
    good(start(words))
    result = start(["/bin/sh", "-c", '"$@" > /dev/full', "sh", *words])
    check(result.code == 2 and "No space left" in result.err, result.code, result.err)
    check(says(prefix, "gamma") == "gamma 1.0")
    gone(prefix)


def limited(which, value):
    return lambda: resource.setrlimit(which, (value, value))


def test_small_limits_are_clean_errors():
    program = RELEASE if RELEASE.exists() else PROGRAM
    top = fresh("limits")
    recipes, prefix = usual(top), top / "p"
    good(start(recipes.setup(prefix, *NAMES, "--version", "alpha=1.0", program=program)))
    limits = [(resource.RLIMIT_FSIZE, value) for value in (0, 10, 100, 1000, 5000, 20000)]
    limits += [(resource.RLIMIT_NOFILE, value) for value in (3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32)]
    limits += [(resource.RLIMIT_NPROC, value) for value in (0, 1, 2, 3)]
    limits += [(resource.RLIMIT_AS, value << 20) for value in (16, 32, 64)]
    for which, value in limits:
        result = start(recipes.setup(prefix, *NAMES, "--quiet", program=program), preexec_fn=limited(which, value))
        early = "error while loading shared libraries" in result.err or result.code == 127
        check(early or result.code in (0, 2, 4), which, value, result.code, result.err[-400:])
        check(early or result.code == 0 or result.err.count("\n") == 1, which, value, result.err[-400:])
        check(says(prefix, "alpha") in ("alpha 1.0", "alpha 2.0"), which, value)
        whole(prefix, program)
    good(start(recipes.setup(prefix, *NAMES, program=program)))
    gone(prefix)


def test_a_dry_run_writes_nothing():
    recipes, prefix = prefix_of("dry")
    good(start(recipes.setup(prefix, "gamma", "--dry-run")))
    check(not prefix.exists())
    good(start(recipes.setup(prefix, "gamma")))
    before = {path: path.lstat().st_mtime_ns for path in [prefix, *prefix.rglob("*")]}
    for words in (["gamma", "--dry-run"], ["gamma"]):
        for changes in ({}, {"CC": "/usr/bin/gcc"}, {"CC": "/usr/bin/cc"}):
            good(start(recipes.setup(prefix, *words, "--dry-run"), env=environment(**changes)))
            after = {path: path.lstat().st_mtime_ns for path in [prefix, *prefix.rglob("*")]}
            check(after == before, words, changes, [str(path) for path in after if after[path] != before.get(path)])
    gone(prefix)
