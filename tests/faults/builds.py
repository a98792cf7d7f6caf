# SPDX-License-Identifier: BSD-2-Clause
"""Builds that fail, hang, fill, leave things behind and reach out: nothing is changed, and nothing of theirs is left."""
import errno
import os
import signal
import subprocess
import time
from pathlib import Path

from base import (LIMIT_S, MAKEFILE, PROGRAM, RELEASE, Set, Skip, check, environment, fresh, gone, good, one_line, processes,
                  refuse_openat2, remove, says, start, usual, whole)

ROOT = os.geteuid() == 0
# Nobody but root may write here, and everybody may read it.
FOREIGN = "/etc/os-release"


def one(name, commands, **more):
    """A recipe whose build begins with these commands; (recipes, prefix), with another recipe active already."""
    top = fresh(name)
    recipes = Set(top).add("gamma")
    lines = "".join(f"\t{line}\n" for line in commands)
    recipes.add("alpha", makefile=MAKEFILE.replace("all:\n", "all:\n" + lines), **more)
    prefix = top / "p"
    good(start(recipes.setup(prefix, "gamma")))
    return recipes, prefix


def unchanged(prefix):
    check(says(prefix, "gamma") == "gamma 1.0" and says(prefix, "alpha") is None, says(prefix, "alpha"))
    whole(prefix)
    left = sorted(str(path) for path in (prefix / "work").rglob("*")) if (prefix / "work").exists() else []
    check(not left, "left in work", left[:5])


def fails(name, commands, *words, code=2, **more):
    """setup ends with the code and one line that has the words; what was active is so still; remove leaves nothing."""
    recipes, prefix = one(name, commands, **more)
    result = start(recipes.setup(prefix, "alpha"))
    check(result.code == code, result.code, result.err[-900:])
    one_line(result, *words)
    unchanged(prefix)
    gone(prefix)
    return result, prefix


def test_a_build_that_fails_shows_the_end_of_its_log_and_where_it_is():
    recipes, prefix = one("fails", ["@echo this is why it failed", "exit 3"])
    result = start(recipes.setup(prefix, "alpha"))
    check(result.code == 2, result.code)
    one_line(result, "alpha 1.0", "make", f"{prefix}/logs/alpha-1.0-")
    check("| this is why it failed" in result.err, result.err)
    logs = list((prefix / "logs").iterdir())
    check(len(logs) == 1 and "this is why it failed" in logs[0].read_text(), logs)
    unchanged(prefix)
    quiet = start(recipes.setup(prefix, "alpha", "--quiet"))
    check(quiet.code == 2 and quiet.err.count("\n") == 1, quiet.err)
    gone(prefix)


def test_a_build_that_is_ended_by_a_signal():
    result, _ = fails("signal", ["kill -9 $$$$"], "alpha 1.0")
    check("Killed" in result.err or "signal 9" in result.err, result.err)


def test_a_program_of_a_step_that_is_ended_by_a_signal():
    step = {"name": "ends itself", "phase": "build", "argv": ["/bin/sh", "-c", "kill -9 $$"]}
    fails("step-signal", [], "ended by signal 9", steps=[step])


def test_a_process_that_a_build_leaves_behind_ends_with_it():
    mark = f"61773.{os.getpid()}"
    recipes, prefix = one("background", [f"(setsid sleep {mark} >/dev/null 2>&1 &)", f"sleep {mark} &"])
    good(start(recipes.setup(prefix, "alpha")))
    check(not processes(mark), processes(mark))
    check(says(prefix, "alpha") == "alpha 1.0")
    gone(prefix)


