# SPDX-License-Identifier: BSD-2-Clause
"""Whatever was done is taken back, last first, and what others changed meanwhile is left."""
import json
import os

from world import (CPU, SMALL, STATE, SYSCTL, THP, TWO_NODES, WORLDS, boot, check, differing, document, look, make, program, same, start, tune)

from base import Skip


def tuned(name, description, *words, **options):
    """A tree, what it was, and the document of the run that tuned it."""
    root = make(name, description)
    before = look(root, skip=())
    return root, before, document(tune(root, "--yes", "--json", *words, **options))


def record(root):
    return root / STATE / "tune.json"


def test_revert_gives_back_every_byte():
    for name, description in WORLDS.items():
        for role in ("dpdk", "ipsec", "tls"):
            root, before, found = tuned("back", description, role=role)
            check([one for one in found["results"] if one["state"] == "applied"], name, role)
            reverted = document(tune(root, "--revert", "--json"), 0)
            check({one["state"] for one in reverted["results"]} <= {"restored", "kept"}, name, role, reverted["results"])
            same(before, look(root, skip=()), name, role)


def test_it_goes_back_in_the_reverse_order():
    root, _, found = tuned("order", TWO_NODES)
    made = [one["id"] for one in found["results"] if one["state"] in ("applied", "partly")]
    back = [one["id"] for one in document(tune(root, "--revert", "--json"), 0)["results"] if one["state"] == "restored"]
    check(back == made[::-1], back[:5], made[-5:])


def test_a_second_revert_has_nothing_to_do():
    root, before, _ = tuned("again", SMALL)
    document(tune(root, "--revert", "--json"), 0)
    found = document(tune(root, "--revert", "--json"), 0)
    check(not found["results"], found["results"])
    same(before, look(root, skip=()))


def test_without_a_record_there_is_nothing_to_revert():
    root = make("none", SMALL)
    before = look(root, times=True, skip=())
    check(not document(tune(root, "--revert", "--json"), 0)["results"])
    same(before, look(root, times=True, skip=()))


def test_tune_twice_and_revert_gives_the_first_state():
    """The second time for another role, and once more."""
    root, before, _ = tuned("first", TWO_NODES, role="tls")
    for role in ("dpdk", "ipsec"):
        document(tune(root, "--yes", "--json", role=role))
    document(tune(root, "--revert", "--json"), 0)
    same(before, look(root, skip=()))


def test_what_somebody_set_between_two_runs_comes_back():
    root, before, _ = tuned("between", SMALL)
    path = root / CPU.lstrip("/") / "cpufreq/policy1/scaling_governor"
    path.write_text("powersave\n")
    document(tune(root, "--yes", "--json"))
    check(path.read_text() == "performance\n")
    document(tune(root, "--revert", "--json"), 0)
    check(path.read_text() == "powersave\n", path.read_text())
    path.write_text("schedutil\n")
    same(before, look(root, skip=()))


def test_what_somebody_else_changed_is_reported_and_left():
    root, before, _ = tuned("foreign", TWO_NODES)
    path = root / CPU.lstrip("/") / "cpufreq/policy0/scaling_governor"
    path.write_text("ondemand\n")
    result = tune(root, "--revert", "--json")
    found = [one for one in document(result)["results"] if one["path"].endswith("policy0/scaling_governor")]
    check([one["state"] for one in found] == ["foreign"] and found[0]["reason"], found)
    check(path.read_text() == "ondemand\n")
    left = [one for one in differing(before, look(root)) if not one.startswith("var")]
    check(left == ["sys/devices/system/cpu/cpufreq/policy0/scaling_governor"], left)


def test_what_somebody_else_set_back_is_kept():
    root, before, _ = tuned("set-back", SMALL)
    (root / CPU.lstrip("/") / "cpufreq/policy0/scaling_governor").write_text("schedutil\n")
    found = document(tune(root, "--revert", "--json"), 0)
    states = {one["path"]: one["state"] for one in found["results"]}
    check(states[f"{CPU}/cpufreq/policy0/scaling_governor"] == "kept", states)
    same(before, look(root, skip=()))


def test_a_dry_revert_says_what_a_revert_does():
    root, _, _ = tuned("dry-revert", SMALL)
    before = look(root, times=True, skip=())
    said = [one["id"] for one in document(tune(root, "--revert", "--dry-run", "--json"), 0)["results"]]
    same(before, look(root, times=True, skip=()))
    check(said == [one["id"] for one in document(tune(root, "--revert", "--json"), 0)["results"]] and said)


def reboot(root, found):
    """The kernel begins with its own values again; files stay."""
    for one in found["results"]:
        if one["state"] == "applied" and one["path"].startswith(("/sys", "/proc")) and one["path"] != THP:
            (root / one["path"].lstrip("/")).write_text(one["before"] + "\n")
    (root / THP.lstrip("/")).write_text("[always] madvise never\n")
    boot(root, "7f6d3b1a-9c1e-4d2b-8a5f-000000000002")


def unchanged(before, root):
    boot(root, "0b5f7c5e-3a0e-4f6c-9d7e-6f1f0a2b4c6d")
    same(before, look(root, skip=()))


