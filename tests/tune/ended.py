# SPDX-License-Identifier: BSD-2-Clause
"""A run that is ended at any call that changes something: however far it came, tune --revert gives back the first state.

CHECK_FULL=1 tries every call; else a sample by a seed that is printed (and taken from CHECK_SEED)."""
import random
import signal

from world import STATE, check, copy, described, document, look, make, program, same, tune

from base import SEED
from kills import chosen, stop_at

SAMPLES = {"tune": 40, "persist": 24, "revert": 30, "again": 16, "signals": 16}
# Two CPUs are as good as many: each policy is the same again.
WORLD = described(cpu={"cores": 2, "packages": 2})


def argv(root, *words):
    return [program(), "tune", "--role", "dpdk", "--root", root, *words] if "--revert" not in words else [
        program(), "tune", "--root", root, *words]


def reverted(root, wanted, *context):
    """Run until it is done: one run is enough, a second finds nothing."""
    result = tune(root, "--revert", "--json", fast=True)
    states = {one["state"] for one in document(result, 0)["results"]}
    check(states <= {"restored", "kept"}, "states", states, *context)
    same(wanted, look(root, skip=()), *context)


def each(name, prepare, words, sample, which=(signal.SIGKILL,), codes=(128 + signal.SIGKILL,)):
    """One point after the other on a fresh copy; prepare() makes what is copied. Returns the number of points."""
    root = make(name, WORLD)
    first = look(root, skip=())
    prepare(root)
    base = root.with_name("base")
    copy(root, base)
    calls, result = stop_at(argv(root, *words), 0)
    check(result.code in (0, 1), result.code, result.err)
    picked = chosen(calls, sample)
    pick = random.Random(SEED)
    for number in picked:
        copy(base, root)
        what = pick.choice(which)
        _, result = stop_at(argv(root, *words), number, "self", what)
        context = f"{name}, call {number}, signal {int(what)}, seed {SEED}"
        check(result.code in (*codes, 0, 1), context, "exit status", result.code, result.err[-300:])
        reverted(root, first, context)
    print(f"{name}: {len(picked)} of {calls} points, seed {SEED}", flush=True)
    return len(picked)


def tuned(*words):
    return lambda root: document(tune(root, "--yes", "--json", *words, fast=True))


def test_killed_while_it_tunes():
    each("kill-tune", lambda root: None, ["--yes"], SAMPLES["tune"])


def test_killed_while_it_tunes_and_keeps():
    each("kill-persist", lambda root: None, ["--yes", "--persist"], SAMPLES["persist"])


def test_killed_while_it_reverts():
    each("kill-revert", tuned("--persist"), ["--revert"], SAMPLES["revert"])


def test_killed_while_it_tunes_what_was_tuned_before():
    """The record of the first run must not be lost for that of the second."""
    def prepare(root):
        document(tune(root, "--yes", "--json", role="tls", fast=True))
    each("kill-again", prepare, ["--yes"], SAMPLES["again"])


def test_interrupted():
    """As by Ctrl-C and by kill: the status is that of the signal, and what was done is in the record."""
    each("signals", lambda root: None, ["--yes"], SAMPLES["signals"], (signal.SIGINT, signal.SIGTERM),
         (128 + signal.SIGINT, 128 + signal.SIGTERM))


def test_killed_and_killed_again():
    """A run after the other is killed, tune and revert in turn; the last revert still gives back the first state."""
    root = make("chain", WORLD)
    first = look(root, skip=())
    pick = random.Random(SEED)
    for turn in range(12):
        words = ["--yes", "--persist"] if turn % 2 == 0 else ["--revert"]
        stop_at(argv(root, *words), pick.randrange(1, 200), "self", signal.SIGKILL)
    reverted(root, first, "seed", SEED)


def test_a_killed_run_is_finished_by_the_next():
    root = make("finish", WORLD)
    stop_at(argv(root, "--yes"), 40, "self", signal.SIGKILL)
    document(tune(root, "--yes", "--json", fast=True))
    whole = make("whole", WORLD)
    document(tune(whole, "--yes", "--json", fast=True))
    same(look(whole, skip=(STATE,)), look(root, skip=(STATE,)))
