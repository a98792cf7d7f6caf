# SPDX-License-Identifier: BSD-2-Clause
"""Stages and their one exit status; what is not repeated; where results go; users, locks and disks."""
import fcntl
import json
import os
import re
import time

from world import (PROGRAM, RELEASE, Skip, World, check, findings, good, start, suite, tree, unprivileged)

# Of a run with nothing to do: about 850 where this was written, with three processes that are started.
CALLS_MAX = 1100
SUITE = {"suites": ["./tiny.json"], "system": True, "seconds": 1}


def program():
    return RELEASE if RELEASE.exists() else PROGRAM


def passing():
    """An audit that finds nothing wrong, on any machine."""
    return {"only": findings("pass")[:1]}


def failing():
    found = findings("fail")
    if not found:
        raise Skip("nothing fails on this machine")
    return {"only": found[:1], "fail-on": "low"}


def test_setup_audit_and_what_is_left():
    world = World("usual", audit=passing(), outputs=[{"of": "audit", "format": "json", "path": "audit.json"},
                                                    {"of": "setup", "format": "text", "path": "setup.txt"}])
    document = world.json()
    stages = {row["stage"]: row for row in document["results"]}
    check(list(stages) == ["setup", "audit"], list(stages))
    check(stages["setup"]["text"] == "2 trees: 2 built", stages["setup"]["text"])
    check([row["outcome"] for row in stages.values()] == ["pass", "pass"], stages)
    check(stages["audit"]["files"] == [str(world.top / "audit.json")], stages["audit"]["files"])
    check(json.loads((world.top / "audit.json").read_text())["argv"] == stages["audit"]["command"], "not the command shown")
    check("alpha" in (world.top / "setup.txt").read_text(), "setup.txt")
    check(document["summary"]["state"] == str(world.state), document["summary"])
    good(start([PROGRAM, "status", "--verify", "--prefix", world.prefix]))
    good(start([PROGRAM, "remove", "--prefix", world.prefix]))
    check(not world.prefix.exists(), "left after remove", sorted(world.prefix.rglob("*")))


def test_command_lines_are_what_anybody_can_type():
    """Those of --dry-run, typed into a shell, do the same; what is run are exactly these."""
    world = World("typed", audit=passing())
    lines = good(world.run("--dry-run")).out.splitlines()
    check(not world.prefix.exists(), "a dry run wrote something")
    where = world.top / "bin"
    where.mkdir()
    (where / "ampere-crypto").symlink_to(PROGRAM)
    world.state.mkdir(parents=True)
    for line in lines:
        good(start(["sh", "-c", line], env={**os.environ, "PATH": f"{where}:{os.environ['PATH']}"}))
    stages = world.stages()
    check(stages["setup"]["text"] == "2 trees: 2 active", stages["setup"]["text"])
    check([" ".join(row["command"]) for row in stages.values()] == [line.replace("'", "") for line in lines], lines)


def test_documents_fit_their_schemas():
    try:
        import jsonschema
    except ImportError:
        raise Skip("no python3-jsonschema") from None
    world = World("schema", audit=passing(), **{"stop-on": ["audit"]}, limits={"all": 600})
    for name, document in (("provision", world.json("--dry-run")), ("provision", world.json()), ("provision-plan", world.plan)):
        document.pop("err", None)
        jsonschema.Draft202012Validator(json.loads(start([PROGRAM, "schema", name]).out)).validate(document)


def test_results_in_every_format():
    """Of the stages that ran, as files of the plan; each begins as its format does."""
    begins = {"text": "", "json": "{", "csv": "", "markdown": "", "sarif": "{", "junit": "<?xml", "openmetrics": "# ", "html": "<!"}
    known = re.search(r"FORMAT=PATH\s+(.*?)(?=\n +-)", good(start([PROGRAM, "audit", "--help"])).out, re.S).group(1)
    formats = [name for name in begins if re.search(rf"\b{name}\b", known)]
    check(len(formats) >= 4, formats)
    outputs = [{"of": "audit", "format": name, "path": f"audit.{name}"} for name in formats]
    world = World("formats", audit=passing(), outputs=outputs)
    good(world.run())
    for name in formats:
        check((world.top / f"audit.{name}").read_text().lower().startswith(begins[name]), name)