def test_a_build_that_never_ends_is_ended_by_ctrl_c():
    """It has no time limit; SIGINT goes to the whole group of a terminal's foreground."""
    # other runs of this suite have other numbers
    one_mark, other_mark = f"61775.{os.getpid()}", f"61776.{os.getpid()}"
    for which in (signal.SIGINT, signal.SIGTERM):
        recipes, prefix = one("endless", [f"(setsid sleep {one_mark} &)", f"sleep {other_mark}"])
        run = subprocess.Popen(recipes.setup(prefix, "alpha"), env=environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            until(lambda: processes(one_mark) and processes(other_mark))
            if which == signal.SIGINT:
                os.killpg(run.pid, which)
            else:
                run.send_signal(which)
            check(run.wait(LIMIT_S) == -which, run.returncode)
        finally:
            run.kill()
            run.wait()
        until(lambda: not processes(one_mark) and not processes(other_mark))
        check(says(prefix, "gamma") == "gamma 1.0")
        good(start(recipes.setup(prefix, "gamma")))
        gone(prefix)


def until(condition):
    end = time.monotonic() + LIMIT_S / 2
    while not condition():
        check(time.monotonic() < end, "waited in vain")
        time.sleep(0.05)


def test_a_log_without_end_is_stopped():
    result, _ = fails("flood", ["yes this fills the log"], "signal 25")
    check("this log is larger than 64 MiB" in result.err, result.err[-500:])


def test_writing_outside_is_denied():
    if not ROOT:
        raise Skip("needs root to build as another user")
    top = fresh("outside-target")
    (top / "file").write_text("mine\n")
    places = [top / "new", top / "file", FOREIGN, "/etc/planted", "/usr/local/bin/planted"]
    commands = [f"! (echo x >> {place}) 2>/dev/null" for place in places]
    # $(CURDIR) is PREFIX/work/NAME/source
    commands += [f"! (echo x > $(CURDIR)/../{place}) 2>/dev/null"
                 for place in ("x", "build.log", "../x", "../../x", "../../lock", "../../cache/x", "../../store/x", "../../current/x",
                               "../../generations/1/x", "../../current/gamma/bin/gamma")]
    commands += ["! rm -f $(CURDIR)/../build.log 2>/dev/null", "! rm -rf $(CURDIR)/../../../current 2>/dev/null"]
    recipes, prefix = one("outside", commands)
    good(start(recipes.setup(prefix, "alpha")))
    check((top / "file").read_text() == "mine\n" and not (top / "new").exists())
    whole(prefix)
    gone(prefix)


def test_there_is_no_network():
    """Not even loopback: a port of the host is not reached."""
    import socket
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
        good(start(["/usr/bin/python3", "-c", script]))
        recipes, prefix = one("network", [f"! /usr/bin/python3 -c \"{script}\" 2>/dev/null"])
        good(start(recipes.setup(prefix, "alpha")))
        gone(prefix)


INSTALL = "\tmkdir -p $(DESTDIR)$(PREFIX)/bin\n"


def installs(name, commands, **more):
    """A recipe that installs odd things beside its program."""
    top = fresh(name)
    lines = "".join(f"\tcd $(DESTDIR)$(PREFIX) && {line}\n" for line in commands)
    recipes = Set(top).add("gamma").add("alpha", makefile=MAKEFILE.replace(INSTALL, INSTALL + lines), **more)
    prefix = top / "p"
    good(start(recipes.setup(prefix, "gamma")))
    return recipes, prefix


def test_strange_modes_become_usual_ones():
    recipes, prefix = installs("modes", [
        "cp /bin/true setuid && chmod 6755 setuid", "echo x > none && chmod 0 none", "echo x > open && chmod 777 open",
        "mkdir sticky && chmod 1777 sticky", "mkdir closed && echo x > closed/in && chmod 0 closed", "mkdir -p a/b && chmod 2777 a a/b"])
    good(start(recipes.setup(prefix, "alpha")))
    top = (prefix / "current/alpha").resolve()
    for path in [top, *top.rglob("*")]:
        status = path.lstat()
        check(status.st_uid == os.geteuid(), path, status.st_uid)
        if not path.is_symlink():
            check(status.st_mode & 0o7777 in (0o644, 0o755), path, oct(status.st_mode))
    check((top / "closed/in").exists())
    whole(prefix)
    gone(prefix)


ODD = {
    "a FIFO": "mkfifo pipe",
    "a socket": "/usr/bin/python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('s')\"",
    "a link out of the tree": "ln -s /etc/passwd link",
    "a link that climbs out": "ln -s ../../../../../../../../etc/passwd link",
    "a link to its own stage": "ln -s $(DESTDIR) link",
}


def test_what_has_no_place_in_a_tree_is_refused():
    for name, command in ODD.items():
        recipes, prefix = installs("odd", [command])
        result = start(recipes.setup(prefix, "alpha"))
        check(result.code in (2, 4), name, result.code, result.err)
        one_line(result, "alpha 1.0")
        unchanged(prefix)
        gone(prefix)


def test_a_hard_link_to_what_others_own():
    """The kernel may allow it (fs.protected_hardlinks off): then it must not come into the tree as somebody's file."""
    if not ROOT:
        raise Skip("needs root to build as another user")
    target = fresh("hard-target") / "precious"
    target.write_text("mine\n")
    target.chmod(0o666)
    os.chown(target, 1234, 1234)
    recipes, prefix = installs("hard", [f"ln {target} stolen || touch stolen"])
    start(recipes.setup(prefix, "alpha"))
    status = target.stat()
    check((status.st_uid, status.st_mode & 0o777, target.read_text()) == (1234, 0o666, "mine\n"), status)
    gone(prefix)


def test_device_nodes_cannot_be_made():
    if not ROOT:
        raise Skip("needs root to build as another user")
    recipes, prefix = installs("device", ["! mknod null c 1 3 2>/dev/null"])
    good(start(recipes.setup(prefix, "alpha")))
    gone(prefix)


def test_strange_names_are_kept_and_removed():
    recipes, prefix = installs("names", ["printf x > \"$$(printf 'new\\nline')\"", "printf x > ' -rf *'", "printf x > '\"$$(id)'",
                                         "mkdir -p \"$$(printf 'd\\n/e')\" && printf x > \"$$(printf 'd\\n/e/\\033[31m')\"",
                                         "printf x > $$(printf 'n%.0s' $$(seq 255))"])
    result = start(recipes.setup(prefix, "alpha"))
    if result.code == 0:
        check((prefix / "current/alpha/new\nline").exists())
        whole(prefix)
    else:
        check(result.code == 2, result.code, result.err)
        unchanged(prefix)
    check("\033" not in result.err + result.out, result.err)
    gone(prefix)


def test_names_that_are_not_utf_8():
    recipes, prefix = installs("bytes", ["printf x > \"$$(printf 'a\\377b')\""])
    result = start(recipes.setup(prefix, "alpha"))
    check(result.code in (0, 2), result.code, result.err)
    gone(prefix)


def test_what_cannot_be_read_or_entered_is_cleaned_up():
    """A failed build leaves directories without any permission, deep ones and very many files."""
    fails("unreadable", ["mkdir -p closed/in && touch closed/in/x && chmod 0 closed/in closed", "mkdir -p $$(printf 'd/%.0s' $$(seq 300))",
                         "mkdir many && cd many && seq 3000 | xargs touch", "chmod 0 .", "exit 1"], "alpha 1.0")


def test_steps_on_files_do_not_follow_planted_links():
    """A step before plants the link, as sources could while they are configured; on kernels before 5.6 too."""
    top = fresh("planted-target")
    target = top / "file"
    os.chmod(top, 0o777)
    for name, step in {"write": {"write": "{source}/planted", "lines": ["changed"]},
                       "edit": {"edit": "{source}/planted", "replace": "mine", "by": "changed"},
                       "below": {"write": "{source}/planted/new", "lines": ["changed"]},
                       "check": {"check": "{source}/planted", "has": ["mine"]}}.items():
        for words, options in (([], {}), (["--build-as-root"], {}), ([], {"preexec_fn": refuse_openat2(errno.ENOSYS)})):
            target.write_text("mine\n")
            target.chmod(0o666)
            plant = {"name": "plant", "phase": "configure",
                     "argv": ["ln", "-s", str(top if name == "below" else target), "{source}/planted"]}
            recipes, prefix = one(f"planted-{name}", [],
                                  steps=[plant, {"name": "works on a file", "phase": "configure", **step}])
            result = start(recipes.setup(prefix, "alpha", *words), **options)
            # a link in the place of the file is replaced by it; all else leads out of the build
            check(result.code == (0 if name == "write" else 2), name, words, result.code, result.err[-400:])
            check(target.read_text() == "mine\n" and not (top / "new").exists(), name, words)
            gone(prefix)


def test_links_within_the_sources_are_followed():
    recipes, prefix = one("link-inside", [], steps=[
        {"name": "link", "phase": "configure", "argv": ["ln", "-s", "README", "{source}/inside"]},
        {"name": "check", "phase": "configure", "check": "{source}/inside", "has": ["alpha 1.0"]}])
    good(start(recipes.setup(prefix, "alpha")))
    gone(prefix)
