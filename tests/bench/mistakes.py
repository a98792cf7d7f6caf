# SPDX-License-Identifier: BSD-2-Clause
"""What is asked for wrongly: one line that names it, status 64 or 2, and nothing is measured."""
import copy
import json

from program import GCM, KAT, SPEED, WORK, check, run, suite

USAGE, TROUBLE, SKIPPED = 64, 2, 77


def refused(code, *arguments, words=(), **options):
    done = run(*arguments, **options)
    check(done.code == code, arguments, f"status {done.code}, not {code}:", done.err or done.out[-300:])
    check(done.one_line_error(), arguments, done.err)
    check(all(word in done.err for word in words), arguments, done.err, "lacks", words)
    check(not done.out, arguments, done.out[:200])


def changed(case, name, **changes):
    """A suite whose case differs: None takes a key away, "dpdk.x" is a key inside."""
    one = copy.deepcopy(case)
    for key, content in changes.items():
        at, _, inner = key.partition("__")
        target, last = (one[at], inner) if inner else (one, at)
        if content is None:
            target.pop(last, None)
        else:
            target[last] = content
    return suite(one, name=name)


SUITES = {
    "an engine that is none": (lambda: changed(KAT, "e1", engine="kit"), ["engine"]),
    "sizes that fall": (lambda: changed(KAT, "e2", sizes=[64, 16]), ["rise"]),
    "a size twice": (lambda: changed(KAT, "e3", sizes=[64, 64]), ["twice"]),
    "a negative size": (lambda: changed(KAT, "e4", sizes=[-1]), ["sizes"]),
    "a size that is text": (lambda: changed(KAT, "e5", sizes=["64"]), ["sizes"]),
    "no size": (lambda: changed(KAT, "e6", sizes=[]), ["size"]),
    "a unit of the other kind": (lambda: changed(KAT, "e7", unit="MOps"), ["Gbps"]),
    "an unknown key": (lambda: changed(KAT, "e8", colour=1), ["colour"]),
    "an algorithm that is none": (lambda: changed(GCM, "e9", dpdk__aead={"name": "aes-gmc", "op": "encrypt", "key": 16,
                                                                     "iv": 12}), ["aes-gcm"]),
    "a tag too long": (lambda: changed(GCM, "e10", dpdk__digest=32), ["digest"]),
    "no options of dpdk": (lambda: changed(GCM, "e11", dpdk=None), ["dpdk"]),
    "no words for openssl": (lambda: changed(SPEED, "e12", words=None), ["words"]),
    "a case twice": (lambda: suite(KAT, KAT, name="e13"), ["twice"]),
    "no case": (lambda: suite(name="e14"), ["case"]),
    "a case that kat has not": (lambda: suite({**KAT, "name": "aes-128-gmc-seal"}, name="e15"), ["name", "did you mean 'aes-128-gcm-seal'"]),
    "a case nothing like those of kat": (lambda: suite({**KAT, "name": "zzzzzzzz"}, name="e16"), ["name", "zzzzzzzz", "lists them"]),
    "known answers that kat has not": (lambda: changed(SPEED, "e17", verify="sha-256"), ["verify", "did you mean 'sha256'"]),
    "the name of a shipped one": (lambda: suite(KAT, name="smoke"), ["smoke"]),
}


def add_suites():
    for what, (make, words) in SUITES.items():
        def test(make=make, words=words):
            path = make()
            done = run(path)
            check(done.code in (USAGE, TROUBLE), f"status {done.code}", done.err)
            check(done.one_line_error() and str(path) in done.err, done.err)
            check(all(word in done.err for word in words), done.err)
        globals()[f"test_a_suite_with_{what.replace(' ', '_')}"] = test


add_suites()


def test_a_suite_that_is_no_json():
    path = WORK / "suite-broken.json"
    for text in ("", "{", "[]", "nothing", json.dumps({"name": "x"}), "\0" * 100, "[" * 100000):
        path.write_text(text)
        refused(TROUBLE, path, words=[str(path)])


def test_a_suite_that_is_not_there():
    refused(TROUBLE, WORK / "none.json", words=["none.json", "No such file"])
    refused(TROUBLE, f"{WORK}/", words=["irectory"])


def test_an_unknown_suite():
    refused(USAGE, "smok", words=["did you mean 'smoke'"])
    refused(USAGE, "dpdk-al", words=["did you mean 'dpdk-all'"])
    refused(USAGE, "qqqqqqqqqqqq", words=["smoke", "library", "scaling"])


def test_a_suite_asked_for_twice_is_measured_once():
    done = run("--dry-run", "--json", "smoke", "smoke")
    results = done.document()["results"]
    check(results and done.code == 0, f"status {done.code}")


WRONG = {
    "cores": ["0", "-1", "x", "1,", ",1", "1,,2", "1;2", "9999999999999999999999", "1.5", "2,2", "1,2,1", " 1"],
    "seconds": ["0", "-1", "x", "1.5", "1e3", "nan", "99999999999999999999", "1 "],
    "seed": ["-1", "x", "18446744073709551616", "1.0", "0x10"],
    "threshold": ["0", "0%", "-3%", "100%", "101", "3%%", "x", "nan", "inf", "1e1", "3,5%", "%", ".", "99999999999999999"],
}


def add_values():
    for option, texts in WRONG.items():
        def test(option=option, texts=texts):
            for text in texts:
                refused(USAGE, f"--{option}={text}", "--dry-run", words=[f"--{option}"])
        globals()[f"test_wrong_values_of_--{option}"] = test


add_values()


def test_nothing_is_left():
    for arguments in (["--only=zzz"], ["--skip=*"], ["--only=smoke/*", "--skip=*"], ["--only="], ["--only=["]):
        done = run(*arguments)
        check(done.code in ((SKIPPED, USAGE) if arguments == ["--only="] else (SKIPPED,)), arguments, f"status {done.code}")
        check(done.one_line_error() and "--only" in done.err, arguments, done.err, done.out[-200:])


def test_options_that_exclude_each_other():
    log = WORK / "log.txt"
    log.write_text("nothing\n")
    refused(USAGE, f"--import={log}", "smoke", words=["--import"])
    refused(USAGE, f"--import={log}", "--dry-run", words=["--import"])
    refused(USAGE, f"--import={log}", f"--save={WORK / 'x'}", words=["--import"])
    refused(USAGE, "--root=/", "smoke", words=["--root", "--dry-run"])


def test_what_cannot_be_read():
    refused(TROUBLE, f"--import={WORK / 'none'}", words=["none", "No such file"])
    refused(TROUBLE, f"--prefix={WORK / 'none'}", words=["none"])
    refused(TROUBLE, f"--root={WORK / 'none'}", "--dry-run", words=["none"])