def test_keys_for_a_cache():
    """The same before and after; another one for another version, a place or a set of trees."""
    world = World("keys", audit=passing())
    before = world.json("--dry-run")["summary"]
    after = world.json()["summary"]
    check(re.fullmatch("[0-9a-f]{64}", before["cache_key"]), before)
    check(before["cache_key"] == after["cache_key"] and before["trees"] == after["trees"], before, after)
    check(sorted(before["trees"]) == sorted(path.name for path in (world.prefix / "store").iterdir()), before["trees"])
    seen = {before["cache_key"]}
    for change in ({"setup": world.setup("alpha")}, {"setup": world.setup("alpha", "gamma", versions=["alpha=1.0"])}, {"prefix": "q"}):
        world.plan = {**world.plan, **change}
        seen.add(world.json("--dry-run")["summary"]["cache_key"])
    check(len(seen) == 4, seen)
    del world.plan["setup"]
    check(world.json("--dry-run")["summary"]["cache_key"] is None, "a key of nothing")


def test_one_exit_status():
    """(what, audit, code); the order of commands: 4 before 2 before 1 before 3."""
    world = World("codes")
    for audit, code, outcome in ((passing(), 0, "pass"), (failing(), 1, "fail"), ({**failing(), "fail-on": "never"}, 0, "pass"),
                                 ({"only": ["no.such.check"]}, 64, "fail")):
        world.plan["audit"] = audit
        stages = world.stages(code=code)
        check(stages["audit"]["outcome"] == outcome and stages["setup"]["outcome"] == "pass", audit, stages)
    check("audit" in world.run().err, "the error of the stage is not shown")


def test_a_failed_setup_stops_and_its_status_counts():
    world = World("stops", audit=failing(), bench=SUITE)
    suite(world.top / "tiny.json")
    world.set.add("broken", makefile="all:\n\t@echo it is broken; false\n")
    world.plan["setup"] = world.setup("broken")
    result = world.run("--json")
    rows = {row["stage"]: row for row in json.loads(result.out)["results"]}
    check(result.code == 2 and rows["setup"]["exit_code"] == 2, result.code, rows["setup"])
    check("it is broken" in result.err, "the log is not shown", result.err)
    for name in ("audit", "bench"):
        check(rows[name]["exit_code"] is None and rows[name]["text"] == "not begun: setup failed", rows[name])
    # What was not proved: a product that is not there.
    world.set.add("unproved", products=["bin/another"])
    world.plan["setup"] = world.setup("unproved")
    done = start([PROGRAM, *world.stages("--dry-run")["setup"]["command"][1:]])
    check(done.code in (2, 4), done.code, done.err)
    check(world.stages(code=done.code)["setup"]["exit_code"] == done.code, done.code)


def test_a_pack_that_is_wrong_is_exit_status_4():
    """Whatever else is found: 4 goes before all others."""
    world = World("pack", audit=passing())
    good(world.run())
    good(start([PROGRAM, "setup", "--target", "native", "--prefix", world.prefix, "--pack", world.top / "trees.pack"]))
    world.plan.update(prefix="q", setup={"pack": "trees.pack", "target": "native", "ld-so-conf": "none"})
    key = world.json("--dry-run")["summary"]["cache_key"]
    check(key and world.stages()["setup"]["outcome"] == "pass", "a pack")
    source = next(world.set.mirror.glob("gamma-*"))
    (world.top / "trees.pack").write_bytes(source.read_bytes())
    check(world.json("--dry-run")["summary"]["cache_key"] != key, "the same key for another pack")
    rows = world.stages(code=4)
    check(rows["setup"]["outcome"] == "fail" and rows["setup"]["exit_code"] == 4, rows["setup"])
    check(rows["audit"]["exit_code"] is None, rows["audit"])


def test_one_page_of_all_results():
    found = {**failing(), "fail-on": "never"}
    world = World("page", audit=found, outputs=[{"of": "report", "format": "html", "path": "page.html"}])
    rows = world.stages()
    check(rows["report"]["outcome"] == "pass" and rows["report"]["files"] == [str(world.top / "page.html")], rows["report"])
    words = [word for word in rows["report"]["command"] if word.endswith(".json")]
    check(words == [f"ci={world.state}/setup.json", f"ci={world.state}/audit.json"], words)
    check(found["only"][0] in (world.top / "page.html").read_text(), "the page does not have the finding")
    world.set.add("broken", makefile="all:\n\t@false\n")
    world.plan["setup"] = world.setup("broken")
    rows = world.stages(code=2)
    check(rows["audit"]["exit_code"] is None and rows["report"]["exit_code"] is not None, rows["report"])


