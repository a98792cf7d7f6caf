# SPDX-License-Identifier: BSD-2-Clause
"""A run that is ended at any call that changes something, in any of its processes: what was active works, no process is
left, the next run finishes, and after remove there is nothing.

CHECK_FULL=1 tries every call; else a sample by a seed that is printed (and taken from CHECK_SEED)."""
import os
import random
import shutil
import signal
import subprocess

from base import (FULL, NAMES, RELEASE, SEED, PROGRAM, TOP, WORK, Skip, check, fresh, good, says, start, usual, whole)

SAMPLE = 40
OTHER_SAMPLE = 12
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def program():
    """The sanitizers look for leaks with ptrace, which only one can have."""
    return RELEASE if RELEASE.exists() else PROGRAM


def stopper():
    binary, source = WORK / "stop-at", TOP / "tests/faults/stop-at.c"
    if not binary.exists() or binary.stat().st_mtime < source.stat().st_mtime:
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run(["gcc", "-O2", "-o", str(binary), str(source)], check=True)
    return binary


def stop_at(argv, number, whom="self", what=signal.SIGKILL):
    """(calls that change something, exit status); it returns when no process of the run is left."""
    report = WORK / "stop-report"
    report.unlink(missing_ok=True)
    done = start([stopper(), report, number, whom, int(what), *argv])
    if done.code or not report.exists():
        raise Skip("processes cannot be traced here")
    calls, status = map(int, report.read_text().split())
    done.code = status
    return calls, done


def copy(base, prefix):
    shutil.rmtree(prefix, ignore_errors=True)
    if base.exists():
        subprocess.run(["cp", "-a", str(base), str(prefix)], check=True)


def chosen(calls, size):
    return range(1, calls + 1) if FULL else sorted(random.Random(SEED).sample(range(1, calls + 1), min(calls, size)))


def works(prefix, allowed):
    """One of the allowed sets of programs is active, whole; None: nothing is."""
    seen = [says(prefix, name) for name in NAMES]
    check(seen in allowed, seen, allowed)
    if seen != [None, None, None]:
        whole(prefix, program())


OLD = ["alpha 1.0", "beta 1.0", "gamma 1.0"]
NEW = ["alpha 2.0", "beta 1.0", "gamma 1.0"]
NOTHING = [None, None, None]


def prepared(name, *runs):
    """The recipes, and a prefix with what these runs of setup leave there, kept aside."""
    top = fresh(name)
    recipes, prefix, base = usual(top), top / "p", top / "base"
    for words in runs:
        good(start(recipes.setup(prefix, *NAMES, *words, program=program())))
    if prefix.exists():
        os.rename(prefix, base)
    copy(base, prefix)
    return recipes, prefix, base


def try_each(what, prefix, base, argv, points, allowed, after):
    """points: (number, self or top, signal). after(): the run that finishes, and what is active then."""
    for number, whom, which in points:
        copy(base, prefix)
        calls, result = stop_at(argv, number, whom, which)
        try:
            wanted = {0, 2, 4, 128 + which, 128 + signal.SIGKILL} if whom == "self" else {0, 128 + which}
            check(calls < number or result.code in wanted, "exit status", result.code, result.err[-600:])
            works(prefix, allowed)
            after()
        except AssertionError as problem:
            raise AssertionError(f"{what}, call {number}, {whom}, signal {int(which)}, seed {SEED}: {problem}") from problem


def count(what, argv, prefix, base, size):
    calls, result = stop_at(argv, 0)
    good(result)
    copy(base, prefix)
    picked = chosen(calls, size)
    print(f"{what}: {len(picked)} of {calls} calls, seed {SEED}", flush=True)
    return picked


def killed(name, runs, argv_of, allowed, after_of, size):
    recipes, prefix, base = prepared(name, *runs)
    argv = argv_of(recipes, prefix)
    picked = count(name, argv, prefix, base, size)
    pick = random.Random(SEED)
    points = [(number, pick.choice(("self", "self", "top")), signal.SIGKILL) for number in picked]
    try_each(name, prefix, base, argv, points, allowed, lambda: after_of(argv, prefix))


def finishes(wanted, first=False):
    def after(argv, prefix):
        good(start(argv))
        check([says(prefix, name) for name in NAMES] == wanted, [says(prefix, name) for name in NAMES])
        # Killed between making the prefix and writing that down, it is not known whose it is: empty, it may stay.
        good(start([program(), "remove", "--prefix", prefix]))
        left = list(prefix.rglob("*")) if prefix.exists() else []
        check(not left and (first or not prefix.exists()), "left after remove", left[:5])
    return after


def test_killed_while_nothing_is_active_yet():
    killed("kill-first", [], lambda recipes, prefix: recipes.setup(prefix, *NAMES, program=program()), [NOTHING, NEW],
           finishes(NEW, first=True), OTHER_SAMPLE)


def test_killed_while_one_generation_follows_another():
    killed("kill-next", [("--version", "alpha=1.0")], lambda recipes, prefix: recipes.setup(prefix, *NAMES, program=program()),
           [OLD, NEW], finishes(NEW), SAMPLE)


def test_killed_while_it_goes_back():
    killed("kill-back", [("--version", "alpha=1.0"), ()],
           lambda recipes, prefix: [str(program()), "rollback", "--to", "1", "--prefix", str(prefix)], [OLD, NEW], finishes(OLD),
           OTHER_SAMPLE)


def test_killed_while_it_removes():
    def after(argv, prefix):
        # Who made PREFIX stands in its lock file, which goes last: killed right behind that, an empty directory is nobody's.
        nobodys = prefix.exists() and not any(prefix.iterdir())
        good(start(argv))
        left = list(prefix.rglob("*")) if prefix.exists() else []
        check(not left and (nobodys or not prefix.exists()), "left after remove", left[:5])
    killed("kill-remove", [("--version", "alpha=1.0"), ()],
           lambda recipes, prefix: [str(program()), "remove", "--prefix", str(prefix)], [NEW, NOTHING], after, OTHER_SAMPLE)


def test_asked_to_end_in_every_phase():
    """As by Ctrl-C, kill and a terminal that goes away: the status a shell shows is that of the signal."""
    recipes, prefix, base = prepared("signals", ("--version", "alpha=1.0"))
    argv = recipes.setup(prefix, *NAMES, program=program())
    picked = count("signals", argv, prefix, base, OTHER_SAMPLE)
    points = [(number, "top", SIGNALS[index % len(SIGNALS)]) for index, number in enumerate(picked)]
    try_each("signals", prefix, base, argv, points, [OLD, NEW], lambda: finishes(NEW)(argv, prefix))
