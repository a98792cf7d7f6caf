# SPDX-License-Identifier: BSD-2-Clause
"""Runs that are ended: killed at any call that changes something, interrupted, over their limits. No process is left, the next
run goes on, and what was found so far is written."""
import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

from stages import passing, program
from world import SEED, World, check, environment, good, processes, start, stop_at, suite

SAMPLE = 24
# A number of seconds that no other process sleeps.
SLOW = "all:\n\tsleep 86.421\ninstall: all\n"


def slow(name, **plan):
    world = World(name, audit=passing(), **plan)
    world.set.add("slow", makefile=SLOW)
    world.plan["setup"] = world.setup("slow")
    return world


def nothing_left(world):
    """What is killed takes a moment to be gone."""
    until = time.monotonic() + 20
    while (left := processes("86.421") + processes(str(world.top))) and time.monotonic() < until:
        time.sleep(0.05)
    check(not left, "processes are left", left)


def begun(child):
    until = time.monotonic() + 60
    while not processes("86.421"):
        check(child.poll() is None and time.monotonic() < until, "nothing was begun", child.poll())
        time.sleep(0.05)


def test_a_stage_over_its_limit():
    world = slow("limit", limits={"setup": 3})
    begin = time.monotonic()
    rows = world.stages(code=2)
    check(time.monotonic() - begin < 40, "took", time.monotonic() - begin)
    check(rows["setup"]["text"].startswith("stopped after its limit of 3 s"), rows["setup"])
    check(rows["audit"]["exit_code"] is None, rows["audit"])
    nothing_left(world)
    world.plan.update(limits={"all": 3}, setup=world.setup("alpha", "slow"))
    rows = world.stages(code=2)
    check("limit" in rows["setup"]["text"], rows["setup"])
    nothing_left(world)


def test_signals_are_handed_on():
    for which, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        world = slow("signals")
        out = world.top / "out.json"
        child = subprocess.Popen(world.argv("--output", f"json={out}"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, env=environment(), start_new_session=True)
        begun(child)
        child.send_signal(which)
        child.communicate(timeout=60)
        check(child.returncode == code, child.returncode, code)
        document = json.loads(out.read_text())
        rows = {row["stage"]: row for row in document["results"]}
        check(document["exit_code"] == code and rows["setup"]["text"] == "interrupted", rows["setup"])
        check(rows["audit"]["text"] == "not begun: interrupted", rows["audit"])
        nothing_left(world)
        world.plan["setup"] = world.setup("gamma")
        good(world.run())


def measuring(child):
    until = time.monotonic() + 60
    while not processes("ampere-crypto-kat-bench"):
        check(child.poll() is None and time.monotonic() < until, "nothing is measured", child.poll())
        time.sleep(0.05)


def test_an_interrupted_bench_is_whole_and_not_kept():
    world = World("bench", bench={"suites": ["./tiny.json"], "system": True, "seconds": 60})
    suite(world.top / "tiny.json")
    del world.plan["setup"]
    child = subprocess.Popen(world.argv(program=program()), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=environment())
    measuring(child)
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=60)
    check(child.returncode == 143, child.returncode)
    check(json.loads((world.state / "bench.json").read_text())["exit_code"] == 143, "bench.json")
    check(not (world.state / "bench.done").exists(), "kept")
    nothing_left(world)


def test_a_stage_that_is_killed_is_said():
    """As by a machine without memory."""
    world = slow("stage")
    child = subprocess.Popen(world.argv("--json"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=environment())
    begun(child)
    stage = int(Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()[0])
    os.kill(stage, signal.SIGKILL)
    out, _ = child.communicate(timeout=60)
    rows = {row["stage"]: row for row in json.loads(out)["results"]}
    check(child.returncode == 2 and rows["setup"]["text"] == "ended by signal 9 (Killed)", child.returncode, rows["setup"])
    nothing_left(world)


def test_progress_passes_through():
    world = World("progress", audit=passing())
    reader, writer = os.pipe()
    good(start(world.argv("--progress", f"fd:{writer}"), pass_fds=[writer]))
    os.close(writer)
    with os.fdopen(reader) as lines:
        told = [line.split("\t")[:4] for line in lines]
    for name, version in (("alpha", "2.0"), ("gamma", "1.0")):
        check(["phase", name, version, "done"] in [[word.strip() for word in row] for row in told], told)


def test_a_killed_run_leaves_no_process():
    world = slow("killed")
    child = subprocess.Popen(world.argv(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             env=environment())
    begun(child)
    child.kill()
    child.wait()
    nothing_left(world)
    world.plan["setup"] = world.setup("gamma")
    good(world.run())


def test_killed_at_any_call():
    """In any process of the run; the next one finishes, and then there is nothing to do."""
    world = World("any", audit=passing(), outputs=[{"of": "audit", "format": "json", "path": "audit.json"}])
    argv = world.argv(program=program())
    calls, result = stop_at(argv, 0)
    good(result)
    points = sorted(random.Random(SEED).sample(range(1, calls + 1), min(calls, SAMPLE)))
    print(f"killed at {len(points)} of {calls} calls, seed {SEED}", flush=True)
    pick = random.Random(SEED)
    for number in points:
        whom = pick.choice(("self", "self", "top"))
        good(start([program(), "remove", "--prefix", world.prefix]))
        (world.top / "audit.json").unlink(missing_ok=True)
        _, ended = stop_at(argv, number, whom)
        where = f"call {number}, {whom}, seed {SEED}"
        check(ended.code in (0, 2, 4, 5, 128 + signal.SIGKILL), where, ended.code, ended.err[-600:])
        if (world.top / "audit.json").exists():
            json.loads((world.top / "audit.json").read_text())
        document = json.loads(good(start([*argv, "--json"])).out)
        check([row["outcome"] for row in document["results"]] == ["pass", "pass"], where, document["results"])
        good(start([program(), "status", "--verify", "--prefix", world.prefix]))
        check("2 active" in good(start(argv)).out, where, "not done")
    good(start([program(), "remove", "--prefix", world.prefix]))
    check(not [path for path in world.prefix.rglob("*")], "left after remove")
