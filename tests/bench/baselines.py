# SPDX-License-Identifier: BSD-2-Clause
"""--save, --baseline, --threshold on a stand-in whose rate is known, and on files that are no baseline."""
import copy
import json
import threading

from engines import SNOW_ID, faulty_library
from program import KAT, SNOW, WORK, check, make_prefix, run, suite

MAKING = threading.Lock()


def saved():
    """(prefix, document) of a run that was saved."""
    path = WORK / "saved.json"
    with MAKING:
        prefix = WORK / "prefixes/baseline"
        if not path.exists():
            prefix = make_prefix("baseline", dpdk="played.dpdk()")
            done = run("--seconds", 20, "--prefix", prefix, "--save", path, suite(SNOW))
            check(done.code == 0 and path.exists(), f"status {done.code}", done.err)
    return prefix, json.loads(path.read_text())


def scaled(document, factor):
    """All numbers of a former run, times a factor."""
    document = copy.deepcopy(document)
    for result in document["results"]:
        for sample in result["raw"]:
            sample["value"] *= factor
        for key in ("value", "low", "high"):
            if result["estimate"][key] is not None:
                result["estimate"][key] *= factor
    return document


def compare(name, document, *arguments):
    prefix, _ = saved()
    path = WORK / f"baseline-{name}.json"
    path.write_text(json.dumps(document))
    done = run("--json", "--seconds", 20, "--prefix", prefix, "--baseline", path, *arguments, suite(SNOW))
    check(done.out, done.code, done.err)
    now = done.document()
    result = now["results"][0]
    check(result["id"] == SNOW_ID and result["change"], result["id"], result["reason"])
    return done.code, result, now


def test_a_saved_file_is_the_document():
    _, document = saved()
    check(document["schema"].startswith("ampere-crypto/bench "), document["schema"])
    result = document["results"][0]
    check(result["id"] == SNOW_ID and result["raw"] and result["verified"], result["id"], result["reason"])
    # 0.1 MOps of 1024 bytes, as the stand-in prints.
    check(abs(result["estimate"]["value"] - 0.8192) < 1e-6, result["estimate"])


def test_the_same_again_raises_no_alarm():
    code, result, _ = compare("same", saved()[1])
    check(code == 0 and result["outcome"] == "pass", f"status {code}", result["reason"])
    check(result["change"]["verdict"] in ("same", "undecided"), result["change"])


def test_half_as_fast_is_slower():
    code, result, _ = compare("doubled", scaled(saved()[1], 2))
    check(code == 1 and result["outcome"] == "fail", f"status {code}", result["outcome"], result["change"])
    check(result["change"]["verdict"] == "slower" and abs(result["change"]["ratio"] - 0.5) < 1e-6, result["change"])
    check("baseline" in result["reason"], result["reason"])


def test_twice_as_fast_is_faster():
    code, result, _ = compare("halved", scaled(saved()[1], 0.5))
    check(code == 0 and result["change"]["verdict"] == "faster", f"status {code}", result["change"])


def test_the_threshold_decides():
    slower = scaled(saved()[1], 1.05)
    for threshold, want in (("10%", 0), ("1%", 1), ("2.5", 1)):
        code, result, _ = compare(f"threshold-{threshold}", slower, f"--threshold={threshold}")
        check(code == want, threshold, f"status {code}", result["change"])


def test_another_machine_is_not_compared():
    document = scaled(saved()[1], 2)
    document["host"]["cpus"] = 999
    code, result, now = compare("machine", document)
    check(code == 0 and result["change"]["verdict"] == "not-compared" and result["change"]["why"], code, result["change"])
    check(any("not compared" in message["text"] for message in now["messages"]), now["messages"])


def test_another_version_of_a_case_is_not_compared():
    document = scaled(saved()[1], 2)
    document["results"][0]["suite_version"] += 1
    code, result, _ = compare("version", document)
    check(code == 0 and result["change"]["verdict"] == "not-compared", code, result["change"])


def test_what_is_no_baseline_is_named_before_anything_runs():
    document = saved()[1]
    texts = {"empty": "", "broken": "{", "list": "[]", "other": json.dumps({"schema": "other/thing 1.0.0", "results": []}),
             "audit": json.dumps(dict(document, schema="ampere-crypto/audit 1.0.0")),
             "future": json.dumps(dict(document, schema="ampere-crypto/bench 1.99.0")),
             "next": json.dumps(dict(document, schema="ampere-crypto/bench 2.0.0")),
             "strange": json.dumps(dict(document, schema="ampere-crypto/bench x")),
             "hostless": json.dumps({key: words for key, words in document.items() if key != "host"}),
             "twice": json.dumps(dict(document, results=document["results"] * 2)),
             "text": json.dumps(dict(document, results="none"))}
    for name, text in texts.items():
        path = WORK / f"no-baseline-{name}.json"
        path.write_text(text)
        done = run("--baseline", path, suite(KAT))
        check(done.code == 2 and done.one_line_error(), name, f"status {done.code}", done.err)
        check(str(path) in done.err and not done.out, name, done.err)
    done = run("--baseline", WORK / "none.json", suite(KAT))
    check(done.code == 2 and "No such file" in done.err, f"status {done.code}", done.err)


def test_wrong_answers_are_no_baseline():
    path = WORK / "wrong.json"
    path.unlink(missing_ok=True)
    prefix = make_prefix("baseline-wrong", faulty_library("baseline"))
    done = run("--json", "--seconds", 1, "--prefix", prefix, "--save", path, suite(KAT))
    check(done.code == 4 and not path.exists(), f"status {done.code}", path.exists())
    check(any("no baseline" in message["text"] for message in done.document()["messages"]), done.out[-500:])


def test_a_baseline_that_cannot_be_saved():
    done = run("--save", WORK / "no-such/x.json", "--seconds", 1, "--prefix", make_prefix("baseline-place"), suite(KAT))
    check(done.code == 2 and "no-such" in done.err, f"status {done.code}", done.err)