def test_findings_do_not_stop_bench_unless_the_plan_says_so():
    world = World("order", audit=failing(), bench=SUITE)
    del world.plan["setup"]
    suite(world.top / "tiny.json")
    stages = world.stages(code=1, program=program())
    check(stages["audit"]["outcome"] == "fail" and stages["bench"]["outcome"] == "pass", stages)
    world.plan["stop-on"] = ["audit"]
    stages = world.stages("--force", code=1, program=program())
    check(stages["bench"]["exit_code"] is None and stages["bench"]["text"] == "not begun: audit failed", stages)


def test_unknown_under_strict():
    """What a container does not see: here /sys is empty."""
    if start(["unshare", "--mount", "true"]).code:
        raise Skip("needs root for a mount namespace")
    blind = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs /sys && exec "$@"', "sh"]
    unknown = findings("unknown", *blind)
    check(unknown, "without /sys nothing is unknown")
    world = World("strict", audit={"only": unknown[:3]})
    del world.plan["setup"]
    document = json.loads(good(start([*blind, *world.argv("--json")])).out)
    row, root = document["results"][0], document["summary"]["needs_root"]
    wanted = f"0 fail, {len(unknown[:3])} unknown{f' ({root} need' if root else ', 0 pass'}"
    check(wanted in row["text"], row["text"], wanted)
    world.plan["audit"]["strict"] = True
    result = start([*blind, *world.argv("--json")])
    check(result.code == 3 and json.loads(result.out)["results"][0]["outcome"] == "unknown", result.code, result.out[-600:])


def test_a_measurement_is_kept_while_nothing_changed():
    world = World("kept", bench=SUITE, outputs=[{"of": "bench", "format": "json", "path": "bench.json"}])
    own, result = world.top / "tiny.json", world.state / "bench.json"
    suite(own)
    world.plan["setup"] = world.setup("gamma")

    def measured():
        row = world.stages(program=program())["bench"]
        check(row["outcome"] == "pass", row)
        check((row["as_of"] is None) == ("nothing changed" not in row["text"]), row)
        return row["as_of"] is None

    check(measured(), "the first time")
    first = result.read_bytes()
    (world.top / "bench.json").unlink()
    check(not measured() and result.read_bytes() == first, "measured twice")
    check((world.top / "bench.json").read_bytes() == first, "the output is not there again")
    check("nothing changed" in good(world.run("--verbose", "--progress", "never", program=program())).out, "told another way")
    own.write_text(own.read_text() + "\n")
    check(measured(), "another suite")
    world.plan["setup"] = world.setup("alpha")
    check(measured(), "another tree")
    result.write_bytes(result.read_bytes().replace(b"pass", b"PASS"))
    check(measured(), "a result that somebody changed")
    (world.state / "bench.done").write_text("{}")
    check(measured(), "a record that is damaged")
    check(world.stages("--force", program=program())["bench"]["as_of"] is None, "--force")


def test_a_machine_set_otherwise_is_measured_again():
    """What the kernel says of transparent huge pages is another file's content."""
    real = "/sys/kernel/mm/transparent_hugepage/enabled"
    if start(["unshare", "--mount", "true"]).code or not os.path.exists(real):
        raise Skip("needs root for a mount namespace, and transparent huge pages")
    world = World("set", bench=SUITE)
    del world.plan["setup"]
    suite(world.top / "tiny.json")

    def measured(said):
        (world.top / "thp").write_text(said + "\n")
        bound = ["unshare", "--mount", "sh", "-c", f'mount --bind "$0" {real} && exec "$@"', world.top / "thp"]
        result = good(start([*bound, *world.argv("--json", program=program())]))
        return json.loads(result.out)["results"][0]["as_of"] is None

    first, other = "always madvise [never]", "[always] madvise never"
    check(measured(first), "the first time")
    check(not measured(first), "nothing changed")
    check(measured(other), "set otherwise")
    check(not measured(other), "nothing changed since")