def test_after_a_reboot_the_kernel_has_its_own_values_again():
    """There is nothing to take back but files and the record."""
    root, before, found = tuned("reboot", SMALL)
    reboot(root, found)
    after = document(tune(root, "--revert", "--json"), 0)
    words = {one["state"] for one in after["results"] if one["kind"] in ("word", "pages")}
    check(words == {"kept"}, after["results"])
    unchanged(before, root)


def test_after_a_reboot_what_somebody_set_is_left():
    """It is the value that tune wanted, but nothing of ours set it since the reboot."""
    root, _, found = tuned("reboot-foreign", SMALL)
    reboot(root, found)
    path = root / CPU.lstrip("/") / "cpufreq/policy0/scaling_governor"
    path.write_text("performance\n")
    states = {one["path"]: one["state"] for one in document(tune(root, "--revert", "--json"))["results"]}
    check(states[f"{CPU}/cpufreq/policy0/scaling_governor"] == "foreign" and path.read_text() == "performance\n", states)


def test_after_a_reboot_what_our_files_set_is_taken_back():
    """With --persist the values stand again after the reboot: they are ours."""
    root, before, _ = tuned("reboot-kept", SMALL, "--persist")
    boot(root, "7f6d3b1a-9c1e-4d2b-8a5f-000000000002")
    document(tune(root, "--revert", "--json"), 0)
    unchanged(before, root)


def test_tuning_after_a_reboot_keeps_the_first_state():
    root, before, found = tuned("retuned", SMALL)
    reboot(root, found)
    document(tune(root, "--yes", "--json"))
    document(tune(root, "--revert", "--json"), 0)
    unchanged(before, root)


DAMAGED = {
    "empty": lambda text: "",
    "cut": lambda text: text[:len(text) // 2],
    "no JSON": lambda text: "governor=schedutil\n",
    "an array": lambda text: "[]",
    "from a later version": lambda text: text.replace("tune-record 1.", "tune-record 2."),
    "of something else": lambda text: text.replace("tune-record", "capture"),
    "a key that is not known": lambda text: text.replace('"changes"', '"more": 1, "changes"', 1),
    "a kind that is not known": lambda text: text.replace('"word"', '"shell"'),
    "a path outside of what tune writes": lambda text: text.replace("/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "/etc/passwd"),
    "a path with dots": lambda text: text.replace("/sys/devices/system/cpu/cpufreq/policy0/", "/sys/devices/system/../../../etc/"),
}


def test_a_record_that_is_damaged_is_not_followed():
    for name, damage in DAMAGED.items():
        root, _, _ = tuned("damaged", SMALL)
        whole = record(root).read_text()
        check(damage(whole) != whole, name, "the damage does nothing")
        record(root).write_text(damage(whole))
        (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
        before = look(root, times=True, skip=())
        for words in (["--revert"], ["--yes"]):
            result = tune(root, *words)
            check(result.code == 2 and "tune.json" in result.err, name, words, result.code, result.err)
            check(len([line for line in result.err.splitlines() if line.startswith("ampere-crypto ")]) == 1, name, result.err)
            same(before, look(root, times=True, skip=()), name, words)


def test_a_record_that_is_no_file():
    for name, make_it in (("folder", lambda path: path.mkdir()), ("link", lambda path: path.symlink_to("/etc/passwd")),
                          ("fifo", os.mkfifo)):
        root = make(f"no-file-{name}", SMALL)
        (root / STATE).mkdir(parents=True)
        make_it(record(root))
        (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
        before = look(root, times=True, skip=())
        for words in (["--revert"], ["--yes"]):
            result = tune(root, *words, limit_s=30)
            check(result.code == 2, name, words, result.code, result.err)
            same({path: what for path, what in before.items()}, look(root, times=True, skip=()), name, words)


def test_the_record_is_roots_alone():
    root, _, _ = tuned("mode", SMALL)
    check(record(root).stat().st_mode & 0o077 == 0, oct(record(root).stat().st_mode))
    kept = json.loads(record(root).read_text())
    check({one["path"] for one in kept["changes"]} >= {f"{SYSCTL}/kernel/nmi_watchdog"}, kept)


def test_documents_and_records_fit_their_schemas():
    """Made, kept for the next boot, reverted with a foreign value; and a schema that takes anything would prove nothing."""
    try:
        import jsonschema
    except ImportError as problem:
        raise Skip("no python3-jsonschema") from problem
    tuning, recorded = (jsonschema.Draft202012Validator(document(start([program(), "schema", name]), 0)) for name in ("tune", "tune-record"))
    root, _, found = tuned("schemas", TWO_NODES, "--persist")
    kept = json.loads(record(root).read_text())
    (root / CPU.lstrip("/") / "cpufreq/policy0/scaling_governor").write_text("ondemand\n")
    for one in (found, document(tune(root, "--revert", "--dry-run", "--json")), document(tune(root, "--revert", "--json"))):
        check(tuning.is_valid(one), [error.message[:200] for error in tuning.iter_errors(one)][:3])
    check(recorded.is_valid(kept), [error.message[:200] for error in recorded.iter_errors(kept)][:3])
    for wrong in ({**found, "results": 1}, {**found, "results": [{**found["results"][0], "state": "good"}]}, {**kept, "changes": [{}]}):
        check(not tuning.is_valid(wrong) and not recorded.is_valid(wrong), "accepted", list(wrong))