def test_slower_than_the_baseline():
    """A baseline ten times as fast as this machine, which no noise makes up for."""
    real = ["chrt", "-f", "1"]
    if start([*real, "true"]).code:
        raise Skip("no real-time scheduling here")
    world = World("slower", bench={**SUITE, "seconds": 2, "baseline": "base.json"})
    del world.plan["setup"]
    suite(world.top / "tiny.json")
    base = world.top / "base.json"

    def scale(value):
        if isinstance(value, dict):
            return {key: scale(one) for key, one in value.items()}
        if isinstance(value, list):
            return [scale(one) for one in value]
        return value * 10 if isinstance(value, float) else value

    for _ in range(3):
        good(start([*real, program(), "bench", world.top / "tiny.json", "--system", "--seconds", "2", "--save", base]))
        document = json.loads(base.read_text())
        document["results"] = scale(document["results"])
        base.write_text(json.dumps(document))
        result = start([*real, *world.argv("--json", program=program())])
        row = json.loads(result.out)["results"][0]
        if "1 unknown" not in row["text"]:
            break
    check(result.code == 1 and row["outcome"] == "fail", result.code, row, result.err[-900:])
    check(not (world.state / "bench.done").exists(), "a failure was kept")


def test_nothing_to_do():
    """Nothing is written into the prefix but the results, and standard output is a line for each stage."""
    world = World("nothing", audit=passing())
    good(world.run())
    before = tree(world.prefix, "provision")
    result = good(world.run())
    check(tree(world.prefix, "provision") == before, "the prefix was changed")
    check(len(result.out.splitlines()) == 2 and not result.err, result.out, result.err)
    check(not good(world.run("--quiet")).out, "quiet")
    argv = world.argv(program=program())
    begin = time.monotonic()
    for _ in range(10):
        good(start(argv))
    took = (time.monotonic() - begin) * 100
    counted = start(["strace", "-f", "-c", "-o", world.top / "calls", *argv])
    total = [line.split()[3] for line in (world.top / "calls").read_text().splitlines() if line.endswith(" total")] \
        if not counted.code else ["?"]
    check(total == ["?"] or int(total[0]) <= CALLS_MAX, "system calls", total)
    print(f"nothing to do: {took:.1f} ms, {total[0]} system calls in 3 processes", flush=True)


def test_another_run_at_work():
    world = World("locked", audit=passing())
    good(world.run())
    with open(world.state / "lock", "r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = world.run("--json")
        check(result.code == 5 and "another run of this plan is at work" in result.err, result.code, result.err)
    # The prefix itself, of which something is wanted that is not there.
    world.plan["setup"] = world.setup("beta")
    with open(world.prefix / "lock", "r+b") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        check(world.stages(code=5)["setup"]["exit_code"] == 5, "the lock of the prefix")
        check(world.stages(code=5)["audit"]["exit_code"] is None, "went on")
    good(world.run())


def test_without_root():
    world = World("user", audit=passing(), outputs=[{"of": "audit", "format": "json", "path": "out/audit.json"}])
    (world.top / "out").mkdir()
    world.argv()
    argv = unprivileged(world.argv(), world.top)
    good(start(argv))
    check("2 active" in good(start(argv)).out, "built twice")
    (world.top / "out").chmod(0o555)
    result = start(argv)
    check(result.code == 2 and "ci.json:" in result.err and "path: cannot be written" in result.err, result.code, result.err)
    # A state directory of somebody else says what was measured: it is not believed.
    os.lchown(world.state, 12345, 12345)
    world.state.chmod(0o755)
    check(world.run().code == 2, "a state directory of others")


def test_appended_outputs():
    world = World("append", audit=passing(), outputs=[{"of": "audit", "format": "markdown", "path": "summary.md", "append": True}])
    del world.plan["setup"]
    (world.top / "summary.md").write_text("what was there\n")
    good(world.run())
    text = (world.top / "summary.md").read_text()
    check(text.startswith("what was there\n") and len(text) > 100, text[:200])
    good(world.run())
    check((world.top / "summary.md").read_text().count("what was there") == 1, "replaced")


def test_a_full_disk():
    """The results do not fit: a clean error that names the file; with room again it goes on."""
    if start(["unshare", "--mount", "true"]).code:
        raise Skip("needs root for a mount namespace")
    world = World("full", audit={}, state="s")
    (world.top / "s").mkdir()
    script = ('mount -t tmpfs -o size=16k,mode=755 tmpfs "$1" && { head -c 1000000 /dev/zero >"$1/fill" 2>/dev/null; rm -f "$2"; shift 2; '
              'exec "$@"; }')
    result = start(["unshare", "--mount", "sh", "-c", script, "sh", world.top / "s", world.top / "none", *world.argv("--json")])
    check(result.code == 2, result.code, result.err[-600:])
    check("No space left on device" in result.err, result.err[-600:])
    world.plan["audit"] = passing()
    good(world.run())
